"""new: in, what is to be made and its name; out, its files on the disk: they check, play and pass their own scenario."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import data
from ..beside import put
from .options import findings_text, game_folder, nearest

if TYPE_CHECKING:
    from ..diagnostics import Diagnostic
    from ..model import Model
    from ..skeleton import Files


@click.group("new", invoke_without_command=False)
def command() -> None:
    """Make a new game, mod, card or scenario: files that check, play and pass their own scenario at once.

    Nothing is asked, and no file is ever written over.
    """


in_option = click.option("--in", "where", metavar="DIR", default=".", help="The folder to make it in (this one).")
name_option = click.option("--name", help="What it is called; else a name that nothing has.")


@command.command("game")
@click.argument("name")
@in_option
def new_game(name: str, where: str) -> int:
    """Make a folder with a small game called NAME."""
    from ..derived import content_schema, fixed_schemas, written
    from ..skeleton import game_files

    folder = new_folder(name, where)
    files = game_files(name)
    with tempfile.TemporaryDirectory() as temp:
        model = tried(Path(temp) / folder.name, files)
        files |= {f"schemas/{n}": written(s) for n, s in fixed_schemas().items()}
        files["schemas/content.schema.json"] = written(content_schema(model))
    make(folder, files)
    told(folder, files, f"cardscript play {shown(folder)}")
    return 0


@command.command("mod")
@click.argument("name")
@click.option("--extends", "game", metavar="GAME", required=True, help="The installed game that it extends.")
@click.option("--kind", help="The kind of its first card; else the first kind of cards.")
@in_option
def new_mod(name: str, game: str, kind: str | None, where: str) -> int:
    """Make a folder with a mod called NAME that adds one card to an installed game."""
    from ..derived import content_schema, fixed_schemas, written
    from ..skeleton import mod_head

    installed = None if data.is_path(game) else data.find_game(game)
    if installed is None:
        game_folder(game)
        raise click.UsageError(f'a mod extends an installed game by its name, never a path such as "{game}"')
    folder = new_folder(name, where)
    model = model_of(installed, [])
    head = {"mod.yaml": mod_head(name, game)}
    with tempfile.TemporaryDirectory() as temp:
        trial = Path(temp) / folder.name
        make(trial, head)
        more = card_that_works(model, trial, kind, None, "schemas/content.schema.json")
        files = head | more
        files |= {f"schemas/{n}": written(s) for n, s in fixed_schemas().items()}
        files["schemas/content.schema.json"] = written(content_schema(model_of(installed, [trial])))
    make(folder, files)
    told(folder, files, f"cardscript play {game} --mod {shown(folder)}")
    return 0


@command.command("card")
@click.argument("game")
@click.option("--kind", help="Its kind; else the first kind of cards.")
@name_option
@click.option("--mod", metavar="DIR", help="Make it in this mod of the game.")
def new_card(game: str, kind: str | None, name: str | None, mod: str | None) -> int:
    """Make a card in GAME, with a scenario of its own, as two new files."""
    base = game_folder(game)
    folder = pack_to_write(game, base, mod)
    mods = [folder] if mod is not None else []
    model = model_of(base, mods)
    with tempfile.TemporaryDirectory() as temp:
        trial = Path(temp) / folder.resolve().name
        shutil.copytree(folder, trial, ignore=shutil.ignore_patterns(".*", "scenarios"))
        files = card_that_works(model, trial, kind, name, schema_beside(folder, ""))
    make(folder, files)
    told(folder, files, f"cardscript test {shown(folder / next(n for n in files if '/' in n))}")
    return 0


@command.command("scenario")
@click.argument("game")
@name_option
@click.option("--mod", metavar="DIR", help="Make it in this mod of the game.")
def new_scenario(game: str, name: str | None, mod: str | None) -> int:
    """Make a scenario for GAME, as a new file: in the game's folder, or here if the game is an installed one."""
    from ..declare.gathering import slug
    from ..skeleton import scenario_tries

    base = game_folder(game)
    inside = mod is not None or ours(base)
    folder = pack_to_write(game, base, mod) if inside else Path()
    title = name or "What a turn begins with"
    wrong = name_wrong(title, prose=True)
    if wrong:
        raise click.UsageError(wrong)
    file = f"{'scenarios/' if inside else ''}{slug(title) or 'scenario'}.yaml"
    players, first = first_choice(base, [folder] if mod is not None else [])
    schema = schema_beside(folder, "scenarios/") if inside else ""
    tries = ({file: text} for text in scenario_tries(title, players, "" if inside else game, schema, first))
    with tempfile.TemporaryDirectory() as temp:
        trial = Path(temp) / (folder.resolve().name if inside else "here")
        if inside:
            shutil.copytree(folder, trial, ignore=shutil.ignore_patterns(".*", "scenarios"))
        files = first_that_works(trial, tries, whole=False)
    make(folder, files)
    told(folder, files, f"cardscript test {shown(folder / file)}")
    return 0


