"""replay: in, a save; out, the decisions made in it, or the state it leads to; exit code 1 if it does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..report import escape
from ..savefile import SaveError, replay
from .options import Number, saved_game

if TYPE_CHECKING:
    from ..state import State


@click.command("replay")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--to", type=Number(0), metavar="N", help="Stop after N decisions.")
@click.option("--game", "game_", metavar="GAME", help="The game's name or path, where it is no longer where it was.")
@click.option("--mod", "mods", multiple=True, metavar="DIR", help="A mod of the save, where it is no longer there.")
@click.option("--quiet", is_flag=True, help="Check only; do not list the decisions.")
def command(file: str, to: int | None, game_: str | None, mods: tuple[str, ...], quiet: bool) -> int:
    """Play a save again, checking it against its digests."""
    loaded, save = saved_game(file, game_, mods)
    try:
        state = replay(save, loaded, to, None if quiet else told)
    except SaveError as error:
        raise click.ClickException(escape(str(error))) from None
    made = len(save.decisions) if to is None else min(to, len(save.decisions))
    click.echo(f"{made} of {len(save.decisions)} decisions replayed; {standing(state)}")
    return 0


def told(state: State, seat: int, action: int) -> None:
    """List a decision."""
    for decision in state.decisions:
        if decision.player == seat:
            label = next((o.label for o in decision.options if o.action == action), f"action {action}")
            who = f"player {seat + 1}" if seat >= 0 else "chance"
            click.echo(escape(f"{who}: {decision.prompt}: {label}"))
            return


def standing(state: State) -> str:
    """How the game stands, in words."""
    if not state.over:
        return f"player {state.decision.player + 1} decides" if state.decision else "nobody decides"
    winners = ", ".join(f"player {seat + 1}" for seat in state.winners)
    return f"the game is over: {state.outcome}" + (f" by {winners}" if winners else "")
