"""schema: in, a game and its mods; out, the JSON Schemas of its files, printed or written into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..beside import put
from .options import findings_text, game_folder, mod_folders, mod_option, nearest

if TYPE_CHECKING:
    from ..model import Model


@click.command("schema")
@click.argument("game")
@click.option("--kind", "kind", metavar="K", help="Only the schema of one record of this kind.")
@click.option("--out", "out", metavar="DIR", help="Write all schemas of the game into this folder.")
@mod_option
def command(game: str, kind: str | None, out: str | None, mods: tuple[str, ...]) -> int:
    """Print the JSON Schema of GAME's files of records, derived from its kinds and those of its mods.

    With --out all schemas are written: content.schema.json for the files of records, and those of game.yaml, mod.yaml,
    rules.yaml and scenarios. An editor finds them by the first line of a file:

    # yaml-language-server: $schema=schemas/content.schema.json
    """
    from ..derived import content_schema, fixed_schemas, one_kind, written

    model = declared(game, mods)
    if kind is not None:
        if out is not None:
            raise click.UsageError("--out writes the schemas of all kinds; leave out --kind")
        named = {name.casefold(): one for name, one in model.kinds.items() if one.key}
        found = named.get(kind.casefold())
        if found is None:
            known = [one.name for one in named.values()]
            raise click.UsageError(f'this game has no kind "{kind}" with records; {nearest(kind, known)}')
        click.echo(written(one_kind(model, found)), nl=False)
        return 0
    if out is None:
        click.echo(written(content_schema(model)), nl=False)
        return 0
    files = {"content.schema.json": written(content_schema(model))}
    files |= {name: written(schema) for name, schema in fixed_schemas().items()}
    try:
        write_all(Path(out), files)
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror}") from None
    click.echo(f"{len(files)} schemas in {Path(out).as_posix()}")
    return 0


def declared(game: str, mods: tuple[str, ...]) -> Model:
    """What a game and its mods declare, whatever is wrong in their texts; findings in declarations are told, and go
    on to standard error."""
    from ..declare import declare
    from ..load import packs_of

    packs = packs_of(game_folder(game), list(mod_folders(mods)))
    model, findings = declare(packs)
    found = [d for pack in packs for d in pack.findings] + findings
    if found:
        click.echo(findings_text(found), nl=False, err=True)
    return model


def write_all(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        put(folder / name, text.encode("utf-8"))
