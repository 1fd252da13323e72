"""grids: in, games with faulty grids, and a grid with pieces; asserted, what is said at which word, and how it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load_game
from interpreter.load import load_compiled
from interpreter.table import changes, spellings, table

GARDEN = Path(__file__).parent / "rules" / "games" / "garden"
GAME = """\
language: 1
name: Plots
version: 1.0.0
players: 2
kinds:
  - {kind: Plot, owned: true, fields: {Rank: number}}
  - {kind: Wind, spread: path, fields: {Blow: numbers}}
  - {kind: Tree}
  - {kind: Hedge, fields: {Plots: list of Plot, Pace: number}}
grids:
  - GRID
turn:
  - step: Stroll
    text: Choose a Plot.
"""
WINDS = "winds:\n  - {name: North, blow: [0, 1]}\n"


def told(folder: Path, grid: str, board: str = WINDS) -> list[tuple[int, str, str]]:
    (folder / "game.yaml").write_text(GAME.replace("GRID", grid), encoding="utf-8")
    (folder / "board.yaml").write_text(board, encoding="utf-8")
    return [(f.line, f.code, f.message) for f in load_compiled(str(folder) + "/").findings]


@pytest.mark.parametrize(
    ("grid", "code", "message"),
    [
        ("{grid: Plot, columns: 3, rows: 3, ways: Wind}", "", ""),
        ("{columns: 3, rows: 3}", "missing-field", "a grid wants the kind of its spaces: grid"),
        ("{grid: Plt, columns: 3, rows: 3}", "unknown-name", 'no kind is called "Plt"'),
        ("{grid: Plot, columns: 3}", "bad-value", "a grid wants 1 to 26 columns and at most 1024 spaces in all"),
        (
            "{grid: Plot, columns: 27, rows: 1}",
            "bad-value",
            "a grid wants 1 to 26 columns and at most 1024 spaces in all",
        ),
        (
            "{grid: Plot, columns: 26, rows: 99}",
            "bad-value",
            "a grid wants 1 to 26 columns and at most 1024 spaces in all",
        ),
        ("{grid: Plot, columns: a, rows: 1}", "bad-value", "a number is wanted here"),
        (
            "{grid: Plot, columns: 2, rows: 2, row: Height}",
            "unknown-name",
            'Plot has no field "Height" that is a number',
        ),
        (
            "{grid: Plot, columns: 2, rows: 2, ways: Tree}",
            "missing-field",
            "Tree wants `spread: path` and a field of the type numbers: how far one step goes right and up",
        ),
        (
            "{grid: Plot, columns: 2, rows: 2, ways: Wind, lines: [{line: Hedge, length: 2, spaces: Trees}]}",
            "unknown-name",
            'Hedge has no field "Trees" for the spaces of a line',
        ),
        (
            "{grid: Plot, columns: 2, rows: 2, ways: Wind, lines: [{line: Hegde, length: 2}]}",
            "unknown-name",
            'no kind is called "Hegde"',
        ),
        (
            "{grid: Plot, columns: 2, rows: 2, ways: Wind, lines: [{line: Hedge, length: 2, with: {pase: 1}}]}",
            "bad-value",
            "with wants values for fields of Hedge: pace, plots",
        ),
        (
            "{grid: Plot, columns: 2, rows: 2, ways: Wind, lines: [{line: Hedge, length: 2, along: Nroth}]}",
            "unknown-name",
            'no thing is called "Nroth"',
        ),
        ("{grid: Plot, columns: 2, rows: 2, hexes: true}", "unknown-field", 'a grid has no key "hexes"'),
    ],
)
def test_faults_of_a_grid_are_told_at_their_line(grid: str, code: str, message: str, tmp_path: Path) -> None:
    found = told(tmp_path, grid)
    if not code:
        assert found == []
    else:
        assert (11, code, message) in found


@pytest.mark.parametrize("step", ["[0, 0]", "[1]", "[1, 2, 3]"])
def test_a_way_wants_two_numbers(step: str, tmp_path: Path) -> None:
    grid = "{grid: Plot, columns: 2, rows: 2, ways: Wind}"
    found = told(tmp_path, grid, f"winds:\n  - {{name: North, blow: {step}}}\n")
    assert found == [(2, "bad-value", "blow wants two numbers: how far a step goes right and up")]


def test_a_name_that_a_grid_makes_stands_once(tmp_path: Path) -> None:
    found = told(tmp_path, "{grid: Plot, columns: 2, rows: 2}", "trees:\n  - {name: B2}\n")
    assert [(line, code) for line, code, _ in found] == [(11, "duplicate-name")]
    assert 'the grid makes "B2"' in found[0][2]


def test_a_grid_that_wraps_has_no_edge(tmp_path: Path) -> None:
    board = "winds:\n  - {name: North, blow: [0, 1]}\n  - {name: Aslant, blow: [1, 1]}\n"
    assert told(tmp_path, "{grid: Plot, columns: 3, rows: 2, wraps: true, ways: Wind}", board) == []
    game = load_game(str(tmp_path) + "/")
    ids = {name: i for i, name in enumerate(game.model.names_of)}
    after = {name: game.model.tables["steps"][ids[name]][0] for name in ("North", "Aslant")}
    assert after["North"][ids["A2"]] == ids["A1"]
    walk = [ids["A1"]]
    while (x := after["Aslant"][walk[-1]]) != walk[0]:
        walk.append(x)
    assert [game.model.names_of[x] for x in walk] == ["A1", "B2", "C1", "A2", "B1", "C2"]


def test_a_grid_is_shown_as_a_table() -> None:
    game = load_game(GARDEN)
    state = game.new(seed=1)
    board = state.view(0)["grids"][0]
    assert board["columns"] == ["A", "B", "C", "D"] and [row["name"] for row in board["rows"]] == ["3", "2", "1"]
    assert board["rows"][1]["spaces"] == ["0", "Old Gnome", "0", "0"]
    lines = table(state.view(1), spellings(game))
    at = lines.index("Plot")
    assert lines[at + 1 : at + 5] == [
        "  3  0  0          0  0",
        "  2  0  Old Gnome  0  0",
        "  1  0  0          0  0",
        "     A  B          C  D",
    ]
    assert "Spaces" not in lines and "Marked" not in lines
    before = state.view(0)
    state.apply(next(o for o in state.decision.options if "forward" in o.label))
    told = changes(before, state.view(0), spellings(game))
    assert told[told.index("Plot") + 2] == "  2  0  0  Old Gnome  0"
