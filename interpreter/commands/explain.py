"""explain: in, a diagnostic's code, or a game and a name; out, what the code means, or all that is made of the text.

What is made of it: the text, its canonical form, its tree, the types of its variables, what it asks, its Python.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
from typing import TYPE_CHECKING, Any

import click

from .. import data
from ..diagnostics import CODES
from .options import any_of, mod_option, nearest, open_loaded

if TYPE_CHECKING:
    from ..bound import Routine, Type
    from ..compile import Compiled
    from ..model import Model, Source


@click.command("explain")
@click.argument("words", nargs=-1, required=True, metavar="CODE | GAME NAME")
@mod_option
def command(words: tuple[str, ...], mods: tuple[str, ...]) -> int:
    """Say what a diagnostic's CODE means, or what is made of a record, phrase or step NAME of GAME.

    A code is shown with a wrong and a right example; a text with its canonical form, tree, types and Python.
    """
    from ..report import escape

    lines = explain_code(words[0]) if len(words) == 1 else explain_name(words[0], " ".join(words[1:]), mods)
    click.echo("\n".join(escape(line) for line in lines))
    return 0


def explain_code(code: str) -> list[str]:
    if code not in CODES:
        if data.find_game(code) is not None:
            raise click.UsageError(f"{code} is a game: say what of it, as in: cardscript explain {code} NAME")
        raise click.UsageError(f'there is no code "{code}"; {nearest(code, sorted(CODES))}')
    severity, meaning, wrong, right = CODES[code]
    lines = [f"{severity}[{code}]: {meaning}"]
    for title, example in (("Wrong", wrong), ("Right", right)):
        lines += ["", f"{title}:", "", *("    " + line for line in example.split("\n"))]
    return lines


def explain_name(game: str, name: str, mods: tuple[str, ...]) -> list[str]:
    """Lines on what has a name in a game: each of its texts. Wrong usage if nothing, or no one thing, has that name."""
    compiled = open_loaded(game, mods).compiled
    assert compiled is not None
    named = texts_by_name(compiled.model)
    wanted = " ".join(name.split()).casefold()
    found = named.get(wanted)
    if found is None:
        inside = [key for key in named if wanted and wanted in key]
        inside = list({named[key][0]: key for key in reversed(inside)}.values())[::-1]  # by its name, or by its id
        if len(inside) != 1:
            near = inside[:3] or difflib.get_close_matches(wanted, named, 3)
            raise click.UsageError(f'nothing in this game is called "{name}"{any_of(named[key][0] for key in near)}')
        found = named[inside[0]]
    title, heading, sources = found
    lines = [title if not heading else f"{title} ({heading})"]
    for field, source in sources:
        lines += ["", f"== {field}", *explain_text(compiled, source)]
    if not sources:
        lines += ["", "it has no text"]
    return lines


Named = dict[str, tuple[str, str, list[tuple[str, "Source"]]]]


def texts_by_name(model: Model) -> Named:
    """Whatever has a name and texts: small letters → (name, what it is, its texts by field)."""
    from ..compile import all_steps

    out: Named = {}

    def add(key: str, title: str, what: str, texts: list[tuple[str, Source]]) -> None:
        out.setdefault(" ".join(key.split()).casefold(), (title, what, texts))

    for ident, record in model.records.items():
        where = f"{record.kind}, {record.file}:{record.line}"
        for key in (record.name, ident):
            add(key, record.name, where, list(record.texts.items()))
    for ident, body in model.phrases.items():
        texts = [("text", body.source), *((f"event {key}", source) for key, source in body.event.items())]
        for key in (body.source.record, ident):
            add(key, body.source.record, "phrase", texts)
    for ident, body in model.values.items():
        for key in (body.source.record, ident):
            add(key, body.source.record, "value", [("is", body.source)])
    for word, states in model.states.items():
        add(word, word, "state", [(f"is, of {s.kind}", s.source) for s in states if s.source is not None])
    for step in all_steps(model):
        if step.source is not None:
            add(step.name, step.name, "step", [("text", step.source)])
    for rule in model.rules:
        add(rule.ident, rule.ident, "rule", [("text", rule.source)])
    for title, source in model.scores:
        add(title, title, "score", [("is", source)])
    return out


def explain_text(c: Compiled, source: Source) -> list[str]:
    """All that is made of one text."""
    from ..unparse import show

    lines = ["", "text:", *indented(source.text)]
    tree = c.trees.get(id(source))
    if tree is not None:
        lines += [
            "",
            "canonical:",
            *indented(show(tree, c.language.of(source.pack).vocabulary)),
            "",
            "tree:",
            *indented("\n".join(drawn(tree))),
        ]
    routines = [r for r in c.builder.routines if r.source is source]
    for routine in routines:
        lines += types_of(routine) + asked(c, routine) + python_of(c, routine)
    return lines


def indented(text: str) -> list[str]:
    return ["    " + line if line else "" for line in text.rstrip("\n").split("\n")]


def drawn(node: Any, label: str = "") -> list[str]:
    """A tree as an outline: a node on a line, with its plain fields; what it holds below it."""
    if isinstance(node, (tuple, list)):
        if node and isinstance(node[0], str) and len(node) == 2 and dataclasses.is_dataclass(node[1]):
            return drawn(node[1], f"{label}{node[0]}: ")
        return [line for item in node for line in drawn(item, label)]
    if not dataclasses.is_dataclass(node):
        return [f"{label}{node!r}"]
    plain, inner = [], []
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if field.name == "at" or value in (None, "", (), False):
            continue
        if dataclasses.is_dataclass(value) or (isinstance(value, tuple) and not all(isinstance(v, str) for v in value)):
            inner += drawn(value, f"{field.name}: ")
        else:
            plain.append(f"{field.name}={' '.join(value) if isinstance(value, tuple) else value}")
    return [label + " ".join([type(node).__name__, *plain]), *("  " + line for line in inner)]


def types_of(routine: Routine) -> list[str]:
    if not routine.vars:
        return []
    given = [p.name for p in routine.params]
    roles = dict(zip(given, ("you", "this") if routine.kind in ("effect", "listener") else ("you",)))
    lines = ["", "types:"]
    for var in routine.vars:
        role = roles.get(var.name) or ("given" if var.name in given else "")
        lines.append(f"    {var.name:<4}{type_name(var.type)}" + (f" ({role})" if role else ""))
    return lines


def type_name(type_: Type) -> str:
    name = type_.kind if type_.sort == "thing" and type_.kind else type_.sort
    return f"set of {name}" if type_.many else name


def blocks_of(c: Compiled, routine: Routine) -> range:
    """The numbers of a routine's blocks; none if it is a plain function."""
    if routine.entry < 0:
        return range(0)
    later = [r.entry for r in c.builder.routines if r.entry > routine.entry]
    return range(routine.entry, min(later, default=len(c.emitter.blocks)))


