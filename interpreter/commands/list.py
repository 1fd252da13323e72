"""list: in, nothing or the name of a game; out, the games, or the factions, records and mods of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import data
from .options import NotPlayable, findings_text, game_folder, mod_folders, mod_option

if TYPE_CHECKING:
    from ..model import Model

ORIGINS = ("rulebook", "public", "original")


@click.command("list")
@click.argument("game", required=False)
@mod_option
def command(game: str | None, mods: tuple[str, ...]) -> int:
    """List the games, or the factions, records and mods of GAME.

    Records are counted by kind, and by where they come from.
    """
    from ..report import escape

    lines = all_games() if game is None else one_game(game, mods)
    click.echo("\n".join(escape(line) for line in lines))
    return 0


def all_games() -> list[str]:
    from ..lines import columns

    rows = []
    for game in data.list_games():
        head = head_of(game.path / "game.yaml")
        title = str(head.get("name", "")) + (" (reference)" if game.reference else "")
        rows.append([game.name, players_text(head.get("players")), "  " + title])
    found = mods_of(None)
    lines = columns([["game", "players", "  name"], *rows], indent="") if rows else ["no games are installed"]
    if found:
        lines += ["", *columns([["mod", "extends", ""], *found], indent="")]
    return lines


def one_game(name: str, mods: tuple[str, ...]) -> list[str]:
    """Lines on a game with mods: players, options, factions, records, mods. Raises NotPlayable with what is wrong in it."""
    from ..declare import declare
    from ..diagnostics import has_errors, in_order
    from ..lines import columns
    from ..load import packs_of
    from ..number import number

    folder = game_folder(name)
    packs = packs_of(folder, list(mod_folders(mods)))
    model, findings = declare(packs)
    findings = [*(d for pack in packs for d in pack.findings), *findings]
    if not has_errors(findings):
        findings += number(model)
    if has_errors(findings):
        raise NotPlayable(findings_text(in_order(findings)))
    span = str(model.least) if model.least == model.most else f"{model.least} to {model.most}"
    lines = [f"{model.title or folder.resolve().name} {model.version}".rstrip(), f"players   {span}"]
    for option, (values, default) in model.options.items():
        lines.append(f"option    {option}: {', '.join(map(shown, values))} ({shown(default)} unless said)")
    if model.factions:
        rows = [[f"  {ident}", model.records[ident].name] for ident in model.factions]
        lines += ["", "factions", *columns(rows, indent="")]
    lines += ["", *records(model)]
    found = mods_of(folder.resolve().name)
    if found:
        lines += ["", "mods", *columns([["  " + row[0], row[2]] for row in found], indent="")]
    return lines


def records(model: Model) -> list[str]:
    """A row for each kind that has records: how many from each origin, in all, and how many things that makes."""
    from ..lines import columns

    table = [["records", *ORIGINS, "in all", "things"]]
    total = [0] * 5
    for kind in model.kinds:
        mine = [record for record in model.records.values() if record.kind == kind]
        if mine:
            counts = [sum(record.origin == origin for record in mine) for origin in ORIGINS]
            counts += [len(mine), sum(len(record.ids) for record in mine)]
            total = [a + b for a, b in zip(total, counts)]
            table.append([kind, *map(str, counts)])
    table.append(["all", *map(str, total)])
    return columns(table, right=1, indent="")


def head_of(file: Path) -> dict[str, Any]:
    """The keys of a game.yaml or mod.yaml, as far as it can be read."""
    from ..nodes import Mapping, plain
    from ..read import read_file

    root = read_file(file)[0].root
    return dict(plain(root)) if isinstance(root, Mapping) else {}


def mods_of(game: str | None) -> list[list[str]]:
    """The mods that are installed, or lie in the working folder: name, the game extended, title."""
    found = []
    here = [Path(), *sorted(p for p in Path().iterdir() if p.is_dir())]
    content = data.content_folder()
    installed = sorted(p for p in content.iterdir() if p.is_dir()) if content.is_dir() else []
    for folder in dict.fromkeys(path.resolve() for path in (*installed, *here)):
        if (folder / "mod.yaml").is_file():
            head = head_of(folder / "mod.yaml")
            if game is None or head.get("extends") == game:
                found.append([folder.name, str(head.get("extends", "")), str(head.get("name", ""))])
    return found


def players_text(players: Any) -> str:
    if isinstance(players, list) and len(players) == 2:
        return str(players[0]) if players[0] == players[1] else f"{players[0]} to {players[1]}"
    return str(players if players is not None else "")


def shown(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
