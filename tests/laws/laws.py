"""laws: in, a game and one of its states; out, nothing, or an AssertionError that says which law does not hold there.

One function a law. None of them changes the state that it is given. The laws about what is hidden are in hidden.py;
those of a whole game (replay, log, chance, forced) in play.py, which walks games and calls them all.

"The same future" of a loaded state or of a copy is checked as follows. It must equal the state in all that lies in
memory (`raw`), which is all that the future is made from; it is played AHEAD random answers on, and must equal after
each of them the original played in the same way; in the few states where `rare` holds, both are played to the end. Logs
are saved, loaded and copied with their last entries, which are others at every decision; what is derived from equal
memory (labels, scores, views) is compared where `seldom` holds.
"""

from __future__ import annotations

import json
import random
from typing import Any

from interpreter import CHANCE, Game, IllegalAction, State
from tests.laws.sight import number, one_seat, rare, raw, recent, seats, seldom, unchanged, view

OUTCOMES = {"won", "lost", "draw", "endless"}
AHEAD = 4  # answers that a future is followed, where it is not to the end
VIEW = {"seat", "over", "phase", "deciding", "players", "zones", "spaces"}


def asked(s: State) -> list[Any]:
    """All open questions, as far as those who are asked see them."""
    return [
        (
            d.player,
            d.prompt,
            d.source,
            d.min,
            d.max,
            d.labels(),
            [o.action for o in d.options],
            [o.target for o in d.options],
            [o.probability for o in d.options],
            [o.action for o in d.chosen],
        )
        for d in s.decisions
    ]


def told(s: State) -> list[Any]:
    """What seats may know: one seat, which changes from state to state; seldom all."""
    return [(s.view(k), s.log(k)) for k in (seats(s) if seldom(s) else [one_seat(s)])]


def results(s: State) -> tuple[Any, ...]:
    return s.digest(), s.actions, s.who, s.over, s.scores(), s.winners, s.returns(), s.outcome


def same_future(t: State, u: State, seed: int, to_the_end: bool, words: str) -> None:
    """Two states go the same way: a few random answers on, and to the end if wanted. Both are played."""
    dice = random.Random(seed)
    for _ in range(AHEAD):
        if t.over:
            break
        action = dice.choice(t.actions)
        t.apply(action)
        u.apply(action)
        assert unchanged(t, raw(u)), words
    if to_the_end:
        assert t.playout(seed) == u.playout(seed), words
        assert results(t) == results(u) and t.to_json() == u.to_json(), words


# ---------------------------------------------------------------- saves and copies


def a_save_is_the_state(game: Game, s: State) -> None:
    """Save, load: the same digest, the same questions, views and log, and the same future."""
    u = recent(s)
    text = u.to_json()
    t = game.from_json(text)
    assert unchanged(t, raw(u)) and t.lg == u.lg, "a loaded state differs from the one saved"
    assert t.digest() == u.digest(), "a loaded state has another digest"
    if seldom(s):
        k = one_seat(s)
        assert t.to_json() == text, "a loaded state is saved otherwise"
        assert results(t) == results(u), "a loaded state gives other results"
        assert asked(t) == asked(u), "a loaded state asks otherwise"
        assert (t.view(k), t.log(k)) == (view(s, k), u.log(k)), "a loaded state shows or tells otherwise"
    same_future(t, u, number(s), rare(s), "a loaded state has another future")


