"""laws: in, a game and one of its states; out, nothing, or an AssertionError that says which law does not hold there.

One function a law. None of them changes the state that it is given. `LAWS` are those of one state; the laws of a whole
game (replay, log, chance, forced) are in tests/laws/play.py, which walks games and calls these.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from interpreter import CHANCE, Game, IllegalAction, State
from interpreter.determinize import dealt, mapped, unknown
from interpreter.mutations import mix64

OUTCOMES = {"won", "lost", "draw", "endless"}
DEALS = 2  # deals tried for each seat
LEARNED = "learned"  # a card was shown to the seat
LONGEST = 64  # questions that others may answer between two of a seat's own
VIEW = {"seat", "over", "phase", "deciding", "players", "zones", "spaces"}


def seats(s: State) -> range:
    return range(s.v[0])


def asked(s: State) -> list[Any]:
    """All open questions, as far as those who are asked see them."""
    return [
        (d.player, d.prompt, d.source, d.min, d.max, d.labels(), [o.action for o in d.options],
         [o.target for o in d.options], [o.probability for o in d.options], [o.action for o in d.chosen])
        for d in s.decisions
    ]


def told(s: State) -> list[Any]:
    """What all seats may know."""
    return [(s.view(k), s.log(k)) for k in seats(s)]


def snapshot(s: State) -> tuple[Any, ...]:
    """All that a state is, cheaply."""
    return s.to_json(), s.digest(), s.actions, s.who, s.over, s.scores(), s.winners, s.returns(), s.outcome


def number(s: State) -> int:
    """A number that a state's digest gives, for draws of the laws' own."""
    return int(s.digest()[:12], 16)


# ---------------------------------------------------------------- saves and copies


def a_save_is_the_state(game: Game, s: State) -> None:
    """Save, load: the same digest, the same questions, views and log, and the same future."""
    t = game.from_json(s.to_json())
    assert snapshot(t) == snapshot(s), "a loaded state differs from the one saved"
    assert asked(t) == asked(s), "a loaded state asks otherwise"
    assert told(t) == told(s), "a loaded state shows or tells otherwise"
    u, seed = s.clone(), number(s)
    assert t.playout(seed) == u.playout(seed), "a loaded state has another future"
    assert snapshot(t) == snapshot(u) and told(t) == told(u), "a loaded state has another future"


def a_copy_is_apart(game: Game, s: State) -> None:
    """Clone, change the clone: the original is as it was; change the original: so is the clone."""
    before, shown = snapshot(s), told(s)
    t, kept = s.clone(), s.clone()
    assert snapshot(t) == before and told(t) == shown and asked(t) == asked(s), "a copy differs"
    for option in s.actions[:3]:
        u = s.clone()
        u.apply(option)
        assert snapshot(s) == before, "applying to a copy changes the original"
    t.playout(number(s))
    assert snapshot(s) == before and told(s) == shown, "playing a copy changes the original"
    assert snapshot(kept) == before and told(kept) == shown, "playing a copy changes another copy"
    bare = s.clone(log=False)
    assert bare.digest() == s.digest() and bare.log(0) == [], "a copy without its log is another state"


def an_old_question_stays(game: Game, s: State) -> None:
    """What was asked reads the same after it has been answered."""
    if s.over:
        return
    t = s.clone()
    old = t.decisions
    before = [(d.prompt, d.labels(), d.min, d.max) for d in s.decisions]
    t.apply(t.actions[number(s) % len(t.actions)])
    assert [(d.prompt, d.labels(), d.min, d.max) for d in old] == before, "an old question changes"


# ---------------------------------------------------------------- questions


def a_question_is_whole(game: Game, s: State) -> None:
    """At least one option, each its own action and label; nothing is asked when the game is over."""
    decisions = s.decisions
    if s.over:
        assert s.decision is None and decisions == () and s.actions == () and s.outcome in OUTCOMES
        assert s.winners == sorted(s.winners) and set(s.winners) <= set(seats(s))
        assert (s.outcome == "won") == bool(s.winners)
        return
    assert s.outcome is None and s.winners == [] and s.decision is not None
    assert s.decision.player == decisions[0].player and s.actions == tuple(o.action for o in decisions[0].options)
    assert len({d.player for d in decisions}) == len(decisions)
    for d in decisions:
        actions = [o.action for o in d.options]
        labels = [o.label for o in d.options]
        assert actions, f"{d.prompt}: there is no option"
        assert len(set(actions)) == len(actions) and all(0 <= a < game.num_actions for a in actions)
        assert all(labels) and len({label.casefold() for label in labels}) == len(labels), f"{d.prompt}: {labels}"
        assert d.prompt and d.min <= d.max and len(d.chosen) <= d.max
        assert not {o.action for o in d.chosen} & set(actions), f"{d.prompt}: what is chosen is offered again"
        chances = [o.probability for o in d.options]
        if d.player == CHANCE:
            assert abs(sum(chances) - 1) < 1e-9 and min(chances) > 0, f"{d.prompt}: {chances}"
        else:
            assert d.player in seats(s) and set(chances) == {None}


def an_illegal_action_changes_nothing(game: Game, s: State) -> None:
    """What is not offered, and who is not asked, is refused, and the state is as it was."""
    before = snapshot(s)
    dice = random.Random(number(s))
    open_ = {d.player: {o.action for o in d.options} for d in s.decisions}
    wrong: list[tuple[Any, int | None]] = [(-1, None), (game.num_actions, None), (True, None), ("0", None), (1.0, None)]
    wrong += [(a, None) for a in dice.sample(range(game.num_actions), min(12, game.num_actions)) if a not in s.actions]
    if s.who == CHANCE:  # a card that looks just like an option stands for it
        wrong = [w for w in wrong if type(w[0]) is not int or not 0 <= w[0] < game.num_actions]
    wrong += [(s.actions[0] if s.actions else 0, k) for k in (-2, -1, *seats(s), 99) if k not in open_]
    for seat, actions in open_.items():
        wrong += [(a, seat) for a in dice.sample(range(game.num_actions), min(6, game.num_actions))
                  if a not in actions and seat != CHANCE]
    for action, seat in wrong:
        try:
            s.apply(action) if seat is None else s.apply(action, seat=seat)
        except IllegalAction:
            pass
        else:
            raise AssertionError(f"action {action!r} of seat {seat} is taken")
        assert snapshot(s) == before, f"action {action!r} of seat {seat} is refused, but changes the state"


def answers_come_in_any_order(game: Game, s: State) -> None:
    """Those who choose at once may answer in any order."""
    if len(s.decisions) < 2:
        return
    dice = random.Random(number(s))
    chosen = [(d.player, dice.choice(d.options).action) for d in s.decisions]
    ends = set()
    for order in (chosen, chosen[::-1], dice.sample(chosen, len(chosen))):
        t = s.clone()
        for seat, action in order:
            t.apply(action, seat=seat)
        ends.add((t.digest(), json.dumps([t.view(k) for k in seats(t)])))
    assert len(ends) == 1, "the order of secret answers makes a difference"


# ---------------------------------------------------------------- what is on the table


def pieces_are_conserved(game: Game, s: State) -> None:
    """Every thing lies in one place or in none, decks are as long as their segments, counters keep their bounds."""
    m, v, z, lay = game.model, s.v, s.z, game.layout
    lying = [x for zone in range(m.zone_count) if lay.place[zone] for x in z[zone]]
    assert len(set(lying)) == len(lying), "a thing lies in two places"
    assert set(lying) == {x for x in range(m.things) if v[m.loc + x] >= 0}, "a thing is lost"
    for zone in range(m.zone_count):
        if lay.place[zone]:
            assert all(v[m.loc + x] == zone for x in z[zone]), "a thing is not where it says"
    for deck, parts in m.segments.items():
        assert sum(map(abs, z[parts])) == len(z[deck]), "the segments of a deck do not add up"
        at = 0
        for part in z[parts]:
            cards = z[deck][at : at + abs(part)]
            at += abs(part)
            assert part > 0 or (list(cards) == sorted(cards) and not any(v[m.seen + x] for x in cards)), "a mixed part"
    for counter in m.counters.values():
        for kind, (offset, width, _) in counter.cells.items():
            count = 1 if kind == "game" else m.seats if kind == "player" else m.things if kind not in m.kinds else (
                m.kinds[kind].hi - m.kinds[kind].lo)
            cells = v[offset : offset + count * width]
            low = min(counter.least, counter.start)
            assert all(low <= n <= (counter.most or 2**53) for n in cells), f"{counter.name} is out of its bounds"


def a_view_is_data(game: Game, s: State) -> None:
    """Views and logs are JSON types, with the keys that were promised; what is asked stands in them as it is."""
    for k in seats(s):
        view = s.view(k)
        assert json.loads(json.dumps(view)) == view and view.keys() >= VIEW and view["seat"] == k
        assert view["over"] == s.over and len(view["players"]) == len(seats(s))
        assert all(entry.keys() == {"by", "text"} for entry in s.log(k)) and json.dumps(s.log(k))
        if view["deciding"] != "responses":
            assert view["deciding"] == [d.player for d in s.decisions if d.player != CHANCE]
    assert len(s.scores()) == len(s.returns()) == len(seats(s))


def it_ends(game: Game, s: State) -> None:
    """Played at random, a game ends, in one of the four ways, and the same way from the same seed."""
    ends = []
    for _ in range(2):
        t = s.clone()
        made = t.playout(number(s))
        assert t.over and t.outcome in OUTCOMES and (made > 0) != s.over
        a_question_is_whole(game, t)
        ends.append((made, t.digest()))
    assert ends[0] == ends[1], "a playout is not a function of its seed"


# ---------------------------------------------------------------- what is hidden


def deals(s: State, seat: int) -> Iterator[tuple[State, dict[int, int]]]:
    """Copies of s in which what this seat cannot know is dealt anew, and which thing stands where another was. Unlike
    determinize, this leaves no deal out, whatever the seat would be asked under it."""
    groups = unknown(s, seat)
    for k in range(DEALS if groups else 0):
        dice = random.Random(f"{s.digest()} {seat} {k}")
        swap = {x: y for things in groups for x, y in zip(things, dice.sample(things, len(things)))}
        t = dealt(s, swap)
        t.lg = None if s.lg is None else s.lg[:]  # the past was told as it was
        yield t, swap


def known_to(s: State, seat: int) -> tuple[Any, ...]:
    """All that a seat may know: what it sees, what it was told, what it is asked and in which words."""
    mine = [
        (d.prompt, d.source, d.min, d.max, d.labels(), [o.action for o in d.options], [o.target for o in d.options])
        for d in s.decisions if d.player == seat
    ]
    return s.view(seat), s.log(seat), mine, s.over


def same(t: State, seat: int, before: tuple[Any, ...], when: str) -> None:
    for what, old, new in zip(("view", "log", "question", "end"), before, known_to(t, seat)):
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
        before = known_to(s, seat)
        for k in range(DEALS):
            t, seed = s.clone(), mix64(number(s) + k)
            t.determinize(seat, seed)
            same(t, seat, before, "after determinize")
            u = s.clone()
            u.determinize(seat, seed)
            assert u.digest() == t.digest(), "determinize is not a function of its seed"
            pieces_are_conserved(game, t)
            assert s.over or (t.decision is not None and t.decision.player == s.who and t.actions)
            loaded = game.from_json(t.to_json())
            assert loaded.digest() == t.digest() and known_to(loaded, seat) == known_to(t, seat)
            t.playout(seed)
            assert t.over
    for seat in seats(s):
        before = known_to(s, seat)
        for t, _ in deals(s, seat):
            if reopened(t, s):
                same(t, seat, before, "under another deal")


def reopened(t: State, s: State) -> bool:
    """Ask again what is open in a state that was dealt anew. False if somebody else's question cannot be asked then."""
    from interpreter import machine

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
        for t, swap in deals(s, seat):
            if not reopened(t, s) or (s.who != seat and not passing(s)) or known_to(t, seat) != known_to(s, seat):
                continue
            for action in s.actions[:4] if s.who == seat else (-1,):
                real, other = s.clone(), t.clone()
                real.explicit = other.explicit = True  # so that chance stops the walk
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
            for action in s.actions[:6]:
                real, other = s.clone(), t.clone()
                real.explicit = other.explicit = True
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
        out.append(known_to(t, seat))
        if t.over or t.who == seat:
            return out
        action = -1
    return out


Law = Callable[[Game, State], None]
LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        a_question_is_whole, a_save_is_the_state, a_copy_is_apart, an_old_question_stays, an_illegal_action_changes_nothing,
        answers_come_in_any_order, pieces_are_conserved, a_view_is_data, it_ends, the_hidden_stays_hidden,
        a_log_tells_no_more_than_a_view,
        silence_tells_nothing,
    )
}


def check(game: Game, s: State, laws: dict[str, Law] = LAWS) -> None:
    """All laws on one state; none of them may change it."""
    for name, law in laws.items():
        before = s.to_json(), s.actions, s.who
        law(game, s)
        assert (s.to_json(), s.actions, s.who) == before, f"reading a state for {name} changes it"
