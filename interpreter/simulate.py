"""simulate: in, a game and a plan (how many games, who plays, which bots, from which seed); out, how each game went.

Each game depends on the plan and its number alone, and all is counted in the order of those numbers: so nothing depends
on how many processes played. Game i has seed S + i, and seat k in it the faction (i + k) mod n.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from interpreter.bots import BOTS, stream_of
from interpreter.game import Game
from interpreter.labels import thing_of
from interpreter.state import State

MOST_DECISIONS = 100_000  # a game that is longer is an error of that game
CHUNK = 64  # most games that a process is handed at once


@dataclass(frozen=True, slots=True)
class Plan:
    """game and mods as load_game takes them. players: a number, or ids of factions. bots: a name for each seat. options: of
    the game, where they are not its defaults."""

    game: str
    mods: tuple[str, ...]
    players: int | tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    games: int
    options: dict[str, Any] = field(default_factory=dict)


class Played(NamedTuple):
    """One game. decisions: prompt → (answers given, answers taken as forced). used: records that this process had not
    met before."""

    number: int
    seed: int
    factions: tuple[str, ...]
    outcome: str
    winners: tuple[int, ...]
    scores: tuple[int | None, ...]
    length: int
    decisions: dict[str, tuple[int, int]]
    used: tuple[str, ...]
    error: str


@dataclass(slots=True)
class Run:
    """The games that ended, by number, and whether Ctrl-C came before the last."""

    played: list[Played] = field(default_factory=list)
    interrupted: bool = False


def seats_of(game: Game, players: int | tuple[str, ...], number: int) -> int | list[str]:
    """Who sits in game `number`: ids of factions by seat, or a number of players where there are no factions. Raises
    ValueError for players that the game does not allow."""
    least, most = game.players
    count = players if isinstance(players, int) else len(players)
    if not least <= count <= most:
        span = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"{game.name} is for {span} players, not {count}")
    if isinstance(players, int):
        factions = list(game.factions)
        if not factions:
            return players
        if len(factions) < players:
            raise ValueError(f"{game.name} has {len(factions)} factions in play, for {players} players")
    else:
        factions = list(players)
        for ident in factions:
            if ident not in game.factions:
                known = ", ".join(game.factions) or "none"
                raise ValueError(f'no faction of {game.name} has the id "{ident}"; there are: {known}')
        if len(set(factions)) < count:
            raise ValueError("a faction can be played by one player only")
    return [factions[(number + seat) % len(factions)] for seat in range(count)]


# ---------------------------------------------------------------- one game


class Usage:
    """Which records' texts were performed, learned from the first call of each block; a block is put back then."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.fresh: set[str] = set()
        self.kept: dict[int, Callable[[Any, int], int]] = {}

    def __enter__(self) -> Usage:
        program = self.game.program
        for number, origin in enumerate(program.origins):
            if origin in program.model.records and number < len(program.blocks):
                self.kept[number] = program.blocks[number]
                self.put(number, self.watch(number, origin))
        return self

    def __exit__(self, *_: object) -> None:
        for number, block in self.kept.items():
            self.put(number, block)

    def put(self, number: int, block: Callable[[Any, int], int]) -> None:
        program = self.game.program
        program.blocks[number] = block
        if f"b{number}" in program.globals:
            program.globals[f"b{number}"] = block

    def watch(self, number: int, origin: str) -> Callable[[Any, int], int]:
        original = self.kept[number]

        def first_call(s: Any, c: int) -> int:
            self.put(number, original)
            self.fresh.add(origin)
            return original(s, c)

        return first_call


class Player:
    """Plays the games of a plan in this process, one after another."""

    def __init__(self, game: Game, plan: Plan, usage: Usage) -> None:
        self.game = game
        self.plan = plan
        self.usage = usage
        self.met: set[str] = set()
        self.record_of: dict[int, str] = {}  # action → record of the thing that it chooses, or ''

    def play(self, number: int) -> Played:
        seed = self.plan.seed + number
        seated = seats_of(self.game, self.plan.players, number)
        factions = () if isinstance(seated, int) else tuple(seated)
        self.usage.fresh.update(factions)
        asked: dict[str, int] = {}
        error, state = "", None
        try:
            state = self.game.new(seated, seed=seed, options=self.plan.options)
            self.answer(state, seed, asked)
            scores, winners, outcome = tuple(state.scores()), tuple(state.winners), state.outcome or ""
        except Exception as fault:
            error = f"{type(fault).__name__}: {fault}"
            scores, winners, outcome = (), (), ""
        decisions = count_forced(state, asked) if state is not None else {}
        new = self.usage.fresh - self.met
        self.met |= new
        length = sum(asked.values())
        return Played(number, seed, factions, outcome, winners, scores, length, decisions, tuple(sorted(new)), error)

    def answer(self, state: State, seed: int, asked: dict[str, int]) -> None:
        """Play a state to its end."""
        names = self.plan.bots
        streams = [stream_of(seed, seat) for seat in range(len(names))]
        bots = [BOTS[name] for name in names]
        fresh = self.usage.fresh
        for _ in range(MOST_DECISIONS):
            decision = state.decision
            if decision is None:
                return
            prompt = decision.prompt
            asked[prompt] = asked.get(prompt, 0) + 1
            action = bots[decision.player](state, decision, streams[decision.player])
            record = self.record_of.get(action)
            if record is None:
                x = thing_of(self.game, action)
                record = self.record_of[action] = self.game.model.record_of[x] if x >= 0 else ""
            if record:
                fresh.add(record)
            state.apply(action)
        if not state.over:
            raise RuntimeError(f"no end after {MOST_DECISIONS} decisions")


