"""settled: an act whose object lies in an indefinite place, or belongs to somebody indefinite → the same act after that
place or person has been chosen: `remove all Guards on a Tower`, `discard 2 cards in the Hand of an opponent`.

One thing to be chosen anywhere (`a Guard on a Tower`) needs no such choice: it is chosen among all of them at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.bound import Code
from interpreter.facts import kind_of_head
from interpreter.scope import Scope


def settled(node: t.Act, sc: Scope, who: Code) -> t.Act:
    """The act with every place of its roles known; choices are made by who."""
    roles = tuple((role, value if isinstance(value, str) else known(value, sc, who)) for role, value in node.roles)
    return node if all(a is b for (_, a), (_, b) in zip(roles, node.roles)) else replace(node, roles=roles)


def known(value: Any, sc: Scope, who: Code) -> Any:
    if isinstance(value, t.Equal):
        what = known(value.what, sc, who)
        return value if what is value.what else replace(value, what=what)
    if isinstance(value, t.Join) and value.op == "and":
        parts = tuple(known(part, sc, who) for part in value.parts)
        return value if all(a is b for a, b in zip(parts, value.parts)) else replace(value, parts=parts)
    if not isinstance(value, t.Sel) or not wants_one_place(value, sc):
        return value
    return chosen_place(value, sc, who)


def wants_one_place(sel: t.Sel, sc: Scope) -> bool:
    """Several things, an amount, or somebody's place: all is meant to be in one place. `The Scout of another player` is
    one thing, once it is known whose."""
    whose = sel.of if sel.quant == "the" else None
    if isinstance(whose, t.Sel) and whose.quant in ("a", "another", "one of") and kind_of_head(sc, whose.head):
        return True
    if (
        sel.head in sc.b.model.counters
        or (sel.head in sc.b.model.zones and sel.of is not None)
        or sel.at_random
        or "random" in sel.adjs
    ):
        return True
    if sel.quant in ("each", "a", "another", "one of", "no") or kind_of_head(sc, sel.head) is None:
        return False
    single = sel.quant == "exactly" and isinstance(sel.count, t.Num) and sel.count.value == 1
    return not single


def chosen_place(sel: t.Sel, sc: Scope, who: Code) -> t.Sel:
    """The selection with the indefinite noun of its place or owner replaced by what is chosen for it."""
    if sel.place is not None:
        where = place_or_owner(sel.place.where, sc, who)
        if where is not sel.place.where:
            sel = replace(sel, place=replace(sel.place, where=where))
    if sel.of is not None:
        of = place_or_owner(sel.of, sc, who)
        if of is not sel.of:
            sel = replace(sel, of=of)
    return sel


def place_or_owner(node: Any, sc: Scope, who: Code) -> Any:
    from interpreter.statements import choose

    if not isinstance(node, t.Sel):
        return node
    if node.quant in ("a", "another", "one of") and node.count is None and kind_of_head(sc, node.head) is not None:
        name = f"chosen at {node.at[0]}"
        sc.locals[name] = choose(node, sc, who)
        return t.Local(name, at=node.at)
    return chosen_place(node, sc, who)
