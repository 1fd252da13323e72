"""chance: in, a hand with cards alike from which things are taken at random; asserted, that chance asked offers each sort
of card once, as likely as there are cards of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter import CHANCE, State, load_game

BAZAAR = Path(__file__).parent / "rules" / "games" / "bazaar"
SETUP = """setup: |
  Place each Bead in the Hand of player 2.
  Place the Lamp in the Hand of player 2.
  Choose {} at random.
  For each of them, move it to the Stall of player 1.
"""


def begun(folder: Path, what: str) -> State:
    shutil.copytree(BAZAAR, folder)
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    head, _, rest = text.partition("setup: |\n")
    (folder / "game.yaml").write_text(
        head + SETUP.format(what) + "\nturn:" + rest.partition("\nturn:")[2], encoding="utf-8"
    )
    return load_game(str(folder)).new(players=2, chance="explicit")


def offered(state: State) -> dict[str, float | None]:
    assert state.decision is not None and state.decision.player == CHANCE
    return {option.label: option.probability for option in state.decision.options}


def test_cards_alike_are_one_option(tmp_path: Path):
    state = begun(tmp_path / "two", "2 Wares in the Hand of player 2")
    assert offered(state) == pytest.approx({"Bead": 3 / 4, "Lamp": 1 / 4})
    state.apply(next(option for option in state.decision.options if option.label == "Bead"))
    assert offered(state) == pytest.approx({"Bead": 2 / 3, "Lamp": 1 / 3})
    state.apply(next(option for option in state.decision.options if option.label == "Lamp"))
    assert sorted(state.view(1)["players"][0]["zones"]["Stall"]) == ["Bead", "Lamp"]
