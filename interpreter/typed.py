"""typed: in, an open decision and what somebody typed; out, the actions that this means, or what is wrong with it.

The engine asks a choice of several one at a time and in one order of its own; a person types all of it in any order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from interpreter.labels import knower, labels, place, spot, thing_of
from interpreter.model import ACTIVE

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.model import Counter, Field
    from interpreter.state import State

Choice = tuple[int, str]  # action, label
DONE, PASS = "done", "pass"
LONGEST_TEXT = 300  # characters of a card's text that are shown with its question
MOST_LOOKS = 100  # answers tried out to find what opens up later in a choice of several


def question(state: State, decision: Decision) -> str:
    """The prompt, how many may be chosen, what the decider has of the counters that it names, and the record whose text
    asks."""
    text = decision.prompt
    least, most = decision.min, decision.max
    if most > 1 and least == most:
        text += f" ({most} of them)"
    elif most > 1 and least:
        text += f" ({least} to {most} of them)"
    elif most > 1:
        text += f" (up to {most})" if most < len(decision.options) - 1 else " (or none)"
    concerned = about(state, decision)
    if concerned:
        text += f" for {concerned}"
    have = [
        f"{counter.name} {amount}"
        for counter in state.prog.model.counters.values()
        if decision.player >= 0 and re.search(rf"\b{re.escape(counter.name)}\b", decision.prompt)
        for amount in held(state, counter, decision.player)
    ]
    if have:
        text += f"; you have {', '.join(have)}"
    record, names = decision.source.record, state.game.names
    return f"{text} [{names[record]}]" if record in names else text


def about(state: State, decision: Decision) -> str:
    """The thing of several that is dealt with in turn when this is asked; "" for none, or one that the decider cannot tell
    or that stands among the options."""
    site = state.prog.sites[state.st[-1]]
    frame = len(state.st) - state.prog.shapes[state.st[-1]][0]
    x = state.st[frame + site.about] if site.about >= 0 else -1
    model = state.prog.model
    known = knower(state, decision.player)
    if not isinstance(x, int) or x < model.seats or not known(x) or any(o.action == x for o in decision.options):
        return ""
    name = spot(state.game, x, known)
    zone = state.v[model.loc + x]
    alike = state.game.layout.twins[x] and zone >= 0
    return f"{name} on {place(state.game, zone, known)}" if alike else name


def text_of(state: State, decision: Decision) -> str:
    """The text that asks, where a record's own text does and says more than its question; "" for a long one."""
    record = state.prog.model.records.get(decision.source.record)
    asked = decision.prompt.casefold()
    for source in record.texts.values() if record is not None else ():
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
    name = "".join(c if c.isalnum() else "_" for c in field.name)
    if field.type == "amount":
        value = env[f"field_{name}"](state, seat, x)
    elif field.cell >= 0:
        value = state.v[field.cell + x]
    else:
        value = field.table[x - state.prog.model.tables.get(("field lo", id(field)), lo)]
    changed = env.get(f"changed_{name}")
    return int(value if changed is None else changed(state, x, value, seat))


def pass_of(state: State, decision: Decision) -> int | None:
    """The action Pass, where the decision is a window."""
    if not state.prog.sites[state.st[-1]].window:
        return None
    return next((o.action for o in decision.options if o.label.casefold() == PASS), None)


def is_active(state: State, seat: int) -> bool:
    return state.v[ACTIVE] == seat


# ---------------------------------------------------------------- what is offered


def same_choice(state: State, first: Decision, block: int, made: int) -> Decision | None:
    """The open decision, if it goes on with the choice of several that began with `first`, `made` choices ago."""
    decision = state.decision
    if decision is None or state.st[-1] != block or decision.player != first.player:
        return None
    return decision if len(decision.chosen) == len(first.chosen) + made else None


def options(state: State, decision: Decision) -> list[Choice]:
    """What can be chosen: the options, then those that open up after others of the same choice, then Done
    where nothing has to be chosen."""
    chosen = [(o.action, o.label) for o in decision.options]
    if decision.max > 1:
        found = dict.fromkeys(action for action, _ in chosen)
        explore(state, decision, found)
        if len(found) > len(chosen):
            chosen = told_apart(state, decision, list(found))
    now = {o.action for o in decision.options}
    return [c for c in chosen if c[1].casefold() != DONE] + [
        c for c in chosen if c[1].casefold() == DONE and c[0] in now
    ]


def explore(state: State, decision: Decision, found: dict[int, None]) -> None:
    """Add the actions that open up after each option, and after the first of those, and so on."""
    block = state.st[-1]
    looks = MOST_LOOKS

    def look(s: State, d: Decision, made: int) -> None:
        nonlocal looks
        for option in d.options[:1] if made else d.options:
            if option.label.casefold() == DONE or looks <= 0:
                continue
            looks -= 1
            t = s.clone(log=False)
            t.apply(option.action, seat=d.player)
            after = same_choice(t, decision, block, made + 1)
            if after is not None:
                found.update(dict.fromkeys(other.action for other in after.options))
                look(t, after, made + 1)

    look(state, decision, 0)


def told_apart(state: State, decision: Decision, actions: list[int]) -> list[Choice]:
    """Actions with labels that tell them apart as far as they differ; like ones have the same."""
    together = labels(state, actions, decision.player)
    alone = [labels(state, (action,), decision.player)[0] for action in actions]
    return [
        (action, short if long.endswith(")") and long != short else long)
        for action, long, short in zip(actions, together, alone)
    ]


def numeric(offered: list[Choice]) -> bool:
    """Whether a number is asked for: then what is typed is the number itself, and no place in a list."""
    words = [label for _, label in offered if label.casefold() not in (DONE, PASS)]
    return len(words) > 1 and all(word.isdigit() for word in words)


