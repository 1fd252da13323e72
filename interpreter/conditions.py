"""conditions: a condition tree → Code of type condition (a Python expression that is true or false).

A comparison with a missing thing is false.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import amount_like, amount_of_member, bind, compare_py, number, words_of
from interpreter.bound import CONDITION, Code, Pick, ident_of, thing
from interpreter.facts import kind_of_head, members_of, owner_py, zones_of
from interpreter.filters import filter_rel
from interpreter.having import bind_has
from interpreter.model import ACTIVE
from interpreter.past import bind_did, is_each, over_each, result
from interpreter.picked import as_count, as_test
from interpreter.scope import Scope, kind_test, may_be
from interpreter.select import pick, special


def condition(node: Any, sc: Scope) -> Code:
    """Any condition → Code."""
    return CONDITIONS[type(node)](node, sc)


def bind_compare(node: t.Compare, sc: Scope) -> Code:
    if is_each(node.left) and not is_number(node.left, sc):
        return over_each(node.left, sc, lambda one, inner: compare_codes(node, one, bind(node.right, inner), inner))
    left = bind(node.left, sc)
    right = bind(node.right, speaking_of(node.left, sc))
    return compare_codes(node, left, right, sc)


def speaking_of(left: Any, sc: Scope) -> Scope:
    """`the Might on that Tower is at least its Height`: its is what the left side speaks of."""
    whose = (
        left.of
        if isinstance(left, t.Sel) and left.of is not None
        else getattr(getattr(left, "place", None), "where", None)
    )
    if whose is None or isinstance(whose, t.Ref):
        return sc
    code = bind(whose, sc)
    if code.type.sort != "thing" or code.type.many:
        return sc
    inner = sc.inner(pure=True)
    inner.name(code)
    return inner


def is_number(node: Any, sc: Scope) -> bool:
    return isinstance(node, t.Sel) and node.head in sc.b.model.counters


def compare_codes(node: t.Compare, left: Code, right: Code, sc: Scope) -> Code:
    if {left.type.sort, right.type.sort} == {"number", "thing"}:
        left, right = (number_like(c, n, sc) for c, n in ((left, node.left), (right, node.right)))
    if left.type.sort == "number" and right.type.sort == "number":
        return result(compare_py(node.op, left.py, right.py), left, right)
    if left.type.many and right.type.sort == "number":
        return result(compare_py(node.op, f"len({left.py})", right.py), left, right)
    if left.type.sort == right.type.sort and node.op in ("=", "!="):
        return same(left, right, node.op == "!=", node, sc)
    sc.fault(node, "type", f"{words_of(left.type)} cannot be compared with {words_of(right.type)}")
    return result("False")


def number_like(code: Code, node: Any, sc: Scope) -> Code:
    if code.type.sort != "thing" or not isinstance(node, t.Sel):
        return code
    return amount_of_member(node, code, sc) or code


def same(left: Code, right: Code, neg: bool, node: Any, sc: Scope) -> Code:
    if left.type.sort != right.type.sort:
        sc.fault(node, "type", f"{words_of(left.type)} is never {words_of(right.type)}")
        return result("False")
    if left.type.sort == "thing" and not (may_be(sc.b.model, left.type.kind, right.type.kind)):
        sc.fault(node, "type", f"{words_of(left.type)} is never {words_of(right.type)}")
    if right.type.many:
        return result(f"{left.py} {'not in' if neg else 'in'} {right.py}", left, right)
    py = f"{left.py} {'!=' if neg else '=='} {right.py}"
    if left.type.sort == "thing" and not left.sure and not right.sure and not neg:
        py = f"({py} and {left.py} >= 0)"
    return result(py, left, right)


def place_said(node: Any, sc: Scope) -> Code | None:
    """`it is on a Tower`: then `that Tower` is the one on which it is."""
    right = node.right if isinstance(node, t.Is) and not node.neg else None
    where = (
        right.place.where if isinstance(right, t.Sel) and right.head == "thing" and right.place is not None else None
    )
    if not isinstance(where, t.Sel) or where.quant not in ("a", "another") or kind_of_head(sc, where.head) is None:
        return None
    left = bind(node.left, sc)
    if left.type.sort != "thing" or left.type.many or left.type.kind == "player":
        return None
    return Code(f"PLACE[v[{sc.b.model.loc}+{left.py}]]", thing(kind_of_head(sc, where.head) or "thing"))


def turn_of(node: t.Is, who: Any, sc: Scope) -> Code:
    """`it is your turn`."""
    whose = bind(who, sc)
    if whose.type.kind != "player" or whose.type.many:
        sc.fault(node, "type", f"whose turn? A player is wanted, not {words_of(whose.type)}")
        return result("False")
    return result(f"v[{ACTIVE}] {'!=' if node.neg else '=='} {whose.py}", whose)


def bind_is(node: t.Is, sc: Scope) -> Code:
    if isinstance(node.right, t.Sel) and node.right.head == "turn" and node.right.of is not None:
        return turn_of(node, node.right.of, sc)
    if is_each(node.left) and not is_number(node.left, sc):
        return over_each(node.left, sc, lambda one, inner: is_codes(node, one, inner))
    left = (
        amount_like(node.left, sc) if isinstance(node.left, t.Sel) and is_number(node.left, sc) else bind(node.left, sc)
    )
    if left.type.many and node.adj:
        var = sc.loop_var()
        value = is_codes(node, Code(var, thing(left.type.kind), sure=True), sc.inner(pure=True))
        return result(f"all([{value.py} for {var} in {left.py}])", left, value)
    return is_codes(node, left, sc)


def is_codes(node: t.Is, left: Code, sc: Scope) -> Code:
    """`A is B`, where A is bound already: a state, a kind, a place, a title, or the same thing."""
    negate = "not " if node.neg else ""
    if node.adj:
        if left.type.sort == "zone" and node.adj == "empty":
            return result(f"{negate}(not z[{left.py}])", left)
        if left.type.sort != "thing":
            sc.fault(node, "type", f'"{node.adj}" says nothing of {words_of(left.type)}')
            return result("False")
        return result(f"{negate}({state_py(sc, node, node.adj, left)})", left)
    right = node.right
    if isinstance(right, t.Sel) and right.head == "thing" and not right.quant and right.place is not None:
        return is_placed(node, left, right.place, sc)
    if isinstance(right, t.Ref) and right.word == "yours":
        if sc.you is None:
            sc.fault(node, "no-antecedent", '"yours" means nobody here')
            return result("False")
        return result(
            f"{owner_py(sc, left.type.kind, left.py)} {'!=' if node.neg else '=='} {(sc.reader or sc.you).py}", left
        )
    if (
        isinstance(right, t.Sel)
        and kind_of_head(sc, right.head)
        and right.quant in ("a", "another", "")
        and not special(right)
        and left.type.sort == "thing"
    ):
        return is_kind(node, left, right, sc)
    if isinstance(right, t.Join):
        tests = [is_codes(t.Is(node.left, part, at=node.at), left, sc).py for part in right.parts]
        return result(f"{negate}({' or '.join(tests)})", left)
    code = bind(right, sc)
    if left.type.sort == "number" and code.type.sort == "number":
        return result(compare_py("!=" if node.neg else "=", left.py, code.py), left, code)
    if left.type.sort == "thing" and code.type.sort == "zone":
        where = f"v[{sc.b.model.loc}+{left.py}]"
        return result(f"{where} {'!=' if node.neg else '=='} {code.py}", left)
    return same(left, code, node.neg, node, sc)


def is_placed(node: t.Is, left: Code, right: t.Place, sc: Scope) -> Code:
    """`it is on the Market`, `it is in your Hand`, `it is on a Tower`."""
    from interpreter.select import bind_place

    if left.type.sort != "thing" or left.type.many:
        sc.fault(node, "type", f"{words_of(left.type)} lies in no one place")
        return result("False")
    spot = bind_place(right.where, sc)
    members = members_of(spot, sc, left.type.kind)
    if members is not None:
        test = f"{left.py} in {members}"
        return result(f"not ({test})" if node.neg else test, left)
    where = zones_of(spot, sc)
    if where is None:
        sc.fault(right, "type", "nothing lies there")
        return result("False")
    test = f"v[{sc.b.model.loc}+{left.py}] {'==' if where[0] else 'in'} {where[1]}"
    return result(f"not ({test})" if node.neg else test, left)


def is_kind(node: t.Is, left: Code, right: t.Sel, sc: Scope) -> Code:
    """`it is a Captain`, `it is another player's Captain`, `that is a Charm on the Map`."""
    model = sc.b.model
    kind = kind_of_head(sc, right.head)
    assert kind is not None
    if not may_be(model, left.type.kind, kind):
        sc.fault(node, "type", f"{words_of(left.type)} is never a {kind}")
    negate = "not " if node.neg else ""
    if right.place is None and right.of is None and not right.filters and not right.adjs and right.quant != "another":
        return result(f"{negate}({kind_test(model, kind, left.py, left.type.kind) or 'True'})", left)
    p = pick(right, sc)
    narrow = replace(right, quant="a", count=None, trail="", at_random=False, rounding="", plural=False)
    if isinstance(right.of, t.Sel) and right.of.quant == "another":
        p = pick(t.Sel(right.head, "a", None, right.adjs, None, "", right.place, right.filters, at=right.at), sc)
        you = sc.you.py if sc.you else "-1"
        p.conds.append(f"{owner_py(sc, kind, p.var)} not in (-1, {you})")
    _ = narrow
    p.loops = [(p.var, f"({left.py},)"), *[(var, over) for var, over in p.loops if var != p.var]]
    test = kind_test(model, kind, p.var, left.type.kind)
    if test:
        p.conds.insert(0, test)
    if right.place is not None:
        from interpreter.select import lies_on

        placed = lies_on(right.place.where, sc, p.var)
        if placed:
            p.loops = [(p.var, f"({left.py},)")]
            p.conds.append(placed)
        if left.py.isidentifier() and p.loops == [(p.var, f"({left.py},)")]:
            tests = [re.sub(rf"\b{p.var}\b", left.py, cond) for cond in p.conds if cond]
            return result(f"{negate}({' and '.join(f'({x})' for x in tests) or 'True'})", left)
    return result(f"{negate}({as_test(p)})", left)


def state_py(sc: Scope, node: Any, word: str, left: Code) -> str:
    """An adjective of content said of a thing; of a missing thing it is false."""
    py = state_test(sc, node, word, left)
    return py if left.sure or left.py.isdigit() else f"({left.py} >= 0 and {py})"


def in_line(short: str, you: str, py: str, sc: Scope) -> str:
    """A short state's expression with other loop variables, said of py."""
    fresh = {name: sc.loop_var() for name in dict.fromkeys(re.findall(r"\bi\d+\b", short))}
    names = {**fresh, "x0": you, "x1": py}
    return re.sub(r"\b(?:i\d+|x[01])\b", lambda m: names[m.group()], short)


