"""emitted: the functions that emitted code calls beside the mutations: small pure ones over lists of things, paths,
waiting triggers and boundaries. In: a State and ints. Out: ints and tuples.
"""

from __future__ import annotations

from typing import Any

from interpreter.model import LARGEST
from interpreter.mutations import Endless, joined, own


def sat(number: int) -> int:
    """A number, kept within what a number can be."""
    return number if -LARGEST <= number <= LARGEST else LARGEST if number > 0 else -LARGEST


def best(measured: list[tuple[int, int]]) -> list[int]:
    """(measure, thing) pairs → the things with the highest measure."""
    if not measured:
        return []
    top = max(m for m, _ in measured)
    return [x for m, x in measured if m == top]


def worst(measured: list[tuple[int, int]]) -> list[int]:
    if not measured:
        return []
    low = min(m for m, _ in measured)
    return [x for m, x in measured if m == low]


def one(things: Any) -> int:
    """The first, or -1."""
    for x in things:
        return int(x)
    return -1


def distinct(things: list[int]) -> list[int]:
    """Without repetitions and without -1, in order."""
    return [x for x in dict.fromkeys(things) if x >= 0]


def last_enough(options: list[int], worth: list[int], need: int) -> list[int]:
    """The options after which the rest (itself included) can still make up the amount needed."""
    left = sum(worth)
    out = []
    for x, w in zip(options, worth):
        if left >= need:
            out.append(x)
        left -= w
    return out


def spare(options: list[int], worth: list[int], chosen: list[int], need: int) -> list[int]:
    """The options (in order; chosen are the worths already taken) from which the need can still be met, with later options
    only, by a set in which nothing is to spare: without any one of it the need would not be met."""
    out = []
    for i, x in enumerate(options):
        if worth[i] > 0 and completes(worth[i + 1 :], [*chosen, worth[i]], need):
            out.append(x)
    return out


FEW = 12  # things of which every set can be tried
MOST_SUMS = 1_000_000


def sums_fit(rest: list[int], taken: list[int], left: int) -> bool:
    """The same for many: for each least worth, whether things that are worth as much or more can come to what is left, or
    to less than that worth beyond it. Sums are the bits of one number."""
    lowest = min(taken, default=max(rest))
    for least in sorted({min(w, lowest) for w in [*rest, *taken] if w > 0}, reverse=True):
        sums, within = 1, (1 << (left + least)) - 1
        for w in rest:
            if w >= least:
                sums |= (sums << min(w, left + least)) & within
        if sums >> left:
            return True
    return False


def completes(rest: list[int], taken: list[int], need: int) -> bool:
    total = sum(taken)
    if total >= need:
        return total - min(taken) < need
    if total + sum(rest) < need:
        return False
    if len(rest) > FEW and need <= MOST_SUMS:
        return sums_fit(rest, taken, need - total)
    return any(w > 0 and completes(rest[i + 1 :], [*taken, w], need) for i, w in enumerate(rest))


def along(path: tuple[int, ...], start: int, step: int) -> int:
    """The space one step after (or before) start on a path that is a loop; -1 when start is not on it."""
    if start not in path:
        return -1
    return path[(path.index(start) + step) % len(path)]


def ahead(path: tuple[int, ...], start: int) -> tuple[int, ...]:
    """All spaces of a path that is a loop after start, in order; none where start is not on it."""
    if start not in path:
        return ()
    at = path.index(start)
    return path[at + 1 :] + path[:at]


def run(ahead_: tuple[int, ...], fits: list[bool]) -> tuple[int, ...]:
    """The spaces ahead as far as they fit."""
    return ahead_[: fits.index(False)] if False in fits else ahead_


def run_to(ahead_: tuple[int, ...], fits: list[bool], ends: list[bool]) -> tuple[int, ...]:
    """The spaces ahead as far as they fit, if the next is one that ends them."""
    if False not in fits:
        return ()
    at = fits.index(False)
    return ahead_[:at] if ends[at] else ()


def stretch(v: list[int], ahead_: tuple[int, ...], base: int, value: int) -> tuple[int, ...]:
    """run, where a space fits if its cell has this value."""
    for i, x in enumerate(ahead_):
        if v[base + x] != value:
            return ahead_[:i]
    return ahead_


def stretch_to(v: list[int], ahead_: tuple[int, ...], base: int, value: int, end: int) -> tuple[int, ...]:
    """run_to, where a space fits if its cell has this value, and ends the run if it has that one."""
    for i, x in enumerate(ahead_):
        found = v[base + x]
        if found != value:
            return ahead_[:i] if found == end else ()
    return ()


def step_zone(s: Any, x: int, steps: tuple[int, ...]) -> int:
    """The zone one step from where x lies, by a table thing → next; where it lies if that leads nowhere."""
    model = s.prog.model
    here = s.v[model.loc + x]
    holder = -2 - model.zone_owner[here] if here >= 0 else -1
    then = steps[holder] if holder >= 0 else -1
    return int(model.tables["on zones"][then]) if then >= 0 else int(here)