def listing(offered: list[Choice], notes: Mapping[int, str] = MappingProxyType({})) -> list[str]:
    """The options as lines, each behind its number, with what is noted of it; numbers as runs: `0 to 4, 7`."""
    if not numeric(offered):
        wide = len(str(len(offered)))
        told = [f"{label} ({notes[action]})" if action in notes else label for action, label in offered]
        return [f"  {i:>{wide}}  {text}" for i, text in enumerate(told, 1)]
    words = [label for _, label in offered if not label.isdigit()]
    return ["  " + ", or ".join([f"a number: {runs(offered)}", *words])]


def runs(offered: list[Choice]) -> str:
    numbers = sorted(int(label) for _, label in offered if label.isdigit())
    parts: list[list[int]] = []
    for n in numbers:
        if parts and parts[-1][-1] == n - 1:
            parts[-1][1:] = [n]
        else:
            parts.append([n])
    return ", ".join(str(p[0]) if len(p) == 1 else f"{p[0]} to {p[1]}" for p in parts)


# ---------------------------------------------------------------- what was typed


def read(line: str, state: State, decision: Decision, offered: list[Choice]) -> list[int] | str:
    """A line as actions, in the order in which the engine takes them, or one sentence on what is wrong."""
    wanted = numbered(line, offered) or worded(line, offered)
    if isinstance(wanted, str):
        return wanted
    done = [c for c in wanted if c[1].casefold() == DONE]
    picked = [c for c in wanted if c[1].casefold() != DONE]
    several = decision.max > 1
    if len(picked) > 1 and not several:
        return f"one is to be chosen here, not {len(picked)}"
    if not picked:
        return [done[0][0]]
    if not several:
        return [picked[0][0]]
    return in_order(state, decision, picked)


def numbered(line: str, offered: list[Choice]) -> list[Choice] | str | None:
    """`3 1` or `3, 1`; None if the line does not consist of numbers."""
    words = line.replace(",", " ").split()
    if not words or not all(word.isascii() and word.lstrip("-").isdigit() for word in words):
        return None
    out: list[Choice] = []
    for word in words:
        if numeric(offered):
            same = [c for c in offered if c[1] == word]
            if not same:
                return f"{word} cannot be chosen here; what can is {runs(offered)}"
            choice = same[0]
        elif not 1 <= int(word) <= len(offered):
            return f"there is no option {word}; {wanted(offered)}"
        else:
            choice = offered[int(word) - 1]
        if choice in out:
            return f"{word} stands there twice"
        out.append(choice)
    return out


def worded(line: str, offered: list[Choice]) -> list[Choice] | str:
    """Labels, or parts of them that fit one label only, with commas between them."""
    whole = one_of(line, offered)
    if not isinstance(whole, str):
        return [whole]
    parts = [part.strip() for part in line.split(",") if part.strip()]
    if len(parts) < 2:
        return whole
    out: list[Choice] = []
    for part in parts:
        choice = one_of(part, [c for c in offered if c not in out])
        if isinstance(choice, str):
            return choice
        out.append(choice)
    return out


def one_of(text: str, offered: list[Choice]) -> Choice | str:
    low = text.casefold()
    for same in ([c for c in offered if c[1].casefold() == low], [c for c in offered if low in c[1].casefold()]):
        if same and len({c[1].casefold() for c in same}) == 1:
            return same[0]  # those that read alike are alike
        if same:
            return f'"{text}" could be {" or ".join(c[1] for c in same[:4])}; type its number'
    return f'"{text}" is none of the options, and no command; {wanted(offered)}'


def wanted(offered: list[Choice]) -> str:
    """What can be typed."""
    if numeric(offered):
        words = [label for _, label in offered if not label.isdigit()]
        return f"type {' or '.join([f'a number ({runs(offered)})', *words])}, or: help"
    return f"type a number from 1 to {len(offered)}, or: help" if len(offered) > 1 else "type 1, or: help"


def in_order(state: State, decision: Decision, picked: list[Choice]) -> list[int] | str:
    """A whole set, tried out on a copy: the actions as the engine asks for them, with Done at the end where it is
    asked."""
    least, most = decision.min, decision.max
    before = len(decision.chosen)
    count = before + len(picked)
    if count > most:
        return f"at most {most - before} can be chosen here, not {len(picked)}"
    if count < least:
        return f"at least {least - before} are to be chosen here, not {len(picked)}: type all of them in one line"
    block = state.st[-1]
    t = state.clone(log=False)
    out: list[int] = []
    left = list(picked)
    now: Decision | None = decision
    while left:
        choice = next_of(now, left)
        if now is None or choice is None:
            others = f"{' and '.join(label for _, label in left)} cannot be chosen together with the others"
            return f"{others}: {decision.prompt[:1].lower()}{decision.prompt[1:]}"
        out.append(choice[0])
        left.remove(choice[1])
        t.apply(choice[0], seat=decision.player)
        now = same_choice(t, decision, block, len(out))
    if now is None:
        return out
    end = next((o.action for o in now.options if o.label.casefold() == DONE), None)
    if end is not None:
        return [*out, end]
    return "more have to be chosen together with these: " + ", ".join(o.label for o in now.options[:4])


def next_of(decision: Decision | None, left: list[Choice]) -> tuple[int, Choice] | None:
    """The first option that is wanted: (its action, the choice it answers); by its label, where the engine puts another
    of several that look alike in its place."""
    if decision is None:
        return None
    for option in decision.options:
        for choice in left:
            if choice[0] == option.action:
                return option.action, choice
    for option in decision.options:
        for choice in left:
            if choice[1].casefold() == option.label.casefold():
                return option.action, choice
    return None
