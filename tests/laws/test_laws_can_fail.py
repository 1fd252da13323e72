"""laws can fail: in, games with a fault put in on purpose; asserted, that the law against it says so.

A fault is a function that patches the engine or the compiled code of a game loaded for this alone. Without the fault,
the same games pass (test_laws.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from interpreter import Decision, Game, State, load_game
from interpreter.model import ROUND
from interpreter.mutations import mix64, rnd
from tests import handmade
from tests.laws import hidden, laws
from tests.laws import play as walks
from tests.laws.test_laws import transcript_of

FAIR = (walks.OWN / "fair").as_posix()
Fault = Callable[[pytest.MonkeyPatch, Game], None]
Patch = pytest.MonkeyPatch


def inside(patch: Patch, game: Game, name: str, instead: Callable[[Any], Any]) -> None:
    """Replace a function that a game's compiled code calls by what `instead` makes of it."""
    code = game.program.blocks[0].__globals__
    patch.setitem(code, name, instead(code[name]))


def around(patch: Patch, owner: Any, name: str, instead: Callable[[Any], Any]) -> None:
    patch.setattr(owner, name, instead(getattr(owner, name)))


# ---------------------------------------------------------------- faults


def a_view_that_shows_all(patch: Patch, game: Game) -> None:
    patch.setattr("interpreter.view.knower", lambda s, seat: lambda x: True)


def a_view_that_counts_hidden_cards(patch: Patch, game: Game) -> None:
    def leaky(old: Any) -> Any:
        return lambda s, seat: {**old(s, seat), "marks": sum(x for k in laws.seats(s) for x in hand(s, k))}

    around_view(patch, leaky)


def a_prompt_that_tells(patch: Patch, game: Game) -> None:
    patch.setattr(
        Decision, "prompt", property(lambda d: f"{d._asked.site.prompt} {hand(d._asked.state, 1 - d.player % 2)}")
    )


def a_log_that_names_all(patch: Patch, game: Game) -> None:
    patch.setattr("interpreter.log.knower", lambda game, seat, masks: lambda x: True)


def a_window_that_looks_into_hands(patch: Patch, game: Game) -> None:
    """It passes over who holds no answer."""
    replies = game.model.kinds["Reply"]
    code = game.program.blocks[0].__globals__
    names = [name for name in code if name.startswith("nothing_public")]
    assert names
    for name in names:
        patch.setitem(code, name, lambda s, who: not any(replies.lo <= x < replies.hi for x in hand(s, who)))


def a_deal_of_known_cards(patch: Patch, game: Game) -> None:
    around(
        patch,
        __import__("interpreter.determinize", fromlist=["x"]),
        "unknown",
        lambda old: lambda s, seat: [list(range(game.model.kinds["Charm"].lo, game.model.kinds["Charm"].hi))],
    )


def a_copy_that_shares(patch: Patch, game: Game) -> None:
    def sharing(old: Any) -> Any:
        def clone(s: State, log: bool = True) -> State:
            t = old(s, log)
            t.z = s.z
            return t

        return clone

    around(patch, State, "clone", sharing)
    patch.setattr(game, "starts", None)  # else the begun game that is kept would be spoilt before play


def a_save_that_forgets(patch: Patch, game: Game) -> None:
    around(patch, State, "to_json", lambda old: lambda s: old(s).replace(f'"rng":"{s.rng:016x}"', f'"rng":"{7:016x}"'))


def a_log_that_draws(patch: Patch, game: Game) -> None:
    def drawing(old: Any) -> Any:
        def mv(s: State, *args: Any) -> None:
            if s.lg is not None:
                rnd(s, 2)
            old(s, *args)

        return mv

    inside(patch, game, "mv", drawing)


def a_number_from_elsewhere(patch: Patch, game: Game) -> None:
    count = itertools.count()
    inside(patch, game, "rnd", lambda old: lambda s, n: (old(s, n) + next(count)) % n)


def a_seeded_game_that_draws_twice(patch: Patch, game: Game) -> None:
    inside(patch, game, "rnd", lambda old: lambda s, n: old(s, n) if s.explicit else old(s, n) * 0 + old(s, n))


def a_forced_answer_that_is_not_the_same(patch: Patch, game: Game) -> None:
    def worse(old: Any) -> Any:
        def mv(s: State, *args: Any) -> None:
            if not s.auto:
                rnd(s, 2)
            old(s, *args)

        return mv

    inside(patch, game, "mv", worse)


def a_card_in_two_places(patch: Patch, game: Game) -> None:
    def doubling(old: Any) -> Any:
        def mv(s: State, x: int, zone: int, *args: Any) -> None:
            old(s, x, zone, *args)
            s.z[zone] += (x,)

        return mv

    inside(patch, game, "mv", doubling)


def a_card_that_gets_lost(patch: Patch, game: Game) -> None:
    inside(
        patch,
        game,
        "mv",
        lambda old: lambda s, x, zone, *args: s.z.__setitem__(zone, s.z[zone][:-1]) or old(s, x, zone, *args),
    )


def a_refusal_that_leaves_a_trace(patch: Patch, game: Game) -> None:
    def tracing(old: Any) -> Any:
        def checked(s: State, option: Any, seat: int | None) -> int:
            s.v[ROUND] += 1
            return int(old(s, option, seat))

        return checked

    around(patch, State, "_checked", tracing)


def anything_is_taken(patch: Patch, game: Game) -> None:
    def lax(old: Any) -> Any:
        def checked(s: State, option: Any, seat: int | None) -> int:
            s.answering = s.who
            return (
                option if isinstance(option, int) and option in range(game.num_actions) else int(old(s, option, seat))
            )

        return checked

    around(patch, State, "_checked", lax)


