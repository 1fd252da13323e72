"""clauses: in, what the parser has read of a clause; out, who does what.

One function for each rule of sections 3 and 4 of the grammar, and the agreement of a verb with its subject.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from interpreter import tree as t
from interpreter.build.base import RULES, Builder, Rule, rule, small
from interpreter.build.nouns import first_hole, holes_of
from interpreter.shapes import Form
from interpreter.tree import Span
from interpreter.verbs import VERBS
from interpreter.words import Word


@dataclass(slots=True)
class Doing:
    """A verb with its roles, before it is known who does it. word: the verb as written."""

    verb: str
    roles: tuple[tuple[str, Any], ...]
    word: Word
    is_phrase: bool = False
    at: Span = (0, 0)


@dataclass(slots=True)
class Undergoing:
    """What is done to a subject that stands before it. form: the phrase of content, if it is one."""

    verb: str
    roles: tuple[tuple[str, Any], ...]
    by: Any = None
    form: Form | None = None


@dataclass(slots=True)
class Clause:
    """A statement, and what the next one needs of it: its verb's form and whether a subject or `may` is written."""

    node: Any
    word: Word | None = None
    subject: Any = None
    modal: str = ""
    at: Span = (0, 0)


@dataclass(slots=True)
class Change:
    """What a continuous effect does, before it is known to what."""

    change: str
    word: Word
    amount: Any = None
    to: Any = None
    prop: Word | None = None


# ---------------------------------------------------------------- subject and verb


def person(b: Builder, who: Any) -> str:
    """Which form of a verb goes with a subject: third, base, or both ('')."""
    if isinstance(who, t.Ref):
        return {"you": "base", "they": "base", "them": "base"}.get(who.word, "third")
    if isinstance(who, t.PlayerN):
        return "third"
    if isinstance(who, t.Join):
        return "base" if who.op == "and" else person(b, who.parts[-1])
    if isinstance(who, t.Sel):
        if who.quant == "one of":
            return "third" if who.count is None else "base"
        if who.plural:
            return "base"
        return "" if who.head in b.lexicon.mass and who.quant == "" else "third"
    return ""


def agrees(b: Builder, who: Any, word: Word) -> None:
    """The verb has to have the form that its subject wants; `is` and `has` too."""
    wanted = person(b, who)
    forms = {"singular": "third", "plural": "base"}
    have = {forms.get(f, f) for f in word.forms}
    if not wanted or not have or wanted in have:
        return
    right, noun = verb_form(b, word, wanted), b.nouns.get(who.at[1])
    open_number = noun is not None and isinstance(who, t.Sel) and who.quant in ("", "the") and who.head == noun.base
    if open_number and noun is not None and word.at[0] == noun.at[1] + 1:
        # Nothing before the noun says how many they are, so either of the two may be the slip.
        message = f'"{noun.text}" and "{word.text}" do not agree'
        b.fault((noun.at[0], word.at[1]), "agreement", message, f"{noun.text} {right}")
        return
    b.fault(word.at, "agreement", f'"{word.text}" does not agree with its subject', right)


def wants_base(b: Builder, word: Word, why: str) -> None:
    if word.forms and "base" not in word.forms:
        b.fault(
            word.at,
            "agreement",
            f'"{word.text}" has to be "{verb_form(b, word, "base")}" {why}',
            verb_form(b, word, "base"),
        )


def verb_form(b: Builder, word: Word, form: str) -> str:
    """The same verb in another form."""
    small_forms = {"is": "are", "has": "have", "costs": "cost", "counts as": "count as", "does not": "do not"}
    verb = VERBS.get(word.base)
    if verb is not None and word.type != "CHOOSE_ONE":
        return {"base": verb.base, "third": verb.third, "past": verb.past}.get(form, verb.participle)
    if word.phrases:
        return str(word.phrases[0].forms[("base", "third", "past", "participle").index(form)])
    if word.type == "CHOOSE_ONE":
        return "chooses one" if form == "third" else "choose one"
    back = {v: k for k, v in small_forms.items()}
    return small_forms.get(small(word), small(word)) if form == "base" else back.get(small(word), small(word))


# ---------------------------------------------------------------- clauses

