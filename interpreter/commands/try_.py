"""try: in, a game and a card; out, the card on a table in the middle of a game, ready to be played at the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import (
    any_of,
    game_options,
    game_options_option,
    mod_option,
    nearest,
    open_game,
    open_loaded,
    players_of,
    players_option,
    seed_option,
    to_write,
)
from .play import at_terminal, run

if TYPE_CHECKING:
    from ..game import Game
    from ..play import Session
    from ..trial import Place


@click.command("try")
@click.argument("game")
@click.argument("card", nargs=-1, required=True, metavar="CARD")
@click.option("--at", "step", metavar="STEP", help="Only in this step or phase of the turn.")
@players_option
@seed_option
@game_options_option
@click.option("--save", "save_to", metavar="F", help="Write the game there when it is left.")
@mod_option
def command(
    game: str,
    card: tuple[str, ...],
    step: str | None,
    players: str | None,
    seed: int,
    chosen: str | None,
    save_to: str | None,
    mods: tuple[str, ...],
) -> int:
    """Put CARD of GAME on a table in the middle of a game, and play on from there.

    Random games are played until the card is in hand, or its trigger is about to happen; another --seed gives another
    table. You sit where the card is, bots at the other seats.
    """
    from ..play import PERSON, Session
    from ..printed import find_record
    from ..report import escape
    from ..trial import GAMES, Place, Wanted, find_place, state_of, ways

    if save_to is not None:
        to_write(save_to, "--save")
    loaded = open_game(game, mods)
    wanted = " ".join(card)
    ident, near = find_record(loaded, wanted)
    if ident is None:
        raise click.UsageError(f'nothing in this game is called "{wanted}"{any_of(near)}')
    step = step_of(loaded, step)
    seated = seats_with(loaded, players, ident)
    sought = Wanted(game, ident, seated, seed, mods, game_options(chosen, loaded), step)
    try:
        place = find_place(loaded, sought)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    title = loaded.names[ident]
    laid = None
    if place is None or (not place.performs and loaded.model.records[ident].texts):
        from ..laid import lay

        laid = lay(open_loaded(game, mods), sought)
        if laid is not None and not laid.performs and place is not None:
            laid = None
    if laid is not None:
        if save_to is not None:
            raise click.ClickException(f"{title} is laid there by hand, so this table cannot be saved")
        loaded, state = laid.game, laid.state
        place = Place(laid.save, laid.seat, laid.performs, 0.0, 0)
    elif place is None:
        where = f" in the step {step}" if step else ""
        raise click.ClickException(f"in {GAMES} random games nobody had {title}{where}: can it be reached at all?")
    else:
        state = state_of(place, loaded)
    count = len(state.view(0)["players"])
    place.save.seats = [PERSON if k == place.seat else "random" for k in range(count)]
    told(loaded, place, ident, laid.said if laid is not None else "")
    for action in ways(loaded, state, ident):
        decision = state.decision
        if decision is not None:
            label = next(option.label for option in decision.options if option.action == action)
            click.echo(f"  to see it, choose: {escape(label)}")
    click.echo("")
    kind = Session if laid is None else by_hand()
    return run(at_terminal(kind, loaded, place.save, state, save_to or ""), save_to)


def by_hand() -> type[Session]:
    """A session whose table cannot be saved: no decisions lead to it."""
    from ..play import Session

    class ByHand(Session):
        def write_file(self, path: str) -> None:
            self.write("this table was laid by hand, so it cannot be saved")

    return ByHand


def told(game: Game, place: Place, ident: str, said: str) -> None:
    """What the card says, and where in which game it is. said: the statement that laid it there."""
    from ..lines import so_many
    from ..printed import card
    from ..report import escape

    for line in card(game, ident):
        click.echo(escape(line))
    what = "is about to count" if place.performs else f"is with player {place.seat + 1}"
    after = f"after {so_many(len(place.save.decisions), 'decision')} of the game with seed {place.save.seed}"
    click.echo("")
    if said:
        click.echo(f"No random game came to it, so it is laid there by hand in the middle of one: {escape(said)}")
    else:
        click.echo(f"{escape(game.names[ident])} {what}, {after}.")


def step_of(game: Game, step: str | None) -> str:
    """The step that --at names, as the game calls it."""
    from ..scope import steps_below

    if step is None:
        return ""
    known = {name.casefold(): name for name in steps_below(game.model)}
    if step.casefold() not in known:
        raise click.UsageError(f'this game has no step "{step}"; {nearest(step, known.values())}')
    return known[step.casefold()]


def seats_with(game: Game, players: str | None, ident: str) -> int | list[str]:
    """Who plays: as --players says, else the least number, with the faction whose card it is among them."""
    seated = players_of(players, game.players[0])
    if not isinstance(seated, int):
        return list(seated)
    own = game.model.records[ident].faction or (ident if ident in game.factions else "")
    if own not in game.factions or not game.players[0] <= seated <= game.players[1]:
        return seated
    return [own, *(other for other in game.factions if other != own)][:seated]
