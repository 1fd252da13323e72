"""answers: which option a scenario's labels mean, and answering decisions until all that a step names is chosen.

In: labels of options, the scalars of a step, the Teller that plays. Out: indexes of options, answers given to the
Teller, or Fail at the word that does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .labels import DONE, PASS, canonical
from .nodes import Scalar
from .scenario import Step, text_of

if TYPE_CHECKING:
    from .decision import Decision
    from .story import Teller

SHOWN = 20


class Fail(Exception):
    """A step that does not hold, at a node. code: that of a diagnostic, where it is one."""

    def __init__(self, node: Any, message: str, code: str = "") -> None:
        super().__init__(message)
        self.node = node
        self.code = code


# ---------------------------------------------------------------- labels


def clean(text: str) -> str:
    return " ".join(text.split()).rstrip(".").casefold()


def offered(decision: Decision) -> list[str]:
    """The labels of a decision's options."""
    return list(decision.labels()[: len(decision.options)])


def spelled(teller: Teller, decision: Decision, labels: Sequence[Scalar]) -> list[str]:
    """The labels of a decision's options; or their canonical texts, where a scenario uses those."""
    names = offered(decision)
    if any(matches(names, text_of(label)) for label in labels):
        return names
    out = []
    for option, name in zip(decision.options, names):
        texts = canonical(teller.game, option.action, name)
        out.append(next((text for text in texts for label in labels if matches([text], text_of(label))), name))
    return out


def matches(names: Sequence[str], text: str) -> list[int]:
    """The options with this label, else those that contain it; case is ignored."""
    wanted = clean(text)
    exact = [i for i, name in enumerate(names) if clean(name) == wanted]
    return exact or contained(names, text)


def contained(names: Sequence[str], text: str) -> list[int]:
    """The options that contain a text, as whole words where any does."""
    wanted = clean(text)
    whole = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    found = [i for i, name in enumerate(names) if whole.search(name.casefold())]
    if found or wanted.isdigit():
        return found
    return [i for i, name in enumerate(names) if wanted in name.casefold()]


def having(names: Sequence[str], left: Sequence[Scalar]) -> list[int]:
    """The options that all the words of a list are in; for one word, those that have or contain it."""
    if len(left) == 1:
        return matches(names, text_of(left[0]))
    sets = [set(contained(names, text_of(label))) for label in left]
    return sorted(set.intersection(*sets)) if sets else []


def only(found: list[int], names: Sequence[str], left: Sequence[Scalar]) -> int:
    """The one option that was found; Fail if they read differently."""
    if len({names[i].casefold() for i in found}) > 1:
        message = f"{', '.join(map(text_of, left))} could be {listing([names[i] for i in found])}"
        raise Fail(left[0], message, "ambiguous-label")
    return found[0]


def listing(names: Sequence[str]) -> str:
    return "; ".join([*names[:SHOWN], "…"] if len(names) > SHOWN else names) or "nothing"


# ---------------------------------------------------------------- looking at a decision


def check_offered(teller: Teller, wanted: list[Scalar], seat: int | None, node: Any) -> None:
    """Exactly these labels are offered; none, where nothing is asked."""
    if not wanted and not teller.s.opts:
        return
    decision = teller.decision(seat, node)
    names = offered(decision)
    left = [clean(name) for name in names]
    plain = {
        clean(text): clean(name)
        for option, name in zip(decision.options, names)
        for text in canonical(teller.game, option.action, name)
    }
    for label in wanted:
        text = clean(text_of(label))
        text = text if text in left else plain.get(text, text)
        if text not in left:
            raise Fail(label, f"{text_of(label)} is not offered; offered: {listing(names)}")
        left.remove(text)
    if left:
        extra = [name for name in names if clean(name) in left]
        raise Fail(wanted[-1] if wanted else node, f"offered as well: {listing(extra)}")


def check_absent(teller: Teller, label: Scalar, seat: int | None, what: str) -> None:
    """No option has or contains this label."""
    if not teller.s.opts:
        return
    names = spelled(teller, teller.decision(seat, label), [label])
    found = matches(names, text_of(label))
    if found:
        raise Fail(label, f"{text_of(label)} {what}: {listing([names[i] for i in found])}")


# ---------------------------------------------------------------- choosing


def choose(teller: Teller, step: Step, seat: int | None) -> None:
    """Answer decisions until all that `choose` names is chosen; windows without it are passed."""
    left = list(step.choose)
    first = True
    while left:
        if take_forced(teller, left):
            continue
        if not teller.s.opts:
            raise Fail(left[0], f"nothing is asked; {teller.ended()}")
        decision = teller.decision(seat if first else None, left[0])
        names = spelled(teller, decision, left)
        site = teller.s.prog.sites[teller.s.st[-1]]
        several = site.slot >= 0 and not site.secret
        found = having(names, left) if len(left) == 1 or not several else []
        if found:
            teller.apply(decision, decision.options[only(found, names, left)].action)
            return
        index, label = next_of(names, left, several)
        if label is not None:
            left.remove(label)
            teller.apply(decision, decision.options[index].action)
            drop_done(teller, left)
        elif site.window and PASS in [clean(name) for name in names]:
            teller.apply(decision, decision.options[[clean(name) for name in names].index(PASS)].action)
        else:
            message = f"{text_of(left[0])} is not offered to player {decision.player + 1}; offered: {listing(names)}"
            raise Fail(left[0], message)
        first = False


def pass_windows(teller: Teller) -> None:
    """Pass the windows that are open after the last answer, for each seat, so that `then` sees what came of it."""
    while teller.s.opts:
        decision = teller.decision(None)
        names = [clean(name) for name in offered(decision)]
        if not teller.s.prog.sites[teller.s.st[-1]].window or PASS not in names:
            return
        teller.apply(decision, decision.options[names.index(PASS)].action)


def next_of(names: list[str], left: list[Scalar], several: bool) -> tuple[int, Scalar | None]:
    """Of a set in any order, what is to be answered now: a choice of several is asked in the order of its options, and
    `done` comes last."""
    best: tuple[int, Scalar | None] = (len(names), None)
    for label in left:
        if several and clean(text_of(label)) == DONE and len(left) > 1:
            continue
        found = matches(names, text_of(label))
        if found and only(found, names, [label]) < best[0]:
            best = (found[0], label)
    return best


def drop_done(teller: Teller, left: list[Scalar]) -> None:
    """`done` of a choice of several that ended by itself, because no more could be chosen."""
    if len(left) == 1 and clean(text_of(left[0])) == DONE:
        decision = teller.s.decision
        if decision is None or DONE not in map(clean, offered(decision)):
            left.clear()


def take_forced(teller: Teller, left: list[Scalar]) -> bool:
    """Take off what the open decision does not offer, but what was just taken as forced."""
    decision = teller.s.decision
    names = offered(decision) if decision is not None else []
    if len(left) > 1 and not having(names, left):
        for spellings in teller.forced:
            if having(spellings[:1], left):
                teller.forced.remove(spellings)
                left.clear()
                return True
    for label in left:
        if matches(names, text_of(label)):
            continue
        for spellings in teller.forced:
            if matches(spellings, text_of(label)):
                teller.forced.remove(spellings)
                left.remove(label)
                return True
    return False