def answers_that_hang_on_their_order(patch: Patch, game: Game) -> None:
    def hanging(old: Any) -> Any:
        def apply(s: State, option: Any, seat: int | None = None) -> None:
            old(s, option, seat)
            s.rng = mix64(s.rng + (seat or 0))

        return apply

    around(patch, State, "apply", hanging)


def labels_that_are_alike(patch: Patch, game: Game) -> None:
    patch.setattr("interpreter.labels.labels", lambda s, opts, seat: ("this",) * len(opts))


def a_view_that_draws(patch: Patch, game: Game) -> None:
    around_view(patch, lambda old: lambda s, seat: {**old(s, seat), "seat": seat + 0 * rnd(s, 2)})


def a_view_that_is_no_data(patch: Patch, game: Game) -> None:
    around_view(patch, lambda old: lambda s, seat: {**old(s, seat), "spaces": ()})


def a_playout_by_its_own_mood(patch: Patch, game: Game) -> None:
    count = itertools.count()
    around(patch, State, "playout", lambda old: lambda s, seed: old(s, seed + next(count)))


def around_view(patch: Patch, instead: Callable[[Any], Any]) -> None:
    around(patch, __import__("interpreter.view", fromlist=["x"]), "view", instead)


def hand(s: State, seat: int) -> tuple[int, ...]:
    zone = s.prog.model.zones["Hand"]
    return s.z[zone.base + seat]


# ---------------------------------------------------------------- each is found


STATE: list[tuple[Fault, Any, str]] = [
    (a_view_that_shows_all, hidden.the_hidden_stays_hidden, "the view of seat"),
    (a_view_that_counts_hidden_cards, hidden.the_hidden_stays_hidden, "the view of seat"),
    (a_prompt_that_tells, hidden.the_hidden_stays_hidden, "the question of seat"),
    (a_log_that_names_all, hidden.a_log_tells_no_more_than_a_view, "the log tells"),
    (a_window_that_looks_into_hands, hidden.silence_tells_nothing, "sees what others hold"),
    (a_deal_of_known_cards, hidden.the_hidden_stays_hidden, "after determinize"),
    (a_copy_that_shares, laws.a_copy_is_apart, "changes the original"),
    (a_save_that_forgets, laws.a_save_is_the_state, "a loaded state"),
    (a_card_in_two_places, laws.pieces_are_conserved, "two places"),
    (a_card_that_gets_lost, laws.pieces_are_conserved, "a thing is lost"),
    (a_refusal_that_leaves_a_trace, laws.an_illegal_action_changes_nothing, "changes the state"),
    (anything_is_taken, laws.an_illegal_action_changes_nothing, "is taken"),
    (answers_that_hang_on_their_order, laws.answers_come_in_any_order, "the order of secret answers"),
    (labels_that_are_alike, laws.a_question_is_whole, "this"),
    (a_view_that_draws, laws.a_view_is_data, "changes it"),
    (a_view_that_is_no_data, laws.a_view_is_data, "is no data"),
    (a_playout_by_its_own_mood, laws.it_ends, "not a function of its seed"),
]
WHOLE: list[tuple[Fault, Any, str]] = [
    (a_log_that_draws, walks.a_log_changes_nothing, "a replay goes otherwise"),
    (a_number_from_elsewhere, walks.a_replay_is_equal, "a replay goes otherwise"),
    (a_seeded_game_that_draws_twice, walks.chance_asked_is_chance_drawn, "chance asked"),
    (a_forced_answer_that_is_not_the_same, walks.forced_asked_is_forced_taken, "a forced answer"),
]


def named(value: Any) -> str:
    return getattr(value, "__name__", "")


def is_found(patch: Patch, fault: Fault, words: str, play: Callable[[Game, int], Any]) -> None:
    """A fault is put into a game, and one of a few games that are played is stopped with these words."""
    game = load_game(FAIR)
    fault(patch, game)
    with pytest.raises(AssertionError, match=words):
        for seed in range(12):
            play(game, seed)


@pytest.mark.parametrize("fault, law, words", STATE, ids=named)
def test_a_fault_is_found_by_its_law(monkeypatch: Patch, fault: Fault, law: Any, words: str) -> None:
    is_found(
        monkeypatch, fault, words, lambda game, seed: walks.play(game, 2 + seed % 2, seed, laws={law.__name__: law})
    )


@pytest.mark.parametrize("fault, law, words", WHOLE, ids=named)
def test_a_fault_is_found_by_the_law_of_whole_games(monkeypatch: Patch, fault: Fault, law: Any, words: str) -> None:
    is_found(monkeypatch, fault, words, lambda game, seed: law(game, walks.play(game, 2 + seed % 2, seed, laws={})))


def test_a_copy_that_shares_is_found_at_the_end_as_well(monkeypatch: Patch) -> None:
    game = load_game(FAIR)
    a_copy_that_shares(monkeypatch, game)
    with pytest.raises(AssertionError, match="an earlier state has changed"):
        walks.play(game, 2, 0, laws={})


def test_a_question_without_options_is_found() -> None:
    s = load_game(FAIR).new(2)
    s.opts = ()
    with pytest.raises(AssertionError):
        laws.a_question_is_whole(s.game, s)


@pytest.mark.parametrize("native", [False, True])
def test_a_game_without_end_is_found(native: bool) -> None:
    game = handmade.endless(native)
    s = game.new(2)
    s.playout(0)
    assert s.over and s.outcome == "endless"  # what test_games_do_not_go_on_without_end refuses


def test_a_hash_seed_that_matters_is_found() -> None:
    fault = """
import interpreter.view as at
old = at.view
at.view = lambda s, seat: {**old(s, seat), "names": list(set(s.prog.model.names_of))}
"""
    assert len({transcript_of("kuhn_poker", seed, fault) for seed in ("1", "4242")}) > 1
