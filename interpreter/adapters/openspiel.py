"""openspiel: any game of ours as an OpenSpiel game.

In: `register("NAME or path")`. Out: the short name (`cardscript_NAME`) that `pyspiel.load_game` then knows, with these
parameters: players; factions (`a+b`, in seat order; without them the game's first ones); mods (folders, `a;b`); chance
(`explicit`, or `sampled` from `samples` games whose seeds start at `seed`); horizon (answers after which the game is cut
off, for nothing); utility (as OpenSpiel calls it; what is claimed is checked at each end).

Seats that choose at once are a simultaneous node, as in OpenSpiel's own games: what needs turns loads the game through
`turn_based_simultaneous_game`. Sampled chance is one chance node, at the root: it draws which of the games is played, and
its luck is fixed from then on. (A Python game cannot be `SAMPLED_STOCHASTIC`: OpenSpiel has no way to save its random
state.) Numbers of actions and of chance outcomes are those of the game, and stable.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import numpy as np
    import pyspiel
except ImportError as missing:
    raise ImportError(f"{missing}; OpenSpiel comes with the extra: pip install 'cardscript[spiel]'") from missing

from interpreter.adapters.features import Features, common
from interpreter.adapters.position import BITS, CHANCE, Position, loaded

if TYPE_CHECKING:
    from interpreter.game import Game

PREFIX = "cardscript_"
FIRST, NONE = "first", "none"
LIMIT = 1_000_000  # of returns, where none can be read from the game's text
UTILITY = {
    "general_sum": pyspiel.GameType.Utility.GENERAL_SUM,
    "zero_sum": pyspiel.GameType.Utility.ZERO_SUM,
    "identical": pyspiel.GameType.Utility.IDENTICAL,
}
DEFAULTS: dict[str, Any] = {
    "players": 0,
    "factions": FIRST,
    "mods": NONE,
    "chance": "explicit",
    "seed": 0,
    "samples": 1000,
    "horizon": 10_000,
    "utility": "general_sum",
}


def register(name_or_path: Any, name: str = "", **defaults: Any) -> str:
    """Make a game known to OpenSpiel: the name that pyspiel.load_game takes, `cardscript_NAME` if none is given. defaults:
    players, factions, mods, chance, seed, samples, horizon, utility (see above), where a game is loaded without them:
    `pyspiel.load_game(register("clandestine"), {"players": 3, "horizon": 500})`."""
    source = str(name_or_path)
    strange = [key for key in defaults if key not in DEFAULTS]
    if strange:
        raise ValueError(f"no parameter is called {strange[0]!r}; they are {', '.join(DEFAULTS)}")
    short = name or PREFIX + Path(source).name
    usual = {**DEFAULTS, **defaults}
    game = loaded(source, listed(usual["mods"], ";"))
    usual["players"] = usual["players"] or game.players[0]
    kind = game_type(game, short, usual, usual)

    # OpenSpiel keeps the maker past the end of Python, which a class survives and a function does not.
    class Maker:
        def __new__(cls, params: Any = None) -> Any:
            return CardscriptGame(source, kind, usual, dict(params or {}))

    pyspiel.register_game(kind, Maker)
    return short


def listed(text: str, mark: str) -> tuple[str, ...]:
    return () if text in (FIRST, NONE, "") else tuple(text.split(mark))


def game_type(game: Game, short: str, params: dict[str, Any], usual: dict[str, Any]) -> Any:
    m, sites = game.model, list(game.program.sites.values())
    kind = pyspiel.GameType
    imperfect = (
        any(site.hidden for site in sites)
        or any(zone.seen == "owner" for zone in m.zones.values())
        or any(not counter.public for counter in m.counters.values())
    )
    if params["utility"] not in UTILITY:
        raise ValueError(f"utility is one of {', '.join(UTILITY)}, not {params['utility']!r}")
    return kind(
        short_name=short,
        long_name=m.title or m.name,
        dynamics=kind.Dynamics.SIMULTANEOUS if any(site.secret for site in sites) else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if draws(game) else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if imperfect else kind.Information.PERFECT_INFORMATION,
        utility=UTILITY[params["utility"]],
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=usual,
    )


def sums_up(utility: str, returns: list[float]) -> bool:
    """Whether an end is as the kind of utility says."""
    if utility == "zero_sum":
        return abs(sum(returns)) < 1e-9
    return utility != "identical" or len(set(returns)) == 1


def reach(game: Game) -> tuple[float, float]:
    """The least and the most that a seat can end with."""
    if game.program.returns is None:
        return -1.0, 1.0
    low, high = game.program.span or (-LIMIT, LIMIT)
    return float(low), float(max(high, low + 1))


def draws(game: Game) -> bool:
    """Whether anything in the game is left to chance."""
    return any(site.kind == "chance" for site in game.program.sites.values())


class CardscriptGame(pyspiel.Game):
    """One of our games with its parameters."""

    def __init__(self, source: str, kind: Any, usual: dict[str, Any], params: dict[str, Any]) -> None:
        given = {key: value for key, value in params.items() if value != usual[key]}
        said = {**usual, **given}
        self.game = game = loaded(source, listed(said["mods"], ";"))
        self.factions = listed(said["factions"], "+")
        if self.factions and "players" not in given:
            said["players"] = len(self.factions)
        self._check(said, usual)
        self.sampled = said["chance"] == "sampled"
        self.seed, self.samples, self.horizon = said["seed"], said["samples"], said["horizon"]
        self.seats: Any = said["players"]
        if game.factions:
            self.seats = list(self.factions or game.factions[: said["players"]])
        self.utility = said["utility"]
        begun = game.new(self.seats, seed=self.seed, log=False, chance="seeded" if self.sampled else "explicit")
        self.features = Features(begun)
        self.root = None if self.sampled else Position(begun, self.features)
        low, high = reach(game)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=(self.samples if self.sampled else game.num_actions) if draws(game) else 0,
            num_players=said["players"],
            min_utility=min(low, 0.0),
            max_utility=max(high, 0.0),
            utility_sum=0.0 if self.utility == "zero_sum" else None,
            max_game_length=self.horizon,
        )
        super().__init__(game_type(game, kind.short_name, said, usual), info, given)

    def _check(self, said: dict[str, Any], usual: dict[str, Any]) -> None:
        """Nothing is said that would change nothing."""
        if said["chance"] not in ("explicit", "sampled"):
            raise ValueError(f"chance is explicit or sampled, not {said['chance']!r}")
        if said["chance"] == "sampled" and not draws(self.game):
            raise ValueError(f"nothing in {self.game.name} is left to chance")
        if said["chance"] == "explicit" and any(said[key] != DEFAULTS[key] for key in ("seed", "samples")):
            raise ValueError("seed and samples are for chance=sampled")
        if said["samples"] < 1 or said["horizon"] < 1:
            raise ValueError("samples and horizon are 1 or more")
        if self.factions and len(self.factions) != said["players"]:
            raise ValueError(f"{len(self.factions)} factions for {said['players']} players")

    def new_initial_state(self) -> CardscriptState:
        return CardscriptState(self)

    def begin(self, sample: int) -> Position:
        """The game that has been drawn."""
        state = self.game.new(self.seats, seed=self.seed + sample, log=False, chance="seeded")
        return Position(state, self.features)

    def max_chance_nodes_in_history(self) -> int:
        return 0 if not draws(self.game) else 1 if self.sampled else self.horizon

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        if params:
            raise ValueError(f"observations have no parameters, such as {params}")
        private = pyspiel.PrivateInfoType
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == private.ALL_PLAYERS or (
            kind.perfect_recall and not (kind.public_info and kind.private_info == private.SINGLE_PLAYER)
        ):
            return None
        return Observer(self, kind.perfect_recall, kind.public_info, kind.private_info == private.SINGLE_PLAYER)


class CardscriptState(pyspiel.State):
    """A position; before a sampled game is drawn, none. saved: what the position is read from when it is wanted."""

    def __init__(self, game: CardscriptGame) -> None:
        super().__init__(game)
        self.at = Held(game, game.root)

    @property
    def position(self) -> Position | None:
        return self.at.position(self.get_game())

    def current_player(self) -> int:
        position = self.position
        if position is None:
            return int(pyspiel.PlayerId.CHANCE)
        asked = position.asked()
        if not asked or self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return asked[0] if len(asked) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        position = self.position
        return position is not None and (position.state.over or position.count >= self.get_game().horizon)

    def _legal_actions(self, player: int) -> list[int]:
        return self._position().actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.position is None:
            samples = self.get_game().samples
            return [(i, 1 / samples) for i in range(samples)]
        return self._position().outcomes()

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            if not 0 <= action < self.get_game().samples:
                raise ValueError(f"no sample {action}")
            self._go(self.get_game().begin(action))
        else:
            position = self._position()
            self._go(position.after((position.asked()[0], action)))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        position = self._position()
        self._go(position.after(*((seat, actions[seat]) for seat in position.asked())))

    def _position(self) -> Position:
        position = self.position
        assert position is not None, "the game is not drawn yet"
        return position

    def _go(self, position: Position) -> None:
        self.at = Held(self.get_game(), position)

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        return f"Game {action}" if position is None else position.label(player, action)

    def returns(self) -> list[float]:
        game, position = self.get_game(), self.position
        if position is None or not position.state.over:
            return [0.0] * game.num_players()
        found = position.state.returns()
        if not sums_up(game.utility, found):
            raise ValueError(f"{game.game.name} is no {game.utility} game: it ended with {found}")
        return found

    def __str__(self) -> str:
        position = self.position
        if position is None:
            return "before the draw"
        asked = [f"seat {seat}" if seat != CHANCE else "chance" for seat in position.asked()]
        end = position.state.outcome or "cut off"
        what = ", ".join(asked) if asked and not self.is_terminal() else end
        return f"{position.count}: {what} [{position.state.digest()}]"


class Held:
    """A position that is saved as text, and read again when it is wanted."""

    def __init__(self, game: CardscriptGame, position: Position | None) -> None:
        self._position = position
        self._saved = ""

    def __deepcopy__(self, memo: Any) -> Held:
        return self  # replaced as a whole, never changed

    def __getstate__(self) -> str:
        return self._saved or (self._position.to_json() if self._position else "-")

    def __setstate__(self, saved: str) -> None:
        self._position = None
        self._saved = saved if saved != "-" else ""

    def position(self, game: CardscriptGame) -> Position | None:
        if self._saved:
            self._position = Position.from_json(game.game, game.features, self._saved)
            self._saved = ""
        return self._position


class Observer:
    """What a seat observes, as OpenSpiel's observers tell it: in a tensor what it sees now and, with recall, its own
    actions and its past; in a string that, or the public part, or the private part alone."""

    def __init__(self, game: CardscriptGame, recall: bool, public: bool, private: bool) -> None:
        self.recall, self.public, self.private = recall, public, private
        self.actions = game.game.num_actions
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not (public and private):
            return
        now = len(game.features.places)
        parts = {"observation": now} | ({"own_actions": self.actions, "past": BITS} if recall else {})
        self.tensor = np.zeros(sum(parts.values()), np.float32)
        at = 0
        for name, size in parts.items():
            self.dict[name] = self.tensor[at : at + size]
            at += size

    def set_from(self, state: CardscriptState, player: int) -> None:
        if self.tensor is None:
            return
        position = state.position
        if position is None:
            self.tensor.fill(0)
        else:
            row = position.row(player)
            self.tensor[:] = [*row, *position.memory(player).row(self.actions)] if self.recall else row

    def string_from(self, state: CardscriptState, player: int) -> str:
        position = state.position
        if position is None:
            return f"seat {player}: nothing yet" if self.private and self.public else ""
        if self.recall:
            return position.memory(player).text()
        if self.public and self.private:
            return position.text(player)
        if self.public:
            return common(position.public())
        return position.private(player) if self.private else ""