def state_test(sc: Scope, node: Any, word: str, left: Code) -> str:
    """Whether a thing is in a state, as a test over its cell or a call of its function."""
    model = sc.b.model
    for state in model.states.get(word, []):
        if may_be(model, left.type.kind, state.kind):
            if state.source is None:
                return f"v[{state.cell}+{left.py}] == 1"
            name = f"is_{ident_of(word)}_{ident_of(state.kind)}"
            you = sc.you.py if sc.you else "v[1]"
            short = sc.b.short_states.get(name)
            reads_you = short is not None and re.search(r"\bx0\b", short) is not None
            if short is not None and left.py.isidentifier() and (not reads_you or you.isidentifier() or you == "v[1]"):
                return in_line(short, you, left.py, sc)
            return f"{name}(s, {you}, {left.py})"
    if word in ("active",) and left.type.kind == "player":
        return f"{left.py} == v[1]"
    if word == "empty":
        where = zones_of(left, sc)
        if where and where[0]:
            return f"not z[{where[1]}]"
    sc.fault(node, "type", f'"{word}" says nothing of {words_of(left.type)}')
    return "False"


def bind_there(node: t.ThereIs, sc: Scope) -> Code:
    """`there is a Guard on it`, `there are at least 3 Guards on Towers`."""
    what = node.what
    if isinstance(what, t.Equal):
        code = bind(
            t.Sel(what.what.head, of=what.what.of, of_form=what.what.of_form, place=what.what.place, at=what.what.at),
            sc,
        )
        return result(f"{code.py} == {number(what.amount, sc).py}")
    if isinstance(what, t.Join):
        tests = [bind_there(t.ThereIs(part, at=node.at), sc).py for part in what.parts]
        return result(f"({' or '.join(tests)})" if not node.neg else f"not ({' or '.join(tests)})")
    if not isinstance(what, t.Sel):
        code = bind(what, sc)
        return result(f"{code.py} >= 0", code)
    neg = node.neg or what.quant == "no"
    count = number(what.count, sc).py if what.count is not None else "1"
    op = {"at most": "<="}.get(what.quant, ">=")
    if what.head in sc.b.model.counters:
        code = bind(t.Sel(what.head, "", None, (), what.of, what.of_form, what.place, at=what.at), sc)
        py = f"{code.py} {op} {count}"
        return result(f"not ({py})" if neg else py, code)
    if kind_of_head(sc, what.head) and not special(what):
        p = pick(
            replace(what, quant="each", count=None, trail="", at_random=False, rounding="", plural=True),
            sc,
        )
        py = as_test(p) if what.count is None else f"{as_count(p)} {op} {count}"
        return Code(f"not ({py})" if neg else py, CONDITION, hidden=p.hidden)
    code = bind(what, sc)
    py = (
        f"len({code.py}) {op} {count}"
        if code.type.many
        else f"{code.py} >= 0"
        if code.type.sort == "thing"
        else f"{code.py} >= {count}"
    )
    return result(f"not ({py})" if neg else py, code)


