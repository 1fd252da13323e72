"""cli: in, the arguments of `cardscript`; out, the exit code of the command they name.

0 is fine, 1 findings or failures, 2 wrong usage, 130 after Ctrl-C. A command's module is imported only when it runs.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

# Each command: the module in interpreter/commands that has it, under the name `command`, and its line in --help.
COMMANDS = {
    "list": ("list", "List the games, or the factions, records and mods of one."),
    "check": ("check", "Read and check content; report every finding."),
    "play": ("play", "Play a game in the terminal."),
    "simulate": ("simulate", "Play many games by bots and count what comes of them."),
    "test": ("test", "Run scenarios; measure what they cover and what they notice."),
    "replay": ("replay", "Play a save again, checking it against its digests."),
    "try": ("try_", "Try a card on a table in the middle of a game."),
    "new": ("new", "Make a new game, mod, card or scenario."),
    "fmt": ("fmt", "Put texts into canonical wording, in place."),
    "schema": ("schema", "Derive the JSON Schemas of a game's files, for editors."),
    "explain": ("explain", "Say what a diagnostic means, or what is made of a text."),
}


class Commands(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"interpreter.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            from .commands.options import nearest

            ctx.fail(f'there is no command "{name}"; {nearest(name, COMMANDS)}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def cardscript() -> None:
    """Turns the text printed on cards into a running game."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Commands return their exit code, or None for 0."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    args = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = cardscript.main(args, prog_name="cardscript", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.exceptions.Abort):
        click.echo("", err=True)
        return 130
    except BrokenPipeError:
        # The reader has gone; keep Python from complaining about it again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
