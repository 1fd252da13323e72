"""amounts: an expression tree → typed Code (numbers, things, places). `bind` is the one entry; BINDERS its table.

Findings go to the scope's builder; a faulty expression still gives some Code, so that all faults of a text are found.
"""

from __future__ import annotations

from interpreter.amounts.counters import bearer, counter_read, member_counter
from interpreter.amounts.fields import each_value, read_each, read_field
from interpreter.amounts.nouns import whose
from interpreter.amounts.numbers import (
    amount_like,
    amount_of_member,
    argument,
    bind,
    common_kind,
    compare_py,
    number,
    one_thing,
    steps_table,
    words_of,
)
from interpreter.amounts.places import place_of_this, read_place

__all__ = [
    "amount_like",
    "amount_of_member",
    "argument",
    "bearer",
    "bind",
    "common_kind",
    "compare_py",
    "counter_read",
    "each_value",
    "member_counter",
    "number",
    "one_thing",
    "place_of_this",
    "read_each",
    "read_field",
    "read_place",
    "steps_table",
    "whose",
    "words_of",
]
