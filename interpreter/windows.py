"""windows: which seats a response window passes over.

A seat is asked if, by what everybody knows, it could hold something usable: whatever an option's candidates rest on in a
hidden zone counts as usable while that zone is not empty. What is passed over therefore tells nobody anything.
"""

from __future__ import annotations

import re

from interpreter.bound import Code
from interpreter.model import Model
from interpreter.scope import Scope


def hidden_zones(model: Model) -> list[tuple[int, int]]:
    """(base, count) of the zones that not everybody sees."""
    return [(zone.base, zone.count) for zone in model.zones.values() if zone.seen != "all" and not zone.deck]


def public_predicate(relaxed: list[str], sc: Scope) -> str:
    """The Python condition under which a window passes over a seat, from the relaxed option lines of `relax`."""
    names = sorted(set(re.findall(r"\bx\d+\b", "\n".join(relaxed))), key=lambda n: int(n[1:]))
    name = sc.b.function(
        "nothing_public", ", ".join(["s", *names]), ["v = s.v; z = s.z", "o = []", *relaxed, "return not o"]
    )
    return f"{name}({', '.join(['s', *names])})"


def relax(line: str, guard: str, sc: Scope, who: Code) -> list[str]:
    """An option's line as others may reckon with it: where it reads a hidden zone, any card held there might do."""
    bases = hidden_zones(sc.b.model)
    if not reads_hidden(line, bases):
        return [line]
    held = " or ".join(f"z[{base}+{who.py}]" for base, count in bases if count > 1) or "False"
    return [f"if {guard or 'True'}:", f"    if {held}: o.append(1)", f"    else: {line}"]


def reads_hidden(line: str, bases: list[tuple[int, int]]) -> bool:
    return any(f"z[{base}+" in line or f"z[{base}]" in line for base, _ in bases) or "can_" in line
