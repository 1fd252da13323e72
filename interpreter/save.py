"""save: a State as JSON text, and back; a save comes from strangers, so everything in it is checked before use.

In: a State, or a text and the Game it belongs to. Out: text, or a State; SaveError for a text that no game could have
written.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from interpreter import machine
from interpreter.layout import fill_paths
from interpreter.model import ACTIVE, ENDED, ENDLESS, FIRST, OVER, PLAYERS, PLAYING
from interpreter.mutations import MASK

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

FORMAT = "cardscript-state"
VERSION = 1
LARGEST = 2**53 - 1
MOST_BYTES = 64 * 1024 * 1024
MOST_SLOTS = 2_000_000
KEYS = {
    "format",
    "version",
    "game",
    "mods",
    "digest",
    "auto",
    "explicit",
    "rng",
    "v",
    "z",
    "st",
    "pend",
    "effects",
    "log",
}


class SaveError(ValueError):
    """A text that is no save, is a save of other content, or was tampered with."""


def to_json(s: State) -> str:
    """One JSON object; the random int is hex, because it does not fit a double."""
    from interpreter.log import stored

    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "game": s.prog.model.name,
            "mods": s.prog.mods,
            "digest": s.prog.model.digest,
            "auto": s.auto,
            "explicit": s.explicit,
            "rng": f"{s.rng:016x}",
            "v": s.v,
            "z": s.z,
            "st": s.st,
            "pend": s.pend,
            "effects": s.mods,
            "log": None if s.lg is None else stored(s.lg, s.game),
        },
        separators=(",", ":"),
    )


def fail(why: str) -> NoReturn:
    raise SaveError(f"not a valid save: {why}")


def from_json(game: Game, text: str) -> State:
    """The State that wrote this text. Raises SaveError."""
    if not isinstance(text, str) or len(text) > MOST_BYTES:
        fail("no text, or too long")
    try:
        data = json.loads(text, parse_constant=lambda word: fail(f"{word} is no number"))
    except SaveError:
        raise
    except (ValueError, RecursionError) as error:
        raise SaveError(f"not a valid save: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        fail("it is not one of this program's")
    if type(data.get("version")) is not int or data["version"] != VERSION or data.keys() != KEYS:
        fail("another version of the format")
    if data["digest"] != game.digest:
        raise SaveError(
            f"this save belongs to other content: {data['game']!s:.80} with digest {data['digest']!s:.80}; "
            f"this is {game.name} with digest {game.digest}"
        )
    s = game.blank()
    if type(data["auto"]) is not bool or type(data["explicit"]) is not bool:
        fail("settings")
    s.auto, s.explicit = data["auto"], data["explicit"]
    s.rng = seed_of(data["rng"])
    s.v = numbers(data["v"], "cells")
    check_cells(s)
    s.z = [tuple(numbers(row, "a zone")) for row in rows(data["z"], "zones")]
    check_zones(s)
    s.pend = tuples(s, data["pend"], s.prog.waiting, s.prog.listeners, "triggers")
    s.mods = tuples(s, data["effects"], s.prog.effects, -1, "effects")
    s.st = frames(s, data["st"])
    if data["log"] is not None:
        from interpreter.log import restored

        s.lg = restored(game, rows(data["log"], "log"))
    resume(s)
    return s


def resume(s: State) -> None:
    """Derive the open decision and check that it can be asked."""
    if s.v[OVER] != PLAYING:
        if s.st:
            fail("a game that is over has no frames")
        s.opts, s.who = (), -2
        return
    if not s.st or s.st[-1] not in s.prog.questions or s.st[-1] not in s.prog.sites:
        fail("nobody is asked")
    site = s.prog.sites[s.st[-1]]
    try:
        if site.secret:
            answers = s.st[machine.frame(s) + site.slot]
            if len(answers) < s.v[PLAYERS] or -1 not in answers[: s.v[PLAYERS]] or -1 in answers[s.v[PLAYERS] :]:
                fail("answers")
        s.who, s.opts = machine.derive(s)
        fine = len(s.opts) > 0 and all(type(a) is int and 0 <= a < s.prog.num_actions for a in s.opts)
    except SaveError:
        raise
    except Exception as error:
        raise SaveError(f"not a valid save: its question cannot be asked ({type(error).__name__})") from None
    if not fine or not -1 <= s.who < s.v[PLAYERS]:
        fail("its question offers nothing")


def seed_of(text: Any) -> int:
    if not isinstance(text, str) or len(text) != 16 or text.strip("0123456789abcdef"):
        fail("random int")
    return int(text, 16) & MASK


def rows(value: Any, what: str) -> list[Any]:
    if type(value) is not list or len(value) > MOST_SLOTS:
        fail(what)
    return value


def numbers(value: Any, what: str) -> list[int]:
    found = rows(value, what)
    if found and (set(map(type, found)) != {int} or min(found) < -LARGEST or max(found) > LARGEST):
        wrong = next(n for n in found if type(n) is not int or not -LARGEST <= n <= LARGEST)
        fail(f"{what}: {wrong!r:.40} is no number")
    return found


def check_cells(s: State) -> None:
    """Raise SaveError where a cell of a save is not what it can be in a game."""
    m = s.prog.model
    v = s.v
    if len(v) != len(s.game.layout.start):
        fail("number of cells")
    n = v[PLAYERS]
    if not m.least <= n <= m.most:
        fail("number of players")
    if not (-1 <= v[ACTIVE] < n and -1 <= v[FIRST] < n and v[OVER] in (PLAYING, ENDED, ENDLESS)):
        fail("turn")

    def within(at: int, count: int, low: int, high: int, what: str) -> None:
        part = v[at : at + count]
        if part and (min(part) < low or max(part) > high):
            fail(what)

    within(m.loc, m.things, -1, m.zone_count - 1, "places")
    within(m.own, m.things, -1, m.seats - 1, "owners")
    within(m.seen, m.things, 0, s.game.layout.everyone, "knowledge")
    within(m.result, m.seats, -1, 1, "results")
    within(m.faction_cell, m.seats, -1, m.things - 1, "factions")
    for cell in s.game.layout.thing_cells:
        if not -1 <= v[cell] < m.things:
            fail("a property")
    for at, kept in s.prog.fixed:
        if tuple(v[at : at + len(kept)]) != kept:
            fail("what a set-up alone decides")


def check_zones(s: State) -> None:
    """Every thing lies in exactly the zone that its cell names, segments fit their decks, and nothing lies on
    itself."""
    m = s.prog.model
    lay = s.game.layout
    v, z = s.v, s.z
    if len(z) != len(lay.zones):
        fail("number of zones")
    met = 0
    for zone in range(m.zone_count):
        if not lay.place[zone]:
            continue
        row = z[zone]
        met += len(row)
        if len(set(row)) != len(row):
            fail("a thing lies twice in one place")
        for x in row:
            if not 0 <= x < m.things or v[m.loc + x] != zone:
                fail("zones and places differ")
        if lay.sets[zone] and list(row) != sorted(row):
            fail("the order of a hidden place")
        if lay.segs[zone] >= 0:
            check_deck(s, zone)
    if met != sum(1 for zone in v[m.loc : m.loc + m.things] if zone >= 0):
        fail("a thing lies nowhere")
    for zone, spaces in fill_paths(m, v[PLAYERS]).items():
        if z[zone] != spaces:
            fail("a path")
    for at in range(len(z)):
        if at >= m.zone_count or (not lay.place[at] and at in s.prog.lists):
            letters = s.prog.lists.get(at, "n")
            for i, value in enumerate(z[at]):
                slot(s, letters[i % len(letters)], value, "a list")
    done: set[int] = set()
    for x in range(m.things):
        path: set[int] = set()
        y = x
        while y not in done:
            if y in path:
                fail("a thing lies on itself")
            path.add(y)
            zone = v[m.loc + y]
            if zone < 0 or m.zone_owner[zone] > -2:
                break
            y = -2 - m.zone_owner[zone]
        done |= path


def check_deck(s: State, zone: int) -> None:
    m = s.prog.model
    row, parts = s.z[zone], s.z[s.game.layout.segs[zone]]
    if sum(abs(part) for part in parts) != len(row) or 0 in parts or -1 in parts:
        fail("segments of a deck")
    low, before = 0, 0
    for part in parts:
        if part > 0 and before > 0:
            fail("segments of a deck")
        before = part
        cards = row[low : low + abs(part)]
        low += abs(part)
        if part < 0 and (list(cards) != sorted(cards) or any(s.v[m.seen + x] for x in cards)):
            fail("a mixed deck")


def slot(s: State, letter: str, value: Any, what: str) -> Any:
    """A value of a frame, of the kind that its letter says; lists become tuples."""
    m = s.prog.model
    if letter in "smA" or type(value) is list:
        row = tuple(numbers(value, what))
        if letter not in "smA":
            fail(what)
        most = {"s": m.things, "A": s.prog.num_actions}.get(letter)
        if most is not None and any(not -2 <= x < most for x in row):
            fail(what)
        return row
    if type(value) is not int:
        fail(what)
    high = {"t": m.things, "z": m.zone_count, "a": s.prog.num_actions}.get(letter)
    if (not -LARGEST <= value <= LARGEST) if high is None else not -2 <= value < high:
        fail(what)
    return value


def frames(s: State, value: Any) -> list[Any]:
    """The stack, cut into frames from its top, each checked against the shape of its block."""
    st = rows(value, "frames")
    out = list(st)
    shapes = s.prog.shapes
    top = len(st)
    while top:
        block = st[top - 1]
        if type(block) is not int or not 0 <= block < len(s.prog.blocks):
            fail("a block")
        size, letters = shapes[block]
        low = top - size
        if low < 0 or size < 1:
            fail("a frame")
        for i in range(low, top - 1):
            out[i] = slot(s, letters[i - low] if i - low < len(letters) else "n", st[i], "a frame")
        top = low
    return out


def tuples(s: State, value: Any, described: dict[int, str], most: int, what: str) -> tuple[tuple[Any, ...], ...]:
    """Waiting triggers or effects: a number first, then values by the letters described for it."""
    out = []
    for row in rows(value, what):
        if not rows(row, what) or type(row[0]) is not int or not 0 <= row[0] < (most if most >= 0 else LARGEST):
            fail(what)
        letters = described.get(row[0])
        if letters is None:
            out.append(
                (row[0], *(tuple(numbers(x, what)) if type(x) is list else slot(s, "n", x, what) for x in row[1:]))
            )
        elif len(letters) != len(row) - 1:
            fail(what)
        else:
            out.append((row[0], *(slot(s, letter, x, what) for letter, x in zip(letters, row[1:]))))
    return tuple(out)