# ---------------------------------------------------------------- where


def new_folder(name: str, where: str) -> Path:
    """The folder of a new game or mod, which must not be there yet."""
    from ..declare.gathering import slug

    wrong = name_wrong(name)
    ident = slug(name)
    if wrong or not data.NAME.fullmatch(ident):
        raise click.UsageError(wrong or f'"{name}" makes no name for a folder; use letters a to z and digits')
    if not Path(where).is_dir():
        raise click.UsageError(f'there is no folder "{where}"')
    folder = Path(where) / ident
    if folder.exists():
        raise click.UsageError(f'there is a folder "{folder.as_posix()}" already')
    return folder


def name_wrong(name: str, prose: bool = False) -> str:
    """What is wrong with a name, '' for nothing. prose: it names a scenario, which may hold other signs."""
    from ..read import name_fault

    if prose:
        bad = not name.strip() or any(c in name for c in "\r\n#:[]{}&*!|>'\"%@`") or not name.isprintable()
        return f"{name!r} cannot stand on one line of YAML: use words" if bad else ""
    fault = name_fault(name)
    return f'"{name}": {fault}' if fault else ""


def ours(folder: Path) -> bool:
    """Whether a pack lies below the working folder, so that new files may be put there."""
    return folder.resolve().is_relative_to(Path.cwd().resolve())


def pack_to_write(game: str, base: Path, mod: str | None) -> Path:
    if mod is not None:
        if not (Path(mod) / "mod.yaml").is_file():
            raise click.UsageError(f'"{mod}" holds no mod: there is no mod.yaml')
        return Path(mod)
    if not data.is_path(game) and not ours(base):
        hint = f"make a mod of it: cardscript new mod NAME --extends {game}, then --mod DIR"
        raise click.UsageError(f"{game} is an installed game, which is not changed; {hint}")
    return Path(os.path.relpath(base)) if ours(base) else base


def schema_beside(folder: Path, inside: str) -> str:
    """What the first line of a file's siblings says of their schema; '' if they say nothing."""
    from ..skeleton import MARK

    name = "scenario.schema.json" if inside else "content.schema.json"
    for path in sorted((folder / inside).glob("*.yaml")):
        first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
        if first.startswith(MARK) and first.endswith(name):
            return first.removeprefix(MARK)
    up = "../" * inside.count("/")
    return f"{up}schemas/{name}" if (folder / "schemas" / name).is_file() else ""


# ---------------------------------------------------------------- what


def model_of(folder: Path, mods: list[Path]) -> Model:
    """What a game and its mods declare. Content with errors is told of, and is the end."""
    from ..load import load_compiled
    from .options import NotPlayable

    loaded = load_compiled(os.path.join(folder, ""), mods)
    if loaded.compiled is None or loaded.compiled.program is None:
        raise NotPlayable(findings_text(loaded.findings))
    return loaded.model