def asked(c: Compiled, routine: Routine) -> list[str]:
    """What it asks, one line for each question."""
    lines = []
    for number in blocks_of(c, routine):
        site = c.emitter.sites.get(number)
        if site is not None:
            bounds = "" if site.kind in ("chance", "may") else f", {count(site.least)} to {count(site.most)}"
            secret = ", in secret" if site.secret else ""
            hidden = ", never taken by itself: it rests on hidden things" if site.hidden else ""
            lines.append(f"    b{number}: {site.prompt} ({site.kind}{bounds}{secret}{hidden})")
    return ["", "asks:", *lines] if lines else []


def count(bound: int) -> str:
    return str(bound) if bound >= 0 else "as many as it says"


def functions_of(c: Compiled) -> list[ast.FunctionDef]:
    from ..optimise import improved

    assert c.image is not None
    return [part for part in improved(c.source, c.image.tables).body if isinstance(part, ast.FunctionDef)]


def python_of(c: Compiled, routine: Routine) -> list[str]:
    """The functions of a routine as they run: the program's source, made better."""
    numbers = blocks_of(c, routine)
    names = {f"b{n}" for n in numbers} | {f"q{n}" for n in numbers} | {f"f{routine.index}"}
    parts = [ast.unparse(part) for part in functions_of(c) if part.name in names]
    if not parts:
        return []
    kind = "frames" if len(numbers) else "a plain function"
    return ["", f"python ({routine.kind}, {kind}):", *indented("\n\n".join(parts))]
