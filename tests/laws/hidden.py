"""hidden: in, a game and one of its states; out, nothing, or an AssertionError that says who could know too much.

What a seat cannot know is dealt anew, and then looked at with that seat's eyes: at once, after others' answers, and
over the answers until it is asked again. None of these laws changes the state that it is given.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from interpreter import CHANCE, Game, State, machine
from interpreter.determinize import dealt, mapped, unknown
from interpreter.mutations import mix64
from tests.laws.laws import number, one_seat, pieces_are_conserved, seats, seldom

DEALS = 2  # deals tried for each seat
LEARNED = "learned"  # a card was shown to the seat
LONGEST = 64  # questions that others may answer between two of a seat's own


def deals(s: State, seat: int) -> Iterator[tuple[State, dict[int, int]]]:
    """Copies of s in which what this seat cannot know is dealt anew, and which thing stands where another was. Unlike
    determinize, this leaves no deal out, whatever the seat would be asked under it."""
    groups = unknown(s, seat)
    for k in range(DEALS if groups else 0):
        dice = random.Random(f"{s.digest()} {seat} {k}")
        swap = {x: y for things in groups for x, y in zip(things, dice.sample(things, len(things)))}
        yield dealt(s, swap), swap


def fresh(s: State) -> State:
    """A copy whose log begins here, and in which chance is asked."""
    t = s.clone(log=False)
    t.lg = []
    t.explicit = True
    return t


def known_to(s: State, seat: int, log: bool = False) -> tuple[Any, ...]:
    """All that a seat may know: what it sees, what it was told if log, what it is asked and in which words."""
    mine = [
        (d.prompt, d.source, d.min, d.max, d.labels(), [o.action for o in d.options], [o.target for o in d.options])
        for d in s.decisions
        if d.player == seat
    ]
    return s.view(seat), s.log(seat) if log else [], mine, s.over


def same(t: State, seat: int, before: tuple[Any, ...], when: str, log: bool = False) -> None:
    for what, old, new in zip(("view", "log", "question", "end"), before, known_to(t, seat, log)):
        assert new == old, f"the {what} of seat {seat} differs {when}: {difference(old, new)}"


def difference(old: Any, new: Any, path: str = "") -> str:
    """Where two values of JSON types first differ."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return next((difference(old[k], new[k], f"{path}/{k}") for k in old if old[k] != new[k]), "")
    if isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        pairs = enumerate(zip_longest(old, new))
        return next((difference(a, b, f"{path}/{i}") for i, (a, b) in pairs if a != b), "")
    return f"{path}: {str(old)[:300]} / {str(new)[:300]}"


def the_hidden_stays_hidden(game: Game, s: State) -> None:
    """Views, logs and questions of a seat are the same when what it cannot know is dealt anew."""
    log = seldom(s)
    s = s.clone(log=log)
    for seat in seats(s) if log else [one_seat(s)]:
        before = known_to(s, seat, log)
        for k in range(DEALS):
            t, seed = s.clone(), mix64(number(s) + k)
            t.determinize(seat, seed)
            same(t, seat, before, "after determinize", log)
            assert s.over or (t.decision is not None and t.decision.player == s.who and t.actions)
            if k == 0:
                a_dealt_state_is_whole(game, s, t, seat, seed)
        for t, _ in deals(s, seat):
            if reopened(t, s):
                same(t, seat, (before[0], [], *before[2:]), "under another deal")


def a_dealt_state_is_whole(game: Game, s: State, t: State, seat: int, seed: int) -> None:
    """Determinize gives the same again, and a state that can be saved and played on."""
    u = s.clone()
    u.determinize(seat, seed)
    assert u.digest() == t.digest(), "determinize is not a function of its seed"
    pieces_are_conserved(game, t)
    loaded = game.from_json(t.to_json())
    assert loaded.digest() == t.digest() and known_to(loaded, seat) == known_to(t, seat)
    if seldom(s):
        u.playout(seed)
        assert u.over


def some(s: State, most: int) -> list[int]:
    """A few of the actions, always the same ones of one state."""
    return random.Random(number(s)).sample(s.actions, min(most, len(s.actions)))


def reopened(t: State, s: State) -> bool:
    """Ask again what is open in a state that was dealt anew. False if somebody else's question cannot be asked then."""
    if s.over:
        return True
    t.who, t.opts = machine.derive(t)
    return t.who == s.who and bool(t.opts)


def silence_tells_nothing(game: Game, s: State) -> None:
    """From a seat's own answer to its next, the views that come up are the same whatever the others hold, as long as
    they pass in every window and nothing random happens."""
    if s.over or s.who == CHANCE:
        return
    for seat in seats(s):
        for t, _ in deals(s, seat):
            if not reopened(t, s) or (s.who != seat and not passing(s)) or known_to(t, seat) != known_to(s, seat):
                continue
            for action in some(s, 3) if s.who == seat else (-1,):
                real, other = fresh(s), fresh(t)
                heard, others = (walk(state, seat, action) for state in (real, other))
                for i, (one, two) in enumerate(zip_longest(heard, others)):
                    if one == two:
                        continue
                    if LEARNED in (one, two) or (None in (one, two) and (one or two)[0]["deciding"] != "responses"):
                        break  # in one of the two deals, others are asked in earnest
                    raise AssertionError(f"seat {seat} sees what others hold, {i} answers on: {difference(one, two)}")


def a_log_tells_no_more_than_a_view(game: Game, s: State) -> None:
    """Where another's answer leads to equal views under two deals, it is told in equal words."""
    if s.over or s.who == CHANCE:
        return
    for seat in seats(s):
        for t, swap in deals(s, seat):
            if s.who == seat or not reopened(t, s):
                continue
            for action in some(s, 4):
                real, other = fresh(s), fresh(t)
                twin = mapped(s, action, swap)
                if twin not in other.actions:
                    continue
                real.apply(action)
                other.apply(twin)
                if not learned(s, real, seat) | learned(t, other, seat) and real.view(seat) == other.view(seat):
                    one, two = real.log(seat), other.log(seat)
                    assert one == two, f"the log tells seat {seat} what its view does not: {difference(one, two)}"


def learned(before: State, s: State, seat: int) -> bool:
    """Whether a seat has come to know a card."""
    first, count = s.prog.model.seen, s.prog.model.things
    pairs = zip(before.v[first : first + count], s.v[first : first + count])
    return any(new & ~old & 1 << seat for old, new in pairs)


def passing(s: State) -> bool:
    return s.prog.sites[s.st[-1]].window


def walk(t: State, seat: int, action: int) -> list[Any]:
    """What a seat sees from an answer of its own (or a pass of another's) to its next question, to a question that
    others have to answer in earnest, or to the end."""
    out: list[Any] = []
    before = t.clone(log=False)
    for _ in range(LONGEST):
        if action < 0:
            action = next(o.action for o in t.decision.options if o.label.casefold() == "pass")
        t.apply(action)
        # What others choose in earnest may rest on what they hold, and so may whether they are asked at all.
        if not t.over and (t.who == CHANCE or (t.who != seat and not passing(t))):
            return out
        # A card that the answer shows to this seat is another one in another deal, as it should be.
        if learned(before, t, seat):
            return [*out, LEARNED]
        out.append(known_to(t, seat, log=True))
        if t.over or t.who == seat:
            return out
        action = -1
    return out
