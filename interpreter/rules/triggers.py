"""triggers: triggers, replacements and edges of a text → Listeners of the builder.

In: a rule sentence and whose it is. Out: Listeners.
"""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.bound import Code, Listener, Run, Type, Var, thing
from interpreter.conditions import condition
from interpreter.rules.keys import (
    READS,
    Owner,
    arg_type,
    arguments_of,
    event_key,
    moment_keys,
    proposed_count,
    unanswered,
    without_span,
)
from interpreter.rules.matching import match, match_scope, speak_of_theme, speak_of_what_it_has
from interpreter.rules.statics import static
from interpreter.scope import Builder, Scope, player_code


def is_rule(node: Any) -> bool:
    if isinstance(node, t.Limit):
        return all(is_rule(s) for s in node.body.sentences)
    if isinstance(node, t.Static):
        return node.during is None and not speaks_of_them(node.what)
    if isinstance(node, t.Act) and node.modal == "cannot":
        return node.during is None
    if isinstance(node, t.Moment):
        return not (isinstance(node.what, t.Sel) and (node.what.quant == "this" or "next" in node.what.adjs))
    if isinstance(node, (t.When, t.Replace)) and node.event is not None:
        later = getattr(node, "word", "") == "the next time"
        return without_span(node.event)[1] is None and node.first != "next" and not later
    return isinstance(node, (t.When, t.While))


def speaks_of_them(node: Any) -> bool:
    """`they`, `those Charms`, `the Charm chosen`: what an effect before it took up, so not a rule of its own."""
    if isinstance(node, t.Ref):
        return node.word in ("they", "them")
    if not isinstance(node, t.Sel):
        return False
    return node.quant in ("that", "those") or node.trail == "chosen" or speaks_of_them(node.of)


def bind_rule(node: Any, b: Builder, owner: Owner) -> None:
    """One rule sentence of a text → listeners and modifiers."""
    if isinstance(node, t.Limit):
        for inner in node.body.sentences:
            limited(inner, node.per, b, owner)
    elif isinstance(node, t.When):
        if node.event is None:
            edge(node, b, owner)
        else:
            trigger(node, node.event, node.word, node.body, node.where, node.first, b, owner, b.listeners)
    elif isinstance(node, t.Moment):
        moment(node, b, owner)
    elif isinstance(node, t.Replace):
        first = node.first
        trigger(node, node.event, "instead", node.body, node.where, first, b, owner, b.replacements, may=node.may)
    elif isinstance(node, t.While):
        for inner in node.body.sentences:
            if isinstance(inner, (t.When, t.Replace)):
                where = t.Logic("and", (node.cond, inner.where), at=node.at) if inner.where is not None else node.cond
                changed = (
                    t.When(inner.word, inner.event, inner.body, inner.cond, where, inner.first, at=inner.at)
                    if isinstance(inner, t.When)
                    else t.Replace(inner.event, inner.body, where, inner.first, inner.may, at=inner.at)
                )
                bind_rule(changed, b, owner)
            else:
                static(inner, node.cond, b, owner)
    elif isinstance(node, (t.Static, t.Act)):
        static(node, None, b, owner)


def limited(node: Any, per: str, b: Builder, owner: Owner) -> None:
    if isinstance(node, t.When):
        bind_rule(t.When(node.word, node.event, node.body, node.cond, node.where, per, at=node.at), b, owner)
    elif isinstance(node, t.Replace):
        bind_rule(t.Replace(node.event, node.body, node.where, per, node.may, at=node.at), b, owner)
    else:
        bind_rule(node, b, owner)


