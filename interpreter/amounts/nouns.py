"""nouns: pronouns, locals, and selections as values. READERS and BINDERS are the tables of contents.

In: an expression tree and a Scope. Out: Code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import tree as t
from interpreter.amounts.counters import read_counter
from interpreter.amounts.fields import read_each, read_field
from interpreter.amounts.numbers import (
    bind,
    bind_arith,
    bind_choice,
    bind_count,
    bind_equal,
    bind_half,
    bind_join,
    bind_much,
    bind_num,
    bind_per,
    bind_short,
    bind_total,
    bind_twice,
    bind_value,
    one_thing,
    words_of,
)
from interpreter.amounts.places import place_of_this, read_next, read_place, read_record, read_zone
from interpreter.bound import NOTHING, NUMBER, Code, thing
from interpreter.declare import near_of
from interpreter.facts import kind_of_head, owner_py
from interpreter.figures import player_of
from interpreter.model import ACTIVE, FIRST, ROLL, ROUND
from interpreter.picked import as_list, as_one
from interpreter.remembered import amount_told
from interpreter.scope import Scope, counter_cell, field_of, is_a, may_be, player_code
from interpreter.select import pick


def bind_local(node: t.Local, sc: Scope) -> Code:
    code = sc.locals.get(node.name)
    if code is None:
        sc.fault(node, "unknown-word", f'"{node.name}" is not bound here', near_of(node.name, sc.locals))
        return Code("-1", NOTHING)
    return code


def bind_ref(node: t.Ref, sc: Scope) -> Code:
    """A pronoun: `you`, `this`, `it`, `they`, `itself`. A fault where nothing before it can be meant."""
    if node.word in ("you", "yours", "yourself"):
        if sc.you is None:
            sc.fault(node, "no-antecedent", '"you" means nobody here; name the player')
            return player_code("0")
        return sc.reader or sc.you
    if node.word == "doer":
        return sc.you or player_code(f"v[{ACTIVE}]")
    if node.word == "itself" and sc.itself is not None:
        return sc.itself
    if node.word == "this":
        if sc.this is None:
            sc.fault(node, "no-antecedent", '"this" means nothing here')
            return Code("-1", thing("thing"))
        return sc.this
    if node.word in ("they", "them", "their", "these"):
        if sc.itself is not None and sc.itself.type.kind == "player":
            return sc.itself  # a player with no Charms in their Hand
        found = next((c for c in reversed(sc.named) if c.type.many or c.type.kind == "player"), None)
    else:
        found = next((c for c in reversed(sc.named) if not c.type.many and c.type.kind != "player"), None)
        if found is None and sc.itself is not None:
            found = sc.itself
        if found is None:
            found = sc.this
    if found is None:
        sc.fault(node, "no-antecedent", f'"{node.word}" refers to nothing before it')
        return Code("-1", thing("thing"))
    return found


def bind_player(node: t.PlayerN, sc: Scope) -> Code:
    if not 1 <= node.number <= sc.b.model.most:
        sc.fault(node, "bad-value", f"this game has players 1 to {sc.b.model.most}")
        return player_code("0")
    return player_code(str(node.number - 1))


def whose(sel: t.Sel, sc: Scope) -> Code:
    """What `its Cost` speaks of: of what was named last, something that has a Cost."""
    assert sel.of is not None
    found = having(sel, sc)
    return found if found is not None else bind(sel.of, sc)


def having(sel: t.Sel, sc: Scope) -> Code | None:
    model = sc.b.model
    if not isinstance(sel.of, t.Ref) or sel.of.word != "it" or len(sc.named) < 2 or sel.place is not None:
        return None  # `the Marks of it on that Charm`: what has the Marks is said
    counter = model.counters.get(sel.head)
    for code in reversed(sc.named):
        if code.type.many or code.type.sort != "thing" or code.type.kind == "player":
            continue
        kind = code.type.kind
        if field_of(model, kind, sel.head) or (counter is not None and counter_cell(sc.b, counter, kind, "0", "0")):
            return code
    return None


def bind_sel(sel: t.Sel, sc: Scope) -> Code:
    """A noun in a place where its value is wanted: a number (counter, field), a thing, several things, or a place."""
    found_its = having(sel, sc)
    if found_its is not None and found_its is not sc.named[-1]:
        sc = sc.inner(named=[*sc.named, found_its])
    if sel.quant in ("that", "those", "this"):
        found = referred(sel, sc)
        if found is not None:
            return found
    if sel.trail == "chosen" or "chosen" in sel.adjs:
        return narrowed(sel, chosen(sel, sc), sc)
    if sel.trail == "paid" and f"{sel.head} paid" in sc.locals:
        return sc.locals[f"{sel.head} paid"]
    told = amount_told(sel, sc)
    if told is not None:
        return told
    model = sc.b.model
    for reader in READERS:
        code = reader(sel, sc)
        if code is not None:
            return code
    if kind_of_head(sc, sel.head):
        return of_kind(sel, sc)
    sc.fault(
        sel,
        "type",
        f'"{sel.head}" cannot be read here' + (f" of {words_of(bind(sel.of, sc).type)}" if sel.of is not None else ""),
        near_of(sel.head, [*model.counters, *model.kinds, *model.zones]),
    )
    return Code("0", NUMBER)


def referred(sel: t.Sel, sc: Scope) -> Code | None:
    """`that player`, `this Space`: the last named of its kind; this: the thing whose text it is."""
    model = sc.b.model
    kind = kind_of_head(sc, sel.head) or "thing"
    if sel.head in ("turn", "round", "game", "action"):
        return Code(f"v[{ROUND}]", NUMBER) if sel.head == "round" else None
    if sel.quant == "this" and sc.this is not None and may_be(model, sc.this.type.kind, kind) and kind != "thing":
        return sc.this
    if sel.quant == "this" and sc.this is not None and kind != "thing" and sel.head != "card":
        place = place_of_this(kind, sc)
        if place is not None:
            if not sc.pure and not any(place.py == code.py for code in sc.named[-1:]):
                sc.name(place)
            return place
    for code in reversed(sc.named):
        if (
            code.type.sort == "thing"
            and may_be(model, code.type.kind, kind)
            and (code.type.many == sel.plural or sel.quant == "this")
        ):
            return code
    if sel.quant == "this" and sc.this is not None:
        if kind == "thing" or sel.head == "card":
            return sc.this
    if sc.itself is not None and may_be(model, sc.itself.type.kind, kind):
        return sc.itself
    sc.fault(sel, "no-antecedent", f'"{sel.quant} {sel.head}" refers to no {sel.head} before it')
    return Code("-1", thing(kind, sel.plural))


def narrowed(sel: t.Sel, code: Code, sc: Scope) -> Code:
    """`the awake Guards chosen`, `Guards chosen with Might at least 2`: those of the chosen that are so."""
    from interpreter.amounts.fields import filtered

    if code.type.sort != "thing" or not (sel.filters or any(word in sc.b.model.states for word in sel.adjs)):
        return code
    py = code.py if code.type.many else f"[i for i in ({code.py},) if i >= 0]"
    some = filtered(py, code.type.kind, sel, sc)
    return some if code.type.many else Code(f"[*{some.py}, -1][0]", code.type)


def chosen(sel: t.Sel, sc: Scope) -> Code:
    """`the Guards chosen`: what was chosen last of that kind, or all that was where several choices were made."""
    model = sc.b.model
    kind = kind_of_head(sc, sel.head) or "thing"
    several = {c.py: c for name, c in sc.chosen.items() if is_a(model, name, kind)}
    if len(several) > 1 and (sel.plural or sel.quant in ("each", "all")):
        parts = "".join(
            f"*{c.py}, " if c.type.many else f"*[i for i in ({c.py},) if i >= 0], " for c in several.values()
        )
        return Code(f"distinct([{parts}])", thing(kind, True))
    for name, code in reversed(list(sc.chosen.items())):
        if may_be(model, name, kind):
            if sel.of is not None and code.type.sort == "thing" and "by seat" in sc.locals:
                who = one_thing(sel.of, sc, "player")
                return Code(f"{sc.locals['by seat'].py}[{who.py}]", thing(name))
            if sel.quant in ("the", "each", "all", "") and (code.type.many or not sel.plural):
                return code
            if not code.type.many:
                return Code(f"({code.py},)", thing(name, True))
            return code
    sc.fault(sel, "no-antecedent", f"no {sel.head} is chosen before this")
    return Code("()" if sel.plural else "-1", thing(kind, sel.plural))


def read_core(sel: t.Sel, sc: Scope) -> Code | None:
    """What every game has words for: `the owner of it`, `the active player`, `the next player`. None for any other noun."""
    model = sc.b.model
    if sel.head == "owner" and sel.of is not None:
        of = bind(sel.of, sc)
        if of.type.sort == "thing" and not of.type.many:
            py = owner_py(sc, of.type.kind, of.py)
            if not of.sure:
                py = f"({py} if {of.py} >= 0 else -1)"
            return Code(py, thing("player"), base=f"{model.own}+{of.py}")
        sc.fault(sel, "type", "the owner of what? One thing is wanted")
        return player_code("0")
    if sel.head == "player" and sel.of is not None and sel.of_form != "yours" and not sel.adjs:
        return player_of(sc, bind(sel.of, sc))
    if sel.head == "player" and sel.quant == "the" and not sel.plural and "active" in sel.adjs:
        return Code(f"v[{ACTIVE}]", thing("player"), sure=True, base=str(ACTIVE))
    if sel.head == "player" and sel.quant == "the" and "first" in sel.adjs:
        return Code(f"v[{FIRST}]", thing("player"), sure=True, base=str(FIRST))
    if sel.head == "player" and "next" in sel.adjs:
        of = sc.you or player_code(f"v[{ACTIVE}]")
        if sel.of is not None:
            of = one_thing(sel.of, sc, "player")
        return Code(f"(({of.py} + 1) % v[0])", thing("player"), sure=True)
    if sc.b.model.called.get(sel.head, sel.head) == "round" and sel.quant in ("the", ""):
        return Code(f"v[{ROUND}]", NUMBER, most=99, base=str(ROUND))
    if sel.head.lower() == "roll":
        return Code(f"v[{ROLL}]", NUMBER, most=1000)
    if sel.head == model.faction_kind and sel.of is not None:
        of = bind(sel.of, sc)
        if of.type.kind == "player":
            return Code(f"v[{model.faction_cell}+{of.py}]", thing(model.faction_kind))
    return None


def read_title(sel: t.Sel, sc: Scope) -> Code | None:
    """`the Captain`: the thing that is it at present."""
    title = sc.b.model.titles.get(sel.head)
    if title is None:
        return None
    return Code(f"v[{title.cell}]", thing(title.kind), base=str(title.cell))


READERS: tuple[Callable[[t.Sel, Scope], Code | None], ...] = (
    read_core,
    read_title,
    read_next,
    read_each,
    read_counter,
    read_field,
    read_zone,
    read_record,
    read_place,
)


def of_kind(sel: t.Sel, sc: Scope) -> Code:
    """`each Charm on the Map` (several), `the Line of it`, `your Captain` (one)."""
    p = pick(sel, sc)
    many = sel.plural or sel.quant in ("each", "all", "each other", "all other", "any number of", "up to", "at least")
    if sel.quant == "exactly" or p.total:
        many = True
    if many:
        return Code(as_list(p), thing(p.kind, True), hidden=p.hidden)
    return Code(as_one(p), thing(p.kind), hidden=p.hidden)


BINDERS: dict[type, Callable[[Any, Scope], Code]] = {
    t.Num: bind_num,
    t.Arith: bind_arith,
    t.Twice: bind_twice,
    t.Half: bind_half,
    t.Count: bind_count,
    t.Total: bind_total,
    t.Choice: bind_choice,
    t.Per: bind_per,
    t.Value: bind_value,
    t.Local: bind_local,
    t.Ref: bind_ref,
    t.PlayerN: bind_player,
    t.Sel: bind_sel,
    t.Join: bind_join,
    t.Equal: bind_equal,
    t.Short: bind_short,
    t.Much: bind_much,
}
