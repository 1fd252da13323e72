"""laws: in, every installed game and those of tests/laws/games, for every number of players; asserted, all laws.

Every decision of 2 games and every 25th of 20 more is checked by all laws, and hypothesis looks for games that break
one, always the same ones. `tools/soak` does the same for thousands of games. What a law does at one state is bounded
where it would go on to the end of the game: see laws.py. A game of five, of 1,100 decisions, takes half a minute; the
largest game's four numbers of players take about six minutes of one processor, half as long on two.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter import ContentError, Game, load_game
from interpreter.data import list_games
from tests.laws import play as walks

FEW, MANY, EVERY = 2, 20, 25
EXAMPLES = 6  # games of hypothesis for each number of players
ROOT = Path(__file__).resolve().parent.parent.parent
REFERENCE = {game.name for game in list_games() if game.reference}


@cache
def loaded(name: str) -> Game | None:
    """None for a game that is still being written."""
    try:
        return load_game(name)
    except ContentError:
        if name in REFERENCE or "/" in name:
            raise
        return None


def tables() -> list[tuple[str, int]]:
    """(game, players). A game that does not load is listed, with 0 players, and skipped where it can be seen."""
    found = []
    for name in walks.names():
        try:
            game = loaded(name)
        except ContentError:
            game = None
        found += [(name, n) for n in walks.counts(game)] if game else [(name, 0)]
    return found


def table(name: str) -> Game:
    game = loaded(name)
    if game is None:
        pytest.skip(f"{name} does not load: see `cardscript check`")
    return game


TABLES = tables()
ALL = pytest.mark.parametrize("name, players", TABLES, ids=[f"{Path(n).name}-{p}" for n, p in TABLES])


@ALL
@pytest.mark.parametrize("seed", range(FEW))
def test_every_decision_of_a_few_games(name: str, players: int, seed: int) -> None:
    game = table(name)
    record = walks.play(game, players, seed)
    assert record.checked == len(record.digests) == len(record.answers) + 1
    for law in walks.WHOLE.values():
        law(game, record)


@ALL
def test_some_decisions_of_many_games(name: str, players: int) -> None:
    game = table(name)
    for seed in range(FEW, FEW + MANY):
        record = walks.play(game, players, seed, every=EVERY)
        assert record.checked > len(record.answers) // EVERY
        # The whole game again is dear as well: one law a game, each law in many games.
        list(walks.WHOLE.values())[seed % len(walks.WHOLE)](game, record)


@ALL
def test_games_that_hypothesis_thinks_of(name: str, players: int) -> None:
    game = table(name)

    @settings(
        max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(seed=st.integers(0, 2**63), choices=st.lists(st.integers(0, 99), min_size=1, max_size=40))
    def look(seed: int, choices: list[int]) -> None:
        left = iter(choices * 1_000)
        walks.play(game, players, seed, every=EVERY, pick=lambda n: next(left, 0) % n)

    look()


@ALL
def test_games_do_not_go_on_without_end(name: str, players: int) -> None:
    game = table(name)
    for seed in range(50):
        s = game.new(players, seed=seed, log=False)
        s.playout(seed)
        assert s.over and s.outcome != "endless"


def test_cards_alike_in_a_deck_are_one_option_of_chance() -> None:
    decision = load_game((walks.OWN / "fair").as_posix()).new(2, chance="explicit").decision
    assert decision is not None
    shares = {option.label: option.probability for option in decision.options}
    assert shares["Bead"] == pytest.approx(4 / 14) and shares["Lens"] == pytest.approx(2 / 14)
    assert len(shares) == 9 and sum(p or 0 for p in shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", walks.names(), ids=lambda name: Path(name).name)
def test_another_hash_seed_makes_no_difference(name: str) -> None:
    table(name)
    said = {transcript_of(name, seed) for seed in ("1", "4242")}
    assert len(said) == 1 and said != {""}


def transcript_of(name: str, hash_seed: str, before: str = "") -> str:
    """What another process tells of the same games under a hash seed. before: Python that it runs first."""
    code = f"{before}\nfrom tests.laws.play import transcript\nprint(*transcript({name!r}, 1), sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "CARDSCRIPT_CACHE": ""},
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    return run.stdout
