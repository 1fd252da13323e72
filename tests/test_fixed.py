"""fixed: in, games whose set-up decides something for good; asserted, that they play the same, and which are left alone."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from interpreter import SaveError, load_game
from interpreter.assembled import assembled
from interpreter.fixed import fixed_image
from interpreter.game import Game
from interpreter.load import load_compiled
from interpreter.program import Program

REFERENCE = sorted(path.name for path in (Path(__file__).parents[1] / "content" / "reference").iterdir())


def compiled(name: str) -> tuple[Program, Program]:
    """A game as it was compiled, and with tables."""
    loaded = load_compiled(name)
    assert loaded.compiled is not None and loaded.compiled.program is not None
    return loaded.compiled.program, assembled(*fixed_image(loaded.compiled))


@pytest.mark.parametrize("name", ["mancala", "oware", "breakthrough"])
def test_with_tables_a_game_is_the_same(name: str) -> None:
    plain, made = compiled(name)
    assert made is not plain and made.fixed and not plain.fixed
    assert any(key.startswith("FIXED") for key in made.globals)
    random = Random(3)
    for seed in range(6):
        states = [Game(program).new(2, seed=seed) for program in (plain, made)]
        while not states[0].over:
            assert states[0].actions == states[1].actions
            assert states[0].digest() == states[1].digest()
            c = random.choice(states[0].actions)
            for s in states:
                s.apply(c)
        assert states[1].over and states[0].to_json() == states[1].to_json()
        assert states[0].returns() == states[1].returns() and states[0].scores() == states[1].scores()


def test_only_what_nothing_else_writes_is_a_table() -> None:
    """In mancala whose a pit is; in breakthrough the sides of players, but not who stands on a square."""
    own = load_compiled("mancala").model.own
    assert [(at, len(kept)) for at, kept in load_game("mancala").program.fixed] == [(own, 18)]
    assert [len(kept) for _, kept in load_game("breakthrough").program.fixed] == [2]
    made = [name for name in REFERENCE if load_game(name).program.fixed]
    assert made == ["breakthrough", "mancala", "oware"]


def test_a_save_in_which_it_is_otherwise_is_refused() -> None:
    game = load_game("mancala")
    text = game.new(2, seed=1).to_json()
    data = json.loads(text)
    data["v"][game.model.own + 2] = 1
    with pytest.raises(SaveError, match="set-up"):
        game.from_json(json.dumps(data))
    assert game.from_json(text).to_json() == text


GAME = """
language: 1
name: Weirs
version: 1.0.0
description: Two keepers open the gates of their own river.
players: {players}
kinds:
  - kind: Gate
    owned: true
counters:
  - {{counter: Flood, on: Gate, most: 9}}
zones:
  - {{zone: River, holds: [Gate]}}
{more}
setup: |
  Place each Gate in the River.
  Set the owner of North Gate to player 1.
  Set the owner of {south} to player {owner}.
turn:
  - step: Open
    text: |
      Choose one:
        gain 1 Flood on a Gate of yours;
        {other}.
"""
GATES = "gates:\n  - {name: North Gate, from: original}\n  - {name: South Gate, from: original}\n"


@pytest.mark.parametrize(
    ("changed", "fixed"),
    [
        ({}, True),
        ({"players": "[2, 3]"}, False),
        ({"other": "set the owner of a Gate to you"}, False),
        ({"more": "  - {zone: Hold, of: player, holds: [Gate], seen by: owner}"}, False),
        ({"south": "a random Gate"}, False),
    ],
)
def test_games_where_it_may_be_otherwise_are_left_alone(tmp_path: Path, changed: dict[str, str], fixed: bool) -> None:
    said = {"players": "2", "more": "", "south": "South Gate", "owner": "2", "other": "end the game", **changed}
    (tmp_path / "game.yaml").write_text(GAME.format(**said))
    (tmp_path / "gates.yaml").write_text(GATES)
    loaded = load_compiled(tmp_path.as_posix())
    assert not loaded.findings and loaded.compiled is not None, loaded.findings
    made = assembled(*fixed_image(loaded.compiled))
    assert bool(made.fixed) == fixed
    if fixed:
        s = Game(made).new(2)
        assert len(s.actions) == 2 and made.fixed[0][1][-2:] == (0, 1)
