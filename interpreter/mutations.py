"""mutations: what emitted code calls to move, hide, draw and reveal things. Functions on a State, all ids are ints.

In: a State (its v, z, tab, rng), thing ids, zone numbers. Out: changed State, or an answer about it. `mv` is the only
writer of where things lie.

A deck's cards are z[deck] from bottom to top; z[segments of the deck] holds its segments from bottom to top: n for n
cards in a fixed order, -n for n mixed ones (n > 1), which are kept sorted by id and are known to nobody. Neighbouring
fixed segments are one, a mixed one of one card counts as fixed: so equal decks are equal tuples.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from typing import TYPE_CHECKING

from interpreter.model import ACTIVE, ENDED, FIRST, OVER, POSITION_LISTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.state import State

MASK = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
MIX_A = 0xBF58_476D_1CE4_E5B9
MIX_B = 0x94D0_49BB_1331_11EB


class Endless(Exception):
    """Raised by emitted code in a loop without frames when v[STEPS] passes the game's limit; the machine ends the
    game."""


def mix64(x: int) -> int:
    """The finalizer of SplitMix64: 64 bits to 64 well mixed bits (Steele, Lea, Flood, OOPSLA 2014; constants by
    Stafford)."""
    x &= MASK
    x = (x ^ (x >> 30)) * MIX_A & MASK
    x = (x ^ (x >> 27)) * MIX_B & MASK
    return x ^ (x >> 31)


def rnd(s: State, n: int) -> int:
    """0 … n-1 from the game's own stream: SplitMix64, begun at the seed, without its last step, which leaves the 31
    highest bits as they are; then the high word of the product with n (Lemire 2019, without the rejection step: the bias
    is below n / 2**31). Everything that a game draws is drawn here, and put down in s.drawn where that is a list."""
    s.rng = x = (s.rng + GOLDEN) & MASK
    x = (x ^ (x >> 30)) * MIX_A & MASK
    x = (x ^ (x >> 27)) * MIX_B & MASK
    which = x * n >> 64
    if s.drawn is not None:
        s.drawn.append((n, which))
    return which


def own(s: State, x: int) -> int:
    """The seat that owns x, or -1: its own cell, else the owner of where it lies, through places, else its seat."""
    loc, cell, _, _, _, _, _, _, owner, seat_of = s.tab
    v = s.v
    first = x
    for _ in range(32):
        who = v[cell + x]
        if who >= 0:
            return who
        zone = v[loc + x]
        if zone < 0:
            break
        who = owner[zone]
        if who >= 0:
            return who
        if who == -1:
            break
        x = -2 - who
    return seat_of[x] if seat_of[x] >= 0 else seat_of[first]


def sees(s: State, zone: int) -> int:
    """Bit set of the seats that learn what enters this zone."""
    mask = s.tab[3][zone]
    if mask < 0:
        who = own(s, -2 - s.tab[8][zone])
        mask = 1 << who if who >= 0 else 0
    return mask


def mv(s: State, x: int, zone: int, under: bool = False, witness: int = 0) -> None:
    """Move x to the top (under: the bottom) of a zone; -1 takes it out of the game.

    Who sees the new zone learns x. A seat that sees neither the hidden, unordered place that x leaves nor the one that
    it enters can no longer tell x from what was beside it, and forgets which is which; witness is a bit set of seats
    that know all the same, for instance because they chose x.
    What comes from out of the game into a hidden place or a deck is known to who sees it there and to witnesses."""
    loc, _, seen, see, segs, sets, facedown, everyone, _, _ = s.tab
    v = s.v
    z = s.z
    old = v[loc + x]
    known = v[seen + x]
    if zone < 0:
        learn = 0
    else:
        learn = see[zone]
        if learn < 0:
            learn = sees(s, zone)
        if facedown >= 0 and v[facedown + x]:
            learn = 0
    if old < 0:
        if learn != everyone and zone >= 0:
            known = witness
    else:
        row = z[old]
        at = row.index(x)
        z[old] = row = row[:at] + row[at + 1 :]
        if segs[old] >= 0:
            cut(z, segs[old], at)
        elif row and sets[old] and zone != old:
            lost = everyone & ~(sees(s, old) | learn | witness)
            if lost:
                for y in row:
                    v[seen + y] &= ~lost
                known &= ~lost
        if s.mods and zone != old:
            s.mods = tuple([m for m in s.mods if m[1] != x or m[3] != -1])  # what lasts until x leaves
    v[loc + x] = zone
    v[seen + x] = known | learn
    if zone < 0:
        return
    row = z[zone]
    if sets[zone]:
        at = bisect_left(row, x)
        z[zone] = row[:at] + (x,) + row[at:]
        return
    z[zone] = (x, *row) if under else row + (x,)
    g = segs[zone]
    if g >= 0:
        parts = z[g]
        if under:
            z[g] = (parts[0] + 1, *parts[1:]) if parts and parts[0] > 0 else (1, *parts)
        else:
            z[g] = parts[:-1] + (parts[-1] + 1,) if parts and parts[-1] > 0 else parts + (1,)


def joined(parts: list[int]) -> tuple[int, ...]:
    """Segments in their one form: none empty, a mixed one of one card fixed, neighbouring fixed ones joined."""
    out: list[int] = []
    for part in parts:
        if part == -1:
            part = 1
        if part > 0 and out and out[-1] > 0:
            out[-1] += part
        elif part:
            out.append(part)
    return tuple(out)


def cut(z: list[tuple[int, ...]], g: int, at: int) -> None:
    """Take the card at this index, from the bottom, out of the segments z[g]."""
    if len(z[g]) == 1:
        part = z[g][0]
        z[g] = (part - 1,) if part > 1 else (part + 1,) if part < -2 else (1,) if part == -2 else ()
        return
    parts = list(z[g])
    for i, part in enumerate(parts):
        at -= abs(part)
        if at < 0:
            parts[i] = part - 1 if part > 0 else part + 1
            break
    z[g] = joined(parts)


def tops(s: State, zone: int) -> tuple[int, ...]:
    """What the top card can be: nothing, the one on top, or all of the mixed segment on top."""
    g = s.tab[4][zone]
    row = s.z[zone]
    if g < 0 or not row:
        return row[-1:]
    part = s.z[g][-1]
    return row[-1:] if part > 0 else row[part:]


def bottoms(s: State, zone: int) -> tuple[int, ...]:
    """What the bottom card can be, as tops."""
    g = s.tab[4][zone]
    row = s.z[zone]
    if g < 0 or not row:
        return row[:1]
    part = s.z[g][0]
    return row[:1] if part > 0 else row[:-part]


def settle(s: State, zone: int, x: int) -> None:
    """Let x, one of tops(), be the top card from now on; nobody learns it by that."""
    g = s.tab[4][zone]
    row = s.z[zone]
    if g < 0 or s.z[g][-1] > 0:
        return
    at = row.index(x)
    s.z[zone] = row[:at] + row[at + 1 :] + (x,)
    parts = s.z[g]
    part = parts[-1]
    s.z[g] = (*parts[:-1], part + 1, 1) if part < -2 else joined([*parts[:-1], part + 1, 1])


def settle_bottom(s: State, zone: int, x: int) -> None:
    """Let x, one of bottoms(), be the bottom card from now on."""
    g = s.tab[4][zone]
    row = s.z[zone]
    if g < 0 or s.z[g][0] > 0:
        return
    at = row.index(x)
    s.z[zone] = (x, *row[:at], *row[at + 1 :])
    parts = s.z[g]
    s.z[g] = joined([1, parts[0] + 1, *parts[1:]])


def draw(s: State, deck: int, zone: int) -> int:
    """The top card of a deck to the top of a zone, where chance is not asked → the card, -1 if there is none. The same
    as tops, rnd, and mv (or settle, where the deck is drawn to itself), one after the other."""
    z = s.z
    row = z[deck]
    if not row:
        return -1
    loc, _, seen, see, segs, sets, facedown, _, _, _ = s.tab
    g = segs[deck]
    part = z[g][-1] if g >= 0 else 1
    if part > 0:
        at = len(row) - 1 + rnd(s, 1)
    else:
        at = len(row) + part + rnd(s, -part)
    x = row[at]
    if zone == deck:
        settle(s, deck, x)
    elif g < 0 or zone < 0 or segs[zone] >= 0 or s.mods:
        mv(s, x, zone)
    else:
        z[deck] = row[:at] + row[at + 1 :]
        cut(z, g, at)
        v = s.v
        v[loc + x] = zone
        learn = see[zone]
        if learn < 0:
            learn = sees(s, zone)
        if facedown < 0 or not v[facedown + x]:
            v[seen + x] |= learn
        row = z[zone]
        if row and sets[zone]:
            at = bisect_left(row, x)
            z[zone] = row[:at] + (x,) + row[at:]
        else:
            z[zone] = row + (x,)
    return x


def shuffle(s: State, zone: int) -> None:
    """A deck becomes one mixed segment that nobody knows; in another zone only who sees it still knows what is
    where."""
    seen = s.tab[2]
    g = s.tab[4][zone]
    row = tuple(sorted(s.z[zone]))
    s.z[zone] = row
    mask = 0 if g >= 0 else sees(s, zone)
    if g >= 0:
        s.z[g] = joined([-len(row)])
    v = s.v
    for x in row:
        v[seen + x] &= mask


def shuffle_in(s: State, x: int, zone: int) -> None:
    """Put x into a deck and shuffle the deck."""
    mv(s, x, zone)
    shuffle(s, zone)


def know(s: State, mask: int, x: int) -> None:
    """The seats of this bit set learn which x is."""
    s.v[s.tab[2] + x] |= mask


from_bytes = int.from_bytes
PRIME = 2**53 - 111  # the largest below the largest number of a save


def remembering(told: tuple[int, ...], start: list[int]) -> Callable[[State], None]:
    """What a game calls at the start of each turn to keep what tells this position from others, and to say in a cell whether
    it was kept before. told: compile's `told`; start: the cells before a set-up.

    A position is who has the turn, every cell but those that count turns, rolls and sentences, and where things lie. What is
    kept of it is its bytes as one number, modulo a prime: two that differ are the same by chance once in 2**53. It goes into
    one of many sorted lists, the one that it says itself, so that a long game makes no list long."""
    lists, places, first, after, rest, repeated = told
    count = after - first + len(start) - rest
    short, long = struct.Struct(f"<{count}b").pack, struct.Struct(f"<{count}qb").pack
    none_below = min(start[first:after] + start[rest:]) >= 0
    plain = none_below and first == after and not places

    def number_of(s: State) -> int:
        cells = s.v[first:after] + s.v[rest:]
        try:
            number = from_bytes(cells if none_below else short(*cells), "little")
        except (ValueError, struct.error):  # one that a byte does not hold
            number = from_bytes(long(*cells, 1), "little")
        if places:
            lie = repr(s.z[:places]).encode()
            number = number << 8 * len(lie) | from_bytes(lie, "little")
        return number

    def remember(s: State) -> None:
        v = s.v
        v[repeated] = 16 * v[ACTIVE] + v[FIRST] + 17
        try:
            number = from_bytes(v[rest:], "little") if plain else number_of(s)
        except ValueError:
            number = number_of(s)
        key = number % PRIME
        at = lists + key % POSITION_LISTS
        z = s.z
        row = z[at]
        if key in row:
            v[repeated] = 1
        else:
            v[repeated] = 0
            i = bisect_left(row, key)
            z[at] = row[:i] + (key,) + row[i:]

    return remember


def finish(s: State) -> None:
    """The game is over; the block that calls this returns 1."""
    s.v[OVER] = ENDED
    s.st.clear()
    s.opts = ()
    s.who = -2
