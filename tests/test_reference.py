"""reference: in, the small known games under content/reference; asserted, that each is OpenSpiel's game of that name.

The two are played in step, with OpenSpiel's default parameters: the same seats to move, the same legal actions, the
same chance outcomes with the same probabilities, the same end, the same returns. An action of ours is one of
OpenSpiel's by a pure function of its label, written here before anything is played.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from interpreter import CHANCE, Game, State, load_game
from interpreter.data import list_games

pyspiel = pytest.importorskip("pyspiel")

RANKS = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King"]


@dataclass(frozen=True)
class Reference:
    """act, deal: a label of a player's and of a chance option → OpenSpiel's action. forced: "ask" where OpenSpiel asks
    for the only move there is, "take" where it makes it. lean: chances to take the first option, one for each run of
    games; None: all options alike."""

    act: Callable[[str], int]
    deal: Callable[[str], int] = int
    forced: str = "ask"
    games: int = 40
    lean: tuple[float | None, ...] = (None,)


def cell(label: str) -> int:
    """`B3` is the second column of the third row."""
    return "ABC".index(label[0]) + 3 * "123".index(label[1:])


REFERENCES = {
    "tic_tac_toe": Reference(cell),
    "kuhn_poker": Reference(["Pass", "Bet"].index, ["Jack", "Queen", "King"].index),
    # Who never rolls comes to the horizon; who hardly ever stops wins rarely, in long turns.
    "pig": Reference(["Roll", "Stop"].index, lambda label: int(label) - 1, games=12, lean=(None, 0.0, 0.02, 0.8, 0.97)),
    "goofspiel": Reference(RANKS.index, lambda label: RANKS.index(label.removesuffix(" of Diamonds")), forced="take"),
}


@cache
def ours(name: str) -> Game:
    return load_game(name)


@cache
def theirs(name: str) -> Any:
    return pyspiel.load_game(name)


def begin(name: str, seed: int = 0) -> tuple[State, Any]:
    state = ours(name).new(seed=seed, chance="explicit", forced=REFERENCES[name].forced)
    return state, theirs(name).new_initial_state()


def table(options: Any, meaning: Callable[[str], int]) -> dict[int, int]:
    """OpenSpiel's action → ours. Different options have to mean different actions."""
    found = {meaning(option.label): option.action for option in options}
    assert len(found) == len(options), "two options of ours mean one action of OpenSpiel's"
    return found


def compare(name: str, state: State, other: Any) -> dict[int, dict[int, int]]:
    """The two stand alike: the same end, or the same question. Seat (or CHANCE) → OpenSpiel's action → ours."""
    reference = REFERENCES[name]
    assert state.over == other.is_terminal()
    if state.over:
        assert state.returns() == other.returns() and state.decisions == ()
        return {}
    asked = {decision.player: decision.options for decision in state.decisions}
    if other.is_chance_node():
        assert list(asked) == [CHANCE]
        outcomes = table(asked[CHANCE], reference.deal)
        mine = {reference.deal(option.label): option.probability for option in asked[CHANCE]}
        assert mine == pytest.approx(dict(other.chance_outcomes()), abs=1e-12)
        return {CHANCE: outcomes}
    seats = range(other.num_players()) if other.is_simultaneous_node() else [other.current_player()]
    assert sorted(asked) == list(seats)
    found = {seat: table(asked[seat], reference.act) for seat in seats}
    for seat, actions in found.items():
        assert sorted(actions) == other.legal_actions(seat)
    return found


def step(state: State, other: Any, found: dict[int, dict[int, int]], chosen: dict[int, int]) -> None:
    """Both go on, with one of OpenSpiel's actions for each seat asked."""
    for seat, action in chosen.items():
        state.apply(found[seat][action], seat=seat)
    if other.is_simultaneous_node():
        other.apply_actions([chosen[seat] for seat in range(other.num_players())])
    else:
        (action,) = chosen.values()
        other.apply_action(action)


def play(name: str, seed: int, lean: float | None, until: int = 100_000) -> int:
    """One random game in step; how many questions it had. From question `until` on, all options are alike."""
    dice = random.Random(f"{name} {seed} {lean}")
    state, other = begin(name, seed)
    count = 0
    while found := compare(name, state, other):
        count += 1
        chosen = {}
        for seat in dice.sample(list(found), len(found)):  # who choose at once answer in any order
            actions = sorted(found[seat])
            plain = seat == CHANCE or lean is None or count > until
            chosen[seat] = dice.choice(actions) if plain else actions[0 if dice.random() < lean else -1]
        step(state, other, found, chosen)
    return count


def test_every_reference_game_is_compared():
    assert {game.name for game in list_games() if game.reference} == set(REFERENCES)


@pytest.mark.parametrize("name", REFERENCES)
def test_random_games_go_in_step(name):
    reference = REFERENCES[name]
    longest = max(play(name, seed, lean) for lean in reference.lean for seed in range(reference.games))
    assert longest <= theirs(name).max_game_length() * (2 if theirs(name).max_chance_outcomes() else 1)


def test_pig_comes_to_its_horizon():
    horizon = theirs("pig").max_game_length()
    assert play("pig", 0, 0.0) == horizon
    for seed in range(8):  # the last moves are rolls as often as not
        assert play("pig", seed, 0.0, until=horizon - 1 - seed) >= horizon


def test_the_whole_tree_of_tic_tac_toe():
    """States that both games take for one and the same are gone through once and counted as often as they come up."""
    done: dict[tuple[str, str], tuple[int, int]] = {}

    def tree(state: State, other: Any) -> tuple[int, int]:
        """Positions, ends: counted by the ways in which they are reached."""
        key = state.digest(), str(other)
        if key not in done:
            positions, ends = 1, int(state.over)
            for action, mine in (
                compare("tic_tac_toe", state, other).get(0 if state.over else state.decision.player, {}).items()
            ):
                after = state.clone()
                after.apply(mine)
                more = tree(after, other.child(action))
                positions, ends = positions + more[0], ends + more[1]
            done[key] = positions, ends
        return done[key]

    assert tree(*begin("tic_tac_toe")) == (549_946, 255_168)
    assert len(done) == 5_478


def test_the_whole_tree_of_kuhn_poker():
    counts = {"chance": 0, "decision": 0, "end": 0}
    value = [0.0, 0.0]

    def tree(state: State, other: Any, share: float) -> None:
        found = compare("kuhn_poker", state, other)
        if not found:
            counts["end"] += 1
            for seat, won in enumerate(state.returns()):
                value[seat] += share * won
            return
        ((seat, actions),) = found.items()
        counts["chance" if seat == CHANCE else "decision"] += 1
        for action, mine in actions.items():
            after = state.clone()
            after.apply(mine)
            tree(after, other.child(action), share / len(actions))

    tree(*begin("kuhn_poker"), 1.0)
    assert counts == {"chance": 4, "decision": 24, "end": 30}
    assert value == pytest.approx([1 / 8, -1 / 8])  # who plays uniformly wins this for player 1
