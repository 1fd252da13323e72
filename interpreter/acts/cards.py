"""cards: draw, shuffle, reveal, look at, play.

In: an Act with its roles. Out: code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import Roles
from interpreter.acts.events import announce
from interpreter.acts.giving import hand_zone
from interpreter.acts.moving import move_to, zone_for
from interpreter.acts.placing import discard_zone, whole
from interpreter.amounts import bind, number
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Chance,
    Code,
    Loop,
    Run,
    thing,
)
from interpreter.facts import kind_of_head
from interpreter.model import ACTIVE
from interpreter.scope import Scope, is_a, may_be, player_code
from interpreter.select import bind_place
from interpreter.statements import (
    each_of,
    target,
    where,
)


def deck_of(sc: Scope, sel: t.Sel, who: Code, node: Any) -> str | None:
    """The zone that a kind of card is drawn from (Python expression)."""
    model = sc.b.model
    kind = model.kinds.get(sel.head)
    if sel.place is not None:
        return zone_for(bind_place(sel.place.where, sc), sc, node)
    zone = model.zones.get(kind.deck) if kind and kind.deck else None
    if zone is None:
        zone = next(
            (
                z
                for z in model.zones.values()
                if z.deck and (sel.head == "card" or any(is_a(model, sel.head, h) for h in z.holds))
            ),
            None,
        )
    if zone is None:
        sc.fault(node, "type", f"{sel.head} is drawn from no deck: give its kind a `deck`")
        return None
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)


def draw(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    sel = what.what if isinstance(what, t.Equal) else what
    if isinstance(what, t.Per):
        sel = what.amount
    if not isinstance(sel, t.Sel):
        sc.fault(what, "type", "draw what? Write `draw 2 Charms`")
        return
    if isinstance(what, t.Equal):
        count = number(what.amount, sc).py
    elif isinstance(what, t.Per):
        count = f"{number(sel.count, sc).py if sel.count is not None else '1'} * {bind(t.Count(what.each, at=what.at), sc).py}"
    else:
        count = number(sel.count, sc).py if sel.count is not None else "1"
    source = bind(roles["from"], sc) if "from" in roles else None
    zone = zone_for(source, sc, node) if source is not None else deck_of(sc, sel, who, node)
    if zone is None:
        return
    kind = kind_of_head(sc, sel.head) or "card"
    held = sc.b.model.zones.get(source.type.kind) if source is not None and source.type.sort == "zone" else None
    if held is not None and not held.deck:
        blind = t.Sel(
            sel.head,
            "exactly",
            t.Num(1),
            sel.adjs,
            place=t.Place("in", roles["from"]),
            at_random=True,
            plural=True,
            at=sel.at,
        )
        count_ = what.amount if isinstance(what, t.Equal) else sel.count or t.Num(1)
        things = target(replace(blind, count=count_), sc, who, "Draw")
        each_of(things, sc, lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node), "draw"))
        return
    drawn(
        sc,
        node,
        zone,
        count,
        kind,
        lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node), "draw"),
    )


def drawn(sc: Scope, node: Any, zone: str, count: str, kind: str, body: Callable[[Code, Scope], None]) -> str:
    """The top cards of a deck one after the other → the variable with all of them; a mixed deck gives them at random."""
    top, got = sc.fresh(thing(kind)), sc.fresh(thing(kind, True))
    deck = known_deck(sc, zone)
    inner = sc.inner(out=[])
    one = Code(top, thing(kind), sure=True)
    before = "" if count == "1" else f"{got} + "
    inner.out += [Run([f"settle(s, {deck}, {top})"]), Assign(got, f"{before}({top},)")]
    body(one, inner)
    chance = Chance(top, f"tops(s, {deck})", "Draw", where(sc, node))
    sc.out.append(Assign(got, "()"))
    if count == "1":
        sc.out += [chance, Branch(f"{top} >= 0", inner.out)]
    else:
        left = sc.fresh(NUMBER)
        again = Branch(f"{top} >= 0", inner.out, [Assign(left, "0")])
        sc.out += [Assign(left, count), Loop(f"{left} > 0", [Assign(left, f"{left} - 1"), chance, again])]
    code = Code(got, thing(kind, True))
    sc.name(code)
    if count == "1":
        sc.name(Code(top, thing(kind)))
    sc.chosen["drawn " + kind] = code
    return got


def known_deck(sc: Scope, zone: str) -> str:
    """A deck that stays the same while cards are drawn from it: its number, or a variable that holds it."""
    if zone.isdigit():
        return zone
    deck = sc.fresh(NUMBER)
    sc.out.append(Assign(deck, zone))
    return deck


def shuffle(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    if "into" not in roles:
        code = bind(what, sc)
        zone = zone_for(code, sc, node)
        sc.out.append(Run([f"k = {zone}", "shuffle(s, k)", "if s.lg is not None: s.lg.append(('shuffle', k))"]))
        return
    into = zone_for(bind(roles["into"], sc), sc, node)
    code = bind(what, sc.inner(pure=True))
    if code.type.sort == "zone":
        things = Code(f"z[{code.py}]", thing("thing", True))
    else:
        things = target(what, sc.inner(anywhere=whole(what)), sc.you or player_code("v[1]"), "Shuffle")

    def once(one: Code, inner: Scope) -> None:
        inner.out.append(Run([f"mv(s, {one.py}, {into})"]))

    each_of(things, sc, once)
    sc.out.append(Run([f"shuffle(s, {into})", f"if s.lg is not None: s.lg.append(('shuffle', {into}))"]))


def top_cards(sel: Any) -> bool:
    return isinstance(sel, t.Sel) and sel.quant in ("top", "bottom")


def with_top(sc: Scope, node: Any, sel: t.Sel, who: Code, body: Callable[[Code, Scope], None]) -> Code:
    """`the top N cards of a deck`: they become known in order without leaving it."""
    kind = kind_of_head(sc, sel.head) or "card"
    if sel.of is not None:
        zone = zone_for(bind(sel.of, sc), sc, node)
    else:
        zone = deck_of(sc, sel, who, node) or "-1"
    count = number(sel.count, sc).py if sel.count is not None else "1"
    deck = known_deck(sc, zone)
    got, one = sc.fresh(thing(kind, True)), sc.fresh(thing(kind))
    several, single = Code(got, thing(kind, True)), Code(one, thing(kind))
    inner = sc.inner(out=[])
    if count == "1" and not sel.plural:
        inner.out += [Run([f"settle(s, {deck}, {one})"]), Assign(got, f"({one},)")]
        chance = Chance(one, f"tops(s, {deck})", "Draw", where(sc, node))
        sc.out += [Assign(got, "()"), chance, Branch(f"{one} >= 0", inner.out)]
        body(replace(single, sure=True), inner)
        sc.name(several)
        sc.name(single)
        return single
    left = sc.fresh(NUMBER)
    sc.out += [Assign(got, "()"), Assign(left, f"min({count}, len(z[{deck}]))")]
    inner.out.append(Run([f"settle_next(s, {deck}, {one}, len({got}))"]))
    inner.out.append(Assign(got, f"{got} + ({one},)"))
    chance = Chance(one, f"next_tops(s, {deck}, len({got}))", "Draw", where(sc, node))
    sc.out.append(
        Loop(
            f"{left} > 0", [Assign(left, f"{left} - 1"), chance, Branch(f"{one} >= 0", inner.out, [Assign(left, "0")])]
        )
    )
    each_of(several, sc, body)
    sc.name(several)
    if count == "1":
        sc.name(single)
    return several


def reveal(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    show(node, roles["what"], sc, subject, "(1 << v[0]) - 1")


def look(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    show(node, roles["what"], sc, subject, f"1 << {who.py}")


def show(node: t.Act, what: Any, sc: Scope, subject: Code | None, mask: str) -> None:
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    calls, fires = announce(sc, "reveal", who.py, "k") if node.verb == "reveal" else ([], set())
    down = sc.b.model.states.get("face-down")
    kind = kind_of_head(sc, what.head) if isinstance(what, t.Sel) else None
    turned = (
        [f"v[{down[0].cell}+k] = 0"] if node.verb == "reveal" and down and faced(what, kind, down[0].kind, sc) else []
    )

    def once(one: Code, inner: Scope) -> None:
        inner.out.append(
            Run(
                [
                    f"k = {one.py}",
                    f"know(s, {mask}, k)",
                    *turned,
                    f"if s.lg is not None: s.lg.append(('reveal', k, {mask}))",
                    *calls,
                ],
                fires,
            )
        )

    if (
        isinstance(what, t.Sel)
        and what.quant in ("a", "exactly")
        and what.place is None
        and not what.filters
        and kind_deck(what, sc)
    ):
        what = replace(what, quant="top")
    if top_cards(what):
        with_top(sc, node, what, who, once)
        return
    if (isinstance(what, t.Sel) and what.head in sc.b.model.zones) or (
        isinstance(what, t.Sel) and what.head in sc.b.model.counters
    ):
        code = bind(what, sc)
        if code.type.sort == "zone":
            each_of(Code(f"z[{code.py}]", thing("card", True)), sc, once)
        return
    each_of(target(what, sc, who, "Reveal"), sc, once)


def faced(what: Any, kind: str | None, has: str, sc: Scope) -> bool:
    """Whether what is revealed may lie face down on the table, so that it is turned up."""
    if isinstance(what, t.Sel) and kind is None:
        kind = next((r.kind for r in sc.b.model.records.values() if r.name == what.head), None)
    return kind is not None and may_be(sc.b.model, kind, has) and kind not in ("card", "thing")


def kind_deck(sel: t.Sel, sc: Scope) -> bool:
    """Whether a noun is a kind that is drawn from a deck: then one that nothing else tells is the one on top of it."""
    kind = sc.b.model.kinds.get(sel.head)
    return kind is not None and bool(kind.deck)


def play(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """A thing whose kind stays where it is played is put there. Of another the text is performed; then it is discarded, unless
    its text put it somewhere."""
    from interpreter.acts.flow import effect

    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    things = target(roles["what"], sc, who, "Play")
    loc = sc.b.model.loc

    def once(one: Code, inner: Scope) -> None:
        before = inner.fresh(NUMBER)
        inner.out.append(Assign(before, f"v[{loc}+{one.py}]"))
        # Who plays a card shows it.
        seen = f"v[{sc.b.model.seen}+{one.py}]"
        shown = f"s.lg.append(('did', 'plays {{}}', {who.py}, ({one.py},), ({seen},)))"
        lines = [f"know(s, (1 << v[0]) - 1, {one.py})", f"if s.lg is not None: {shown}"]
        inner.out.append(Branch(f"{one.py} >= 0", [Run(lines)]))
        stays = played_zone(inner, one, who)
        if stays:
            move_to(inner, node, one, stays, "place")
        else:
            effect(inner, node, one, who, "")
            after = inner.inner(out=[])
            move_to(after, node, one, discard_zone(after, one, who), "discard")
            inner.out.append(Branch(f"v[{loc}+{one.py}] == {before}", after.out))
        calls, fires = announce(inner, "play", who.py, one.py)
        if calls:
            inner.out.append(Run(calls, fires))

    each_of(things, sc, once)


def played_zone(sc: Scope, one: Code, who: Code) -> str:
    """The zone where a played thing of this kind stays; '' if it is discarded."""
    kind = sc.b.model.kinds.get(one.type.kind)
    zone = sc.b.model.zones.get(kind.played) if kind is not None and kind.played else None
    if zone is None:
        return ""
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)
