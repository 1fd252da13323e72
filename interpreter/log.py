"""log: what happened, as entries of ints and words, told to each seat as far as it may know.

In: State.lg, a list of entries. Out: [{by, text}], by a seat or None. An entry tells the same at any later time: who
knew a card is kept in it as a bit set, taken when it happened. Emitted code appends entries itself, or by chose() and
did().

Entries: (choose or forced, seat, action, block, mask, place where it has to be told, values of the fields in the label…),
(gain, lose, pay or set, thing, counter, n), (move, thing, from,
to, mask), (roll, seat, total), (turn, seat, number), (shuffle, zone), (did, text, seat, things, masks), (do, text, seat, things…), (text,
words), (reveal, thing, mask), (flip, thing, 1 for down), (secret, seat), (endless, records…), (told, by, words).
Without a mask, a card counts as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.labels import FIELD, PASS, UNKNOWN, Known, named, place, range_of, spot, template, thing_of, value_at

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

# kind: letters of what follows: p seat, a action, b block, t thing, z zone, n number, w words, l tuple of things,
# m tuple of numbers; a capital: may be missing; + any number of the last
SHAPES = {
    "choose": "pabNZT+",
    "forced": "pabNZT+",
    "gain": "twn",
    "lose": "twn",
    "set": "twn",
    "pay": "twn",
    "move": "tzzN",
    "roll": "pn",
    "turn": "pn",
    "shuffle": "z",
    "did": "wplm",
    "do": "wpT+",
    "text": "w",
    "reveal": "tN",
    "flip": "tn",
    "secret": "p",
    "endless": "W+",
    "told": "pw",
}
# kind: how many must be there, letters in small, whether the last may come again
PARTS = {
    kind: (sum(map(str.islower, letters)), letters.rstrip("+").lower(), letters.endswith("+"))
    for kind, letters in SHAPES.items()
}
MOST_WORDS = 4_000


class Past(NamedTuple):
    """All that a seat knew of the log when its hidden part was dealt anew: kept unread."""

    seat: int
    entries: tuple[Any, ...]


def chose(s: State, kind: str, seat: int, action: int, block: int) -> None:
    """Append that this seat chose (or was forced to take: kind) an action at the question of this block."""
    if s.lg is not None:
        x = thing_of(s.game, action)
        mask = s.v[s.prog.model.seen + x] if x >= 0 else 0
        s.lg.append((kind, seat, action, block, mask, *whereabouts(s, action, x)))


def whereabouts(s: State, action: int, x: int) -> tuple[int, ...]:
    """Of a choice, what tells its thing from others that read alike: the place where it lies, and the value there of each
    field that the label names. () where the name is enough, or nobody sees the place."""
    zone = s.v[s.prog.model.loc + x] if x >= 0 else -1
    if zone < 0:
        return ()
    text, placed = template(s.game, action)
    lay = s.game.layout
    if not placed and not (lay.twins[x] and lay.see[zone] == lay.everyone):
        return ()
    return zone, *(value_at(s, x, name) for name in FIELD.findall(text))


def did(s: State, text: str, seat: int, things: tuple[int, ...]) -> None:
    """Append that this seat performed a phrase; {} in text stands for each thing in turn."""
    if s.lg is not None:
        seen = s.prog.model.seen
        s.lg.append(("did", text, seat, things, tuple([s.v[seen + x] if x >= 0 else 0 for x in things])))


def log(s: State, seat: int) -> list[dict[str, Any]]:
    return [{"by": by, "text": text} for by, text in told(s.lg or (), s.game, seat)]


def told(entries: Any, game: Game, seat: int) -> list[tuple[int | None, str]]:
    out: list[tuple[int | None, str]] = []
    for entry in entries:
        if isinstance(entry, Past):
            out += told(entry.entries, game, entry.seat)
            continue
        line = tell(entry, game, seat)
        if line is not None:
            out.append(line)
    return out


def open_thing(game: Game, x: int) -> bool:
    """True if things of this kind are never hidden."""
    m = game.model
    return x < m.seats or not any(k.card or k.visible != "all" for k in game.layout.kinds[m.kind_of[x]])


def knower(game: Game, seat: int, masks: dict[int, int]) -> Known:
    return lambda x: open_thing(game, x) or bool(masks.get(x, 0) >> seat & 1)


def tell(entry: tuple[Any, ...], game: Game, seat: int) -> tuple[int | None, str] | None:
    """One entry for one seat: (by, text), or None if it is not for this seat."""
    kind = entry[0]
    if kind in ("choose", "forced"):
        return tell_choice(entry, game, seat)
    if kind in ("gain", "lose", "set", "pay"):
        _, x, word, n = entry
        counter = game.model.counters.get(word)
        if counter is not None and not counter.public and x != seat:
            return None
        name = spot(game, x, knower(game, seat, {})) if x >= 0 else "the game"
        if kind == "set":
            return None, f"{name}: {word} is {n}"
        many = counter is not None and n != 1 and counter.plural
        return None, f"{name} {kind}s {n} {counter.plural if many and counter else word}"
    if kind == "move":
        x, old, to = entry[1:4]
        known = knower(game, seat, {x: entry[4] if len(entry) > 4 else 0})
        start = f" from {place(game, old, known)}" if old >= 0 else ""
        end = f" to {place(game, to, known)}" if to >= 0 else " out of the game"
        return None, f"{named(game, x, known)} moves{start}{end}"
    if kind == "roll":
        return by(entry[1]), f"rolls {entry[2]}"
    if kind == "turn":
        return by(entry[1]), f"begins turn {entry[2]}"
    if kind == "shuffle":
        return None, f"{place(game, entry[1], knower(game, seat, {}))} is shuffled"
    if kind in ("did", "do"):
        things = entry[3] if kind == "did" else entry[3:]
        masks = dict(zip(things, entry[4])) if kind == "did" else {}
        text = entry[1]
        for x in things:
            text = text.replace("{}", spot(game, x, knower(game, seat, masks)) if x >= 0 else "nothing", 1)
        return by(entry[2]), text
    if kind == "text":
        return None, entry[1]
    if kind == "reveal":
        x = entry[1]
        return None, f"{named(game, x, knower(game, seat, {x: entry[2] if len(entry) > 2 else 0}))} is revealed"
    if kind == "flip":
        return None, f"{named(game, entry[1], knower(game, seat, {}))} is turned face {'down' if entry[2] else 'up'}"
    if kind == "secret":
        return entry[1], "chooses in secret"
    if kind == "endless":
        return None, "this would go on without end: " + ", ".join(entry[1:])
    return by(entry[1]), entry[2]


def by(seat: int) -> int | None:
    return seat if seat >= 0 else None


def tell_choice(entry: tuple[Any, ...], game: Game, seat: int) -> tuple[int | None, str] | None:
    """What was answered in secret, and a pass in a window, is told to who answered only."""
    kind, who, action, block = entry[:4]
    site = game.program.sites.get(block)
    text, _ = template(game, action)
    mine = who == seat
    if site is not None and not mine and (site.secret or (site.window and text.casefold() == PASS)):
        return None
    x = thing_of(game, action)
    masks = {x: entry[4] if len(entry) > 4 else 0}
    free = mine or (site is not None and not site.hidden and len(entry) < 5 and site.kind != "chance")
    known: Known = (lambda y: y == x or open_thing(game, y)) if free else knower(game, seat, masks)
    name = UNKNOWN if x < 0 else spot(game, x, known)
    if len(entry) > 5 and name != UNKNOWN:
        name += f" on {place(game, entry[5], known)}"
    label = text.replace("{}", name)
    values = iter(entry[6:])
    label = FIELD.sub(lambda found: named(game, y, known) if (y := next(values, -1)) >= 0 else "", label)
    if who < 0:
        return None, f"chance: {label}"
    if site is not None and range_of(game, action).kind == "number":
        label += f" ({site.prompt})" if site.prompt else ""
    label = label.removeprefix("Choose ")
    return who, f"chooses {label}" if kind == "choose" else f"has to choose {label}"


def stored(entries: Any, game: Game) -> list[Any]:
    """The log in JSON types."""
    out: list[Any] = []
    for entry in entries:
        if isinstance(entry, Past):
            out += [("told", -1 if who is None else who, text) for who, text in told(entry.entries, game, entry.seat)]
        else:
            out.append(entry)
    return out


def restored(game: Game, rows: list[Any]) -> list[Any]:
    """Entries from a save; SaveError if one is not of its shape."""
    from interpreter.save import fail

    limits = bounds(game)
    out = []
    for row in rows:
        if type(row) is not list or not row or type(row[0]) is not str or row[0] not in SHAPES:
            fail("log")
        need, letters, many = PARTS[row[0]]
        count = len(row) - 1
        if count < need or (count > len(letters) and not many):
            fail("log")
        entry = [row[0]]
        for letter, value in zip(letters + letters[-1:] * (count - len(letters)), row[1:]):
            span = limits.get(letter)
            if span is None:
                value = checked(game, limits, letter, value)
            elif type(value) is not int or not span[0] <= value < span[1]:
                fail("log")
            entry.append(value)
        if row[0] == "did" and len(entry[3]) != len(entry[4]):
            fail("log")
        out.append(tuple(entry))
    return out


def bounds(game: Game) -> dict[str, tuple[int, int]]:
    """letter → least, most + 1 of the numbers it stands for."""
    from interpreter.save import LARGEST

    m = game.model
    return {
        "p": (-2, m.seats),
        "a": (0, game.num_actions),
        "b": (0, len(game.program.blocks)),
        "t": (-1, m.things),
        "z": (-1, m.zone_count),
        "n": (-LARGEST, LARGEST + 1),
    }


def checked(game: Game, limits: dict[str, tuple[int, int]], letter: str, value: Any) -> Any:
    """Words, or a tuple of things or numbers, of an entry."""
    from interpreter.save import fail

    if letter == "w":
        if type(value) is not str or len(value) > MOST_WORDS:
            fail("log")
        return value
    if type(value) is not list or len(value) > game.model.things + 64:
        fail("log")
    low, high = limits["t" if letter == "l" else "n"]
    if any(type(x) is not int or not low <= x < high for x in value):
        fail("log")
    return tuple(value)
