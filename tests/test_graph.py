"""graph: in, games played again and again; asserted, that what is looked up is what would have been run."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from interpreter import IllegalAction, graph, load_game, machine
from interpreter.game import Game
from interpreter.graph import Graph, node_of
from interpreter.mutations import GOLDEN, MASK
from interpreter.state import Standing, State
from tests import handmade as by_hand

ROOT = Path(__file__).parents[1]
REFERENCE = sorted(path.name for path in (ROOT / "content" / "reference").iterdir())
MANY_DRAWS = ("crazy_eights", "go_fish", "hearts", "clandestine")  # whose set-ups draw so much that no deal comes again
IN_PLAY = ("pig", "leduc_poker", "crazy_eights", "go_fish", "clandestine")  # that draw after their set-ups
LAST_CARD = """
language: 1
name: Last Card
version: 1.0.0
description: Three cards, all drawn.
players: 2
kinds:
  - {kind: Card, card: true, deck: Deck, hand: Hand}
counters:
  - {counter: Point, plural: Points, on: player, most: 99}
  - {counter: Move, plural: Moves, on: game, most: 20}
zones:
  - {zone: Deck, deck: true, holds: [Card]}
  - {zone: Hand, of: player, holds: [Card], seen by: owner}
setup: Shuffle each Card into Deck.
turn:
  - step: Act
    text: |
      Gain 1 Move.
      Draw 1 Card.
      Choose one: gain 1 Point; or gain 2 Points.
      Roll 1 die.
      Gain Points = the Roll.
      If Move is at least 5, end the game.
scores:
  - {score: Points, is: your Points}
"""
FEW = 5  # seeds, and answers at a decision, so that the same edges are taken again and again


def run_only(game: Game) -> Game:
    """The same game, of which nothing is kept but where its set-up starts to draw."""
    other = Game(game.program)
    other.graph = Graph(room=0)
    return other


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
@pytest.mark.parametrize("name", [*REFERENCE, "clandestine"])
def test_what_is_looked_up_is_what_would_have_been_run(name: str, chance: str) -> None:
    game = load_game(name)
    plain = run_only(game)
    random = Random(7)
    players, steps = (3, 12) if name == "clandestine" else (game.players[0], 30)
    standing = 0
    for number in range(6 * FEW):
        seed = number % FEW
        looked = game.new(players, seed=seed, log=False, chance=chance)
        run = plain.new(players, seed=seed, log=False, chance=chance)
        for _ in range(steps):
            assert looked.to_json() == run.to_json()
            assert (looked.actions, looked.who, looked.over) == (run.actions, run.who, run.over)
            standing += looked.node is not None
            if looked.over:
                assert looked.returns() == run.returns()
                break
            if random.random() < 0.1 and name != "clandestine":
                pair = looked.clone(), run.clone()
                assert pair[0].playout(number) == pair[1].playout(number)
                assert pair[0].to_json() == pair[1].to_json()
            c = looked.actions[random.randrange(min(2, len(looked.actions)))]
            if random.random() < 0.2:
                for s in (looked, run):
                    s.apply(c, seat=s.who if s.who >= 0 else None)
            else:
                looked.apply(c)
                run.apply(c)
    assert standing >= FEW or (chance == "seeded" and name in MANY_DRAWS)


@pytest.mark.parametrize("name", ["draws", "bids", "several"])
def test_playouts_of_games_with_draws_and_secret_answers(name: str) -> None:
    game = by_hand.GAMES[name]
    for number in range(200):
        looked = game.new(2, seed=number % FEW, log=False)
        run = run_only(game).new(2, seed=number % FEW, log=False)
        assert looked.playout(number % 7) == run.playout(number % 7)
        assert looked.to_json() == run.to_json()


@pytest.mark.parametrize("name", REFERENCE)
def test_the_same_game_again_and_again(name: str) -> None:
    """Until all of it is looked up, to a deck's last card."""
    game = load_game(name)
    run = run_only(game).new(game.players[0], seed=1, log=False)
    run.playout(3)
    for _ in range(160):
        looked = game.new(game.players[0], seed=1, log=False)
        looked.playout(3)
        assert looked.digest() == run.digest()


