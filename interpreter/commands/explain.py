"""explain: in, a diagnostic's code; out, what it means, with a wrong and a right example."""

from __future__ import annotations

import difflib

import click

from ..diagnostics import CODES


@click.command("explain")
@click.argument("code")
def command(code: str) -> int:
    """Say what a diagnostic's CODE means, with a wrong and a right example."""
    if code not in CODES:
        near = difflib.get_close_matches(code, CODES, 1)
        hint = f'did you mean "{near[0]}"?' if near else "the codes are " + ", ".join(sorted(CODES))
        raise click.UsageError(f'there is no code "{code}"; {hint}')
    severity, meaning, wrong, right = CODES[code]
    click.echo(f"{severity}[{code}]: {meaning}")
    for title, example in (("Wrong", wrong), ("Right", right)):
        click.echo(f"\n{title}:\n")
        for line in example.split("\n"):
            click.echo(f"    {line}")
    return 0