# What is done at once, so that it cannot be done until something.
AT_ONCE = (
    "gain",
    "lose",
    "pay",
    "take",
    "give",
    "place",
    "remove",
    "swap",
    "draw",
    "discard",
    "shuffle",
    "reveal",
    "roll",
)


def act(b: Builder, doing: Doing, at: Span, during: Any, **more: Any) -> t.Act:
    """What is done, from a verb with its objects. during: what stands behind it, for how long or until when."""
    roles, lasting = doing.roles, during
    if isinstance(during, t.Duration) and during.form == "until" and doing.verb == "move":
        roles, lasting = (*roles, ("until", during.cond)), None
    if (
        isinstance(lasting, t.Duration)
        and lasting.form.startswith("until")
        and not more.get("modal")
        and doing.verb in AT_ONCE
    ):
        b.fault(
            lasting.at,
            "syntax",
            f'"{doing.verb}" is done at once and cannot last; say how something is, or what may be done',
        )
    return t.Act(doing.verb, roles, during=lasting, is_phrase=doing.is_phrase, at=at, **more)


@rule("do")
def do(b: Builder, kids: list[Any], at: Span) -> Any:
    doing, during = kids[0], kids[1] if len(kids) > 1 else None
    return Clause(act(b, doing, at, during), doing.word, at=at)


def said_of(modal: str = "", secretly: bool = False, form: str = "") -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        who, doing, during = kids[0], kids[1], kids[2] if len(kids) > 2 else None
        if modal or form:
            wants_base(b, doing.word, f'after "{modal or "must"}"')
        else:
            agrees(b, who, doing.word)
        node = act(b, doing, at, during, subject=who, modal=modal, secretly=secretly)
        return Clause(node, doing.word, who, modal, at)

    return build


RULES["does"] = said_of()
RULES["may"] = said_of("may")
RULES["cannot"] = said_of("cannot")
RULES["must"] = said_of(form="base")


@rule("cannot_while")
def cannot_while(b: Builder, kids: list[Any], at: Span) -> Any:
    """`X cannot … while C` is `While C, X cannot …`."""
    made: Clause = said_of("cannot")(b, kids[:2], at)
    return replace(made, node=t.While(kids[2], t.Text((made.node,), at=at), at=at), word=None)


RULES["secretly"] = said_of(secretly=True)


@rule("static")
def static(b: Builder, kids: list[Any], at: Span) -> Any:
    what, made, during = kids[0], kids[1], kids[2] if len(kids) > 2 else None
    agrees(b, what, made.word)
    if made.prop is not None:
        what = property_of(what, made.prop)
    return Clause(t.Static(what, made.change, made.amount, made.to, during, at=at), None, kids[0], "", at)


@rule("give_plus")
def give_plus(b: Builder, kids: list[Any], at: Span) -> Any:
    """`Give a Guard +2 Might this turn` is `A Guard has +2 Might this turn`."""
    (_, what), count, prop = kids[1:4]
    during = kids[4] if len(kids) > 4 else None
    if not isinstance(what, (t.Ref, t.PlayerN)) and not (isinstance(what, t.Sel) and plain_noun(what)):
        b.fault(what.at, "syntax", "whose number is it? Write who has it, as in `a Guard has +2 Might`")
    return Clause(t.Static(property_of(what, prop), "plus", count, None, during, at=at), None, what, "", at)


def plain_noun(sel: t.Sel) -> bool:
    """Whether a selection can stand before a verb as it is."""
    return (
        not sel.at_random
        and sel.trail != "none to spare"
        and sel.quant not in ("half of", "up to", "any number of", "at least", "at most")
    )


@rule("cannot_be")
def cannot_be(b: Builder, kids: list[Any], at: Span) -> Any:
    """`Your Guards cannot be removed` is `Players cannot remove your Guards`."""
    what, done = kids[0], kids[2]
    if small(kids[1]) != "be":
        b.fault(kids[1].at, "syntax", '"cannot" goes on with "be"', "be")
    hole = first_hole(done.form) if done.form is not None else None
    roles = ((hole.name if hole is not None else "what", what), *done.roles)
    who = done.by if done.by is not None else t.Sel("player", plural=True, at=at)
    during = kids[3] if len(kids) > 3 else None
    node = t.Act(done.verb, roles, who, "cannot", during=during, is_phrase=done.form is not None, at=at)
    return Clause(node, None, who, "cannot", at)


