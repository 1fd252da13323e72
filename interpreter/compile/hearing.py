"""hearing: listeners, modifiers and boundaries → the functions that emitted code calls for events.

In: a Compiled whose texts are bound. Out: functions in its builder.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import partial

from interpreter import bound as bd
from interpreter.bound import ident_of
from interpreter.compile.phrases import on
from interpreter.compile.reading import Compiled
from interpreter.model import ACTIVE
from interpreter.optimise.expressions import conjuncts
from interpreter.possible import both
from interpreter.rules import (
    proposed_count,
)
from interpreter.scope import Builder


def events(c: Compiled, listeners: list[bd.Listener]) -> None:
    """on_KEY(s, a0, …) queues triggers; instead_KEY(s, a0, …) lists applicable replacements; edges(s) looks at conditions."""
    from interpreter.rules import arguments_of

    b = c.builder
    at = {id(m): i for i, m in enumerate(listeners)}
    for m in b.armed:
        b.tables[f"ARMED{m.armed}"] = at[id(m)]
    for key in sorted(b.heard):
        group = b.listeners.get(key, [])
        args = [f"a{i}" for i in range(argument_count(key, b))]
        lines = ["v = s.v; z = s.z"]
        looks = ["v = s.v; z = s.z", "seen = ()"]
        for m in group:
            test, number_ = m.match, at[id(m)]
            if m.early:
                looks += looking(replace(m, live=""), m.early, number_, b)
                test = both([f"seen and noted(seen, {number_}, x1)", test])
            if m.live and key.startswith("do:"):
                looks += looking(m, "True", ~number_, b)
                before = f"noted(seen, {~number_}, x1)"
                m = replace(
                    m,
                    live=f"({m.live}) or seen and {before}",
                    owner=m.owner and f"first_seat_of({m.owner}, {before} - 1)",
                )
            lines += source_loop(
                m, [f"s.pend = s.pend + (({number_}, x0, x1, {''.join(a + ', ' for a in args)}),)"], test, b
            )
        phrase = key.startswith("do:")
        takes = ["s", *args, *(["seen"] if phrase else [])]
        b.functions.append(f"def {on(key)}({', '.join(takes)}):\n" + "\n".join("    " + line for line in lines))
        if phrase:
            looks = [*looks, "return seen"] if len(looks) > 2 else ["return ()"]
            head = f"def {on(key, 'seen')}({', '.join(['s', *args])}):\n"
            b.functions.append(head + "\n".join("    " + line for line in looks))
    applied = c.model.tables["applied"]
    for key in sorted(b.replaced):
        args = [f"a{i}" for i in range(proposed_count(key, b, argument_count(key, b)))]
        lines = ["v = s.v; z = s.z", "found = ()"]
        for m in b.replacements.get(key, []):
            mark = [
                f"if not applied_already(z[{applied}], {at[id(m)]}, x1):",
                f"    found = found + ({at[id(m)]}, x0, x1)",
            ]
            lines += source_loop(m, mark, m.match, b)
        lines.append("return found")
        name = "instead_" + ident_of(key)
        b.functions.append(f"def {name}({', '.join(['s', *args])}):\n" + "\n".join("    " + line for line in lines))
        if key in b.cannot:
            lines = ["v = s.v; z = s.z"]
            for m in b.replacements.get(key, []):
                lines += source_loop(m, ["return True"], m.match, b) if m.bars else []
            lines.append("return False")
            b.functions.append(
                f"def {on(key, 'barred')}({', '.join(['s', *args])}):\n" + "\n".join("    " + line for line in lines)
            )
    for permitted in sorted(b.permits):
        event = f"do:{permitted}"
        args = [f"a{i}" for i in range(argument_count(event, b))]
        lines = ["v = s.v; z = s.z"]
        for m in b.permissions.get(event, []):
            lines += source_loop(m, ["return True"], m.match, b)
        name = "may_do_" + ident_of(permitted)
        opening = f"def {name}({', '.join(['s', *args])}):\n"
        b.functions.append(opening + "\n".join("    " + line for line in [*lines, "return False"]))
    if b.edges:
        lines = ["v = s.v; z = s.z"]
        for m in b.edges:
            inner = [
                f"i = {m.cell}{' + x1' if m.things else ''}",
                f"n = 1 if ({m.match}) else 0",
                f"if n and not v[i]: s.pend = s.pend + (({at[id(m)]}, x0, x1),)",
                *(["v[i] = n"] if not m.first else ["if n: v[i] = 1"]),
            ]
            lines += source_loop(m, inner, "True", b)
        b.functions.append("def edges(s):\n" + "\n".join("    " + line for line in lines))
    _ = arguments_of


def looking(m: bd.Listener, test: str, number_: int, b: Builder) -> list[str]:
    """Lines that note for which of a listener's sources a test holds when the holes of a phrase are bound, and for whom."""
    looker = bd.Listener(m.key, "", m.routine, test, m.things, m.live, m.owner)
    return source_loop(looker, [f"seen = seen + ({number_}, x1, x0)"], test, b)


