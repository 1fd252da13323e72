"""position: a game in play as an adapter needs it: never changed in place, with what each seat has seen on the way.

In: a State at its start, then answers. Out: Positions: who is asked and what, what a seat sees in numbers and text, and
what it remembers: its own decisions, and a digest of all that it saw, in order. What is remembered is worked out when it
is asked for, by playing again from where that was done last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter import load_game, machine
from interpreter.adapters import features
from interpreter.labels import labels
from interpreter.model import PLAYERS

if TYPE_CHECKING:
    from interpreter.adapters.features import Features
    from interpreter.game import Game
    from interpreter.state import State

CHANCE = -1
Step = tuple[tuple[int, int], ...]  # (seat, action) of each seat that answers at once
BITS = 64  # of a digest, in a row of numbers
SHOWN = 12  # so many of the last decisions are written out


@lru_cache(maxsize=32)
def loaded(name: str, mods: tuple[str, ...]) -> Game:
    """A game by name or path, kept: what is on the disk is read once."""
    return load_game(name, list(mods))


class Memory(NamedTuple):
    """What a seat remembers. past: a digest of what it saw and did, in order; now: what it sees; own: its actions;
    words: the last of them in words."""

    past: str
    now: str
    own: tuple[int, ...]
    words: tuple[str, ...]

    def text(self) -> str:
        return f"{self.now}\nown ({len(self.own)}): {'; '.join(self.words)}\npast: {self.past}"

    def row(self, actions: int) -> list[float]:
        """How often each action was taken, and the digest in bits."""
        out = [0.0] * (actions + BITS)
        for action in self.own:
            out[action] += 1
        number = int(self.past, 16) >> (4 * len(self.past) - BITS)
        for i in range(BITS):
            out[actions + i] = float(number >> i & 1)
        return out


class Way(NamedTuple):
    """How a position came about: from a state at which the seats remember this, by these steps (the last one outside)."""

    start: State
    memories: tuple[Memory, ...]
    steps: tuple[Any, Step] | None


class Position:
    __slots__ = ("_rows", "_way", "count", "features", "state")

    def __init__(self, state: State, shown: Features, way: Way | None = None, count: int = 0) -> None:
        self.state = state
        self.features = shown
        self.count = count  # of answers so far; what is answered at once counts as one
        self._way = way or Way(state, tuple(met(state, seat, None, None) for seat in range(state.v[PLAYERS])), None)
        self._rows: dict[int, list[float]] = {}

    def __deepcopy__(self, memo: Any) -> Position:
        return self  # nothing here changes

    # ------------------------------------------------------------ asking and answering

    def asked(self) -> tuple[int, ...]:
        """The seats asked, CHANCE, or nobody at the end."""
        s = self.state
        return machine.open_seats(s) if s.opts else ()

    def actions(self, seat: int) -> list[int]:
        """What this seat may answer, in order; [] if it is not asked."""
        s = self.state
        if seat not in self.asked():
            return []
        return sorted(s.opts if seat == s.who else s.prog.questions[s.st[-1]](s, seat))

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, with probabilities."""
        decision = self.state.decision
        assert decision is not None and decision.player == CHANCE
        return sorted(zip((option.action for option in decision.options), decision.odds()))

    def label(self, seat: int, action: int) -> str:
        """An action in words, unlike those of the seat's other actions."""
        s = self.state
        opts = self.actions(seat)
        if action not in opts:
            return labels(s, (action,), seat)[0] if 0 <= action < s.game.num_actions else f"no action {action}"
        words = labels(s, opts, seat)
        mine = words[opts.index(action)]
        return mine if words.count(mine) == 1 else f"{mine} ({action})"

    def after(self, *step: tuple[int, int]) -> Position:
        """The position after these seats' answers. Raises IllegalAction."""
        t = self.state.clone()
        for seat, action in step:
            t.apply(action, seat=seat)
        way = self._way
        return Position(t, self.features, way._replace(steps=(way.steps, step)), self.count + 1)

    # ------------------------------------------------------------ what is seen

    def prompt(self, seat: int) -> str:
        return prompt(self.state, seat)

    def text(self, seat: int) -> str:
        """What this seat sees, and what it is asked."""
        return seen(self.state, seat)

    def row(self, seat: int) -> list[float]:
        """What this seat sees in numbers."""
        found = self._rows.get(seat)
        if found is None:
            found = self._rows[seat] = self.features.row(self.state.view(seat), prompt(self.state, seat))
        return found

    def public(self) -> Any:
        return features.shared([self.state.view(seat) for seat in range(self.state.v[PLAYERS])])

    def private(self, seat: int) -> str:
        return features.more(self.state.view(seat), self.public())

    def memory(self, seat: int) -> Memory:
        """What this seat remembers here."""
        if self._way.steps is not None:
            start, memories, steps = self._way
            s, found = start.clone(), list(memories)
            for step in in_turn(steps):
                done = {}
                for who, action in step:
                    done[who] = action, labels(s, (action,), who)[0]
                    s.apply(action, seat=who)
                found = [met(s, k, memory, done.get(k)) for k, memory in enumerate(found)]
            self._way = Way(self.state, tuple(found), None)
        return self._way.memories[seat]

    # ------------------------------------------------------------ as data

    def to_json(self) -> str:
        memories = [self.memory(seat) for seat in range(self.state.v[PLAYERS])]
        return json.dumps({"state": self.state.to_json(), "memories": memories, "count": self.count})

    @staticmethod
    def from_json(game: Game, shown: Features, data: str) -> Position:
        read = json.loads(data)
        state = game.from_json(read["state"])
        memories = tuple(Memory(past, now, tuple(own), tuple(words)) for past, now, own, words in read["memories"])
        return Position(state, shown, Way(state, memories, None), read["count"])


def in_turn(steps: tuple[Any, Step] | None) -> Iterator[Step]:
    """The steps, the first one first."""
    found: list[Step] = []
    while steps is not None:
        steps, step = steps
        found.append(step)
    return reversed(found)


def prompt(s: State, seat: int) -> str:
    return s.prog.sites[s.st[-1]].prompt if s.opts and seat in machine.open_seats(s) else ""


def seen(s: State, seat: int) -> str:
    now = f"seat {seat}: {features.text(s.view(seat))}"
    asked = prompt(s, seat)
    if asked:
        opts: Sequence[int] = s.opts if seat == s.who else s.prog.questions[s.st[-1]](s, seat)
        now += f"\nasked: {asked}: {sorted(opts)}"
    return now


def met(s: State, seat: int, memory: Memory | None, done: tuple[int, str] | None) -> Memory:
    """What a seat remembers when it sees this, after what it did itself."""
    now = seen(s, seat)
    if memory is None:
        return Memory(blake2b(now.encode(), digest_size=16).hexdigest(), now, (), ())
    if done is None and now == memory.now:
        return memory
    past, _, own, words = memory
    if done is not None:
        own, words = (*own, done[0]), (*words, done[1])[-SHOWN:]
    whole = f"{past}\n{done[0] if done else ''}\n{now}"
    return Memory(blake2b(whole.encode(), digest_size=16).hexdigest(), now, own, words)