def next_zone(s: Any, x: int, path: tuple[int, ...], step: int) -> int:
    """The zone one step along a path from where x lies; where it lies if that is off the path."""
    tables = s.prog.model.tables
    on = tables["on zones"]
    here = s.v[s.prog.model.loc + x]
    for i, space in enumerate(path):
        if on[space] == here:
            return int(on[path[(i + step) % len(path)]])
    return int(here)


def here_on(s: Any, x: int, path: tuple[int, ...]) -> bool:
    """Whether x lies on a space of the path."""
    on = s.prog.model.tables["on zones"]
    here = s.v[s.prog.model.loc + x]
    return any(on[space] == here for space in path)


def path_of(s: Any, x: int, who: int) -> int:
    """The path that x moves along when none is named: one that x lies on, a path of its owner first, then a shared one."""
    model = s.prog.model
    found = []
    for path, zone in model.tables["path zones"].items():
        if here_on(s, x, s.z[zone]):
            found.append(path)
    if not found:
        return -1
    own = s.v[model.own + x]
    for path in found:
        if own >= 0 and model.seat_of[path] == own:
            return int(path)
    for path in found:
        if model.seat_of[path] < 0:
            return int(path)
    for path in found:
        if model.seat_of[path] == who:
            return int(path)
    return int(found[0])


def passers(mask: int, players: int) -> int:
    """How many seats a bit set of those who passed holds."""
    return (mask & ((1 << players) - 1)).bit_count()


def happened(history: tuple[int, ...], phrase: int, subject: int, args: tuple[int, ...]) -> bool:
    """Whether the history (phrase, length, subject, arguments … repeated) holds an event; -1 in args fits anything,
    as does the subject -2."""
    at = 0
    while at < len(history):
        size = history[at + 1]
        if history[at] == phrase and subject in (-2, history[at + 2]):
            given = history[at + 3 : at + 2 + size]
            if all(want in (-1, have) for want, have in zip(args, given)):
                return True
        at += 2 + size
    return False


def keeper(s: Any, x: int, who: int) -> int:
    """Whose a thing is; the player who handles it, where it is nobody's."""
    owner = own(s, x)
    return owner if owner >= 0 else who


def discard_of(s: Any, x: int, who: int) -> int:
    """The discard zone of a card whose kind is known only in play."""
    model = s.prog.model
    kind = model.kinds[model.kind_of[x]]
    zone = model.zones.get(kind.discard)
    if zone is None:
        return -1
    return int(zone.base + (keeper(s, x, who) if zone.of == "player" else 0))


def hand_of(s: Any, x: int, who: int, taken: bool) -> int:
    """The zone that draw, or take, leads to for a card whose kind is known only in play."""
    model = s.prog.model
    kind = model.kinds[model.kind_of[x]]
    zone = model.zones.get((taken and kind.taken) or kind.hand or "Hand")
    if zone is None:
        return -1
    return int(zone.base + (who if zone.of == "player" else 0))


def next_tops(s: Any, deck: int, k: int) -> tuple[int, ...]:
    """Candidates for the card under the k ordered ones on top of a deck."""
    row = s.z[deck]
    segment = s.prog.model.segments.get(deck)
    if k >= len(row):
        return ()
    if segment is None:
        return (row[-1 - k],)
    depth = 0
    for size in reversed(s.z[segment]):
        if depth + abs(size) > k:
            if size > 0:
                return (row[-1 - k],)
            end = len(row) - depth
            return tuple(row[end + size : end])
        depth += abs(size)
    return ()


def settle_next(s: Any, deck: int, x: int, k: int) -> None:
    """x, one of next_tops, becomes the ordered card under the k on top."""
    segment = s.prog.model.segments.get(deck)
    row = s.z[deck]
    if segment is None or (row[-1 - k] == x and next_tops(s, deck, k) == (x,)):
        if segment is None or (k == 0 and s.z[segment][-1] > 0):
            return
    depth = 0
    parts = list(s.z[segment])
    for i in range(len(parts) - 1, -1, -1):
        size = parts[i]
        if depth + abs(size) > k:
            if size > 0:
                return
            rest = [y for y in row if y != x]
            rest.insert(len(row) - 1 - depth, x)
            s.z[deck] = tuple(rest)
            parts[i] = size + 1
            above = parts[i + 1] if i + 1 < len(parts) else 0
            if above:
                parts[i + 1] = above + 1
            else:
                parts.insert(i + 1, 1)
            s.z[segment] = joined(parts)
            return
        depth += abs(size)


def bound(s: Any, passes: int = 1) -> None:
    """Count passes of a loop without decisions; too many end the game."""
    s.v[7] += passes
    if s.v[7] > s.prog.model.limit:
        raise Endless


def take_pending(s: Any) -> tuple[int, ...]:
    """The triggers that wait, as (length, listener, you, this, …) one after the other; none wait then."""
    pend = s.pend
    s.pend = ()
    if len(pend) == 1:
        return (len(pend[0]), *pend[0])
    out: list[int] = []
    for entry in pend:
        out.append(len(entry))
        out += entry
    return tuple(out)


