"""remembered: in, a text that asks what was done this turn with a verb of the language; out, cells that remember it.

What is asked is known before anything is bound (`remember`), so that only what some text asks for is kept: of a counter
how much of it each holder gained or lost, of a thing who moved it last. A cell is cleared at the boundary that the text
names: `Coins gained this turn`, `you have drawn a Charm this round`.
"""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.bound import NUMBER, Code
from interpreter.scope import Builder, Scope
from interpreter.verbs import VERBS

COUNTING = {"gain": "gain", "take": "gain", "place": "gain", "lose": "lose", "pay": "lose", "remove": "lose"}
MOVING = ("draw", "discard", "take", "give", "move", "place", "remove")


def split_trail(trail: str) -> tuple[str, str]:
    """`gained this turn` → (gained, turn); (…, '') where no time is said."""
    word, _, span = trail.partition(" this ")
    return word, span


def verb_of(word: str) -> str:
    """The verb of the language that a participle comes from, '' if none."""
    return next((v.base for v in VERBS.values() if v.participle == word), "")


def key_of(verb: str, head: str, b: Builder) -> str:
    """What is remembered of a verb and what it is done to; '' where nothing can be."""
    if head in b.model.counters:
        return f"{COUNTING[verb]}:{head}" if verb in COUNTING else ""
    return verb if verb in MOVING else ""


def head_of(what: Any) -> str:
    return what.head if isinstance(what, t.Sel) else ""


def span_of(event: t.Event) -> str:
    during = dict(event.roles).get("during")
    what = during.what if isinstance(during, t.Duration) else None
    return what.head if isinstance(what, t.Sel) else "turn"


def remember(node: Any, b: Builder) -> None:
    """Keep what one node of a text asks for."""
    if isinstance(node, t.Did) and node.event is not None and not node.event.is_phrase:
        if node.how in ("did", "did not", "perfect", "perfect not"):
            key = key_of(node.event.verb, head_of(dict(node.event.roles).get("what")), b)
            keep(key, span_of(node.event), b)
    elif isinstance(node, t.Sel) and " this " in node.trail:
        word, span = split_trail(node.trail)
        keep(key_of(verb_of(word), node.head, b), span, b)


def keep(key: str, span: str, b: Builder) -> None:
    span = b.model.called.get(span, span)
    if key and (key, span) not in b.remembered:
        b.remembered[(key, span)] = b.cell(b.model.things, "" if span == "game" else span)
        b.model.tables.setdefault("remembered", []).append(b.remembered[(key, span)])
        b.actions_end = b.actions_end or span == "action"


def cell(key: str, span: str, node: Any, sc: Scope) -> int:
    """The cells of what is remembered; a fault where nothing is."""
    found = sc.b.remembered.get((key, sc.b.model.called.get(span, span)))
    if found is None:
        what = f"what is done with {key}" if key else "this"
        sc.fault(node, "type", f"nothing remembers {what} this {span}: counters, things that are moved and phrases are")
    return -1 if found is None else found


def changed(key: str, holder: str, b: Builder) -> list[str]:
    """Lines that remember n of a counter."""
    return [f"v[{at}+{holder}] += n" for (name, _), at in b.remembered.items() if name == key]


def moved(verb: str, who: str, one: str, b: Builder) -> list[str]:
    """Lines that remember who moved a thing."""
    return [f"v[{at}+{one}] = {who} + 1" for (name, _), at in b.remembered.items() if name == verb]


def amount_told(sel: t.Sel, sc: Scope) -> Code | None:
    """`Coins gained this turn`: how much of a counter; None where the noun is no such thing."""
    from interpreter.amounts import bind

    if sel.head not in sc.b.model.counters or " this " not in sel.trail:
        return None
    word, span = split_trail(sel.trail)
    at = cell(key_of(verb_of(word), sel.head, sc.b), span, sel, sc)
    whose = bind(sel.of, sc) if sel.of is not None else sc.you
    if "game" in sc.b.model.counters[sel.head].cells and sel.of is None:
        return Code(f"v[{at}]", NUMBER)
    if whose is None:
        sc.fault(sel, "no-antecedent", f"whose {sel.head}? Name the player")
        return Code("0", NUMBER)
    if whose.type.many:
        return Code(f"sum([v[{at}+i] for i in {whose.py}])", NUMBER)
    return Code(f"v[{at}+{whose.py}]", NUMBER)


def thing_told(sel: t.Sel, var: str, sc: Scope) -> str:
    """`Charms drawn this turn`, `each Guard banished this turn`: Python that says whether var is one of them."""
    from interpreter.filters import told_by

    word, span = split_trail(sel.trail)
    heads = told_by(sc.b, word, sc.source.pack if sc.source else "")
    if not heads:
        return f"v[{cell(verb_of(word), span, sel, sc)}+{var}] > 0"
    if span not in ("turn", "action"):
        sc.fault(sel, "type", f"what phrases do is remembered until the turn ends, not this {span}")
    history = sc.b.model.tables["history"]
    tests = []
    for head in heads:
        holes = [p for p in head.parts if not isinstance(p, str)]
        at = next((i for i, p in enumerate(holes) if p.kind != "number"), None)
        if at is not None:
            number_ = list(sc.b.phrase_heads).index(head.ident)
            tests.append(f"happened(z[{history}], {number_}, -2, ({'-1, ' * at}{var},))")
    return " or ".join(tests) or "False"
