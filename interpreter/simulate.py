"""simulate: in, a game and a plan (how many games, who plays, which bots, from which seed); out, how each game went.

Each game depends on the plan and its number alone, and all is counted in the order of those numbers: so nothing depends
on how many processes played. Game i has seed S + i, and seat k in it the faction (i + k) mod n.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.bots import BOTS, stream_of
from interpreter.game import Game, seat_count
from interpreter.labels import thing_of
from interpreter.state import State
from interpreter.watch import Watch

if TYPE_CHECKING:
    from interpreter.journal import Journal

MOST_DECISIONS = 100_000  # a game that is longer is an error of that game


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
    """One game. decisions: prompt → (answers given, answers taken as forced). used: records that its Player had not met
    before."""

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
    count = seat_count(game, players)
    if isinstance(players, int) and not game.factions:
        return players
    factions = list(game.factions if isinstance(players, int) else players)
    return [factions[(number + seat) % len(factions)] for seat in range(count)]


# ---------------------------------------------------------------- one game


class Player:
    """Plays the games of a plan in this process, one after another."""

    def __init__(self, game: Game, plan: Plan, watch: Watch) -> None:
        self.game = game
        self.plan = plan
        self.watch = watch
        self.met: set[str] = set()
        self.record_of: dict[int, str] = {}  # action → record of the thing that it chooses, or ''

    def play(self, number: int) -> Played:
        seed = self.plan.seed + number
        seated = seats_of(self.game, self.plan.players, number)
        factions = () if isinstance(seated, int) else tuple(seated)
        self.watch.performed.update(factions)
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
        new = self.watch.performed - self.met
        self.met |= new
        length = sum(asked.values())
        return Played(number, seed, factions, outcome, winners, scores, length, decisions, tuple(sorted(new)), error)

    def answer(self, state: State, seed: int, asked: dict[str, int]) -> None:
        """Play a state to its end."""
        names = self.plan.bots
        streams = [stream_of(seed, seat) for seat in range(len(names))]
        bots = [BOTS[name] for name in names]
        used = self.watch.performed
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
                used.add(record)
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


def simulate(
    game: Game,
    plan: Plan,
    jobs: int = 1,
    tell: Callable[[int], None] = lambda done: None,
    cluster: str = "",
    journal: Journal | None = None,
) -> Run:
    """All games of a plan, by `jobs` processes, or by the workers of a Dask cluster at this address. tell is called with
    the number of games that have ended. A journal keeps each game as it ends, and gives those that it holds already.
    Raises RuntimeError if what plays dies again and again, or cannot be reached."""
    from interpreter.workers import on_cluster, several_processes

    run = Run()
    if journal is not None:
        run.played = [one for one in journal.open() if one.number < plan.games]
    left = runs_of_numbers(plan.games, {one.number for one in run.played})
    jobs = max(1, min(jobs, plan.games))
    if cluster:
        source = on_cluster(game, plan, left, cluster)
    elif jobs > 1:
        source = several_processes(game, plan, left, jobs)
    else:
        source = one_process(game, plan, left)
    try:
        for played in source:
            if journal is not None:
                journal.keep(played)
            run.played.append(played)
            tell(len(run.played))
    except KeyboardInterrupt:
        run.interrupted = True
    finally:
        source.close()
        if journal is not None:
            journal.close(len(run.played) == plan.games)
    run.played.sort(key=lambda p: p.number)
    return run


def runs_of_numbers(games: int, done: set[int]) -> list[tuple[int, int]]:
    """The numbers of games that are left, as runs (first, one past the last)."""
    out: list[tuple[int, int]] = []
    first = 0
    for number in sorted(n for n in done if n < games):
        if first < number:
            out.append((first, number))
        first = number + 1
    return [*out, (first, games)] if first < games else out


def one_process(game: Game, plan: Plan, left: list[tuple[int, int]]) -> Generator[Played, None, None]:
    with Watch(game) as watch:
        player = Player(game, plan, watch)
        for first, last in left:
            for number in range(first, last):
                yield player.play(number)
