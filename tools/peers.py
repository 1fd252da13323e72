"""peers: in, names of games; out, random games a second of ours and of other people's engines, measured in turn.

Each contender plays whole random games of the same game in processor time; a round measures all of them once, and each
figure is the median of five rounds. What is not installed is not measured, and said. A position that ours has met twice it
looks up (interpreter/graph.py), as it does for everyone who plays many games in one process; how fast it runs when it may
not is a row of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from hand_loops import LOOPS

from interpreter import load_game
from interpreter.game import Game
from interpreter.graph import Graph

ROUNDS = 5
GAMES = (
    "tic_tac_toe",
    "connect_four",
    "mancala",
    "breakthrough",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "othello",
    "oware",
    "nim",
    "pig",
    "bargaining",
    "first_sealed_auction",
    "crazy_eights",
    "go_fish",
    "hearts",
)
SEATS = {"crazy_eights": 5}  # where others play with more than the least
NODE = Path(__file__).with_name("boardgame_io.js")

Run = Callable[[int], object]  # plays so many games


def peers(names: tuple[str, ...], seconds: float, package: str | None) -> None:
    """Print a table for each game: its contenders with games a second and how many times that we play."""
    for name in names:
        runs, missing = contenders(name, package)
        rates = measured(runs, seconds)
        ours = {way: rates[f"ours, {way}"] for way in ("playout()", "actions and apply")}
        wide = max(map(len, rates))
        print(f"\n{name}: random games a second, median of {ROUNDS}; and how many times that is ours")
        print(f"  {'':<{wide}}  {'games/s':>10}  {'playout()':>10}  {'apply':>10}")
        for who, rate in rates.items():
            shares = "".join(f"  {own / rate:>10.2f}" for own in ours.values())
            print(f"  {who:<{wide}}  {rate:>10,.0f}{shares}")
        for line in missing:
            print(f"  not measured: {line}")


def measured(runs: dict[str, Run], seconds: float) -> dict[str, float]:
    """Games a second by contender, all of them in each round."""
    count = {who: games_for(run, seconds) for who, run in runs.items()}
    rates: dict[str, list[float]] = {who: [] for who in runs}
    for _ in range(ROUNDS):
        for who, run in runs.items():
            rates[who].append(count[who] / seconds_of(run, count[who]))
    return {who: statistics.median(found) for who, found in rates.items()}


def seconds_of(run: Run, games: int) -> float:
    """The processor time of so many games: what the run says itself (another process), else this process's."""
    start = time.process_time()
    told = run(games)
    return told if isinstance(told, float) else time.process_time() - start


def games_for(run: Run, seconds: float) -> int:
    games = 1
    while True:
        took = seconds_of(run, games)
        if took > seconds / 4:
            return max(1, int(games * seconds / took))
        games *= 4


# ---------------------------------------------------------------- who takes part


def contenders(name: str, package: str | None) -> tuple[dict[str, Run], list[str]]:
    """(contender → how it plays so many games, what is missing and why)."""
    runs: dict[str, Run] = {**ours(name)}
    missing: list[str] = []
    if name in LOOPS:
        runs["a loop by hand, Python"] = lambda games: LOOPS[name](games, 1)
    else:
        missing.append("a loop by hand: there is none for this game")
    for title, make in (
        ("OpenSpiel, C++ from Python", lambda: spiel(name)),
        ("OpenSpiel, Python", lambda: python_spiel(name)),
        *(
            (("PettingZoo", pettingzoo), ("boardgame.io, node", lambda: boardgame_io(package)))
            if name == "tic_tac_toe"
            else ()
        ),
        *((("RLCard", rlcard),) if name == "leduc_poker" else ()),
    ):
        try:
            runs[title] = make()
        except Missing as why:
            if str(why):
                missing.append(f"{title}: {why}")
    return runs, missing


class Missing(Exception):
    """A contender that is not there, and why; without a text, one that has no such game."""


