"""play: in, a game or a save, who plays, and what is typed; out, a game played in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from .options import (
    game_options,
    game_options_option,
    mod_option,
    open_game,
    players_of,
    players_option,
    saved_game,
    seed_option,
    to_write,
    words_of,
)

if TYPE_CHECKING:
    from ..game import Game
    from ..play import Session
    from ..savefile import Save
    from ..state import State

BOLD, RESET = "\033[1m", "\033[0m"
CLEAR = "\033[2J\033[3J\033[H"


@click.command("play")
@click.argument("game", required=False)
@players_option
@seed_option
@game_options_option
@click.option(
    "--bots",
    metavar="NAME,…",
    help="Who sits at the seats after the first (random): one name for all, or one each; with a name for every seat, "
    "`person` marks those of people.",
)
@click.option("--save", "save_to", metavar="F", help="Write the game there when it is left.")
@click.option("--load", "load_from", metavar="F", help="Go on with a game that was saved.")
@click.option("--auto", is_flag=True, help="All seats are bots: print what happens, and the result.")
@mod_option
def command(
    game: str | None,
    players: str | None,
    seed: int,
    chosen: str | None,
    bots: str | None,
    save_to: str | None,
    load_from: str | None,
    auto: bool,
    mods: tuple[str, ...],
) -> int:
    """Play GAME in the terminal: you at the first seat, bots at the others.

    Type `help` there for what can be said.
    """
    from ..play import PERSON, Session, play_out

    if save_to is not None:
        to_write(save_to, "--save")
    if load_from is not None:
        loaded, save, state = from_file(load_from, game, mods)
        for name, given in (("--players", players), ("--options", chosen)):
            if given is not None:
                raise click.UsageError(f"{name} cannot be changed in a game that was saved")
    elif game is None:
        raise click.UsageError("which GAME? `cardscript list` names them")
    else:
        loaded, save, state = from_start(game, mods, players, seed, chosen)
    count = len(state.view(0)["players"])
    names = None if bots is None else words_of(bots, "--bots")
    if names is not None or len(save.seats) != count:
        save.seats = seats_for(names or ["random"], count, auto)
    elif auto:
        save.seats = ["random" if name == PERSON else name for name in save.seats]
    if auto:
        play_out(loaded, save, state, save.seats, click.echo)
        return written(save_to, save, state)
    session = at_terminal(Session, loaded, save, state, save_to or load_from or "")
    if load_from is None:
        session.introduce()
    return run(session, save_to)


def at_terminal(kind: type[Session], game: Game, save: Save, state: State, file: str) -> Session:
    """A session that is read and written here. file: where `save` writes without a name."""
    width = max(40, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100
    paint = (lambda text: f"{BOLD}{text}{RESET}") if coloured() else (lambda text: text)
    return kind(game, save, state, save.seats, ask, click.echo, file, width, paint, hand_over)


def run(session: Session, save_to: str | None) -> int:
    """Play, and write the save however the session is left."""
    try:
        how = session.play()
    except KeyboardInterrupt:
        click.echo("")
        click.echo(left(session, save_to), err=True)
        written(save_to, session.save, session.state)
        return 130
    if how != "over":
        click.echo(("end of input: " if how == "end" else "") + left(session, save_to))
    return written(save_to, session.save, session.state)


def left(session: Session, save_to: str | None) -> str:
    from ..lines import so_many

    kept = "" if save_to else ", and is not saved"
    return f"the game stops after {so_many(len(session.save.decisions), 'decision')}{kept}"


def written(save_to: str | None, save: Save, state: State) -> int:
    from ..savefile import write_save

    if save_to is None:
        return 0
    try:
        write_save(save_to, save, state)
    except OSError as error:
        click.echo(f"Error: {save_to} cannot be written: {error.strerror}", err=True)
        return 1
    click.echo(f"saved to {save_to}")
    return 0


def from_start(
    name: str, mods: tuple[str, ...], players: str | None, seed: int, chosen: str | None = None
) -> tuple[Game, Save, State]:
    from ..savefile import begin

    loaded = open_game(name, mods)
    seated = players_of(players, loaded.players[0])
    options = game_options(chosen, loaded)
    try:
        save, state = begin(loaded, name, seated if isinstance(seated, int) else list(seated), seed, mods, options)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return loaded, save, state


def from_file(path: str, name: str | None, mods: tuple[str, ...]) -> tuple[Game, Save, State]:
    """The game of a save, as far as it was played. A save that is bad, or of other content, is exit code 1."""
    from ..report import escape
    from ..savefile import SaveError, replay

    loaded, save = saved_game(path, name, mods)
    try:
        return loaded, save, replay(save, loaded)
    except SaveError as error:
        raise click.ClickException(escape(str(error))) from None


def seats_for(names: list[str], count: int, auto: bool) -> list[str]:
    """PERSON or a bot's name for each seat. Wrong usage for other numbers of names."""
    from ..bots import BOTS
    from ..play import PERSON

    known = [*BOTS] if auto else [*BOTS, PERSON]
    for name in names:
        if name not in known:
            raise click.UsageError(f'no bot is called "{name}"; there are {", ".join(known)}')
    if auto:
        seats = names * count if len(names) == 1 else names
    elif len(names) == count and (count > 1 or names == [PERSON]):
        seats = names if PERSON in names or count == 1 else []
    elif len(names) == count - 1:
        seats = [PERSON, *names]
    else:
        seats = [PERSON, *names * (count - 1)] if len(names) == 1 else []
    if len(seats) != count:
        raise click.UsageError(
            f"--bots wants one name, {count - 1} for the seats after the first, or {count} with `person` among them; "
            "with --auto one or one for each seat"
        )
    return seats


def coloured() -> bool:
    from ..report import wants_colour

    return wants_colour(sys.stdout)


def ask(prompt: str) -> str | None:
    """A line of the input, None at its end."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            import readline  # noqa: F401 (lets the line be edited)
        except ImportError:
            pass
        try:
            return input(prompt)
        except EOFError:
            click.echo("")
            return None
    click.echo(prompt, nl=False)
    reconfigure: Callable[..., None] | None = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None and getattr(sys.stdin, "errors", "") != "backslashreplace":
        reconfigure(errors="backslashreplace")
    line = sys.stdin.readline()
    click.echo(line.rstrip("\n") if line else "")
    return line if line else None


def hand_over(seat: int) -> None:
    """Several people at one terminal: clear it before the next of them looks."""
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        click.echo(CLEAR, nl=False)
        click.echo(f"It is player {seat + 1}'s turn. Press Enter when nobody else looks. ", nl=False)
        sys.stdin.readline()
    else:
        click.echo(f"---- player {seat + 1}")
