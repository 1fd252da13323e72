"""determinize: deal anew what one seat cannot know.

In: a State, a seat, a seed. Out: the same State, changed in place: one permutation of the things that the seat cannot
identify, applied to zones, knowledge, owners, counters, frames, waiting triggers and effects alike; what others have
answered in secret is drawn anew; the game's random int is reseeded.

Counters that only another sees are drawn anew too, as far as the set-up drew them: from the set-ups that agree with the
counters that the seat sees, each as likely as it is, and with them what lies where it was put. A number that no set-up
draws, and all of them where no set-up agrees, stay as they are: how they came about is not written in a state.

Drawn uniformly from the deals under which the open question is legal, by rejection; where these are rare, by a walk of
random transpositions among them that starts at the true deal (Metropolis; symmetric steps, so uniform on what it
reaches).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import machine
from interpreter.log import Past
from interpreter.model import PLAYERS
from interpreter.mutations import GOLDEN, MASK, mix64, rnd
from interpreter.setups import Drawn, setups

if TYPE_CHECKING:
    from interpreter.state import State

TRIES = 48
NOTHING = Drawn(1.0, {}, {})


def determinize(s: State, seat: int, seed: int) -> None:
    if not 0 <= seat < s.v[PLAYERS]:
        raise ValueError(f"no seat {seat}")
    if s.node is not None:
        machine.loosen(s)
    stream = s.clone(log=False)
    stream.rng = mix64(seed * GOLDEN + 2 * seat + 1)
    groups = unknown(s, seat)
    deal = fresh(s, seat, groups, stream)
    adopt(s, deal)
    s.rng = mix64(stream.rng + GOLDEN) & MASK
    if s.lg:
        s.lg[:] = [Past(seat, tuple(s.lg))]


def adopt(s: State, t: State) -> None:
    s.v = t.v
    s.z = t.z
    s.st = t.st
    s.pend, s.mods, s.opts, s.who = t.pend, t.mods, t.opts, t.who


def unknown(s: State, seat: int) -> list[list[int]]:
    """The things that this seat cannot identify, in groups that could stand for each other."""
    m = s.prog.model
    v = s.v
    group = s.game.layout.group
    groups: dict[int, list[int]] = {}
    for x in range(m.seats, m.things):
        if not v[m.seen + x] >> seat & 1:
            groups.setdefault(group[x], []).append(x)
    return [things for things in groups.values() if len(things) > 1]


def fresh(s: State, seat: int, groups: list[list[int]], stream: State) -> State:
    """A copy of s with a new deal."""
    known = setups(s)
    possible = known.possible(s, seat)
    secret = known.hidden(s, seat) if possible else []
    for _ in range(TRIES if groups or secret else 1):
        one = likely(possible, stream) if secret else NOTHING
        swap = permuted(groups, as_set_up(s, one, groups), stream)
        t = dealt(s, swap)
        for cell in secret:
            t.v[cell] = one.cells[cell]
        answer_anew(t, seat, stream)
        if legal(s, t, seat, swap):
            return t
    best = s.clone(log=False)
    answer_anew(best, seat, stream)
    legal(s, best, seat, {})
    size = sum(len(things) for things in groups)
    for _ in range(min(4 * size, 256)):
        k = rnd(stream, size) if size else 0
        for things in groups:
            if k < len(things):
                x, y = things[k], things[rnd(stream, len(things))]
                t = dealt(best, {x: y, y: x})
                if x != y and legal(best, t, seat, {x: y, y: x}):
                    best = t
                break
            k -= len(things)
    return best


def likely(possible: list[Drawn], stream: State) -> Drawn:
    """One of several set-ups, each as likely as it is."""
    left = rnd(stream, 1 << 53) / (1 << 53) * sum(one.share for one in possible)
    for one in possible:
        left -= one.share
        if left < 0:
            return one
    return possible[-1]


def as_set_up(s: State, one: Drawn, groups: list[list[int]]) -> dict[int, int]:
    """What was where another thing is, had this been the set-up: of the places that hold so many unknown things still."""
    group = {x: k for k, things in enumerate(groups) for x in things}
    out: dict[int, int] = {}
    for zone, row in one.places.items():
        here = s.z[zone]
        if len(here) == len(row) and all(x in group for x in (*here, *row)):
            pairs = zip(*(sorted(things, key=lambda x: (group[x], x)) for things in (here, row)))
            out |= {x: y for x, y in pairs if group[x] == group[y]}
    return out


def permuted(groups: list[list[int]], given: dict[int, int], stream: State) -> dict[int, int]:
    """A permutation that keeps each thing in its group, each as likely. given: a part of it."""
    out = dict(given)
    taken = set(given.values())
    for things in groups:
        left = [x for x in things if x not in taken]
        for x in things:
            if x in given:
                continue
            i = rnd(stream, len(left))
            out[x] = left[i]
            left[i] = left[-1]
            left.pop()
    return out


def legal(s: State, t: State, seat: int, swap: dict[int, int]) -> bool:
    """True if t can be at the question that s is at; t then has its options. The seat's own options stay as they
    look."""
    if not t.st:
        return True
    try:
        t.who, t.opts = machine.derive(t)
    except (IndexError, ValueError):
        return False
    if t.who != s.who or not t.opts:
        return False
    site = s.prog.sites[t.st[-1]]
    if t.who == seat and not site.secret:
        known = [a for a in s.opts if mapped(s, a, swap) == a]
        return len(t.opts) == len(s.opts) and all(a in t.opts for a in known)
    if len(t.opts) == 1 < len(s.opts) and s.auto and not site.hidden:
        return False
    return site.slot < 0 or site.secret or not set(t.opts) & set(t.st[machine.frame(t) + site.slot])


def answer_anew(t: State, seat: int, stream: State) -> None:
    """Replace the answers that others have given in secret to the open question by random ones."""
    if not t.st or not t.prog.sites[t.st[-1]].secret:
        return
    at = machine.frame(t) + t.prog.sites[t.st[-1]].slot
    question = t.prog.questions[t.st[-1]]
    answers = list(t.st[at])
    for other, answer in enumerate(answers):
        if other != seat and answer >= 0:
            opts = question(t, other)
            if opts:
                answers[other] = opts[rnd(stream, len(opts))]
    t.st[at] = tuple(answers)


def mapped(s: State, action: int, swap: dict[int, int]) -> int:
    """The action about the thing that stands for the thing of this action."""
    from interpreter.labels import thing_of

    if action < 0 or not swap:
        return action
    x = thing_of(s.game, action)
    return action + swap.get(x, x) - x


def dealt(s: State, swap: dict[int, int]) -> State:
    """A copy of s in which thing swap[x] is where and what x was, for each x."""
    t = s.clone(log=False)
    swap = {x: y for x, y in swap.items() if x != y}
    if not swap:
        return t
    m, lay = s.prog.model, s.game.layout
    zones = {lay.on_zone[x]: lay.on_zone[y] for x, y in swap.items() if lay.on_zone[x] >= 0}
    for zone, lo, hi in hosts(s):
        zones |= {zone + x - lo: zone + y - lo for x, y in swap.items() if lo <= x < hi}
    move_cells(s, t, swap)
    touched = {s.v[m.loc + x] for x in swap} - {-1}
    for zone in touched:
        t.z[zone] = tuple([swap.get(x, x) for x in s.z[zone]])
    before = t.z[:]
    for old, to in zones.items():
        t.z[to] = before[old]
        for x in before[old]:
            t.v[m.loc + x] = to
    for zone in touched | {zones.get(zone, zone) for zone in touched}:
        t.z[zone] = tidy(t, zone)
    for at, letters in s.prog.lists.items():
        t.z[at] = tuple([value(s, letters[i % len(letters)], x, swap, zones) for i, x in enumerate(t.z[at])])

    def moved(row: tuple[Any, ...], letters: str) -> tuple[Any, ...]:
        pairs = zip(letters.ljust(len(row), "n"), row[1:])
        return (row[0], *[value(s, letter, x, swap, zones) for letter, x in pairs])

    t.pend = tuple([moved(row, s.prog.waiting.get(row[0], "t")) for row in s.pend])
    t.mods = tuple([moved(row, s.prog.effects.get(row[0], "")) for row in s.mods])
    top = len(t.st)
    while top > 0:
        size, letters = s.prog.shapes[t.st[top - 1]]
        for i, letter in zip(range(top - size, top - 1), letters):
            t.st[i] = value(s, letter, t.st[i], swap, zones)
        top -= size
    site = s.prog.sites.get(t.st[-1]) if t.st else None
    if site is not None and site.slot >= 0:
        at = machine.frame(t) + site.slot
        if site.secret:
            t.st[at] = value(s, "A", s.st[at], swap, zones)
        elif list(s.st[at]) == sorted(s.st[at]):
            t.st[at] = tuple(sorted(t.st[at]))  # a set is chosen in one order
    return t


def hosts(s: State) -> list[tuple[int, int, int]]:
    """Zones declared for each thing of a kind: (first zone, first id, last id + 1)."""
    m = s.prog.model
    return [(zone.base, m.kinds[zone.of].lo, m.kinds[zone.of].hi) for zone in m.zones.values() if zone.of in m.kinds]


def move_cells(s: State, t: State, swap: dict[int, int]) -> None:
    """Cells go with the place, except that a printed value that nothing has changed stays with its thing."""
    m, lay = s.prog.model, s.game.layout
    start, old, v = lay.start, s.v, t.v
    for x, y in swap.items():
        for at in (m.loc, m.own, m.seen):
            v[at + y] = old[at + x]
        for base, width in lay.rows[x]:
            for i in range(width):
                a, b = base + x * width + i, base + y * width + i
                v[b] = old[a] if old[a] != start[a] else start[b]
    for offset, width, first, lo, hi in lay.members:
        inside = [(x, y) for x, y in swap.items() if first <= x < first + width]
        for row in range(hi - lo) if inside else ():
            at = offset + row * width - first
            values = [v[at + x] for x, _ in inside]
            for (_, y), n in zip(inside, values):
                v[at + y] = n
    for cell in lay.thing_cells:
        v[cell] = swap.get(v[cell], v[cell])


def tidy(t: State, zone: int) -> tuple[int, ...]:
    """A zone with what has no order sorted: hidden sets, and the mixed segments of a deck."""
    lay = t.game.layout
    row = t.z[zone]
    if lay.sets[zone]:
        return tuple(sorted(row))
    if lay.segs[zone] < 0:
        return row
    out: list[int] = []
    for part in t.z[lay.segs[zone]]:
        cards = row[len(out) : len(out) + abs(part)]
        out += sorted(cards) if part < 0 else cards
    return tuple(out)


def value(s: State, letter: str, x: Any, swap: dict[int, int], zones: dict[int, int]) -> Any:
    """A slot's value after the deal, by the letter of its kind."""
    if letter == "t":
        return swap.get(x, x)
    if letter == "s":
        return tuple([swap.get(y, y) for y in x])
    if letter == "z":
        return zones.get(x, x)
    if letter == "A":
        return tuple([mapped(s, y, swap) for y in x])
    return mapped(s, x, swap) if letter == "a" else x
