"""rules: triggers, replacements and continuous effects of a text → Listeners and Modifiers of the builder.

An event has a key (`do:` and a phrase, `gain:` and a counter, `enter`, `start:` and a step, …) and arguments in an order
that KEYS_ARGS states. A listener's match is bound twice: over a0, a1, … where the event happens, and over the routine's
own variables where its body speaks of the participants.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, number, read_field, read_place, whose, words_of
from interpreter.bound import NUMBER, Code, Listener, Modifier, Routine, Run, Type, Var, thing
from interpreter.conditions import condition
from interpreter.figures import as_kind, own_kind
from interpreter.model import ACTIVE, Source
from interpreter.number import span
from interpreter.scope import Builder, Scope, field_of, is_a, kind_test, may_be, player_code
from interpreter.select import everything, kind_of_head, owner_py, pick, zones_of
from interpreter.verbs import VERBS

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
PROPOSED = {"leave", "enter", "move", "place", "draw", "discard", "take", "give", "remove", "gain", "lose", "gains", "loses", "won", "lost",
            "do"}
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


def split(text: t.Text) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The sentences of a text that are effects, and those that are rules of its own: what speaks of something that an effect
    before it took up is set up by that effect."""
    effects: list[Any] = []
    rules: list[Any] = []
    for sentence in text.sentences:
        own = is_rule(sentence) and not (effects and speaks_back(sentence, bound_in(effects)))
        (rules if own else effects).append(sentence)
    return tuple(effects), tuple(rules)


def bound_in(effects: list[Any]) -> set[str]:
    return {node.name for effect in effects for node in nodes(effect) if isinstance(node, (t.Let, t.LetEither))}


