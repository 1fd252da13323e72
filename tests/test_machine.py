"""machine: in, programs made by hand; asserted, the laws that every game's states keep."""

from __future__ import annotations

import gc
import json
import random

import pytest

from interpreter import CHANCE, IllegalAction, load_game
from interpreter.model import STEPS
from interpreter.mutations import bottoms, mv, own, settle, settle_bottom, shuffle, shuffle_in, tops
from interpreter.state import State
from tests import handmade as by_hand
from tests.handmade import GAMES, snapshot, walk


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("settings", [{}, {"chance": "explicit"}, {"forced": "ask"}, {"log": False}])
def test_a_saved_state_is_the_same_state_with_the_same_future(name, settings):
    game = GAMES[name]
    for seed in range(6):
        for s in walk(game, seed, **settings):
            t = game.from_json(s.to_json())
            assert snapshot(t) == snapshot(s) == snapshot(s.clone())
            assert [t.view(k) for k in (0, 1)] == [s.view(k) for k in (0, 1)]
            assert [t.log(k) for k in (0, 1)] == [s.log(k) for k in (0, 1)]
            before = snapshot(s)
            u = s.clone()
            assert t.playout(3) == u.playout(3)
            assert snapshot(t) == snapshot(u) and t.over
            assert snapshot(s) == before


@pytest.mark.parametrize("name", GAMES)
def test_what_is_illegal_changes_nothing(name):
    for s in walk(GAMES[name], 1):
        before = snapshot(s)
        wrong = [-1, True, 1.0, None, "0", *(a for a in range(by_hand.ACTIONS + 1) if a not in s.actions)]
        for action in wrong:
            with pytest.raises(IllegalAction):
                s.apply(action)
        for seat in (-2, 7, *(k for k in range(3) if k not in {d.player for d in s.decisions})):
            with pytest.raises(IllegalAction):
                s.apply(s.actions[0] if s.actions else 0, seat=seat)
        assert snapshot(s) == before


def test_chance_asked_and_chance_seeded_agree():
    game = GAMES["draws"]
    for seed in range(20):
        seeded = game.new(2, seed=seed)
        asked = game.new(2, seed=seed, chance="explicit")
        dice = random.Random(seed)
        while not seeded.over or not asked.over:
            if asked.decision.player == CHANCE:
                options = asked.decision.options
                assert abs(sum(o.probability for o in options) - 1) < 1e-9
                # the seeded game is ahead: what it drew lies in the palm or yard
                drawn = drawn_next(seeded, asked)
                asked.apply(drawn)
                continue
            assert asked.view(0) == seeded.view(0) and asked.view(1) == seeded.view(1)
            c = dice.choice(seeded.actions)
            before = set(seeded.z[by_hand.PILE])
            seeded.apply(c)
            asked.apply(c)
            assert before >= set(seeded.z[by_hand.PILE])
        assert (asked.view(0), asked.scores(), asked.outcome) == (seeded.view(0), seeded.scores(), seeded.outcome)
        assert asked.winners == seeded.winners and asked.returns() == seeded.returns()


def drawn_next(seeded: State, asked: State) -> int:
    loc = seeded.prog.model.loc
    gone = [x for x in asked.z[by_hand.PILE] if seeded.v[loc + x] != by_hand.PILE]
    want = by_hand.PALM + asked.v[1]
    dew = seeded.prog.model.counters["Dew"].cells["Leaf"][0]
    mine = [x for x in gone if seeded.v[loc + x] == want or seeded.v[dew + x - by_hand.LEAF] == asked.v[1] + 1]
    return mine[0]


def test_two_like_cards_are_one_option_of_chance():
    s = GAMES["draws"].new(2, chance="explicit")
    shares = {o.label: o.probability for o in s.decision.options}
    assert shares == pytest.approx({"Ash": 1 / 6, "Birch": 1 / 6, "Cedar": 1 / 6, "Fern": 2 / 6, "Elm": 1 / 6})
    second = next(x for x in by_hand.VALUE if s.prog.model.names_of[x] == "Fern" and x not in s.actions)
    s.apply(second)
    assert s.v[s.prog.model.loc + second] == by_hand.PALM


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("length", [6_000, 50_000])
def test_long_forced_chains_run_through(length, deep):
    game = by_hand.chain(length, deep)
    s = game.new(2, log=False)
    assert s.decision.player == 1 and s.view(0)["players"][0]["counters"]["Dew"] == length
    t = game.from_json(s.to_json())
    t.apply(t.actions[1])
    assert t.over and t.outcome == "draw" and t.returns() == [0.0, 0.0]
    asked = game.new(2, log=False, forced="ask")
    for _ in range(length):
        asked.apply(asked.actions[0])
    assert asked.digest() == s.digest()


