"""play: a game in the terminal, driven by lines that are typed; the table as text; what is typed, read as answers."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter import cli, load_game, typed
from interpreter.game import Game
from interpreter.lines import columns, fitted
from interpreter.play import PERSON, Session
from interpreter.printed import card, find_record
from interpreter.savefile import begin, read_save, replay
from interpreter.table import Spellings, changes, listed, runs, table
from tests import handmade
from tests.running import started

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def tic() -> Game:
    return load_game("tic_tac_toe")


class Typist:
    """A session with lines to be typed; what it shows is in `shown`."""

    def __init__(self, game: Game, *lines: str, seats: tuple[str, ...] = (PERSON, "first"), seed: int = 3) -> None:
        self.lines = list(lines)
        self.shown: list[str] = []
        save, state = begin(game, game.name, len(seats), seed)
        self.session = Session(game, save, state, list(seats), self.ask, self.shown.append)

    def ask(self, prompt: str) -> str | None:
        self.shown.append(prompt)
        return self.lines.pop(0) if self.lines else None

    def play(self) -> str:
        return self.session.play()

    @property
    def text(self) -> str:
        return "\n".join(self.shown)

    @property
    def made(self) -> list[tuple[int, int]]:
        return self.session.save.decisions


def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str, *arguments: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    code = cli.main(["play", *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


# ---------------------------------------------------------------- a whole game


def test_a_game_is_won(tic: Game) -> None:
    """Against a bot that takes the first free cell: B2 (A1), B1 (C1), B3."""
    typist = Typist(tic, "5", "B1", "b3")
    assert typist.play() == "over"
    assert typist.shown[-1] == "The game is over: won by player 1"
    assert "  5  B2" in typist.shown and "· player 2: chooses A1" in typist.shown
    assert "  2  .  1  ." in typist.shown, "the table shows whose the cells are"


def test_wrong_input_is_explained_and_changes_nothing(tic: Game) -> None:
    typist = Typist(tic, "", "0", "10", "1 2", "x", "a", "Cell", "? nothing", "pass until my turn")
    before = typist.session.state.digest()
    assert typist.play() == "end"
    for said in (
        "there is no option 0; type a number from 1 to 9, or: help",
        "there is no option 10; type a number from 1 to 9, or: help",
        "one is to be chosen here, not 2",
        '"x" is none of the options, and no command; type a number from 1 to 9, or: help',
        '"a" could be A1 or A2 or A3; type its number',
        'no card is called "nothing"',
        "there is nothing to pass here: a choice is to be made",
    ):
        assert said in typist.shown, said
    assert typist.session.state.digest() == before and typist.made == []


def test_undo_goes_back_and_the_bot_answers_the_same(tic: Game) -> None:
    typist = Typist(tic, "undo", "5", "1", "undo", "undo", "undo", "5", "1", seats=(PERSON, "random"))
    start = typist.session.state.digest()
    seen: list[str] = []
    ask = typist.session.ask

    def watch(prompt: str) -> str | None:
        seen.append(typist.session.state.digest())
        return ask(prompt)

    typist.session.ask = watch
    assert typist.play() == "end"
    assert "there is nothing to take back: nothing has been chosen yet" in typist.shown
    assert seen[4] == seen[2] and seen[5] == seen[6] == start
    assert seen[7] == seen[2] and seen[8] == seen[3]
    assert replay(typist.session.save, tic).digest() == typist.session.state.digest()


def test_undo_stops_at_what_was_drawn() -> None:
    typist = Typist(handmade.GAMES["draws"], "1", "undo", seed=1)
    typist.play()
    assert "there is nothing to take back: something hidden or random came after it" in typist.shown


def test_undo_stops_at_the_answer_of_who_knows_more() -> None:
    """The bot at the other seat holds a card that nobody else knows, and it answers Pass or Bet in the open."""
    typist = Typist(load_game("kuhn_poker"), "Pass", "undo", seats=(PERSON, "random"), seed=2)
    assert typist.play() == "end"
    assert "· player 2: chooses Bet" in typist.shown
    assert "there is nothing to take back: something hidden or random came after it" in typist.shown


def test_help_log_table_and_cards(tic: Game) -> None:
    typist = Typist(tic, "help", "log", "table", "? row 1", "?row 1", "5", "log", "C3", "undo", "log", "quit")
    assert typist.play() == "quit"
    assert "pass until my turn" in typist.text and "nothing has happened yet" in typist.shown
    assert typist.shown.count("Row 1 (Line)") == 2 and "  Cells: A1, B1, C1" in typist.shown
    assert typist.shown.count("player 1: chooses B2") == 2, "the log, also after something else was taken back"
    assert "· player 1: chooses C3" in typist.shown and "player 1: chooses C3" not in typist.shown
    assert typist.shown.count("· player 1: chooses B2") == 1, "the news"


def test_the_canonical_text_of_a_labelled_option_is_read() -> None:
    typist = Typist(load_game(str(ROOT / "tests/rules/games/bazaar")), "nap")
    typist.play()
    assert "· player 1: chooses Close the stall for today" in typist.shown


def test_options_of_a_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["clandestine", "--players", "2", "--options", "first path=discover right", "--save", "mine.json"]
    assert play(monkeypatch, capsys, "", *given)[0] == 0
    assert read_save("mine.json").options == {"first path": "discover right"}
    for wrong, said in (
        ("first path", "NAME=VALUE"),
        ("second path=random", 'no option "second path"; there are: first path'),
        ("first path=up", "fundraise right, discover right, random"),
    ):
        for command in (["play", "clandestine"], ["simulate", "clandestine", "--games", "1"]):
            assert cli.main([*command, "--options", wrong]) == 2
            assert said in capsys.readouterr().err
    assert play(monkeypatch, capsys, "", "--load", "mine.json", "--options", "first path=random")[0] == 2


# ---------------------------------------------------------------- several choices


@pytest.mark.parametrize(
    "line, names",
    [("3 1", ["Ash", "Cedar"]), ("cedar, ash", ["Ash", "Cedar"]), ("5 2", ["Birch", "Fern"]), ("4,5,1", "AFF")],
)
def test_several_are_typed_in_any_order(line: str, names: list[str]) -> None:
    game = handmade.GAMES["several"]
    typist = Typist(game, line)
    typist.play()
    labels = [name for name in (game.model.names_of[a] if a < handmade.THINGS else "" for _, a in typist.made) if name]
    assert [label[0] for label in labels] == [name[0] for name in names]
    assert typist.session.state.over


def test_sets_that_cannot_be_are_explained() -> None:
    typist = Typist(handmade.GAMES["several"], "1 2 3 4", "1 1", "done", "6")
    typist.play()
    for said in (
        "at most 3 can be chosen here, not 4",
        "1 stands there twice",
        '"done" is none of the options, and no command; type a number from 1 to 5, or: help',
        "there is no option 6; type a number from 1 to 5, or: help",
    ):
        assert said in typist.shown, said
    assert typist.made == []


def test_options_that_open_up_later_are_shown_at_once() -> None:
    game = handmade.GAMES["several"]
    state = game.new(2)
    decision = state.decision
    assert decision is not None
    shown = typed.options(state, decision)
    assert [label for _, label in shown[:5]] == ["Ash", "Birch", "Cedar", "Fern", "Fern"]
    assert len({action for action, _ in shown}) == len(shown) > len(decision.options)
    assert len(shown) == 5, "Done is no answer while one has to be chosen"


def test_a_number_is_typed_as_itself() -> None:
    game = handmade.GAMES["bids"]
    typist = Typist(game, "7", "2")
    assert typist.play() == "over"
    assert "  a number: 0 to 2" in typist.shown
    assert "7 cannot be chosen here; what can is 0 to 2" in typist.shown
    assert typist.session.state.scores()[0] == 2
    assert typed.runs([(0, "0"), (1, "1"), (5, "5"), (7, "7"), (8, "8"), (9, "Done")]) == "0 to 1, 5, 7 to 8"


MILL = """
language: 1
name: Mill
players: [2, 2]
kinds:
  - kind: player
    fields: {}
  - kind: Stone
    fields:
      Weight: {type: number, required: true}
