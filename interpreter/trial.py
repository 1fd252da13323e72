"""trial: in, a game and a record; out, a table in the middle of a game, reached by random play, where it is about to count.

Random games are played one after another, each by its seed. A place is a decision whose answer performs a text of the
record: the card is in hand, or its trigger is about to happen. The one nearest to the middle of its game is taken. Where
no text of it is ever performed, it is a decision of a player who has it. The same arguments give the same table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .bots import at_random, stream_of
from .game import Game
from .labels import thing_of
from .savefile import Save, begin, replay
from .state import State
from .view import phase
from .watch import Watch

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


class Wanted(NamedTuple):
    """What is to be tried, and in which games. name, mods: as the game was named when it was loaded. ident: of the
    record. step: only in that step of the turn."""

    name: str
    ident: str
    players: int | list[str]
    seed: int = 0
    mods: tuple[str, ...] = ()
    options: dict[str, Any] | None = None
    step: str = ""

    def begun(self, game: Game, number: int) -> tuple[Save, State]:
        """The game of this number at its beginning. Raises ValueError for players that the game does not allow."""
        return begin(game, self.name, self.players, self.seed + number, self.mods, self.options)

    def fits(self, state: State) -> bool:
        return not self.step or phase(state).casefold() == self.step.casefold()


def find_place(game: Game, wanted: Wanted) -> Place | None:
    """The place to try a record in, None if no game comes to one. Raises ValueError as Wanted.begun does."""
    best: Place | None = None
    for number in range(GAMES):
        found = in_game(game, wanted, number)
        if found is not None and (best is None or better(found, best)):
            best = found
        if best is not None and best.performs:
            if 0.5 - best.off >= MIDDLE[0] or number + 1 >= ENOUGH:
                break
    return best


def better(one: Place, other: Place) -> bool:
    return (one.performs, -one.off) > (other.performs, -other.off)


def in_game(game: Game, wanted: Wanted, number: int) -> Place | None:
    """The best place of one game."""
    save, state = wanted.begun(game, number)
    chosen: list[tuple[int, int]] = []  # places where the answer is the thing itself
    performed: list[tuple[int, int]] = []
    held: list[tuple[int, int]] = []
    ids = game.model.records[wanted.ident].ids
    with Watch(game, {wanted.ident}, once=False) as watch:
        while not state.over and len(save.decisions) < LONGEST:
            at, seat, fits = len(save.decisions), state.who, wanted.fits(state)
            if fits and any(state.v[game.model.own + x] == seat or holder(game, state, x) == seat for x in ids):
                held.append((at, seat))
            watch.performed.clear()
            action = answer(save, state)
            if fits and watch.performed:
                (chosen if thing_of(game, action) in ids else performed).append((at, seat))
    places = chosen or performed or held
    if not places:
        return None
    length = len(save.decisions)
    at, seat = min(places, key=lambda place: abs(place[0] / length - 0.5))
    del save.decisions[at:]
    return Place(save, seat, bool(chosen or performed), abs(at / length - 0.5), number + 1)


def answer(save: Save, state: State) -> int:
    """Answer the open decision at random, as a bot of the save's game would; the action, which the save keeps."""
    decision = state.decision
    assert decision is not None
    action = at_random(state, decision, stream_of(save.seed, decision.player, len(save.decisions)))
    save.decisions.append((decision.player, action))
    state.apply(action, seat=decision.player)
    return action


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
        with Watch(game, {ident}) as watch:
            trial = state.clone(log=False)
            trial.apply(option.action, seat=decision.player if decision is not None else None)
            if watch.performed:
                (itself if thing_of(game, option.action) in ids else out).append(option.action)
    return itself or out
