"""members: a counter with one number for each thing of a kind (Coins of each Metal), where a text does not say which.

The member is the holder's own (a Mint's Metal), or every one (`all Coins`), or chosen one by one among those that are
there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import tree as t
from interpreter.bound import NUMBER, Ask, Assign, Branch, Code, Loop, Stm, thing
from interpreter.model import ACTIVE, Counter
from interpreter.number import span
from interpreter.scope import Scope, counter_cell, is_a

Deed = Callable[[Scope, t.Local, str, str], None]  # (scope, the member as a local, amount, variable for what was moved)


def index_of(sc: Scope, counter: Counter, holder: Code) -> str:
    """The kind by whose things a counter is told apart on a holder; '' if it is not."""
    if holder.type.kind == "game":
        return counter.each.get("game", "")
    return next((i for h, i in counter.each.items() if is_a(sc.b.model, holder.type.kind, h)), "")


def own_member(sc: Scope, counter: Counter, holder: Code) -> str:
    """Python for the one thing of the index that belongs to a holder: its field of that kind; '' if it has none."""
    from interpreter.facts import field_py

    model = sc.b.model
    kind = model.kinds.get(holder.type.kind)
    index = index_of(sc, counter, holder)
    for f in kind.fields.values() if kind is not None and index != "player" else ():
        if f.type == "thing" and f.kind == index:
            return field_py(sc, f, holder.py)
    return ""


def spread(
    sc: Scope,
    node: Any,
    name: str,
    one: Code,
    amount: str,
    sign: int,
    deed: Deed,
    kept: str,
    where: tuple[str, str, int],
) -> None:
    """Do something to a counter on one holder, for each of its members that has to be touched."""
    counter = sc.b.model.counters[name]
    index = index_of(sc, counter, one)
    mine = own_member(sc, counter, one)
    member = sc.fresh(thing(index))
    inner = sc.inner(out=[])
    inner.locals["member of it"] = Code(member, thing(index), sure=True)
    local = t.Local("member of it", at=node.at)
    if mine:
        deed(inner, local, amount, kept)
        sc.out += [Assign(member, mine), Branch(f"{member} >= 0", inner.out)]
        return
    lo, hi = span(sc.b.model, index)
    over = "range(v[0])" if index == "player" else f"range({lo}, {hi})"
    cell = counter_cell(sc.b, counter, one.type.kind, one.py, "i")
    there = f"[i for i in {over} if v[{cell}] > {counter.least}]" if sign < 0 else f"list({over})"
    left, moved, batch = sc.fresh(NUMBER), sc.fresh(NUMBER), sc.fresh(NUMBER)
    all_of_it = amount == "v[k]"
    deed(inner, local, amount if all_of_it else batch, moved)
    after: list[Stm] = [Assign(kept, f"{kept} + {moved}")] if kept else []
    who = sc.you.py if sc.you is not None else f"v[{ACTIVE}]"
    ask = Ask(member, who, [f"o = {there}"], f"Choose which {name}", "thing", where)
    taken = [Assign(moved, "0"), *inner.out, *after]
    count = "999" if all_of_it else amount
    body: list[Stm] = [
        Assign(batch, f"({left} if len({there}) < 2 else 1)"),  # where one is left, all of the rest is of it
        Assign(left, f"{left} - {batch}"),
        ask,
        Branch(f"{member} >= 0", taken, [Assign(left, "0")]),
    ]
    if all_of_it:
        body = [Assign(left, f"{left} - 1"), Assign(member, f"one({there})"), body[3]]
    sc.out += [*([Assign(kept, "0")] if kept else []), Assign(left, f"max(0, {count})"), Loop(f"{left} > 0", body)]
