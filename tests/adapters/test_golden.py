"""golden: in, a playthrough of every installed game as OpenSpiel writes them down (tests/golden/playthroughs); asserted,
that played again it reads the same. CARDSCRIPT_GOLDEN=write writes them anew: look at what git says has changed.

Lines that are long are kept by their beginning and a digest, so that the files stay small. A file names the content that
it was played with: of a game that is still being written, and has changed since, it can say nothing and is passed over.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from pathlib import Path

import pytest

from interpreter.data import list_games
from tests.adapters.tables import DEALT, NAMES, registered, spiel

pytest.importorskip("pyspiel")
generate_playthrough = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")

HOME = Path(__file__).resolve().parent.parent / "golden" / "playthroughs"
WRITE = os.environ.get("CARDSCRIPT_GOLDEN") == "write"
WIDTH = 160
ANSWERS = 20
WRITTEN = [game.name for game in list_games() if not game.reference]  # still being written
DIGEST = re.compile(r"^(# \d+: .*) \[[0-9a-f]{32}\]$")  # of a state: of how the engine keeps it


def squeezed(line: str) -> str:
    line = DIGEST.sub(r"\1", line)
    if len(line) <= WIDTH:
        return line
    return f"{line[: WIDTH // 2]} … {len(line)} characters, {blake2b(line.encode(), digest_size=8).hexdigest()}"


def playthrough(name: str, answers: list[int | list[int]]) -> str:
    """A game of this name, by these answers and then at random."""
    game = f"{registered(name)}(horizon={ANSWERS + DEALT.get(name, 0)})"
    lines = generate_playthrough.playthrough_lines(game, action_sequence=list(answers), seed=20)
    head = f"content: {spiel(name).game.digest}"
    return "\n".join([head, *(squeezed(line) for line in lines)]) + "\n"


def answers_of(text: str) -> list[int | list[int]]:
    found: list[int | list[int]] = []
    for line in text.splitlines():
        if line.startswith("action: "):
            found.append(int(line.removeprefix("action: ")))
        elif line.startswith("actions: "):
            found.append([int(action) for action in line.removeprefix("actions: ").strip("[]").split(", ")])
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_reads_the_same(name):
    path = HOME / f"{name}.txt"
    if WRITE:
        HOME.mkdir(parents=True, exist_ok=True)
        path.write_text(playthrough(name, []), encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    if name in WRITTEN and kept.splitlines()[0] != f"content: {spiel(name).game.digest}":
        pytest.skip("its content has changed since; CARDSCRIPT_GOLDEN=write plays it anew")
    now = playthrough(name, answers_of(kept))
    changed = [(old, new) for old, new in zip(kept.splitlines(), now.splitlines()) if old != new]
    assert changed[:3] == [] and now == kept, "is this meant? then write it anew, with CARDSCRIPT_GOLDEN=write"


def test_every_playthrough_is_of_a_game():
    assert sorted(path.stem for path in HOME.iterdir()) == sorted(NAMES)