def nodes(node: Any) -> Any:
    """A tree's nodes, the outer first."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif isinstance(node, t.Node):
        yield node
        for name in node.__dataclass_fields__:
            if name != "at":
                yield from nodes(getattr(node, name))


def speaks_back(sentence: Any, names: set[str]) -> bool:
    """Whether `that player`, `it` or a bound name in a sentence has nothing in the sentence that it could mean."""
    heads: set[str] = set()
    for node in nodes(sentence):
        if isinstance(node, t.Sel):
            if node.quant in ("that", "those") and node.head not in heads:
                return True
            heads.add(node.head)
        elif isinstance(node, t.Local) and node.name in names:
            return True
        elif isinstance(node, t.Ref) and node.word == "this":
            heads.add("this")
        elif isinstance(node, t.Ref) and node.word in ("it", "they", "them") and not heads - {"player", "opponent", "turn"}:
            return True
    return False


def is_rule(node: Any) -> bool:
    if isinstance(node, t.Limit):
        return all(is_rule(s) for s in node.body.sentences)
    if isinstance(node, t.Static):
        return node.during is None and not speaks_of_them(node.what)
    if isinstance(node, t.Act) and node.modal == "cannot":
        return node.during is None
    if isinstance(node, t.Moment):
        return not (isinstance(node.what, t.Sel) and node.what.quant == "this")
    if isinstance(node, (t.When, t.Replace)) and node.event is not None:
        return without_span(node.event)[1] is None and node.first != "next"
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


def match_scope(b: Builder, owner: Owner, pure: bool = True) -> Scope:
    sc = Scope(b, owner.source, pure=pure, event=True)
    sc.you = player_code("x0") if owner.you else None
    sc.this = Code("x1", thing(owner.kind), sure=True) if owner.kind else None
    sc.locals.update(owner.extras)
    return sc


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
        listener.cell = b.cell(max(1, b.model.things if owner.things else 1), "" if for_good else first)
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


def speak_of_theme(event: t.Event, key: str, args: list[tuple[str, str]], sc: Scope, names: list[str]) -> None:
    """`it` in the body is what the event is about: a subject that is a thing, else what is done to; not the place."""
    head = key.partition(":")[0]
    things = [name for name, (_, kind) in zip(names, args) if kind not in ("player", "number", "zone") and not kind.endswith("*")]
    if head in ("do", "before") and args[0][1] == "player":
        told = [name for role, _ in event.roles for name, (arg, _) in zip(names, args) if arg == role and name in things]
        things = told or things
    theme = next((c for c in reversed(sc.named) if things and c.py == things[0]), None)
    if theme is not None:
        sc.named.append(theme)


def arg_type(kind: str) -> Type:
    if kind == "number":
        return NUMBER
    if kind == "zone":
        return Type("zone")
    if kind.endswith("*"):
        return thing(kind[:-1], True)
    return thing(kind)


def match(event: t.Event, key: str, args: list[tuple[str, str]], sc: Scope, names: list[str]) -> list[str]:
    """Tests that the arguments fit the event's pattern; participants become antecedents of the scope."""
    head = key.partition(":")[0]
    roles = dict(event.roles)
    codes = [Code(name, arg_type(kind), sure=kind not in ("zone",)) for name, (_, kind) in zip(names, args)]
    if head in ("do", "before"):
        sc.locals["actor"] = codes[0]
        for (name, _), code in zip(args[1:], codes[1:]):
            sc.locals[name] = code
        tests = []
        patterns: list[tuple[Any, Code]] = []
        if event.passive:
            holes = [r for r in roles if r not in ("by",)]
            for role in holes:
                patterns.append((roles[role], by_kind(role, roles[role], args, codes, sc)))
            if event.subject is not None:
                patterns.append((event.subject, codes[0]))
        else:
            if event.subject is not None:
                patterns.append((event.subject, codes[0]))
            for role, value in roles.items():
                patterns.append((value, by_kind(role, value, args, codes, sc)))
        for pattern, code in patterns:
            tests += fits(pattern, code, sc)
        for code in codes[1:]:
            if code.type.sort == "thing" and not any(code.py == c.py for c in sc.named):
                sc.named.insert(0, code)
        return tests
    if head in ("won", "lost"):
        return fits(event.subject, codes[0], sc) if event.subject is not None else []
    if head in ("gain", "lose", "gains", "loses"):
        tests = []
        subject = event.subject
        if event.passive or "on" in roles or event.verb in ("place", "remove"):
            spot = next((roles[r] for r in ("on", "in", "at", "from", "under", "to") if r in roles), None)
            if spot is None and isinstance(roles.get("what"), t.Sel) and roles["what"].place is not None:
                spot = roles["what"].place.where
            if subject is not None:
                tests += fits(subject, codes[2], sc)
            whose = roles["what"].of if isinstance(roles.get("what"), t.Sel) else None
            if whose is not None:
                tests += fits(whose, codes[3], sc)
            if spot is not None:
                tests += fits(spot, codes[0], sc)
        elif subject is not None:
            tests += fits(subject, codes[0], sc)
        sc.locals["amount"] = codes[1]
        return tests
    if head in ("start", "end"):
        sc.named.append(codes[0])
        return []
    tests = []
    if head in ("enter", "leave"):
        if event.subject is not None:
            tests += fits(event.subject, codes[1], sc)
        spot = roles.get("what") or roles.get("from") or roles.get("to") or roles.get("on") or roles.get("in")
        if spot is not None:
            tests += fits_zone(spot, codes[2] if head == "leave" else codes[3], sc)
        return tests
    mover: Any = event.subject
    what = roles.get("what")
    if event.passive:
        what, mover = what or event.subject, None if what is None else mover
    elif what is None and mover is not None:
        code = bind_kind(mover, sc)
        if code != "player" and len(codes) > 1:
            what, mover = mover, None
    if mover is not None:
        tests += fits(mover, codes[0], sc)
    if what is not None and len(codes) > 1 and head != "roll":
        tests += fits(what, codes[1], sc)
    for role, index in (("from", 2), ("to", 3), ("on", 3), ("in", 3)):
        if role in roles and len(codes) > index:
            tests += fits_zone(roles[role], codes[index], sc)
    return tests


def bind_kind(node: Any, sc: Scope) -> str:
    if isinstance(node, t.Sel):
        return kind_of_head(sc, node.head) or "thing"
    if isinstance(node, t.Ref) and node.word in ("you", "they"):
        return "player"
    return "thing"


