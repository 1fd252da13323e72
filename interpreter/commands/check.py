"""check: in, paths of packs or files; out, every finding of one run in the format asked for, and exit code 0 or 1."""

from __future__ import annotations

import dataclasses
import difflib
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import data
from ..apart import processors, spread
from ..collector import put_off
from ..diagnostics import Diagnostic, finding, has_errors, in_order
from ..lines import so_many
from ..read import File, Mapping, Pack, Scalar, read_file, read_pack
from ..report import FORMATS, report, wants_colour
from ..schema import FOR_EDITORS, load_schema, schema_name, validate

if TYPE_CHECKING:
    from ..load import Loaded


@click.command("check")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), default="full", help="How findings are written.")
@click.option("--strict", is_flag=True, help="Count warnings as errors, and look for what comes to nothing.")
def command(paths: tuple[str, ...], format_: str, strict: bool) -> int:
    """Read and check packs: all findings in one run.

    Without PATH: the mod in ./mod.yaml, else the packs in ./content, else the installed games. PATH is a folder, a
    file, or the name of an installed game.
    """
    findings: list[Diagnostic] = []
    sources: dict[str, str] = {}
    files = 0
    for found, read in check_all(targets(paths), strict):
        findings += found
        sources |= dict(read)
        files += len(read)
    found = in_order(findings)
    click.echo(report(found, sources, format_, wants_colour(sys.stdout)), nl=False)
    if format_ == "full":
        click.echo(summary(found, files))
    return 1 if has_errors(found, strict) else 0


def targets(paths: tuple[str, ...], any_folder: bool = False) -> list[Path]:
    """The packs and single files that the arguments mean. Wrong usage if one means none. any_folder: a folder stands for
    itself, whether it is a pack or not."""
    if not paths:
        if Path("mod.yaml").is_file():
            return [Path()]
        return data.packs_at(Path("content")) or [_near(game.path) for game in data.list_games()]
    found: list[Path] = []
    for given in paths:
        path = Path(given)
        installed = None if path.exists() or data.is_path(given) else data.find_pack(given)
        packs = [path] if path.is_file() or (any_folder and path.is_dir()) else data.packs_at(path)
        packs = packs or ([_near(installed)] if installed else [])
        if not packs:
            what = "holds no game or mod" if path.is_dir() else "is neither a file, a folder nor an installed game"
            raise click.UsageError(f'"{given}" {what}')
        found += [pack for pack in packs if pack not in found]
    return found


Checked = tuple[list[Diagnostic], list[tuple[str, str]]]  # findings, and each file that was read: its path and text


def check_all(paths: list[Path], strict: bool) -> Iterator[Checked]:
    """What is to be said about each, in their order; several at a time where there are several processors."""
    if len(paths) > 1:
        from .. import suite  # noqa: F401  so that not every process has to import what it needs
    return spread(partial(check_target, strict=strict), paths, processors())


def check_target(path: Path, strict: bool) -> Checked:
    found, read = check_one(path, strict) if path.is_file() else check_pack(path, strict)
    return found, [(file.path, file.text) for file in read]


def check_pack(folder: Path, strict: bool = False) -> tuple[list[Diagnostic], list[File]]:
    """Everything that is to be said about a pack, and the files it was read from. strict: also what comes to nothing."""
    if (folder / "game.yaml").is_file():
        return check_game(folder, strict)
    if (folder / "mod.yaml").is_file():
        return check_mod(folder, strict)
    pack = read_pack(folder)  # phrases to be needed: their texts are checked with the games that need them
    return pack.findings + [d for file in pack.files for d in check_fields(file)], pack.files


@put_off()
def check_game(folder: Path, strict: bool) -> tuple[list[Diagnostic], list[File]]:
    from ..load import load_compiled

    loaded = load_compiled(os.path.join(folder, ""))
    own = loaded.packs[0]
    findings = list(loaded.findings)
    findings += check_parts(loaded, own, [])
    findings += linted(loaded, own) if strict else []
    return [_renamed(d, _near(Path(d.file)).as_posix()) for d in findings], all_files(loaded)