def trigger(
    node: Any,
    event: t.Event,
    word: str,
    body: t.Text,
    where: Any,
    first: str,
    b: Builder,
    owner: Owner,
    into: dict[str, list[Listener]],
    may: bool = False,
) -> None:
    """A trigger or replacement → a listener and its routine. where: a condition that it has. first: `turn` for the first time each turn.
    into: triggers or replacements, by the key of the event. may: whose answer is asked."""
    key = event_key(event, b, word)
    why = unanswered(key, word)
    if why:
        b.fault(owner.source, event.at, "type", why)
        return
    args = arguments_of(key, b, event)
    if into is b.replacements:
        args = args[: proposed_count(key, b, len(args))]
    sc = match_scope(b, owner)
    tests = match(event, key, args, sc, [f"a{i}" for i in range(len(args))])
    early = [x for x in tests if key.startswith("do:") and into is b.listeners and READS.search(x)]
    tests = [x for x in tests if x not in early]
    if where is not None:
        tests.append(condition(where, sc).py)
    routine = b.routine(f"{owner.label} {word}", "listener", owner.source)
    routine.framed = True
    inner = Scope(b, owner.source, routine)
    routine.params = [Var("x0", thing("player")), Var("x1", thing(owner.kind or "thing"))]
    for i, (_, kind) in enumerate(args):
        routine.params.append(Var(f"x{2 + i}", arg_type(kind)))
    routine.vars = list(routine.params)
    inner.you = player_code("x0") if owner.you else None
    inner.this = Code("x1", thing(owner.kind), sure=True) if owner.kind else None
    inner.locals.update(owner.extras)
    names = [f"x{2 + i}" for i in range(len(args))]
    inner.pure = True
    match(event, key, args, inner, names)
    inner.pure = False
    for pattern in (event.subject, *dict(event.roles).values()):
        speak_of_what_it_has(pattern, inner)
    speak_of_theme(event, key, args, inner, names)
    inner.locals["event"] = Code(event.verb, Type("nothing"))
    listener = Listener(
        key,
        word,
        routine,
        " and ".join(x for x in tests if x and x != "True") or "True",
        owner.things,
        owner.live,
        owner.you,
        first=first,
        label=owner.label,
        may=may,
        early=" and ".join(early),
    )
    if first:
        for_good = first in ("game", "next")
        listener.cell = b.cells_by(owner.things, "" if for_good else first)
    into.setdefault(key, []).append(listener)
    from interpreter.statements import bind_text

    if may:
        from interpreter.acts import may as ask_may

        replaced = b.cell(1) if "replaced" not in b.counts else b.counts["replaced"]
        b.counts["replaced"] = replaced
        body_act = body
        label = t.Act("pass", (), t.Ref("you") if owner.you else None, at=node.body.at)
        inner.you = inner.you or Code("x2", thing("player"), sure=True)
        ask_may(body_act, label, inner)
        from interpreter.bound import Branch

        inner.out.append(Branch(f"{inner.did} == 0", [Run([f"v[{replaced}] = 0"])]))
    else:
        bind_text(body, inner)
    routine.body = inner.out
    listener.bars = into is b.replacements and not inner.out


def moment(node: t.Moment, b: Builder, owner: Owner) -> None:
    for key, mine in moment_keys(node, b):
        at_moment(node, key, mine, b, owner)


def at_moment(node: t.Moment, key: str, mine: bool, b: Builder, owner: Owner) -> None:
    name = key.partition(":")[2]
    known = {"turn", "round", "game", *b.step_names}
    if name not in known:
        b.fault(
            owner.source,
            node.what.at,
            "unknown-name",
            f'nothing called "{name}" begins or ends; a step, turn, round or the game does',
        )
        return
    tests = ["a0 == x0"] if mine and owner.you else []
    routine = b.routine(f"{owner.label} at {key}", "listener", owner.source)
    routine.framed = True
    routine.params = [Var("x0", thing("player")), Var("x1", thing(owner.kind or "thing")), Var("x2", thing("player"))]
    routine.vars = list(routine.params)
    inner = Scope(b, owner.source, routine)
    inner.you = player_code("x0") if owner.you else None
    inner.this = Code("x1", thing(owner.kind), sure=True) if owner.kind else None
    inner.locals.update(owner.extras)
    inner.named.append(player_code("x2"))
    from interpreter.statements import bind_text

    bind_text(node.body, inner)
    routine.body = inner.out
    b.listeners.setdefault(key, []).append(
        Listener(
            key, "at", routine, " and ".join(tests) or "True", owner.things, owner.live, owner.you, label=owner.label
        )
    )


def edge(node: t.When, b: Builder, owner: Owner) -> None:
    """`When <condition>`: the moment it becomes true, looked at after each sentence."""
    sc = match_scope(b, owner)
    assert node.cond is not None
    tests = [condition(node.cond, sc).py]
    if node.where is not None:
        tests.append(condition(node.where, sc).py)
    routine = b.routine(f"{owner.label} when", "listener", owner.source)
    routine.framed = True
    routine.params = [Var("x0", thing("player")), Var("x1", thing(owner.kind or "thing"))]
    routine.vars = list(routine.params)
    inner = Scope(b, owner.source, routine)
    inner.you = player_code("x0") if owner.you else None
    inner.this = Code("x1", thing(owner.kind), sure=True) if owner.kind else None
    inner.locals.update(owner.extras)
    from interpreter.statements import bind_text

    bind_text(node.body, inner)
    routine.body = inner.out
    cell = b.cells_by(owner.things)
    b.edges.append(
        Listener(
            "edge",
            "when",
            routine,
            " and ".join(f"({x})" for x in tests),
            owner.things,
            owner.live,
            owner.you,
            first=node.first,
            cell=cell,
            label=owner.label,
        )
    )


def bar(node: t.Act, cond: Any, b: Builder, owner: Owner) -> None:
    """`X cannot …`: the event is answered with nothing, and options for it are not offered."""
    event = t.Event(node.verb, node.subject, node.roles, False, node.is_phrase, at=node.at)
    trigger(node, event, "instead", t.Text(()), cond, "", b, owner, b.replacements)


def forbid(node: t.Act, sc: Scope) -> None:
    rule_in_play(node, sc)


def rule_in_play(node: Any, sc: Scope) -> None:
    from interpreter.armed import arm

    arm(node, sc)
