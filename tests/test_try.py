"""try: in, games and cards; asserted, that the card is about to count on a table that random play reaches, every time."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from interpreter import cli, load_game
from interpreter.savefile import read_save, replay
from interpreter.trial import Wanted, find_place, state_of, ways
from interpreter.view import phase
from tests.running import run


@pytest.fixture
def hills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert cli.main(["new", "game", "Hills"]) == 0
    capsys.readouterr()
    return "./hills"


def test_the_card_is_in_hand_and_can_be_played_at_once(capsys: pytest.CaptureFixture[str], hills: str) -> None:
    game = load_game(hills)
    for ident in ("small-gift", "toll", "fresh-start"):
        place = find_place(game, Wanted(hills, ident, 2))
        assert place is not None and place.performs and place.off <= 0.35
        state = state_of(place, game)
        decision = state.decision
        assert decision is not None and decision.player == place.seat
        (action,) = ways(game, state, ident)
        assert next(o for o in decision.options if o.action == action).label == game.names[ident]
    code, out, _ = run(capsys, "try", hills, "fresh", "start")
    assert code == 0 and "Fresh Start is about to count, after " in out and "to see it, choose: Fresh Start\n" in out
    assert "Your Hand: " in out and "Play a Card" in out
    assert run(capsys, "try", hills, "Fresh Start")[1] == out, "the same table every time"
    assert run(capsys, "try", hills, "Fresh Start", "--seed", "5")[1] != out


def test_it_is_played_at_once(capsys: pytest.CaptureFixture[str], hills: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Toll\nlog\nquit\n"))
    code, out, _ = run(capsys, "try", hills, "Toll", "--save", "mine.json", "--players", "3")
    assert code == 0 and "plays Toll" in out and "saved to mine.json" in out
    save, game = read_save("mine.json"), load_game(hills)
    assert replay(save, game).view(0)["players"] and save.seats.count("person") == 1


def test_its_trigger_is_about_to_happen(hills: str) -> None:
    Path("hills/spirits.yaml").write_text(
        "kinds:\n  - kind: Ghost\n    fields:\n      Text: text\n"
        "ghosts:\n  - name: Pale Ghost\n    text: When a player gains Points, that player draws 1 Card.\n",
        encoding="utf-8",
    )
    game = load_game(hills)
    place = find_place(game, Wanted(hills, "pale-ghost", 2))
    assert place is not None and place.performs
    assert ways(game, state_of(place, game), "pale-ghost")


def test_only_in_a_step(capsys: pytest.CaptureFixture[str], hills: str) -> None:
    game_file = Path("hills/game.yaml")
    more = "  - step: Rest\n    text: |\n      You may discard a Card in your Hand.\n"
    game_file.write_text(
        game_file.read_text(encoding="utf-8").replace("scores:\n", more + "scores:\n"), encoding="utf-8"
    )
    game = load_game(hills)
    place = find_place(game, Wanted(hills, "toll", 2, step="Rest"))
    assert place is not None and phase(state_of(place, game)) == "Rest"
    assert run(capsys, "try", hills, "Toll", "--at", "rest")[0] == 0
    code, _, err = run(capsys, "try", hills, "Toll", "--at", "Rset")
    assert code == 2 and 'did you mean "Rest"?' in err


def test_a_faction_sits_at_the_table_for_its_own_cards(capsys: pytest.CaptureFixture[str]) -> None:
    from interpreter.commands.try_ import seats_with

    game = load_game("clandestine")
    ident, record = next((i, r) for i, r in game.model.records.items() if r.faction)
    seated = seats_with(game, None, ident)
    assert isinstance(seated, list) and seated[0] == record.faction and len(seated) == game.players[0]
    assert seats_with(game, "3", ident)[0] == record.faction  # type: ignore[index]


def test_what_there_is_not(capsys: pytest.CaptureFixture[str], hills: str) -> None:
    assert run(capsys, "try", "nowhere", "Toll")[0] == 2
    code, _, err = run(capsys, "try", hills, "Tolk")
    assert code == 2 and '"Toll"' in err
    assert run(capsys, "try", hills, "Toll", "--players", "9")[0] == 2
    cards = Path("hills/cards.yaml")
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("name: Toll\n    copies: 4", "name: Toll\n    copies: 0")
    )
    code, _, err = run(capsys, "try", hills, "Toll")
    assert code == 1 and "can it be reached at all?" in err


def test_what_random_play_does_not_come_to_is_laid_there_by_hand(
    capsys: pytest.CaptureFixture[str], hills: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = Path("hills/game.yaml")
    only = "For each Card with Rare = 0, shuffle it into the Deck."
    text = cards.read_text(encoding="utf-8").replace("Shuffle each Card into the Deck.", only)
    cards.write_text(text.replace("    fields:\n", "    fields:\n      Rare: number\n"), encoding="utf-8")
    rare = "cards:\n  - name: Comet\n    rare: 1\n    text: Gain 7 Points.\n    from: original\n"
    Path("hills/comet.yaml").write_text(rare, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("save\nComet\nquit\n"))
    code, out, _ = run(capsys, "try", hills, "Comet")
    assert code == 0 and "laid there by hand in the middle of one: Place Comet in the Hand of player " in out
    assert "to see it, choose: Comet\n" in out and "gains 7 Points" in out
    assert "this table was laid by hand, so it cannot be saved" in out and len(out.splitlines()) < 90
    assert run(capsys, "try", hills, "Comet", "--save", "mine.json")[0] == 1
