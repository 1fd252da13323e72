"""collector: the search for circular garbage waits while a game is compiled, and goes on after it, come what may."""

from __future__ import annotations

import gc

import pytest

from interpreter.collector import put_off


def test_it_waits_and_goes_on() -> None:
    seen: list[bool] = []

    @put_off()
    def outer() -> None:
        inner()
        seen.append(gc.isenabled())

    @put_off()
    def inner() -> None:
        seen.append(gc.isenabled())

    assert gc.isenabled()
    outer()
    assert seen == [False, False] and gc.isenabled()


def test_it_goes_on_after_a_fault_and_stays_off_where_it_was() -> None:
    with pytest.raises(KeyError), put_off():
        raise KeyError
    assert gc.isenabled()
    gc.disable()
    try:
        with put_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
