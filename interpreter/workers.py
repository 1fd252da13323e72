"""workers: a plan and the numbers of its games → the games, played by several processes here or by a cluster's workers.

Whoever dies is replaced and its games are played again: nothing is lost and nothing counted twice.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Generator
from multiprocessing.connection import Connection, wait
from typing import Any

from interpreter.game import Game
from interpreter.simulate import Plan, Played, Player
from interpreter.watch import Watch

CHUNK = 64  # most games that a process is handed at once
TRIES = 3  # times that a run of games may be with a process that dies

Span = tuple[int, int]  # numbers of games: the first, one past the last


def chunks_of(left: list[Span], workers: int) -> deque[Span]:
    """The games that are left, in runs small enough that all have work to the end."""
    games = sum(last - first for first, last in left)
    size = max(1, min(CHUNK, games // (workers * 8)))
    return deque((at, min(at + size, last)) for first, last in left for at in range(first, last, size))


# ---------------------------------------------------------------- processes of this machine


def several_processes(game: Game, plan: Plan, left: list[Span], jobs: int) -> Generator[Played, None, None]:
    """Processes get runs of games as they become free; each is pinned to a processor of its own, where that can be."""
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    chunks = chunks_of(left, jobs)
    tries: dict[Span, int] = {}
    workers: dict[Any, tuple[Any, int]] = {}
    doing: dict[Any, Span] = {}
    try:
        for job in range(jobs):
            hire(game, plan, processors[job % len(processors)] if processors else -1, workers, chunks, doing)
        while doing:
            ready: Any
            for ready in wait(list(doing)):
                try:
                    results = ready.recv()
                except (EOFError, OSError):
                    chunk = doing.pop(ready)
                    process, processor = workers.pop(ready)
                    process.join()
                    ready.close()
                    tries[chunk] = tries.get(chunk, 0) + 1
                    if tries[chunk] == TRIES:
                        seeds = f"seeds {plan.seed + chunk[0]} to {plan.seed + chunk[1] - 1}"
                        raise RuntimeError(f"a process died {TRIES} times while it played {seeds}") from None
                    chunks.appendleft(chunk)
                    hire(game, plan, processor, workers, chunks, doing)
                    continue
                hand_out(ready, chunks, doing)
                yield from results
    finally:
        for process, _ in workers.values():
            process.terminate()
        for connection, (process, _) in workers.items():
            process.join()
            connection.close()


def hire(
    game: Game, plan: Plan, processor: int, workers: dict[Any, Any], chunks: deque[Span], doing: dict[Any, Span]
) -> None:
    """Start a process, and give it its first run of games."""
    method = "fork" if sys.platform == "linux" else "spawn"
    context: Any = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    inherited = game if method == "fork" else None
    process = context.Process(target=work, args=(inherited, plan, theirs, processor), daemon=True)
    process.start()
    theirs.close()
    workers[ours] = process, processor
    hand_out(ours, chunks, doing)


def hand_out(connection: Any, chunks: deque[Span], doing: dict[Any, Span]) -> None:
    """Send a process its next run of games, or the word that there is none."""
    doing.pop(connection, None)
    chunk = chunks.popleft() if chunks else None
    if chunk is not None:
        doing[connection] = chunk
    try:
        connection.send(chunk)
    except OSError:
        pass  # it has died: that is seen where its answer is awaited


def work(game: Game | None, plan: Plan, connection: Connection, processor: int) -> None:
    """What a process does: play the runs of games that it is sent. Ctrl-C is its parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if processor >= 0:
        try:
            os.sched_setaffinity(0, {processor})
        except OSError:
            pass  # a sandbox may forbid it
    if game is None:
        game = game_of(plan)
    with Watch(game) as watch:
        player = Player(game, plan, watch)
        while True:
            try:
                chunk = connection.recv()
                if chunk is None:
                    return
                connection.send([player.play(number) for number in range(*chunk)])
            except (EOFError, OSError):
                return  # who asked has gone


# ---------------------------------------------------------------- the workers of a cluster

LOADED: dict[tuple[str, tuple[str, ...]], Game] = {}  # what this process has loaded: a worker keeps its games


def game_of(plan: Plan) -> Game:
    key = plan.game, plan.mods
    if key not in LOADED:
        from interpreter import load_game

        LOADED[key] = load_game(plan.game, list(plan.mods))
    return LOADED[key]


def play_span(plan: Plan, first: int, last: int) -> tuple[str, list[Played]]:
    """What a worker of a cluster does: (digest of the game that it has, the games of this run)."""
    game = game_of(plan)
    with Watch(game) as watch:
        player = Player(game, plan, watch)
        return game.digest, [player.play(number) for number in range(first, last)]


def on_cluster(game: Game, plan: Plan, left: list[Span], address: str) -> Generator[Played, None, None]:
    """The workers of an existing Dask cluster play; Dask gives the games of a worker that dies to others. Raises
    RuntimeError where it cannot be reached, its workers have other content, or a run of games fails there."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise RuntimeError("--executor dask:… needs the package distributed: pip install 'cardscript[dask]'") from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as fault:
        raise RuntimeError(f"there is no Dask cluster at {address}: {fault}") from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"]) or 1
        futures = [
            client.submit(play_span, plan, first, last, pure=False, retries=TRIES)
            for first, last in chunks_of(left, workers)
        ]
        try:
            for future in as_completed(futures):
                try:
                    digest, results = future.result()
                except Exception as fault:  # whatever went wrong over there, and how it reached us
                    raise RuntimeError(f"a worker of the cluster failed: {type(fault).__name__}: {fault}") from None
                if digest != game.digest:
                    raise RuntimeError("the cluster's workers have other content or another version of cardscript")
                yield from results
        finally:
            client.cancel(futures)
