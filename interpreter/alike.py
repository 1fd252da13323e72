"""alike: which options a seat cannot tell apart, and options for things that it does not know.

In: a State, a seat (-1: chance, which sees everything), options as action ints (those below the number of things are
things). Out: options with one for each that the seat can tell apart.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interpreter.state import State


def looks(s: State, seat: int, x: int) -> tuple[Any, ...]:
    """What this seat can see of thing x; equal for things that it cannot tell apart."""
    m = s.prog.model
    lay = s.game.layout
    v = s.v
    zone = v[m.loc + x]
    rows = lay.public_rows[x] if seat >= 0 and not seat_owns(s, seat, zone) else lay.rows[x]
    cells = tuple([v[base + x * width + i] for base, width in rows for i in range(width)]) if rows else ()
    on = lay.on_zone[x]
    known = seat < 0 or v[m.seen + x] >> seat & 1
    return (
        m.record_of[x] if known else None,
        m.kind_of[x],
        zone,
        v[m.own + x],
        m.seat_of[x],
        cells,
        s.z[on] if on >= 0 else (),
    )


def seat_owns(s: State, seat: int, zone: int) -> bool:
    """True if hidden counters of what lies here are this seat's to see."""
    return zone >= 0 and s.tab[8][zone] == seat


def alike(s: State, seat: int, opts: Sequence[int]) -> Sequence[int]:
    """opts without things that look to this seat like one before them. Players are never alike."""
    if len(opts) < 2:
        return opts
    things, seats, seen, loc, own, twins, sorts, backs, bare, wide = s.game.layout.looks
    v = s.v
    if seat >= 0:
        for x in opts:
            if x < things and (twins[x] or not v[seen + x] >> seat & 1):
                break
        else:
            return opts
    # Only things of one sort in one place and of one owner can look alike: more is looked at only where they bear more.
    kept: dict[int, int] = {}
    closer: dict[int, set[Any]] = {}
    for x in opts:
        if not seats <= x < things:
            kept[~x] = x
            continue
        known = seat < 0 or v[seen + x] >> seat & 1
        key = (sorts[x] if known else backs[x]) + v[loc + x] + v[own + x] * wide if twins[x] or not known else ~x
        if key not in kept:
            kept[key] = x
        elif not bare[x]:
            if key not in closer:
                closer[key] = {looks(s, seat, kept[key])}
            mine = looks(s, seat, x)
            if mine not in closer[key]:
                closer[key].add(mine)
                kept[~x] = x
    return opts if len(kept) == len(opts) else tuple(kept.values())


def veil(s: State, seat: int, opts: Iterable[int], lo: int) -> tuple[int, ...]:
    """opts with all things of one zone that this seat does not know replaced by the one action lo + zone (a range
    'hidden'), so that no action tells which thing lies there; the others as alike leaves them."""
    m = s.prog.model
    v = s.v
    out: dict[int, None] = {}
    for x in opts:
        if x < m.things and not v[m.seen + x] >> seat & 1 and v[m.loc + x] >= 0:
            x = lo + v[m.loc + x]
        out[x] = None
    return tuple(alike(s, seat, tuple(out)))


def behind(s: State, seat: int, opts: Iterable[int], zone: int) -> tuple[int, ...]:
    """The things among opts that lie in this zone and that this seat does not know: one of them is to be drawn by
    chance when the seat has chosen lo + zone."""
    m = s.prog.model
    v = s.v
    return tuple(x for x in opts if v[m.loc + x] == zone and not v[m.seen + x] >> seat & 1)


def drawable(s: State, opts: Sequence[int]) -> Sequence[int]:
    """All that the open question of chance draws from, each as likely as another; opts holds one of those that look
    alike."""
    if not opts or opts[0] >= s.prog.model.things:
        return opts
    found: Sequence[int] = s.prog.questions[s.st[-1]](s, True)[1]
    return found


def odds(s: State, opts: Sequence[int]) -> list[float]:
    """The probability of each option of the open question of chance."""
    whole = drawable(s, opts)
    if len(whole) == len(opts):
        return [1 / len(opts)] * len(opts)
    twins = s.game.layout.twins
    count = Counter(looks(s, -1, x) if twins[x] else x for x in whole)
    return [count[looks(s, -1, x) if twins[x] else x] / len(whole) for x in opts]