@rule("static_while")
def static_while(b: Builder, kids: list[Any], at: Span) -> Any:
    """`S while C` is `While C, S`."""
    made: Clause = static(b, kids[:2], at)
    return replace(made, node=t.While(kids[2], t.Text((made.node,), at=at), at=at))


def property_of(owner: Any, prop: Word) -> t.Sel:
    """`it has +2 Might` is said of its Might."""
    forms = {"you": "your", "it": "its", "this": "of", "they": "their", "them": "their"}
    form = forms.get(owner.word, "of") if isinstance(owner, t.Ref) else "of"
    return t.Sel(
        prop.base, "" if form != "of" else "the", of=owner, of_form=form, plural="plural" in prop.forms, at=prop.at
    )


@rule("let")
def let(b: Builder, kids: list[Any], at: Span) -> Any:
    name, be, value = kids
    if small(be) != "be":
        b.fault(be.at, "syntax", '"let" goes on with "be"', "be")
    if isinstance(value, t.Join):
        return Clause(t.LetEither(name.base, value.parts, at=at), at=at)
    return Clause(t.Let(name.base, value, at=at), at=at)


RULES["static_is"] = lambda b, kids, at: Change("set", kids[0], kids[1])
RULES["static_doubled"] = lambda b, kids, at: Change("times", kids[0], t.Num(2))
RULES["static_plus"] = lambda b, kids, at: Change("plus", kids[0], kids[1], prop=kids[2])
RULES["static_no"] = lambda b, kids, at: Change("no", kids[0], prop=kids[1])
RULES["static_counts"] = lambda b, kids, at: Change("counts as", counts(kids[0]), kids[1])


def counts(word: Word) -> Word:
    word.forms = ("third",) if small(word).startswith("counts") else ("base",)
    return word


@rule("static_bound")
def static_bound(b: Builder, kids: list[Any], at: Span) -> Any:
    compare = small(kids[1])
    if compare not in ("at least", "at most"):
        b.fault(kids[1].at, "syntax", f'a bound is "at least" or "at most", not "{compare}"', "at most")
    return Change(compare, kids[0], kids[2])


@rule("static_by")
def static_by(b: Builder, kids: list[Any], at: Span) -> Any:
    change = {"increase": "plus", "reduce": "minus"}.get(kids[1].base)
    if change is None:
        b.fault(
            kids[1].at, "syntax", f'a number is "increased by" or "reduced by", not "{small(kids[1])} by"', "increased"
        )
    return Change(change or "plus", kids[0], kids[2])


@rule("static_cost")
def static_cost(b: Builder, kids: list[Any], at: Span) -> Any:
    word = kids[0]
    word.forms = ("third",) if small(word) == "costs" else ("base",)
    return Change(f"cost {small(kids[2])}", word, kids[1], kids[3] if len(kids) > 3 else None)


RULES["until_end"] = lambda b, kids, at: t.Duration("until end", kids[0], at=at)
RULES["until_start"] = lambda b, kids, at: t.Duration("until start", kids[0], at=at)
RULES["until_cond"] = lambda b, kids, at: t.Duration("until", None, kids[0], at=at)