counters:
  - {counter: Coin, plural: Coins, on: player, most: 20}
  - {counter: Push, on: player, most: 20}
  - {counter: Aid, on: player, most: 9, shown: false}
zones:
  - {zone: Yard, holds: [Stone]}
  - {zone: Cart, of: player, holds: [Stone]}
setup:
  - step: Yard
    text: |
      Place each Stone in the Yard.
turn:
  - step: Load
    text: |
      Set your Push to 3.
      Let limit be 2.
      Choose any number of Stones in the Yard with total Weight at most Push.
      For each Stone chosen, haul it.
      Choose n from 0 to limit, at most 9.
      Gain Coins = n.
      Gain 1 Aid.
  - step: Rest
    text: |
      If there is no Stone in the Yard, end the game.
phrases:
  - phrase: haul {Stone load}
    text: |
      Let side be either your Cart or the Yard.
      Move load to side.
scores:
  - {score: Coins, is: your Coins}
  - {score: Stones, is: the number of Stones in your Cart}
"""
STONES = """
stones:
  - {name: Pebble, weight: 1, copies: 2, from: original}
  - {name: Slab, weight: 2, from: original}
"""


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("games") / "mill"
    folder.mkdir()
    (folder / "game.yaml").write_text(MILL, encoding="utf-8")
    (folder / "stones.yaml").write_text(STONES, encoding="utf-8")
    return load_game(str(folder))


def test_a_question_says_what_its_names_stand_for(mill: Game) -> None:
    typist = Typist(mill, "slab, pebble", "your cart", "1", "", "2", seats=(PERSON, "first"))
    typist.play()
    text = typist.text
    assert "total Weight at most Push (or none; you have\nPush 3)" in text
    assert "player 1: Choose side for Slab" in text and "player 1: Choose side for Pebble" in text
    assert "Pebble (Weight 1)" in text and "Slab (Weight 2)" in text
    assert text.count("player 1: Choose n from 0 to limit, at most 9 (limit is 2)") == 2, "an empty line asks again"
    assert "chooses 2 (Choose n from 0 to limit, at most 9)" in text and "player 1 gains 2 Coins" in text
    assert "Aid" not in text and "player 2: begins turn 2" in text


def test_the_log_says_where_a_leader_was_chosen() -> None:
    game = load_game("clandestine")
    typist = Typist(game, "1", "quit", seats=(PERSON, "first"), seed=12)
    typist.play()
    label = next(line for line in typist.shown if line.lstrip().startswith("1  Public Leader")).split("  ")[-1]
    assert f"· player 1: chooses {label}" in typist.shown and "{place" not in typist.text
    assert "has to choose" not in typist.text, "what was no choice is seen by what moves"


# ---------------------------------------------------------------- what a seat may know


def test_a_person_reads_nothing_hidden() -> None:
    typist = Typist(handmade.GAMES["draws"], "1", "1", "1", "1", seats=(PERSON, "random"))
    while not typist.session.state.over and typist.lines:
        typist.play()
    drawn = [line for line in typist.shown if "to the Palm of player 2" in line]
    assert drawn and all(line.startswith("· a card moves") for line in drawn)


def test_two_people_do_not_read_each_others_secrets() -> None:
    typist = Typist(handmade.GAMES["bids"], "1", "2", seats=(PERSON, PERSON))
    turns: list[int] = []
    typist.session.hand_over = turns.append
    assert typist.play() == "over"
    assert turns == [0, 1]
    before_the_second = typist.shown[: typist.shown.index("> ", typist.shown.index("> ") + 1)]
    assert not any("player 1: chooses" in line for line in before_the_second)


def test_the_table_of_a_view() -> None:
    view = {
        "seat": 0,
        "over": False,
        "phase": "Main",
        "deciding": [0],
        "turn": 4,
        "round": 2,
        "active": 1,
        "counters": {"Mist": 3},
        "players": [
            {
                "name": "player 1",
                "faction": "mill",
                "counters": {"Dew": 2, "Bid": 1},
                "zones": {"Palm": ["Ash", "Elm"]},
            },
            {"name": "player 2", "faction": None, "counters": {"Dew": 0, "Bid": None}, "zones": {"Palm": [None, None]}},
        ],
        "zones": {"Pile": 12, "Yard": ["Fern", "Fern", None]},
        "spaces": [
            {"name": "Old Mill", "action": "Grind", "pieces": ["Peg", "Peg"], "counters": {"Dew": 1}},
            {"name": "the dry Well", "action": None, "pieces": [], "counters": {"Dew": 0}},
        ],
        "things": [{"name": "Ash", "place": "the Yard", "counters": {"Dew": 2}, "states": ["ripe"], "pieces": []}],
    }
    words = Spellings({"mill": "The Millers"}, {"Peg": "Pegs"})
    assert table(view, words) == [
        "Round 2, turn 5, Main; player 2 is active",
        "",
        "In play: 3 Mist",
        "",
        "Spaces",
        "  Old Mill  Grind  Peg (2); 1 Dew",
        "  empty: dry Well",
        "",
        "Players",
        "                                 Dew  Bid  Palm",
        "    player 1 (you)  The Millers    2    1     2",
        "  * player 2                       0    ?     2",
        "  Your Palm: Ash, Elm",
        "",
        "Places",
        "  Yard: Fern (2), 1 unknown",
        "  Pile: 12 cards",
        "",
        "Marked",
        "  Ash: on the Yard, ripe, 2 Dew",
    ]
    narrow = table(view, words, 42)
    assert narrow[narrow.index("Players") + 1 :][:6] == [
        "  player 1 (you): The Millers; * player 2",
        "        player 1 (you)  * player 2",
        "  Dew                2           0",
        "  Bid                1           ?",
        "  Palm               2           2",
        "  Your Palm: Ash, Elm",
    ]
    assert listed(1) == "1 card" and listed([]) == "nothing"
    assert columns([["a", "1"], ["bb", "22"]], right=1, indent="") == ["a    1", "bb  22"]


def board(wells: list[str], dew: int, mine: int = 0) -> dict[str, Any]:
    """A view with five wells without actions and a gate with one."""
    gate = {"name": "the old Gate", "action": "Knock", "pieces": ["Peg", "Elf", "Peg"], "counters": {}}
    return {
        "seat": 0,
        "over": False,
        "phase": "Main",
        "active": 0,
        "turn": 1,
        "players": [
            {
                "name": f"player {k + 1}",
                "faction": None,
                "counters": {"Dew": dew * k, "Aid": 1},
                "zones": {"Palm": mine},
            }
            for k in range(2)
        ],
        "zones": {"Pile": 3},
        "spaces": [
            gate,
            *(
                {"name": f"the Well {k} of player 1", "action": None, "pieces": [p] if p else [], "counters": {}}
                for k, p in enumerate(wells, 1)
            ),
        ],
        "kinds": ["Gate", *["Well"] * len(wells)],
    }


def test_many_spaces_without_actions_stand_side_by_side() -> None:
    words = Spellings({}, {"Well": "Wells"}, frozenset(["Aid"]))
    lines = table(board(["Ash", "", "Elm", "", ""], 2), words, 60)
    assert lines[2:9] == [
        "Spaces",
        "  the old Gate  Knock  Peg (2), Elf",
        "",
        "Wells",
        "  Well 1 of player 1: Ash  Well 3 of player 1: Elm",
        "  empty: Well 2, 4, 5 of player 1",
        "",
    ]
    assert "Aid" not in "\n".join(lines), "a counter that only helps texts along"
    assert runs(["Well 3", "Rill", "Well 1", "Well 2", "Rill"]) == ["Well 1 to 3", "Rill (2)"]


def test_no_line_is_wider_than_the_terminal(tic: Game) -> None:
    assert fitted("  go on    until the next turn begins", 24) == [
        "  go on    until the",
        "           next turn",
        "           begins",
    ]
    assert fitted("· Ash moves from the Yard to the Palm", 20) == ["· Ash moves from the", "  Yard to the Palm"]
    typist = Typist(tic, "help", "log", "? row 1")
    typist.session.width = 60
    typist.play()
    assert max(map(len, typist.shown)) <= 60 and "                      " in typist.text


def test_what_has_changed_on_a_table() -> None:
    words = Spellings({}, {"Well": "Wells"})
    old, new = board(["Ash", "Oak", "Elm", "", ""], 2), board(["Ash", "Oak", "Fir", "", ""], 3)
    assert changes(old, new, words) == [
        "",
        "Wells",
        "  Well 3 of player 1: Fir",
        "",
        "Players",
        "                    Dew",
        "  * player 1 (you)    0",
        "    player 2          3",
    ]
    assert changes(old, old, words) == []


def test_cards_are_found_by_parts_of_their_names(tic: Game) -> None:
    assert find_record(tic, "ROW  1") == ("row-1", []) and find_record(tic, "rising") == ("rising-diagonal", [])
    ident, near = find_record(tic, "Column D")
    assert ident is None and near[0].startswith("Column")
    assert card(tic, "a1") == ["A1 (Cell)"]


# ---------------------------------------------------------------- the command


def test_the_end_of_the_input_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = play(monkeypatch, capsys, "5\n", "tic_tac_toe", "--bots", "first")
    assert (code, err) == (0, "")
    assert out.endswith("end of input: the game stops after 2 decisions, and is not saved\n")
    assert "\033" not in out and list(tmp_path.iterdir()) == []


def test_auto_prints_what_happens_and_the_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = play(monkeypatch, capsys, "", "tic_tac_toe", "--auto", "--bots", "first")
    cells = ["A1", "B1", "C1", "A2", "B2", "C2", "A3"]
    lines = [f"player {1 + i % 2}: chooses {cell}" for i, cell in enumerate(cells)]
    assert (code, out.splitlines()) == (0, [*lines, "", "The game is over: won by player 1"])
    first = play(monkeypatch, capsys, "", "tic_tac_toe", "--auto", "--seed", "8")
    assert first == play(monkeypatch, capsys, "", "tic_tac_toe", "--auto", "--seed", "8")


def test_save_and_load_go_on_with_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = play(monkeypatch, capsys, "5\nB1\nB3\n", "tic_tac_toe", "--seed", "4", "--save", "whole.json")
    code, out, _ = play(monkeypatch, capsys, "5\nsave mine.json\nquit\n", "tic_tac_toe", "--seed", "4")
    assert code == 0 and "saved to mine.json" in out
    code, out, _ = play(monkeypatch, capsys, "B1\nB3\n", "--load", "mine.json", "--save", "mine.json")
    assert code == whole[0] == 0
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["mine.json", "whole.json"]
    mine, all_of_it = (read_save(tmp_path / name) for name in ("mine.json", "whole.json"))
    assert mine.decisions == all_of_it.decisions and mine.digests[-1] == all_of_it.digests[-1]
    assert cli.main(["replay", "mine.json", "--quiet"]) == 0


def test_bad_saves_and_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    play(monkeypatch, capsys, "5\n", "tic_tac_toe", "--save", "mine.json")
    data = json.loads(Path("mine.json").read_text())
    for key, value in (("digest", "0" * 64), ("decisions", [[0, 99999]]), ("seed", "x"), ("players", 9)):
        Path("bad.json").write_text(json.dumps({**data, key: value}))
        code, _, err = play(monkeypatch, capsys, "", "--load", "bad.json")
        assert code == 1 and "Traceback" not in err, key
    Path("bad.json").write_text("{")
    assert play(monkeypatch, capsys, "", "--load", "bad.json")[0] == 1
    for wrong in (
        ["tik_tak_toe"],
        [],
        ["--load", "none.json"],
        ["--load", "mine.json", "--players", "2"],
        ["tic_tac_toe", "--players", "7"],
        ["tic_tac_toe", "--players", "the-mill,the-well"],
        ["tic_tac_toe", "--bots", "clever"],
        ["tic_tac_toe", "--bots", "first,first,first"],
        ["tic_tac_toe", "--bots", "person", "--auto"],
        ["tic_tac_toe", "--save", "none/here.json"],
    ):
        code, _, err = play(monkeypatch, capsys, "", *wrong)
        assert code == 2 and err, wrong
    for players in ("7", "-1"):
        _, _, err = play(monkeypatch, capsys, "", "tic_tac_toe", "--players", players)
        assert f"tic_tac_toe is for 2 players, not {players}" in err


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_exits_130_and_leaves_a_whole_save_or_none(tmp_path: Path) -> None:
    for more, files in (([], []), (["--save", "mine.json"], ["mine.json"])):
        process = started(tmp_path, "play", "tic_tac_toe", "--bots", "first", *more)
        assert process.stdin is not None
        process.stdin.write("5\n")
        process.stdin.flush()
        assert process.stdout is not None
        read = ""
        while read.count("\n> ") < 2:  # asked again after the bot has answered
            letter = process.stdout.read(1)
            assert letter, read
            read += letter
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 130 and "Traceback" not in errors, errors
        assert [path.name for path in tmp_path.iterdir()] == files
    assert len(read_save(tmp_path / "mine.json").decisions) == 2


def test_nothing_from_content_steers_the_terminal(tic: Game) -> None:
    typist = Typist(tic)
    typist.session.write("a\033[2Jb", "\x02head\x03")
    assert typist.shown == ["a\\x1b[2Jb", "head"]
