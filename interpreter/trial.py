"""trial: in, a game and a record; out, a table in the middle of a game, reached by random play, where it is about to count.

Random games are played one after another, each by its seed. A place is a decision whose answer performs a text of the
record: the card is in hand, or its trigger is about to happen. The one nearest to the middle of its game is taken. Where
no text of it is ever performed, it is a decision of a player who has it. The same arguments give the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .bots import stream_of
from .game import Game
from .labels import thing_of
from .savefile import Save, begin, replay
from .state import State
from .view import phase

GAMES = 12  # tried before it is given up
ENOUGH = 6  # games looked at once a place is found that is not in the middle of its game
LONGEST = 20_000  # decisions of one game that are looked at
MIDDLE = (0.15, 0.85)


class Place(NamedTuple):
    """How far the game of a save goes before it. performs: the answer performs a text; else the seat only has it. off:
    how far from the middle of its game."""

    save: Save
    seat: int
    performs: bool
    off: float
    games: int


def find_place(
    game: Game,
    name: str,
    ident: str,
    players: int | list[str],
    seed: int = 0,
    mods: tuple[str, ...] = (),
    options: dict[str, Any] | None = None,
    step: str = "",
) -> Place | None:
    """The place to try a record in, None if no game comes to one. step: only in that step."""
    best: Place | None = None
    for number in range(GAMES):
        save, state = begin(game, name, players, seed + number, mods, options)
        found = in_game(game, save, state, ident, step.casefold(), number + 1)
        if found is not None and (best is None or better(found, best)):
            best = found
        if best is not None and best.performs:
            if 0.5 - best.off >= MIDDLE[0] or number + 1 >= ENOUGH:
                break
    return best


def better(one: Place, other: Place) -> bool:
    return (one.performs, -one.off) > (other.performs, -other.off)


def in_game(game: Game, save: Save, state: State, ident: str, step: str, number: int) -> Place | None:
    """The best place of one game."""
    chosen: list[tuple[int, int]] = []  # places where the answer is the thing itself
    performed: list[tuple[int, int]] = []
    held: list[tuple[int, int]] = []
    made: list[tuple[int, int]] = []
    ids = game.model.records[ident].ids
    with watched(game, ident) as seen:
        while not state.over and len(made) < LONGEST:
            decision = state.decision
            assert decision is not None
            seat = decision.player
            fits = not step or phase(state).casefold() == step
            if fits and any(state.v[game.model.own + x] == seat or holder(game, state, x) == seat for x in ids):
                held.append((len(made), seat))
            stream = stream_of(save.seed, seat, len(made))
            option = decision.options[int(stream.random() * len(decision.options))]
            itself = thing_of(game, option.action) in ids
            seen.clear()
            state.apply(option.action, seat=seat)
            if fits and seen:
                (chosen if itself else performed).append((len(made), seat))
            made.append((seat, option.action))
    places = chosen or performed or held
    if not places:
        return None
    at, seat = min(places, key=lambda place: abs(place[0] / len(made) - 0.5))
    save.decisions = made[:at]
    save.digests = save.digests[:1]
    return Place(save, seat, bool(chosen or performed), abs(at / len(made) - 0.5), number)


def holder(game: Game, state: State, x: int) -> int:
    """The seat in whose zone a thing lies, else -1."""
    zone = state.v[game.model.loc + x]
    owner = game.model.zone_owner[zone] if 0 <= zone < len(game.model.zone_owner) else -1
    return owner if owner >= 0 else -1


def state_of(place: Place, game: Game) -> State:
    return replay(place.save, game)


def ways(game: Game, state: State, ident: str) -> list[int]:
    """The actions of the open decision that perform a text of a record: those that are the thing itself, if any is."""
    decision = state.decision
    ids = game.model.records[ident].ids
    itself: list[int] = []
    out: list[int] = []
    for option in decision.options if decision is not None else ():
        with watched(game, ident) as seen:
            trial = state.clone(log=False)
            trial.apply(option.action, seat=decision.player if decision is not None else None)
            if seen:
                (itself if thing_of(game, option.action) in ids else out).append(option.action)
    return itself or out


@contextmanager
def watched(game: Game, ident: str) -> Iterator[set[int]]:
    """A set that blocks of a record's texts add themselves to when they run."""
    program = game.program
    seen: set[int] = set()
    kept: dict[int, Callable[[Any, int], int]] = {}

    def put(number: int, block: Callable[[Any, int], int]) -> None:
        program.blocks[number] = block
        if f"b{number}" in program.globals:
            program.globals[f"b{number}"] = block

    def watch(number: int, original: Callable[[Any, int], int]) -> Callable[[Any, int], int]:
        def noted(s: Any, c: int) -> int:
            seen.add(number)
            return original(s, c)

        return noted

    for number, origin in enumerate(program.origins):
        if origin == ident and number < len(program.blocks):
            kept[number] = program.blocks[number]
            put(number, watch(number, kept[number]))
    try:
        yield seen
    finally:
        for number, block in kept.items():
            put(number, block)