def argument_count(key: str, b: Builder) -> int:
    from interpreter.rules import arguments_of

    return len(arguments_of(key, b, None))


def source_loop(m: bd.Listener, inner: list[str], match: str, b: Builder) -> list[str]:
    """Lines that go over a listener's live sources and run `inner` where it matches, with x0 = you and x1 = this."""
    pad = ""
    this = " + x1" if m.things else ""
    lines: list[str] = []
    if m.armed:
        rows = b.model.tables["armed"]
        test = [] if match == "True" else [f"    if not ({match}): continue"]
        return [
            f"for row in rows(z[{rows}], ARMED{m.armed}):",
            "    x0 = row[3]; x1 = row[0]",
            *test,
            *["    " + i for i in inner],
        ]
    if m.things:
        many = tuple(m.things)
        run = many == tuple(range(many[0], many[-1] + 1))
        live, owner = m.live, m.owner
        quick, first, match = before_you(match)
        itself = next((one for one in quick if run and ITSELF.fullmatch(one)), "")
        at_once = [one for one in quick if not THIS.search(one)]
        if at_once:
            quick = [one for one in quick if one not in at_once]
            lines.append(f"if {' and '.join(at_once)}:")
            pad = "    "
        if itself:  # the event is about the bearer itself: no search
            quick.remove(itself)
            lines += [f"{pad}x1 = {itself.split()[0]}", f"{pad}if {many[0]} <= x1 <= {many[-1]}:"]
            pad += "    "
        elif len(many) > 1:
            lines.append(f"{pad}for x1 in {f'range({many[0]}, {many[-1] + 1})' if run else repr(many)}:")
            pad += "    "
        else:
            put = partial(THIS.sub, str(many[0]))
            live, owner, match, this = put(live), put(owner), put(match), put(this)
            quick, first, inner = [*map(put, quick)], [*map(put, first)], [*map(put, inner)]
        tests = [*quick, *[f"({x})" for x in (live, *first) if x]]
        if tests:
            lines.append(f"{pad}if {' and '.join(tests)}:")
            pad += "    "
        lines.append(f"{pad}x0 = {owner or f'v[{ACTIVE}]'}")
        if owner and m.live:
            lines.append(f"{pad}if x0 < 0: x0 = v[{ACTIVE}]")  # it holds where it lies, and is nobody's
        elif owner:
            lines.append(f"{pad}if x0 >= 0:")
            pad += "    "
    else:
        lines += ["x1 = -1", f"x0 = {m.owner or f'v[{ACTIVE}]'}"]
    tests = [t_ for t_ in (match,) if t_ != "True"]
    if m.cell >= 0 and m.first and m.key != "edge":
        tests.append(f"not v[{m.cell}{this}]")
        inner = [f"v[{m.cell}{this}] = 1", *inner]
    if tests:
        lines.append(f"{pad}if {' and '.join(f'({x})' for x in tests)}:")
        lines += [f"{pad}    {line}" for line in inner]
    else:
        lines += [pad + line for line in inner]
    return lines


THIS = re.compile(r"\bx1\b")
YOU = re.compile(r"\bx0\b")
QUICK = re.compile(r"\w+(?: (?:[!=<>]=|<|>) \w+)+")
ITSELF = re.compile(r"(a\d+|y) == x1")


