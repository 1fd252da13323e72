"""texts: in, a condition, event, statement or text of the tree; out, its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from interpreter import tree as t
from interpreter.unparse.nouns import AMOUNT_OPS, NounWriter, closes
from interpreter.verbs import VERBS
from interpreter.vocabulary import Hole

WIDE = 160  # options that are longer than this together stand on lines of their own
STEP = "  "


class Writer(NounWriter):
    """Words for everything."""

    def whole(self, node: Any) -> str:
        if isinstance(node, t.Text):
            return self.text(node, "")
        if isinstance(node, get_args(t.Stmt)):
            return self.sentence(node, "")
        if isinstance(node, get_args(t.Cond)):
            return self.cond(node)
        if isinstance(node, t.Event):
            return self.event(node)
        if isinstance(node, t.Option):
            return self.option(node, "")
        if isinstance(node, get_args(t.Expr)):
            return self.sel(node)
        if isinstance(node, t.Place):
            return self.place(node)
        raise TypeError(type(node).__name__)

    # ------------------------------------------------------------ conditions

    def be(self, who: Any) -> str:
        return "is" if self.third(who) else "are"

    def have(self, who: Any) -> str:
        return "has" if self.third(who) else "have"

    def cond(self, node: Any) -> str:
        match node:
            case t.Compare(op="=", left=left, right=right):
                return f"{self.expr(left)} = {self.expr(right)}"
            case t.Compare(op="!=", left=left, right=right):
                return f"{self.expr(left)} {self.be(left)} not {self.expr(right)}"
            case t.Compare(op=op, left=left, right=right):
                return f"{self.expr(left)} {self.be(left)} {AMOUNT_OPS[op]} {self.expr(right)}"
            case t.Is(left=left):
                return f"{self.expr(left)} {self.be(left)} {self.quality(node)}"
            case t.Has(left=left):
                return f"{self.np(left)} {self.holding(node, self.third(left))}"
            case t.ThereIs(what=what):
                return f"there {self.be(what)} {self.sel(what)}"
            case t.Did():
                return self.did(node)
            case t.Logic(op="not", parts=parts):
                return f"not ({self.cond(parts[0])})"
            case t.Logic(op=op, parts=parts):
                return f" {op} ".join(self.part_of(op, part) for part in parts)
            case t.CondValue(value=value):
                return self.np(value)
        raise TypeError(type(node).__name__)

    def part_of(self, op: str, node: Any) -> str:
        text = self.cond(node)
        return f"({text})" if isinstance(node, t.Logic) and node.op in ("or", op) else text

    def quality(self, node: t.Is) -> str:
        neg = "not " if node.neg else ""
        if node.adj:
            return neg + node.adj
        right = node.right
        if (
            isinstance(right, t.Sel)
            and right.head == "thing"
            and not right.quant
            and right.place is not None
            and not right.filters
        ):
            return neg + self.place(right.place)
        return neg + (self.sel(right) if isinstance(right, t.Join) else self.expr(right))

    def holding(self, node: t.Has, third: bool) -> str:
        have = "has" if third else "have"
        if node.than is not None:
            what = node.right
            count = ""
            if isinstance(what, t.Sel) and what.count is not None:
                count = f"{what.quant} {self.quantity(what.count)} "
                what = replace(what, quant="", count=None)
            return f"{have} {count}{node.more} {self.np(what)} than {self.expr(node.than)}"
        if node.neg:
            return f"{'does' if third else 'do'} not have {self.sel(node.right)}"
        return f"{have} {self.sel(node.right)}"

    def test(self, node: Any, plural: bool) -> str:
        """What follows `that`."""
        be, have = ("are", "have") if plural else ("is", "has")
        match node:
            case t.Is():
                return f"{be} {self.quality(node)}"
            case t.Has():
                return self.holding(node, not plural)
            case t.Did(event=t.Event(verb=verb)):
                return f"{have} {VERBS[verb].participle}"
            case t.Logic(parts=(t.Did(event=t.Event(verb=verb)),)):
                return f"{have} not {VERBS[verb].participle}"
        raise TypeError(type(node).__name__)

    def did(self, node: t.Did) -> str:
        event = node.event
        if event is None:
            return node.how
        who = self.np(event.subject)
        if node.how == "past":
            return f"{who} {self.verb(event.verb, event.roles, 'past', True)}"
        if node.how == "perfect":
            roles = {k: v for k, v in event.roles if k != "in a row"}
            row = " twice in a row" if len(roles) < len(event.roles) else ""
            return f"{who} {self.have(event.subject)} {self.verb(event.verb, tuple(roles.items()), 'participle', False)}{row}"
        return f"{who} {node.how} {self.verb(event.verb, self.with_state(event), 'base', event.is_phrase)}"

    # ------------------------------------------------------------ events

    def with_state(self, event: t.Event) -> tuple[tuple[str, Any], ...]:
        return (*event.roles, ("state", event.state)) if event.state else event.roles

    def event(self, event: t.Event, would: bool = False) -> str:
        if event.passive:
            what, tail = event.roles[0][1], tuple(r for r in event.roles[1:] if r[0] != "during")
            during = "".join(f" {self.duration(v)}" for k, v in event.roles if k == "during")
            be = "would be" if would else self.be(what)
            by = f" by {self.np(event.subject)}" if event.subject is not None else ""
            return f"{self.np(what)} {be} {self.participle(event)}{self.tail(event, tail)}{by}{during}"
        form = "base" if would or not self.third(event.subject) else "third"
        text = self.verb(event.verb, self.with_state(event), form, event.is_phrase)
        return f"{self.np(event.subject)} {'would ' if would else ''}{text}"

    def participle(self, event: t.Event) -> str:
        return self.phrases[event.verb].forms[3] if event.is_phrase else VERBS[event.verb].participle

    def tail(self, event: t.Event, roles: tuple[tuple[str, Any], ...]) -> str:
        text = ""
        for role, node in roles:
            word = role
            if event.is_phrase:
                parts = self.phrases[event.verb].parts
                place = next(i for i, p in enumerate(parts) if isinstance(p, Hole) and p.name == role)
                word = str(parts[place - 1])
            text += f" {word} {self.sel(node)}"
        return text

    # ------------------------------------------------------------ verbs

    def verb(self, verb: str, roles: tuple[tuple[str, Any], ...], form: str, is_phrase: bool) -> str:
        """A verb with its roles."""
        kinds = ("base", "third", "past", "participle")
        during = "".join(self.role(verb, k, v, roles) for k, v in roles if k == "during")
        if is_phrase:
            pattern = self.phrases[verb]
            first = str(pattern.parts[0])
            core = VERBS.get(first)
            head = (
                (core.base, core.third, core.past, core.participle)[kinds.index(form)]
                if core
                else pattern.forms[kinds.index(form)]
            )
            return closes(self.filled(pattern, dict(roles), head)) + during
        row = VERBS[verb]
        head = (row.base, row.third, row.past, row.participle)[kinds.index(form)]
        if verb == "win" and not roles:
            return f"{head} the game"
        return closes(head + "".join(self.role(verb, k, v, roles) for k, v in roles if k != "during")) + during

    def role(self, verb: str, role: str, node: Any, roles: tuple[tuple[str, Any], ...]) -> str:
        match role:
            case "what" | "name" | "state":
                return f" {node if isinstance(node, str) else self.sel(node)}"
            case "face":
                return f" face {node}"
            case "low":
                return f" from {self.expr(node)}"
            case "high":
                return f" to {self.expr(node)}"
            case "most":
                return f", at most {self.expr(node)}"
            case "forward" | "backward":
                return f" {role}{self.steps(node, roles)}"
            case "until":
                return f" until {self.cond(node)}"
            case "during":
                return f" {self.duration(node)}"
            case "by":
                return f" by {self.expr(node)}"
            case "to" if verb == "set":
                return f" to {self.expr(node)}"
        return f" {role} {self.sel(node)}"

    def steps(self, node: Any, roles: tuple[tuple[str, Any], ...]) -> str:
        if isinstance(node, t.Sel) and node.head == "space":
            return f" {self.np(node)}"
        if node == t.Num(1):
            return "" if "until" in dict(roles) else " 1 space"
        count = self.np(node) if isinstance(node, t.Sel) else self.quantity(node)
        return f" {count} spaces"

    def duration(self, node: t.Duration) -> str:
        match node.form:
            case "until end":
                return f"until the end of {self.np(node.what)}"
            case "until start":
                return f"until {self.np(node.what)}"
            case "until" | "while":
                return f"{node.form} {self.cond(node.cond)}"
        return self.np(node.what)

    # ------------------------------------------------------------ clauses

    def act(self, node: t.Act, before: Any, form: str) -> str:
        """A clause. before: the clause it goes on from, whose subject it need not repeat."""
        who, modal = node.subject, node.modal
        third = self.third(who) if who is not None else form == "third"
        if who is not None and before is not None and before.subject == who and not modal and not node.secretly:
            goes_on = self.third(who) if not before.modal else not (isinstance(who, t.Ref) and who.word == "you")
            if goes_on:
                who, third = None, not before.modal
        subject = "" if who is None else f"{self.np(who)} "
        if modal:
            subject += f"{modal} "
            third = False
        if node.secretly:
            subject += "secretly "
        text = subject + self.verb(node.verb, node.roles, "third" if third else "base", node.is_phrase)
        return text + (f" {self.duration(node.during)}" if node.during is not None else "")

    def static(self, node: t.Static) -> str:
        what, amount = node.what, node.amount
        during = f" {self.duration(node.during)}" if node.during is not None else ""
        if node.change == "no" and isinstance(what, t.Sel) and what.of is not None:
            return f"{self.np(what.of)} {self.have(what.of)} no {self.noun(what.head, what.plural)}{during}"
        subject, be = self.np(what), self.be(what)
        match node.change:
            case "set":
                text = f"{be} {self.expr(amount)}"
            case "plus":
                text = f"{be} increased by {self.expr(amount)}"
            case "minus":
                text = f"{be} reduced by {self.expr(amount)}"
            case "times":
                text = f"{be} doubled"
            case "at least" | "at most":
                text = f"{be} {node.change} {self.expr(amount)}"
            case "counts as":
                text = f"{'counts' if self.third(what) else 'count'} as {self.np(amount)}"
            case _:
                whom = f" for {self.np(node.to)}" if node.to is not None else ""
                text = f"{'costs' if self.third(what) else 'cost'} {self.quantity(amount)} {node.change[5:]}{whom}"
        return f"{subject} {text}{during}"

    # ------------------------------------------------------------ sentences

    def text(self, node: t.Text, indent: str) -> str:
        """Sentences one after the other, each on a line of its own where there are blocks."""
        made = [self.sentence(s, indent) for s in node.sentences]
        return ("\n" + indent if node.block or any("\n" in m for m in made) else " ").join(made)

    def sentence(self, node: Any, indent: str) -> str:
        text = self.stmt(node, indent, "base")
        return self.capital(node, text) + ("" if self.closed(node) else ".")

    def capital(self, node: Any, text: str) -> str:
        first = text[:1].upper() + text[1:]
        word = first.replace("'", " ").split()[0].rstrip(",.:")
        return (
            text
            if word in self.vocabulary.names
            and word != text.split()[0]
            and isinstance(getattr(node, "subject", getattr(node, "what", None)), t.Local)
            else first
        )

    def closed(self, node: Any) -> bool:
        """True if the sentence ends in a block."""
        match node:
            case t.If(otherwise=t.Text() as other):
                return self.ends_closed(other)
            case t.If(then=body) | t.Cost(effect=body):
                return self.ends_closed(body)
            case t.Seq(parts=parts):
                return self.closed(parts[-1])
            case t.ChooseOne():
                return self.in_lines(node)
            case t.Window():
                return self.in_lines(node)
            case t.Turns(body=body):
                return self.ends_closed(body) or (node.until is not None and self.of_turns(body))
            case t.When() | t.Moment() | t.While() | t.ForEach() | t.Repeat() | t.Limit():
                return self.ends_closed(node.body)
        return False

    def ends_closed(self, body: t.Text) -> bool:
        return body.block or self.closed(body.sentences[-1])

    def stmt(self, node: Any, indent: str, form: str) -> str:
        """A statement without its full stop. form: of a verb that has no subject."""
        match node:
            case t.Act():
                return self.act(node, None, form)
            case t.Seq():
                return self.seq(node, indent, form)
            case t.Static():
                return self.static(node)
            case t.Let(name=name, value=value):
                return f"let {name} be {self.expr(value)}"
            case t.LetEither(name=name, options=options):
                return f"let {name} be either " + " or ".join(self.expr(o, 2) for o in options)
            case t.ChooseOne():
                return self.choose_one(node, None, form, indent, self.in_lines(node))
            case t.Window(start=start, options=options):
                first = f", starting with {self.np(start)}" if start is not None else ""
                return f"players may respond{first}:{self.options(options, indent, self.in_lines(node))}"
            case t.Cost(pay=pay, effect=effect):
                return self.under(self.stmt(pay, indent, form), effect, indent, ":", form)
            case t.Replace():
                return self.replace(node, indent)
            case t.Turns():
                return self.turns(node, indent)
            case t.If(cond=cond, then=then, otherwise=other):
                text = self.under(f"if {self.cond(cond)}", then, indent)
                if other is None:
                    return text
                text += "\n" + indent if self.ends_closed(then) else ". "
                return text + self.under("Otherwise", other, indent)
            case t.Text():
                return self.text(node, indent)
        sep = ":" if isinstance(node, t.Repeat) else ","
        return self.under(self.prefix(node), node.body, indent, sep)

    def prefix(self, node: Any) -> str:
        match node:
            case t.When(word=word, event=event, cond=cond, where=where, first=first):
                what = self.event(event) if event is not None else self.cond(cond)
                return f"{word} {what}{self.first(first)}" + (f", if {self.cond(where)}" if where is not None else "")
            case t.Moment(edge=edge, what=what):
                return f"at the {edge} of {self.np(what)}"
            case t.While(cond=cond):
                return f"while {self.cond(cond)}"
            case t.Limit(per=per):
                return f"once per {self.noun(per, False)}"
            case t.ForEach(var="", over=over):
                return f"for each {'' if isinstance(over, t.Sel) and over.quant == 'each' else 'of '}{self.without_each(over)}"
            case t.ForEach(var=var, over=over, before=before, ordered=ordered):
                text = f"for each {var} among {self.np(over)}"
                if before:
                    text += f" taking {' before '.join(self.noun(n, n in self.plural) for n in before)}"
                return text + (" in an order you choose" if ordered else "")
            case t.Repeat(times=times) if times is not None:
                return f"repeat {self.expr(times, 3)} times"
            case t.Repeat(until=until) if until is not None:
                return f"repeat until {self.cond(until)}"
            case t.Repeat(whilst=whilst):
                return f"repeat while {self.cond(whilst)}"
        raise TypeError(type(node).__name__)

    @staticmethod
    def first(first: str) -> str:
        return "" if not first else " for the first time" + ("" if first == "game" else f" each {first}")

    def under(self, head: str, body: t.Text, indent: str, sep: str = ",", form: str = "base") -> str:
        """A prefix with its body behind it, or below it."""
        if body.block:
            return f"{head}:\n{indent}{STEP}{self.text(body, indent + STEP)}"
        return f"{head}{sep} {self.stmt(body.sentences[0], indent, form)}"

    def seq(self, node: t.Seq, indent: str, form: str) -> str:
        out = ""
        before: Any = None
        for part, join in zip(node.parts, ("", *node.joins)):
            out += {"": "", "and": " and ", "then": ", then "}[join]
            if isinstance(part, t.Act):
                out += self.act(part, before, form)
            elif isinstance(part, t.ChooseOne):
                out += self.choose_one(part, before, form, indent, self.in_lines(part))
            else:
                out += self.stmt(part, indent, form)
            if isinstance(part, (t.Act, t.ChooseOne)) and part.subject is not None:
                before = (
                    part
                    if not (isinstance(before, t.Act) and before.subject == part.subject) or getattr(part, "modal", "")
                    else before
                )
            elif isinstance(part, t.Static):
                before = None
        return out

    def replace(self, node: t.Replace, indent: str) -> str:
        head = "the next time" if node.first == "next" else "if"
        first = "" if node.first == "next" else self.first(node.first)
        where = f" while {self.cond(node.where)}" if node.where is not None else ""
        may = "you may " if node.may else ""
        body = self.stmt(node.body.sentences[0], indent, "base")
        return f"{head} {self.event(node.event, True)}{first}{where}, {may}{body} instead"

    def turns(self, node: t.Turns, indent: str) -> str:
        start = f"starting with {self.np(node.start)}, " if node.start is not None else ""
        until = f" until {self.cond(node.until)}" if node.until is not None else ""
        head = f"{start}{self.np(node.who)} in turn{until}"
        form = "third" if node.until is None and self.third(node.who) else "base"
        only = node.body.sentences[0]
        if self.of_turns(node.body) and isinstance(only, t.ChooseOne):
            return f"{head}{',' if until else ''} {self.choose_one(only, None, form, indent, bool(until) or self.in_lines(only))}"
        return self.under(head, node.body, indent, "," if until else "", form)

    # ------------------------------------------------------------ options

    @staticmethod
    def of_turns(body: t.Text) -> bool:
        return not body.block and isinstance(body.sentences[0], t.ChooseOne)

    def in_lines(self, node: Any) -> bool:
        """True if the options stand on lines of their own."""
        return (
            len(node.options) > 3
            or any(o.guard is not None for o in node.options)
            or sum(len(self.option(o, "")) for o in node.options) > WIDE
        )

    def choose_one(self, node: t.ChooseOne, before: Any, form: str, indent: str, lines: bool) -> str:
        who = node.subject
        third = self.third(who) if who is not None else form == "third"
        if who is not None and before is not None and before.subject == who and not node.secretly and self.third(who):
            who = None
        text = "" if who is None else f"{self.np(who)} "
        text += ("secretly " if node.secretly else "") + ("chooses one:" if third else "choose one:")
        return text + self.options(node.options, indent, lines)

    def options(self, options: tuple[t.Option, ...], indent: str, lines: bool) -> str:
        made = [self.option(o, indent) for o in options]
        if lines:
            return "".join(f"\n{indent}{STEP}{m}{';' if i < len(made) - 1 else '.'}" for i, m in enumerate(made))
        return " " + "; or ".join(made)

    def option(self, node: t.Option, indent: str) -> str:
        text = self.stmt(node.body, indent, "base")
        return text + (f" {node.guard_word} {self.cond(node.guard)}" if node.guard is not None else "")
