"""texts: in, a statement or text of the tree; out, its sentences, with blocks where a line would not hold them."""

from __future__ import annotations

from typing import Any

from interpreter import tree as t
from interpreter.unparse.clauses import ClauseWriter

WIDE = 160  # options that are longer than this together stand on lines of their own
STEP = "  "


class Writer(ClauseWriter):
    """Words for everything."""

    def whole(self, node: Any) -> str:
        if isinstance(node, t.Text):
            return self.text(node, "")
        if isinstance(node, t.STATEMENTS):
            return self.sentence(node, "")
        if isinstance(node, t.CONDITIONS):
            return self.cond(node)
        if isinstance(node, t.Event):
            return self.event(node)
        if isinstance(node, t.Option):
            return self.option(node, "")
        if isinstance(node, t.EXPRESSIONS):
            return self.sel(node)
        if isinstance(node, t.Place):
            return self.place(node)
        raise TypeError(type(node).__name__)

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
                each = isinstance(over, t.Sel) and over.quant == "each"
                return f"for each {self.without_each(over)}" if each else f"for each of {self.np(over)}"
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
                goes_on = isinstance(before, t.Act) and before.subject == part.subject
                if not goes_on or (isinstance(part, t.Act) and part.modal):
                    before = part
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
            lines = bool(until) or self.in_lines(only)
            return f"{head}{',' if until else ''} {self.choose_one(only, None, form, indent, lines)}"
        return self.under(head, node.body, indent, "," if until else "", form)

    # ------------------------------------------------------------ options

    @staticmethod
    def of_turns(body: t.Text) -> bool:
        return not body.block and isinstance(body.sentences[0], t.ChooseOne)

    def in_lines(self, node: Any) -> bool:
        """True if the options stand on lines of their own."""
        return (
            not 1 < len(node.options) < 4
            or any(o.guard is not None for o in node.options)
            or sum(len(self.option(o, "")) for o in node.options) > WIDE
        )

    def choose_one(self, node: t.ChooseOne, before: Any, form: str, indent: str, lines: bool) -> str:
        who = node.subject
        third = self.third(who) if who is not None else form == "third"
        if who is not None and before is not None and before.subject == who and self.third(who):
            who = None
        text = "" if who is None else f"{self.np(who)} "
        text += "chooses one:" if third else "choose one:"
        return text + self.options(node.options, indent, lines)

    def options(self, options: tuple[t.Option, ...], indent: str, lines: bool) -> str:
        made = [self.option(o, indent) for o in options]
        if lines:
            return "".join(f"\n{indent}{STEP}{m}{';' if i < len(made) - 1 else '.'}" for i, m in enumerate(made))
        return " " + "; or ".join(made)

    def option(self, node: t.Option, indent: str) -> str:
        text = self.stmt(node.body, indent, "base")
        return text + (f" {node.guard_word} {self.cond(node.guard)}" if node.guard is not None else "")
