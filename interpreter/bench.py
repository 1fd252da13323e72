"""bench: a compiled game onto which scenarios put their statements and conditions, with the names that they may use.

In: what `load` read and compiled. Out: Bench (its Game, statements, questions, labels), look-ups of players, steps and
places by name, and two states of suspension: Halted and Silent.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .attach import Question, Statement, attach_condition, attach_statement, settle
from .compile import scope_range
from .diagnostics import Diagnostic, finding, has_errors
from .game import Game
from .labels import place
from .machine import run
from .model import ACTIVE, FIRST, OVER, PLAYERS, ROUND, STEPS, Source
from .nodes import Scalar
from .program import Range

if TYPE_CHECKING:
    from .compile import Compiled
    from .load import Loaded
    from .program import Program
    from .state import State

PLAYER = re.compile(r"player (\d+)", re.IGNORECASE)
MOST_NUMBER = 200
JOINTS = re.compile(r" on (?:the )?| of (?:player \d+|the )?| with |: |, ")


class Bench:
    """A compiled game onto which statements and conditions of scenarios are put, and the Game to play them on."""

    def __init__(self, loaded: Loaded) -> None:
        assert loaded.compiled is not None and loaded.compiled.program is not None
        self.compiled: Compiled = loaded.compiled
        self.program: Program = loaded.compiled.program
        self.halt = self._halt()
        self._numbers()
        self.most = self.compiled.builder.most_number
        self._game: Game | None = None
        self._labels: tuple[int, dict[str, str], set[str]] | None = None  # ranges done, see labels
        self._made: dict[tuple[str, str], Any] = {}

    def _numbers(self) -> None:
        """Statements may choose and roll numbers that no text of the game does: the actions of numbers are moved to
        where there is room."""
        b = self.compiled.builder
        if b.most_number >= MOST_NUMBER:
            return
        b.most_number = MOST_NUMBER
        b.ranges.append(scope_range(b.next_action, MOST_NUMBER))
        self.program.ranges.append(Range(b.next_action, b.next_action + MOST_NUMBER + 1, "number"))
        self.program.globals["NB"] = b.next_action
        b.next_action += MOST_NUMBER + 1

    def _halt(self) -> int:
        """The number of a block that only stops: statements of `given` run on top of it."""

        def halt(s: Any, c: int) -> int:
            s.opts, s.who = (), -2
            return 1

        e, program = self.compiled.emitter, self.program
        number = len(program.blocks)
        e.blocks.append("")
        e.shapes.append((1, ""))
        e.origins.append("scenario")
        program.globals[f"b{number}"] = halt
        program.blocks.append(halt)
        program.shapes.append((1, ""))
        program.origins.append("scenario")
        return number

    @property
    def game(self) -> Game:
        """The game with all that has been put onto it; states of an earlier one do not fit it."""
        settle(self.compiled)
        if self._game is None:
            b, model = self.compiled.builder, self.program.model
            self.program.num_actions = b.next_action
            model.start = [*model.start[: model.cells], *b.extra_cells]
            self._game = Game(self.program)
        return self._game

    def statement(self, text: Scalar, file: str, silent: bool) -> tuple[Statement | None, list[Diagnostic]]:
        made, found = self._put(text, file, "given" if silent else "do")
        return made, found

    def question(self, text: Scalar, file: str) -> tuple[Question | None, list[Diagnostic]]:
        made, found = self._put(text, file, "then")
        return made, found

    def _put(self, text: Scalar, file: str, what: str) -> tuple[Any, list[Diagnostic]]:
        key = (text.text, what)
        if key in self._made:
            return self._made[key], []
        source = Source(text.text, file, "scenario", what, text)
        made: Any
        if what == "then":
            made, found = attach_condition(self.compiled, source)
        else:
            made, found = attach_statement(self.compiled, source, silent=what == "given")
        self._game = None
        most = max(MOST_NUMBER, self.most)
        if made is not None and self.compiled.builder.most_number > most:
            self.compiled.builder.most_number = most
            message = f"a statement of a scenario chooses among numbers up to {most}, not more"
            return None, [finding("bad-value", file, text.span(), message)]
        if made is not None and not has_errors(found):
            self._made[key] = made
            return made, found
        return None, found or [finding("syntax", file, text.span(), "this cannot be read")]

    # ------------------------------------------------------------ labels

    def labels(self) -> tuple[dict[str, str], set[str]]:
        """What an option, or a part of one, can be called: in small letters → as written; and the parts of that."""
        model, ranges = self.program.model, self.program.ranges
        if self._labels is None:
            known = {text.casefold(): text for text in [*model.names_of, *self.game.layout.zone_texts][::-1]}
            self._labels = 0, known, {piece.strip() for text in known for piece in JOINTS.split(text)}
        done, known, pieces = self._labels
        for r in ranges[done:]:
            for text in spellings(r, model.names_of):
                if text.casefold() not in known:
                    known[text.casefold()] = text
                    pieces.update(piece.strip() for piece in JOINTS.split(text.casefold()))
        self._labels = len(ranges), known, pieces
        return known, pieces

    def unknown(self, label: str) -> tuple[bool, str | None]:
        """(whether no option of the game can have this label, what may have been meant)."""
        wanted = " ".join(label.split()).casefold().rstrip(".")
        if not wanted or wanted.isdigit():
            return not wanted, None
        known, pieces = self.labels()
        if any(wanted in text for text in known):
            return False, None
        parts = [part.strip() for part in JOINTS.split(wanted) if part.strip()]
        if parts != [wanted] and all(part.isdigit() or any(part in piece for piece in pieces) for part in parts):
            return False, None
        near = difflib.get_close_matches(wanted, known, 1)
        return True, known[near[0]] if near else None


def spellings(r: Range, names: list[str]) -> Iterator[str]:
    """The labels of one range of actions, and the canonical texts for which they stand, without what tells like things
    apart."""
    if r.kind == "text":
        yield from (str(r.data), *r.plain)
    elif r.kind == "option":
        for text in (r.data.label, *r.plain):
            if "{}" not in text:
                yield text
                continue
            for x in range(r.data.first, r.data.first + r.hi - r.lo):
                yield text.replace("{}", names[x])


# ---------------------------------------------------------------- suspension


class Halted:
    """While it lasts, a game stops when its set-up is done."""

    def __init__(self, bench: Bench) -> None:
        labels_ = bench.compiled.emitter.labels
        self.names = bench.program.globals
        self.game = bench.game
        self.block = labels_["set-up done"]
        self.key = f"b{self.block}"

    def __enter__(self) -> None:
        block = self.block
        self.starts, self.game.starts = self.game.starts, None  # what begins now halts: not to be kept
        self.doors, self.game.doors = self.game.doors, {}

        def halt(s: Any, c: int) -> int:
            s.st[-1] = block
            s.opts, s.who = (), -2
            return 1

        self.kept = self.names[self.key]
        self.names[self.key] = halt

    def __exit__(self, *_: object) -> None:
        self.names[self.key] = self.kept
        self.game.starts, self.game.doors = self.starts, self.doors


class Silent:
    """While it lasts, nothing is announced and nothing replaced, also in phrases that were compiled before."""

    def __init__(self, bench: Bench) -> None:
        self.names = bench.program.globals

    def __enter__(self) -> None:
        self.kept: dict[str, Any] = {}
        for name, value in self.names.items():
            if name.startswith(("on_", "instead_")) or name == "edges":
                self.kept[name] = value
        for name in self.kept:
            self.names[name] = (lambda *_: ()) if name.startswith("instead_") else (lambda *_: None)

    def __exit__(self, *_: object) -> None:
        self.names.update(self.kept)


def put_on(bench: Bench, s: State, statement: Statement) -> None:
    """Do a statement of `given` on a state, to its end or its first question; its own frames are dropped. To be done while
    the bench is Silent."""
    s.st[:] = [bench.halt, 0, *statement.frame]
    s.v[STEPS] = 0
    run(s, 0)


def as_given(bench: Bench, s: State, stack: list[Any]) -> None:
    """What was put on a state counts as given: nothing fires for it, nobody did it, and what has become true by it counts
    as already seen. The state stands at these frames again; who is asked what there is to be derived."""
    model = bench.program.model
    for at in model.tables.get("remembered", ()):
        s.v[at : at + model.things] = [0] * model.things
    if "edges" in bench.program.globals:
        bench.program.globals["edges"](s)
    s.pend = ()
    s.st[:] = stack


def stand_at(bench: Bench, s: State, label: str, seat: int) -> None:
    """Drop all frames; the next thing is that a step begins, with this seat active. In a phase of turns, those of the
    seats behind it follow; a phase of turns itself begins with it."""
    program, model = bench.program, bench.program.model
    turns = [phase for phase in model.round if phase.each]
    phase = next((p for p in turns if any(step.name == label[5:] for step in p.steps)), None)
    if any(p.name == label[5:] for p in turns):
        s.v[FIRST] = seat
    s.v[ACTIVE] = seat
    if model.round and not s.v[ROUND]:
        s.v[ROUND] = 1
    frame = [0] * (program.globals["DRIVER"] - 1)
    if phase is not None and turns.index(phase) < len(frame):
        frame[turns.index(phase)] = s.v[PLAYERS] - 1 - (seat - s.v[FIRST]) % s.v[PLAYERS]
    s.v[OVER] = 0
    s.st[:] = [*frame, bench.compiled.emitter.labels[label]]


# ---------------------------------------------------------------- names


def zone_of(bench: Bench, name: str) -> int | None:
    """The zone of this name, or `NAME of player N`."""
    name, _, who = name.partition(" of ")
    zone = bench.program.model.zones.get(name)
    if zone is None:
        return None
    seat = seat_number(bench, who) if who else 0
    return None if seat is None or seat >= zone.count else zone.base + seat


def step_and_player(at: str) -> tuple[str, str]:
    """`Main of player 1` → its two names; the second is "" where it is left out."""
    name, _, who = at.rpartition(" of ")
    return (name, who) if name else (who, "")


def step_label(bench: Bench, name: str) -> str | None:
    """The label of the driver's block where a step begins."""
    labels = [label for label in bench.compiled.emitter.labels if label.startswith("step:")]
    return next((label for label in labels if label[5:].casefold() == name.casefold()), None)


def seat_number(bench: Bench, who: str) -> int | None:
    """The seat of `player N`; None for other names and for seats that the game does not have."""
    found = PLAYER.fullmatch(who.strip())
    if found is None or not 1 <= int(found.group(1)) <= bench.program.model.most:
        return None
    return int(found.group(1)) - 1


def faction_thing(bench: Bench, who: str) -> int | None:
    """The thing of the faction of this name or id."""
    model = bench.program.model
    for ident in model.factions:
        record = model.records[ident]
        if who.casefold() in (ident.casefold(), record.name.casefold()) and record.ids:
            return record.ids[0]
    return None


def faction_names(bench: Bench) -> list[str]:
    model = bench.program.model
    return [f"player {n + 1}" for n in range(model.most)] + [model.records[i].name for i in model.factions]


def spoken(game: Game, value: Any, sort: str) -> str:
    """A value of a condition's side in words."""
    if isinstance(value, (tuple, list)):
        return ", ".join(spoken(game, v, sort) for v in value) or "nothing"
    if sort == "thing":
        return "nothing" if value < 0 else game.model.names_of[value]
    if sort == "zone":
        return "nowhere" if value < 0 else place(game, value, lambda x: True)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
