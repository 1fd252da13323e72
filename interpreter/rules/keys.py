"""keys: what an event is called, and its arguments in order.

In: an event tree. Out: its key; names and kinds of its arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import tree as t
from interpreter.bound import NUMBER, Code, Type, thing
from interpreter.model import Source
from interpreter.scope import Builder, is_a

# key → kinds of its arguments, for the keys of the core
KEY_ARGS: dict[str, tuple[str, ...]] = {
    "leave": ("player", "thing", "zone", "zone"),
    "enter": ("player", "thing", "zone", "zone"),
    "move": ("player", "thing", "zone", "zone"),
    "place": ("player", "thing", "zone", "zone"),
    "draw": ("player", "thing", "zone", "zone"),
    "discard": ("player", "thing", "zone", "zone"),
    "take": ("player", "thing", "zone", "zone"),
    "give": ("player", "thing", "zone", "zone"),
    "remove": ("player", "thing", "zone", "zone"),
    "play": ("player", "thing"),
    "reveal": ("player", "thing"),
    "roll": ("player", "number"),
}


# What is told of, and what is proposed first so that it can be replaced, beside counters (gain:, lose:) and phrases (do:).
TOLD = {*KEY_ARGS, "do", "before", "gain", "lose", "become", "won", "lost"}


PROPOSED = {
    "leave",
    "enter",
    "move",
    "place",
    "draw",
    "discard",
    "take",
    "give",
    "remove",
    "gain",
    "lose",
    "gains",
    "loses",
    "won",
    "lost",
    "do",
}


READS = re.compile(r"\b[vz]\[|\(s,")  # a test that reads the state, not only what takes part


CONTESTS = {"win": "won", "lose": "lost"}  # of something that is not the game


COUNTER_VERBS = {
    "gain": "gain",
    "lose": "lose",
    "pay": "lose",
    "take": "gain",
    "place": "gain",
    "remove": "lose",
    "receive": "gain",
}


@dataclass(slots=True)
class Owner:
    """Whose text a rule stands in: things that bear it, and how `you` and `this` are found."""

    things: tuple[int, ...] = ()
    kind: str = ""
    live: str = ""  # Python over x1
    you: str = ""  # Python for x0; '' when the text has no `you`
    source: Source | None = None
    label: str = ""
    extras: dict[str, Code] = field(default_factory=dict)


def event_key(event: t.Event, b: Builder, word: str = "when") -> str:
    """The key of what an event tree describes."""
    if event.is_phrase:
        return f"{'before' if word == 'before' else 'do'}:{event.verb}"
    roles = dict(event.roles)
    what = roles.get("what")
    head = what.head if isinstance(what, t.Sel) else what.what.head if isinstance(what, t.Equal) else ""
    if event.passive and isinstance(event.subject, t.Sel) and not head:
        head = event.subject.head
    if head in b.model.counters and event.verb in COUNTER_VERBS:
        several = word == "instead" and isinstance(what, t.Sel) and what.plural and not what.quant
        return f"{COUNTER_VERBS[event.verb]}{'s' if several else ''}:{head}"
    if event.verb in CONTESTS and head and head != "game":
        return f"{CONTESTS[event.verb]}:{head}"
    if event.verb in ("become", "is") or event.state:
        return f"become:{event.state or head}"
    return event.verb


def without_span(event: t.Event | None) -> tuple[Any, Any]:
    """The event without its `this turn`, and that span."""
    if event is None:
        return None, None
    span_ = next((value for role, value in event.roles if role == "during"), None)
    return replace(event, roles=tuple(r for r in event.roles if r[0] != "during")), span_


def moment_keys(node: t.Moment, b: Builder) -> list[tuple[str, bool]]:
    """(key, whether it is about your own) of each step that the moment can be: `each Phase` is each step of that kind."""
    key, mine = moment_key(node, b)
    edge_, _, name = key.partition(":")
    steps = steps_of_kind(b, name)
    return [(f"{edge_}:{step}", mine) for step in steps] if steps else [(key, mine)]


def steps_of_kind(b: Builder, name: str) -> list[str]:
    """The steps that are things of a kind."""
    kind = b.model.kinds.get(name)
    if kind is None:
        return []
    return [r.name for r in b.model.records.values() if is_a(b.model, r.kind, name) and r.name in b.step_names]


def moment_key(node: t.Moment, b: Builder) -> tuple[str, bool]:
    """(key, whether it is about your own turn or step)."""
    what = node.what
    if isinstance(what, t.Sel):
        head = b.model.called.get(what.head, what.head)
        return f"{node.edge}:{head}", isinstance(what.of, t.Ref) and what.of.word == "you"
    return f"{node.edge}:game", False


def arguments_of(key: str, b: Builder, event: t.Event | None) -> list[tuple[str, str]]:
    """(name, kind) of an event's arguments in order."""
    head, _, rest = key.partition(":")
    if head in ("do", "before"):
        phrase = b.phrase_heads[rest]
        out = [("actor", phrase.subject if phrase.subject in b.model.kinds or phrase.subject == "player" else "player")]
        out += [(p.name, p.kind + ("*" if p.plural else "")) for p in phrase.parts if not isinstance(p, str)]
        body = b.model.phrases[rest]
        routine = b.phrase_routines[rest]
        for name, var in zip(body.event, routine.vars[len(routine.params) :]):
            out.append((name, var.type.kind or "number"))
        return out
    if head in ("gain", "lose", "gains", "loses"):
        counter = b.model.counters[rest]
        index = next(iter(counter.each.values()), "thing")
        holder = counter.on[0] if len(counter.on) == 1 else "thing"
        return [("holder", holder), ("amount", "number"), ("actor", "player"), ("member", index)]
    if head in ("won", "lost"):
        return [("actor", "player")]
    if head == "become":
        return [("actor", "player"), ("thing", "thing")]
    if head in ("start", "end"):
        return [("active", "player")]
    return [(f"a{i}", kind) for i, kind in enumerate(KEY_ARGS.get(key, ("player", "thing", "zone", "zone")))]


def proposed_count(key: str, b: Builder, told: int) -> int:
    """How many arguments an event has when it is proposed: what a phrase adds to its holes is reckoned only afterwards."""
    head, _, rest = key.partition(":")
    return 1 + sum(not isinstance(p, str) for p in b.phrase_heads[rest].parts) if head == "do" else told


def unanswered(key: str, word: str) -> str:
    """Why no text can answer an event; '' where one can."""
    head, _, rest = key.partition(":")
    if word == "instead" and head not in PROPOSED:
        return f"nothing can happen instead of this, and it cannot be forbidden: not {head}, but what moves, counters and phrases"
    if word == "before" and head != "before":
        return "only a phrase of the game is told of before it happens; write `If … would …, … instead`, or When"
    if (head not in TOLD and word != "instead") or (head in ("gain", "lose") and not rest):
        return f"nothing is told of {head}: make a phrase of it, or speak of what it changes"
    return ""


def arg_type(kind: str) -> Type:
    if kind == "number":
        return NUMBER
    if kind == "zone":
        return Type("zone")
    if kind.endswith("*"):
        return thing(kind[:-1], True)
    return thing(kind)


LEAVES = -1  # the boundary of what lasts until its bearer leaves


CHANGES = {"no": "set", "counts as": "set", "cost less": "minus", "cost more": "plus"}
