"""alike: in, positions of whole games and random lists of things; asserted, that what is left out looks like one before it."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import load_game
from interpreter.alike import alike, looks
from interpreter.state import State


def by_looks(s: State, seat: int, opts: list[int]) -> list[int]:
    """The same, said plainly."""
    m = s.prog.model
    met = set()
    kept = []
    for x in opts:
        if m.seats <= x < m.things:
            mine = looks(s, seat, x)
            if mine in met:
                continue
            met.add(mine)
        kept.append(x)
    return kept


@pytest.mark.parametrize("name", ["clandestine", "go_fish", "leduc_poker"])
def test_one_of_those_that_look_alike(name: str) -> None:
    game = load_game(name)
    m = game.model
    dice = Random(1)
    left_out = 0
    for seed in range(3):
        s = game.new(None, seed=seed, log=False)
        for _ in range(60):
            if s.over:
                break
            s.apply(dice.choice(s.actions))
            for seat in range(-1, s.v[0]):
                opts = sorted(dice.sample(range(m.things + 2), dice.randint(0, min(40, m.things))))
                said = alike(s, seat, opts)
                assert list(said) == by_looks(s, seat, opts)
                left_out += len(opts) - len(said)
    assert left_out > 0
