"""matching: whether an event fits a pattern, and what its participants are called afterwards.

In: an event tree and its arguments. Out: Python tests.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import bind, read_field, read_place, words_of
from interpreter.bound import NUMBER, Code, thing
from interpreter.facts import kind_of_head, owner_py, zones_of
from interpreter.figures import as_kind, own_kind
from interpreter.model import ACTIVE
from interpreter.rules.keys import Owner, arg_type
from interpreter.scope import Builder, Scope, is_a, kind_test, may_be, player_code, wide
from interpreter.select import pick


def split(text: t.Text) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The sentences of a text that are effects, and those that are rules of its own: what speaks of something that an effect
    before it took up is set up by that effect."""
    from interpreter.rules.triggers import is_rule

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
        elif (
            isinstance(node, t.Ref)
            and node.word in ("it", "they", "them")
            and not heads - {"player", "opponent", "turn"}
        ):
            return True
    return False


def match_scope(b: Builder, owner: Owner, pure: bool = True) -> Scope:
    sc = Scope(b, owner.source, pure=pure, event=True)
    sc.you = player_code("x0") if owner.you else None
    sc.this = Code("x1", thing(owner.kind), sure=True) if owner.kind else None
    sc.locals.update(owner.extras)
    return sc


def speak_of_what_it_has(pattern: Any, sc: Scope) -> None:
    """`When a player uses a Tower with a Guard on it, move that Guard`: the one that is there now."""
    from interpreter.statements import name_what_it_has

    if not isinstance(pattern, t.Sel) or not pattern.filters:
        return
    kind = kind_of_head(sc, pattern.head) or ""
    code = next((c for c in reversed(sc.named) if kind and is_a(sc.b.model, c.type.kind, kind)), None)
    if code is not None:
        name_what_it_has(pattern, code, sc)


def speak_of_theme(event: t.Event, key: str, args: list[tuple[str, str]], sc: Scope, names: list[str]) -> None:
    """`it` in the body is what the event is about: a subject that is a thing, else what is done to; not the place."""
    head = key.partition(":")[0]
    things = [
        name
        for name, (_, kind) in zip(names, args)
        if kind not in ("player", "number", "zone") and not kind.endswith("*")
    ]
    if head in ("do", "before") and args[0][1] == "player":
        told = [
            name for role, _ in event.roles for name, (arg, _) in zip(names, args) if arg == role and name in things
        ]
        things = told or things
    theme = next((c for c in reversed(sc.named) if things and c.py == things[0]), None)
    if theme is not None:
        sc.named.append(theme)


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
        sc.much += [code for code in codes[1:] if code.type.sort == "number"][:1]
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
        sc.much.append(codes[1])
        return tests
    if head in ("start", "end"):
        sc.named.append(codes[0])
        return []
    sc.much.append(codes[1] if head == "roll" else Code("1", NUMBER, most=1))
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
        kind_there = bind_kind(mover, sc)
        if kind_there != "player" and len(codes) > 1:
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
    if isinstance(pattern, t.Much) and pattern.open:
        return []
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
        narrow = wide(model, kind)
        narrowed = Code(code.py, thing(narrow) if is_a(model, narrow, code.type.kind) else code.type, sure=True)
        sc.named.append(narrowed)
        plain = replace(pattern, quant="a", count=None, trail="", at_random=False, rounding="", plural=False)
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
                replace(pattern, quant="a", count=None, trail="", at_random=False, rounding="", plural=False),
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