def before_you(match: str) -> tuple[list[str], list[str], str]:
    """A condition apart: what compares two numbers that are there, what else comes before the first that asks of `you`
    (where one of these fails, no player is looked for), and the rest."""
    quick: list[str] = []
    first: list[str] = []
    rest: list[str] = []
    if match == "True":
        return quick, first, match
    for part in conjuncts(ast.parse(match, mode="eval").body):
        said = ast.get_source_segment(match, part) or ""
        of_you = YOU.search(said) is not None
        (quick if QUICK.fullmatch(said) and not of_you else rest if of_you or rest else first).append(said)
    return quick, first, " and ".join(f"({one})" if len(rest) > 1 else one for one in rest) or "True"


def modifiers(c: Compiled) -> None:
    """changed_NAME(s, y, n): printed, then set to, times, plus and minus, bounds."""
    b = c.builder
    order = ("set", "times", "plus", "minus", "at least", "at most")
    for name in sorted(b.modified):
        lines = ["v = s.v; z = s.z"]
        group = b.modifiers.get(name, [])
        for change in order:
            act = {
                "set": "n = {}",
                "times": "n = n * {}",
                "plus": "n = n + {}",
                "minus": "n = n - {}",
                "at least": "n = max(n, {})",
                "at most": "n = min(n, {})",
            }[change]
            for m in group:
                if m.change != change or m.cond == "dynamic":
                    continue
                listener = bd.Listener("", "", None, m.cond, m.things, m.live, m.owner)  # type: ignore[arg-type]
                lines += source_loop(listener, [act.format(m.amount)], m.cond, b)
            for m in {m.ident: m for m in group if m.cond == "dynamic" and m.change == change}.values():
                lines += [
                    "for m in s.mods:",
                    f"    if m[0] == {m.ident} and m[1] == y{f' and {m.live}' if m.live else ''}: "
                    + act.format("m[2]"),
                ]
        lines.append("return n if n > 0 else 0")
        b.functions.append(f"def changed_{ident_of(name)}(s, y, n, w):\n" + "\n".join("    " + line for line in lines))


def boundaries(c: Compiled) -> None:
    """end_of(s, name): clears what lasts until a boundary."""
    b = c.builder
    lines = ["v = s.v; z = s.z"]
    by_name: dict[str, list[str]] = {}
    for cell, count, boundary in b.cell_resets:
        by_name.setdefault(f"end:{boundary}", []).append(f"v[{cell}:{cell + count}] = [0] * {count}")
    if b.history:
        by_name.setdefault("end:turn", []).append(f"z[{c.model.tables['history']}] = ()")
    for i, name in enumerate(b.durations if b.armed else ()):
        rows = c.model.tables["armed"]
        by_name.setdefault(name, []).append(f"z[{rows}] = ended(z[{rows}], {i})")
    for name, acts in by_name.items():
        lines.append(f"if name == {name!r}:")
        lines += [f"    {a}" for a in acts]
    if b.durations:
        b.tables["DURATIONS"] = {name: i for i, name in enumerate(b.durations)}
        lines += [
            "if s.mods and name in DURATIONS:",
            "    k = DURATIONS[name]",
            "    s.mods = tuple([m for m in s.mods if m[3] != k])",
        ]
        for late in [d for d in b.durations if d.endswith(":next")]:
            first, then = b.durations.index(late), b.durations.index(late.removesuffix(":next"))
            lines += [
                f"if name == {late.removesuffix(':next')!r}:",
                f"    s.mods = tuple([(*m[:3], {then}, *m[4:]) if m[3] == {first} else m for m in s.mods])",
                f"    z[{c.model.tables['armed']}] = later(z[{c.model.tables['armed']}], {first}, {then})",
            ]
        if "start:turn:own" in b.durations:
            lines += [
                "if s.mods and name == 'start:turn':",
                "    k = DURATIONS['start:turn:own']",
                f"    s.mods = tuple([m for m in s.mods if m[3] != k or m[4] != v[{ACTIVE}]])",
            ]
    b.functions.append("def end_of(s, name):\n" + "\n".join("    " + line for line in lines))
