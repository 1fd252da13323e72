"""simulate: in, a game, a number of games and who plays; out, what came of them, on the screen and as JSON or CSV."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..beside import put
from .options import (
    Number,
    game_options,
    game_options_option,
    mod_option,
    open_game,
    players_of,
    players_option,
    seed_option,
    to_write,
    words_of,
)

if TYPE_CHECKING:
    from ..game import Game
    from ..simulate import Plan, Played

SUFFIXES = (".json", ".csv")
TICK = 0.1  # seconds between two drawings of the bar
MOST_NAMES = 12  # names of records that the screen shows; the file holds all


@click.command("simulate")
@click.argument("game")
@click.option("--games", type=Number(1), required=True, metavar="N", help="How many games.")
@players_option
@seed_option
@game_options_option
@click.option("--bots", default="random", metavar="NAME,…", help="One bot for all seats, or one for each (random).")
@click.option("--jobs", type=Number(1), default=1, metavar="N", help="How many processes share the work (1).")
@click.option("--executor", metavar="dask:ADDRESS", help="Let the workers of this Dask cluster play.")
@click.option("--out", metavar="F.json|F.csv", help="Write the results there.")
@click.option("--resume", is_flag=True, help="Go on with the run that wrote --out and was interrupted.")
@mod_option
def command(
    game: str,
    games: int,
    players: str | None,
    seed: int,
    chosen: str | None,
    bots: str,
    jobs: int,
    executor: str | None,
    out: str | None,
    resume: bool,
    mods: tuple[str, ...],
) -> int:
    """Play many games by bots and count what came of them.

    Factions are rotated over the seats. The results are the same for any number of jobs, and on a cluster. With --out,
    games that have ended are kept in a file beside it until all have: --resume goes on from there.
    """
    from ..bots import bots_for
    from ..journal import Journal, JournalError
    from ..simulate import Plan, seats_of, simulate
    from ..tally import rows, summary

    target = out_file(out)
    cluster = address_of(executor, jobs)
    if resume and target is None:
        raise click.UsageError("--resume goes on with the run of an --out; name the file")
    names = words_of(bots, "--bots")
    loaded = open_game(game, mods)
    seated = players_of(players, loaded.players[0])
    try:
        seats_of(loaded, seated, 0)
        count = seated if isinstance(seated, int) else len(seated)
        plan = Plan(game, mods, seated, tuple(bots_for(names, count)), seed, games, game_options(chosen, loaded))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    journal = Journal(journal_of(target), plan, loaded.digest, resume) if target is not None else None
    try:
        with progress(games) as tell:
            run = simulate(loaded, plan, jobs, tell, cluster, journal)
    except (RuntimeError, JournalError) as error:
        click.echo(f"Error: {error}", err=True)
        return 1
    except OSError as error:
        click.echo(f"Error: {error.filename or target} cannot be written: {error.strerror}", err=True)
        return 1
    result = summary(loaded, plan, run.played)
    click.echo("\n".join(story(loaded, plan, result, run.played)))
    if target is not None:
        text = as_csv(rows(plan, run.played)) if target.suffix == ".csv" else json.dumps(result, indent=2) + "\n"
        try:
            put(target, text.encode("utf-8"))
        except OSError as error:
            click.echo(f"Error: {target} cannot be written: {error.strerror}", err=True)
            return 1
    if run.interrupted:
        hint = "; --resume goes on" if target is not None else ""
        click.echo(f"interrupted after {len(run.played)} of {games} games{hint}", err=True)
        return 130
    return 1 if result["errors"] else 0


def out_file(out: str | None) -> Path | None:
    """Where results go. Wrong usage, before any game is played, if they could not be written there."""
    if out is None:
        return None
    if Path(out).suffix not in SUFFIXES:
        raise click.UsageError(f"--out wants a file that ends in {' or '.join(SUFFIXES)}, not {out!r}")
    return to_write(out, "--out")


def journal_of(target: Path) -> Path:
    """Where the games that have ended are kept."""
    return target.with_name(target.name + ".games")


def address_of(executor: str | None, jobs: int) -> str:
    """The address of a cluster; "" for this machine."""
    if executor is None:
        return ""
    kind, colon, address = executor.partition(":")
    if kind != "dask" or not colon or not address:
        raise click.UsageError(f"--executor wants dask:ADDRESS, as dask:tcp://10.0.0.5:8786, not {executor!r}")
    if jobs != 1:
        raise click.UsageError("--jobs is for processes of this machine; leave it out with --executor")
    return address


def as_csv(table: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue()


@contextlib.contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """What to call as games end; draws a bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    with click.progressbar(length=games, label="games", file=sys.stderr, show_pos=True) as bar:
        drawn = 0.0

        def tell(done: int) -> None:
            nonlocal drawn
            now = time.monotonic()
            if now - drawn > TICK or done == games:
                drawn = now
                bar.update(done - bar.pos)

        yield tell