def check_mod(folder: Path, strict: bool) -> tuple[list[Diagnostic], list[File]]:
    """A mod, on the game that it extends. Findings of that game are told only where they keep the mod from being
    checked."""
    from ..load import load_compiled

    pack = read_pack(folder)
    findings = list(pack.findings)
    head = pack.file("mod.yaml")
    node = head.root.get("extends") if head is not None and isinstance(head.root, Mapping) else None
    if head is None or not isinstance(node, Scalar) or not str(node.value or "").strip():
        return [*findings, *(d for file in pack.files for d in check_fields(file))], pack.files
    name = str(node.value).split()[0]
    base = data.find_pack(name)
    if base is None or not (base / "game.yaml").is_file():
        near = difflib.get_close_matches(name, [game.name for game in data.list_games()], 1)
        message = f'no game is called "{name}"'
        findings.append(finding("unknown-game", head.path, node.span(), message, near[0] if near else None))
        return [*findings, *(d for file in pack.files for d in check_fields(file))], pack.files
    loaded = load_compiled(name, [folder])
    mine = {file.path for file in pack.files}
    inside = [d for d in loaded.findings if d.file in mine]
    findings += inside if has_errors(inside) else loaded.findings
    findings += check_parts(loaded, pack, [folder])
    findings += linted(loaded, pack) if strict else []
    return [_renamed(d, _near(Path(d.file)).as_posix()) for d in findings], all_files(loaded)


def linted(loaded: Loaded, pack: Pack) -> list[Diagnostic]:
    from ..lint import lint

    return lint(loaded, pack)


def check_parts(loaded: Loaded, pack: Pack, mods: list[Path]) -> list[Diagnostic]:
    """The findings of the fixed parts of a pack, and of its scenarios on the game as it was loaded. A scenario's fields
    are checked with it, where there is a game for it."""
    playable = loaded.compiled is not None and loaded.compiled.program is not None
    stories = [file for file in pack.files if playable and file.name.startswith("scenarios/")]
    findings = [d for file in pack.files if all(file is not one for one in stories) for d in check_fields(file)]
    if stories:
        from ..bench import Bench
        from ..suite import Benches, check_file

        benches = Benches()
        key = (os.path.abspath(loaded.packs[0].folder), *sorted(os.path.abspath(mod) for mod in mods))
        benches.made[key] = (Bench(loaded), loaded, [])
        for file in stories:
            findings += check_file(pack.folder / file.name, benches, file)
    return findings


def all_files(loaded: Loaded) -> list[File]:
    """The files of all packs, as findings show them."""
    return [
        File(file.name, _near(Path(file.path)).as_posix(), file.text, file.root)
        for pack in loaded.packs
        for file in pack.files
    ]


def check_one(path: Path, strict: bool) -> tuple[list[Diagnostic], list[File]]:
    """A file of a pack by itself: the findings of its pack that lie in it. Elsewhere a file holds scenarios."""
    folder = data.enclosing_pack(path)
    if folder is not None:
        findings, files = check_pack(folder, strict)
        name = Path(os.path.relpath(path, folder)).as_posix()
        # A finding names the file as the argument did.
        inside = {file.path for file in files if file.name == name}
        if inside:
            shown = inside.pop()
            here = [_renamed(d, path.as_posix()) for d in findings if d.file == shown]
            return here, [File(f.name, path.as_posix(), f.text, f.root) for f in files if f.name == name]
    from ..suite import Benches, check_file

    return check_file(path, Benches()), [read_file(path)[0]]


def check_fields(file: File) -> list[Diagnostic]:
    """The findings of a file under the schema of its fixed part, if it is one."""
    name = schema_name(file.name)
    schema = load_schema(name) if name and name not in FOR_EDITORS else None
    return validate(file.root, schema, file.path) if schema and file.root is not None else []


def summary(findings: list[Diagnostic], files: int) -> str:
    errors = sum(d.severity == "error" for d in findings)
    warnings = len(findings) - errors
    parts = [so_many(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return f"{', '.join(parts) or 'no findings'} in {so_many(files, 'file')}"


def _near(path: Path) -> Path:
    """A path as seen from the working folder, where it lies below that."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _renamed(d: Diagnostic, file: str) -> Diagnostic:
    return dataclasses.replace(d, file=file)