@pytest.mark.parametrize("native", [False, True])
def test_what_never_ends_is_endless(native):
    s = by_hand.endless(native).new(2)
    s.apply(s.actions[0])
    assert (s.over, s.outcome, s.winners, s.returns(), s.actions) == (True, "endless", [], [0.0, 0.0], ())
    assert "Wheel" in s.log(0)[-1]["text"]
    t = by_hand.endless(native).new(2)
    assert t.playout(1) == 1 and t.digest() == s.digest()


def test_secret_answers_in_any_order():
    game = GAMES["bids"]
    ends = set()
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        s = game.new(3)
        for i, seat in enumerate(order):
            assert [d.player for d in s.decisions] == sorted(order[i:]) and s.decision.player == min(order[i:])
            assert s.view(0)["deciding"] == sorted(order[i:])
            option = next(d for d in s.decisions if d.player == seat).options[seat]
            s.apply(option, seat=seat)
            assert all(entry["by"] == k for k in range(3) for entry in s.log(k))
            if i < 2:
                with pytest.raises(IllegalAction):
                    s.apply(option, seat=seat)
                s = game.from_json(s.to_json())
        ends.add((s.digest(), tuple(s.scores()), tuple(s.winners), *(json.dumps(s.log(k)) for k in range(3))))
    assert len(ends) == 1
    assert s.winners == [2] and s.returns() == [-1.0, -1.0, 1.0] and s.outcome == "won"
    assert [p["counters"]["Bid"] for p in s.view(1)["players"]] == [None, 1, None]


def test_a_choice_of_several():
    s = GAMES["several"].new(2)
    d = s.decision
    assert (d.min, d.max, d.chosen, d.prompt) == (1, 3, (), "Play leaves")
    assert [o.label for o in d.options] == ["Ash", "Birch", "Cedar", "Fern"]
    assert [o.target for o in d.options] == ["ash", "birch", "cedar", "fern"]
    s.apply(d.options[1])
    assert [o.label for o in d.options] == ["Ash", "Birch", "Cedar", "Fern"]  # as it was when asked
    d = s.decision
    assert [o.label for o in d.options] == ["Cedar", "Fern", "Done"] and [o.label for o in d.chosen] == ["Birch"]
    s.apply(d.options[-1])
    assert s.view(0)["zones"] == {"Pile": 0, "Yard": ["Birch"]}
    assert s.view(0)["deciding"] == s.view(1)["deciding"] == "responses"
    assert [o.label for o in s.decision.options] == ["Pass", "Elm on the Palm of player 2: use"]
    s.apply(s.actions[0])
    assert s.log(0) == [{"by": 0, "text": "chooses Birch"}, {"by": 0, "text": "chooses Done"}]
    assert [entry["text"] for entry in s.log(1)] == ["chooses a card", "chooses Done", "chooses Pass"]


def test_views_and_logs_show_what_a_seat_may_know():
    for s in walk(GAMES["draws"], 4):
        for seat in (0, 1):
            view = s.view(seat)
            assert json.loads(json.dumps(view)) == view
            other = view["players"][1 - seat]["zones"]["Palm"]
            assert all(card is None for card in other) and None not in view["players"][seat]["zones"]["Palm"]
            assert isinstance(view["zones"]["Pile"], int)
            drawn = [e["text"] for e in s.log(seat) if f"Palm of player {2 - seat}" in e["text"]]
            assert all(text.startswith("a card moves") for text in drawn)
            kept = s.log(seat)
            t = s.clone()
            t.determinize(seat, 5)
            assert t.view(seat) == view and t.log(seat) == kept
    assert view["phase"] == "" and view["over"]
    assert view["spaces"][0] == {
        "name": "Old Mill",
        "action": None,
        "pieces": ["Peg of player 1", "Peg of player 3"],
        "counters": {},
    }
    assert GAMES["draws"].new(2, seed=1, log=False).log(0) == []


