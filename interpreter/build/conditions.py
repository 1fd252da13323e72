"""conditions: in, what the parser has read of a condition or an event; out, its node of the tree.

One function for each rule of sections 5 and 6 of the grammar, and for relative clauses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.build.base import OPS, RULES, Builder, rule, small
from interpreter.build.clauses import Doing, Undergoing, agrees, undergoing, verb_form, wants_base
from interpreter.build.nouns import MORE_OPS, first_hole
from interpreter.tree import Span
from interpreter.words import Word

# ---------------------------------------------------------------- events


def event_of(doing: Doing, who: Any, at: Span, during: Any = None) -> t.Event:
    state = next((str(v) for r, v in doing.roles if r == "state"), "")
    roles = tuple((r, v) for r, v in doing.roles if r != "state")
    if during is not None:
        roles = (*roles, ("during", during))
    return t.Event(doing.verb, who, roles, is_phrase=doing.is_phrase, state=state, at=at)


def undergone(what: Any, done: Undergoing, at: Span, during: Any = None) -> t.Event:
    hole = first_hole(done.form) if done.form else None
    roles = ((hole.name if hole else "what", what), *done.roles)
    if during is not None:
        roles = (*roles, ("during", during))
    return t.Event(done.verb, done.by, roles, passive=True, is_phrase=done.form is not None, at=at)


@rule("event")
def event(b: Builder, kids: list[Any], at: Span) -> Any:
    agrees(b, kids[0], kids[1].word)
    return event_of(kids[1], kids[0], at, *kids[2:])


@rule("would_do")
def would_do(b: Builder, kids: list[Any], at: Span) -> Any:
    wants_base(b, kids[1].word, 'after "would"')
    return event_of(kids[1], kids[0], at, *kids[2:])


@rule("event_passive", "would_be")
def event_passive(b: Builder, kids: list[Any], at: Span) -> Any:
    what, be, done = kids[:3]
    if "base" not in be.forms:
        agrees(b, what, be)
    if isinstance(done, Word):
        found = undergoing(b, done, (), None)
        if found is None:
            return event_of(Doing("become", (("state", small(done)),), done), what, at, *kids[3:])
        done = found
    return undergone(what, done, at, *kids[3:])


@rule("edge")
def edge(b: Builder, kids: list[Any], at: Span) -> Any:
    """A condition that becomes true; or, where its state is a participle, the event that brings it about."""
    cond = kids[0]
    if isinstance(cond, t.Is) and cond.adj and not cond.neg:
        done = undergoing(b, b.states[cond.adj], (), None)
        if done is not None:
            return undergone(cond.left, done, at)
    return cond


# ---------------------------------------------------------------- conditions


def joined(op: str) -> Any:
    return lambda b, kids, at: kids[0] if len(kids) == 1 else t.Logic(op, tuple(kids), at=at)


RULES["any"], RULES["all"] = joined("or"), joined("and")
RULES["group"] = lambda b, kids, at: kids[0]
RULES["not_"] = lambda b, kids, at: t.Logic("not", (kids[0],), at=at)
RULES["repeated"] = lambda b, kids, at: t.Repeated(at=at)
RULES["result"] = lambda b, kids, at: t.Did(small(kids[0]), at=at)
RULES["equals"] = lambda b, kids, at: t.Compare("=", kids[0], kids[1], at=at)
RULES["equals_is"] = lambda b, kids, at: t.Compare("=", kids[0], kids[-1], at=at)
RULES["is_or_more"] = lambda b, kids, at: t.Compare(
    MORE_OPS[small(kids[3])], kids[0], t.Num(int(kids[2].text), at=kids[2].at), at=at
)
RULES["relates"] = lambda b, kids, at: t.Relates(kids[0], small(kids[1]), kids[2], at=at)
RULES["relates_not"] = lambda b, kids, at: t.Relates(kids[0], small(kids[2]), kids[3], True, at=at)
RULES["quality_yours"] = lambda b, kids, at: t.Ref("yours", at=at)
RULES["quality_place"] = lambda b, kids, at: t.Place(small(kids[0]), kids[1], at=at)


@rule("quality_state")
def quality_state(b: Builder, kids: list[Any], at: Span) -> Any:
    b.states[small(kids[0])] = kids[0]
    return ("state", small(kids[0]))


def is_of(left: Any, quality: Any, neg: bool, at: Span) -> Any:
    if isinstance(quality, tuple):
        return t.Is(left, None, quality[1], neg, at=at)
    if isinstance(quality, t.Place):
        return t.Is(left, t.Sel("thing", place=quality, at=quality.at), "", neg, at=at)
    if isinstance(quality, (t.Num, t.Arith, t.Twice, t.Half, t.Count, t.Total, t.Per, t.Choice)):
        return t.Compare("!=" if neg else "=", left, quality, at=at)
    return t.Is(left, quality, "", neg, at=at)


def is_rule(neg: bool) -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        agrees(b, kids[0], kids[1])
        return is_of(kids[0], kids[2], neg, at)

    return build


RULES["is_"], RULES["is_not"] = is_rule(False), is_rule(True)


@rule("is_compared")
def is_compared(b: Builder, kids: list[Any], at: Span) -> Any:
    agrees(b, kids[0], kids[1])
    return t.Compare(OPS[small(kids[2])], kids[0], kids[3], at=at)


@rule("has")
def has(b: Builder, kids: list[Any], at: Span) -> Any:
    agrees(b, kids[0], kids[1])
    return t.Has(kids[0], kids[2], at=at)


@rule("has_not")
def has_not(b: Builder, kids: list[Any], at: Span) -> Any:
    word = kids[1]
    word.forms = ("third",) if small(word) == "does not" else ("base",)
    agrees(b, kids[0], word)
    if small(kids[2]) != "have":
        b.fault(kids[2].at, "agreement", f'"{kids[2].text}" has to be "have" here', "have")
    return t.Has(kids[0], kids[3], True, at=at)


@rule("has_more")
def has_more(b: Builder, kids: list[Any], at: Span) -> Any:
    agrees(b, kids[0], kids[1])
    return t.Has(kids[0], kids[3], than=kids[4], more="more", at=at)


@rule("has_fewer")
def has_fewer(b: Builder, kids: list[Any], at: Span) -> Any:
    agrees(b, kids[0], kids[1])
    return t.Has(kids[0], kids[2], than=kids[3], more="fewer", at=at)


@rule("has_most")
def has_most(b: Builder, kids: list[Any], at: Span) -> Any:
    """`you have the most Coins` is `you have more Coins than each other player`."""
    who, word, most, noun = kids
    agrees(b, who, word)
    if not (isinstance(who, t.Ref) and who.word == "you"):
        b.fault(who.at, "syntax", f'write `the player with {small(most)} {noun.text}`, or say it of "you"')
    than = t.Sel("player", "each other", at=at)
    more = "more" if small(most) == "the most" else "fewer"
    return t.Has(who, t.Sel(noun.base, plural="plural" in noun.forms, at=noun.at), than=than, more=more, at=at)


@rule("has_more_by")
def has_more_by(b: Builder, kids: list[Any], at: Span) -> Any:
    who, word, compare, count, _, what, than = kids
    agrees(b, who, word)
    if small(compare) not in ("at least", "exactly") or not isinstance(what, t.Sel):
        b.fault(compare.at, "syntax", 'how many more is said with "at least"', "at least")
        return t.Has(who, what, than=than, more="more", at=at)
    return t.Has(who, replace(what, quant=small(compare), count=count), than=than, more="more", at=at)


@rule("there")
def there(b: Builder, kids: list[Any], at: Span) -> Any:
    what = kids[1]
    counted = what if isinstance(what, t.Sel) else None
    if counted is not None:
        agrees(b, counted, kids[0])
    return t.ThereIs(what, at=at)


@rule("past")
def past(b: Builder, kids: list[Any], at: Span) -> Any:
    who, doing, during = kids[0], kids[1], kids[2] if len(kids) > 2 else None
    if doing.word.forms and "past" not in doing.word.forms:
        b.fault(
            doing.word.at,
            "agreement",
            f'what was done is said with "{verb_form(b, doing.word, "past")}"',
            verb_form(b, doing.word, "past"),
        )
    return t.Did("past", event_of(doing, who, at, during), at=at)


@rule("did")
def did(b: Builder, kids: list[Any], at: Span) -> Any:
    wants_base(b, kids[1].word, 'after "did"')
    return t.Did("did", event_of(kids[1], kids[0], at, kids[2] if len(kids) > 2 else None), at=at)


def have_done(how: str) -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        who, have, done, *rest = kids
        agrees(b, who, have)
        roles = tuple(("during", r) if isinstance(r, t.Duration) else r for r in rest)
        if isinstance(done, Doing):
            if done.word.forms and "participle" not in done.word.forms:
                meant = verb_form(b, done.word, "participle")
                b.fault(done.word.at, "agreement", f'what has been done is said with "{meant}"', meant)
            return t.Did(how, t.Event(done.verb, who, (*done.roles, *roles), is_phrase=done.is_phrase, at=at), at=at)
        return t.Did(how, t.Event(done.base, who, roles, at=at), at=at)

    return build


RULES["perfect"] = RULES["perfect_phrase"] = have_done("perfect")
RULES["perfect_not"] = RULES["perfect_phrase_not"] = have_done("perfect not")


@rule("did_not")
def did_not(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Did("did not", did(b, kids, at).event, at=at)


def ability(how: str) -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        wants_base(b, kids[1].word, f'after "{how}"')
        return t.Did(how, event_of(kids[1], kids[0], at), at=at)

    return build


RULES["can"], RULES["can_not"] = ability("can"), ability("cannot")


# ---------------------------------------------------------------- relative clauses


def that_rule(neg: bool) -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        itself = t.Ref("itself", at=kids[1].at)
        return t.That(kids[0], is_of(itself, kids[2], neg, at), at=at), kids[1]

    return build


RULES["that_is"], RULES["that_is_not"] = that_rule(False), that_rule(True)


@rule("that_has")
def that_has(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.That(kids[0], t.Has(t.Ref("itself", at=kids[1].at), kids[2], at=at), at=at), kids[1]


@rule("that_passed")
def that_passed(b: Builder, kids: list[Any], at: Span) -> Any:
    (done, neg), itself = kids[2], t.Ref("itself", at=kids[1].at)
    test: Any = t.Did("perfect", t.Event(done, itself, at=at), at=at)
    return t.That(kids[0], t.Logic("not", (test,), at=at) if neg else test, at=at), kids[1]


RULES["passed"] = lambda b, kids, at: (kids[0].base, False)
RULES["passed_not"] = lambda b, kids, at: (kids[0].base, True)