def ours(name: str) -> dict[str, Run]:
    game = load_game(name)
    seats = SEATS.get(name, game.players[0])
    run_only = Game(game.program)
    run_only.graph = Graph(room=0)

    def playouts(games: int, game: Game = game) -> None:
        for seed in range(games):
            game.new(seats, seed=seed, log=False).playout(seed)

    def steps(games: int) -> None:
        random = Random(1).random
        for seed in range(games):
            state = game.new(seats, seed=seed, log=False)
            while not state.over:
                actions = state.actions
                state.apply(actions[int(random() * len(actions))])

    return {
        "ours, playout()": playouts,
        "ours, actions and apply": steps,
        "ours, nothing looked up": lambda games: playouts(games, run_only),
    }


def spiel(name: str) -> Run:
    try:
        import pyspiel
    except ImportError:
        raise Missing("open-spiel is not installed") from None
    if name not in pyspiel.registered_names():
        raise Missing("")
    return walks(pyspiel.load_game(name))


def python_spiel(name: str) -> Run:
    try:
        import pyspiel
        from open_spiel.python.games import kuhn_poker, tic_tac_toe  # noqa: F401  (they register themselves)
    except ImportError:
        raise Missing("open-spiel is not installed") from None
    if f"python_{name}" not in pyspiel.registered_names():
        raise Missing("")
    return walks(pyspiel.load_game(f"python_{name}"))


def walks(game: Any) -> Run:
    """Random games of OpenSpiel's, driven from Python."""

    def run(games: int) -> None:
        random = Random(1).random
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(drawn(state.chance_outcomes(), random()))
                    continue
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])

    return run


def drawn(outcomes: list[tuple[int, float]], rest: float) -> int:
    """The outcome at this part, from 0 to 1, of all that chance may do."""
    for action, share in outcomes:
        rest -= share
        if rest < 0:
            return action
    return outcomes[-1][0]


def pettingzoo() -> Run:
    try:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        from pettingzoo.classic import tictactoe_v3

        env = tictactoe_v3.raw_env()
    except Exception as why:  # a peer's own trouble, whatever it is, is told and not ours
        raise Missing(f"pettingzoo[classic] cannot be used ({why})") from None

    def run(games: int) -> None:
        random = Random(1).random
        for seed in range(games):
            env.reset(seed=seed)
            for _agent in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                legal = [i for i, free in enumerate(seen["action_mask"]) if free]
                env.step(legal[int(random() * len(legal))])

    return run


def rlcard() -> Run:
    try:
        import rlcard as cards

        env = cards.make("leduc-holdem", config={"seed": 1})
    except Exception as why:  # as above
        raise Missing(f"rlcard cannot be used ({why})") from None

    def run(games: int) -> None:
        random = Random(1).random
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(random() * len(legal))])

    return run


def boardgame_io(package: str | None) -> Run:
    node = shutil.which("node")
    if node is None:
        raise Missing("there is no node")
    folder = package or installed()

    def run(games: int) -> float:
        done = subprocess.run(
            [node, str(NODE), str(games)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "NODE_PATH": str(Path(folder) / "node_modules")},
        )
        if done.returncode:
            raise Missing(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "node failed")
        return float(json.loads(done.stdout)["seconds"])

    run(1)
    return run


def installed() -> str:
    """A folder with boardgame.io in it, put there by npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("there is no npm; name a folder that has boardgame.io with --boardgame-io")
    folder = tempfile.mkdtemp(prefix="cardscript-peers-")
    command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", folder, "boardgame.io@0.50"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        raise Missing("npm took too long") from None
    if done.returncode:
        raise Missing("npm cannot install boardgame.io")
    return folder


def main(names: list[str], seconds: float, package: str | None) -> int:
    unknown = [name for name in names if name not in GAMES]
    if unknown:
        print(f"no peers are known for {', '.join(unknown)}; there are {', '.join(GAMES)}", file=sys.stderr)
        return 2
    peers(tuple(names) or GAMES, seconds, package)
    return 0