def by_kind(role: str, pattern: Any, args: list[tuple[str, str]], codes: list[Code], sc: Scope) -> Code:
    """The participant that a pattern is about: its own hole, or, where the kind does not fit, one that the phrase adds."""
    wanted = bind_kind(pattern, sc)
    own = next((code for (name, _), code in zip(args, codes) if name == role), codes[0])
    if own.type.sort != "thing" or (may_be(sc.b.model, own.type.kind, wanted) and wanted != "thing"):
        return own
    if wanted == "thing":
        if (
            isinstance(pattern, t.Ref)
            and sc.this is not None
            and not may_be(sc.b.model, own.type.kind, sc.this.type.kind)
        ):
            other = next(
                (c for c in codes[1:] if c.type.sort == "thing" and may_be(sc.b.model, c.type.kind, sc.this.type.kind)),
                None,
            )
            return other or own
        if isinstance(pattern, t.Sel):
            code = bind(pattern, sc)
            other = next(
                (
                    c
                    for c in codes[1:]
                    if c.type.sort == "thing"
                    and c.type.kind != "thing"
                    and is_a(sc.b.model, code.type.kind, c.type.kind)
                ),
                None,
            )
            if not may_be(sc.b.model, code.type.kind, own.type.kind) and other is not None:
                return other
        return own
    return next((c for c in codes[1:] if c.type.sort == "thing" and may_be(sc.b.model, c.type.kind, wanted)), own)


def fits(pattern: Any, code: Code, sc: Scope) -> list[str]:
    """Tests that a participant is what a pattern says; it becomes an antecedent."""
    model = sc.b.model
    if isinstance(pattern, t.Join):
        inner = [" and ".join(fits(part, code, sc)) or "True" for part in pattern.parts]
        return [f"({' or '.join(inner)})"]
    if (
        isinstance(pattern, t.Sel)
        and kind_of_head(sc, pattern.head)
        and pattern.quant in ("a", "another", "each", "all", "", "any number of", "exactly", "each other", "at least")
        and not pattern.trail
    ):
        kind = kind_of_head(sc, pattern.head)
        assert kind is not None
        code = as_kind(sc, code, kind)
        the_one = definite(pattern, kind, sc)
        if the_one is not None:
            sc.named.append(Code(code.py, the_one.type, sure=True))
            return [f"{code.py} {'in' if the_one.type.many else '=='} {the_one.py}"]
        if not may_be(model, code.type.kind, kind):
            sc.fault(pattern, "type", f"{words_of(code.type)} is never a {kind}")
            return ["False"]
        narrowed = Code(code.py, thing(kind) if is_a(model, kind, code.type.kind) else code.type, sure=True)
        sc.named.append(narrowed)
        plain = t.Sel(
            pattern.head,
            "a",
            None,
            pattern.adjs,
            pattern.of,
            pattern.of_form,
            pattern.place,
            pattern.filters,
            at=pattern.at,
        )
        tests = []
        test = kind_test(model, kind, code.py, code.type.kind)
        if test:
            tests.append(f"({test})")
        if kind == "player" and (pattern.head == "opponent" or pattern.quant in ("another", "each other")):
            you = sc.you.py if sc.you else f"v[{ACTIVE}]"
            tests.append(f"{code.py} != {you}")
        if pattern.adjs or pattern.of is not None or pattern.place is not None or pattern.filters:
            p = pick(plain, sc)
            p.loops = [(p.var, f"({code.py},)")]
            p.conds = [c for c in p.conds if c]
            if pattern.place is not None:
                from interpreter.select import bind_place

                where = zones_of(bind_place(pattern.place.where, sc), sc)
                if where:
                    p.conds.append(f"v[{model.loc}+{p.var}] {'==' if where[0] else 'in'} {where[1]}")
            if pattern.of is not None and kind in model.kinds and model.kinds[kind].each == "player":
                p.conds.append(f"{owner_py(sc, kind, p.var)} == {bind(pattern.of, sc).py}")
            if p.conds:
                tests.append(f"any([True for {p.var} in ({code.py},) if {' and '.join(p.conds)}])")
        return tests
    value = bind(pattern, sc)
    sc.named.append(Code(code.py, code.type, sure=True))
    if value.type.sort != code.type.sort:
        sc.fault(pattern, "type", f"{words_of(code.type)} is never {words_of(value.type)}")
        return ["False"]
    if value.type.many:
        return [f"{code.py} in {value.py}"]
    return [f"{code.py} == {value.py}"]


def definite(pattern: t.Sel, kind: str, sc: Scope) -> Code | None:
    """`your Tower`, `its Route`: a participant has to be that very thing; None where `your` says whose it may be."""
    if pattern.of is None or pattern.quant not in ("", "the") or own_kind(sc, kind):
        return None
    return read_field(pattern, sc) or read_place(pattern, sc)


