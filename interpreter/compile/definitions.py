"""definitions: in, the functions that values, states, relations and fields became; out, a finding for each that is
defined through itself, by whatever chain, or is made of more others than can be worked out at once.

Such functions call each other directly, so that a circle of them would exhaust Python's stack in play.
"""

from __future__ import annotations

import re

from interpreter.compile.reading import Compiled
from interpreter.model import Source
from interpreter.scope import place

HEAVIEST = 100_000  # functions that one value may come to, each counted as often as it is named
LONGEST = 100  # functions in one another

DEFINED = re.compile(r"^(?:def (\w+)\(|(FIELD_\w+) = )")
NAMED = re.compile(r"\b(?:value_\d+|is_\w+|rel_\w+|field_\w+|FIELD_\w+|read_\d+|formula_\d+)\b")


def definitions(c: Compiled) -> None:
    """Adds the findings to those of the builder."""
    uses: dict[str, list[str]] = {}
    for text in c.builder.functions:
        found = DEFINED.match(text)
        if found is not None:
            name = found.group(1) or found.group(2)
            uses.setdefault(name, []).extend(NAMED.findall(text[found.end() :]))
    weight: dict[str, int] = {}
    length: dict[str, int] = {}
    open_: dict[str, int] = {}  # the chain that leads to what is looked at: name → how many of its uses are done
    for start in uses:
        chain = [] if start in weight else [start]
        while chain:
            name = chain[-1]
            inner = uses.get(name, [])
            at = open_.setdefault(name, 0)
            if at < len(inner):
                open_[name] += 1
                if inner[at] in open_:
                    told(c, chain[chain.index(inner[at]) :])
                    return
                if inner[at] not in weight:
                    chain.append(inner[at])
                continue
            chain.pop()
            del open_[name]
            weight[name] = 1 + sum(weight[other] for other in inner)
            length[name] = 1 + max((length[other] for other in inner), default=0)
            if weight[name] > HEAVIEST or length[name] > LONGEST:
                told(c, [name], heavy=True)
                return


def told(c: Compiled, names: list[str], heavy: bool = False) -> None:
    """The finding, at the first of these that stands in a text."""
    sources = [c.builder.defined[name] for name in names if name in c.builder.defined]
    if not sources:
        return
    first: Source = min(sources, key=lambda s: (s.file, s.scalar.line if s.scalar is not None else 0))
    if heavy:
        message = f"this is made of more than {LONGEST} others in one another, or of more than {HEAVIEST:,} in all"
        c.builder.findings.append(place(first, (0, 1), "too-deep", message))
        return
    others = ", ".join(f"{s.file}:{s.scalar.line}" for s in sources if s is not first and s.scalar is not None)
    message = "this is defined through itself" + (f", by way of {others}" if others else "")
    c.builder.findings.append(place(first, (0, 1), "circular-value", message))
