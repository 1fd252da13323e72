"""past: conditions about what was done, may be done or has been passed → Code; and what each subject of such a test is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number, one_thing
from interpreter.bound import CONDITION, Code, ident_of, thing
from interpreter.facts import kind_of_head
from interpreter.figures import lies_on as stands_for
from interpreter.picked import as_count
from interpreter.remembered import cell, head_of, key_of, span_of
from interpreter.scope import Scope
from interpreter.select import everything, pick, special


def result(py: str, *parts: Code) -> Code:
    return Code(py, CONDITION, hidden=any(p.hidden for p in parts))


def is_each(node: Any) -> bool:
    return isinstance(node, t.Sel) and node.quant in ("each", "all", "no", "each other", "all other")


def over_each(node: t.Sel, sc: Scope, test: Callable[[Code, Scope], Code]) -> Code:
    """`each Cell of it is yours`, `no Guard is active`: the test for all, or for none."""
    base = everything(
        replace(node, quant="each" if node.quant == "no" else node.quant, plural=True),
        sc,
    )
    var = sc.loop_var()
    inner = sc.inner(pure=True)
    one = Code(var, thing(base.type.kind), sure=True)
    inner.named.append(one)
    value = test(one, inner)
    if node.quant == "no":
        return result(f"not any([{value.py} for {var} in {base.py}])", base, value)
    return result(f"all([{value.py} for {var} in {base.py}])", base, value)


def bind_did(node: t.Did, sc: Scope) -> Code:
    """`if you do`, `if you rested this turn`: whether what came before was done, or what was done until now."""
    if node.how in ("you do", "you did", "they do", "that player does", "it does", "you can"):
        if not sc.did:
            sc.fault(node, "no-antecedent", "there is nothing before this that may be done or not")
            return result("False")
        return result(f"{sc.did} > 0")
    if node.how in ("you cannot", "you could not", "you do not", "you did not", "they cannot"):
        if not sc.did:
            sc.fault(node, "no-antecedent", "there is nothing before this that may be done or not")
            return result("False")
        return result(f"{sc.did} <= 0")
    if node.how == "perfect" and node.event is not None and node.event.verb == "pass":
        return passed(node, sc)
    if node.how in ("perfect not", "did not"):
        plain = bind_did(replace(node, how=node.how.removesuffix(" not")), sc)
        return result(f"not ({plain.py})", plain)
    if node.how in ("can", "cannot") and node.event is not None:
        return able(node, node.event, sc)
    if node.how == "perfect" and node.event is not None and node.event.verb in ("win", "lose"):
        if head_of(dict(node.event.roles).get("what")) not in sc.b.model.counters:
            return ended(node.event, sc)
    if node.event is not None and isinstance(node.event.subject, t.Sel) and is_each(node.event.subject):
        itself = replace(node, event=replace(node.event, subject=t.Ref("itself", at=node.event.at)))
        return over_each(node.event.subject, sc, lambda one, inner: bind_did(itself, inner.inner(itself=one)))
    if node.event is not None:
        return past(node, node.event, sc)
    sc.fault(node, "type", "this history is not known")
    return result("False")


def ended(event: t.Event, sc: Scope) -> Code:
    """`player 1 has won`, `each player has lost the game`."""
    assert event.subject is not None
    who = everything(event.subject, sc)
    result_is = f"v[{sc.b.model.result}+i] {'> 0' if event.verb == 'win' else '< 0'}"
    if not who.type.many:
        return result(result_is.replace("+i]", f"+{who.py}]"), who)
    return result(f"all([{result_is} for i in {who.py}])", who)


def able(node: t.Did, event: t.Event, sc: Scope) -> Code:
    """`you cannot use a Tower`: whether it could be begun now."""
    from interpreter.possible import possible

    act = t.Act(event.verb, event.roles, event.subject, is_phrase=event.is_phrase, at=event.at)
    test = possible(act, sc.inner(pure=True))
    if event.is_phrase and event.verb in sc.b.permits:
        test = f"({permitted(event, sc)} and {test})"
    return result(f"not ({test})" if node.how == "cannot" else test)


def permitted(event: t.Event, sc: Scope) -> str:
    """Whether a text that lasts permits a phrase with these arguments."""
    from interpreter.amounts import argument

    subject = bind(event.subject, sc) if event.subject is not None else sc.you
    holes = {p.name: p for p in sc.b.phrase_heads[event.verb].parts if not isinstance(p, str)}
    args = [argument(value, holes[role], sc).py for role, value in event.roles if role in holes]
    name = "may_do_" + ident_of(event.verb)
    return f"{name}(s, {', '.join([subject.py if subject else 'v[1]', *args])})"


def passed(node: t.Did, sc: Scope) -> Code:
    """`each player has passed`: of the players who take turns in the text around it."""
    assert node.event is not None
    if not sc.passed:
        sc.fault(node, "no-antecedent", "nobody takes turns to pass here")
        return result("False")
    who = node.event.subject
    every = isinstance(who, t.Sel) and (who.quant in ("each", "all", "each other", "all other") or "other" in who.adjs)
    others = isinstance(who, t.Sel) and (who.quant in ("each other", "all other") or "other" in who.adjs)
    needed = "v[0] - 1" if others else "v[0]"
    times = dict(node.event.roles).get("in a row")
    if times is not None:
        run = sc.locals.get("passed in a row")
        if not every or run is None:
            sc.fault(node, "type", "how often in a row is asked of each player, behind `in turn until`")
            return result("False")
        return result(f"{run.py} >= {times.value} * ({needed})")
    if not every and who is not None:
        one = one_thing(who, sc, "player")
        return result(f"{sc.passed} >> {one.py} & 1 == 1", one)
    return result(f"passers({sc.passed}, v[0]) >= {needed}")


def past(node: t.Did, event: t.Event, sc: Scope) -> Code:
    """`you used this Space`: of the event that this text answers; else of this turn (kept in the history zone)."""
    actor = sc.locals.get("actor")
    if actor is not None and sc.locals.get("event", Code("", CONDITION)).py == event.verb:
        subject = bind(event.subject, sc) if event.subject is not None else sc.you
        assert subject is not None
        tests = [f"{actor.py} == {subject.py}"]
        return result(" and ".join(tests), subject)
    if not event.is_phrase:
        return core_past(node, event, sc)
    if span_of(event) not in ("turn", "action"):
        sc.fault(node, "type", f"what phrases do is remembered until the turn ends, not this {span_of(event)}")
    sc.b.history.add(event.verb)
    subject = bind(event.subject, sc) if event.subject is not None else sc.you
    args = []
    for _, value in event.roles:
        if isinstance(value, t.Sel) and value.quant in ("a", "another", "") and kind_of_head(sc, value.head):
            args.append("-1")
        elif isinstance(value, (str, t.Duration)):
            continue
        else:
            args.append(bind(value, sc).py)
    number_of = list(sc.b.phrase_heads).index(event.verb)
    history = sc.b.model.tables["history"]
    return result(
        f"happened(z[{history}], {number_of}, {subject.py if subject else -1}, ({''.join(a + ', ' for a in args)}))"
    )


def core_past(node: t.Did, event: t.Event, sc: Scope) -> Code:
    """`you have gained Coins this turn`, `you have not drawn a Charm`, `it has moved this turn`."""
    what, span_ = dict(event.roles).get("what"), span_of(event)
    subject = bind(event.subject, sc) if event.subject is not None else sc.you
    if subject is None or subject.type.sort != "thing" or subject.type.many:
        sc.fault(node, "type", "who? One player or thing is wanted here")
        return result("False")
    key = key_of(event.verb, head_of(what), sc.b)
    at = cell(key, span_, node, sc)
    least = number(what.count, sc).py if isinstance(what, t.Sel) and what.count is not None else "1"
    if ":" in key:
        return result(f"v[{at}+{subject.py}] >= {least}", subject)
    if subject.type.kind != "player":
        return result(f"v[{at}+{subject.py}] > 0", subject)
    if what is None:
        figure = stands_for(sc, subject, "thing")
        mine = [f"v[{at}+{figure.py}] > 0"] if figure is not None else []
        mine.append(f"any([v[{at}+i] == {subject.py} + 1 for i in range(v[0], {sc.b.model.things})])")
        return result(f"({' or '.join(mine)})", subject)
    if not isinstance(what, t.Sel) or kind_of_head(sc, what.head) is None or special(what):
        one = bind(what, sc)
        return result(f"v[{at}+{one.py}] == {subject.py} + 1", subject, one)
    p = pick(replace(what, quant="each", count=None, at_random=False, rounding="", plural=True), sc)
    p.conds.append(f"v[{at}+{p.var}] == {subject.py} + 1")
    return result(f"{as_count(p)} >= {least}", subject)
