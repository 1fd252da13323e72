"""clauses: in, a condition, event or clause of the tree; out, its words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.unparse.nouns import AMOUNT_OPS, NounWriter, closes
from interpreter.verbs import VERBS
from interpreter.vocabulary import Hole


def durations(event: t.Event) -> list[Any]:
    return [node for role, node in event.roles if role == "during"]


class ClauseWriter(NounWriter):
    """Words for conditions, events and clauses."""

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
            case t.Repeated():
                return "the position is repeated"
            case t.Relates(left=left, relation=relation, right=right, neg=neg):
                do = f"{'does' if self.third(left) else 'do'} not " if neg else ""
                return f"{self.np(left)} {do}{relation} {self.sel(right)}"
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
        if node.how.startswith("perfect"):
            roles = {k: v for k, v in event.roles if k != "in a row"}
            row = " twice in a row" if len(roles) < len(event.roles) else ""
            done = self.verb(event.verb, tuple(roles.items()), "participle", event.is_phrase)
            neg = " not" if node.how == "perfect not" else ""
            return f"{who} {self.have(event.subject)}{neg} {done}{row}"
        return f"{who} {node.how} {self.verb(event.verb, self.with_state(event), 'base', event.is_phrase)}"

    # ------------------------------------------------------------ events

    def with_state(self, event: t.Event) -> tuple[tuple[str, Any], ...]:
        return (*event.roles, ("state", event.state)) if event.state else event.roles

    def event(self, event: t.Event, would: bool = False) -> str:
        if event.passive:
            what, tail = event.roles[0][1], tuple(r for r in event.roles[1:] if r[0] != "during")
            during = "".join(f" {self.duration(v)}" for v in durations(event))
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
            case "until":
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
