"""having: in, `A has B`: an amount, something of its own, what lies on or with it; out, whether it is so, as a condition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number, words_of
from interpreter.bound import Code, thing
from interpreter.facts import field_py, kind_of_head, owner_py, zones_of
from interpreter.past import is_each, over_each, result
from interpreter.picked import as_count, as_test
from interpreter.scope import Scope, field_of, is_a
from interpreter.select import everything, pick, special


def bind_has(node: t.Has, sc: Scope) -> Code:
    """The condition, for each of several that are its subject."""
    if is_each(node.left):
        return over_each(node.left, sc, lambda one, inner: has_code(node, one, inner))
    return has_code(node, bind(node.left, sc), sc)


def has_code(node: t.Has, left: Code, sc: Scope) -> Code:
    """`A has B`, where A is bound already: an amount of a counter, something that lies in a zone of theirs, a title."""
    if node.than is not None:
        mine = has_amount(left, node.right, sc)
        if (
            isinstance(node.right, t.Sel)
            and node.right.count is not None
            and node.right.quant in ("at least", "exactly")
        ):
            by = number(node.right.count, sc).py
            op = ">=" if node.right.quant == "at least" else "=="
            return over_others(node, sc, lambda one, inner: f"{mine} {op} {one_amount(one, node.right, inner)} + {by}")
        if is_each(node.than):
            return over_each(
                node.than,
                sc,
                lambda one, inner: result(
                    f"{mine} {'>' if node.more == 'more' else '<'} {has_amount(one, node.right, inner)}"
                ),
            )
        other = bind(node.than, sc)
        theirs = other.py if other.type.sort == "number" else has_amount(other, node.right, sc)
        return result(f"{mine} {'<' if node.more == 'fewer' else '>'} {theirs}", left)
    py = has_py(left, node.right, sc)
    return result(f"not ({py})" if node.neg else py, left)


def over_others(node: t.Has, sc: Scope, test: Callable[[Code, Scope], str]) -> Code:
    """A comparison with what another has, or each other has."""
    if is_each(node.than) and isinstance(node.than, t.Sel):
        return over_each(node.than, sc, lambda one, inner: result(test(one, inner)))
    return result(test(bind(node.than, sc), sc))


def one_amount(one: Code, what: Any, sc: Scope) -> str:
    """What another has, or a number itself."""
    return one.py if one.type.sort == "number" else has_amount(one, what, sc)


def has_amount(left: Code, what: Any, sc: Scope) -> str:
    """How much of a counter, field or kind a thing has, as a number."""
    from interpreter.amounts import counter_read

    inner = sc.inner(itself=left)
    if isinstance(what, t.Sel) and what.place is None:
        bare = t.Sel(what.head, "", None, (), what.of, what.of_form, at=what.at)
        if what.head in sc.b.model.counters and what.of is None:
            code = counter_read(what.head, left, None, what, sc)
            return code.py if code else "0"
        if kind_of_head(sc, what.head) is None or what.head in sc.b.model.counters:
            code = bind(bare, inner)
            if code.type.sort == "number":
                return code.py
            return f"({code.py} >= 0)"
    assert isinstance(what, t.Sel)
    return as_count(pick(theirs(what, left), inner))


def theirs(what: t.Sel, left: Code) -> t.Sel:
    """The things of a selection that lie on, or belong to, its subject."""
    plain = replace(what, quant="each", count=None, at_random=False, rounding="", plural=True)
    if plain.place is None and plain.of is None:
        return t.Sel(
            plain.head,
            "each",
            None,
            plain.adjs,
            t.Ref("itself", at=what.at),
            "its",
            None,
            plain.filters,
            plural=True,
            at=what.at,
        )
    return plain


def shares_py(f: Any, left: Code, what: t.Sel, sc: Scope) -> str:
    """`a Tower with a Sign of that Charm`: what its field names is among those."""
    among = everything(replace(what, quant="each", plural=True), sc)
    mine = field_py(sc, f, left.py)
    var = sc.loop_var()
    test = f"any([{var} in {among.py} for {var} in {mine if f.type == 'list' else f'({mine},)'} if {var} >= 0])"
    return f"not {test}" if what.quant == "no" else test


def holds_py(left: Code, code: Code, node: Any, sc: Scope) -> str:
    """Whether a player owns a thing, or it lies on another."""
    if code.type.sort != "thing" or code.type.many or left.type.sort != "thing":
        sc.fault(node, "type", f"{words_of(left.type)} cannot have {words_of(code.type)}")
        return "False"
    if left.type.kind == "player":
        return f"{owner_py(sc, code.type.kind, code.py)} == {left.py}"
    where = zones_of(left, sc)
    if where is None:
        sc.fault(node, "type", f"nothing lies on {words_of(left.type)}")
        return "False"
    return f"v[{sc.b.model.loc}+{code.py}] {'==' if where[0] else 'in'} {where[1]}"


def has_named(left: Code, what: t.Sel, count: str, sc: Scope) -> str:
    """`you have the Torch`, `a player with a Torch in their Hand`: things by their name."""
    from interpreter.amounts.places import read_record

    alone = what.quant == "the" or any(len(r.ids) == 1 for r in sc.b.called[what.head])
    code = read_record(replace(what, quant="the" if alone else "all", count=None), sc)
    assert code is not None
    if code.type.many:
        test = f"len({code.py}) {'<=' if what.quant == 'at most' else '>='} {count}"
        return f"not ({test})" if what.quant == "no" else test
    test = f"{code.py} >= 0" if what.place is not None else holds_py(left, code, what, sc)
    return f"not ({test})" if what.quant == "no" else test


def has_py(left: Code | None, what: Any, sc: Scope) -> str:
    """Whether a thing has what a selection says: an amount of a counter, a field, or things on it."""
    assert left is not None
    model = sc.b.model
    if isinstance(what, t.Join):
        return "(" + f" {what.op} ".join(has_py(left, part, sc) for part in what.parts) + ")"
    if isinstance(what, t.Equal):
        return f"{has_amount(left, what.what, sc)} == {number(what.amount, sc).py}"
    if isinstance(what, t.Local):
        member = bind(what, sc)
        for counter in model.counters.values():
            if any(is_a(model, member.type.kind, i) for i in counter.each.values()):
                from interpreter.amounts import counter_read

                code = counter_read(counter.name, left, member.py, what, sc)
                return f"{code.py} > 0" if code else "False"
        from interpreter.amounts import each_value

        names = {
            f.name
            for k in model.kinds.values()
            for f in k.fields.values()
            if f.type == "each" and is_a(model, member.type.kind, f.kind)
        }
        found = [each_value(name, member, left, sc) for name in sorted(names)]
        tests = [f"{code.py} > 0" for code in found if code is not None]
        if tests:
            return f"({' or '.join(tests)})"
    if not isinstance(what, t.Sel) or special(what):
        return holds_py(left, bind(what, sc), what, sc)
    if what.head == "owner":
        return f"{owner_py(sc, left.type.kind, left.py)} {'<' if what.quant == 'no' else '>='} 0"
    count = number(what.count, sc).py if what.count is not None else "1"
    if what.place is not None and isinstance(what.place.where, t.Ref) and what.place.where.word in ("it", "itself"):
        on_it = t.Place(what.place.prep, t.Ref("itself", at=what.place.at), at=what.place.at)
        what = replace(what, place=on_it, at_random=False, rounding="")
    inner = sc.inner(itself=left)
    if what.place is not None and (what.head in model.counters):
        amount = bind(t.Sel(what.head, "", None, (), what.of, what.of_form, what.place, at=what.at), inner).py
    elif (
        kind_of_head(sc, what.head)
        and what.head not in model.counters
        and (field_of(model, left.type.kind, what.head) is None)
    ):
        p = pick(theirs(what, left), inner)
        if what.quant in ("a", "", "no") and what.count is None:
            return f"not ({as_test(p)})" if what.quant == "no" else as_test(p)
        amount = as_count(p)
    else:
        f = field_of(model, left.type.kind, what.head)
        if f is not None and f.type in ("thing", "list") and (what.of is not None or what.filters or what.adjs):
            return shares_py(f, left, what, sc)
        if f is not None and f.type == "thing":
            py = bind(t.Sel(what.head, of=t.Ref("itself"), of_form="its", at=what.at), inner).py
            return f"{py} {'<' if what.quant == 'no' else '>='} 0"
        amount = ""
        if f is None and what.head not in model.counters:
            from interpreter.amounts import member_counter, read_each

            by_name = [r for r in sc.b.called[what.head] if r.ids]
            if by_name and (what.place is not None or what.quant == "the"):
                return has_named(left, what, count, inner)
            named = next((r for r in by_name if len(r.ids) == 1), None)
            if named is not None and what.quant in ("", "a") and what.count is None:
                sc.locals["the member"] = Code(str(named.ids[0]), thing(named.kind), sure=True)
                return has_py(left, t.Local("the member", at=what.at), sc)
            code = read_each(t.Sel(what.head, at=what.at), inner)
            if code is not None:
                amount = code.py
            elif member_counter(what, inner) is None:
                sc.fault(what, "type", f"{words_of(left.type)} has no {what.head}")
                return "False"
        amount = amount or has_amount(left, what, sc)
    if what.quant == "no":
        return f"{amount} == 0"
    op = {"at least": ">=", "at most": "<=", "up to": "<=", "exactly": ">="}.get(what.quant, ">=")
    return f"{amount} {op} {count}"
