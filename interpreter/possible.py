"""possible: a statement tree → Python condition that says whether it can be begun ("True" if it always can).

A cost is begun only if it can be completed, and an option is offered only if its costs can be paid: what is looked at is
the payment in front, not the whole effect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number
from interpreter.bound import Code, ident_of
from interpreter.facts import kind_of_head
from interpreter.scope import Scope


def possible(node: Any, sc: Scope) -> str:
    """Python condition for one statement, in a scope that adds no statements."""
    reader = POSSIBLE.get(type(node))
    return reader(node, sc) if reader else "True"


def both(tests: list[str]) -> str:
    kept = [test for test in tests if test and test != "True"]
    return "(" + " and ".join(kept) + ")" if len(kept) > 1 else (kept[0] if kept else "True")


def of_seq(node: t.Seq, sc: Scope) -> str:
    """All parts, less those that speak of what is only chosen before them; sums of one counter paid twice are added up."""
    inner = sc.inner(pure=True)
    tests = [possible(part, inner) for i, part in enumerate(node.parts) if not i or not speaks_back(part)]
    paid: dict[str, list[str]] = {}
    for part in node.parts:
        if (
            isinstance(part, t.Act)
            and part.verb in ("pay", "lose")
            and part.roles
            and isinstance(part.roles[0][1], t.Sel)
            and part.roles[0][1].count is not None
        ):
            paid.setdefault(part.roles[0][1].head, []).append(number(part.roles[0][1].count, inner).py)
    for head, amounts in paid.items():
        if len(amounts) > 1 and head in sc.b.model.counters:
            tests.append(f"{bind(t.Sel(head), inner).py} >= {' + '.join(amounts)}")
    return both(tests)


def speaks_back(node: Any) -> bool:
    """Whether a node holds `it`, `that Guard` or `the Guards chosen`."""
    if isinstance(node, (tuple, list)):
        return any(speaks_back(part) for part in node)
    if not isinstance(node, t.Node):
        return False
    if isinstance(node, t.Ref) and node.word in ("it", "they", "them"):
        return True
    if isinstance(node, t.Sel) and (node.quant == "that" or "chosen" in node.trail):
        return True
    return any(speaks_back(getattr(node, name)) for name in node.__dataclass_fields__ if name != "at")


def of_act(node: t.Act, sc: Scope) -> str:
    """Whether one act can be done, as far as it pays or needs something."""
    roles = dict(node.roles)
    if node.modal == "may":
        return "True"
    inner = sc
    if node.subject is not None:
        subject = bind(node.subject, sc)
        if subject.type.many:
            return "True"
        if subject.type.kind == "player":
            inner = sc.inner(you=subject)
    if node.is_phrase:
        return of_phrase(node, inner)
    reader = VERBS.get(node.verb)
    return reader(node, roles, inner) if reader else objects(node, roles, inner)


def plainly(sel: t.Sel) -> t.Sel:
    """A counter without its amount."""
    return t.Sel(sel.head, of=sel.of, of_form=sel.of_form, place=sel.place, at=sel.at)


def of_pay(node: t.Act, roles: dict[str, Any], sc: Scope) -> str:
    """Whether there is enough of all that is to be paid."""
    what = roles.get("what")
    parts = what.parts if isinstance(what, t.Join) else (what,)
    tests = []
    for part in parts:
        if isinstance(part, t.Equal):
            tests.append(f"{bind(plainly(part.what), sc).py} >= {number(part.amount, sc).py}")
        elif isinstance(part, t.Sel) and part.head in sc.b.model.counters:
            have = bind(t.Sel(part.head, of=part.of, of_form=part.of_form, place=part.place, at=part.at), sc).py
            need = number(part.count, sc).py if part.count is not None else "1"
            if part.quant not in ("all", "up to", "any number of"):
                tests.append(f"{have} >= {need}")
        else:
            tests.append(some(part, sc))
    return both(tests)


def some(node: Any, sc: Scope) -> str:
    """Whether there is at least as much to choose as a selection asks for."""
    from interpreter.statements import candidates, is_choice

    if isinstance(node, (t.Sel, t.Join)) and is_choice(node, sc):
        py, _, _, group = candidates(node, sc)
        count = number(node.count, sc).py if isinstance(node, t.Sel) and node.count is not None else "1"
        free = isinstance(node, t.Sel) and node.quant in ("up to", "any number of")
        tests = [] if free else [f"len({py}) >= {count}"]
        for value, op, limit in group:
            if op in (">=", ">", "="):
                tests.append(f"sum([{value} for i in {py}]) {'>=' if op == '=' else op} {limit}")
        return both(tests)
    return "True"


def objects(node: t.Act, roles: dict[str, Any], sc: Scope) -> str:
    """Every object that has to be chosen can be; a definite one is there."""
    tests = []
    for role, value in roles.items():
        if isinstance(value, str) or role in ("until", "name"):
            continue
        tests.append(some(value, sc))
        if role == "what" and isinstance(value, (t.Ref, t.Local)) and node.verb in ("discard", "remove", "flip"):
            code = bind(value, sc)
            if code.type.sort == "thing" and not code.type.many:
                tests.append(f"v[{sc.b.model.loc}+{code.py}] >= 0")
    return both(tests)


def of_flip(node: t.Act, roles: dict[str, Any], sc: Scope) -> str:
    """A thing already turned that way cannot be turned again."""
    code = (
        bind(roles["what"], sc)
        if not isinstance(roles["what"], t.Sel) or roles["what"].quant in ("this", "that", "the", "")
        else None
    )
    down = sc.b.model.states.get("face-down")
    if code is None or not down or code.type.many:
        return objects(node, roles, sc)
    wanted = 0 if roles.get("face") == "down" else 1
    return f"v[{down[0].cell}+{code.py}] == {wanted}"


def of_place(node: t.Act, roles: dict[str, Any], sc: Scope) -> str:
    what = roles.get("what")
    tests = []
    if (
        isinstance(what, t.Sel)
        and kind_of_head(sc, what.head)
        and what.head not in sc.b.model.counters
        and (what.place is not None)
    ):
        tests.append(some(what, sc))
    for role, value in roles.items():
        if role != "what" and not isinstance(value, str):
            tests.append(some(value, sc))
    return both(tests)


def of_choose(node: t.Act, roles: dict[str, Any], sc: Scope) -> str:
    if "low" in roles:
        return f"{number(roles['low'], sc).py} <= {number(roles['high'], sc).py}"
    return some(roles.get("what"), sc)


def of_perform(node: t.Act, roles: dict[str, Any], sc: Scope) -> str:
    from interpreter.statements import is_choice

    what = roles["what"]
    definite = isinstance(what, (t.Local, t.Ref)) or (
        isinstance(what, t.Sel) and what.of is None and not is_choice(what, sc)
    )
    code = bind(what, sc) if definite else None
    if code is None or code.type.sort != "thing" or code.type.many:
        return some(roles["what"], sc)
    return f"can_effect(s, {sc.you.py if sc.you else 'v[1]'}, {code.py})"


def of_phrase(node: t.Act, sc: Scope) -> str:
    """A phrase: its objects can be chosen, and what its text pays first can be paid."""
    head = sc.b.phrase_heads[node.verb]
    holes = [p for p in head.parts if not isinstance(p, str)]
    args: list[str] | None = []
    tests: list[str] = []
    given = dict(node.roles)
    for hole in holes:
        value = given.get(hole.name)
        from interpreter.statements import is_choice

        if value is None or is_choice(value, sc):
            tests.append(some(value, sc))
            args = None
            break
        from interpreter.amounts import argument

        one = (
            bind(value, sc)
            if isinstance(value, (t.Sel, t.Ref, t.Local))
            and not hole.plural
            and hole.kind not in ("number", "condition")
            else None
        )
        if one is not None and one.type.many:  # performed for each of them, also for none
            args = None
            break
        assert args is not None
        args.append(argument(value, hole, sc).py)
    if args is None:
        return both(tests)
    doer = sc.you.py if sc.you else "-1"
    bar = barred(sc, node.verb, [doer, *args])
    can = f"can_{sc.b.phrase_routines[node.verb].index}(s, {', '.join([doer, *args])})"
    return both([f"not {bar}", can]) if bar else can


def barred(sc: Scope, phrase: str, args: list[str]) -> str:
    """Python that says whether some `cannot` forbids a phrase with these arguments; '' where no text forbids it."""
    key = f"do:{phrase}"
    name = "barred_" + ident_of(key)
    return f"{name}(s, {', '.join(args)})" if key in sc.b.cannot else ""


def of_cost(node: t.Cost, sc: Scope) -> str:
    return possible(node.pay, sc)


def of_choose_one(node: t.ChooseOne, sc: Scope) -> str:
    from interpreter.conditions import condition

    tests = []
    for option in node.options:
        test = possible(option.body, sc)
        if option.guard is not None:
            guard = condition(option.guard, sc).py
            test = both([f"not ({guard})" if option.guard_word == "unless" else guard, test])
        if test == "True":
            return "True"
        tests.append(test)
    return "(" + " or ".join(tests) + ")"


def of_text(node: t.Text, sc: Scope) -> str:
    """The first sentences of a text, up to the first that pays; lets are read through."""
    inner = sc.inner(pure=True, locals=dict(sc.locals), named=list(sc.named), chosen=dict(sc.chosen))
    tests = []
    for sentence in node.sentences:
        if isinstance(sentence, t.Let):
            value = bind(sentence.value, inner)
            inner.locals[sentence.name] = Code(f"({value.py})", value.type, most=value.most, sure=value.sure)
            continue
        if not isinstance(sentence, t.If) or sentence is node.sentences[-1]:
            tests.append(possible(sentence, inner))
        if not (isinstance(sentence, t.Act) and sentence.verb == "pay"):
            break
    return both(tests)


def of_if(node: t.If, sc: Scope) -> str:
    """Whichever branch is taken can be begun; where there is none, nothing is begun."""
    from interpreter.conditions import condition

    kept = len(sc.b.findings)
    cond = condition(node.cond, sc).py
    if len(sc.b.findings) > kept:  # it rests on what only the text before it does
        del sc.b.findings[kept:]
        return "True"
    then = both([f"({cond})", of_text(node.then, sc)])
    other = of_text(node.otherwise, sc) if node.otherwise is not None else ""
    return f"({then} or {both([f'not ({cond})', other])})" if other else then


POSSIBLE: dict[type, Callable[[Any, Scope], str]] = {
    t.Seq: of_seq,
    t.Act: of_act,
    t.Cost: of_cost,
    t.ChooseOne: of_choose_one,
    t.Text: of_text,
    t.If: of_if,
}
VERBS: dict[str, Callable[[t.Act, dict[str, Any], Scope], str]] = {
    "pay": of_pay,
    "flip": of_flip,
    "place": of_place,
    "choose": of_choose,
    "perform": of_perform,
    "gain": lambda node, roles, sc: "True",
    "lose": lambda node, roles, sc: "True",
    "draw": lambda node, roles, sc: "True",
    "set": lambda node, roles, sc: "True",
    "increase": lambda node, roles, sc: "True",
    "reduce": lambda node, roles, sc: "True",
    "roll": lambda node, roles, sc: "True",
    "pass": lambda node, roles, sc: "True",
    "stop": lambda node, roles, sc: "True",
    "end": lambda node, roles, sc: "True",
    "win": lambda node, roles, sc: "True",
}
