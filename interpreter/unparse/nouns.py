"""nouns: in, a number or a thing of the tree; out, its words, and whether a verb that follows is singular."""

from __future__ import annotations

import re
from typing import Any

from interpreter import tree as t
from interpreter.build.nouns import BEFORE_NOUN, article
from interpreter.shapes import counted_words
from interpreter.verbs import VERBS
from interpreter.vocabulary import Hole, Phrase, ValuePhrase, Vocabulary

AMOUNT_OPS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "!=": "other than", "=": "="}
# How tightly an expression binds: a sum, a product, one factor, or what can stand without brackets anywhere.
SUM, PRODUCT, FACTOR, PRIMARY = range(4)


# `or` before a, an, a number or half joins things; before anything else it joins conditions.
FREE = re.compile(r"(?:an?|\d+|half|(?:twice )?that (?:many|much))\s")
NOUN = (t.Sel, t.Ref, t.Local, t.PlayerN, t.Value)
PLAIN = (*NOUN, t.Equal, t.Per)


def plural_of(noun: str) -> str:
    return "dice" if noun == "die" else noun + "s"


class NounWriter:
    """Words for numbers and things."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.singular: dict[str, str] = {}
        self.plural: dict[str, str] = {}
        for spelling, name in vocabulary.names.items():
            (self.plural if name.plural else self.singular).setdefault(name.canonical, spelling)
        self.counted = counted_words()
        self.phrases = {p.ident: p for p in vocabulary.phrases}
        self.values = {v.ident: v for v in vocabulary.values}

    # ------------------------------------------------------------ words

    def noun(self, head: str, plural: bool) -> str:
        if head == "roll" and "Roll" not in self.vocabulary.names:
            return "Rolls" if plural else "Roll"
        if head[:1].islower() and head not in self.singular:
            return plural_of(head) if plural else head
        found = self.plural if plural else self.singular
        return found.get(head, head)

    def third(self, who: Any) -> bool:
        """True if a verb after this subject is in the third person singular."""
        if isinstance(who, t.Ref):
            return who.word not in ("you", "they", "them")
        if isinstance(who, t.Join):
            return who.op == "or" and self.third(who.parts[-1])
        if isinstance(who, t.Sel):
            return not who.plural if who.quant != "one of" else who.count is None
        return True

    # ------------------------------------------------------------ numbers

    def expr(self, node: Any, level: int = SUM) -> str:
        text, mine = self.bare_expr(node)
        return f"({text})" if mine < level and not text.startswith("(") else text

    def bare_expr(self, node: Any) -> tuple[str, int]:
        """An expression without brackets, and how tightly it binds."""
        match node:
            case t.Num(value=value):
                return str(value), PRIMARY
            case t.Arith(op="times", left=left, right=right):
                return f"{self.expr(left, FACTOR)} times {self.expr(right, FACTOR)}", PRODUCT
            case t.Arith(op="minus", left=t.Num(value=0), right=right):
                return f"minus {self.expr(right, PRODUCT)}", SUM
            case t.Arith(op=op, left=left, right=right):
                return f"{self.expr(left, SUM)} {op} {self.expr(right, PRODUCT)}", SUM
            case t.Twice(of=of):
                return f"twice {self.expr(of, FACTOR)}", max(FACTOR, self.bare_expr(of)[1])
            case t.Half(of=of, rounding=rounding):
                return f"half {self.expr(of, FACTOR)}, rounded {rounding}", max(FACTOR, self.bare_expr(of)[1])
            case t.Count(of=of, different=""):
                return f"the number of {self.np(of)}", FACTOR
            case t.Count(of=of, different=prop):
                return f"the number of different {self.noun(prop, True)} of {self.np(of)}", FACTOR
            case t.Total(how=how, prop=prop, of=of):
                return f"the {how} {self.noun(prop, False)} of {self.np(of)}", FACTOR
            case t.Choice(then=then, cond=cond, otherwise=other):
                return f"({self.expr(then)} if {self.cond(cond)}, otherwise {self.expr(other)})", PRIMARY
            case t.Per(amount=amount, each=each):
                text = self.expr(amount, PRIMARY)
                if isinstance(amount, NOUN):
                    text = f"({text})"  # in a sum only a number stands here without brackets
                return f"{text} for each {self.without_each(each)}", PRODUCT
            case t.Much(open=open_):
                return "any amount" if open_ else "that amount", PRIMARY
            case t.Short():
                return "the amount you could not pay", FACTOR
            case t.Join():
                return self.either(node), FACTOR
        return self.np(node), PRIMARY if self.is_core(node) else FACTOR

    def either(self, node: t.Join) -> str:
        return "either " + " or ".join(self.expr(part, FACTOR) for part in node.parts)

    def quantity(self, node: Any) -> str:
        if isinstance(node, t.Local):
            return node.name
        if isinstance(node, t.Num):
            return str(node.value)
        if isinstance(node, t.Much) and node.word in ("many", "much"):
            return f"that {node.word}"
        if isinstance(node, t.Twice) and isinstance(node.of, t.Much) and node.of.word in ("many", "much"):
            return f"twice that {node.of.word}"
        text = self.expr(node)
        return text if isinstance(node, t.Choice) else f"({text})"

    # ------------------------------------------------------------ things

    def is_core(self, node: Any) -> bool:
        """True if this can stand before a preposition that is not its own."""
        return not isinstance(node, t.Sel) or (node.place is None and not node.filters and self.is_core(node.of))

    def sel(self, node: Any) -> str:
        """The object of a verb."""
        match node:
            case t.Join(op=op, parts=parts):
                said = [self.sel(part) for part in parts]
                plain = all(isinstance(part, PLAIN) for part in parts)
                if op == "or" and not (plain and all(FREE.match(text) for text in said[1:])):
                    return self.either(node)
                return f" {op} ".join(said)
            case t.Equal(what=what, amount=amount):
                return f"{self.np(what)} = {self.expr(amount)}"
            case t.Per(amount=amount, each=each) if isinstance(amount, NOUN):
                return f"{self.np(amount)} for each {self.without_each(each)}"
        return self.expr(node) if not isinstance(node, t.Sel) else self.np(node)

    def np(self, node: Any) -> str:
        match node:
            case t.Ref(word=word):
                return word
            case t.Local(name=name):
                return name
            case t.PlayerN(number=number):
                return f"player {number}"
            case t.Value(ident=ident, args=args):
                return self.value(ident, args)
            case t.Sel():
                return self.selection(node)
            case t.Join():
                return self.sel(node)
        return self.expr(node)

    def value(self, ident: str, args: tuple[tuple[str, Any], ...]) -> str:
        if ident.startswith("core:run"):
            given = dict(args)
            end = f" ended by {self.np(given['end'])}" if "end" in given else ""
            start, path = self.expr(given["of"], PRIMARY), self.np(given["path"])
            return f"the run of {self.np(given['what'])} {ident.split()[1]} {start} along {path}{end}"
        if ident.startswith("core:"):
            (_, start), (_, path) = args
            return f"the space {ident[5:]} {self.expr(start, PRIMARY)} along {self.np(path)}"
        return self.filled(self.values[ident], dict(args), self.values[ident].parts[0])

    def filled(self, pattern: Phrase | ValuePhrase, given: dict[str, Any], head: str | Hole) -> str:
        """A phrase with its holes filled."""
        parts = pattern.parts
        out = [str(head)]
        for i, part in enumerate(parts[1:], 1):
            if isinstance(part, str):
                out.append(part)
                continue
            node, after = given[part.name], parts[i + 1] if i + 1 < len(parts) else None
            if part.kind == "condition":
                out.append(self.cond(node))
            elif part.kind == "number":
                named = isinstance(after, str) and (not after[:1].islower() or after in self.counted)
                out.append(
                    self.quantity(node)
                    if named
                    else self.expr(node, PRIMARY if after or isinstance(pattern, ValuePhrase) else SUM)
                )
            else:
                out.append(self.sel(node))
        return " ".join(out)

    def without_each(self, node: Any) -> str:
        return self.np(node) if not isinstance(node, t.Sel) else self.selection(node, "")

    def selection(self, s: t.Sel, quant: str | None = None) -> str:
        """A noun with what stands before and behind it."""
        quant = s.quant if quant is None else quant
        noun = self.noun(s.head, s.plural)
        words = " ".join((*s.adjs, noun))
        owner = self.np(s.of) + "'s" if s.of_form == "'s" else s.of_form if s.of_form in BEFORE_NOUN else ""
        of_whole = (
            s.head == "thing"
            and s.of_form == "of"
            and quant in ("one of", "half of", "up to", "any number of")
            and not (isinstance(s.of, t.Sel) and s.of.quant in ("", "the"))
        )
        count = self.quantity(s.count) if s.count is not None else ""
        if of_whole:
            words, owner = "", self.np(s.of)
        elif quant in ("one of", "half of") or (
            quant in ("up to", "any number of") and s.adjs and self.is_done(s.adjs[0])
        ):
            owner = owner or "the"
        named = f"{owner} {words}".strip()
        if quant == "a":
            text = f"{article(words)} {words}"
        elif quant in ("top", "bottom"):
            text = " ".join(filter(None, ("the", quant, count, words)))
        elif quant == "exactly":
            text = f"{count} {named}"
        elif quant == "one of":
            text = f"{count or 'one'} of {named}"
        elif quant in ("up to", "at least", "at most"):
            text = f"{quant} {count}{' of' if owner else ''} {named}"
        else:
            text = f"{quant} {named}".strip()
        if s.trail and s.trail != "none to spare":
            text += f" {s.trail}"
        if s.of_form == "yours":
            text += " of yours"
        elif s.of_form == "of" and not of_whole:
            text += f" of {self.np(s.of)}"
        if s.place is not None:
            text += f" {self.place(s.place)}"
        for i, one in enumerate(s.filters):
            text += f" {self.filter(one, i > 0, s)}"
        if s.rounding:
            text += f" rounded {s.rounding}"
        if s.at_random:
            text += " at random"
        return text + (", none to spare" if s.trail == "none to spare" else "")

    def is_done(self, word: str) -> bool:
        """True for a participle of a core verb, which cannot begin a noun phrase."""
        return word not in self.vocabulary.states and any(word == verb.participle for verb in VERBS.values())

    def place(self, node: t.Place) -> str:
        return f"{node.prep} {self.np(node.where)}"

    def filter(self, node: Any, later: bool, s: t.Sel) -> str:
        also = "and " if later else ""
        match node:
            case t.With(prop=prop, op="most" | "least" as op):
                many = op == "most" and prop in self.plural and prop not in self.vocabulary.measures
                return f"{also}with the {op} {self.noun(prop, many)}"
            case t.With(prop=prop, op=op, value=value, total=total):
                whole = "total " if total else ""
                return f"{also}with {whole}{self.noun(prop, False)} {AMOUNT_OPS[op]} {self.expr(value, PRIMARY)}"
            case t.WithThing(what=what, neg=neg):
                return f"{also}{'without' if neg else 'with'} {self.np(what)}"
            case t.Rel(word=word, relation=relation, subject=None, object=thing):
                return f"{word} {relation} {self.np(thing)}"
            case t.Rel(word=word, relation=relation, subject=who):
                return f"{word} {self.np(who)} {relation}"
        if node.word == "with":
            return f"{also}with {node.test.more} {self.np(node.test.right)} than {self.expr(node.test.than, PRIMARY)}"
        return f"{node.word} {self.test(node.test, s.plural)}"

    def test(self, node: Any, plural: bool) -> str:
        raise NotImplementedError

    def cond(self, node: Any) -> str:
        raise NotImplementedError


def closes(text: str) -> str:
    """A comma between `rounded down` and a preposition that belongs to the verb."""
    return re.sub(r"(, rounded (?:down|up)) (?=(?:from|to|on|in|at|by|into|for|under)\b)", r"\1, ", text)
