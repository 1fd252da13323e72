"""random: in, seeds that follow one another; asserted, that what a game draws and what a playout answers is well mixed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter import load_game
from interpreter.machine import stream
from interpreter.mutations import MASK, rnd

N = 9  # of how many one is drawn
GAMES = 20_000
LIMIT = 80 + 6 * 160**0.5  # chi-squared of 81 pairs, six standard deviations above its mean


def chi_squared(pairs: list[tuple[int, int]]) -> float:
    found = Counter(pairs)
    expected = len(pairs) / N**2
    return sum((found[a, b] - expected) ** 2 / expected for a in range(N) for b in range(N))


def drawn(seed: int, count: int) -> list[int]:
    s: Any = SimpleNamespace(rng=seed & MASK, drawn=None)
    return [rnd(s, N) for _ in range(count)]


def answered(seed: int, count: int, n: int = N) -> list[int]:
    """Which of n the first answers of a playout are, by its own arithmetic."""
    x, found = stream(seed), []
    for _ in range(count):
        found.append(x * n >> 64)
        x = (x * 6364136223846793005 + 1442695040888963407) & MASK
    return found


def test_a_game_draws_the_high_bits_of_splitmix64() -> None:
    """The first numbers that the generator's published program prints for this seed."""
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431)
    s: Any = SimpleNamespace(rng=1234567, drawn=None)
    assert [rnd(s, 1 << 31) for _ in published] == [number >> 33 for number in published]


@pytest.mark.parametrize("stream_of", [drawn, answered], ids=["the game", "a playout"])
@pytest.mark.parametrize("apart", [1, 2, 1 << 32])
def test_seeds_that_follow_one_another_are_unrelated(stream_of: Any, apart: int) -> None:
    every = [stream_of(k * apart, 3) for k in range(GAMES)]
    for place in range(3):
        assert chi_squared([(one[place], other[place]) for one, other in pairwise(every)]) < LIMIT
        assert chi_squared([(one[place], one[(place + 1) % 3]) for one in every]) < LIMIT


def test_a_game_and_its_playout_of_the_same_seed_are_unrelated() -> None:
    for draw in range(2):
        for answer in range(2):
            pairs = [(drawn(k, 2)[draw], answered(k, 2)[answer]) for k in range(GAMES)]
            assert chi_squared(pairs) < LIMIT


def test_the_test_can_fail() -> None:
    assert chi_squared([(k % N, k % N) for k in range(GAMES)]) > LIMIT
    assert chi_squared([(k % N, (k + 1) % N) for k in range(GAMES)]) > LIMIT


@pytest.mark.parametrize("log", [True, False])
def test_a_playout_answers_so(log: bool) -> None:
    game = load_game("tic_tac_toe")
    for seed in [*range(40), -1, -5, 1 << 70]:
        s, t = (game.new(2, seed=seed, log=log) for _ in range(2))
        for answer in range(s.playout(seed)):
            n = len(t.actions)
            t.apply(t.actions[answered(seed, answer + 1, n)[-1]])
        assert t.over and t.digest() == s.digest()
