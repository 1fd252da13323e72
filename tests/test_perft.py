"""perft: in, tests/golden/perft.txt and the installed games; asserted, that each has as many ways to go on for so many
answers as it says there, and, where a whole tree is as deep, or the first moves are the same, as many as OpenSpiel's.

CARDSCRIPT_GOLDEN=write writes the file again.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load_game
from interpreter.data import list_games

GOLDEN = Path(__file__).with_name("golden") / "perft.txt"
ENOUGH = 2_000  # a count above it is the last one that is kept
DEEPEST = 12
HEAD = "# game, players, then the number of leaves at depths 0, 1, 2 …: chance and forced decisions are answers too.\n"

Row = tuple[int, tuple[int, ...]]


@cache
def ours(name: str) -> Game:
    return load_game(name)


def players_of(name: str) -> int:
    """As many as OpenSpiel's game has; else two."""
    known = any(game.name == name and game.reference for game in list_games())
    return int(import_module(f"tests.reference_maps.{name}").MEANING.players) if known else 2


def counted(name: str) -> Row:
    """As deep as there are few leaves."""
    players = players_of(name)
    counts: list[int] = []
    for depth in range(DEEPEST + 1):
        counts.append(ours(name).perft(depth, players))
        if counts[-1] > ENOUGH:
            break
    return players, tuple(counts)


def written(rows: dict[str, Row]) -> str:
    return HEAD + "".join(
        f"{name} {players}: {' '.join(map(str, counts))}\n" for name, (players, counts) in rows.items()
    )


@cache
def golden() -> dict[str, Row]:
    if os.environ.get("CARDSCRIPT_GOLDEN") == "write":
        GOLDEN.write_text(written({game.name: counted(game.name) for game in list_games()}), encoding="utf-8")
    rows: dict[str, Row] = {}
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            head, _, counts = line.partition(": ")
            name, players = head.split()
            rows[name] = int(players), tuple(map(int, counts.split()))
    return rows


def leaves(state: Any, depth: int) -> int:
    """OpenSpiel's, counted as ours; who choose at once answer one after the other."""
    if depth == 0 or state.is_terminal():
        return 1
    return sum(leaves(state.child(action), depth - 1) for action in state.legal_actions())


def test_every_game_is_counted() -> None:
    assert set(golden()) >= {game.name for game in list_games()}


@pytest.mark.parametrize("name", [game.name for game in list_games()])
def test_as_many_ways_to_go_on_as_are_kept(name: str) -> None:
    players, counts = golden()[name]
    assert tuple(ours(name).perft(depth, players) for depth in range(len(counts))) == counts


@pytest.mark.parametrize("name", [game.name for game in list_games() if game.reference])
def test_openspiel_counts_as_many(name: str) -> None:
    """Where its moves are made one at a time: of games in which all choose at once, ours asks one after the other."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(name)
    players, counts = golden()[name]
    if theirs.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        pytest.skip("all choose at once")
    assert players == theirs.num_players()
    for depth, count in enumerate(counts):
        assert leaves(theirs.new_initial_state(), depth) == count, depth
