"""rewrite: a tree and a model → the tree in which forms that are short for others are written out.

`REWRITES` is the table, one function a type of node; inner nodes are rewritten first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.declare import plural, waiting
from interpreter.model import Model


def rewritten(node: Any, model: Model) -> Any:
    """The node with all inside it; the very same one where nothing is to be written out."""
    if node.__class__ is tuple:
        inside = tuple([rewritten(part, model) for part in node])
        return inside if any(a is not b for a, b in zip(inside, node)) else node
    names = t.parts(node.__class__)
    if names is None:
        return node
    changes = {}
    for name in names:
        old = getattr(node, name)
        new = rewritten(old, model)
        if new is not old:
            changes[name] = new
    out = replace(node, **changes) if changes else node
    action = REWRITES.get(type(out))
    return action(out, model) if action else out


def of_next(node: t.Sel, model: Model) -> Any:
    """`the Strength of your next Action`: the number that waits for it."""
    counter, of = model.counters.get(node.head), node.of
    if counter is None or not counter.next or not isinstance(of, t.Sel):
        return node
    if of.head != counter.next or "next" not in of.adjs:
        return node
    return replace(node, head=waiting(node.head), of=of.of, of_form=of.of_form)


def lent(node: t.Static, model: Model) -> Any:
    """`your next Action has +2 Strength`: that much more waits for it."""
    verb = {"plus": "increase", "minus": "reduce"}.get(node.change)
    if verb is None or not isinstance(node.what, t.Sel) or node.amount is None:
        return node
    counter = model.counters.get(node.what.head)
    if counter is None or not counter.waits:
        return node
    return t.Act(verb, (("what", node.what), ("by", node.amount)), at=node.at)


def ignored(node: t.Act, model: Model) -> Any:
    """`ignore the Cost of Charms that you play`: it is 0."""
    what = dict(node.roles).get("what")
    if node.verb != "ignore" or node.subject is not None or not isinstance(what, t.Sel) or what.of is None:
        return node
    if what.head not in model.counters and what.head not in number_fields(model):
        return node
    return t.Static(what, "set", t.Num(0, at=node.at), None, node.during, at=node.at)


def number_fields(model: Model) -> set[str]:
    found = {f.name for k in model.kinds.values() for f in k.fields.values() if f.type in ("number", "amount")}
    return found | {plural(name) for name in found}


def reached(node: t.When, model: Model) -> Any:
    """`When the Might on it reaches its Height`: when it becomes at least that."""
    event = node.event
    what = dict(event.roles).get("what") if event is not None else None
    if event is None or event.verb != "reach" or event.passive or event.subject is None or what is None:
        return node
    return replace(node, event=None, cond=t.Compare(">=", event.subject, what, at=event.at))


def more_each(node: t.While, model: Model) -> Any:
    """`While …, draw 1 more Charm each turn`: when you draw one for the first time in a turn, one more."""
    return replace(node, body=replace(node.body, sentences=tuple(once_more(s, node.cond) for s in node.body.sentences)))


def once_more(act: Any, cond: Any) -> Any:
    what = dict(act.roles).get("what") if isinstance(act, t.Act) else None
    if not isinstance(what, t.Sel) or "more" not in what.adjs or act.during is None or act.during.form != "each":
        return act
    span = act.during.what
    subject = act.subject or t.Ref("you", at=act.at)
    plain = tuple(word for word in what.adjs if word != "more")
    one = replace(what, quant="a", count=None, adjs=plain, plural=False)
    roles = tuple((role, one if value is what else value) for role, value in act.roles)
    event = t.Event(act.verb, subject, roles, is_phrase=act.is_phrase, at=act.at)
    more = tuple((role, replace(what, adjs=plain) if value is what else value) for role, value in act.roles)
    again = t.Act(act.verb, more, act.subject, is_phrase=act.is_phrase, at=act.at)
    first = span.head if isinstance(span, t.Sel) else "turn"
    return t.When("when", event, t.Text((again,), at=act.at), first=first, at=act.at)


COUNTED = ("gain", "lose", "pay", "take", "give", "move", "place", "remove", "set", "increase", "reduce")


def member_amounts(node: t.Act, model: Model) -> t.Act:
    """`pay 2 Silver`, where there is a number of Metal for each Metal: the number of the Silver."""
    if node.verb not in COUNTED:
        return node
    roles = tuple((role, of_member(value, model) if role == "what" else value) for role, value in node.roles)
    return replace(node, roles=roles) if any(a[1] is not b[1] for a, b in zip(roles, node.roles)) else node


def of_member(what: Any, model: Model) -> Any:
    """A noun that a counter is told apart by, `3 Silver`: written out as that counter, of that member."""
    if isinstance(what, t.Join):
        return replace(what, parts=tuple(of_member(part, model) for part in what.parts))
    if isinstance(what, t.Equal):
        return replace(what, what=of_member(what.what, model))
    if isinstance(what, t.Half):
        return replace(what, of=of_member(what.of, model))
    if isinstance(what, t.Per):
        return replace(what, amount=of_member(what.amount, model))
    if not isinstance(what, t.Sel) or what.head in model.counters:
        return what
    if what.head == "thing" and what.quant == "half of" and isinstance(what.of, t.Sel):
        inner = of_member(what.of, model)
        return what if inner is what.of else replace(inner, quant="half of", rounding=what.rounding, at=what.at)
    counter, index = indexed_by(what, model)
    if counter is None:
        return what
    place = what.place or (t.Place("on", what.of, at=what.at) if what.of is not None else None)
    form, quant = "of" if index is not None else "", what.quant if what.quant not in ("that", "those", "the") else ""
    return replace(what, head=counter, of=index, of_form=form, place=place, adjs=(), quant=quant)


def indexed_by(what: t.Sel, model: Model) -> tuple[str | None, Any]:
    """(the counter that is told apart by a noun, the member that is meant or None): `Silver`, `that Metal`, `3 Metals`."""
    record = next((r for r in model.records.values() if r.name == what.head and len(r.ids or (0,)) == 1), None)
    kind = record.kind if record is not None else what.head
    if kind == "player" or kind not in model.kinds or any(kind in z.holds for z in model.zones.values()):
        return None, None
    counter = next((c.name for c in model.counters.values() if kind in c.each.values()), None)
    if record is not None:
        return counter, t.Sel(what.head, at=what.at)
    if what.quant in ("that", "those", "this"):
        return counter, t.Sel(what.head, what.quant, plural=what.plural, at=what.at)
    return counter, None


def from_hand(node: t.Act, model: Model) -> Any:
    """`discard a Charm`: one in your hand. `discard a Charm from your Shelf`: one there. So where one is lost or paid."""
    roles = dict(node.roles)
    what = roles.get("what")
    if node.modal == "cannot" or not isinstance(what, t.Sel) or what.place or what.of or what.trail:
        return node
    if what.head in model.counters or not (what.head == "card" or what.head in model.kinds):
        return node
    place = None
    if "from" in roles:
        place = t.Place("in", roles.pop("from"), at=what.at)
    elif what.quant in ("a", "exactly", "any number of", "up to", "at least"):
        hands = [
            z for z in model.zones.values() if z.of == "player" and any(alike(model, h, what.head) for h in z.holds)
        ]
        if hands:
            hand = next((z for z in hands if z.name == "Hand"), hands[0])
            place = t.Place(
                "in", t.Sel(hand.name, of=t.Ref("doer", at=what.at), of_form="your", at=what.at), at=what.at
            )
    if place is None:
        return node
    roles["what"] = replace(what, place=place)
    return replace(node, roles=tuple(roles.items()))


def alike(model: Model, held: str, head: str) -> bool:
    """Whether what a zone holds can be what a noun means: one of the two is a kind of the other."""
    return head == "card" or held in above(model, head) or head in above(model, held)


def above(model: Model, kind: str) -> list[str]:
    """A kind and those that it is."""
    out = []
    while kind in model.kinds:
        out.append(kind)
        kind = model.kinds[kind].parent
    return out


def number_of_things(node: t.Act, model: Model) -> t.Act:
    """`discard Charms = n`: n Charms."""
    what = dict(node.roles).get("what")
    if node.verb in ("draw", "gain") or not isinstance(what, t.Equal) or what.what.head in model.counters:
        return node
    if what.what.head != "card" and what.what.head not in model.kinds:
        return node
    things = replace(what.what, quant="exactly", count=what.amount, plural=True)
    return replace(node, roles=tuple((role, things if value is what else value) for role, value in node.roles))


def act(node: t.Act, model: Model) -> Any:
    node = number_of_things(member_amounts(node, model), model)
    return from_hand(node, model) if node.verb in ("discard", "lose", "pay", "play") else ignored(node, model)


def answered(node: t.Text, model: Model) -> Any:
    """`When E, you may pay 1 Coin. If you do, …`: what rests on a result belongs to the text that brings it about."""
    out: list[Any] = []
    for sentence in node.sentences:
        whole = with_answer(out[-1], sentence) if out and asks_result(sentence) else None
        if whole is None:
            out.append(sentence)
        else:
            out[-1] = whole
    return node if len(out) == len(node.sentences) else replace(node, sentences=tuple(out))


def asks_result(node: Any) -> bool:
    """`If you do, …`, `If you cannot, …`."""
    return isinstance(node, t.If) and isinstance(node.cond, t.Did) and node.cond.event is None


RULES = (t.When, t.Moment, t.Replace, t.Limit)


def with_answer(before: Any, answer: t.If) -> Any:
    """The sentence before with what answers it inside it; None where it stands by itself."""
    name = "then" if isinstance(before, t.If) and before.otherwise is None else "body"
    body = getattr(before, name, None) if isinstance(before, (*RULES, t.If, t.ForEach)) else None
    if not isinstance(body, t.Text) or body.block or not body.sentences:
        return None
    if isinstance(before, t.Replace) and before.may and answer.otherwise is None:
        return replace(before, body=replace(body, sentences=(*body.sentences, *answer.then.sentences)))
    inner = with_answer(body.sentences[-1], answer)
    if inner is not None:
        return replace(before, **{name: replace(body, sentences=(*body.sentences[:-1], inner))})
    if not isinstance(before, RULES) and not brings_about(body.sentences[-1]):
        return None
    return replace(before, **{name: replace(body, sentences=(*body.sentences, answer))})


def brings_about(node: Any) -> bool:
    """Whether a statement may be done or not."""
    if isinstance(node, t.Seq):
        return any(brings_about(part) for part in node.parts)
    return isinstance(node, t.Act) and (node.modal == "may" or node.verb == "pay")


def one_by_one(node: t.Text, model: Model) -> t.Text:
    """`Each player pays 2 Coins. If they cannot, …`: what follows is asked of each of them."""
    out: list[Any] = []
    for sentence in node.sentences:
        before = out[-1] if out else None
        if isinstance(sentence, t.If) and of_them(sentence) and isinstance(before, t.Act) and several(before.subject):
            assert isinstance(before.subject, t.Sel)
            each = replace(before.subject, quant="each" if before.subject.quant == "all" else before.subject.quant)
            act_ = replace(before, subject=t.Sel("player", "that", at=before.at))
            out[-1] = t.ForEach("", each, t.Text((act_, sentence), True, at=before.at), at=before.at)
        else:
            out.append(sentence)
    return node if len(out) == len(node.sentences) else replace(node, sentences=tuple(out))


def of_them(node: t.If) -> bool:
    return isinstance(node.cond, t.Did) and node.cond.how.startswith(("they ", "that player "))


def several(who: Any) -> bool:
    return isinstance(who, t.Sel) and who.quant in ("each", "all", "each other", "all other")


def text(node: t.Text, model: Model) -> Any:
    return answered(one_by_one(node, model), model)


REWRITES: dict[type, Callable[[Any, Model], Any]] = {
    t.Sel: of_next,
    t.Text: text,
    t.Act: act,
    t.Static: lent,
    t.When: reached,
    t.While: more_each,
}