def bind_repeated(node: t.Repeated, sc: Scope) -> Code:
    sc.b.remembers = True
    return result(f"v[{sc.b.model.tables['repeated']}] == 1")


def bind_relates(node: t.Relates, sc: Scope) -> Code:
    """`you occupy a Road`, `each player owns a Charm`."""
    if is_each(node.left):
        itself = replace(node, left=t.Ref("itself", at=node.left.at), neg=False)
        return over_each(node.left, sc, lambda one, inner: bind_relates(itself, inner.inner(itself=one)))
    left = bind(node.left, sc)
    if left.type.sort != "thing" or left.type.many:
        sc.fault(node.left, "type", f"one thing or player is wanted here, not {words_of(left.type)}")
        return result("False")
    var = sc.loop_var()
    p = Pick([(var, f"({left.py},)")], [], var, left.type.kind)
    what = node.right
    if isinstance(what, t.Sel) and kind_of_head(sc, what.head) is not None and not special(what):
        each_ = pick(replace(what, quant="each", count=None, plural=True), sc)
        rel = t.Rel("that", node.relation, t.Local("the one", at=node.at), None, at=node.at)
        inner = sc.inner(pure=True, itself=Code(each_.var, thing(each_.kind), sure=True))
        inner.locals["the one"] = left
        filter_rel(rel, inner, each_)
        least = number(what.count, sc).py if what.count is not None else "1"
        op = {"at most": "<=", "exactly": "=="}.get(what.quant, ">=")
        py = f"{as_count(each_)} {'<' if what.quant == 'no' else op} {least}"
        return result(f"not ({py})" if node.neg else py, left)
    rel = t.Rel("that", node.relation, None, what, at=node.at)
    filter_rel(rel, sc.inner(pure=True, itself=Code(var, left.type, sure=left.sure)), p)
    return result(f"{'not ' if node.neg else ''}({as_test(p)})", left)


def bind_logic(node: t.Logic, sc: Scope) -> Code:
    parts = [condition(part, sc) for part in node.parts]
    if node.op == "not":
        return result(f"not ({parts[0].py})", *parts)
    return result("(" + f" {node.op} ".join(p.py for p in parts) + ")", *parts)


def bind_value_condition(node: t.CondValue, sc: Scope) -> Code:
    code = bind(node.value, sc)
    if code.type.sort != "condition":
        sc.fault(node, "type", f"a condition is wanted here, not {words_of(code.type)}")
        return result("False")
    return code


CONDITIONS: dict[type, Callable[[Any, Scope], Code]] = {
    t.Compare: bind_compare,
    t.Is: bind_is,
    t.Has: bind_has,
    t.ThereIs: bind_there,
    t.Did: bind_did,
    t.Repeated: bind_repeated,
    t.Relates: bind_relates,
    t.Logic: bind_logic,
    t.CondValue: bind_value_condition,
}
