"""asked: in, an open decision; out, how it is put to a person: the question, the text that asks, notes on the options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from interpreter.bound import ident_of
from interpreter.labels import DONE, knower, place, spot, thing_of
from interpreter.typed import Choice

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.model import Counter, Field
    from interpreter.state import State

LONGEST_TEXT = 300  # characters of a card's text that are shown with its question


def question(state: State, decision: Decision) -> str:
    """The prompt, how many may be chosen, what the decider has of the counters that it names, and the record whose text
    asks."""
    text = decision.prompt
    least, most = decision.min, decision.max
    many: list[str] = []
    may_stop = any(option.label.casefold() == DONE for option in decision.options)
    if most > 1 and least == most:
        many = [f"{most} of them"]
    elif most > 1 and least:
        many = [f"{least} to {most} of them"]
    elif most > 1 and most < len(decision.options) - 1:
        many = [f"up to {most}"]
    elif most > 1 and may_stop:
        many = ["or none"]
    concerned = about(state, decision)
    if concerned:
        text += f" for {concerned}"
    words = " ".join(
        [decision.prompt, *(option.label for option in decision.options if thing_of(state.game, option.action) < 0)]
    )
    have = [
        f"{counter.name} {amount}"
        for counter in state.prog.model.counters.values()
        if decision.player >= 0 and re.search(rf"\b{re.escape(counter.name)}\b", words)
        for amount in held(state, counter, decision.player)
    ]
    found = [*many, *named(state, decision), *([f"you have {', '.join(have)}"] if have else [])]
    if found:
        text += f" ({'; '.join(found)})"
    record, names = decision.source.record, state.game.names
    return f"{text} [{names[record]}]" if record in names else text


def about(state: State, decision: Decision) -> str:
    """The thing of several that is dealt with in turn when this is asked; "" for none, or one that the decider cannot tell
    or that stands among the options."""
    site = state.prog.sites[state.st[-1]]
    x = slot(state, site.about) if site.about >= 0 else -1
    model = state.prog.model
    known = knower(state, decision.player)
    if not isinstance(x, int) or x < model.seats or not known(x) or any(o.action == x for o in decision.options):
        return ""
    name = spot(state.game, x, known)
    zone = state.v[model.loc + x]
    alike = state.game.layout.twins[x] and zone >= 0
    return f"{name} on {place(state.game, zone, known)}" if alike else name


def slot(state: State, index: int) -> Any:
    """What stands in a slot of the frame that asks."""
    return state.st[len(state.st) - state.prog.shapes[state.st[-1]][0] + index]


def named(state: State, decision: Decision) -> list[str]:
    """What stands for the names that a question uses: `goal is Old Mill`, `n is 3`."""
    out = []
    known = knower(state, decision.player)
    for name, index, is_thing in state.prog.sites[state.st[-1]].named:
        value = slot(state, index)
        if decision.prompt.startswith(f"Choose {name}"):
            continue  # it is what this answer will be
        if not is_thing:
            out.append(f"{name} is {value}")
        elif isinstance(value, int) and value >= 0 and known(value):
            out.append(f"{name} is {spot(state.game, value, known)}")
    return out


def text_of(state: State, decision: Decision) -> str:
    """The text that asks, where a record's own text does and says more than its question; "" for a long one."""
    model, where = state.prog.model, decision.source.record
    asked = decision.prompt.casefold()
    texts = list(model.records[where].texts.values()) if where in model.records else []
    texts += [phrase.source for phrase in model.phrases.values() if phrase.source.record == where]
    for source in texts:
        text = " ".join(source.text.split())
        if asked in text.casefold() and len(asked) + 1 < len(text) <= LONGEST_TEXT:
            return f"“{text}”"
    return ""


def held(state: State, counter: Counter, seat: int) -> list[int]:
    """What a player has of a counter, where that is one number."""
    if "player" not in counter.cells or counter.each.get("player"):
        return []
    return [state.v[counter.cells["player"][0] + seat]]


def notes(state: State, decision: Decision, offered: list[Choice]) -> dict[int, str]:
    """Action → the numbers of its thing that the question speaks of, and what it costs: `Weight 3`, `Pay 2 Coins`."""
    model, seat = state.prog.model, decision.player
    named = {f.name: f for k in model.kinds.values() for f in k.fields.values() if f.type in ("number", "amount")}
    spoken = [name for name in named if re.search(rf"\b{re.escape(name)}\b", decision.prompt)]
    costs = any(f.type == "statement" for k in model.kinds.values() for f in k.fields.values())
    out: dict[int, str] = {}
    for action, _ in offered if spoken or costs else ():
        x = thing_of(state.game, action)
        if x < model.seats or not knower(state, seat)(x):
            continue
        own = {f.name: (k.lo, f) for k in state.game.layout.kinds[model.kind_of[x]] for f in k.fields.values()}
        found = [f"{name} {number_of(state, seat, x, *own[name])}" for name in spoken if name in own]
        record = model.records[model.record_of[x]]
        found += [source.text.strip().rstrip(".") for name, source in record.texts.items() if is_cost(own, name)]
        if found:
            out[action] = ", ".join(found)
    return out


def is_cost(own: dict[str, tuple[int, Field]], name: str) -> bool:
    """Whether a field holds what is to be paid, so that an option says it."""
    return name in own and own[name][1].type == "statement"


def number_of(state: State, seat: int, x: int, lo: int, field: Field) -> int:
    """A number or amount of a thing, as this player reads it."""
    env = state.prog.globals
    name = ident_of(field.name)
    if field.type == "amount":
        value = env[f"field_{name}"](state, seat, x)
    elif field.cell >= 0:
        value = state.v[field.cell + x]
    else:
        value = field.table[x - state.prog.model.tables.get(("field lo", id(field)), lo)]
    changed = env.get(f"changed_{name}")
    return int(value if changed is None else changed(state, x, value, seat))
