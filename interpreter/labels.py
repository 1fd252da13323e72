"""labels: what an option, a thing or a place is called, for one seat.

In: a State, action ints, the seat that reads (-1 sees everything). Out: text. A thing that the seat does not know is
"a card". Where two options of one decision would read alike, what tells them apart is added: first the place, then the
owner, then counters, then a number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.program import Range
    from interpreter.state import State

UNKNOWN = "a card"
DONE, PASS = "done", "pass"  # the labels, in small letters, that end a choice of several, and a window
FIELD = re.compile(r"\{place\.([^}]+)\}")
Known = Callable[[int], bool]


def knower(s: State, seat: int) -> Known:
    """thing → whether this seat knows which it is."""
    m = s.prog.model
    if seat < 0:
        return lambda x: True
    v, seen, seats = s.v, m.seen, m.seats
    return lambda x: x < seats or bool(v[seen + x] >> seat & 1)


def named(game: Game, x: int, known: Known) -> str:
    return game.model.names_of[x] if known(x) else UNKNOWN


def spot(game: Game, x: int, known: Known) -> str:
    """A thing as a place: `the right Meadow of player 1`, `Old Mill`."""
    m = game.model
    name = named(game, x, known)
    if x >= m.seats and m.seat_of[x] >= 0 and known(x):
        return f"the {name} of player {m.seat_of[x] + 1}"
    return f"the {name}" if x >= m.seats and name != UNKNOWN and name[:1].islower() else name


def place(game: Game, zone: int, known: Known) -> str:
    """A zone: `the Hand of player 1`, `the Market`, or the thing that it lies on."""
    owner = game.model.zone_owner[zone]
    text = game.layout.zone_texts[zone]
    if owner >= 0:
        return f"the {text} of player {owner + 1}"
    if owner == -1:
        return f"the {text}"
    holder = spot(game, -2 - owner, known)
    return f"the {text} of {holder}" if text else holder


def range_of(game: Game, action: int) -> Range:
    return game.program.ranges[bisect_right(game.layout.los, action) - 1]


def thing_of(game: Game, action: int) -> int:
    """The thing that an action chooses, or -1."""
    r = range_of(game, action)
    if r.kind == "thing":
        return action - r.lo
    if r.kind == "option":
        return int(action - r.lo + r.data.first)
    return -1


def form(game: Game, action: int) -> tuple[str, bool, int, str]:
    """Of an action, kept once read: template, whether it always names its place, thing or -1, kind of its range."""
    found = game.forms.get(action)
    if found is None:
        found = game.forms[action] = (*template(game, action), thing_of(game, action), range_of(game, action).kind)
    return found


def template(game: Game, action: int) -> tuple[str, bool]:
    """The text of an action with {} where its thing's name goes, and whether that always names its place."""
    r = range_of(game, action)
    if r.kind == "number":
        return str(action - r.lo + (r.data if isinstance(r.data, int) else 0)), False
    if r.kind == "text":
        return str(r.data), False
    if r.kind == "option":
        return r.data.label, bool(r.data.placed)
    return "{}", False


def canonical(game: Game, action: int, label: str) -> tuple[str, ...]:
    """The canonical texts of an option that content labels otherwise: `Ring {}` for `{}: {place.Deed}`, with its thing as
    this label names it."""
    r = range_of(game, action)
    if not r.plain:
        return ()
    holes = re.escape(FIELD.sub("\0", template(game, action)[0])).replace(re.escape("{}"), "(.*)")
    found = re.fullmatch(holes.replace(re.escape("\0"), ".*"), label)
    thing = found[1] if found and found.groups() else ""
    return tuple(plain.replace("{}", thing) for plain in r.plain)


def target(s: State, action: int, seat: int) -> str | None:
    """Record id of the chosen thing, `player N`, or None."""
    m = s.prog.model
    x = thing_of(s.game, action)
    if x < 0 or not knower(s, seat)(x):
        return None
    return f"player {x + 1}" if x < m.seats else m.record_of[x]


