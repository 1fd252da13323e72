"""new: in, what may be said of a new game, and what may not; asserted, the game that begins, and the words of refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load_game

GAME = """
language: 1
name: Options
version: 1.0.0
description: A size, and whether it is long.
players: [2, 3]
counters:
  - {counter: Size, plural: Sizes, on: game, most: 9}
  - {counter: Long, plural: Longs, on: game, most: 9}
options:
  size: {values: [3, 1, 2], default: 3, counter: Size}
  long: {values: [true, false], default: false, counter: Long}
turn:
  - step: Act
    text: |
      Choose one: gain 1 Size; or end the game.
"""


class Two:
    """As numpy's ints are."""

    def __index__(self) -> int:
        return 2


@pytest.fixture
def game(tmp_path: Path) -> Game:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    return load_game(tmp_path)


def size(game: Game, **more: Any) -> int:
    s = game.new(2, seed=1, **more)
    cell = game.model.tables["options"]["size"]
    return s.v[cell]


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        ({"players": 2.0}, "a number or a list of faction ids"),
        ({"players": True}, "a number or a list of faction ids"),
        ({"players": "ab"}, "a number or a list of faction ids"),
        ({"players": {2}}, "a number or a list of faction ids"),
        ({"players": 4}, "for 2 to 3 players, not 4"),
        ({"players": [[1], [2]]}, "no faction"),
        ({"options": {"size": 3.0}}, "one of .*, not 3.0"),
        ({"options": {"size": True}}, "one of .*, not True"),
        ({"options": {"size": [3]}}, r"one of .*, not \[3\]"),
        ({"options": {"long": 1}}, "one of .*, not 1"),
        ({"options": {"wide": 1}}, "no option 'wide'"),
        ({"options": [1]}, "values by name"),
        ({"chance": ["seeded"]}, "chance is"),
        ({"forced": None}, "forced is"),
    ],
)
def test_what_a_game_does_not_allow(game: Game, refused: dict[str, Any], words: str) -> None:
    for log in (True, False):
        for _ in range(2):
            with pytest.raises(ValueError, match=words):
                game.new(seed=1, log=log, **refused)
        assert (size(game, log=log), size(game, log=log, options={"size": 1})) == (3, 1)
        assert size(game, log=log, options={"size": 3, "long": True}) == 3


@pytest.mark.parametrize("log", [True, False, [], "yes"])
def test_ints_of_other_kinds_are_ints(game: Game, log: Any) -> None:
    for seed in (2, Two()):
        s = game.new(Two(), seed=seed, log=log)  # type: ignore[arg-type]
        t = game.new(2, seed=2, log=bool(log))
        assert s.to_json() == t.to_json()
        assert s.playout(Two()) == t.playout(2)  # type: ignore[arg-type]
        assert s.digest() == t.digest()


@pytest.mark.parametrize("seed", [1.5, "a", None])
@pytest.mark.parametrize(
    "use", [lambda g, seed: g.new(2, seed=seed, log=False), lambda g, seed: g.new(2, log=False).playout(seed)]
)
def test_a_seed_is_an_int(game: Game, seed: Any, use: Callable[[Game, Any], object]) -> None:
    for _ in range(3):
        game.new(2, log=False)
        with pytest.raises(TypeError, match="integer"):
            use(game, seed)