def fits_zone(pattern: Any, code: Code, sc: Scope) -> list[str]:
    """Tests that a zone is (on or in) what a pattern says."""
    if (
        isinstance(pattern, t.Sel)
        and kind_of_head(sc, pattern.head)
        and pattern.quant in ("a", "another", "each", "the", "your", "")
    ):
        kind = kind_of_head(sc, pattern.head)
        assert kind is not None
        if kind in sc.b.model.kinds and any(
            k.holds for k in sc.b.model.kinds.values() if may_be(sc.b.model, k.name, kind)
        ):
            place = Code(f"PLACE[{code.py}]", thing("thing"))
            out = fits(
                t.Sel(
                    pattern.head,
                    "a",
                    None,
                    pattern.adjs,
                    pattern.of,
                    pattern.of_form,
                    pattern.place,
                    pattern.filters,
                    at=pattern.at,
                ),
                place,
                sc,
            )
            return [f"{code.py} >= 0", *out]
    value = bind(pattern, sc)
    where = zones_of(value, sc)
    if where is None:
        sc.fault(pattern, "type", f"{words_of(value.type)} is no place")
        return ["False"]
    return [f"{code.py} {'==' if where[0] else 'in'} {where[1]}"]


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
    cell = b.cell(max(1, b.model.things if owner.things else 1))
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


# ---------------------------------------------------------------- continuous effects


def modified_names(node: t.Static, b: Builder) -> set[str]:
    """The names of the fields or counters that a continuous effect can change."""
    if node.change.startswith("cost"):
        return {name for name in COSTS if any(name in k.fields for k in b.model.kinds.values())}
    return {node.what.head} if isinstance(node.what, t.Sel) else set()


COSTS = ("Cost", "Price")  # what `costs 1 less` means, the first that a kind has


def cost_name(node: t.Static, kind: str, sc: Scope) -> str:
    for name in COSTS:
        if field_of(sc.b.model, kind, name) is not None:
            return name
    sc.fault(node, "type", f"a {kind} has no {' and no '.join(COSTS)} that could be less or more")
    return COSTS[0]


def static(node: Any, cond: Any, b: Builder, owner: Owner) -> None:
    """A continuous effect of a text, for as long as its bearer is live and the condition holds."""
    if isinstance(node, t.Act) and node.modal == "cannot":
        bar(node, cond, b, owner)
        return
    if not isinstance(node, t.Static):
        b.fault(owner.source, node.at, "type", "only something continuous can follow while: is, has, costs, cannot")
        return
    sc = match_scope(b, owner)
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
        if isinstance(subject, t.Ref) and subject.word == "you" and kind == "player":
            tests.append("y == x0")
        elif isinstance(subject, t.Ref) and subject.word == "you":
            tests.append("w == x0")          # `your Prices`: as you read them
        else:
            tests += fits(subject, y, sc)
    amount = number(node.amount, sc) if node.amount is not None else Code("0", NUMBER)
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
            set(amount.reads),
            (owner.source, node.at),
            ident=sum(len(m) for m in b.modifiers.values()) + 1,
        )
    )


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
        return cost_name(node, kind, sc), node.what, kind
    what = node.what
    if not isinstance(what, t.Sel) or what.head not in b.modified:
        b.fault(
            sc.source,
            node.at,
            "type",
            "what is changed? Name a counter or a field of something, as in `your Hand Size is 7`",
        )
        return "", None, "thing"
    name = what.head
    counter = model.counters.get(name)
    if counter is not None:
        kind = counter.on[0] if len(counter.on) == 1 else "thing"
    else:
        kind = next(
            (
                k.name
                for k in model.kinds.values()
                if field_of(model, k.name, name) and not (k.parent and field_of(model, k.parent, name))
            ),
            "thing",
        )
    subject = what.of
    if subject is None and isinstance(what.place, t.Place):
        subject = what.place.where
    if subject is not None and isinstance(subject, t.Sel) and kind_of_head(sc, subject.head):
        kind = kind_of_head(sc, subject.head) or kind
    elif isinstance(subject, t.Ref) and subject.word == "this" and sc.this is not None:
        kind = sc.this.type.kind
    return name, subject, kind


def bar(node: t.Act, cond: Any, b: Builder, owner: Owner) -> None:
    """`X cannot …`: the event is answered with nothing, and options for it are not offered."""
    event = t.Event(node.verb, node.subject, node.roles, False, node.is_phrase, at=node.at)
    trigger(node, event, "instead", t.Text(()), cond, "", b, owner, b.replacements)


