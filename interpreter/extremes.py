"""extremes: between which numbers an amount lies, whatever happens in the game.

In: the tree of an amount, the Model. Out: (least, most), or None where that cannot be read from what content declares:
the bounds of counters, the printed numbers of records, how many things there are.
"""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.model import Kind, Model

Span = tuple[int, int]


def extremes(node: Any, m: Model) -> Span | None:
    match node:
        case t.Num(value=value):
            return value, value
        case t.Arith(op=op, left=left, right=right):
            return joined(op, extremes(left, m), extremes(right, m))
        case t.Twice(of=of):
            return joined("times", (2, 2), extremes(of, m))
        case t.Choice(then=then, otherwise=otherwise):
            one, other = extremes(then, m), extremes(otherwise, m)
            return (min(one[0], other[0]), max(one[1], other[1])) if one and other else None
        case t.Count(of=t.Sel(head=head)) if head in m.kinds:
            return 0, m.kinds[head].hi - m.kinds[head].lo
        case t.Per(amount=amount, each=t.Sel(head=head)) if head in m.kinds:
            return joined("times", extremes(amount, m), (0, m.kinds[head].hi - m.kinds[head].lo))
        case t.Total(how="total", prop=prop, of=t.Sel(head=head)) if head in m.kinds:
            return summed(m.kinds[head], prop, m)
        case t.Sel(head=head, of=t.Ref(), place=None, filters=(), adjs=()) if head in m.counters:
            counter = m.counters[head]
            return None if counter.most is None or counter.each else (counter.least, counter.most)
    return None


def joined(op: str, left: Span | None, right: Span | None) -> Span | None:
    if left is None or right is None:
        return None
    (a, b), (c, d) = left, right
    if op == "plus":
        return a + c, b + d
    if op == "minus":
        return a - d, b - c
    if op == "times":
        ends = a * c, a * d, b * c, b * d
        return min(ends), max(ends)
    return None


def summed(kind: Kind, prop: str, m: Model) -> Span | None:
    """The sum of a printed number over any things of a kind."""
    one = kind.fields.get(prop)
    if one is None or one.settable or not one.table:
        return None
    lo = m.tables[("field lo", id(one))]
    values = [value for value in one.table[kind.lo - lo : kind.hi - lo] if isinstance(value, int)]
    return sum(value for value in values if value < 0), sum(value for value in values if value > 0)
