"""pettingzoo: any game of ours as a PettingZoo AEC environment.

In: `env("NAME or path")`, with players, factions, mods, horizon. Out: an environment whose agents are `player_0`, …; an
observation is `{"observation": what the seat sees in numbers, "action_mask": int8, 1 for each action it may take}`.

`raw_env` raises IllegalAction for what the mask forbids; `env` ends the game for it, at -1 for who tried, as the classic
environments do. Seats that choose at once are asked one after the other and learn nothing of each other's choice before
all have chosen: what AEC means by turns. `reset(seed=…)` sets the luck of the game; a reset without a seed goes on to the
next one. After `horizon` answers an episode is truncated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise ImportError(f"{missing}; PettingZoo comes with the extra: pip install 'cardscript[rl]'") from missing

from interpreter.adapters.features import Features
from interpreter.adapters.position import Position, loaded

LARGEST = np.float32(2**31)
ILLEGAL = -1.0


def env(name_or_path: Any, **settings: Any) -> Any:
    """The environment with PettingZoo's usual wrappers; settings as for raw_env."""
    inner = wrappers.TerminateIllegalWrapper(raw_env(name_or_path, **settings), illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class raw_env(AECEnv):
    """players: a number (of the game's factions the first ones play) or a list of faction ids in seat order."""

    def __init__(
        self,
        name_or_path: Any,
        players: int | Sequence[str] | None = None,
        mods: Iterable[Any] = (),
        horizon: int = 10_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game = loaded(str(name_or_path), tuple(map(str, mods)))
        self.metadata = {"name": game.name, "render_modes": ["human", "ansi"], "is_parallelizable": False}
        if players is None or isinstance(players, int):
            count = game.players[0] if players is None else players
            players = list(game.factions[:count]) if game.factions else count
        if horizon < 1:
            raise ValueError("horizon is 1 or more")
        self.players = players
        self.horizon = horizon
        self.render_mode = render_mode
        begun = game.new(players, log=False)
        self.features = Features(begun)
        self.possible_agents = [f"player_{seat}" for seat in range(len(begun.returns()))]
        seen = spaces.Box(-LARGEST, LARGEST, (len(self.features.places),), np.float32)
        mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.next_seed = 0

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """options are those of the interface; the game has none that change between episodes."""
        self.next_seed = seed if seed is not None else self.next_seed
        self.position = Position(self.game.new(self.players, seed=self.next_seed, log=False), self.features)
        self.next_seed += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._select()

    def _select(self) -> None:
        """Whose turn it is; at the end, everybody is told of it."""
        asked = self.position.asked()
        if asked and self.position.count < self.horizon:
            self.agent_selection = self.possible_agents[asked[0]]
            return
        if asked:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.rewards = dict(zip(self.possible_agents, self.position.state.returns()))
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        mask: Any = np.zeros(self.game.num_actions, np.int8)
        if agent == self.agent_selection and not (self.terminations.get(agent) or self.truncations.get(agent)):
            mask[self.position.actions(seat)] = 1
        return {"observation": np.array(self.position.row(seat), np.float32), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        after = self.position.after((self.possible_agents.index(agent), action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.position = after
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """What the seat sees whose turn it is."""
        text = self.position.text(self.possible_agents.index(self.agent_selection))
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""
