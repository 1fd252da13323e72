"""options: choosing between statements, players in turn, windows.

In: a statement tree. Out: code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind
from interpreter.bound import (
    NUMBER,
    Ask,
    Assign,
    Branch,
    Code,
    Loop,
    Run,
    thing,
)
from interpreter.conditions import condition
from interpreter.possible import possible
from interpreter.scope import Scope, player_code, told_apart
from interpreter.select import everything
from interpreter.statements.branches import merge
from interpreter.statements.choosing import candidates, each_of, is_choice
from interpreter.statements.sentences import bind_text, settle, statement, where, words


def bind_choose_one(node: t.ChooseOne, sc: Scope) -> None:
    """`Choose one: …; or …`: asks for one of the options that can be taken, and does it."""
    who = sc.you or player_code("v[1]")
    if node.subject is not None:
        code = bind(node.subject, sc)
        if code.type.many:
            each_of(
                code,
                sc,
                lambda one, inner: bind_choose_one(
                    t.ChooseOne(node.options, None, at=node.at), inner.inner(you=one, out=inner.out)
                ),
            )
            return
        who = code
    inner = sc.inner(you=who)
    options_of(node, inner, node.options, who, (sc.source.prompt if sc.source else "") or "Choose one")
    sc.locals.update({k: c for k, c in inner.locals.items() if k not in sc.locals})
    sc.chosen.update(inner.chosen)
    sc.named[:] = inner.named


def options_of(
    node: Any, sc: Scope, options: tuple[t.Option, ...], who: Code, prompt: str, window: bool = False
) -> str:
    """Ask for one of several statements, then do it → the variable with the answer. An option whose statement begins
    with a choice of one thing stands as one option for each such thing."""
    answer = sc.fresh(NUMBER)
    from interpreter.windows import relax

    lines = ["o = []"]
    relaxed: list[str] = []
    branches: list[tuple[str, Callable[..., None]]] = []
    hidden = False
    labels: list[str] = []
    for option in options:
        spread = object_of(option.body, sc)
        guard = condition(option.guard, sc).py if option.guard is not None else ""
        if option.guard_word == "unless" and guard:
            guard = f"not ({guard})"
        label = words(sc, option.body).rstrip(".;")
        label = label[:1].upper() + label[1:]
        if spread is not None:
            role, sel, act = spread
            list_py, kind, is_hidden, _ = candidates(sel, sc)
            hidden = hidden or is_hidden
            lo, hi = 0, sc.b.model.things
            if kind in sc.b.model.kinds:
                lo, hi = sc.b.model.kinds[kind].lo, sc.b.model.kinds[kind].hi
            elif kind == "player":
                hi = sc.b.model.most
            start, end = sel.at
            text = sc.source.text if sc.source else ""
            head = " ".join(text[option.body.at[0] : start].split())
            tail = " ".join(text[end : option.body.at[1]].split()).rstrip(".;")
            label = f"{head} {{}} {tail}".strip()
            plain = label[:1].upper() + label[1:]
            label = own_label(act, sc) or plain
            labels.append(label)
            base = sc.b.option_actions(label, lo, hi, plain)
            var = "i"
            test = possible(
                replaced(act, role, "picked"),
                sc.inner(locals={**sc.locals, "picked": Code(var, thing(kind), sure=True)}, pure=True),
            )
            conds = " and ".join(c for c in (guard, test) if c and c != "True")
            offered = f"[i for i in {list_py}{' if ' + conds if conds else ''}]"
            if not told_apart(sc.b.model, kind):
                offered = f"alike(s, {who.py}, {offered})"
            lines.append(f"o += [{base}+i for i in {offered}]")
            relaxed += relax(lines[-1], guard, sc, who)

            def perform(inner: Scope, act: Any = act, role: str = role, base: int = base, kind: str = kind) -> None:
                var = inner.fresh(thing(kind))
                inner.out.append(Assign(var, f"{answer} - {base}"))
                code = Code(var, thing(kind), sure=True)
                inner.locals["picked"] = code
                inner.name(code)
                inner.chosen[kind] = code
                statement(replaced(act, role, "picked"), inner)

            branches.append((f"{base + lo} <= {answer} < {base + hi}", perform))
        else:
            labels.append(own_label(option.body, sc) or label)
            number_ = sc.b.text_action(labels[-1], label)
            test = possible(option.body, sc.inner(pure=True))
            conds = " and ".join(c for c in (guard, test) if c and c != "True")
            lines.append(f"o += [{number_}]{' if ' + conds + ' else []' if conds else ''}")
            relaxed += relax(lines[-1], guard, sc, who)
            branches.append((f"{answer} == {number_}", partial(statement, option.body)))
    sc.out.append(
        Ask(
            answer,
            who.py,
            lines,
            prompt,
            "option",
            where(sc, node),
            hidden=hidden,
            window=window,
            about="" if window else sc.about,
            named=sc.spoken_of(prompt, *labels),
            forced="False" if window else "True",
            skip="\n".join(relaxed) if window else "",
        )
    )
    chain: list[Any] = []
    scopes = []
    for cond, act in reversed(branches):
        inner = sc.inner(out=[])
        act(inner)
        scopes.append(inner)
        chain = [Branch(cond, inner.out, chain)]
    sc.out += chain
    if sc.b.actions_end and sc.routine is not None and sc.routine.kind == "step":
        sc.out.append(Run(["end_of(s, 'end:action')"]))  # what a step lets one choose is an action
    merge(sc, node, *reversed(scopes))
    return answer


def own_label(act: Any, sc: Scope) -> str:
    """A phrase may say how its options read (`label:`)."""
    if isinstance(act, t.Act) and act.is_phrase:
        return sc.b.model.phrases[act.verb].labels
    return ""


def object_of(body: Any, sc: Scope) -> tuple[str, Any, Any] | None:
    """(role, selection, act) when an option is one act whose object is a choice of one thing."""
    act = body.pay if isinstance(body, t.Cost) else body
    if isinstance(act, t.Seq):
        return None
    if not isinstance(act, t.Act) or act.subject is not None or act is not body:
        return None
    if act.verb == "draw":
        return None
    for role, value in act.roles:
        if role == "what" and act.verb in ("place", "gain", "take") and unchosen(act, value, sc):
            continue
        if (
            isinstance(value, t.Sel)
            and value.quant in ("a", "another", "one of")
            and is_choice(value, sc)
            and not value.at_random
            and "random" not in value.adjs
        ):
            return role, value, act
        if isinstance(value, t.Join) and value.op == "or" and is_choice(value, sc):
            return role, value, act
    return None


def unchosen(act: Any, what: Any, sc: Scope) -> bool:
    """Whether `place a Guard`, `gain a Guard` or `take a Charm` means one of the supply, not one that is chosen."""
    from interpreter.acts import from_supply, supply_of

    return supply_of(what, sc) is not None if act.verb == "take" else from_supply(what, sc)


def replaced(act: Any, role: str, name: str) -> Any:
    roles = tuple(
        (r, t.Local(name, at=v.at if not isinstance(v, str) else act.at) if r == role else v) for r, v in act.roles
    )
    return t.Act(act.verb, roles, act.subject, act.modal, act.secretly, act.during, act.is_phrase, at=act.at)


def bind_turns(node: t.Turns, sc: Scope) -> None:
    """Players in turn, from a start, until a condition (or once round)."""
    start = bind(node.start, sc) if node.start is not None else player_code("v[1]")
    model = sc.b.model
    seat, passes = sc.fresh(thing("player")), sc.fresh(NUMBER)
    who = player_code(seat)
    sc.out += [Assign(seat, start.py), Assign(passes, "0")]
    inner = sc.inner(out=[], you=who, passed=passes)
    inner.name(who)
    bind_text(node.body, inner)
    step = Assign(seat, f"({seat} + 1) % v[0]")
    _ = model
    if node.until is None:
        count = sc.fresh(NUMBER)
        sc.out.append(Assign(count, "v[0]"))
        allowed = players_in(node.who, sc, seat)
        body = [Branch(allowed, inner.out)] if allowed != "True" else inner.out
        sc.out.append(Loop(f"{count} > 0", [Assign(count, f"{count} - 1"), *body, step]))
        return
    go = sc.fresh(NUMBER)
    sc.out.append(Assign(go, "1"))
    asked = sc.inner(you=who, passed=passes, pure=True)
    body = inner.out
    if in_a_row(node.until):  # everybody is asked again, whoever has passed
        run = sc.fresh(NUMBER)
        sc.out.append(Assign(run, "0"))
        asked.locals["passed in a row"] = Code(run, NUMBER)
        body = [Assign(passes, "0"), *body, Assign(run, f"({run} + 1) * ({passes} >> {seat} & 1)")]
    cond = condition(node.until, asked)
    allowed = players_in(node.who, sc, seat)
    body = [Branch(allowed, body)] if allowed != "True" else body
    if "passers(" in cond.py:
        body = [Branch(f"not {passes} >> {seat} & 1", body)]
    sc.out.append(Loop(f"{go} == 1", [*body, Branch(cond.py, [Assign(go, "0")], [step])]))


def in_a_row(cond: Any) -> bool:
    """True if a condition asks whether somebody has passed several times in a row."""
    return isinstance(cond, t.Did) and cond.event is not None and "in a row" in dict(cond.event.roles)


def players_in(who: Any, sc: Scope, seat: str) -> str:
    code = everything(who, sc.inner(pure=True))
    if (
        isinstance(who, t.Sel)
        and not who.filters
        and not who.adjs
        and who.quant not in ("each other", "all other", "another")
    ):
        return "True"
    return f"{seat} in {code.py}"


def bind_window(node: t.Window, sc: Scope) -> None:
    """Every seat in turn may respond until all have passed in a row. A seat that publicly can do nothing is passed over."""
    start = bind(node.start, sc) if node.start is not None else player_code("v[1]")
    seat, passes = sc.fresh(thing("player")), sc.fresh(NUMBER)
    who = player_code(seat)
    passing = sc.b.text_action("Pass")
    sc.out += [Assign(seat, start.py), Assign(passes, "0")]
    inner = sc.inner(out=[], you=who)
    inner.name(who)
    from interpreter.windows import public_predicate

    answer = options_of(
        node, inner, node.options, who, (sc.source.prompt if sc.source else "") or "Respond or pass", window=True
    )
    ask = next(s for s in inner.out if isinstance(s, Ask) and s.var == answer)
    public = public_predicate(ask.skip.split("\n"), sc)
    ask.lines = [*ask.lines, f"o.append({passing})"]
    ask.skip = public
    at = inner.out.index(ask)
    after = Branch(f"{answer} < 0 or {answer} == {passing}", [Assign(passes, f"{passes} + 1")], [Assign(passes, "0")])
    inner.out.insert(at + 1, after)
    settle(inner, at)
    inner.out.append(Assign(seat, f"({seat} + 1) % v[0]"))
    sc.out.append(Loop(f"{passes} < v[0]", inner.out))
