"""telling: in, a game under way, as its log grows; out, what happened, told to each seat in words as far as it may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.labels import DONE, PASS, labels, template
from interpreter.log import tell
from interpreter.result import player

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State


class Told(NamedTuple):
    """How far stories go: entries of the log, and lines of each."""

    logged: int
    lines: tuple[int, ...]


class Stories:
    """of: seat → its story so far, a line for each thing that happened."""

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.of: list[list[str]] = [[] for _ in range(seats)]
        self.logged = 0

    def go_on(self, state: State) -> None:
        """Add what the engine has logged since."""
        entries = state.lg or []
        for k in range(self.logged, len(entries)):
            entry = entries[k]
            if self.idle(state, entry, entries[k + 1] if k + 1 < len(entries) else ()):
                continue
            for seat, lines in enumerate(self.of):
                if entry[0] == "secret" and entry[1] == seat:
                    continue  # what was chosen is told
                line = tell(entry, self.game, seat)
                if line is not None:
                    who, text = line
                    lines.append(f"{player(who)}: {text}" if who is not None else text)
        self.logged = len(entries)

    def answered(self, before: State, seat: int, action: int, after: State) -> None:
        """Add an answer and what it led to. Where the engine's log does not hold the answer, it is told here."""
        entries = after.lg or []
        if not any(entry[0] == "choose" for entry in entries[self.logged :]):
            site = before.prog.sites[before.st[-1]]
            for reader, lines in enumerate(self.of):
                text = labels(before, (action,), reader)[0]
                if reader == seat or not (site.secret or (site.window and text.casefold() == PASS)):
                    lines.append(f"{player(seat)}: chooses {text}")
        self.go_on(after)

    def idle(self, state: State, entry: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
        """Whether an entry tells a reader nothing: a number that only helps texts along, an answer without a choice that
        the next line shows, or the turns of a game in which a turn is one answer."""
        model = self.game.model
        if entry[0] in ("gain", "lose", "set", "pay"):
            counter = model.counters.get(entry[2])
            return counter is not None and not counter.shown
        if entry[0] == "choose" and entry[3] in state.prog.sites:
            return state.prog.sites[entry[3]].window and template(self.game, entry[2])[0].casefold() == PASS
        if entry[0] == "forced":
            text, _ = template(self.game, entry[2])
            return text.casefold() in (DONE, PASS) or (after[:1] == ("move",) and text == "{}")
        return entry[0] == "turn" and len(model.turn) < 2 and not model.round

    def told(self) -> Told:
        return Told(self.logged, tuple(map(len, self.of)))

    def back_to(self, told: Told) -> None:
        """Forget what was told since."""
        self.logged = told.logged
        for lines, length in zip(self.of, told.lines):
            del lines[length:]
