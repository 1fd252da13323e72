"""view: in, a table with numbers that are one for each player and hidden; asserted, that a seat sees its own alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter import State, load_game

BAZAAR = Path(__file__).parent / "rules" / "games" / "bazaar"


def tastes(state: State, seat: int) -> dict[str, Any]:
    return {thing["name"]: thing["counters"].get("Taste") for thing in state.view(seat)["things"]}


def test_a_hidden_number_for_each_player_is_seen_by_that_player():
    state = load_game(str(BAZAAR)).new(players=2)
    assert tastes(state, 0) == {"Sun": {"player 1": 4}}
    assert tastes(state, 1) == {"Sun": {"player 2": 5}, "Moon": {"player 2": 6}}
    assert not any("Taste" in entry["text"] for seat in (0, 1) for entry in state.log(seat))


DEN = """\
language: 1
name: Den
version: 1.0.0
description: Invented for the tests of views; a card is dealt, named in secret, and a lamp is turned.
players: 2
kinds:
  - kind: Lamp
    fields:
      Colour: {type: Hue, settable: true}
      Height: {type: number, settable: true}
  - kind: Hue
  - kind: Mask
    card: true
    deck: Chest
    hand: Hand
zones:
  - {zone: Chest, deck: true, holds: [Mask]}
  - {zone: Hand, of: player, holds: [Mask], seen by: owner}
titles:
  - {title: Favour, of: Mask}
  - {title: Host, of: player}
setup: |
  Shuffle each Mask into the Chest.
  For each player, that player draws 1 Mask.
turn:
  - step: Evening
    text: |
      Choose one: hide; or shine.
phrases:
  - phrase: hide
    text: |
      Let face be the Mask in your Hand.
      Face becomes the Favour.
  - phrase: shine
    text: |
      You become the Host.
      Set the Colour of the Big Lamp to the Red Hue.
      Set the Height of the Big Lamp to 3.
"""
DEN_RECORDS = """\
lamps:
  - {name: Big Lamp, height: 1}
  - {name: Small Lamp, height: 2}
hues:
  - {name: Red Hue}
  - {name: Blue Hue}
masks:
  - {name: Fox}
  - {name: Owl}
"""


def test_titles_and_what_texts_have_set_are_seen_by_whoever_may_know_them(tmp_path: Path):
    (tmp_path / "game.yaml").write_text(DEN, encoding="utf-8")
    (tmp_path / "records.yaml").write_text(DEN_RECORDS, encoding="utf-8")
    state = load_game(str(tmp_path)).new(seed=3)
    assert [state.view(seat)["titles"] for seat in (0, 1)] == [{}, {}]
    assert state.view(0)["things"] == []
    hide, shine = state.decision.options
    state.apply(hide)
    mine = state.view(0)["players"][0]["zones"]["Hand"][0]
    assert [state.view(seat)["titles"] for seat in (0, 1)] == [{"Favour": mine}, {"Favour": None}]
    state.apply(shine)
    assert state.view(1)["titles"] == {"Favour": None, "Host": "player 2"}
    for seat in (0, 1):
        (lamp,) = state.view(seat)["things"]
        assert (lamp["name"], lamp["fields"]) == ("Big Lamp", {"Colour": "Red Hue", "Height": 3})


def test_the_share_that_is_offered_is_seen():
    state = load_game("bargaining").new(seed=1)
    offer = state.decision.options[0]
    state.apply(offer)
    assert [state.view(seat)["titles"] for seat in (0, 1)] == [{"Proposal": offer.label.removeprefix("Offer ")}] * 2
