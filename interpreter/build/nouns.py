"""nouns: in, what the parser has read of a number or a thing; out, its node of the tree.

One function for each rule of sections 7 and 8 of the grammar, and the agreement of nouns with what stands before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from interpreter import tree as t
from interpreter.build.base import BEFORE_NOUN, OPS, RULES, Builder, Rule, article, rule, small
from interpreter.shapes import Form
from interpreter.tree import Span
from interpreter.vocabulary import Hole
from interpreter.words import Lexicon, Word

MORE_OPS = {"or more": ">=", "or less": "<=", "or fewer": "<=", "or higher": ">=", "or lower": "<="}

# ---------------------------------------------------------------- numbers


@rule("num")
def num(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Num(int(kids[0].text), at=at)


def arith(op: str) -> Rule:
    return lambda b, kids, at: t.Arith(op, kids[0], kids[1], at=at)


RULES.update({op: arith(op) for op in ("plus", "minus", "times")})
RULES["negative"] = lambda b, kids, at: t.Arith("minus", t.Num(0), kids[0], at=at)
RULES["twice"] = lambda b, kids, at: t.Twice(kids[0], at=at)
RULES["half"] = lambda b, kids, at: t.Half(kids[0], rounding(kids[1]), at=at)
RULES["short"] = lambda b, kids, at: t.Short(at=at)
RULES["any_amount"] = lambda b, kids, at: t.Much(open=True, at=at)
RULES["if_otherwise"] = lambda b, kids, at: t.Choice(kids[0], kids[1], kids[2], at=at)
RULES["number_of_different"] = lambda b, kids, at: t.Count(kids[1], kids[0].base, at=at)
RULES["either"] = lambda b, kids, at: t.Join("or", tuple(kids), at=at)


@rule("total")
def total(b: Builder, kids: list[Any], at: Span) -> Any:
    if kids[1].base in b.lexicon.vocabulary.measures:
        b.want(kids[1], "singular", f'after "{small(kids[0])}"')
    return t.Total(small(kids[0]).split()[1], kids[1].base, kids[2], at=at)


def rounding(word: Word) -> str:
    return "up" if re.search(r"\bup\b", word.text) else "down"


@rule("much")
def much(b: Builder, kids: list[Any], at: Span) -> Any:
    words = small(kids[0]).split() if kids else ["that", "amount"]
    node = t.Much(words[-1], at=at)
    return t.Twice(node, at=at) if words[0] == "twice" else node


@rule("number_of")
def number_of(b: Builder, kids: list[Any], at: Span) -> Any:
    of = kids[0]
    if isinstance(of, t.Sel) and not of.plural and of.quant == "" and countable(b, of):
        b.fault(of.at, "agreement", f'"{of.head}" has to be plural after "the number of"')
    return t.Count(of, at=at)


def countable(b: Builder, sel: t.Sel) -> bool:
    return sel.head not in b.lexicon.mass


@rule("per", "part_per")
def per(b: Builder, kids: list[Any], at: Span) -> Any:
    return t.Per(kids[0], each(b, kids[1]), at=at)


def each(b: Builder, sel: t.Sel) -> t.Sel:
    """The noun after `for each`."""
    b.naked.pop(sel.at[0], None)
    if sel.plural:
        b.fault(sel.at, "agreement", f'"{sel.head}" has to be singular after "for each"', sel.head)
    return replace(sel, quant="each", at=sel.at)


# ---------------------------------------------------------------- nouns


@dataclass(slots=True)
class Parts:
    """The words of one noun phrase: adjectives, noun, participle behind it."""

    adjs: tuple[str, ...]
    noun: Word
    trail: str


def parts_of(kids: list[Any]) -> Parts:
    words = [k for k in kids if isinstance(k, Word)]
    trail = next((k[1] for k in kids if isinstance(k, tuple)), "")
    return Parts(tuple(small(w) for w in words[:-1]), words[-1], trail)


def sel_of(parts: Parts, at: Span, more: tuple[str, ...] = (), **given: Any) -> t.Sel:
    plural = "plural" in parts.noun.forms
    return t.Sel(parts.noun.base, adjs=(*more, *parts.adjs), trail=parts.trail, plural=plural, at=at, **given)


RULES["trail_told"] = lambda b, kids, at: ("trail", f"{small(kids[0])} this {kids[1].what.head}")
RULES["trail"] = lambda b, kids, at: ("trail", small(kids[0]))


@rule("named")
def named(b: Builder, kids: list[Any], at: Span) -> Any:
    parts = parts_of(kids)
    b.nouns[at[1]] = parts.noun
    if b.lexicon.vocabulary.zones.get(parts.noun.base) is False:
        b.want(parts.noun, "singular", "for there is one")
    return parts


def one_each(b: Builder, noun: Word | None, why: str) -> None:
    """Of a zone and of a number one thing has one: `your Hand`, `the Cost of it`."""
    vocabulary = b.lexicon.vocabulary
    if noun is not None and (noun.base in vocabulary.zones or noun.base in vocabulary.measures - vocabulary.kinds):
        b.want(noun, "singular", why)


def is_one(whose: Any) -> bool:
    if isinstance(whose, t.Ref):
        return whose.word in ("you", "it", "this")
    return isinstance(whose, t.PlayerN) or (isinstance(whose, t.Sel) and not whose.plural and whose.count is None)


RULES["the"] = lambda b, kids, at: sel_of(kids[0], at, quant="the")


@rule("plain")
def plain(b: Builder, kids: list[Any], at: Span) -> Any:
    parts = named(b, kids, at)
    of_kind = parts.noun.type in ("NOUN", "PLAYER") or parts.noun.base in b.lexicon.vocabulary.kinds
    if of_kind and "singular" in parts.noun.forms:
        b.naked[at[0]] = ((at[0], parts.noun.at[1]), parts.adjs, parts.noun)
    return sel_of(parts, at)


@rule("this")
def this(b: Builder, kids: list[Any], at: Span) -> Any:
    word, parts = small(kids[0]), kids[1]
    b.want(parts.noun, "plural" if word == "those" else "singular", f'after "{word}"')
    return sel_of(parts, at, quant=word)


@rule("a")
def a(b: Builder, kids: list[Any], at: Span) -> Any:
    word, parts = kids
    b.want(parts.noun, "singular", f'after "{small(word)}"')
    if small(word) == "any":
        return sel_of(parts, at, quant="a")
    follows = parts.adjs[0] if parts.adjs else parts.noun.text
    if article(follows) != small(word) and follows[0].lower() not in "uhoe":
        b.fault(word.at, "agreement", f'"{small(word)}" before "{follows}"', article(follows))
    return sel_of(parts, at, quant="a")


@rule("each")
def each_head(b: Builder, kids: list[Any], at: Span) -> Any:
    quant, parts = small(kids[0]), kids[1]
    number = {"all": "plural", "all other": "plural", "no": ""}.get(quant, "singular")
    if number:
        b.want(parts.noun, number, f'after "{quant}"')
    return sel_of(parts, at, quant=quant)


@rule("exactly")
def exactly(b: Builder, kids: list[Any], at: Span) -> Any:
    count, parts = kids[0], kids[-1]
    number_agrees(b, parts.noun, count)
    return sel_of(parts, at, ("more",) if len(kids) > 2 else (), quant="exactly", count=count)


def number_agrees(b: Builder, noun: Word, count: Any) -> None:
    much_agrees(b, noun.text, bool(noun.forms), count)
    one = isinstance(count, t.Num) and count.value == 1
    why = f'after "{count.value}"' if isinstance(count, t.Num) else "after a number"
    b.want(noun, "singular" if one else "plural", why)


def much_agrees(b: Builder, noun: str, counted: bool, count: Any) -> None:
    """`that many` Coins, but `that much` Smoke."""
    much = count.of if isinstance(count, t.Twice) else count
    if isinstance(much, t.Much) and much.word == ("much" if counted else "many"):
        meant = "that many" if counted else "that much"
        b.fault(count.at, "agreement", f'"{noun}" is counted with "{meant}"', meant)


@rule("top")
def top(b: Builder, kids: list[Any], at: Span) -> Any:
    count, parts = kids[1] if len(kids) > 2 else None, kids[-1]
    if count is None:
        b.want(parts.noun, "singular", f'after "{small(kids[0])}"')
    else:
        number_agrees(b, parts.noun, count)
    return sel_of(parts, at, quant=small(kids[0]), count=count)


@rule("owned_by")
def owned_by(b: Builder, kids: list[Any], at: Span) -> Any:
    word = small(kids[0])
    who = {"your": "you", "its": "it", "their": "they"}[word]
    if word == "its" or (word == "your" and kids[1].noun.base not in b.lexicon.vocabulary.spread):
        one_each(b, kids[1].noun, f'after "{word}"')
    return sel_of(kids[1], at, of=t.Ref(who, at=kids[0].at), of_form=word)


@rule("all_owned")
def all_owned(b: Builder, kids: list[Any], at: Span) -> Any:
    if small(kids[0]) != "all":
        b.fault(kids[0].at, "syntax", f'"{small(kids[0])}" cannot stand before "{small(kids[1])}"', "all")
    return replace(owned_by(b, kids[1:], at), quant="all")


@rule("possessed")
def possessed(b: Builder, kids: list[Any], at: Span) -> Any:
    if is_one(kids[0]):
        one_each(b, kids[1].noun, "of one thing")
    return sel_of(kids[1], at, of=kids[0], of_form="'s")


@rule("of")
def of(b: Builder, kids: list[Any], at: Span) -> Any:
    head, whose = kids
    if head.of is not None:
        b.fault(at, "syntax", f'"{head.head}" has two owners here; name one')
    elif is_one(whose):
        one_each(b, b.nouns.get(head.at[1]), "of one thing")
    return replace(head, of=whose, of_form="of", at=at)


@rule("of_yours")
def of_yours(b: Builder, kids: list[Any], at: Span) -> Any:
    if kids[0].of is not None:
        b.fault(at, "syntax", f'"{kids[0].head}" has two owners here; name one')
    return replace(kids[0], of=t.Ref("you", at=(at[1] - len("yours"), at[1])), of_form="yours", at=at)


@rule("one_of", "n_of")
def one_of(b: Builder, kids: list[Any], at: Span) -> Any:
    count = kids[0] if len(kids) > 1 else None
    return out_of(b, kids[-1], "one of", at, count=count)


def out_of(b: Builder, whole: Any, quant: str, at: Span, **more: Any) -> t.Sel:
    """`QUANT of WHOLE`: where the whole is a plain noun the quantity becomes its own."""
    if isinstance(whole, t.Sel) and whole.quant in ("", "the"):
        if not whole.plural and countable(b, whole) and quant != "half of":
            b.fault(whole.at, "agreement", f'"{whole.head}" has to be plural after "of"')
        return replace(whole, quant=quant, at=at, **more)
    return t.Sel("thing", quant, of=whole, of_form="of", plural=True, at=at, **more)


@rule("bare")
def bare(b: Builder, kids: list[Any], at: Span) -> Any:
    sel = kids[0] if isinstance(kids[0], t.Sel) else t.Sel("thing", "each", at=at)
    if sel.quant or sel.of_form in BEFORE_NOUN:
        b.fault(sel.at, "syntax", "only a noun without a word such as a, each or 2 before it can stand here")
    return sel


@rule("quantified", "holding_amount")
def quantified(b: Builder, kids: list[Any], at: Span) -> Any:
    """`at least 2 Guards of yours`, `more than 2 Coins`: the noun with its number and how that is meant."""
    compare, count, sel = small(kids[0]), kids[1], kids[2]
    if not isinstance(sel, t.Sel) or sel.quant or sel.of_form in BEFORE_NOUN:
        b.fault(at, "syntax", f'"{compare}" wants a number and a plain noun')
        return sel
    if len(kids) > 3:
        sel = replace(sel, place=kids[3])
    if compare in ("more than", "less than", "fewer than"):
        step = 1 if compare == "more than" else -1
        count = (
            t.Num(count.value + step, at=count.at)
            if isinstance(count, t.Num)
            else t.Arith("plus" if step > 0 else "minus", count, t.Num(1))
        )
    elif compare == "other than":
        b.fault(
            kids[0].at, "syntax", '"other than" compares; write "at least", "at most" or the number alone', "at least"
        )
    quant = {"exactly": "exactly", "at least": "at least", "more than": "at least"}.get(compare, "at most")
    return counted(b, sel, quant, count, at)


@rule("or_more")
def or_more(b: Builder, kids: list[Any], at: Span) -> Any:
    count, sel = t.Num(int(kids[0].text), at=kids[0].at), kids[2]
    return counted(b, sel, "at least" if MORE_OPS[small(kids[1])] == ">=" else "at most", count, at)


def counted(b: Builder, sel: t.Sel, quant: str, count: Any, at: Span) -> t.Sel:
    one = isinstance(count, t.Num) and count.value == 1
    much_agrees(b, sel.head, countable(b, sel), count)
    b.naked.pop(sel.at[0], None)
    if countable(b, sel) and sel.plural == one:
        b.fault(sel.at, "agreement", f'"{sel.head}" has to be {"singular" if one else "plural"} after this number')
    return replace(sel, quant=quant, count=count, at=at)


@rule("up_to", "up_to_of")
def up_to(b: Builder, kids: list[Any], at: Span) -> Any:
    count, sel = kids
    if isinstance(sel, t.Sel) and sel.quant == "" and sel.of_form not in BEFORE_NOUN:
        return counted(b, sel, "up to", count, at)
    return out_of(b, sel, "up to", at, count=count)


@rule("any_number")
def any_number(b: Builder, kids: list[Any], at: Span) -> Any:
    return out_of(b, kids[0], "any number of", at)


RULES["each_of"] = lambda b, kids, at: kids[0]
RULES["half_of"] = lambda b, kids, at: out_of(b, kids[0], "half of", at, rounding=rounding(kids[1]))
RULES["or_a"] = lambda b, kids, at: t.Join("or", tuple(kids), at=at)
RULES["and_a"] = lambda b, kids, at: t.Join("and", tuple(kids), at=at)


@rule("equal")
def equal(b: Builder, kids: list[Any], at: Span) -> Any:
    what = kids[0]
    if not isinstance(what, t.Sel) or what.quant not in ("", "the"):
        b.fault(what.at, "syntax", "what is counted with `=` stands without a number or a word such as a and each")
    return t.Equal(what, kids[1], at=at)


@rule("at_random")
def at_random(b: Builder, kids: list[Any], at: Span) -> Any:
    if not isinstance(kids[0], t.Sel):
        b.fault(at, "syntax", "what is taken at random has to be named: write `2 cards at random`")
        return kids[0]
    return replace(kids[0], at_random=True, at=at)


@rule("to_spare")
def to_spare(b: Builder, kids: list[Any], at: Span) -> Any:
    return replace(kids[0], trail="none to spare", at=at) if isinstance(kids[0], t.Sel) else kids[0]


# ---------------------------------------------------------------- what stands behind a noun


@rule("modified", "modified_core", "holding")
def modified(b: Builder, kids: list[Any], at: Span) -> Any:
    """A noun with the place and the filters behind it."""
    if len(kids) == 1:
        return kids[0]
    sel, mods = kids[0], kids[1] if isinstance(kids[1], list) else [kids[1]]
    if not isinstance(sel, t.Sel):
        b.fault(at, "syntax", "this already says which; nothing can be added behind it")
        return sel
    place = next((m for m in mods if isinstance(m, t.Place)), None)
    filters = []
    for mod in (m for m in mods if not isinstance(m, t.Place)):
        node, verb = mod if isinstance(mod, tuple) else (mod, None)
        if verb is not None and countable(b, sel):
            wanted = "plural" if sel.plural else "singular"
            if wanted not in verb.forms:
                right = {"is": "are", "are": "is", "has": "have", "have": "has"}.get(small(verb))
                b.fault(verb.at, "agreement", f'"{verb.text}" does not agree with "{sel.head}"', right)
        filters.append(node)
    return replace(sel, place=place, filters=tuple(filters), at=at)


RULES["mods"] = lambda b, kids, at: [m for k in kids for m in (k if isinstance(k, list) else [k])]
RULES["filters"] = lambda b, kids, at: list(kids)
RULES["place"] = RULES["place_open"] = lambda b, kids, at: t.Place(small(kids[0]), kids[1], at=at)
RULES["filter"] = lambda b, kids, at: kids[0]
RULES["filter_without"] = lambda b, kids, at: t.WithThing(kids[0], True, at=at)
RULES["with_thing"] = lambda b, kids, at: t.WithThing(kids[0], at=at)
RULES["with_amount"] = lambda b, kids, at: t.With(kids[0].base, OPS[small(kids[1])], kids[2], at=at)
RULES["with_or_more"] = lambda b, kids, at: t.With(
    kids[0].base, MORE_OPS[small(kids[2])], t.Num(int(kids[1].text), at=kids[1].at), at=at
)
RULES["with_total"] = lambda b, kids, at: t.With(kids[0].base, OPS[small(kids[1])], kids[2], True, at=at)
RULES["with_most"] = lambda b, kids, at: t.With(
    kids[1].base, "most" if small(kids[0]) == "the most" else "least", None, at=at
)


@rule("a_or")
def a_or(b: Builder, kids: list[Any], at: Span) -> Any:
    """`a Tower or Guard with Might at least 2`: what stands behind them is said of both."""
    word, mods = kids[0], kids[-1] if isinstance(kids[-1], list) else []
    parts: list[t.Sel] = []
    for named_ in (kid for kid in kids[1:] if isinstance(kid, Parts)):
        where = (word.at[0], named_.noun.at[1]) if not parts else named_.noun.at
        b.want(named_.noun, "singular", f'after "{small(word)}"')
        one = sel_of(named_, where, quant="a")
        parts.append(modified(b, [one, mods], at) if mods else one)
    return t.Join("or", tuple(parts), at=at)


@rule("place_in")
def place_in(b: Builder, kids: list[Any], at: Span) -> Any:
    inner = replace(kids[1], place=kids[2], at=(kids[1].at[0], at[1]))
    return t.Place(small(kids[0]), inner, at=at)


def with_compared(more: str) -> Any:
    def build(b: Builder, kids: list[Any], at: Span) -> Any:
        what, than = kids[-2:]
        return t.That("with", t.Has(t.Ref("itself", at=at), what, than=than, more=more, at=at), at=at)

    return build


RULES["with_more"], RULES["with_fewer"] = with_compared("more"), with_compared("fewer")


@rule("other_than")
def other_than(b: Builder, kids: list[Any], at: Span) -> Any:
    """`X other than Y` is `X that is not Y`."""
    return t.That("that", t.Is(t.Ref("itself", at=at), kids[1], "", True, at=at), at=at)


RULES["that_does"] = lambda b, kids, at: t.Rel(kids[0], small(kids[1]), None, kids[2], at=at)
RULES["that_you"] = lambda b, kids, at: t.Rel(kids[0], small(kids[2]), kids[1], None, at=at)


@rule("relative_word")
def relative_word(b: Builder, kids: list[Any], at: Span) -> Any:
    if small(kids[0]) == "those":
        b.fault(kids[0].at, "syntax", '"those" cannot follow the noun that it speaks of', "that")
    return small(kids[0])


# ---------------------------------------------------------------- pronouns, locals, values of content

RULES["ref"] = lambda b, kids, at: t.Ref(small(kids[0]), at=at)
RULES["local"] = lambda b, kids, at: t.Local(kids[0].base, at=at)
RULES["player_n"] = lambda b, kids, at: t.PlayerN(int(kids[1].text), at=at)
RULES["after"] = lambda b, kids, at: t.Value("core:after", (("of", kids[0]), ("path", kids[1])), at=at)
RULES["run"] = lambda b, kids, at: t.Value(
    f"core:run {small(kids[1])}",
    (("what", kids[0]), ("of", kids[2]), ("path", kids[3]), *((("end", kids[4]),) if len(kids) > 4 else ())),
    at=at,
)
RULES["before_on"] = lambda b, kids, at: t.Value("core:before", (("of", kids[0]), ("path", kids[1])), at=at)


def holes_of(b: Builder, name: str, kids: list[Any], at: Span) -> tuple[Form, tuple[tuple[str, Any], ...]] | None:
    """Which phrase or value of its shape this is, and what stands in its holes."""
    head, rest = kids[0], kids[1:]
    wanted: list[str] = []
    forms: list[Form] = [f for f in head.phrases if f.rule == name]
    for form in forms:
        words = [(text, kid) for (kind, text), kid in zip(form.plan, rest) if kind == "word"]
        wrong = [(text, kid) for text, kid in words if not says(kid, text, b.lexicon)]
        if not wrong:
            return form, tuple((text, kid) for (kind, text), kid in zip(form.plan, rest) if kind == "hole")
        wanted.append(wrong[0][0])
        place = wrong[0][1].at
    if forms:
        b.fault(place, "syntax", f'"{head.base}" goes on with {" or ".join(repr(w) for w in wanted)} here', wanted[0])
    else:
        b.fault(at, "syntax", f'"{head.text}" does not go on like this')
    return None


def says(word: Word, text: str, lexicon: Lexicon) -> bool:
    name = lexicon.known.get(text)
    return word.base == name.canonical if name is not None and word.type == "NAME" else small(word) == text.lower()


def value(b: Builder, name: str, kids: list[Any], at: Span) -> Any:
    found = holes_of(b, name, kids, at)
    if found is None:
        return t.Num(0, at=at)
    form, args = found
    node = t.Value(form.pattern.ident, args, at=at)
    return t.CondValue(node, at=at) if form.family == "TRUTH" else node


def first_hole(form: Form) -> Hole | None:
    return next((p for p in form.pattern.parts if isinstance(p, Hole) and p.kind != "number"), None)
