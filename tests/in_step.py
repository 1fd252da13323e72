"""in_step: a game of ours beside OpenSpiel's game of that name, with its default parameters.

In: a name, and the Meaning of our options. Out: both at the same state, or an assertion that says where they part: the
same seats to move, the same legal actions, the same chance outcomes with the same probabilities, the same end, the same
returns.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from interpreter import CHANCE, Game, State, load_game
from tests.reference_maps import Meaning

pyspiel = pytest.importorskip("pyspiel")

NAMES = sorted(path.stem for path in Path(__file__).with_name("reference_maps").glob("[!_]*.py"))


def meaning(name: str) -> Meaning:
    found: Meaning = import_module(f"tests.reference_maps.{name}").MEANING
    return found


@cache
def ours(name: str) -> Game:
    return load_game(name)


@cache
def theirs(name: str) -> Any:
    return pyspiel.load_game(name)


def begin(name: str, seed: int = 0) -> tuple[State, Any]:
    said = meaning(name)
    state = ours(name).new(players=said.players, seed=seed, log=False, chance="explicit", forced=said.forced)
    return state, theirs(name).new_initial_state()


def table(options: Any, action: Callable[[str], int]) -> dict[int, int]:
    """OpenSpiel's action → ours. Different options have to mean different actions."""
    found = {action(option.label): option.action for option in options}
    assert len(found) == len(options), "two options of ours mean one action of OpenSpiel's"
    return found


def compare(name: str, state: State, other: Any) -> dict[int, dict[int, int]]:
    """The two stand alike: the same end, or the same question. Seat (or CHANCE) → OpenSpiel's action → ours."""
    said = meaning(name)
    assert state.over == other.is_terminal()
    if state.over:
        assert state.returns() == other.returns() and state.decisions == ()
        return {}
    asked = {decision.player: decision.options for decision in state.decisions}
    if other.is_chance_node():
        assert list(asked) == [CHANCE]
        outcomes = table(asked[CHANCE], said.deal)
        mine = {said.deal(option.label): option.probability for option in asked[CHANCE]}
        assert mine == pytest.approx(dict(other.chance_outcomes()), abs=1e-12)
        return {CHANCE: outcomes}
    seats = range(other.num_players()) if other.is_simultaneous_node() else [other.current_player()]
    assert sorted(asked) == list(seats)
    found = {seat: table(asked[seat], said.act) for seat in seats}
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