def count_forced(state: State, asked: dict[str, int]) -> dict[str, tuple[int, int]]:
    """prompt → (answers given, answers taken as forced), sorted."""
    forced: dict[str, int] = {}
    sites = state.prog.sites
    for entry in state.lg or ():
        if entry[0] == "forced" and entry[3] in sites:
            prompt = sites[entry[3]].prompt
            forced[prompt] = forced.get(prompt, 0) + 1
    return {prompt: (asked.get(prompt, 0), forced.get(prompt, 0)) for prompt in sorted({*asked, *forced})}


# ---------------------------------------------------------------- many games


def simulate(game: Game, plan: Plan, jobs: int = 1, tell: Callable[[int], None] = lambda done: None) -> Run:
    """All games of a plan, by `jobs` processes. tell is called with the number of games that have ended. Raises
    RuntimeError if a process dies."""
    run = Run()
    jobs = max(1, min(jobs, plan.games))
    source = one_process(game, plan) if jobs == 1 else several_processes(game, plan, jobs)
    try:
        for played in source:
            run.played.append(played)
            tell(len(run.played))
    except KeyboardInterrupt:
        run.interrupted = True
    finally:
        source.close()
    run.played.sort(key=lambda p: p.number)
    return run


def one_process(game: Game, plan: Plan) -> Generator[Played, None, None]:
    with Usage(game) as usage:
        player = Player(game, plan, usage)
        for number in range(plan.games):
            yield player.play(number)


def several_processes(game: Game, plan: Plan, jobs: int) -> Generator[Played, None, None]:
    """Processes get runs of games as they become free; each is pinned to a processor of its own, where that can be."""
    method = "fork" if sys.platform == "linux" else "spawn"
    context: Any = multiprocessing.get_context(method)
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    size = max(1, min(CHUNK, plan.games // (jobs * 8)))
    chunks = iter([(start, min(start + size, plan.games)) for start in range(0, plan.games, size)])
    workers: dict[Any, Any] = {}
    doing: dict[Any, tuple[int, int]] = {}
    try:
        for job in range(jobs):
            ours, theirs = context.Pipe()
            processor = processors[job % len(processors)] if processors else -1
            process = context.Process(
                target=work, args=(game if method == "fork" else None, plan, theirs, processor), daemon=True
            )
            process.start()
            theirs.close()
            workers[ours] = process
            hand_out(ours, chunks, doing)
        while doing:
            ready: Any
            for ready in wait(list(doing)):
                try:
                    results = ready.recv()
                except (EOFError, OSError):
                    first, last = doing[ready]
                    seeds = f"seeds {plan.seed + first} to {plan.seed + last - 1}"
                    raise RuntimeError(f"a process died while it played {seeds}") from None
                hand_out(ready, chunks, doing)
                yield from results
    finally:
        for process in workers.values():
            process.terminate()
        for connection, process in workers.items():
            process.join()
            connection.close()


def hand_out(connection: Any, chunks: Iterator[tuple[int, int]], doing: dict[Any, tuple[int, int]]) -> None:
    """Send a process its next run of games, or the word that there is none."""
    doing.pop(connection, None)
    chunk = next(chunks, None)
    connection.send(chunk)
    if chunk is not None:
        doing[connection] = chunk


def work(game: Game | None, plan: Plan, connection: Connection, processor: int) -> None:
    """What a process does: play the runs of games that it is sent. Ctrl-C is its parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if processor >= 0:
        try:
            os.sched_setaffinity(0, {processor})
        except OSError:
            pass  # a sandbox may forbid it
    if game is None:
        from interpreter import load_game

        game = load_game(plan.game, list(plan.mods))
    with Usage(game) as usage:
        player = Player(game, plan, usage)
        while True:
            try:
                chunk = connection.recv()
                if chunk is None:
                    return
                connection.send([player.play(number) for number in range(*chunk)])
            except (EOFError, OSError):
                return  # who asked has gone