def test_determinize_moves_cards_with_what_is_theirs():
    game = GAMES["draws"]
    dew = game.model.counters["Dew"].cells["Leaf"][0]
    seen_elsewhere = set()
    for s in walk(game, 8):
        for seat in (0, 1):
            for seed in range(12):
                t = s.clone()
                t.determinize(seat, seed)
                assert t.view(seat) == s.view(seat) and t.who == s.who
                assert game.from_json(t.to_json()).digest() == t.digest()
                mine = by_hand.PALM + seat
                assert t.z[mine] == s.z[mine] and t.z[by_hand.YARD] == s.z[by_hand.YARD]
                theirs = by_hand.PALM + 1 - seat
                marks = [sorted(u.v[dew + x - by_hand.LEAF] for x in u.z[theirs]) for u in (s, t)]
                assert marks[0] == marks[1]
                if s.who == 1 - seat:
                    assert set(t.actions) <= set(t.z[theirs])
                seen_elsewhere.add(t.z[theirs])
                u = s.clone()
                u.determinize(seat, seed)
                assert u.digest() == t.digest()
                t.playout(seed)
                assert t.over
    assert len(seen_elsewhere) > 8
    reseeded = [game.new(2, seed=8) for _ in range(5)]
    for k, t in enumerate(reseeded):
        t.determinize(0, k)
    assert len({t.rng for t in reseeded}) == 5


def test_determinize_is_fair():
    s = GAMES["draws"].new(2, seed=8)
    hidden = [x for x in by_hand.VALUE if not s.v[s.prog.model.seen + x] & 1]
    count = dict.fromkeys(hidden, 0)
    for seed in range(1_000):
        t = s.clone()
        t.determinize(0, seed)
        count[t.z[by_hand.PALM + 1][0]] += 1
    assert min(count.values()) > 0.8 * 1_000 / len(hidden)


def test_determinize_follows_frames():
    s = GAMES["several"].new(2)
    s.apply(by_hand.LEAF + 1)
    assert s.st[-2] == by_hand.LEAF + 1
    for seed in range(30):
        t = s.clone()
        t.determinize(1, seed)
        assert t.z[by_hand.PALM + 1] == s.z[by_hand.PALM + 1]
        assert t.st[-3] == (t.st[-2],) and t.st[-2] in t.z[by_hand.PALM]
    assert t.view(1) == s.view(1)


def test_secret_answers_of_others_are_dealt_anew():
    s = GAMES["bids"].new(3)
    s.apply(by_hand.NUMBER + 4, seat=2)
    s.apply(by_hand.NUMBER + 1, seat=0)
    answers = set()
    for seed in range(40):
        t = s.clone()
        t.determinize(0, seed)
        assert t.st[-2][0] == by_hand.NUMBER + 1 and t.st[-2][1] == -1
        answers.add(t.st[-2][2] - by_hand.NUMBER)
    assert answers == {0, 1, 2, 3, 4}


def test_decks_are_segments():
    s = GAMES["draws"].blank()
    pile = by_hand.PILE
    shuffle(s, pile)
    mv(s, by_hand.LEAF + 4, by_hand.PALM)
    loc, seen = s.prog.model.loc, s.prog.model.seen
    t = tops(s, pile)
    assert t == s.z[pile] and s.z[by_hand.PARTS] == (-len(t),)
    settle(s, pile, t[1])
    assert tops(s, pile) == (t[1],) and s.z[by_hand.PARTS] == (1 - len(t), 1) and s.v[seen + t[1]] == 0
    rest = bottoms(s, pile)
    settle_bottom(s, pile, rest[0])
    assert bottoms(s, pile) == (rest[0],) and s.z[by_hand.PARTS][0] == 1
    held = by_hand.LEAF + 4
    mv(s, held, pile)
    assert s.z[pile][-1] == held and s.v[seen + held] == 1 and s.z[by_hand.PARTS][-1] == 2
    mv(s, held, pile, under=True)
    assert s.z[pile][0] == held and s.z[by_hand.PARTS][0] == 2
    shuffle_in(s, held, pile)
    assert s.z[by_hand.PARTS] == (-len(s.z[pile]),) and s.v[seen + held] == 0
    for x in list(s.z[pile]):
        mv(s, x, by_hand.YARD)
        assert s.v[loc + x] == by_hand.YARD and s.v[seen + x] == 7
    assert s.z[by_hand.PARTS] == () and tops(s, pile) == ()
    assert own(s, by_hand.PEG + 1) == 1 and own(s, held) == -1 and own(s, by_hand.SPOT) == -1


