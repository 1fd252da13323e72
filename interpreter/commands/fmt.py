"""fmt: in, paths of packs or files; out, their texts in canonical wording, in place or as a diff, and the exit code."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import data
from ..beside import put
from ..lines import so_many
from ..report import escape
from .check import targets
from .options import findings_text

if TYPE_CHECKING:
    from ..canonical import Reading
    from ..load import Loaded


@click.command("fmt")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a text is not in canonical wording.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
def command(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Put every text into canonical wording, in place; the YAML around the texts stays byte for byte.

    Without PATH: as `check`. A text that cannot be read is left as it is, and told of: `check` says what is wrong.
    """
    changed = left = 0
    bad = False
    for path in targets(paths):
        folder = data.enclosing_pack(path) if path.is_file() else path
        loaded, only = opened(path, folder)
        if loaded.compiled is None:
            click.echo(findings_text(loaded.findings), nl=False, err=True)
            bad = True
            continue
        for file, readings in sorted(texts_of(loaded, only).items()):
            pack = data.enclosing_pack(file)
            language = loaded.compiled.language.of(pack.resolve().name if pack else "")
            one, other = format_file(file, readings, language, check, diff)
            changed += one
            left += other
    click.echo(summary(changed, left, check or diff))
    return 1 if bad or left or (check and changed) else 0


def summary(changed: int, left: int, dry: bool) -> str:
    files = f"{so_many(changed, 'file')} {'would change' if dry else 'changed'}"
    texts = f"; {left} text{' is' if left == 1 else 's are'} left, which `check` finds fault with" if left else ""
    return files + texts


def opened(path: Path, folder: Path | None) -> tuple[Loaded, Path]:
    """The game that a path belongs to, and the file or folder in it that is to be formatted."""
    from ..load import load_compiled
    from ..read import read_file
    from ..suite import home

    if folder is None or not (folder / "game.yaml").is_file():
        inside = path if path.is_file() else path / "mod.yaml"
        game, mods, lost = home(inside, read_file(inside)[0])
        if game is None:
            raise click.ClickException(f"{lost[0].file}: {lost[0].message}")
        return load_compiled(os.path.join(game, ""), list(mods)), path
    return load_compiled(os.path.join(folder, "")), path


def texts_of(loaded: Loaded, only: Path) -> dict[Path, list[Reading]]:
    """The texts in a file, or in those of a folder: those of the game or mod, and of its scenarios."""
    from ..canonical import Reading
    from ..read import read_file

    assert loaded.compiled is not None
    out: dict[Path, list[Reading]] = {}
    top = only.resolve()
    for source, start, bound in loaded.compiled.read:
        path = Path(source.file)
        if source.scalar is not None and within(path, top):
            out.setdefault(path, []).append(Reading(source.scalar, start, bound))
    stories = [pack.folder / f.name for pack in loaded.packs for f in pack.files if f.name.startswith("scenarios/")]
    if only.is_file() and data.enclosing_pack(only) is None:
        stories.append(only)
    for path in stories:
        if within(path, top):
            out[path] = scenario_texts(read_file(path)[0])
    return out


def within(path: Path, top: Path) -> bool:
    full = path.resolve()
    return full == top or top in full.parents


def scenario_texts(file: Any) -> list[Reading]:
    """The statements and conditions of a file of scenarios."""
    from ..canonical import Reading
    from ..scenario import read_scenarios

    out = []
    for scenario in read_scenarios(file)[0]:
        dos = [do for step in scenario.when for do in (step.do, step.refused_do) if do is not None]
        out += [Reading(text, "text") for text in (*scenario.given, *dos)]
        out += [Reading(text, "condition", sure=False) for text in scenario.then]  # or how the game ended
    return out


def format_file(path: Path, readings: list[Reading], language: Any, check: bool, diff: bool) -> tuple[int, int]:
    """Format one file: (whether it changes, how many of its texts cannot be read)."""
    from ..canonical import formatted

    raw = path.read_bytes()
    made = formatted(raw, readings, language)
    if made.data == raw:
        return 0, made.left
    shown = path.as_posix()
    if diff:
        old, new = (x.decode("utf-8").splitlines(keepends=True) for x in (raw, made.data))
        for line in difflib.unified_diff(old, new, shown, shown):
            click.echo(escape(line.rstrip("\r\n")))
    else:
        verb = "would format" if check else "formatted"
        click.echo(f"{verb} {escape(shown)} ({so_many(made.changed, 'text')})")
    if not check and not diff:
        try:
            put(path, made.data)
        except OSError as error:
            raise click.ClickException(f"{shown} cannot be written: {error.strerror}") from None
    return 1, made.left
