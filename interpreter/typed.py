"""typed: in, an open decision and what somebody typed; out, the actions that this means, or what is wrong with it.

The engine asks a choice of several one at a time and in one order of its own; a person types all of it in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from interpreter.labels import DONE, PASS, canonical, labels
from interpreter.lines import spans
from interpreter.model import ACTIVE

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.state import State

Choice = tuple[int, str]  # action, label
MOST_LOOKS = 100  # answers tried out to find what opens up later in a choice of several


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
    return list(zip(actions, labels(state, actions, decision.player, numbered=False)))


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
    """The numbers that are offered: `0 to 4, 7`."""
    return spans(int(label) for _, label in offered if label.isdigit())


# ---------------------------------------------------------------- what was typed


def read(line: str, state: State, decision: Decision, offered: list[Choice]) -> list[int] | str:
    """A line as actions, in the order in which the engine takes them, or one sentence on what is wrong."""
    wanted = numbered(line, offered) or worded(line, offered)
    if isinstance(wanted, str) and numbered(line, offered) is None:
        plain = [(a, text) for a, label in offered for text in canonical(state.game, a, label) or (label,)]
        by_text = worded(line, plain)
        if not isinstance(by_text, str):
            wanted = [next(c for c in offered if c[0] == action) for action, _ in by_text]
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
        choice = next_of(t, now, left)
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


def next_of(state: State, decision: Decision | None, left: list[Choice]) -> tuple[int, Choice] | None:
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
            here, there = labels(state, (option.action, choice[0]), decision.player, numbered=False)
            if here == there:
                return option.action, choice
    return None
