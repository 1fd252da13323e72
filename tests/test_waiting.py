"""waiting triggers: in, one and several that wait; asserted, whose comes first, what is offered, and what is left."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from interpreter.emitted import first_seat, order_options, pick_trigger, take_pending, without

ACTIONS = (70, 71, 72)


def waiting(*entries: tuple[int, ...]) -> SimpleNamespace:
    return SimpleNamespace(v=[3, 1], pend=entries)


@pytest.mark.parametrize("who", [-1, 0, 1, 2])
def test_one_alone(who: int) -> None:
    s = waiting((2, who, 40, 8))
    batch = take_pending(s)
    assert batch == (4, 2, who, 40, 8) and s.pend == ()
    seat = first_seat(s, batch)
    assert seat == (1 if who < 0 else who)  # nobody's is the active player's
    assert order_options(s, batch, seat, ACTIONS) == [72]
    assert order_options(s, batch, (seat + 1) % 3, ACTIONS) == []
    entry = pick_trigger(s, batch, seat, 72, ACTIONS)
    assert entry == (2, who, 40, 8)
    assert without(batch, entry) == ()


def test_several() -> None:
    s = waiting((0, 0, 40), (1, 2, 41, 9), (2, 2, 42), (1, 2, 43, 9))
    batch = take_pending(s)
    assert first_seat(s, batch) == 2
    assert order_options(s, batch, 2, ACTIONS) == [71, 72]
    entry = pick_trigger(s, batch, 2, 71, ACTIONS)
    assert entry == (1, 2, 41, 9)
    assert without(batch, entry) == (3, 0, 0, 40, 3, 2, 2, 42, 4, 1, 2, 43, 9)


def test_none_waits_twice() -> None:
    s = waiting()
    assert take_pending(s) == ()
