"""setups: what a seat cannot know of counters that only their holder sees is dealt anew, as the set-up may have drawn it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from interpreter import Game, State, load_game
from interpreter.setups import MOST, SOME, setups

ROOT = Path(__file__).resolve().parent.parent
DEALS = yaml.safe_load((ROOT / "content/reference/bargaining/deals.yaml").read_text(encoding="utf-8"))["deals"]
GOODS = ("Book", "Hat", "Ball")

LUCK = """\
language: 1
name: Luck
version: 1.0.0
players: 2
counters:
  - {counter: Luck, on: player, most: 130, public: false}
  - {counter: Heap, on: game, most: 260}
setup: |
  For each player:
    Roll DICE.
    Set Luck of that player to the Roll.
turn:
  - step: Day
    text: |
      Choose one:
        gain 1 Luck;
        pass;
        end the game.
"""


TOLD = "  Gain Heap = Luck of player 1 plus Luck of player 2.\n"


def luck(tmp_path: Path, dice: str, more: str = "") -> Game:
    folder = tmp_path / "luck"
    folder.mkdir()
    text = LUCK.replace("DICE", dice).replace("turn:\n", more + "turn:\n")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return load_game(f"{folder}/")


def lucks(s: State) -> list[int]:
    at = s.prog.model.counters["Luck"].cells["player"][0]
    return s.v[at : at + 2]


def dealt(s: State, seat: int, seed: int) -> State:
    t = s.clone()
    t.determinize(seat, seed)
    assert t.view(seat) == s.view(seat) and t.actions == s.actions
    return t


def worths(s: State) -> list[dict[str, int]]:
    """What each good is worth to the first and to the second."""
    at = s.prog.model.counters["Worth"].cells["Good"][0]
    return [{good: s.v[at + 2 * k + seat] for k, good in enumerate(GOODS)} for seat in range(2)]


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_goods_are_worth_to_the_other_is_as_open_as_the_deals_leave_it(chance: str, seat: int) -> None:
    s = load_game("bargaining").new(2, seed=1, chance=chance)
    while s.who == -1:
        s.apply(s.actions[5])
    for _ in range(2):
        mine = worths(s)[seat]
        own = ("first", "second")[seat]
        drawer = s.prog.model.zones["Drawer"].base
        stock = next(d for d in DEALS if d["name"] == s.prog.model.names_of[s.z[drawer][0]])["stock"]
        open_ = {d["name"]: d for d in DEALS if d["stock"] == stock and d[own] == mine}
        met = set()
        for seed in range(12 * len(open_)):
            t = dealt(s, seat, seed)
            name = t.prog.model.names_of[t.z[drawer][0]]
            assert worths(t) == [open_[name]["first"], open_[name]["second"]]
            met.add(name)
        assert met == set(open_)
        s.apply(next(o for o in s.decision.options if o.label.startswith("Offer")))


def test_a_counter_that_another_rolled_is_open(tmp_path: Path) -> None:
    s = luck(tmp_path, "1 die").new(2, seed=3)
    assert len(setups(s).drawn) == 36
    count = Counter(tuple(lucks(dealt(s, 0, seed))) for seed in range(600))
    mine = lucks(s)[0]
    assert set(count) == {(mine, n) for n in range(1, 7)} and min(count.values()) > 60


def test_but_not_where_what_is_seen_tells_it(tmp_path: Path) -> None:
    s = luck(tmp_path, "1 die", TOLD).new(2, seed=3)
    assert len(setups(s).drawn) == 36
    assert {tuple(lucks(dealt(s, 0, seed))) for seed in range(20)} == {tuple(lucks(s))}


def test_what_came_into_it_later_stays(tmp_path: Path) -> None:
    s = luck(tmp_path, "1 die").new(2, seed=3)
    while lucks(s)[1] < 7:
        s.apply(next(o for o in s.decision.options if o.label.casefold() == ("pass" if s.who == 0 else "gain 1 luck")))
    assert {tuple(lucks(dealt(s, 0, seed))) for seed in range(20)} == {tuple(lucks(s))}


def test_where_chance_has_many_ways_some_are_looked_at(tmp_path: Path) -> None:
    game = luck(tmp_path, "20 dice")
    s = game.new(2, seed=3)
    assert MOST < 101**2 and len(setups(s).drawn) == SOME
    assert setups(s) is setups(game.new(2, seed=4))
    met = {tuple(lucks(dealt(s, 1, seed))) for seed in range(20)}
    assert len(met) > 3 and {mine for _, mine in met} == {lucks(s)[1]}


def test_a_game_whose_set_up_puts_no_secret_into_a_counter_has_none() -> None:
    for name in ("leduc_poker", "tests/rules/games/bazaar/", "tests/laws/games/fair/"):
        game = load_game(str(ROOT / name) + "/" if "/" in name else name)
        assert setups(game.new(game.players[0])).drawn == ()