def forbid(node: t.Act, sc: Scope) -> None:
    rule_in_play(node, sc)


def rule_in_play(node: Any, sc: Scope) -> None:
    from interpreter.armed import arm

    arm(node, sc)


def static_for_a_time(node: t.Static, sc: Scope) -> None:
    """`It has +2 Strength until the end of the turn`: a change that a text makes, with the boundary at which it goes;
    without one it goes when its bearer leaves the place where it is."""
    b = sc.b
    cost = node.change.startswith("cost")
    what = node.what
    if not cost and not isinstance(what, t.Sel):
        sc.fault(node, "type", "what is changed? Name a counter or a field of something")
        return
    if cost:
        holder = bind(what, sc)
    elif what.of is not None:
        holder = everything(what.of, sc) if open_noun(what.of, sc) else whose(what, sc)
    else:
        holder = bearers(what.head, sc) or sc.you or player_code(f"v[{ACTIVE}]")
    name = cost_name(node, holder.type.kind, sc) if cost else what.head
    code = LEAVES if node.during is None else boundary_code(b, duration_name(node.during, sc))
    change = CHANGES.get(node.change, node.change)
    amount = number(node.amount, sc).py if node.amount is not None else "0"
    readers = readers_of(node, sc)
    ident = int(b.table_names.setdefault(("dynamic", (name, change, readers)), str(len(dynamic_names(b)))))
    if not any(m.cond == "dynamic" and m.ident == ident for m in b.modifiers.get(name, ())):
        b.modifiers.setdefault(name, []).append(Modifier(name, change, "", "dynamic", live=readers, ident=ident))
    you = sc.you.py if sc.you else "-1"
    over = holder.py if holder.type.many else f"({holder.py},)"
    row = f"({ident}, i, k, {code}, {you})"
    sc.out.append(Run([f"k = {amount}", f"s.mods = s.mods + tuple([{row} for i in {over} if i >= 0])"]))


LEAVES = -1  # the boundary of what lasts until its bearer leaves
CHANGES = {"no": "set", "cost less": "minus", "cost more": "plus"}


def dynamic_names(b: Builder) -> list[Any]:
    return [key for key in b.table_names if key[0] == "dynamic"]


def open_noun(node: Any, sc: Scope) -> bool:
    """`Guards of yours`, `each Guard`: all that the noun can be."""
    return isinstance(node, t.Sel) and kind_of_head(sc, node.head) is not None and node.quant in ("", "each", "all") and node.plural


def bearers(name: str, sc: Scope) -> Code | None:
    """Everything with a field or counter of this name, where no player has it: `Prices are increased by 2`."""
    model = sc.b.model
    counter = model.counters.get(name)
    if field_of(model, "player", name) is not None or (counter is not None and {"player", "game"} & set(counter.on)):
        return None
    kind = counter.on[0] if counter is not None else next((k.name for k in model.kinds.values() if name in k.fields), "")
    return everything(t.Sel(kind, "each", plural=True), sc) if kind in model.kinds else None


def readers_of(node: t.Static, sc: Scope) -> str:
    """For whom a change for a time holds: Python over w, who reads, and m[4], whose text made it; '' for all."""
    if node.to is None:
        return ""
    if isinstance(node.to, t.Ref) and node.to.word == "you":
        return "w == m[4]"
    if isinstance(node.to, t.Sel) and (node.to.head == "opponent" or node.to.quant in ("each other", "all other", "another")):
        return "w != m[4]"
    sc.fault(node.to, "type", "for whom? `for you` or `for opponents`")
    return ""


def duration_name(during: t.Duration, sc: Scope) -> str:
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
    """A continuous effect that reads, through any chain, what it changes is an error."""
    graph: dict[str, set[str]] = {}
    for name, modifiers in b.modifiers.items():
        for m in modifiers:
            graph.setdefault(name, set()).update(m.reads)
    for name, modifiers in b.modifiers.items():
        seen: set[str] = set()
        queue = list(graph.get(name, ()))
        while queue:
            at = queue.pop()
            if at in seen:
                continue
            seen.add(at)
            queue += graph.get(at, ())
        if name in seen:
            m = next(m for m in modifiers if m.source)
            b.fault(m.source[0], m.source[1], "circular-modifier", f"this changes {name}, and reads {name} to do so")


_ = (Routine, span)
