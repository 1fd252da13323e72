"""armed: a rule that an effect sets up: `At the end of this turn, …`, `the next time …, … instead`, `… this turn`.

Such a rule is a listener that waits only while the state holds an entry for it: rows of fixed width in one list of
State.z, (ident, listener, boundary, you, things…, numbers…). What its text speaks of is kept in the row; the listener's
routine takes the ident where others take `this`, and reads the row first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from interpreter import tree as t
from interpreter.bound import NUMBER, Assign, Branch, Code, Listener, Run, Stop, Type, Var, thing
from interpreter.rules import (
    arg_type,
    arguments_of,
    boundary_code,
    duration_name,
    event_key,
    match,
    moment_keys,
    proposed_count,
    without_span,
)
from interpreter.scope import Scope, player_code

HEAD, THINGS, NUMBERS = 4, 4, 2
WIDTH = HEAD + THINGS + NUMBERS
LETTERS = "n" * HEAD + "t" * THINGS + "n" * NUMBERS  # see program.Program.lists
FOR_GOOD = -1
PLAIN = re.compile(r"x\d+")


def arm(node: Any, sc: Scope) -> None:
    """A rule inside an effect → code that sets it up."""
    action = ARMED.get(type(node))
    if action is None:
        sc.fault(node, "type", "a rule stands at the top of a text, not inside an effect")
        return
    action(node, sc)


def arm_when(node: t.When, sc: Scope) -> None:
    event, span = without_span(node.event)
    later = node.word == "the next time"
    if event is None or (span is None and not node.first and not later):
        sc.fault(node, "type", "for how long? Say `this turn` behind what happens, or `for the first time`")
        return
    arm_event(node, event, node.word, node.body, node.where, span, bool(node.first) or later, sc)


def arm_replace(node: t.Replace, sc: Scope) -> None:
    event, span = without_span(node.event)
    if span is None and node.first != "next":
        sc.fault(node, "type", "for how long? Say `this turn` behind what would happen, or `the next time`")
        return
    arm_event(node, event, "instead", node.body, node.where, span, node.first == "next", sc)


def arm_bar(node: t.Act, sc: Scope) -> None:
    """`You cannot play Charms this turn`: what would be done is answered with nothing."""
    event = t.Event(node.verb, node.subject, node.roles, False, node.is_phrase, at=node.at)
    arm_event(node, event, "instead", t.Text((), at=node.at), None, node.during, False, sc)


def arm_permission(node: t.Act, sc: Scope) -> None:
    """`You may salvage it until the end of the game`: `you can salvage it` is then so."""
    event = t.Event(node.verb, node.subject, node.roles, False, node.is_phrase, at=node.at)
    arm_event(node, event, "may", t.Text((), at=node.at), None, node.during, False, sc)


def arm_moment(node: t.Moment, sc: Scope) -> None:
    """`At the end of this turn, …`: once; `At the end of each turn, …`: each time."""
    from interpreter.statements import bind_text

    once = not (isinstance(node.what, t.Sel) and node.what.quant == "each")
    for key, mine in moment_keys(node, sc.b):

        def tests(inner: Scope, names: list[str], mine: bool = mine) -> list[str]:
            inner.named.insert(0, player_code(names[0]))  # after all that the text before has named
            return [f"{names[0]} == x0"] if mine else []

        def act(inner: Scope) -> None:
            bind_text(node.body, inner)

        set_up(sc, key, [("active", "player")], tests, act, FOR_GOOD, once, "at", node)


def arm_event(node: Any, event: t.Event, word: str, body: t.Text, where: Any, span: Any, once: bool, sc: Scope) -> None:
    from interpreter.conditions import condition
    from interpreter.statements import bind_text

    key = event_key(event, sc.b, word)
    args = arguments_of(key, sc.b, event)
    if word == "instead":
        args = args[: proposed_count(key, sc.b, len(args))]
    boundary = FOR_GOOD if span is None else boundary_code(sc.b, duration_name(span, sc))

    def tests(inner: Scope, names: list[str]) -> list[str]:
        found = match(event, key, args, inner, names)
        return found if where is None else [*found, condition(where, inner).py]

    def act(inner: Scope) -> None:
        inner.locals["event"] = Code(event.verb, Type("nothing"))
        bind_text(body, inner)

    set_up(sc, key, args, tests, act, boundary, once, word, node)


ARMED: dict[type, Callable[[Any, Scope], None]] = {
    t.When: arm_when,
    t.Replace: arm_replace,
    t.Moment: arm_moment,
    t.Act: arm_bar,
}


def set_up(
    sc: Scope,
    key: str,
    args: list[tuple[str, str]],
    tests: Callable[[Scope, list[str]], list[str]],
    act: Callable[[Scope], None],
    boundary: int,
    once: bool,
    word: str,
    node: Any,
) -> None:
    """The listener, and the code that puts its row into the state."""
    b = sc.b
    rows = b.model.tables["armed"]
    kept = keepable(sc)
    record = b.model.records.get(sc.source.record) if sc.source else None
    label = record.name if record is not None else sc.source.record if sc.source else ""
    routine = b.routine(f"{label} {word} {key}", "listener", sc.source)
    routine.framed = True
    routine.params = [Var("x0", thing("player")), Var("x1", NUMBER)]
    routine.params += [Var(f"x{2 + i}", arg_type(kind)) for i, (_, kind) in enumerate(args)]
    routine.vars = list(routine.params)
    outside = mirror(sc, {code.py: f"h{i}h" for i, code in enumerate(kept)})
    outside.event = outside.pure = True
    found = tests(outside, [f"a{i}" for i in range(len(args))])
    inside = mirror(sc, {})
    inside.routine = routine
    own = {code.py: inside.fresh(code.type) for code in kept}
    inside = mirror(sc, own)
    inside.routine, inside.pure = routine, True
    tests(inside, [f"x{2 + i}" for i in range(len(args))])
    inside.pure = False
    act(inside)
    spoken = " ".join([*texts(inside.out), *found])
    used = [c for i, c in enumerate(kept) if re.search(rf"\b(?:{own[c.py]}|h{i}h)\b", spoken)]
    slots = slots_of(used)
    if slots is None:
        most = f"{THINGS} things and {NUMBERS} numbers at most"
        sc.fault(node, "type", f"this speaks of too much that stands before it: {most}")
        return
    match_py = " and ".join(f"({x})" for x in found if x and x != "True") or "True"
    for i, code in enumerate(kept):
        match_py = re.sub(rf"\bh{i}h\b", f"row[{slots.get(code.py, 0)}]", match_py)
    read = [Assign(own[c.py], f"held(z[{rows}], x1, {slots[c.py]})") for c in used]
    gone = [Run([f"z[{rows}] = dropped(z[{rows}], x1)"])] if once else []
    routine.body = [Branch(f"not is_held(z[{rows}], x1)", [Stop()]), *read, *gone, *inside.out]
    listener = Listener(key, word, routine, match_py, label=label, armed=len(b.armed) + 1)
    listener.bars = word == "instead" and not inside.out
    b.armed.append(listener)
    into = {"instead": b.replacements, "may": b.permissions}.get(word, b.listeners)
    into.setdefault(key, []).append(listener)
    values = {slots[c.py]: c.py for c in used}
    cells = [values.get(i, "-1" if i < HEAD + THINGS else "0") for i in range(HEAD, WIDTH)]
    you = sc.you.py if sc.you is not None else "-1"
    row = f"(serial(z[{rows}]), ARMED{listener.armed}, {boundary}, {you}, {', '.join(cells)})"
    sc.out.append(Run([f"z[{rows}] = z[{rows}] + {row}"]))


def keepable(sc: Scope) -> list[Code]:
    """What the text before has named, chosen or let, one value each."""
    found: dict[str, Code] = {}
    for code in [*([sc.this] if sc.this else []), *sc.locals.values(), *sc.much[-1:], *sc.named, *sc.chosen.values()]:
        if PLAIN.fullmatch(code.py) and not code.type.many and code.type.sort in ("thing", "number"):
            found.setdefault(code.py, code)
    return list(found.values())


def mirror(sc: Scope, names: dict[str, str]) -> Scope:
    """The same scope seen from the listener: what is kept has another name, and nothing else is there."""

    def seen(code: Code) -> Code | None:
        if code.py in names and not code.type.many:
            return Code(names[code.py], code.type, sure=code.sure, most=code.most)
        return code if code.py.isdigit() else None

    out = Scope(sc.b, sc.source)
    out.you = player_code("x0") if sc.you is not None else None
    out.this = seen(sc.this) if sc.this is not None else None
    out.locals = {name: c for name, old in sc.locals.items() if (c := seen(old)) is not None}
    out.much = [c for old in sc.much[-1:] if (c := seen(old)) is not None]
    out.named = [c for old in sc.named if (c := seen(old)) is not None]
    out.chosen = {kind: c for kind, old in sc.chosen.items() if (c := seen(old)) is not None}
    return out


def slots_of(used: list[Code]) -> dict[str, int] | None:
    """Where in the row each value stands; None if there are too many."""
    things = [c.py for c in used if c.type.sort == "thing"]
    numbers = [c.py for c in used if c.type.sort == "number"]
    if len(things) > THINGS or len(numbers) > NUMBERS:
        return None
    out = {py: HEAD + i for i, py in enumerate(things)}
    return out | {py: HEAD + THINGS + i for i, py in enumerate(numbers)}


def texts(node: Any) -> list[str]:
    """Every piece of Python in structured code."""
    if isinstance(node, str):
        return [node]
    if isinstance(node, (list, tuple, set)):
        return [text for item in node for text in texts(item)]
    if is_dataclass(node) and not isinstance(node, type) and type(node).__module__.endswith(("bound", "blocks")):
        if type(node).__name__ == "Routine":
            return []
        return [text for f in fields(node) for text in texts(getattr(node, f.name))]
    return []
