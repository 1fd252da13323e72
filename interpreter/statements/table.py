"""table: STATEMENTS, one function for each node of a statement.

In: a statement tree. Out: code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import tree as t
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Loop,
    Run,
)
from interpreter.possible import possible
from interpreter.scope import Scope
from interpreter.statements.branches import (
    bind_for_each,
    bind_if,
    bind_let,
    bind_let_either,
    bind_repeat,
    bind_seq,
    merge,
)
from interpreter.statements.options import bind_choose_one, bind_turns, bind_window
from interpreter.statements.sentences import bind_text, statement


def bind_cost(node: t.Cost, sc: Scope) -> None:
    test = possible(node.pay, sc.inner(pure=True))

    def pay(inner: Scope) -> None:
        statement(node.pay, inner)
        bind_text(node.effect, inner)

    inner = sc.inner(out=[])
    pay(inner)
    if test == "True":
        sc.out += inner.out
    else:
        sc.out.append(Branch(test, inner.out))
    merge(sc, node, inner)


def bind_limit(node: t.Limit, sc: Scope) -> None:
    """`Once per turn, …`: a cell that the boundary clears, one for each source thing. Where a text grants more of the
    same, the sentence goes on as long as there is some left."""
    this = sc.this
    kind = sc.b.model.kinds.get(this.type.kind) if this is not None else None
    whole = range(sc.b.model.things) if this is not None else ()
    cell = sc.b.cells_by(range(kind.lo, kind.hi) if kind is not None else whole, node.per)
    at = f"{cell}+{this.py}" if this is not None else str(cell)
    inner = sc.inner(out=[])
    bind_text(node.body, inner)
    grant = next((found for s in node.body.sentences if (found := granted(sc, s, node.per))), None)
    if grant is None or inner.did == sc.did:
        sc.out.append(Branch(f"v[{at}] == 0", [Run([f"v[{at}] = 1"]), *inner.out]))
        return
    go = sc.fresh(NUMBER)
    more = Branch(f"{inner.did} > 0", [Run([f"v[{at}] += 1"]), Assign(go, "1")])
    sc.out += [
        Assign(go, "1"),
        Loop(f"{go} == 1 and v[{at}] < 1 + v[{grant}]", [Assign(go, "0"), *inner.out, more]),
    ]


def grants_more(node: Any) -> bool:
    """`You may play an additional Charm this turn.`"""
    what = dict(node.roles).get("what") if isinstance(node, t.Act) else None
    return isinstance(what, t.Sel) and "additional" in what.adjs and node.modal == "may" and node.during is not None


def grant_of(b: Any, node: t.Act) -> int:
    """The cell, one for each player, that holds how many more there may be until the boundary."""
    assert node.during is not None
    per = node.during.what.head if isinstance(node.during.what, t.Sel) else "turn"
    key = (node.verb, dict(node.roles)["what"].head, per)
    if key not in b.grants:
        b.grants[key] = b.cell(b.model.most, per)
    return int(b.grants[key])


def granted(sc: Scope, node: Any, per: str) -> str:
    """The cell (Python) of what is granted beyond `once per`, for the verb and noun of a statement; '' if nothing is."""
    what = dict(node.roles).get("what") if isinstance(node, t.Act) else None
    who = sc.you.py if sc.you else "v[1]"
    if not isinstance(what, t.Sel) or (node.verb, what.head, per) not in sc.b.grants:
        return ""
    return f"{sc.b.grants[(node.verb, what.head, per)]}+{who}"


def bind_act(node: t.Act, sc: Scope) -> None:
    from interpreter.acts import act

    act(node, sc)


def bind_rule(node: Any, sc: Scope) -> None:
    from interpreter.rules import rule_in_play

    rule_in_play(node, sc)


def bind_static(node: t.Static, sc: Scope) -> None:
    from interpreter.rules import static_for_a_time

    static_for_a_time(node, sc)


STATEMENTS: dict[type, Callable[[Any, Scope], None]] = {
    t.Text: bind_text,
    t.Seq: bind_seq,
    t.Act: bind_act,
    t.Let: bind_let,
    t.LetEither: bind_let_either,
    t.If: bind_if,
    t.ForEach: bind_for_each,
    t.Repeat: bind_repeat,
    t.ChooseOne: bind_choose_one,
    t.Turns: bind_turns,
    t.Window: bind_window,
    t.Cost: bind_cost,
    t.Limit: bind_limit,
    t.When: bind_rule,
    t.Moment: bind_rule,
    t.Replace: bind_rule,
    t.While: bind_rule,
    t.Static: bind_static,
}
