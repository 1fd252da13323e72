"""hidden: in, a game and one of its states; out, nothing, or an AssertionError that says who could know too much.

What a seat cannot know is dealt anew (sight.twin), and then looked at with that seat's eyes: at once, after others'
answers, and over the answers until it is asked again: every seat at every state. None of these laws changes the state
that it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from interpreter import CHANCE, Game, State
from interpreter.determinize import mapped
from interpreter.mutations import mix64
from tests.laws.laws import pieces_are_conserved
from tests.laws.sight import number, one_seat, rare, raw, recent, seats, seldom, some, twin, unchanged, view

ACTIONS = 1  # answers tried at one state, others at another
LEARNED = "learned"  # a card was shown to the seat
DRAWN = "drawn"  # chance was asked; where all that it could draw looks alike, it is not
LONGEST = 64  # questions that others may answer between two of a seat's own


def fresh(s: State) -> State:
    """A copy whose log begins here, and in which chance is asked."""
    t = s.clone(log=False)
    t.lg = []
    t.explicit = True
    return t


def question(s: State, seat: int) -> list[Any]:
    """All that a seat is asked, in which words, and whether the game is over."""
    return [
        s.over,
        *(
            (d.prompt, d.source, d.min, d.max, d.labels(), [o.action for o in d.options], [o.target for o in d.options])
            for d in s.decisions
            if d.player == seat
        ),
    ]


def known_to(s: State, seat: int) -> tuple[Any, ...]:
    """All that a seat may know: what it sees, what it is asked, what it was told."""
    return s.view(seat), question(s, seat), s.log(seat)


def same(s: State, t: State, seat: int, when: str) -> None:
    """Two states show this seat the same and ask it the same. s is the state that the laws look at."""
    for what, old, new in (
        ("view", view(s, seat), t.view(seat)),
        ("question", question(s, seat), question(t, seat)),
    ):
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
    for seat in seats(s):
        found = twin(s, seat)
        if found:
            same(s, found[0], seat, "under another deal")
    seat = one_seat(s)
    before = recent(s)
    t, seed = before.clone(), mix64(number(s))
    t.determinize(seat, seed)
    same(s, t, seat, "after determinize")
    old, new = before.log(seat), t.log(seat)
    assert new == old, f"the log of seat {seat} differs after determinize: {difference(old, new)}"
    assert s.over or (t.decision is not None and t.decision.player == s.who and t.actions)
    a_dealt_state_is_whole(game, s, t, seat, seed)


def a_dealt_state_is_whole(game: Game, s: State, t: State, seat: int, seed: int) -> None:
    """Determinize gives the same again, and a state that can be saved and played on."""
    pieces_are_conserved(game, t)
    if not seldom(s):
        return
    u = recent(s)
    u.determinize(seat, seed)
    assert unchanged(u, raw(t)), "determinize is not a function of its seed"
    loaded = game.from_json(t.to_json())
    assert loaded.digest() == t.digest() and known_to(loaded, seat) == known_to(t, seat)
    if rare(s):
        u.playout(seed)
        assert u.over


def silence_tells_nothing(game: Game, s: State) -> None:
    """From a seat's own answer to its next, the views that come up are the same whatever the others hold, as long as
    they pass in every window and nothing random happens."""
    if s.over or s.who == CHANCE:
        return
    for seat in seats(s) if passing(s) else [s.who]:
        found = twin(s, seat)
        if not found:
            continue
        for action in some(s, ACTIONS) if s.who == seat else (-1,):
            if s.who == seat and action not in found[0].opts:
                continue  # then the question itself tells, which another law says
            walks = walk(fresh(s), seat, action), walk(fresh(found[0]), seat, action)
            for i, (one, two) in enumerate(zip_longest(*walks)):
                if one == two:
                    continue
                if {LEARNED, DRAWN} & {x for x in (one, two) if isinstance(x, str)}:
                    break
                if None in (one, two) and (one or two)[0]["deciding"] != "responses":
                    break  # in one of the two deals, others are asked in earnest
                raise AssertionError(f"seat {seat} sees what others hold, {i} answers on: {difference(one, two)}")


def a_log_tells_no_more_than_a_view(game: Game, s: State) -> None:
    """Where another's answer leads to equal views under two deals, it is told in equal words; but not where more
    answers were forced after it in one of them, since then the two stand at different questions."""
    if s.over or s.who == CHANCE:
        return
    after = []
    for action in some(s, ACTIONS):
        real = fresh(s)
        real.apply(action)
        after.append((action, real))
    for seat in seats(s):
        found = twin(s, seat) if seat != s.who else None
        for action, real in after if found else ():
            t, swap = found
            other = fresh(t)
            answer = mapped(s, action, swap)
            if answer not in other.actions:
                continue
            other.apply(answer)
            one, two = real.log(seat), other.log(seat)
            if one != two and answers(real) == answers(other) and not learned(s, real, seat) | learned(t, other, seat):
                assert real.view(seat) != other.view(seat), (
                    f"the log tells seat {seat} what its view does not: {difference(one, two)}"
                )


def answers(s: State) -> int:
    """How many answers a log tells of."""
    return sum(entry[0] in ("choose", "forced", "secret") for entry in s.lg or ())


def learned(before: State, s: State, seat: int) -> bool:
    """Whether a seat has come to know a card."""
    first, count = s.prog.model.seen, s.prog.model.things
    pairs = zip(before.v[first : first + count], s.v[first : first + count])
    return any(new & ~old & 1 << seat for old, new in pairs)


def passing(s: State) -> bool:
    return s.prog.sites[s.st[-1]].window


def walk(t: State, seat: int, action: int) -> Iterator[Any]:
    """What a seat sees from an answer of its own (or a pass of another's) to its next question, to a question that
    others have to answer in earnest, or to the end."""
    before = t.clone(log=False)
    for _ in range(LONGEST):
        if action < 0:
            action = next(o.action for o in t.decision.options if o.label.casefold() == "pass")
        t.apply(action)
        if t.who == CHANCE:
            yield DRAWN
            return
        # What others choose in earnest may rest on what they hold, and so may whether they are asked at all.
        if not t.over and t.who != seat and not passing(t):
            return
        # A card that the answer shows to this seat is another one in another deal, as it should be.
        if learned(before, t, seat):
            yield LEARNED
            return
        yield known_to(t, seat)
        if t.over or t.who == seat:
            return
        action = -1
