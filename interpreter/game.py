"""game: a loaded game, from which states are made.

In: a Program. Out: Game: its facts, new states, states from saves, perft.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from interpreter import graph, machine
from interpreter.graph import Graph, Node, node_of
from interpreter.layout import Layout, fill_paths
from interpreter.model import PLAYERS
from interpreter.mutations import GOLDEN, MASK, MIX_A, MIX_B, mix64, rnd
from interpreter.program import Program
from interpreter.state import Standing, State, new

FACTIONS = 0x5EED_FAC7_1045_D4A3  # the stream by which factions are drawn, apart from the game's own
MOST_STARTS = 64  # begun games that are kept to be copied


def seat_count(game: Game, players: int | Sequence[str]) -> int:
    """How many seats so many players, or these factions, take. Raises ValueError if the game does not allow them."""
    if isinstance(players, bool) or not isinstance(players, (int, list, tuple)):
        raise ValueError("players is a number or a list of faction ids")
    least, most = game.players
    count = players if isinstance(players, int) else len(players)
    if not least <= count <= most:
        span = str(least) if least == most else f"{least} to {most}"
        raise ValueError(f"{game.name} is for {span} players, not {count}")
    if isinstance(players, int):
        if game.factions and len(game.factions) < count:
            raise ValueError(f"{game.name} has {len(game.factions)} factions in play, for {count} players")
        return count
    for ident in players:
        if ident not in game.factions:
            known = ", ".join(game.factions) or "none"
            raise ValueError(f'no faction of {game.name} has the id "{ident}"; there are: {known}')
    if len(set(players)) < count:
        raise ValueError("a faction can be played by one player only")
    return count


class Game:
    """players: (least, most). factions: record ids. names: record id → printed name. num_actions: action ints lie below
    it. digest: hex, of content, mods and engine."""

    __slots__ = (
        "digest",
        "doors",
        "factions",
        "forms",
        "graph",
        "layout",
        "model",
        "mods",
        "name",
        "names",
        "num_actions",
        "orders",
        "players",
        "program",
        "setups",
        "sorts",
        "starts",
    )

    def __init__(self, program: Program) -> None:
        m = program.model
        self.program = program
        self.model = m
        self.layout = Layout(program)
        self.name = m.name
        self.players = (m.least, m.most)
        self.factions = tuple(m.factions)
        self.names = {ident: record.name for ident, record in m.records.items()}
        self.num_actions = program.num_actions
        self.digest = m.digest
        self.mods = tuple(program.mods)
        self.forms: dict[int, tuple[str, bool, int, str]] = {}  # labels.form
        self.sorts: dict[str, Any] = {}  # view.sort_of
        self.orders: dict[int, Any] = {}  # view.in_order
        self.setups: dict[Any, Any] = {}  # setups.setups
        self.starts: dict[Any, tuple[State, bool, Node | None]] | None = {}  # see new; None: nothing is kept
        self.doors: dict[Any, Any] = {}  # players → a list whose first is the node at which each plain game begins
        self.graph = Graph()

    def blank(self) -> State:
        """A State before set-up with all that never changes in place."""
        s: State = new(State)
        s.v = self.layout.start[:]
        s.z = self.layout.zones[:]
        s.st = list(self.program.start)
        s.rng = 0
        s.pend = ()
        s.mods = ()
        s.opts = ()
        s.who = -2
        s.answering = -2
        s.lg = None
        s.auto = True
        s.explicit = False
        s.prog = self.program
        s.game = self
        s.tab = self.layout.tab
        s.node = s.drawn = None
        return s

    def new(
        self,
        players: int | Sequence[str] | None = None,
        seed: int = 0,
        log: bool = True,
        chance: str = "seeded",
        forced: str = "take",
        options: Mapping[str, Any] | None = None,
    ) -> State:
        """A state at its first decision. players: a number (factions drawn by the seed) or faction ids in seat order,
        None for the least number. Raises ValueError for what the game does not allow."""
        counted = players.__class__ is int or players is None
        if counted and not (log or options) and chance == "seeded" and forced == "take" and seed.__class__ is int:
            doors = self.doors.get(players)
            if doors is not None:
                # As graph.begin, written out: of a small game it is half the time.
                node = doors[0]
                rng = seed & MASK
                falls = node.falls
                while falls:
                    rng = (rng + GOLDEN) & MASK
                    x = (rng ^ (rng >> 30)) * MIX_A & MASK
                    x = (x ^ (x >> 27)) * MIX_B & MASK
                    node = falls[x * len(falls) >> 64]
                    falls = node.falls
                if node.ways is not None:
                    s: State = Standing()
                    s.game = self
                    s.rng = rng
                    s.node = node
                    return s
        if chance not in ("seeded", "explicit"):
            raise ValueError(f'chance is "seeded" or "explicit", not {chance!r}')
        if forced not in ("take", "ask"):
            raise ValueError(f'forced is "take" or "ask", not {forced!r}')
        seed, log = index(seed), bool(log)
        if not counted and not isinstance(players, bool) and isinstance(players, SupportsIndex):  # numpy's, say
            players, counted = index(players), True
        given = self._options(options)
        starts = self.starts
        key: Any = (players, log, chance, forced)
        plain = counted and not given
        begun = starts.get(key) if starts and plain else None
        if begun is None:
            chosen = self._seated(players, seed)
            if starts is None:
                s = self._ready(chosen, log, chance, forced, given)
                s.rng = seed & MASK
                machine.run(s, 0)
                return s
            if not plain or self.factions:
                key = (*chosen, log, chance, forced, *given.items())
                begun = starts.get(key)
            if begun is None:
                ready = self._ready(chosen, log, chance, forced, given)
                if len(starts) >= MOST_STARTS:
                    starts.clear()
                start, decided = machine.begun(ready)
                begun = starts[key] = (start, decided, None if log else node_of(self.graph, start))
        start, decided, origin = begun
        if origin is not None:
            if plain and chance == "seeded" and forced == "take" and not self.factions:
                self.doors[players] = [origin] if decided else origin.ways
            return graph.begin(self, start, origin, decided, seed)
        s = start.clone()
        s.rng = seed & MASK
        if not decided:
            machine.run(s, 0)
        return s

    def _ready(
        self, chosen: list[str | None], log: bool, chance: str, forced: str, options: Mapping[str, Any]
    ) -> State:
        """A state with these factions in seat order, before its set-up."""
        s = self.blank()
        s.auto = forced == "take"
        s.explicit = chance == "explicit"
        s.lg = [] if log else None
        s.v[PLAYERS] = len(chosen)
        for seat, faction in enumerate(chosen):
            if faction is not None:
                ids = self.model.records[faction].ids
                s.v[self.model.faction_cell + seat] = ids[0] if ids else -1
                if ids:
                    s.v[self.model.own + ids[0]] = seat
        self._set_options(s, options)
        for zone, spaces in fill_paths(self.model, len(chosen)).items():
            s.z[zone] = spaces
        return s

    def again(self, s: State) -> State:
        """A state before its set-up, with the players, factions and options of another one, without a log."""
        cell, m = self.model.faction_cell, self.model
        factions = [m.record_of[x] if x >= 0 else None for x in s.v[cell : cell + s.v[PLAYERS]]]
        t = self._ready(factions, False, "seeded", "take", {})
        for option in m.tables.get("options", {}).values():
            t.v[option] = s.v[option]
        return t

    def _seated(self, players: int | Sequence[str] | None, seed: int) -> list[str | None]:
        if players is None:
            players = self.players[0]
        count = seat_count(self, players)
        if not isinstance(players, int):
            return list(players)
        if not self.factions:
            return [None] * count
        stream = new(State)
        stream.drawn = None
        stream.rng = mix64(seed ^ FACTIONS)
        left = list(self.factions)
        return [left.pop(rnd(stream, len(left))) for _ in range(count)]

    def _options(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """What is given for options, as declared: True is not 1, and 3.0 not 3. ValueError for what is not declared."""
        if not isinstance(given, Mapping | None):
            raise ValueError(f"options are values by name, not {given!r}")
        declared = self.model.options
        found: dict[str, Any] = {}
        for name, value in (given or {}).items():
            if name not in declared:
                raise ValueError(f"{self.name} has no option {name!r}")
            values = declared[name][0]
            if not any(one == value and one.__class__ is value.__class__ for one in values):
                raise ValueError(f"option {name!r} is one of {list(values)}, not {value!r}")
            found[name] = value
        return found

    def _set_options(self, s: State, given: Mapping[str, Any]) -> None:
        """The cell of an option (tables['options']) holds its value if that is a number or a yes, else the value's
        place among the values declared."""
        cells = self.model.tables.get("options", {})
        for name, (values, default) in self.model.options.items():
            value = given.get(name, default)
            if name in cells:
                s.v[cells[name]] = int(value) if isinstance(value, int) else values.index(value)

    def from_json(self, text: str) -> State:
        """The state that to_json wrote. Raises SaveError (a ValueError) for any other text."""
        from interpreter.save import from_json

        return from_json(self, text)

    def perft(self, depth: int, players: int | Sequence[str] | None = 2) -> int:
        """Leaves of the tree of this many answers, chance and forced decisions included; a game that ends earlier is
        a leaf."""
        return machine.leaves(self.new(players, log=False, chance="explicit", forced="ask"), depth)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"