def lone(batch: tuple[int, ...]) -> bool:
    """Whether just one trigger waits, as mostly."""
    return len(batch) == batch[0] + 1


def entries(batch: tuple[int, ...]) -> list[tuple[int, ...]]:
    out = []
    at = 0
    while at < len(batch):
        size = batch[at]
        out.append(batch[at + 1 : at + 1 + size])
        at += 1 + size
    return out


def first_seat(s: Any, batch: tuple[int, ...]) -> int:
    """The seat, in turn order from the active player, whose trigger comes first."""
    n = s.v[0]
    active: int = s.v[1]
    if lone(batch):
        return batch[2] if batch[2] >= 0 else active
    return int(active + min((((e[1] if e[1] >= 0 else active) - active) % n for e in entries(batch)), default=0)) % int(
        n
    )


def order_options(s: Any, batch: tuple[int, ...], seat: int, actions: tuple[int, ...]) -> list[int]:
    """The actions that name a seat's waiting triggers, alike ones once."""
    active = s.v[1]
    if lone(batch):
        return [actions[batch[1]]] if seat == (batch[2] if batch[2] >= 0 else active) else []
    return distinct([actions[e[0]] for e in entries(batch) if (e[1] if e[1] >= 0 else active) == seat])


def pick_trigger(s: Any, batch: tuple[int, ...], seat: int, action: int, actions: tuple[int, ...]) -> tuple[int, ...]:
    if lone(batch):
        return batch[1:]
    active = s.v[1]
    for e in entries(batch):
        if (e[1] if e[1] >= 0 else active) == seat and actions[e[0]] == action:
            return e
    return entries(batch)[0]


def without(batch: tuple[int, ...], entry: tuple[int, ...]) -> tuple[int, ...]:
    """The batch less one entry."""
    if batch[1:] == entry:
        return ()
    out: list[int] = []
    gone = False
    for e in entries(batch):
        if e == entry and not gone:
            gone = True
            continue
        out.append(len(e))
        out += e
    return tuple(out)


def pick_replacement(found: tuple[int, ...], action: int, actions: tuple[int, ...]) -> tuple[int, ...]:
    """(listener, you, this) of the replacement that an action names."""
    for at in range(0, len(found), 3):
        if actions[found[at]] == action:
            return found[at : at + 3]
    return found[:3]


def applied_already(applied: tuple[int, ...], listener: int, this: int) -> bool:
    return any(applied[i] == listener and applied[i + 1] == this for i in range(0, len(applied), 2))


def noted(seen: tuple[int, ...], listener: int, this: int) -> int:
    """0, or one more than the player for whom (listener, this, player) was noted."""
    for at in range(0, len(seen), 3):
        if seen[at] == listener and seen[at + 1] == this:
            return seen[at + 2] + 1
    return 0


def first_seat_of(one: int, other: int) -> int:
    """Whose it is, or else whose it was."""
    return one if one >= 0 else other


ROW = 10  # see interpreter/armed: ident, listener, boundary, you, four things, two numbers


def rows(armed: tuple[int, ...], listener: int) -> list[tuple[int, ...]]:
    """The rows that effects have set up for a listener."""
    return [armed[i : i + ROW] for i in range(0, len(armed), ROW) if armed[i + 1] == listener]


def held(armed: tuple[int, ...], ident: int, slot: int) -> int:
    return next((armed[i + slot] for i in range(0, len(armed), ROW) if armed[i] == ident), -1)


def is_held(armed: tuple[int, ...], ident: int) -> bool:
    return any(armed[i] == ident for i in range(0, len(armed), ROW))


def dropped(armed: tuple[int, ...], ident: int) -> tuple[int, ...]:
    return tuple([x for i in range(0, len(armed), ROW) if armed[i] != ident for x in armed[i : i + ROW]])


def ended(armed: tuple[int, ...], boundary: int) -> tuple[int, ...]:
    """The rows that a boundary does not end."""
    return tuple([x for i in range(0, len(armed), ROW) if armed[i + 2] != boundary for x in armed[i : i + ROW]])


def later(armed: tuple[int, ...], first: int, then: int) -> tuple[int, ...]:
    """Rows that last until the second end of something: the first has come."""
    return tuple([then if i % ROW == 2 and x == first else x for i, x in enumerate(armed)])


MOST_ARMED = 2_000  # rules that effects have set up, at one time


def serial(armed: tuple[int, ...]) -> int:
    """The number of the next rule that an effect sets up. So many that no table could keep them end the game."""
    if len(armed) > MOST_ARMED * ROW:
        raise Endless
    return max(armed[::ROW], default=0) + 1


def seat_of_faction(s: Any, thing: int) -> int:
    """The seat that plays a faction, or -1."""
    cell = s.prog.model.faction_cell
    for seat in range(s.v[0]):
        if s.v[cell + seat] == thing:
            return seat
    return -1


RUNTIME = {name: value for name, value in list(globals().items()) if callable(value) and name not in ("Any",)}
