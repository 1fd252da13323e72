"""remembering: in, positions in turn; asserted, that a repeated one is told, and only that."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter import load_game
from interpreter.compile.program import told
from interpreter.load import load_compiled
from interpreter.model import ACTIVE, FIRST, FIXED_CELLS, POSITION_LISTS
from interpreter.mutations import remembering
from interpreter.save import LARGEST

CELLS = FIXED_CELLS + 12
REPEATED = CELLS - 1
VALUES = {
    "small": (0, 1, 2, 48),
    "below nothing": (-1, 0, 1),
    "large": (0, 1, 127, 128, 255, 256, 10**6, -(10**6)),
    "more than a byte holds, or the same in two": (0, 1, 44, 300),
}


@pytest.mark.parametrize("places", [0, 3])
@pytest.mark.parametrize("name", VALUES)
def test_a_repeated_position_is_told(name: str, places: int) -> None:
    dice = random.Random(name)
    start = [dice.choice(VALUES[name]) for _ in range(CELLS)]
    first, after, rest = FIXED_CELLS, FIXED_CELLS + 4, FIXED_CELLS + 6
    lists = 4
    remember = remembering((lists, places, first, after, rest, REPEATED), start)
    s: Any = SimpleNamespace(v=start[:], z=[(), (4,), (), (), *([()] * POSITION_LISTS), ()])
    before: set[Any] = set()
    for turn in range(600):
        s.v[ACTIVE], s.v[FIRST] = turn % 2, dice.randrange(-1, 2)
        s.v[dice.choice([*range(first, after), *range(rest, REPEATED)])] = dice.choice(VALUES[name])
        s.v[dice.randrange(after, rest)] = turn  # which says nothing of the position
        if dice.random() < 0.3:
            s.z[1], s.z[2] = s.z[2], s.z[1]
        told_apart = (*s.v[first:after], *s.v[rest:REPEATED], s.v[ACTIVE], s.v[FIRST], *(s.z[:places]))
        s.v[REPEATED] = dice.randrange(2)
        remember(s)
        assert s.v[REPEATED] == (told_apart in before)
        before.add(told_apart)
        kept = [key for row in s.z[lists:] for key in row]
        assert len(set(kept)) == len(kept) == len(before) and s.z[-1] == ()
        assert all(0 <= key <= LARGEST for key in kept)
    assert 1 < len(before) < 601
    assert max(map(len, s.z)) <= max(12, len(before) // 8)


def test_two_positions_are_not_one_because_a_number_takes_two_bytes() -> None:
    start = [0] * CELLS
    remember = remembering((0, 0, FIXED_CELLS, FIXED_CELLS, FIXED_CELLS, REPEATED), start)
    s: Any = SimpleNamespace(v=start[:], z=[()] * (POSITION_LISTS + 1))
    for cells in ((300, 0), (44, 1), (0, 300), (1, 0), (0, 1)):
        s.v[FIXED_CELLS : FIXED_CELLS + 2] = cells
        remember(s)
        assert s.v[REPEATED] == 0


def test_the_same_positions_met_in_another_order_are_the_same_state() -> None:
    start = [0] * CELLS
    remember = remembering((0, 0, FIXED_CELLS, FIXED_CELLS, FIXED_CELLS, REPEATED), start)
    dice = random.Random(1)
    met = list(range(200))
    found = []
    for _ in range(3):
        s: Any = SimpleNamespace(v=start[:], z=[()] * (POSITION_LISTS + 1))
        for number in met:
            s.v[FIXED_CELLS] = number
            remember(s)
        found.append(s.z)
        dice.shuffle(met)
    assert found[0] == found[1] == found[2] and max(map(len, found[0])) > 1


def test_a_game_that_remembers_has_lists_behind_its_places_and_an_empty_one_at_the_end() -> None:
    for name, more in (("oware", POSITION_LISTS + 1), ("mancala", 0)):
        game = load_game(name)
        count = game.model.zone_count
        assert sorted(at for at in game.program.lists if at >= count) == [*range(count, count + max(more - 1, 0))]
        s = game.new(seed=3)
        while not s.over:
            s.apply(s.actions[0])
        assert len(s.z) == count + more and s.z[-1] == ()
        assert game.from_json(s.to_json()).z == s.z
        assert any(s.z[count:]) == bool(more)


def test_what_is_looked_at() -> None:
    """In oware nothing moves, and whose a house is its set-up alone says; where things move, all cells count but who plays
    what; other games remember nothing."""
    oware = load_compiled("oware")
    assert oware.compiled is not None
    m = oware.model
    last = m.tables["repeated"]
    end = m.faction_cell + m.most
    assert told(oware.compiled) == (m.zone_count, 0, m.result, m.result, end, last)
    garden = load_compiled("tests/rules/games/garden")
    assert garden.compiled is not None
    _, places, first, after, rest, _ = told(garden.compiled)
    m = garden.model
    assert (places, first, after, rest) == (m.tables["history"], FIXED_CELLS, m.result, m.faction_cell + m.most)
    assert "remember" not in load_game("mancala").program.globals
