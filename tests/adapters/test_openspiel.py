"""openspiel: in, every installed game; asserted, that OpenSpiel's own suites pass, and OpenSpiel's figures for two games."""

from __future__ import annotations

import random
import unittest
from collections import Counter
from typing import Any

import pytest

from tests.adapters.tables import LONG, NAMES, SIMULTANEOUS, registered, spiel

pyspiel = pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")
api_test = pytest.importorskip("open_spiel.integration_tests.api_test")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    expected_game_score,
    exploitability,
    get_all_states,
    sample_some_states,
)
from open_spiel.python.tests import games_sim_test  # noqa: E402

from interpreter.adapters.openspiel import register  # noqa: E402

SAMPLE = 60  # states of each game
STATES = {"kuhn_poker": (4, 24, 30), "leduc_poker": (157, 3780, 5520)}
INFORMATION_STATES = {"kuhn_poker": 12, "leduc_poker": 936}


@pytest.mark.parametrize("name", NAMES)
def test_random_simulation_with_saving(name):
    pyspiel.random_sim_test(spiel(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_simulation_with_copies_and_pickles(name):
    np.random.seed(1)
    games_sim_test.GamesSimTest().sim_game(spiel(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_simulation_of_a_whole_long_game(name):
    game = pyspiel.load_game(registered(name))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    np.random.seed(1)
    games_sim_test.GamesSimTest().sim_game(game)


def suite(base: Any, game: Any, name: str, **more: Any) -> Any:
    """OpenSpiel's class of tests, for this game."""
    return type(f"{base.__name__}_{name}", (base,), {"game": game, "game_name": name, **more})


def passes(case: Any) -> None:
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert [text for _, text in result.failures + result.errors] == []


def states_of_games(game: Any, count: int) -> list[Any]:
    """So many states that random games pass, first those of the first game. OpenSpiel's own sample of a game whose players
    choose at once is its first state only."""
    dice = random.Random(2)
    found: list[Any] = []
    while True:
        state = game.new_initial_state()
        while True:
            found.append(state.clone())
            if len(found) == count:
                return found
            if state.is_terminal():
                break
            if state.is_simultaneous_node():
                state.apply_actions([dice.choice(state.legal_actions(seat)) for seat in range(game.num_players())])
            else:
                state.apply_action(dice.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_the_interface_on_a_part_of_the_tree(name):
    game = spiel(name)

    def sampled(cls: Any) -> None:
        random.seed(2)
        if name in SIMULTANEOUS:
            cls.some_states = states_of_games(cls.game, SAMPLE)
            assert sum(state.is_terminal() for state in cls.some_states) >= 2
        else:
            cls.some_states = sample_some_states.sample_some_states(cls.game, max_states=SAMPLE)
        cls.game_type = cls.game.get_type()

    passes(suite(api_test.EnforceAPIOnPartialTreeBase, game, name, setUpClass=classmethod(sampled)))


def test_the_interface_on_the_whole_tree_of_a_small_game():
    game = pyspiel.load_game(register("kuhn_poker", "small_game", utility="zero_sum"))
    passes(suite(api_test.EnforceAPIOnFullTreeBase, game, "kuhn_poker"))


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_who_choose_at_once_can_be_asked_in_turn(name):
    game = spiel(name)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    in_turn = pyspiel.convert_to_turn_based(game)
    assert in_turn.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    dice = random.Random(3)
    state = in_turn.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
    assert sum(state.returns()) == 0

    def sampled(cls: Any) -> None:
        random.seed(2)
        cls.some_states = sample_some_states.sample_some_states(cls.game, max_states=SAMPLE)
        cls.game_type = cls.game.get_type()

    passes(suite(api_test.EnforceAPIOnPartialTreeBase, in_turn, name, setUpClass=classmethod(sampled)))


@pytest.mark.parametrize("name", STATES)
def test_states_by_kind(name):
    found = get_all_states.get_all_states(spiel(name), include_chance_states=True).values()
    kinds = Counter(state.get_type() for state in found)
    kind = pyspiel.StateType
    assert (kinds[kind.CHANCE], kinds[kind.DECISION], kinds[kind.TERMINAL]) == STATES[name]


@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("leduc_poker", marks=pytest.mark.slow)])
def test_information_states_are_those_of_perfect_recall(name):
    found = get_all_states.get_all_states(spiel(name), include_terminals=False).values()
    texts = {(state.current_player(), state.information_state_string()) for state in found}
    assert len(texts) == INFORMATION_STATES[name]
    rows = {(state.current_player(), tuple(state.information_state_tensor())) for state in found}
    assert len(rows) == INFORMATION_STATES[name]


def test_figures_of_a_small_game():
    game = spiel("kuhn_poker", utility="zero_sum")
    uniform = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, uniform) == pytest.approx(11 / 12, abs=1e-12)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(120):
        solver.evaluate_and_update_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.02


def test_a_kind_of_utility_that_does_not_hold_is_refused():
    state = spiel("pig", utility="identical").new_initial_state()
    dice = random.Random(4)
    with pytest.raises(ValueError, match="no identical game"):
        while True:
            state.returns()
            outcomes = state.legal_actions()
            state.apply_action(dice.choice(outcomes))


@pytest.mark.parametrize("name", [name for name in NAMES if name in pyspiel.registered_names()])
def test_a_game_is_of_the_type_that_openspiel_gives_its_own(name):
    theirs = pyspiel.load_game(name)
    zero = theirs.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    ours = spiel(name, utility="zero_sum" if zero else "general_sum")
    for what in ("dynamics", "chance_mode", "information", "utility", "reward_model"):
        assert getattr(ours.get_type(), what) == getattr(theirs.get_type(), what), what
    assert ours.utility_sum() == theirs.utility_sum()


# ---------------------------------------------------------------- parameters


def beginning(game: Any, answers: int = 12, seed: int = 5) -> str:
    """What all seats see after a few random answers."""
    dice = random.Random(seed)
    state = game.new_initial_state()
    for _ in range(answers):
        if not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
    return "\n".join(state.observation_string(seat) for seat in range(game.num_players()))


def test_players_and_factions_change_the_table():
    two, three = spiel("clandestine"), spiel("clandestine", players=3)
    assert (two.num_players(), three.num_players()) == (2, 3)
    first, second, third, *_ = two.game.factions
    chosen = spiel("clandestine", factions=f"{third}+{first}")
    assert chosen.num_players() == 2
    for seat, faction in enumerate((third, first)):
        assert chosen.root.state.view(seat)["players"][seat]["faction"] == faction
    assert spiel("clandestine", factions=f"{first}+{second}+{third}").num_players() == 3
    assert spiel("crazy_eights", players=4).num_players() == 4


def test_mods_change_the_game(tmp_path):
    mod = tmp_path / "more-heaps"
    mod.mkdir()
    (mod / "mod.yaml").write_text(
        "language: 1\nname: More Heaps\nversion: 1.0.0\nextends: nim\ndescription: One heap more.\n", encoding="utf-8"
    )
    (mod / "heaps.yaml").write_text(HEAP, encoding="utf-8")
    plain, modded = spiel("nim"), spiel("nim", mods=str(mod))
    assert modded.num_distinct_actions() > plain.num_distinct_actions()
    assert modded.game.digest != plain.game.digest
    copy, state = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(modded, modded.new_initial_state())
    )
    assert str(copy) == str(modded) and copy.num_distinct_actions() == modded.num_distinct_actions()
    assert state.legal_actions() == modded.new_initial_state().legal_actions()


def test_sampled_chance_is_drawn_at_the_root_and_then_fixed():
    game = spiel("leduc_poker", chance="sampled", seed=10, samples=40)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state = game.new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 40
    begun = [state.child(sample) for sample in range(40)]
    assert (
        len({one.observation_string(0).splitlines()[0] for one in begun}) == 6
    )  # each card that may be dealt to the first seat
    for one in begun[:5]:
        dice = random.Random(6)
        while not one.is_terminal():
            assert not one.is_chance_node()
            one.apply_action(dice.choice(one.legal_actions()))
    other = spiel("leduc_poker", chance="sampled", seed=11, samples=40).new_initial_state()
    assert [str(other.child(i)) for i in range(39)] == [str(state.child(i + 1)) for i in range(39)]
    assert game.max_chance_nodes_in_history() == 1


def test_a_horizon_cuts_a_game_off_for_nothing():
    game = spiel("pig", horizon=7)
    assert game.max_game_length() == 7
    state = game.new_initial_state()
    for _ in range(7):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0, 0.0] and state.legal_actions() == []


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("tic_tac_toe", {"chance": "sampled"}, "nothing in tic_tac_toe is left to chance"),
        ("pig", {"seed": 3}, "seed and samples are for chance=sampled"),
        ("pig", {"chance": "always"}, "explicit or sampled"),
        ("pig", {"players": 3}, "for 2 players, not 3"),
        ("pig", {"utility": "small"}, "utility is one of"),
        ("pig", {"horizon": 0}, "1 or more"),
        ("clandestine", {"factions": "nobody+no-one"}, "no faction"),
        ("clandestine", {"factions": "a+b", "players": 3}, "2 factions for 3 players"),
    ],
)
def test_a_parameter_that_changes_nothing_or_means_nothing_is_refused(name, params, words):
    with pytest.raises(ValueError, match=words):
        spiel(name, **params)


def test_only_known_parameters_are_registered():
    with pytest.raises(ValueError, match="no parameter is called 'colour'"):
        register("pig", colour="red")
    assert registered("pig") in pyspiel.registered_names()


HEAP = """\
heaps:
  - {name: Far Heap, from: original}
"""


# ---------------------------------------------------------------- bounds of returns

SPANS = {
    "bargaining": (0, 10),
    "crazy_eights": (-952, 0),  # each penalty of a card in hand
    "first_sealed_auction": (0, 10),
    "goofspiel": (-1, 1),
    "hearts": (0, 26),
    "kuhn_poker": (-2, 2),
    "leduc_poker": (-13, 13),
    "tic_tac_toe": (-1, 1),
}


@pytest.mark.parametrize("name", SPANS)
def test_between_which_numbers_a_game_ends_is_read_from_its_text(name):
    game = spiel(name)
    assert (game.min_utility(), game.max_utility()) == SPANS[name]