# ---------------------------------------------------------------- the story told on the screen


def story(game: Game, plan: Plan, result: dict[str, Any], played: list[Played]) -> list[str]:
    """The lines that the screen shows of a run."""
    from ..lines import columns, so_many
    from ..report import escape
    from ..tally import scores_by

    ended = [one for one in played if not one.error]
    who = plan.players if isinstance(plan.players, int) else ", ".join(plan.players)
    bots = sorted(set(plan.bots))
    lines = [
        f"{game.name}: {so_many(len(played), 'game')} from seed {plan.seed}, "
        f"players {who}, bots {', '.join(plan.bots if len(bots) > 1 else bots)}",
        "",
        "outcomes    " + (", ".join(f"{word} {n}" for word, n in result["outcomes"].items()) or "none"),
    ]
    length = result["length"]
    span = f"{length['min']} to {length['max']}"
    lines += [f"decisions   {length['mean']:.1f} a game, {span}, forced ones not counted", ""]
    table = [["", "games", "wins", "share", "95 % interval", "mean score", "95 % interval"]]
    for ident, entry in result["factions"].items():
        table.append([game.names.get(ident, ident), *tally_cells(entry), *score_cells(scores_by(ended, ident))])
    for seat, entry in enumerate(result["seats"]):
        table.append([f"player {seat + 1}", *tally_cells(entry), *score_cells(scores_by(ended, seat=seat))])
    if all(not row[5] for row in table[1:]):
        table = [row[:5] for row in table]
    lines += columns(table, right=1, indent="")
    if result["decisions"]:
        lines.append("")
        counts = [["decision", "count", "forced"]]
        by_count = sorted(result["decisions"].items(), key=lambda item: (-item[1]["count"], item[0]))
        counts += [[prompt, str(e["count"]), str(e["forced"])] for prompt, e in by_count]
        lines += columns(counts, right=1, indent="")
    unused = result["never_used"]
    if unused:
        shown = ", ".join(game.names.get(ident, ident) for ident in unused[:MOST_NAMES])
        more = f" and {len(unused) - MOST_NAMES} more" if len(unused) > MOST_NAMES else ""
        lines += ["", f"never used  {len(unused)}: {shown}{more}"]
    for error in result["errors"]:
        lines += ["", f"failed      seed {error['seed']}, after {error['decisions']} decisions: {error['error']}"]
    return [escape(line) for line in lines]


def tally_cells(entry: dict[str, Any]) -> list[str]:
    percent = [f"{100 * entry[key]:.1f} %" for key in ("share", "low", "high")]
    return [str(entry["games"]), str(entry["wins"]), percent[0], f"{percent[1]} to {percent[2]}"]


def score_cells(scores: list[int]) -> list[str]:
    from ..tally import mean_interval

    if not scores:
        return ["", ""]
    mean, low, high = mean_interval(scores)
    return [f"{mean:.2f}", f"{low:.2f} to {high:.2f}"]
