"""savefile: a game being played, as a file: what it began with, every decision, and digests to check a replay against.

In: a path and a Save, or a path. Out: a file written beside and renamed; a Save; the State that a Save leads to. A file
comes from strangers: sizes and types are checked first, and whatever is wrong is a SaveError with one clear sentence.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .beside import put
from .decision import IllegalAction
from .save import SaveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .game import Game
    from .state import State

__all__ = ["EVERY", "Save", "SaveError", "begin", "read_save", "replay", "write_save"]

FORMAT = "cardscript-save"
VERSION = 1
EVERY = 20  # decisions between two digests
MOST_BYTES = 64 * 1024 * 1024
MOST_DECISIONS = 2_000_000
LONGEST_WORD = 1_000


@dataclass(slots=True)
class Save:
    """game, mods: as they were given to load_game. players: a number or faction ids. decisions: (seat, action), chance
    included. digests: (number of decisions made, digest of the state then)."""

    game: str
    digest: str
    seed: int = 0
    players: int | list[str] = 2
    mods: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    chance: str = "seeded"
    forced: str = "take"
    seats: list[str] = field(default_factory=list)
    decisions: list[tuple[int, int]] = field(default_factory=list)
    digests: list[tuple[int, str]] = field(default_factory=list)

    def note(self, seat: int, action: int, state: State) -> None:
        """Add a decision; state is the one after it. Every so often its digest is added too."""
        self.decisions.append((seat, action))
        if len(self.decisions) % EVERY == 0 or state.over:
            self.check(state)

    def check(self, state: State) -> None:
        """Add the digest of the state as it is now, unless it stands there already."""
        here = (len(self.decisions), state.digest())
        if not self.digests or self.digests[-1][0] != here[0]:
            self.digests.append(here)


def begin(
    game: Game,
    name: str,
    players: int | Sequence[str] | None = None,
    seed: int = 0,
    mods: Iterable[str] = (),
    options: dict[str, Any] | None = None,
    chance: str = "seeded",
    forced: str = "take",
) -> tuple[Save, State]:
    """A new game and the Save that follows it. name, mods: as the game was named when it was loaded. seats of the Save
    may be filled by whoever plays (`person`, or a bot's name). Raises ValueError for what the game does not allow."""
    given = players if isinstance(players, int) else game.players[0] if players is None else list(players)
    save = Save(name, game.digest, seed, given, [str(m) for m in mods], dict(options or {}), chance, forced)
    state = first_state(save, game)
    save.check(state)
    return save, state


def first_state(save: Save, game: Game) -> State:
    return game.new(save.players, seed=save.seed, chance=save.chance, forced=save.forced, options=save.options)


def write_save(path: str | Path, save: Save, state: State | None = None) -> None:
    """Write the file beside its place, then rename it, so that nobody ever sees half of it. state: the one that the
    decisions led to; its digest is added."""
    if state is not None:
        save.check(state)
    data = {"format": FORMAT, "version": VERSION, **asdict(save)}
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    put(Path(path), (text + "\n").encode("utf-8"))


def read_save(path: str | Path) -> Save:
    """The Save that a file holds. Raises SaveError, also where there is no such file."""
    shown = Path(path).as_posix()
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise SaveError(f"{shown} cannot be read: {(error.strerror or 'unknown reason').lower()}") from None
    if len(raw) > MOST_BYTES:
        raise SaveError(f"{shown} is too large for a save")
    try:
        data = json.loads(raw.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise SaveError(f"{shown} is no save: it is not JSON, or it is cut short") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SaveError(f"{shown} is no save of this program")
    if data.get("version") != VERSION:
        raise SaveError(f"{shown} was written by another version of this program (format {data.get('version')!s:.20})")
    try:
        return _checked(data)
    except SaveError as error:
        raise SaveError(f"{shown} is damaged: {error}") from None


def _no_constant(word: str) -> NoReturn:
    raise ValueError(word)


def _checked(data: dict[str, Any]) -> Save:
    """A Save of data from a stranger."""
    if data.keys() - {"format", "version"} != set(Save.__slots__):
        raise SaveError("its keys are not those of a save")

    def word(value: Any, what: str) -> str:
        return str(_is(isinstance(value, str) and len(value) <= LONGEST_WORD, value, what))

    def whole(value: Any, what: str, low: int = -(2**63), high: int = 2**63) -> int:
        return int(_is(type(value) is int and low <= value <= high, value, what))

    def listed(value: Any, what: str) -> list[Any]:
        return list(_is(isinstance(value, list) and len(value) <= MOST_DECISIONS, value, what))

    options = _is(isinstance(data["options"], dict), data["options"], "options")
    for name, value in options.items():
        _is(isinstance(value, (str, int)) and len(name) <= LONGEST_WORD, value, f"the option {name:.40}")
    players = data["players"]
    decisions = []
    for row in listed(data["decisions"], "decisions"):
        _is(isinstance(row, list) and len(row) == 2, row, "a decision")
        decisions.append((whole(row[0], "a seat", -1, 99), whole(row[1], "an action", 0)))
    digests = []
    for row in listed(data["digests"], "digests"):
        _is(isinstance(row, list) and len(row) == 2, row, "a digest")
        digests.append((whole(row[0], "a digest", 0, len(decisions)), word(row[1], "a digest")))
    return Save(
        word(data["game"], "game"),
        word(data["digest"], "digest"),
        whole(data["seed"], "seed"),
        [word(p, "players") for p in players] if isinstance(players, list) else whole(players, "players", 1, 99),
        [word(m, "mods") for m in listed(data["mods"], "mods")],
        options,
        _is(data["chance"] in ("seeded", "explicit"), data["chance"], "chance"),
        _is(data["forced"] in ("take", "ask"), data["forced"], "forced"),
        [word(s, "seats") for s in listed(data["seats"], "seats")],
        decisions,
        digests,
    )


def _is(fine: bool, value: Any, what: str) -> Any:
    if not fine:
        raise SaveError(f"{what} cannot be {value!r:.60}")
    return value


def replay(
    save: Save, game: Game, to: int | None = None, seen: Callable[[State, int, int], None] | None = None
) -> State:
    """The state after the first `to` decisions (all of them if None), each digest compared on the way. seen is called
    with each state before its decision, the seat and the action. Raises SaveError where content or state differ."""
    if save.digest != game.digest:
        raise SaveError(
            f"this save belongs to other content: {save.game:.80} with digest {save.digest:.16}…; "
            f"here is {game.name} with digest {game.digest:.16}…"
        )
    try:
        state = first_state(save, game)
    except ValueError as error:
        raise SaveError(f"this save cannot be begun: {error}") from None
    wanted = dict(save.digests)
    count = len(save.decisions) if to is None else max(0, min(to, len(save.decisions)))
    for number in range(count + 1):
        if number in wanted and state.digest() != wanted[number]:
            raise SaveError(f"after {number} decisions the game differs from the one that was saved (digest mismatch)")
        if number == count:
            break
        seat, action = save.decisions[number]
        if seen is not None:
            seen(state, seat, action)
        try:
            state.apply(action, seat=seat)
        except IllegalAction as error:
            raise SaveError(f"decision {number + 1} of this save cannot be made: {error}") from None
    return state