@rule("during_this")
def during_this(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Duration("this", t.Sel(kids[0].base, "this", at=at), at=at)


@rule("during_each")
def during_each(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Duration("each", t.Sel(kids[0].base, "each", at=at), at=at)


# ---------------------------------------------------------------- verbs and their roles


@rule("verb")
def verb(b: Builder, kids: list[Any], at: Span) -> Any:
    """A verb of the language with its objects, as pairs of a role and what plays it."""
    word, roles = kids[0], []
    for kid in kids[1:]:
        if isinstance(kid, Word):
            roles.append(("face", small(kid).split()[1]))
        elif isinstance(kid, list):
            roles += kid
        else:
            roles.append(kid)
    if word.base == "choose" and len(roles) > 1:
        what = roles[0][1]
        if isinstance(what, t.Local):
            roles[0] = ("name", what.name)
    if word.base == "win" and roles and isinstance(roles[0][1], t.Sel) and roles[0][1].head == "game":
        roles = []
    return Doing(word.base, tuple(roles), word, at=at)


@rule("verb_whom")
def verb_whom(b: Builder, kids: list[Any], at: Span) -> Any:
    """`give them 2 Coins` is `give 2 Coins to them`."""
    word, who, what = kids
    return Doing(word.base, (what, ("to", who)), word, at=at)


def role(name: str) -> Rule:
    return lambda b, kids, at: (name, kids[0])


RULES.update({name: role(name) for name in ("what", "from", "to", "by", "with", "into", "along")})
RULES["for_"] = lambda b, kids, at: ("for", kids[0])
RULES["by_whom"] = lambda b, kids, at: ("by whom", kids[0])
RULES["before"] = lambda b, kids, at: ("before", kids[1])
RULES["where"] = lambda b, kids, at: (small(kids[0]), kids[1])
RULES["state"] = lambda b, kids, at: ("state", small(kids[0]))
RULES["in_a_row"] = lambda b, kids, at: ("in a row", t.Num(2, at=at))


@rule("steps", "steps_n")
def steps(b: Builder, kids: list[Any], at: Span) -> Any:
    count = distance(b, kids[1], kids[2]) if len(kids) > 1 else t.Num(1, at=at)
    return small(kids[0]), count


@rule("steps_up_to")
def steps_up_to(b: Builder, kids: list[Any], at: Span) -> Any:
    count = distance(b, kids[1], kids[2])
    return small(kids[0]), t.Sel("space", "up to", count, plural="plural" in kids[2].forms, at=at)


def distance(b: Builder, count: Any, noun: Word) -> Any:
    if noun.base != "space":
        b.fault(noun.at, "syntax", "how far is counted in spaces", "spaces")
    one = isinstance(count, t.Num) and count.value == 1
    b.want(noun, "singular" if one else "plural", "after this number")
    return t.Sel(count.base, plural="plural" in count.forms, at=count.at) if isinstance(count, Word) else count


@rule("range")
def range_(b: Builder, kids: list[Any], at: Span) -> Any:
    return list(zip(("low", "high", "most"), kids))


def phrase(b: Builder, name: str, kids: list[Any], at: Span) -> Any:
    """A verb of content with what stands in its holes."""
    found = holes_of(b, name, kids, at)
    if found is None:
        return Doing(kids[0].base, (), kids[0], True)
    form, roles = found
    return Doing(form.pattern.ident, roles, kids[0], True, at)


@rule("passive")
def passive(b: Builder, kids: list[Any], at: Span) -> Any:
    word, roles = kids[0], [k for k in kids[1:] if k[0] != "by whom"]
    by = next((k[1] for k in kids[1:] if k[0] == "by whom"), None)
    if not word.phrases and word.base not in VERBS:
        b.fault(word.at, "syntax", f'nothing can be "{word.text}" like this')
    return undergoing(b, word, tuple(roles), by) or Undergoing(word.base, tuple(roles), by)


def undergoing(b: Builder, word: Word, tail: tuple[tuple[str, Any], ...], by: Any) -> Undergoing | None:
    """What a participle says is done; None if it is only a state."""
    if word.phrases:
        if "participle" not in word.forms:
            b.fault(
                word.at,
                "agreement",
                f'"{word.text}" has to be "{verb_form(b, word, "participle")}"',
                verb_form(b, word, "participle"),
            )
        for form in sorted(word.phrases, key=lambda f: len(f.symbols)):
            roles = tail_roles(form, tail)
            if first_hole(form) is not None and roles is not None:
                return Undergoing(form.pattern.ident, roles, by, form)
        b.fault(word.at, "syntax", f'nothing can be "{word.text}" like this')
        return None
    base = next((v.base for v in VERBS.values() if v.participle == small(word) and v.passive), None)
    return Undergoing(base, tail, by) if base else None


def tail_roles(form: Form, tail: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...] | None:
    """The holes that `to a Tower` after a participle fills; None if the phrase has no such words."""
    roles: list[tuple[str, Any]] = []
    parts = form.pattern.parts
    for word, node in tail:
        place = next((i for i, p in enumerate(parts[:-1]) if p == word), None)
        hole = parts[place + 1] if place is not None else None
        if hole is None or isinstance(hole, str):
            return None
        roles.append((hole.name, node))
    return tuple(roles)