def labels(s: State, opts: Sequence[int], seat: int, numbered: bool = True) -> tuple[str, ...]:
    """A label for each action, told apart as far as this seat can; not numbered: by what can be seen only, so that like
    ones read alike."""
    game = s.game
    known = knower(s, seat)
    forms = [form(game, a) for a in opts]
    out = []
    alike: dict[str, list[int]] = {}
    for i, (text, placed, x, kind) in enumerate(forms):
        if x >= 0 or kind == "hidden":
            text = text.replace("{}", called(s, opts[i], x, known, 1 if placed else 0))
            text = filled(s, x, text)
        out.append(text)
        alike.setdefault(text.casefold(), []).append(i)
    if len(alike) == len(out):
        return tuple(out)
    for group in alike.values():
        if len({opts[i] for i in group}) < 2 or all(forms[i][2] < 0 and forms[i][3] != "hidden" for i in group):
            continue
        best: list[str] = [out[i] for i in group]
        for level in (1, 2, 3, 4) if numbered else (1, 2, 3):
            texts = [
                filled(s, forms[i][2], forms[i][0]).replace("{}", called(s, opts[i], forms[i][2], known, level, n))
                for n, i in enumerate(group, 1)
            ]
            if numbered or len({*texts}) > len({*best}):
                best = texts
            if len({text.casefold() for text in texts}) == len(group):
                break
        for i, text in zip(group, best):
            out[i] = text
    return tuple(out)


def filled(s: State, x: int, text: str) -> str:
    """A label with what `{place.FIELD}` in it stands for."""
    return FIELD.sub(lambda found: of_place(s, x, found.group(1)), text)


def of_place(s: State, x: int, name: str) -> str:
    """What a thing-valued field of the place says where x lies, as in `{place.Deed}`; "" where there is none."""
    value = value_at(s, x, name)
    return s.prog.model.names_of[value] if value >= 0 else ""


def value_at(s: State, x: int, name: str) -> int:
    """The thing that this field of the place names where x lies, or -1."""
    m = s.prog.model
    zone = s.v[m.loc + x]
    holder = -2 - m.zone_owner[zone] if zone >= 0 else -1
    field = m.kinds[m.kind_of[holder]].fields.get(name) if holder >= m.seats else None
    if field is None:
        return -1
    lo = m.tables.get(("field lo", id(field)), 0)
    value = s.v[field.cell + holder] if field.settable else field.table[holder - lo]
    return value if isinstance(value, int) and value >= 0 else -1


def called(s: State, action: int, x: int, known: Known, level: int, number: int = 0) -> str:
    """A thing's name; from level 1 with its place, 2 its owner, 3 its counters and what lies on it, 4 a number."""
    from interpreter.mutations import own

    game = s.game
    m = s.prog.model
    if x < 0:
        r = range_of(game, action)
        if r.kind != "hidden":
            return ""
        return f"{UNKNOWN} on {place(game, action - r.lo, known)}" if level else UNKNOWN
    text = named(game, x, known)
    if not level or x < m.seats:
        return text
    zone = s.v[m.loc + x]
    if level >= 2 or zone < 0:
        who = own(s, x)
        if who >= 0:
            text += f" of player {who + 1}"
    if zone >= 0:
        text += f" on {place(game, zone, known)}"
    if level >= 3:
        marks = [f"{n} {name}" for name, n in counters_of(s, x).items() if n]
        on = game.layout.on_zone[x]
        marks += [named(game, y, known) for y in (s.z[on] if on >= 0 else ())]
        text += f" with {', '.join(marks)}" if marks else " with nothing"
    return f"{text} ({number})" if level >= 4 else text


def counters_of(s: State, x: int) -> dict[str, int]:
    """The public plain counters of a thing, by name."""
    m = s.prog.model
    out: dict[str, int] = {}
    kinds = [kind.name for kind in s.game.layout.kinds[m.kind_of[x]]] or [m.kind_of[x]]
    for counter in m.counters.values():
        for name in (*kinds, "thing"):
            if counter.public and name in counter.cells and counter.cells[name][1] == 1:
                lo = m.kinds[name].lo if name in m.kinds else 0
                out[counter.name] = s.v[counter.cells[name][0] + x - lo]
                break
    return out
