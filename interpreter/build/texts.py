"""texts: in, what the parser has read of a sentence; out, its node of the tree.

One function for each rule of sections 1 and 2 of the grammar: prefixes, `Otherwise`, and who does what does not say it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from interpreter import tree as t
from interpreter.build.base import RULES, Builder, rule, small
from interpreter.build.clauses import Clause, act, agrees, person, said_of, verb_form, wants_base
from interpreter.build.nouns import each
from interpreter.tree import Span

CHOSEN_FROM = ("a", "another", "one of", "exactly", "up to", "any number of", "at least")


@dataclass(slots=True)
class Row:
    """Clauses joined by `and` or `, then`, before it is known who does those that do not say it."""

    clauses: list[Clause]
    joins: list[str]
    at: Span


@dataclass(slots=True)
class Prefix:
    """What stands before a comma or a block: make puts it round its body. lead: the form that a verb without a subject
    has in the body."""

    make: Callable[[t.Text, Span], Any]
    lead: str = "base"


@dataclass(slots=True)
class Otherwise:
    """An `Otherwise, …` until it finds its `if`."""

    body: t.Text
    at: Span


@dataclass(slots=True)
class Instead:
    """`If C, S instead.` until it finds the sentence in whose place S stands."""

    cond: Any
    body: t.Text
    at: Span


# ---------------------------------------------------------------- who does it


def finish(b: Builder, made: Any, lead: str = "base") -> Any:
    """A statement whose clauses all know who does them. A verb in the third person without a subject goes on with the
    subject before it, as does a plain one after `may`; any other plain one is yours."""
    row = made if isinstance(made, Row) else Row([made], [], made.at) if isinstance(made, Clause) else None
    if row is None:
        return made
    parts: list[Any] = []
    who: Any = None
    modal = ""
    for clause in row.clauses:
        node = clause.node
        if isinstance(node, t.While) and len(row.clauses) > 1:
            b.fault(node.at, "syntax", "what holds while something is so is a sentence of its own")
        if clause.subject is not None:
            who, modal = clause.subject, clause.modal
        elif clause.word is not None:
            third = "third" in clause.word.forms and "base" not in clause.word.forms
            node = continued(b, clause, node, who, modal, third, lead)
        parts.append(node)
    return parts[0] if len(parts) == 1 else t.Seq(tuple(parts), tuple(row.joins), at=row.at)


def continued(b: Builder, clause: Clause, node: Any, who: Any, modal: str, third: bool, lead: str) -> Any:
    """The verb behind `and` or `then`: with the subject before it, where its form says so. third: the form has an `s`. lead: the
    form of the verb before."""
    word = clause.word
    assert word is not None
    other = verb_form(b, word, "base" if third else "third")
    if who is None:
        if third != (lead == "third"):
            text = "write who does it" if third else "it is each of them"
            b.fault(word.at, "agreement", f'"{word.text}" has no subject here: {text}, or "{other}"', other)
        return node
    you = isinstance(who, t.Ref) and who.word == "you"
    if (modal and third) or (third and person(b, who) == "base"):
        b.fault(word.at, "agreement", f'"{word.text}" does not go on with the subject before it', other)
        return node
    if third or (modal and not you):
        return replace(node, subject=again(who))
    if not modal and not you and person(b, who) == "base":
        b.fault(word.at, "agreement", f'who does "{word.text}"? Write `they {small(word)}` or `you {small(word)}`')
    return node


def again(who: Any) -> Any:
    """A subject named once more: what was chosen is not chosen again."""
    if isinstance(who, t.Sel) and who.quant in CHOSEN_FROM:
        return t.Sel(who.head, "those" if who.plural else "that", plural=who.plural, at=who.at)
    return who


@rule("seq")
def seq(b: Builder, kids: list[Any], at: Span) -> Any:
    left, join, right = kids
    row = left if isinstance(left, Row) else Row([left], [], at)
    clause = right if isinstance(right, Clause) else Clause(right, at=right.at)
    return Row([*row.clauses, clause], [*row.joins, join], at)


RULES["join"] = lambda b, kids, at: "and" if kids[0].type == "AND" else "then"


def body_of(b: Builder, made: Any, lead: str = "base") -> t.Text:
    if isinstance(made, t.Text):
        return made
    node = finish(b, made, lead)
    if isinstance(node, Otherwise):
        b.fault(node.at, "syntax", '"otherwise" answers an `if` and stands at the head of a sentence')
        return node.body
    if isinstance(node, Instead):
        b.fault(node.at, "syntax", '"instead" is said of the sentence before it; write `otherwise` for the other case')
        return node.body
    return t.Text((node,), at=node.at)


# ---------------------------------------------------------------- sentences


@rule("text")
def text(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Text(sentences(b, kids), at=at)


@rule("block")
def block(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Text(sentences(b, kids), True, at=at)


def sentences(b: Builder, kids: list[Any]) -> tuple[Any, ...]:
    """Each `Otherwise` goes into the `if` of the sentence before it."""
    out: list[Any] = []
    for kid in kids:
        node = finish(b, kid)
        if isinstance(node, Otherwise):
            whole = answered(b, out[-1], node) if out else None
            if whole is None:
                b.fault(node.at, "syntax", 'no sentence with `if` stands before this "otherwise"')
            else:
                out[-1] = whole
        elif isinstance(node, Instead):
            before = out.pop() if out else None
            whole = in_place(node, before) if before is not None else None
            if whole is None:
                b.fault(node.at, "syntax", "instead of what? No sentence that does something stands before this")
            out += [one for one in (before if whole is None else None, whole) if one is not None]
        else:
            out.append(node)
    return tuple(hoisted(node) for node in out)


def answered(b: Builder, node: Any, other: Otherwise) -> Any:
    """The sentence with its last open `if` answered; None if it has none."""
    span = (node.at[0], other.at[1])
    if isinstance(node, t.If):
        if node.otherwise is not None:
            inner = inline(node.otherwise)
            made = answered(b, inner, other) if inner is not None else None
            return replace(node, otherwise=replace(node.otherwise, sentences=(made,)), at=span) if made else None
        inner = inline(node.then)
        if isinstance(inner, t.If):
            b.fault(other.at, "syntax", "which `if` does this answer? Put the inner one into a block")
        return replace(node, otherwise=other.body, at=span)
    field = "effect" if isinstance(node, t.Cost) else "body"
    if isinstance(node, (t.When, t.Moment, t.While, t.ForEach, t.Limit, t.Turns, t.Cost, t.Repeat)):
        inner = inline(getattr(node, field))
        made = answered(b, inner, other) if inner is not None else None
        return replace(node, **{field: replace(getattr(node, field), sentences=(made,))}, at=span) if made else None
    return None


def in_place(other: Instead, node: Any) -> Any:
    """`Gain 1 Coin. If C, gain 2 Coins instead.` is `If C, gain 2 Coins. Otherwise, gain 1 Coin.`; None if the sentence
    before does nothing. A result (`If you cannot, … instead`) has its sentence before it and takes nothing back."""
    span = (node.at[0], other.at[1])
    if isinstance(other.cond, t.Did) and other.cond.event is None:
        return t.If(other.cond, other.body, at=other.at)
    field = "effect" if isinstance(node, t.Cost) else "body"
    if isinstance(node, (t.When, t.Moment, t.ForEach, t.Limit, t.Turns, t.Cost)):
        inner = inline(getattr(node, field))
        made = in_place(other, inner) if inner is not None else None
        return replace(node, **{field: replace(getattr(node, field), sentences=(made,))}, at=span) if made else None
    if isinstance(node, (t.Act, t.Seq, t.ChooseOne, t.If)):
        return t.If(other.cond, other.body, t.Text((node,), at=node.at), at=span)
    return None


def inline(text_: t.Text) -> Any:
    return text_.sentences[0] if not text_.block and len(text_.sentences) == 1 else None


def hoisted(node: Any) -> Any:
    """`When E, if C, S`: the condition belongs to the trigger."""
    for field in ("body", "then", "otherwise", "effect"):
        inside = getattr(node, field, None)
        if isinstance(inside, t.Text) and not inside.block:
            node = replace(node, **{field: replace(inside, sentences=tuple(hoisted(s) for s in inside.sentences))})
    if isinstance(node, t.When) and node.where is None:
        inner = inline(node.body)
        if isinstance(inner, t.If) and inner.otherwise is None:
            return replace(node, where=inner.cond, body=inner.then)
    return node


@rule("under")
def under(b: Builder, kids: list[Any], at: Span) -> Any:
    prefix, body = kids
    return prefix.make(body_of(b, body, prefix.lead), at)


@rule("cost")
def cost(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Cost(finish(b, kids[0]), body_of(b, kids[1]), at=at)


@rule("if_else")
def if_else(b: Builder, kids: list[Any], at: Span) -> Any:
    """`If C, S, otherwise T.`"""
    prefix, body, other = kids
    node = prefix.make(body_of(b, body, prefix.lead), at)
    made = answered(b, node, Otherwise(body_of(b, other), at)) if not isinstance(node, Otherwise) else None
    if made is None:
        b.fault(at, "syntax", 'no `if` stands before this "otherwise"')
        return node if not isinstance(node, Otherwise) else node.body.sentences[0]
    return made


@rule("if_instead")
def if_instead(b: Builder, kids: list[Any], at: Span) -> Any:
    prefix, body = kids
    node = prefix.make(body_of(b, body, prefix.lead), at)
    if isinstance(node, t.If):
        return Instead(node.cond, node.then, at)
    b.fault(at, "syntax", '"instead" goes with `if`: `If the Tower is empty, gain 2 Coins instead`')
    return node if not isinstance(node, Otherwise) else node.body.sentences[0]


@rule("cost_to")
def cost_to(b: Builder, kids: list[Any], at: Span) -> Any:
    """`Pay 2 Coins to draw a Charm`: who pays also has what is paid for."""
    paid, made = kids[0], kids[1]
    rows = made.clauses if isinstance(made, Row) else [made] if isinstance(made, Clause) else []
    whose = paid.clauses[-1] if isinstance(paid, Row) else paid
    who = whose.subject if isinstance(whose, Clause) else None
    if who is not None and not (isinstance(who, t.Ref) and who.word == "you") and rows and rows[0].subject is None:
        if isinstance(who, t.Sel) and (who.plural or who.quant in ("each", "each other", "all other", "all")):
            b.fault(who.at, "syntax", "each pays for itself: write `Each player in turn, starting with you, may …`")
        rows[0].node, rows[0].subject = replace(rows[0].node, subject=again(who)), again(who)
    return cost(b, [paid, made], at)


# ---------------------------------------------------------------- prefixes

RULES["if_"] = lambda b, kids, at: Prefix(lambda body, span: t.If(kids[0], body, at=span))
RULES["otherwise"] = lambda b, kids, at: Prefix(Otherwise)
RULES["while_"] = lambda b, kids, at: Prefix(lambda body, span: t.While(kids[0], body, at=span))
RULES["until_start_of"] = lambda b, kids, at: lasting(b, t.Duration("until start", kids[1], at=at))
RULES["until_end_of"] = lambda b, kids, at: lasting(b, t.Duration("until end", kids[0], at=at))
RULES["at_start"] = lambda b, kids, at: Prefix(lambda body, span: t.Moment("start", kids[0], body, at=span))
RULES["at_end"] = lambda b, kids, at: Prefix(lambda body, span: t.Moment("end", kids[0], body, at=span))


def lasting(b: Builder, during: t.Duration) -> Prefix:
    """`Until the end of this turn, S` is S with that time behind it."""

    def for_a_time(node: Any) -> Any:
        if isinstance(node, t.Seq):
            return replace(node, parts=tuple(for_a_time(part) for part in node.parts))
        lasts = isinstance(node, t.Static) or (isinstance(node, t.Act) and node.modal in ("cannot", "may"))
        if lasts and node.during is None:
            return replace(node, during=during)
        what = during.what
        this = isinstance(what, t.Sel) and what.quant in ("this", "the")
        if isinstance(node, (t.When, t.Replace)) and node.event is not None and isinstance(what, t.Sel) and this:
            span = t.Duration("this", t.Sel(what.head, "this", at=during.at), at=during.at)
            return replace(node, event=replace(node.event, roles=(*node.event.roles, ("during", span))))
        b.fault(
            during.at, "syntax", "what is done now cannot last; say for a time how things are or what cannot be done"
        )
        return node

    def make(body: t.Text, span: Span) -> Any:
        made = tuple(for_a_time(node) for node in body.sentences)
        return made[0] if len(made) == 1 and not body.block else replace(body, sentences=made)

    return Prefix(make)


@rule("at_moment")
def at_moment(b: Builder, kids: list[Any], at: Span) -> Any:
    """`After Harvest, S` is `At the end of Harvest, S`; before it, at its start."""
    word = small(kids[0])
    if word not in ("before", "after"):
        b.fault(kids[1].at, "syntax", f'"{word}" goes on with what happens')
    return Prefix(lambda body, span: t.Moment("start" if word == "before" else "end", kids[1], body, at=span))


@rule("first_time")
def first_time(b: Builder, kids: list[Any], at: Span) -> Any:
    return Prefix(lambda body, span: t.When("when", kids[1], body, first=kids[0].base, at=span))


@rule("next_time")
def next_time(b: Builder, kids: list[Any], at: Span) -> Any:
    return Prefix(lambda body, span: t.When("the next time", kids[0], body, at=span))


RULES["once"] = lambda b, kids, at: Prefix(lambda body, span: t.Limit(kids[0].base, body, at=span))
RULES["repeat_times"] = lambda b, kids, at: Prefix(lambda body, span: t.Repeat(body, times=kids[0], at=span))
RULES["repeat_until"] = lambda b, kids, at: Prefix(lambda body, span: t.Repeat(body, until=kids[0], at=span))
RULES["repeat_while"] = lambda b, kids, at: Prefix(lambda body, span: t.Repeat(body, whilst=kids[0], at=span))
RULES["first"] = lambda b, kids, at: ("first", kids[0].base if kids else "game")
RULES["first_of"] = lambda b, kids, at: ("taking", (kids[0].base, kids[2].base))
RULES["ordered"] = lambda b, kids, at: ("ordered", True)
RULES["while_where"] = lambda b, kids, at: ("where", kids[0])


@rule("when")
def when(b: Builder, kids: list[Any], at: Span) -> Any:
    word, happens = small(kids[0]), kids[1]
    first = kids[2][1] if len(kids) > 2 else ""
    event = happens if isinstance(happens, t.Event) else None
    return Prefix(lambda body, span: t.When(word, event, body, None if event else happens, None, first, at=span))


@rule("for_each")
def for_each(b: Builder, kids: list[Any], at: Span) -> Any:
    over = each(b, kids[0])
    return Prefix(lambda body, span: t.ForEach("", over, body, at=span))


RULES["for_each_of"] = lambda b, kids, at: Prefix(lambda body, span: t.ForEach("", kids[0], body, at=span))


@rule("for_each_as")
def for_each_as(b: Builder, kids: list[Any], at: Span) -> Any:
    more = dict(kids[2:])
    before, ordered = more.get("taking"), "ordered" in more
    return Prefix(lambda body, span: t.ForEach(kids[0].base, kids[1], body, before, ordered, at=span))


def in_turn(b: Builder, start: Any, who: Any, until: Any) -> Prefix:
    lead = person(b, who) if until is None else "base"
    return Prefix(lambda body, span: t.Turns(start, who, until, body, at=span), lead or "third")


@rule("in_turn_may", "starting_may")
def in_turn_may(b: Builder, kids: list[Any], at: Span) -> Any:
    """`Each player in turn, starting with you, may rest`: the one whose turn it then is may."""
    made = kids[0] if len(kids) == 2 else in_turn(b, kids[0], kids[1], None)
    act_: Clause = said_of("may")(b, [t.Ref("you", at=kids[-1].word.at), kids[-1]], at)
    node = made.make(t.Text((act_.node,), at=at), at)
    if not isinstance(node, t.Turns):
        b.fault(kids[-1].word.at, "syntax", "who may? Write `you may`", f"you may {small(kids[-1].word)}")
    return node


RULES["in_turn"] = lambda b, kids, at: in_turn(b, None, kids[0], None)
RULES["in_turn_after"] = lambda b, kids, at: in_turn(b, kids[0], kids[1], None)
RULES["in_turn_until"] = lambda b, kids, at: in_turn(b, None, kids[0], kids[1])
RULES["in_turn_after_until"] = lambda b, kids, at: in_turn(b, kids[0], kids[1], kids[2])
RULES["in_turn_from"] = lambda b, kids, at: in_turn(b, kids[1], kids[0], None)


def replaces(first: str) -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        more = dict(k for k in kids[1:-1])
        body = finish(b, kids[-1])
        body, may = without_may(body)
        return t.Replace(kids[0], t.Text((body,), at=body.at), more.get("where"), more.get("first", first), may, at=at)

    return build


@rule("replace_when")
def replace_when(b: Builder, kids: list[Any], at: Span) -> Any:
    """`When X would happen, Y instead` is `If X would happen, Y instead`."""
    if small(kids[0]) not in ("when", "whenever"):
        b.fault(kids[0].at, "syntax", f'"{small(kids[0])}" tells of what happens, not of what would', "if")
    return RULES["replace"](b, kids[1:], at)


@rule("replace_first")
def replace_first(b: Builder, kids: list[Any], at: Span) -> Any:
    return replaces(kids[0].base)(b, kids[1:], at)


RULES["replace"], RULES["replace_next"] = replaces(""), replaces("next")


def without_may(node: Any) -> tuple[Any, bool]:
    """`you may Z instead`: what may be done is Z."""
    if isinstance(node, t.Seq):
        head, may = without_may(node.parts[0])
        return replace(node, parts=(head, *node.parts[1:])), may
    if (
        isinstance(node, t.Act)
        and node.modal == "may"
        and isinstance(node.subject, t.Ref)
        and node.subject.word == "you"
    ):
        return replace(node, modal="", subject=None), True
    return node, False


# ---------------------------------------------------------------- options


def ways(b: Builder, doings: list[Any]) -> tuple[t.Option, ...]:
    return tuple(t.Option(act(b, one, one.at, None), at=one.at) for one in doings)


@rule("acts")
def acts(b: Builder, kids: list[Any], at: Span) -> Any:
    """`Pay 2 Coins or discard a Charm` is `Choose one: pay 2 Coins; or discard a Charm`."""
    return Clause(t.ChooseOne(ways(b, kids), None, at=at), kids[0].word, at=at)


@rule("acts_of")
def acts_of(b: Builder, kids: list[Any], at: Span) -> Any:
    who, doings = kids[0], kids[1:]
    for doing in doings:
        agrees(b, who, doing.word)
    return Clause(t.ChooseOne(ways(b, doings), who, at=at), kids[1].word, who, "", at)


@rule("acts_must")
def acts_must(b: Builder, kids: list[Any], at: Span) -> Any:
    for doing in kids[1:]:
        wants_base(b, doing.word, 'after "must"')
    return Clause(t.ChooseOne(ways(b, kids[1:]), kids[0], at=at), kids[1].word, kids[0], "", at)


@rule("acts_cost")
def acts_cost(b: Builder, kids: list[Any], at: Span) -> Any:
    """`Pay 2 Coins or discard a Charm to rest`: what is bought is the same either way."""
    made, effect = kids[0], body_of(b, kids[1])
    options = (replace(o, body=t.Cost(o.body, effect, at=o.at)) for o in made.node.options)
    return replace(made, node=replace(made.node, options=tuple(options), at=at), at=at)


@rule("choice")
def choice(b: Builder, kids: list[Any], at: Span) -> Any:
    (word, who), options = kids
    return Clause(t.ChooseOne(tuple(options), who, at=at), word, who, "", at)


@rule("chooser")
def chooser(b: Builder, kids: list[Any], at: Span) -> Any:
    who = kids[0] if len(kids) > 1 else None
    if who is not None:
        agrees(b, who, kids[-1])
    return kids[-1], who


RULES["options"] = RULES["option_block"] = lambda b, kids, at: list(kids)
RULES["guard"] = lambda b, kids, at: ("only if", kids[0])
RULES["guard_unless"] = lambda b, kids, at: ("unless", kids[0])


@rule("option", "option_cost")
def option(b: Builder, kids: list[Any], at: Span) -> Any:
    guard = kids[-1] if isinstance(kids[-1], tuple) else None
    made = kids[:-1] if guard else kids
    body = finish(b, made[0])
    if len(made) > 1:
        body = t.Cost(body, body_of(b, made[1]), at=(body.at[0], made[1].at[1]))
    return t.Option(body, guard[1] if guard else None, guard[0] if guard else "", at=at)


@rule("window")
def window(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Window(kids[0], tuple(kids[1]), at=at)


RULES["respond"] = lambda b, kids, at: kids[0] if kids else None
