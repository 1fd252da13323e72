"""pettingzoo: in, every installed game; asserted, that PettingZoo's own suites pass, and that whole games are the same for
the same seed (the library's parallel seed test stops after one step)."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

from tests.adapters.tables import NAMES, settings

suites = pytest.importorskip("pettingzoo.test")
np = pytest.importorskip("numpy")

from interpreter import IllegalAction, load_game  # noqa: E402
from interpreter.adapters.pettingzoo import env, raw_env  # noqa: E402


@pytest.mark.parametrize("name", NAMES)
def test_the_interface(name):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")  # at the end
        warnings.filterwarnings("ignore", message=".*rendered|.*render")
        suites.api_test(env(name, **settings(name)), num_cycles=400)


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name):
    suites.seed_test(lambda: env(name, **settings(name)), num_cycles=40)


def whole_game(table: Any, seed: int) -> list[Any]:
    """All that an environment tells in one game of random answers."""
    dice = random.Random(seed)
    table.reset(seed=seed)
    told: list[Any] = []
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, info = table.last()
        told.append((agent, seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, terminated, info))
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if terminated or truncated else int(dice.choice(list(legal))))
    return told


@pytest.mark.parametrize("name", NAMES)
def test_whole_games_are_the_same_for_the_same_seed(name):
    one, two = raw_env(name, **settings(name)), env(name, **settings(name))
    whole_game(two, 1)  # what was played before makes no difference
    first = whole_game(one, 7)
    assert first == whole_game(two, 7)
    assert first == whole_game(one, 7)
    assert sum(terminated for *_, terminated, _ in first) == (0 if settings(name) else len(one.possible_agents))


def test_luck_is_another_with_another_seed_and_goes_on_without_one():
    table = raw_env("leduc_poker")

    def dealt() -> bytes:
        return bytes(
            table.observe("player_0")["observation"].tobytes() + table.observe("player_1")["observation"].tobytes()
        )

    seeded = []
    for seed in range(12):
        table.reset(seed=seed)
        seeded.append(dealt())
    assert len(set(seeded)) > 4
    table.reset(seed=0)
    following = [dealt()]
    for _ in range(11):
        table.reset()
        following.append(dealt())
    assert following == seeded


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_is_what_the_game_allows(name):
    """At random states: what the mask allows can be done, and what it forbids is refused and changes nothing."""
    table = raw_env(name, **settings(name))
    dice = random.Random(name)
    table.reset(seed=3)
    for agent in table.agent_iter(24):
        seen, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            break
        mask = seen["action_mask"]
        assert mask.dtype == np.int8 and set(mask.tolist()) <= {0, 1}
        others = [other for other in table.agents if other != agent]
        assert not any(table.observe(other)["action_mask"].any() for other in others)
        state = table.position.state
        seat = table.possible_agents.index(agent)
        (asked,) = [decision for decision in state.decisions if decision.player == seat]
        allowed = sorted(option.action for option in asked.options)
        assert np.flatnonzero(mask).tolist() == allowed
        before = state.digest()
        forbidden = np.flatnonzero(mask == 0).tolist()
        for action in (*dice.sample(forbidden, min(5, len(forbidden))), -1, len(mask)):
            with pytest.raises(IllegalAction):
                table.step(action)
        assert table.agent_selection == agent and table.position.state.digest() == before
        for action in dice.sample(allowed, min(3, len(allowed))):
            state.clone().apply(action, seat=seat)
        table.step(dice.choice(allowed))


def test_who_answers_illegally_loses_in_the_wrapped_environment():
    table = env("tic_tac_toe")
    table.reset(seed=0)
    *_, wrong = np.flatnonzero(table.last()[0]["action_mask"] == 0)
    table.step(int(wrong))
    assert table.rewards["player_0"] == -1
    assert all(table.terminations.values())


def test_players_factions_and_mods_are_taken(tmp_path):
    mod = tmp_path / "more-heaps"
    mod.mkdir()
    (mod / "mod.yaml").write_text("language: 1\nname: More Heaps\nextends: nim\n", encoding="utf-8")
    (mod / "heaps.yaml").write_text("heaps:\n  - {name: Far Heap, from: original}\n", encoding="utf-8")
    plain, modded = raw_env("nim"), raw_env("nim", mods=[mod])
    assert modded.action_space("player_0").n > plain.action_space("player_0").n
    table = raw_env("clandestine", players=3)
    assert table.possible_agents == ["player_0", "player_1", "player_2"]
    factions = list(load_game("clandestine").factions[1:3])
    table = raw_env("clandestine", players=factions)
    table.reset(seed=0)
    assert [player["faction"] for player in table.position.state.view(0)["players"]] == factions
    with pytest.raises(ValueError, match="1 or more"):
        raw_env("pig", horizon=0)


def test_who_choose_at_once_learn_nothing_of_each_other():
    table = raw_env("goofspiel")
    seen = []
    for choice in (0, -1):
        table.reset(seed=2)
        mask = table.last()[0]["action_mask"]
        assert table.agent_selection == "player_0"
        table.step(int(np.flatnonzero(mask)[choice]))
        assert table.agent_selection == "player_1"
        seen.append(table.observe("player_1"))
    assert all((seen[0][part] == seen[1][part]).all() for part in seen[0])


def test_a_seat_is_shown_what_it_sees():
    table = raw_env("leduc_poker", render_mode="ansi")
    table.reset(seed=1)
    assert table.render() == table.position.text(0)
    assert "Hand" in table.render()
