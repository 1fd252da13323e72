"""in step: in, the reference games; asserted, that random games of each go with OpenSpiel's game of that name, move for
move. CARDSCRIPT_IN_STEP=full plays the full number of games of each."""

from __future__ import annotations

import os

import pytest

from interpreter.data import list_games
from tests.in_step import NAMES, meaning, play, theirs

FULL = os.environ.get("CARDSCRIPT_IN_STEP") == "full"


def test_every_reference_game_is_compared():
    assert [game.name for game in list_games() if game.reference] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_random_games_go_in_step(name):
    said = meaning(name)
    seeds = range(said.full if FULL else said.games)
    longest = max(play(name, seed, lean) for lean in said.lean for seed in seeds)
    assert longest <= theirs(name).max_game_length() + theirs(name).max_chance_nodes_in_history()


def test_pig_comes_to_its_horizon():
    horizon = theirs("pig").max_game_length()
    assert play("pig", 0, 0.0) == horizon
    for seed in range(8):  # the last moves are rolls as often as not
        assert play("pig", seed, 0.0, until=horizon - 1 - seed) >= horizon
