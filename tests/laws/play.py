"""play: in, a game, seats and a seed; out, random games on which laws are checked, and the laws of whole games.

A game is recorded as its settings and answers, so that it can be played again otherwise: with its log off, with chance
asked, with forced answers asked, by another process.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter import CHANCE, Game, State, load_game
from interpreter.alike import drawable
from interpreter.data import list_games
from interpreter.model import STEPS
from interpreter.mutations import rnd
from tests.laws import hidden, laws
from tests.laws.laws import a_question_is_whole, asked, told
from tests.laws.sight import raw, seats, unchanged

OWN = Path(__file__).resolve().parent / "games"
Law = Callable[[Game, State], None]
LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        laws.a_question_is_whole,
        laws.a_save_is_the_state,
        laws.a_copy_is_apart,
        laws.an_old_question_stays,
        laws.an_illegal_action_changes_nothing,
        laws.answers_come_in_any_order,
        laws.pieces_are_conserved,
        laws.a_view_is_data,
        laws.it_ends,
        hidden.the_hidden_stays_hidden,
        hidden.a_log_tells_no_more_than_a_view,
        hidden.silence_tells_nothing,
    )
}
LOOKS = 30  # views are compared at one answer of so many of the same game with chance asked
MOST = 20_000  # answers until a game that does not end is given up


@dataclass(slots=True)
class Record:
    """A game that was played: how it began, every answer, the digest before each answer and at the end, and its last
    state."""

    players: int
    seed: int
    answers: list[tuple[int, int]] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    checked: int = 0
    end: State | None = None


def names() -> list[str]:
    """The games that the laws are checked on: those installed, and those invented for this."""
    return [game.name for game in list_games()] + sorted(p.as_posix() for p in OWN.iterdir() if p.is_dir())


def check(game: Game, s: State, laws: dict[str, Law] = LAWS) -> None:
    """All laws on one state; none of them may change it."""
    before = raw(s)
    for name, law in laws.items():
        law(game, s)
        assert unchanged(s, before), f"reading a state for {name} changes it"


def counts(game: Game) -> range:
    return range(game.players[0], game.players[1] + 1)


def play(
    game: Game,
    players: int,
    seed: int,
    every: int = 1,
    laws: dict[str, Law] = LAWS,
    pick: Callable[[int], int] | None = None,
    record: Record | None = None,
    **settings: Any,
) -> Record:
    """A random game; every n-th decision and the end are checked by laws, copies of those states again at the end.
    pick: number of options → which one, instead of a random one. record: is filled, also when a law breaks."""
    dice = random.Random(f"{game.name} {players} {seed}")
    record = record or Record(players, seed)
    s = game.new(players, seed=seed, **settings)
    kept: list[tuple[State, str]] = []
    while True:
        record.digests.append(s.digest())
        # The first states are checked at another place in each game, so that all places are met by many games.
        if s.over or (len(record.answers) + seed) % every == 0:
            check(game, s, laws)
            record.checked += 1
            kept.append((s.clone(log=False), record.digests[-1]))
        if s.over:
            record.end = s
            break
        assert len(record.answers) < MOST, f"no end after {MOST} answers"
        d = dice.choice(s.decisions)
        assert d.options, "there is no option"
        action = d.options[pick(len(d.options)) if pick else dice.randrange(len(d.options))].action
        record.answers.append((d.player, action))
        s.apply(action, seat=d.player)
    for copy, digest in kept:
        assert copy.digest() == digest, "an earlier state has changed"
    return record


# ---------------------------------------------------------------- laws of whole games


def replayed(game: Game, record: Record, **settings: Any) -> State:
    """The end of the same game again, answer by answer, each state the same as then."""
    s = game.new(record.players, seed=record.seed, **settings)
    for (seat, action), digest in zip(record.answers, record.digests):
        assert s.digest() == digest, "a replay goes otherwise"
        s.apply(action, seat=seat)
    assert s.over and s.digest() == record.digests[-1], "a replay ends otherwise"
    return s


def a_replay_is_equal(game: Game, record: Record) -> None:
    first, second = record.end, replayed(game, record)
    assert first is not None and first.to_json() == second.to_json(), "a replay is saved otherwise"
    assert [first.log(k) for k in seats(first)] == [second.log(k) for k in seats(second)], "a replay tells otherwise"


def a_log_changes_nothing(game: Game, record: Record) -> None:
    """Log on or off: the same game."""
    loud, quiet = record.end, replayed(game, record, log=False)
    assert loud is not None and loud.lg is not None
    assert (quiet.scores(), quiet.winners, quiet.outcome) == (loud.scores(), loud.winners, loud.outcome)
    assert all(quiet.log(k) == [] for k in seats(quiet))
    assert [quiet.view(k) for k in seats(quiet)] == [loud.view(k) for k in seats(loud)]


def forced_asked_is_forced_taken(game: Game, record: Record) -> None:
    """With forced answers asked, the same states come up, and between them questions with one option only."""
    s = game.new(record.players, seed=record.seed, forced="ask")
    left = iter(zip([*record.answers, None], record.digests))
    for answer, digest in left:
        while s.digest() != digest:
            assert not s.over and len(s.actions) == 1, "a forced answer is none"
            s.apply(s.actions[0])
        if answer is not None:
            s.apply(answer[1], seat=answer[0])
    assert s.over


def chance_asked_is_chance_drawn(game: Game, record: Record) -> None:
    """Chance answered with what the seeded game drew: the same states, views, scores and end. Forced answers are asked
    in both, so that chance is asked for the last card as well."""
    seeded = game.new(record.players, seed=record.seed, forced="ask")
    asking = game.new(record.players, seed=record.seed, forced="ask", chance="explicit")
    dice = random.Random(record.seed)
    for count in range(MOST):
        while not asking.over and asking.who == CHANCE:
            if count % LOOKS == 0:
                a_question_is_whole(game, asking)
            asking.apply(drawn(asking))
        assert made_of(asking) == made_of(seeded), "chance asked and chance drawn differ"
        if count % LOOKS == 0 or seeded.over:
            assert asking.digest() == seeded.digest()
            assert [asking.view(k) for k in seats(asking)] == [seeded.view(k) for k in seats(seeded)]
        if seeded.over:
            break
        action = dice.choice(seeded.actions)
        seeded.apply(action)
        asking.apply(action)
    assert asking.over and seeded.over
    assert (asking.scores(), asking.winners, asking.returns(), asking.outcome) == (
        seeded.scores(),
        seeded.winners,
        seeded.returns(),
        seeded.outcome,
    )


def made_of(s: State) -> tuple[Any, ...]:
    """All that a digest is made of, and what is asked."""
    v = s.v[:]
    v[STEPS] = 0
    return v, s.z, s.st, s.rng, s.pend, s.mods, s.who, tuple(s.opts)


def drawn(s: State) -> int:
    """What a seeded game would draw at an open question of chance: its next random number among all that could come.
    Cards that look alike are one option; here each counts. The number is taken from the state that asks."""
    all_ = drawable(s, s.actions)
    return all_[rnd(s, len(all_))]


WHOLE: dict[str, Callable[[Game, Record], None]] = {
    law.__name__: law
    for law in (a_replay_is_equal, a_log_changes_nothing, forced_asked_is_forced_taken, chance_asked_is_chance_drawn)
}


def transcript(name: str, games: int) -> Iterator[str]:
    """For each count of players and each of some games: a digest of all its states, and of what a few of them ask, show
    and tell."""
    game = load_game(name)
    for players in counts(game):
        for seed in range(games):
            heard = hashlib.sha256(game.digest.encode())

            def hear(game: Game, s: State, heard: Any = heard) -> None:
                heard.update(json.dumps([asked(s), told(s), s.to_json()]).encode())

            record = play(game, players, seed, every=7, laws={"hear": hear})
            heard.update(json.dumps([record.digests, record.answers]).encode())
            yield f"{players} {seed} {heard.hexdigest()}"