def a_copy_is_apart(game: Game, s: State) -> None:
    """Clone, change the clone: the original is as it was; change the original: so is the clone."""
    seed, looked, end, s = number(s), seldom(s), rare(s), recent(s)
    before, log, digest = raw(s), s.lg and s.lg[:], s.digest()
    t, u, kept = s.clone(), s.clone(), s.clone()
    assert unchanged(t, before) and t.lg == s.lg and t.digest() == digest, "a copy differs"
    if looked:
        assert results(t) == results(s) and asked(t) == asked(s), "a copy asks or gives other results"
    for option in {*s.actions[:1], *s.actions[-1:]}:
        one = s.clone()
        one.apply(option)
        assert unchanged(s, before) and s.lg == log, "applying to a copy changes the original"
    same_future(t, u, seed, end, "a copy has another future")
    for one, what in (s, "the original"), (kept, "another copy"):
        assert unchanged(one, before) and one.lg == log, f"playing a copy changes {what}"
    bare = kept.clone(log=False)
    assert bare.digest() == digest and bare.log(0) == [], "a copy without its log is another state"


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
    before = raw(s)
    dice = random.Random(number(s))
    open_ = {d.player: {o.action for o in d.options} for d in s.decisions}
    wrong: list[tuple[Any, int | None]] = [(-1, None), (game.num_actions, None), (True, None), ("0", None), (1.0, None)]
    wrong += [(a, None) for a in dice.sample(range(game.num_actions), min(12, game.num_actions)) if a not in s.actions]
    if s.who == CHANCE:  # a card that looks just like an option stands for it
        wrong = [w for w in wrong if type(w[0]) is not int or not 0 <= w[0] < game.num_actions]
    wrong += [(s.actions[0] if s.actions else 0, k) for k in (-2, -1, *seats(s), 99) if k not in open_]
    for seat, actions in open_.items():
        wrong += [
            (a, seat)
            for a in dice.sample(range(game.num_actions), min(6, game.num_actions))
            if a not in actions and seat != CHANCE
        ]
    for action, seat in wrong:
        try:
            s.apply(action) if seat is None else s.apply(action, seat=seat)
        except IllegalAction:
            pass
        else:
            raise AssertionError(f"action {action!r} of seat {seat} is taken")
        assert unchanged(s, before), f"action {action!r} of seat {seat} is refused, but changes the state"


def answers_come_in_any_order(game: Game, s: State) -> None:
    """Those who choose at once may answer in any order."""
    if len(s.decisions) < 2:
        return
    dice = random.Random(number(s))
    looked = seldom(s)
    chosen = [(d.player, dice.choice(d.options).action) for d in s.decisions]
    ends = set()
    for order in (chosen, chosen[::-1], dice.sample(chosen, len(chosen))):
        t = s.clone()
        for seat, action in order:
            t.apply(action, seat=seat)
        ends.add((t.digest(), json.dumps([t.view(k) for k in seats(t)] if looked else [])))
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
            count = (
                1
                if kind == "game"
                else m.seats
                if kind == "player"
                else m.things
                if kind not in m.kinds
                else (m.kinds[kind].hi - m.kinds[kind].lo)
            )
            cells = v[offset : offset + count * width]
            low = min(counter.least, counter.start)
            assert all(low <= n <= (counter.most or 2**53) for n in cells), f"{counter.name} is out of its bounds"


def a_view_is_data(game: Game, s: State) -> None:
    """Views and logs are JSON types, with the keys that were promised; what is asked stands in them as it is."""
    one, recently = one_seat(s), recent(s)
    for k in seats(s):
        seen = view(s, k)
        assert seen.keys() >= VIEW and seen["seat"] == k and seen["over"] == s.over
        assert len(seen["players"]) == len(seats(s))
        if seen["deciding"] != "responses":
            assert seen["deciding"] == [d.player for d in s.decisions if d.player != CHANCE]
        if k == one:
            log = recently.log(k)
            assert json.loads(json.dumps([seen, log])) == [seen, log], "a view or a log is no data"
            assert all(entry.keys() == {"by", "text"} for entry in log)
    assert len(s.scores()) == len(s.returns()) == len(seats(s))


def it_ends(game: Game, s: State) -> None:
    """Played at random, a game ends, in one of the four ways, and the same way from the same seed."""
    ends = []
    for _ in range(2 if rare(s) else 0):
        t = s.clone(log=False)
        made = t.playout(number(s))
        assert t.over and t.outcome in OUTCOMES and (made > 0) != s.over
        a_question_is_whole(game, t)
        ends.append((made, t.digest()))
    assert ends[:1] == ends[1:], "a playout is not a function of its seed"