def test_a_last_card_and_what_is_drawn_after_it(tmp_path: Path) -> None:
    cards = "".join(f"  - {{name: {name}, from: original}}\n" for name in ("Ash", "Elm", "Fir"))
    (tmp_path / "game.yaml").write_text(LAST_CARD, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(f"cards:\n{cards}", encoding="utf-8")
    game = load_game(tmp_path)
    plain = run_only(game)
    assert {s.scores() == t.scores() and s.digest() == t.digest() for s, t in both(game, plain)} == {True}


def both(game: Game, plain: Game) -> Iterator[tuple[State, State]]:
    for number in range(1_200):
        s, t = (one.new(2, seed=number % 40, log=False) for one in (game, plain))
        assert s.playout(number % 3) == t.playout(number % 3)
        yield s, t


@pytest.mark.parametrize("name", [*REFERENCE, "clandestine"])
def test_all_that_moves_the_random_int_is_put_down(name: str) -> None:
    game = run_only(load_game(name))
    random = Random(3)
    put_down = 0
    for seed in range(4):
        s = game.new(game.players[0], seed=seed, log=False)
        for _ in range(150):
            if s.over:
                break
            machine.loosen(s)
            before, s.drawn = s.rng, []
            s.answering = s.who
            machine.step(s, random.choice(s.opts))
            drawn, s.drawn = s.drawn, None
            put_down += len(drawn)
            assert s.rng == (before + len(drawn) * GOLDEN) & MASK
    assert put_down or name not in IN_PLAY


def test_an_interrupt_leaves_the_graph_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("connect_four")
    step, count = machine.step, 0

    def interrupted(s: State, c: int) -> None:
        nonlocal count
        count += 1
        step(s, c)
        if count % 7 == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(machine, "step", interrupted)
    for number in range(300):
        s = game.new(2, seed=0, log=False)
        try:
            s.playout(number % 20)
        except KeyboardInterrupt:
            assert s.drawn is None
    monkeypatch.undo()
    plain = run_only(game)
    for number in range(60):
        s, t = (one.new(2, seed=0, log=False) for one in (game, plain))
        assert s.playout(number % 20) == t.playout(number % 20) and s.digest() == t.digest()


def test_a_whole_small_game_is_run_once() -> None:
    """Tic-tac-toe has 5,478 positions; random play soon meets nothing new."""
    game = load_game("tic_tac_toe")
    game.graph = Graph()
    assert game.starts is not None
    game.starts.clear()
    for seed in range(30_000):
        game.new(2, seed=seed, log=False).playout(seed)
    assert 4_500 < len(game.graph.nodes) <= 5_478
    before = len(game.graph.nodes)
    for seed in range(30_000, 31_000):
        game.new(2, seed=seed, log=False).playout(seed)
    assert len(game.graph.nodes) - before < 30


def test_a_draw_on_the_way_is_an_edge_of_its_own() -> None:
    game = load_game("kuhn_poker")
    for seed in range(500):
        game.new(2, seed=seed, log=False).playout(seed)
    assert game.starts is not None
    (root,) = {node for _, decided, node in game.starts.values() if node is not None and not decided}
    assert root.ways is not None
    (first,) = root.ways
    assert first.falls is not None and len(first.falls) == 3
    for second in first.falls:
        assert second.falls is not None and len(second.falls) == 2
        assert all(node.ways is not None and node.who == 0 for node in second.falls)
    dealt = [game.new(2, seed=seed, log=False).view(0)["zones"] for seed in range(300)]
    plain = run_only(game)
    assert dealt == [plain.new(2, seed=seed, log=False).view(0)["zones"] for seed in range(300)]


def test_there_is_a_bound_on_what_is_kept() -> None:
    game = load_game("connect_four")
    game.graph = Graph(room=5_000)
    assert game.starts is not None
    game.starts.clear()
    ends = [game.new(2, seed=seed, log=False) for seed in range(400)]
    for seed, s in enumerate(ends):
        s.playout(seed % 50)
    assert game.graph.room <= 0 and 2 < len(game.graph.nodes) < 50
    plain = run_only(game)
    for seed, s in enumerate(ends):
        t = plain.new(2, seed=seed, log=False)
        t.playout(seed % 50)
        assert s.to_json() == t.to_json()


def test_states_at_one_node_do_not_touch_each_other() -> None:
    game = load_game("leduc_poker")
    for _ in range(3):
        game.new(2, seed=1, log=False).playout(1)
    one, other = (game.new(2, seed=1, log=False) for _ in range(2))
    assert one.node is other.node is not None
    whole = other.to_json()
    copy = one.clone()
    copy.determinize(0, 5)
    assert copy.node is None and copy.digest() != one.digest()
    copy.apply(copy.actions[0])
    one.apply(one.actions[-1])
    assert other.to_json() == whole and game.from_json(whole).node is None
    with pytest.raises(IllegalAction):
        other.apply(-7)
    assert other.to_json() == whole and other.node is not None
    fresh = game.new(2, seed=1, log=False)
    assert fresh.to_json() == whole


def test_settings_and_logs_stay_apart() -> None:
    game = load_game("kuhn_poker")
    for _ in range(3):
        for chance in ("seeded", "explicit"):
            for forced in ("take", "ask"):
                s = game.new(2, seed=2, log=False, chance=chance, forced=forced)
                t = run_only(game).new(2, seed=2, log=False, chance=chance, forced=forced)
                assert (s.to_json(), s.actions) == (t.to_json(), t.actions)
    told = game.new(2, seed=2)
    assert told.node is None and told.log(0)
    assert told.clone(log=False).node is None
    alike = game.new(2, seed=2, log=False), game.new(2, seed=2, log=False, chance="explicit", forced="ask")
    assert node_of(game.graph, alike[0]) is not node_of(game.graph, alike[1])


@pytest.mark.parametrize("slot", [slot for slot in State.__slots__ if slot not in ("node", "rng", "game")])
def test_what_is_read_or_written_first_makes_a_state_whole(slot: str) -> None:
    game = load_game("leduc_poker")
    whole = game.new(2, seed=1, log=False)
    for _ in range(3):
        whole = game.new(2, seed=1, log=False)
        whole.who  # noqa: B018 (read for what it does)
    fresh, written = (game.new(2, seed=1, log=False) for _ in range(2))
    assert type(fresh) is type(written) is Standing and type(whole) is State
    assert getattr(fresh, slot) == getattr(whole, slot) and type(fresh) is State
    setattr(written, slot, getattr(whole, slot))
    assert type(written) is State
    for s in (fresh, written):
        assert all(getattr(s, name) == getattr(whole, name) for name in State.__slots__)
    with pytest.raises(AttributeError):
        game.new(2, seed=1, log=False).nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_state_of_which_nothing_was_read_can_be_all_that_a_state_can() -> None:
    game = load_game("leduc_poker")
    for seed in range(2_000):
        game.new(2, seed=seed, log=False).playout(seed)
    uses: list[Callable[[State], object]] = [
        lambda s: s.to_json(),
        lambda s: s.clone().digest(),
        lambda s: copy.deepcopy(s).view(1),
        lambda s: s.determinize(0, 3) or s.digest(),
        lambda s: s.apply(s.actions[-1]) or s.digest(),
        lambda s: s.playout(5) and (s.returns(), s.winners, s.outcome, s.digest()),
        lambda s: s.playout(5) + s.playout(6) and s.digest(),
        lambda s: [option.label for option in s.decision.options] if s.decision else [],
        repr,
    ]
    plain = run_only(game)
    standing = 0
    for seed in range(60):
        for use in uses:
            s, t = game.new(2, seed=seed, log=False), plain.new(2, seed=seed, log=False)
            standing += type(s) is Standing
            assert use(s) == use(t)
            assert s.to_json() == t.to_json()
    assert standing > 30 * len(uses)
    with pytest.raises(TypeError, match="to_json"):
        pickle.dumps(game.new(2, seed=1, log=False))


def test_draws_of_very_many_are_not_kept() -> None:
    """One of too many to have a list of them all: the way is run each time, and the games are the same."""
    game = by_hand.GAMES["draws"]
    wide = Game(game.program)
    assert graph.WIDEST >= 100
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "WIDEST", 1)
        for number in range(100):
            s, t = (one.new(2, seed=number % FEW, log=False) for one in (wide, run_only(game)))
            assert s.playout(number % 7) == t.playout(number % 7)
            assert s.to_json() == t.to_json()
    assert all(node.falls is None for ways in wide.graph.nodes.values() for node in ways.ways or ())
    for number in range(100):
        wide.new(2, seed=number % FEW, log=False).playout(number % 7)
    assert any(node.falls for ways in wide.graph.nodes.values() for node in ways.ways or ())