def test_what_moves_from_hidden_to_hidden_is_lost_from_sight():
    s = GAMES["several"].new(2)
    seen = s.prog.model.seen
    a, b, c = by_hand.LEAF, by_hand.LEAF + 1, by_hand.LEAF + 2
    s.v[seen + a] = s.v[seen + b] = 3  # player 2 has seen two of player 1's leaves
    mv(s, a, by_hand.PALM + 2)
    assert (s.v[seen + a], s.v[seen + b]) == (1 | 4, 1)
    s.v[seen + b] = 3
    mv(s, b, by_hand.PALM + 2, witness=2)  # player 2 chose which
    assert s.v[seen + b] == 7
    s.v[s.prog.model.tables["facedown"] + c] = 1
    mv(s, c, by_hand.YARD)
    assert s.v[seen + c] == 1 and s.view(1)["zones"]["Yard"] == [None] and s.view(0)["zones"]["Yard"] == ["Cedar"]


def test_a_playout_is_a_function_of_seed_and_state():
    for game in GAMES.values():
        s = game.new(2, seed=1)
        ends = {}
        for seed in range(20):
            t, u = s.clone(), game.from_json(s.to_json())
            assert t.playout(seed) == u.playout(seed) and t.digest() == u.digest() and t.v[STEPS] == u.v[STEPS]
            ends[t.digest()] = seed
        assert game.name in ("chain",) or len(ends) > 1
    assert GAMES["draws"].new(2, chance="explicit").playout(4) > 6


def test_log_settings_do_not_change_the_game():
    for seed in range(5):
        with_log, without = (GAMES["draws"].new(3, seed=seed, log=log) for log in (True, False))
        with_log.playout(seed)
        without.playout(seed)
        assert with_log.digest() == without.digest() and without.log(0) == []


def test_perft_counts_leaves():
    # three draws at six cards with two alike, then the choice of two leaves; the same with deeper trees
    game = GAMES["draws"]
    assert [game.perft(n) for n in (0, 1, 2)] == [1, 5, 21]
    assert GAMES["bids"].perft(2) == 12 and GAMES["bids"].perft(9) == 12
    assert GAMES["bids"].perft(3, players=3) == 3 * 4 * 5


def test_new_refuses_what_the_game_does_not_allow():
    game = GAMES["draws"]
    for wrong in (1, 4, True, "ab", ["x", "y"]):
        with pytest.raises(ValueError):
            game.new(wrong)
    for settings in ({"chance": "no"}, {"forced": "no"}, {"options": {"x": 1}}):
        with pytest.raises(ValueError):
            game.new(2, **settings)
    assert game.players == (2, 3) and game.factions == () and game.names["elm"] == "Elm"


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "leduc_poker", "clandestine"])
def test_a_copied_start_is_a_start_of_its_own(name: str) -> None:
    """A set-up that is run once up to its first draw, and then copied, is what each seed's own set-up gives."""
    game = load_game(name)
    for players in sorted(set(game.players)):
        for seed in range(4):
            copied = [game.new(players, seed=seed, log=log) for log in (True, False)]
            kept, game.starts = game.starts, None
            fresh = [game.new(players, seed=seed, log=log) for log in (True, False)]
            game.starts = kept
            assert [s.digest() for s in copied] == [s.digest() for s in fresh]
            assert copied[0].log(0) == fresh[0].log(0)
            assert copied[1].playout(seed) == fresh[1].playout(seed)
            assert copied[1].digest() == fresh[1].digest()


def test_a_start_is_not_shared() -> None:
    game = load_game("kuhn_poker")
    first = game.new(2, seed=3)
    whole = first.digest(), first.log(0)
    game.new(2, seed=3).playout(1)
    again = game.new(2, seed=3)
    assert (again.digest(), again.log(0)) == whole


def test_a_decision_is_gone_with_its_last_reader() -> None:
    s = GAMES["several"].new(2)
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            decision = s.decision
            assert [o.label for o in decision.options] == list(decision.labels()[: len(decision.options)])
        del decision
        assert gc.collect() == 0  # each holds a copy of the state: many of them would wait for the collector
    finally:
        gc.enable()
