"""statics: continuous effects, for as long as their bearer is live or for a time.

In: a Static tree. Out: Modifiers.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number, whose
from interpreter.bound import NUMBER, Code, Modifier, Run, ident_of, thing
from interpreter.conditions import condition, place_said
from interpreter.facts import kind_of_head
from interpreter.model import ACTIVE, Kind
from interpreter.rules.keys import CHANGES, LEAVES, Owner, steps_of_kind
from interpreter.rules.matching import fits, match_scope
from interpreter.scope import Builder, Scope, changed_as, field_of, is_a, may_be, player_code, wide
from interpreter.select import everything
from interpreter.verbs import VERBS


def modified_names(node: t.Static, b: Builder) -> set[str]:
    """The names of the fields or counters that a continuous effect can change."""
    if node.change.startswith("cost"):
        return {name for kind in b.model.kinds.values() for name in costs_of(kind)}
    if node.change == "counts as":
        return {f"as {node.amount.head}"} if isinstance(node.amount, t.Sel) else set()
    return {node.what.head} if isinstance(node.what, t.Sel) else set()


WORD = re.compile(r"[^\W\d]\w*")
COSTS = ("Cost", "Price")  # what `costs 1 less` means


def costs_of(kind: Kind) -> list[str]:
    """The fields of a kind that `costs 1 less` can mean, the likeliest first: Cost, Price, then an Ore Cost."""
    numbers = [f.name for f in kind.fields.values() if f.type in ("number", "amount")]
    plain = [name for name in COSTS if name in numbers]
    return plain + [name for name in numbers if name.endswith(tuple(f" {c}" for c in COSTS))]


def cost_name(node: t.Static, kind: str, sc: Scope) -> str:
    model = sc.b.model
    known = [k for k in model.kinds.values() if may_be(model, k.name, kind)]
    found = next((name for k in known for name in costs_of(k)), None)
    if found is None:
        sc.fault(node, "type", f"a {kind} has no {' and no '.join(COSTS)} that could be less or more")
    return found or COSTS[0]


def static(node: Any, cond: Any, b: Builder, owner: Owner) -> None:
    """A continuous effect of a text, for as long as its bearer is live and the condition holds."""
    from interpreter.rules.triggers import bar

    if isinstance(node, t.Act) and node.modal == "cannot":
        bar(node, cond, b, owner)
        return
    if not isinstance(node, t.Static):
        b.fault(owner.source, node.at, "type", "only something continuous can follow while: is, has, costs, cannot")
        return
    sc = match_scope(b, owner)
    place = place_said(cond, sc)
    if place is not None:
        sc.named.append(place)
    name, subject, kind = about(node, sc)
    tests = []
    if cond is not None:
        held = condition(cond, sc)
        if held.py != "True":
            tests.append(held.py)
    y = Code("y", thing(kind), sure=True)
    subject, reader = apart(subject)
    if reader is not None:
        tests += fits(reader, player_code("w"), sc)
    if subject is not None:
        if kind == "player" and bearing(name, sc) != ["player"]:
            tests.append("y < v[0]")
        if isinstance(subject, t.Ref) and subject.word == "you" and kind == "player":
            tests.append("y == x0")
        elif isinstance(subject, t.Ref) and subject.word == "you":
            tests.append("w == x0")  # `your Prices`: as you read them
        elif node.change == "counts as":
            tests += fits_as_printed(subject, y, sc)
        else:
            tests += fits(subject, y, sc)
    amount = amount_said(node, sc)
    if node.to is not None:
        tests += fits(node.to, player_code("w"), sc)
    change = CHANGES.get(node.change, node.change)
    b.modifiers.setdefault(name, []).append(
        Modifier(
            name,
            change,
            amount.py,
            " and ".join(f"({x})" for x in tests if x and x != "True") or "True",
            owner.things,
            owner.live,
            owner.you,
            (owner.source, node.at),
            ident=sum(len(m) for m in b.modifiers.values()) + 1,
        )
    )


def fits_as_printed(subject: Any, y: Code, sc: Scope) -> list[str]:
    """What counts as something else is told by the kind that it has of itself."""
    tables = sc.b.model.tables
    kept = tables.pop("counted as", {})
    tests = fits(subject, y, sc)
    tables["counted as"] = kept
    return tests


def amount_said(node: t.Static, sc: Scope) -> Code:
    """By how much, to how much; or as how many of a kind something counts."""
    if node.change != "counts as":
        return number(node.amount, sc) if node.amount is not None else Code("0", NUMBER)
    count = node.amount.count if isinstance(node.amount, t.Sel) else None
    return number(count, sc) if count is not None else Code("1", NUMBER)


def counted_as(node: t.Static, kind: str, sc: Scope) -> str:
    """The name of the number that says whether a thing counts as one of a kind; it has to have all that the kind has."""
    model = sc.b.model
    head = node.amount.head if isinstance(node.amount, t.Sel) else ""
    counted: tuple[str, list[str]] = model.tables.get("counted as", {}).get(head) or (head, [])
    if head not in (*counted[1], *model.tables.get("weighed", ())):
        if head in model.kinds:
            message = f"no text of the game lets anything count as a {head}, so it cannot be done here"
        else:
            message = "as what? Name a kind, as in `it counts as a Guard`"
        sc.fault(node, "type", message)
        return ""
    above = counted[0]
    if is_a(model, kind, head):
        return f"as {head}"  # one already, it counts as several
    own = [f.name for name, f in model.kinds[head].fields.items() if not has_field(model, above, name)]
    own += [c.name for c in model.counters.values() if narrower(model, head, above, [*c.on])]
    own += [word for word, states in model.states.items() if narrower(model, head, above, [s.kind for s in states])]
    own += ["things on it"] if model.kinds[head].holds and not holds(model, above) else []
    if own or not may_be(model, kind, above):
        has = f"has {own[0]}, which others lack" if own else f"is of another sort than a {kind}"
        sc.fault(node, "type", f"nothing else can count as a {head}: a {head} {has}")
    return f"as {head}"


def has_field(model: Any, kind: str, name: str) -> bool:
    return kind in model.kinds and name in model.kinds[kind].fields


def holds(model: Any, kind: str) -> bool:
    return kind in model.kinds and bool(model.kinds[kind].holds)


def narrower(model: Any, kind: str, above: str, kinds: list[str]) -> bool:
    """Whether some of these kinds has the things of `kind` and not all of those above it."""
    return any(is_a(model, kind, k) and not is_a(model, above, k) for k in kinds if k not in ("player", "game"))


def apart(subject: Any) -> tuple[Any, Any]:
    """`Charms that you play`: what is changed, and for whom it is (who plays it reads it)."""
    if not isinstance(subject, t.Sel):
        return subject, None
    for one in subject.filters:
        if isinstance(one, t.Rel) and one.subject is not None and one.relation in VERBS:
            return replace(subject, filters=tuple(f for f in subject.filters if f is not one)), one.subject
    return subject, None


def about(node: t.Static, sc: Scope) -> tuple[str, Any, str]:
    """(name of what is changed, the selection it is changed for, its kind)."""
    b = sc.b
    model = b.model
    if node.change.startswith("cost"):
        head = node.what.head if isinstance(node.what, t.Sel) else ""
        kind = kind_of_head(sc, head) or (
            bind(node.what, sc).type.kind if not isinstance(node.what, t.Sel) else "thing"
        )
        name = cost_name(node, kind, sc)
        return name, node.what, common(bearing(name, sc))
    what = node.what
    if node.change == "counts as":
        head = node.amount.head if isinstance(node.amount, t.Sel) else ""
        own = kind_of_head(sc, what.head) if isinstance(what, t.Sel) and what.quant != "this" else None
        name = counted_as(node, own or bind(what, sc).type.kind, sc)
        return name, what, wide(model, head)
    if not isinstance(what, t.Sel) or what.head not in b.modified:
        b.fault(
            sc.source,
            node.at,
            "type",
            "what is changed? Name a counter or a field of something, as in `your Hand Size is 7`",
        )
        return "", None, "thing"
    name = what.head
    subject = what.of
    if subject is None and isinstance(what.place, t.Place):
        subject = what.place.where
    kinds = bearing(name, sc)
    of_player = (
        kind_of_head(sc, subject.head) == "player"
        if isinstance(subject, t.Sel)
        else isinstance(subject, (t.PlayerN, t.Ref)) and getattr(subject, "word", "you") == "you"
    )
    return name, subject, "player" if of_player and "player" in kinds else common(kinds)


def bearing(name: str, sc: Scope) -> list[str]:
    """The kinds whose things have a field or counter of this name: the widest of each family."""
    model = sc.b.model
    counter = model.counters.get(name)
    if counter is not None:
        return list(counter.on)
    return [
        k.name
        for k in model.kinds.values()
        if field_of(model, k.name, name) and not (k.parent and field_of(model, k.parent, name))
    ]


def common(kinds: list[str]) -> str:
    return kinds[0] if len(kinds) == 1 else "thing"


def static_for_a_time(node: t.Static, sc: Scope) -> None:
    """`It has +2 Strength until the end of the turn`: a change that a text makes, with the boundary at which it goes;
    without one it goes when its bearer leaves the place where it is."""
    b = sc.b
    cost = node.change.startswith("cost")
    what = node.what
    counts = node.change == "counts as"
    if not cost and not counts and not isinstance(what, t.Sel):
        sc.fault(node, "type", "what is changed? Name a counter or a field of something")
        return
    if cost or counts:
        holder = everything(what, sc) if open_noun(what, sc) else bind(what, sc)
    elif what.of is not None:
        holder = everything(what.of, sc) if open_noun(what.of, sc) else whose(what, sc)
    else:
        holder = bearers(what.head, sc) or sc.you or player_code(f"v[{ACTIVE}]")
    name = (
        cost_name(node, holder.type.kind, sc)
        if cost
        else counted_as(node, holder.type.kind, sc)
        if counts
        else what.head
    )
    code = LEAVES if node.during is None else boundary_code(b, duration_name(node.during, sc))
    change = CHANGES.get(node.change, node.change)
    amount = amount_said(node, sc).py
    readers = readers_of(node, sc)
    ident = int(b.table_names.setdefault(("dynamic", (name, change, readers)), str(len(dynamic_names(b)))))
    if not any(m.cond == "dynamic" and m.ident == ident for m in b.modifiers.get(name, ())):
        b.modifiers.setdefault(name, []).append(Modifier(name, change, "", "dynamic", live=readers, ident=ident))
    you = sc.you.py if sc.you else "-1"
    over = holder.py if holder.type.many else f"({holder.py},)"
    row = f"({ident}, i, k, {code}, {you})"
    sc.out.append(Run([f"k = {amount}", f"s.mods = s.mods + tuple([{row} for i in {over} if i >= 0])"]))


def dynamic_names(b: Builder) -> list[Any]:
    return [key for key in b.table_names if key[0] == "dynamic"]


def open_noun(node: Any, sc: Scope) -> bool:
    """`Guards of yours`, `each Guard`: all that the noun can be."""
    return (
        isinstance(node, t.Sel)
        and kind_of_head(sc, node.head) is not None
        and node.quant in ("", "each", "all")
        and node.plural
    )


def bearers(name: str, sc: Scope) -> Code | None:
    """Everything with a field or counter of this name, where no player has it: `Prices are increased by 2`."""
    model = sc.b.model
    counter = model.counters.get(name)
    if field_of(model, "player", name) is not None or (counter is not None and {"player", "game"} & set(counter.on)):
        return None
    kind = (
        counter.on[0] if counter is not None else next((k.name for k in model.kinds.values() if name in k.fields), "")
    )
    return everything(t.Sel(kind, "each", plural=True), sc) if kind in model.kinds else None


def readers_of(node: t.Static, sc: Scope) -> str:
    """For whom a change for a time holds: Python over w, who reads, and m[4], whose text made it; '' for all."""
    if node.to is None:
        return ""
    if isinstance(node.to, t.Ref) and node.to.word == "you":
        return "w == m[4]"
    if isinstance(node.to, t.Sel) and (
        node.to.head == "opponent" or node.to.quant in ("each other", "all other", "another")
    ):
        return "w != m[4]"
    sc.fault(node.to, "type", "for whom? `for you` or `for opponents`")
    return ""


def duration_name(during: t.Duration, sc: Scope) -> str:
    """The boundary at which what is done for a time ends, as the key of an event: `end:turn`, `start:Day`."""
    what = during.what
    if during.cond is not None:
        sc.fault(
            during,
            "type",
            "what a text does for a time ends at a boundary, such as `until the end of the turn`; what holds while "
            "something is so is a rule of its own: `While …, …`",
        )
        return "end:turn"
    head = what.head if isinstance(what, t.Sel) else "turn"
    head = sc.b.model.called.get(head, head)
    if during.form == "until start":
        return (
            "start:"
            + head
            + (":own" if isinstance(what, t.Sel) and isinstance(what.of, t.Ref) and what.of.word == "you" else "")
        )
    known = {"turn", "round", "game", "action", *sc.b.step_names}
    if head not in known and not steps_of_kind(sc.b, head):
        sc.fault(during, "unknown-name", f'"{head}" is no step, turn or round that ends')
    if isinstance(what, t.Sel) and "next" in what.adjs:
        boundary_code(sc.b, "end:" + head)
        return f"end:{head}:next"  # at the first end it becomes what lasts until the second
    return "end:" + head


def boundary_code(b: Builder, name: str) -> int:
    if name not in b.durations:
        b.durations.append(name)
    return b.durations.index(name)


def circles(b: Builder) -> None:
    """A continuous effect that reads, through any chain, what it changes is an error, told at the one that does: in its
    amount, or in whether and of what it holds."""
    calls: dict[str, set[str]] = {}
    for function in b.functions:
        head, _, body = function.removeprefix("def ").partition("(")
        calls.setdefault(head.split(" ")[0], set()).update(WORD.findall(body or head))
    readers = {
        name: changed_as(name[3:]) if name.startswith("as ") else f"changed_{ident_of(name)}" for name in b.modifiers
    }
    own = [
        (name, m, {w for x in (m.amount, m.cond, m.live) for w in WORD.findall(x)})
        for name in b.modifiers
        for m in b.modifiers[name]
    ]
    for name, _, words in own:
        calls.setdefault(readers[name], set()).update(words)
    for name, m, words in own:
        if m.source and readers[name] in reached(words, calls):
            what = f"what counts {name}" if name.startswith("as ") else name
            b.fault(m.source[0], m.source[1], "circular-modifier", f"this changes {what}, and reads {what} to do so")


def reached(names: set[str], graph: dict[str, set[str]]) -> set[str]:
    """All names that are read where these are."""
    seen: set[str] = set()
    queue = list(names)
    while queue:
        at = queue.pop()
        if at not in seen:
            seen.add(at)
            queue += graph.get(at, ())
    return seen