def card_that_works(model: Model, trial: Path, kind: str | None, name: str | None, schema: str) -> Files:
    """The files of a new card that check and pass in a copy of its pack."""
    from ..skeleton import Card, card_tries, kind_for, new_name

    found = kind_for(model, kind)
    if found is None:
        known = [k.name for k in model.kinds.values() if k.key]
        what = f'no kind "{kind}"' if kind is not None else "no kind of cards, so say which --kind"
        raise click.UsageError(f"this game has {what}; {nearest(kind or '', known)}")
    called = new_name(model, name, found)
    wrong = name_wrong(called)
    if wrong:
        raise click.UsageError(wrong)
    other = next((r for r in model.records.values() if r.name == called), None)
    if other is not None:
        raise click.UsageError(f'"{called}" stands already in {other.file}:{other.line}')
    story = schema.replace("content.schema.json", "scenario.schema.json")
    story = story.replace(f"schemas/{trial.name}/", "schemas/")
    card = Card(called, found, schema, f"../{story}" if story else "", max(model.least, 1))
    return first_that_works(trial, card_tries(model, card), whole=True)


def first_choice(base: Path, mods: list[Path]) -> tuple[int, str]:
    """The least number of players, and the label of an option of the first decision of a scenario with seed 1."""
    from ..game import Game
    from ..load import load_compiled

    model_of(base, mods)
    loaded = load_compiled(os.path.join(base, ""), mods)
    assert loaded.compiled is not None and loaded.compiled.program is not None
    game = Game(loaded.compiled.program)
    state = game.new(seed=1)
    label = "" if state.decision is None else str(state.decision.options[0].label)
    if not label or any(c in label for c in "#[]{}&*!|>'\"%@`,?"):
        return game.players[0], ""
    parts = label.split(": ")
    return game.players[0], label if len(parts) == 1 else f"[{', '.join(parts)}]"


def first_that_works(trial: Path, tries: Iterable[Files], whole: bool) -> Files:
    """The first of several sets of files that, put into a copy of a pack, checks and passes."""
    found: list[Diagnostic] = []
    for files in tries:
        made = make(trial, files)
        found = faults(trial, files, whole)
        if not found:
            return files
        for path in made:
            path.unlink()
    raise click.ClickException("nothing that this command can make fits this game:\n" + findings_text(found))


def tried(folder: Path, files: Files) -> Model:
    """A new game in a folder of its own, checked."""
    make(folder, files)
    found = faults(folder, files, whole=True)
    if found:
        raise click.ClickException(findings_text(found))
    return model_of(folder, [])


def faults(folder: Path, files: Files, whole: bool) -> list[Diagnostic]:
    """What `check` and `test` say of new files. whole: of the pack too."""
    from ..suite import Benches, run_file
    from .check import check_pack

    found = [d for d in check_pack(folder)[0] if d.severity == "error"] if whole else []
    if found:
        return found
    benches = Benches()
    for name in files:
        if name.startswith("scenarios/") or not whole:
            outcome = run_file(folder / name, benches)
            found += outcome.findings
            for result in outcome.results:
                found += [] if result.passed else result.findings
    return found


def make(folder: Path, files: Files) -> list[Path]:
    """Write new files, each beside its place and then renamed; none is written over, and none at all if one is there."""
    there = [name for name in files if (folder / name).exists() or (folder / name).is_symlink()]
    if there:
        raise click.UsageError(f'there is a file "{(folder / there[0]).as_posix()}" already; nothing was written')
    made = []
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path, text.encode("utf-8"), over=False)
            made.append(path)
    except OSError as error:
        raise click.ClickException(f"{(folder / name).as_posix()} cannot be written: {error.strerror}") from None
    return made


def shown(path: Path) -> str:
    return path.as_posix() if path.is_absolute() or "/" in path.as_posix() else f"./{path.as_posix()}"


def told(folder: Path, files: Files, then: str) -> None:
    for name in files:
        click.echo(f"made {(folder / name).as_posix()}")
    click.echo(f"go on with: {then}")
