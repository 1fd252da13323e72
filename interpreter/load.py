"""load: a game's name or path, with mods → its packs read, declared, numbered and compiled.

`load_compiled` keeps everything (for scenarios, explain, check); `load_program` gives the Program alone, or raises
ContentError with every finding.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter import kept
from interpreter.collector import put_off
from interpreter.compile import Compiled, compile_program
from interpreter.data import find_game, find_pack
from interpreter.declare import declare, needed
from interpreter.diagnostics import ContentError, Diagnostic, finding, has_errors, in_order
from interpreter.fixed import fixed_image
from interpreter.model import Model
from interpreter.number import number
from interpreter.parse import Language
from interpreter.program import Program
from interpreter.read import Mapping, Pack, Sequence, digest, plain, read_pack


@dataclass(slots=True)
class Loaded:
    """A game as read: its packs, model, findings, and what it compiled to (None when there are errors before that)."""

    packs: list[Pack]
    model: Model
    findings: list[Diagnostic] = field(default_factory=list)
    compiled: Compiled | None = None


def folder_of(name_or_path: Any) -> Path:
    """The folder of a game. Raises FileNotFoundError with a message when there is none."""
    found = find_game(name_or_path)
    if found is None:
        raise FileNotFoundError(f"no game is called {name_or_path!s}")
    return found


def packs_of(folder: Path, mods: list[Any]) -> list[Pack]:
    """The game's pack first, then what it needs, then mods in order of their names (their order never matters)."""
    packs = [read_pack(folder)]
    seen = {packs[0].name}
    for mod in sorted(dict.fromkeys(Path(str(m)) for m in mods), key=lambda p: (p.resolve().name, str(p.resolve()))):
        packs.append(read_pack(mod))
        if packs[-1].name in seen:
            message = f'two of these packs are called "{packs[-1].name}", as their folders are; rename one'
            packs[-1].findings.append(finding("duplicate-name", f"{mod.as_posix()}/mod.yaml", (1, 1, 1, 2), message))
        seen.add(packs[-1].name)
    for pack in list(packs):
        for name in needed(pack):
            if name not in seen:
                seen.add(name)
                found = find_pack(name)
                if found is not None:
                    packs.append(read_pack(found))
    return packs


def circles(packs: list[Pack]) -> list[Diagnostic]:
    """A finding at each pack named in `needs` that, through whatever chain, needs the pack that names it."""
    needs = {pack.name: needed(pack) for pack in packs}
    out: list[Diagnostic] = []
    for pack in packs:
        for file in pack.files:
            root = file.root if file.name in ("game.yaml", "mod.yaml") else None
            node = root.get("needs") if isinstance(root, Mapping) else None
            for item in node.items if isinstance(node, Sequence) else ():
                reached, queue = set[str](), [str(plain(item)).split()[0]]
                while queue:
                    name = queue.pop()
                    if name not in reached:
                        reached.add(name)
                        queue += needs.get(name, [])
                if pack.name in reached:
                    message = f"{pack.name} needs {plain(item)}, which needs {pack.name}"
                    out.append(finding("circular-needs", file.path, item.span(), message))
    return out


@put_off()
def load_compiled(name_or_path: Any, mods: list[Any] | None = None) -> Loaded:
    """Read, declare, number, parse, check and compile; findings are gathered, never raised."""
    folder = folder_of(name_or_path)
    packs = packs_of(folder, mods or [])
    findings = [f for pack in packs for f in pack.findings]
    findings += circles(packs)
    model, more = declare(packs)
    findings += more
    model.name = packs[0].name
    model.folder = str(folder)
    model.digest = content_digest(packs)
    loaded = Loaded(packs, model, findings)
    if not has_errors(findings):
        findings += number(model)
    if has_errors(findings):
        loaded.findings = in_order(findings)
        return loaded
    language = Language(model.vocabularies[""], model.vocabularies)
    findings += [finding(p.code, p.pattern.file, p.pattern.at, p.message) for p in language.problems]
    if not has_errors(findings):
        loaded.compiled = compile_program(model, language)
        findings += loaded.compiled.findings
    loaded.findings = in_order(findings)
    if loaded.compiled is not None and loaded.compiled.image is not None and loaded.compiled.program is not None:
        loaded.compiled.program.mods = loaded.compiled.image.mods = tuple(pack.name for pack in packs[1:])
    return loaded


def content_digest(packs: list[Pack]) -> str:
    """One digest over the rules of all packs; scenarios and READMEs take no part."""
    whole = hashlib.sha256()
    for pack in packs:
        whole.update(
            digest(pack, keep=lambda name: not name.startswith("scenarios/") and name != "rules.yaml").encode()
        )
    return whole.hexdigest()


def load_program(name_or_path: Any, mods: list[Any] | None = None) -> Program:
    """The Program of a game. Raises ContentError with every finding, FileNotFoundError when there is no such game."""
    mods = mods or []
    key = kept.key_of(folder_of(name_or_path), mods)
    loaded = load_compiled(name_or_path, mods)
    compiled = loaded.compiled
    if compiled is None or compiled.image is None or compiled.code is None:
        raise ContentError(loaded.findings)
    given = len(dict.fromkeys(Path(str(mod)) for mod in mods))
    needs = [pack.name for pack in loaded.packs[1 + given :]]
    return kept.keep(name_or_path, mods, key, needs, *fixed_image(compiled))
