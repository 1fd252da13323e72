"""laid: in, a compiled game and a record that random play does not come to; out, a table in mid-game on which it is laid
by hand: in a hand, before a player, or on a space, where what that player may choose next performs it.

The table is reached by random play; then one statement, as `given:` of a scenario has it, puts the record there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .attach import Statement
from .bench import Bench, Silent, as_given, put_on
from .diagnostics import has_errors
from .game import Game
from .load import Loaded
from .machine import derive
from .model import OVER, Model, Record
from .nodes import Scalar
from .savefile import Save
from .state import State
from .trial import LONGEST, Wanted, answer, ways

TABLES = 4  # games whose middles are looked at
LOOKED_AT = 60  # decisions of each


class Laid(NamedTuple):
    """said: the statement that laid it there. performs: whether something to be chosen now performs it."""

    game: Game
    save: Save
    state: State
    seat: int
    said: str
    performs: bool


def lay(loaded: Loaded, wanted: Wanted) -> Laid | None:
    """The record laid where it counts at once; else where its player has it; None where it can be laid nowhere."""
    bench = Bench(loaded)
    model = bench.program.model
    record = model.records[wanted.ident]
    made: dict[int, list[tuple[str, Statement]]] = {}
    for seat in range(model.most):
        for text in dict.fromkeys(placements(model, record, seat + 1)):
            statement, found = bench.statement(Scalar(text, 1, 1, 1, 1, text=text), "try", True)
            if statement is not None and not has_errors(found):
                made.setdefault(seat, []).append((text, statement))
    game = bench.game
    kept: Laid | None = None
    for number in range(TABLES):
        for save, state, seat in middles(game, wanted, number):
            for text, statement in made.get(seat, ()):
                table = given(bench, state, statement)
                if table is None or table.decision is None or table.decision.player != seat:
                    continue
                if ways(game, table, wanted.ident):
                    return Laid(game, save, table, seat, text, True)
                kept = kept or Laid(game, save, table, seat, text, False)
    return kept


def placements(model: Model, record: Record, player: int) -> Iterator[str]:
    """Statements that lay a record somewhere, the likeliest first."""
    kind = model.kinds[record.kind]
    above = {"thing", kind.name}
    parent = kind.parent
    while parent in model.kinds:
        above.add(parent)
        parent = model.kinds[parent].parent
    what = f"the first {record.name}" if len(record.ids) > 1 and not kind.each else record.name
    what += f" of player {player}" if kind.each else ""
    zones = [zone for zone in model.zones.values() if above & set(zone.holds)]
    if kind.hand in model.zones:
        zones.insert(0, model.zones[kind.hand])
    for zone in zones:
        if zone.of == "player":
            yield f"Place {what} in the {zone.name} of player {player}."
    for space in model.records.values():
        if above & set(model.kinds[space.kind].holds):
            whose = f" of player {player}" if model.kinds[space.kind].each else ""
            yield f"Place {what} on {space.name}{whose}."
    for zone in zones:
        if not zone.of and not zone.deck:
            yield f"Place {what} in the {zone.name}."


def middles(game: Game, wanted: Wanted, number: int) -> Iterator[tuple[Save, State, int]]:
    """Decisions from the middle of a random game on."""
    whole, state = wanted.begun(game, number)
    while not state.over and len(whole.decisions) < LONGEST:
        answer(whole, state)
    save, state = wanted.begun(game, number)
    seen = 0
    while len(save.decisions) < len(whole.decisions) and seen < LOOKED_AT:
        if len(save.decisions) * 2 >= len(whole.decisions) and wanted.fits(state):
            yield save, state, state.who
            seen += 1
        answer(save, state)


def given(bench: Bench, state: State, statement: Statement) -> State | None:
    """A copy of a state on which a statement was done as `given:` does it; None if it ends the game or asks."""
    s = state.clone()
    stack = s.st[:]
    with Silent(bench):
        put_on(bench, s, statement)
        if s.v[OVER] or s.opts:
            return None
    as_given(bench, s, stack)
    if s.st[-1] in bench.program.questions:
        s.who, s.opts = derive(s)
        if not s.opts:
            return None
    return s
