"""options: in, what was typed after --mod, --players and --bots, and the name of a game; out, the game, players, bots.

A command that names a game takes these in the same words, and fails in the same way: 2 for what there is not, 1 with
the findings for content that cannot be played.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .. import data

if TYPE_CHECKING:
    from ..game import Game
    from ..load import Loaded
    from ..savefile import Save

F = TypeVar("F", bound=Callable[..., Any])


class NotPlayable(click.ClickException):
    """Content with errors: the findings are the message, and the exit code is 1."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        click.echo(self.message, nl=False, err=True)


class Number(click.IntRange):
    """A whole number within bounds, called so in help and in what is said of others."""

    name = "number"


def mod_option(function: F) -> F:
    """--mod DIR, any number of times."""
    option = click.option(
        "--mod",
        "mods",
        metavar="DIR",
        multiple=True,
        help="With the mod in this folder; may be said again for another.",
    )
    return option(function)


def players_option(function: F) -> F:
    return click.option("--players", metavar="N|A,B,…", help="How many players, or ids of factions by seat.")(function)


def seed_option(function: F) -> F:
    return click.option("--seed", type=Number(0), default=0, metavar="N", help="Where chance begins (0).")(function)


def game_options_option(function: F) -> F:
    return click.option(
        "--options",
        "chosen",
        metavar="NAME=VALUE,…",
        help="How the options of the game stand, as game.yaml declares them.",
    )(function)


def game_options(text: str | None, game: Game) -> dict[str, Any]:
    """What --options means: name → value. Wrong usage for what the game does not declare."""
    declared = game.model.options
    out: dict[str, Any] = {}
    for word in words_of(text, "--options") if text is not None else ():
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise click.UsageError(f"--options wants NAME=VALUE with commas between them, not {word!r}")
        if name not in declared:
            known = f"there are: {', '.join(declared)}" if declared else "it has none"
            raise click.UsageError(f'{game.name} has no option "{name}"; {known}')
        values = {spelled(one): one for one in declared[name][0]}
        if value not in values:
            raise click.UsageError(f'the option {name} is one of: {", ".join(values)}; not "{value}"')
        out[name] = values[value]
    return out


def spelled(value: Any) -> str:
    """A value of an option as it is typed, which is as YAML writes it."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def game_folder(name: str) -> Path:
    """The folder of a game. Wrong usage if there is none."""
    folder = data.find_game(name)
    if folder is not None:
        return folder
    raise click.UsageError(f'there is no game "{name}"; {nearest(name, [game.name for game in data.list_games()])}')


def nearest(word: str, known: Iterable[str]) -> str:
    """What to say of a word that is none of those known: the one that comes near it, else all of them."""
    spelled_ = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(word.casefold(), spelled_, 1)
    return f'did you mean "{spelled_[near[0]]}"?' if near else "there are: " + (", ".join(spelled_.values()) or "none")


def any_of(names: Iterable[str]) -> str:
    """The same for several that come near: `; did you mean "A" or "B"?`, nothing for none."""
    near = " or ".join(f'"{name}"' for name in names)
    return f"; did you mean {near}?" if near else ""


def mod_folders(mods: tuple[str, ...]) -> list[str]:
    for mod in mods:
        if not (Path(mod) / "mod.yaml").is_file():
            raise click.UsageError(f'"{mod}" holds no mod: there is no mod.yaml')
    return list(mods)


def open_game(name: str, mods: tuple[str, ...] = ()) -> Game:
    """The game of this name or path, ready to play."""
    from .. import ContentError, load_game

    game_folder(name)
    try:
        return load_game(name, mod_folders(mods))
    except ContentError as error:
        raise NotPlayable(findings_text(error.diagnostics)) from None


def open_loaded(name: str, mods: tuple[str, ...] = ()) -> Loaded:
    """The same game with its trees and emitted Python."""
    from ..load import load_compiled

    game_folder(name)
    loaded = load_compiled(name, mod_folders(mods))
    if loaded.compiled is None or loaded.compiled.program is None:
        raise NotPlayable(findings_text(loaded.findings))
    return loaded


def saved_game(path: str, name: str | None, mods: tuple[str, ...]) -> tuple[Game, Save]:
    """A save, and the game that it belongs to: this one with these mods, else where the save says. Wrong usage if there
    is no such file or game; a save that is bad, or whose game or mods are not here, is exit code 1."""
    from ..report import escape
    from ..savefile import SaveError, read_save

    if not Path(path).is_file():
        raise click.UsageError(f'there is no file "{path}"')
    try:
        save = read_save(path)
    except SaveError as error:
        raise click.ClickException(escape(str(error))) from None
    if name is None and data.find_game(save.game) is None:
        raise click.ClickException(f'the game "{escape(save.game)}" of this save is not here')
    lost = [mod for mod in save.mods if not mods and not (Path(mod) / "mod.yaml").is_file()]
    if lost:
        raise click.ClickException(f'the mod "{escape(lost[0])}" of this save is not here; say where with --mod')
    return open_game(name or save.game, mods or tuple(save.mods)), save


def findings_text(findings: Any) -> str:
    """Findings in the full format, their source lines read again from their files."""
    from ..report import report, wants_colour

    sources: dict[str, str] = {}
    for finding in findings:
        path = Path(finding.file)
        if finding.file not in sources and path.is_file():
            sources[finding.file] = path.read_text(encoding="utf-8", errors="replace")
    return report(findings, sources, "full", wants_colour(sys.stderr))


def players_of(text: str | None, least: int) -> int | tuple[str, ...]:
    """What --players means: a number, or ids of factions in seat order; without it the least number."""
    if text is None:
        return least
    text = text.strip()
    if re.fullmatch(r"-?[0-9]{1,9}", text):
        return int(text)
    return tuple(words_of(text, "--players"))


def to_write(path: str, option: str) -> Path:
    """Where a file is to be written once all is done. Wrong usage, before anything is, if it could not be."""
    place = Path(path)
    if place.is_dir():
        raise click.UsageError(f"{option}: {path} is a folder; name a file in it")
    if not place.absolute().parent.is_dir():
        raise click.UsageError(f"{option}: {place.parent} is no folder to write a file in")
    return place


def words_of(text: str, option: str) -> list[str]:
    """Names with commas between them."""
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise click.UsageError(f"{option} wants names with commas between them, not {text!r}")
    return words
