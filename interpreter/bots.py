"""bots: in, a state, its open decision and a stream of random numbers; out, the action that a bot answers with.

A bot has a stream of its own, made from the game's seed and its seat, so that it never disturbs the game's numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.state import State

Bot = Callable[["State", "Decision", Random], int]


def at_random(state: State, decision: Decision, stream: Random) -> int:
    """Any option, each as likely."""
    options = decision.options
    return options[int(stream.random() * len(options))].action


def the_first(state: State, decision: Decision, stream: Random) -> int:
    """Always the first option."""
    return decision.options[0].action


BOTS: dict[str, Bot] = {"random": at_random, "first": the_first}


def stream_of(seed: int, seat: int, decision: int = 0) -> Random:
    """The stream of the bot at a seat of the game with this seed, from a decision on. Only random() is to be read from
    it: Python promises that alone to give the same numbers in every version."""
    return Random(f"bot {seat} of game {seed} from {decision}")


def bots_for(names: list[str], seats: int) -> list[str]:
    """A bot's name for each seat: one name stands for all of them. Raises ValueError with what is wrong."""
    for name in names:
        if name not in BOTS:
            raise ValueError(f'no bot is called "{name}"; there are {", ".join(BOTS)}')
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        raise ValueError(f"{seats} seats want one bot for all or {seats} of them, not {len(names)}")
    return list(names)
