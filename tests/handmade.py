"""handmade: small programs written by hand as the emitter would emit them. Out: Games for the tests of the machine.

The table: leaves (cards; Fern twice) in a Pile, in Palms that their owner sees, and in the open Yard; pegs on spots.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from interpreter.alike import alike
from interpreter.game import Game
from interpreter.model import ACTIVE, FIXED_CELLS, PLAYERS, STEPS, Counter, Kind, Model, Record, Zone
from interpreter.mutations import finish, mv, rnd, settle, shuffle, tops
from interpreter.program import OptionText, Program, Range, Site
from interpreter.state import State

SEATS = 3
LEAVES = ["Ash", "Birch", "Cedar", "Fern", "Fern", "Elm"]
LEAF = SEATS
SPOT = LEAF + len(LEAVES)
PEG = SPOT + 2
THINGS = PEG + SEATS
PILE, PALM, YARD, ON_SPOT, PARTS = 0, 1, 4, 5, 7
VALUE = {LEAF + i: i + 1 for i in range(len(LEAVES))}
PASS, DONE, NUMBER = THINGS, THINGS + 1, THINGS + 2
FROM = NUMBER + 5  # "use {}": an option about a leaf
ACTIONS = FROM + len(LEAVES)


def model(name: str, least: int = 2, start_in: int = PILE) -> Model:
    m = Model(name=name, title=name, least=least, most=SEATS, seats=SEATS, digest="d" * 16)
    m.kinds = {
        "Leaf": Kind("Leaf", "Leaves", card=True, lo=LEAF, hi=SPOT),
        "Spot": Kind("Spot", "Spots", lo=SPOT, hi=PEG),
        "Peg": Kind("Peg", "Pegs", each="player", lo=PEG, hi=THINGS),
    }
    m.names_of = ["player 1", "player 2", "player 3", *LEAVES, "Old Mill", "dry Well", "Peg", "Peg", "Peg"]
    m.record_of = ["", "", "", *(n.lower() for n in LEAVES), "old-mill", "dry-well", "peg", "peg", "peg"]
    m.kind_of = ["player"] * SEATS + ["Leaf"] * len(LEAVES) + ["Spot"] * 2 + ["Peg"] * SEATS
    m.seat_of = [0, 1, 2] + [-1] * (len(LEAVES) + 2) + [0, 1, 2]
    for x, ident in enumerate(m.record_of):
        if ident:
            old = m.records.get(ident)
            m.records[ident] = Record(ident, m.names_of[x], m.kind_of[x], ids=(*(old.ids if old else ()), x))
    m.things = THINGS
    m.zones = {
        "Pile": Zone("Pile", deck=True, seen="none", base=PILE),
        "Yard": Zone("Yard", base=YARD),
        "Palm": Zone("Palm", of="player", seen="owner", base=PALM, count=SEATS),
    }
    m.zone_owner = [-1, 0, 1, 2, -1, -2 - SPOT, -3 - SPOT, -1]
    m.zone_deck = [True] + [False] * 7
    m.zone_seen = ["none", "owner", "owner", "owner", "all", "all", "all", "none"]
    m.zone_count = 8
    m.segments = {PILE: PARTS}
    m.tables["on zones"] = [-1] * SPOT + [ON_SPOT, ON_SPOT + 1] + [-1] * SEATS
    start = [0] * FIXED_CELLS

    def take(count: int, value: int = 0) -> int:
        start.extend([value] * count)
        return len(start) - count

    m.loc, m.own, m.seen = take(THINGS, -1), take(THINGS, -1), take(THINGS)
    m.result, m.faction_cell = take(SEATS), take(SEATS, -1)
    m.tables["facedown"] = take(THINGS)
    m.counters = {
        "Dew": Counter(
            "Dew", "Dew", ("player", "Leaf"), cells={"player": (take(SEATS), 1, 0), "Leaf": (take(len(LEAVES)), 1, 0)}
        ),
        "Bid": Counter("Bid", "Bids", ("player",), public=False, cells={"player": (take(SEATS), 1, 0)}),
    }
    for x in range(LEAF, SPOT):
        start[m.loc + x] = start_in
    for seat in range(SEATS):
        start[m.loc + PEG + seat] = ON_SPOT + seat % 2
        start[m.own + PEG + seat] = seat
    m.start, m.cells = start, len(start)
    return m


def game(m: Model, blocks, questions, sites, shapes, start=(0,), **more) -> Game:
    ranges = [
        Range(0, THINGS, "thing"),
        Range(PASS, DONE, "text", "Pass"),
        Range(DONE, NUMBER, "text", "Done"),
        Range(NUMBER, FROM, "number"),
        Range(FROM, ACTIONS, "option", OptionText(LEAF, "{}: use", placed=True)),
    ]
    return Game(Program(m, blocks, questions, sites, shapes, start, ranges, num_actions=ACTIONS, **more))


def draws() -> Game:
    """In turn, draw a leaf, then play one when two are held; most value in the Yard, by player, wins."""
    m = model("draws")
    dew, of_leaf = (m.counters["Dew"].cells[kind][0] for kind in ("player", "Leaf"))

    def b0(s, c):
        shuffle(s, PILE)
        s.st[-1] = 1
        return 0

    def b1(s, c):
        s.v[STEPS] += 1
        t = tops(s, PILE)
        if not t:
            finish(s)
            return 1
        if len(t) == 1:
            return b2(s, t[0])
        if s.explicit:
            s.st[-1] = 2
            s.who, s.opts = q2(s)
            return 1
        return b2(s, t[rnd(s, len(t))])

    def q2(s, whole=False):
        return -1, tops(s, PILE) if whole else alike(s, -1, tops(s, PILE))

    def b2(s, x):
        seat = s.v[ACTIVE]
        settle(s, PILE, x)
        mv(s, x, PALM + seat)
        if s.lg is not None:
            s.lg.append(("move", x, PILE, PALM + seat, s.v[m.seen + x]))
        s.v[of_leaf + x - LEAF] += seat + 1
        if len(s.z[PALM + seat]) < 2:
            s.st[-1] = 1
            s.v[ACTIVE] = (seat + 1) % s.v[PLAYERS]
            return 0
        s.who, o = q3(s)
        if s.auto and len(o) == 1:
            return b3(s, o[0])
        s.opts = o
        s.st[-1] = 3
        return 1

    def q3(s):
        seat = s.v[ACTIVE]
        return seat, alike(s, seat, s.z[PALM + seat])

    def b3(s, x):
        seat = s.v[ACTIVE]
        if s.lg is not None:
            s.lg.append(("choose", seat, x, 3, s.v[m.seen + x]))
        mv(s, x, YARD)
        s.v[dew + seat] += VALUE[x]
        s.v[ACTIVE] = (seat + 1) % s.v[PLAYERS]
        s.st[-1] = 1
        return 0

    return game(
        m,
        [b0, b1, b2, b3],
        {2: q2, 3: q3},
        {
            2: Site("The leaf drawn", "draws", kind="chance"),
            3: Site("Play a leaf", "draws", "game.yaml", 7, hidden=True),
        },
        [(1, "")] * 4,
        scores=lambda s, seat: s.v[dew + seat],
        ranking=lambda s, seat: (s.v[dew + seat],),
        phases={3: "Play", 2: "Draw"},
    )


def chain(length: int, deep: bool) -> Game:
    """length forced choices in a loop, or in frames one above another; then one free choice, then the end."""
    m = model("chain")
    dew = m.counters["Dew"].cells["player"][0]

    def b0(s, c):
        n = s.st[-2]
        if n == 0:
            s.st[-1] = 2
            s.who, s.opts = q2(s)
            return 1
        o = (PASS,)
        s.st[-1] = 1
        if s.auto:
            return b1(s, o[0])
        s.who, s.opts = 0, o
        return 1

    def q1(s):
        return 0, (PASS,)

    def b1(s, c):
        s.v[STEPS] += 1
        s.v[dew] += 1
        if deep:
            s.st += (s.st[-2] - 1, 0)
        else:
            s.st[-2] -= 1
            s.st[-1] = 0
        return 0

    def q2(s):
        return 1, (NUMBER, NUMBER + 1)

    def b2(s, c):
        s.v[dew + 1] = c - NUMBER
        if len(s.st) > 2:
            del s.st[-2:]
            s.st[-1] = 3
            return 0
        finish(s)
        return 1

    def b3(s, c):
        if len(s.st) > 2:
            del s.st[-2:]
            s.st[-1] = 3
            return 0
        finish(s)
        return 1

    return game(
        m,
        [b0, b1, b2, b3],
        {1: q1, 2: q2},
        {1: Site("Go on", kind="may"), 2: Site("Pick", kind="number")},
        [(2, "n")] * 4,
        (length, 0),
    )


def endless(native: bool) -> Game:
    """A loop that never asks: by frames, or within one block."""
    from interpreter.mutations import Endless

    m = model("endless")

    def b0(s, c):
        s.who, s.opts = q1(s)
        s.st[-1] = 1
        return 1

    def q1(s):
        return 0, (PASS, DONE)

    def b1(s, c):
        s.v[STEPS] += 1
        while native:
            s.v[STEPS] += 1
            if s.v[STEPS] > m.limit:
                raise Endless
        s.st[-1] = 1
        return 0

    return game(m, [b0, b1], {1: q1}, {1: Site("Begin", kind="may")}, [(1, ""), (1, "")], origins=["Moth", "Wheel"])


def bids() -> Game:
    """All bid at once in secret; then the highest bidder of all wins; Bids stay with their player."""
    m = model("bids")
    bid = m.counters["Bid"].cells["player"][0]

    def b0(s, c):
        n = s.v[PLAYERS]
        s.st[:] = [(-1,) * n + (-2,) * (SEATS - n), 1]
        s.who, s.opts = 0, q1(s, 0)
        return 1

    def q1(s, seat):
        return tuple(range(NUMBER, NUMBER + 3 + seat))

    def b1(s, c):
        answers = list(s.st[-2])
        answers[s.answering] = c
        s.st[-2] = tuple(answers)
        if s.lg is not None:
            s.lg.append(("choose", s.answering, c, 1))
        if -1 in answers:
            s.who = answers.index(-1)
            s.opts = q1(s, s.who)
            return 1
        for seat in range(s.v[PLAYERS]):
            s.v[bid + seat] = answers[seat] - NUMBER
        finish(s)
        return 1

    return game(
        m,
        [b0, b1],
        {1: q1},
        {1: Site("Bid", kind="secret", secret=True, slot=0)},
        [(1, ""), (2, "A")],
        scores=lambda s, seat: s.v[bid + seat],
        ranking=lambda s, seat: (s.v[bid + seat],),
    )


def several() -> Game:
    """Player 1 plays one to three of five leaves held, in one canonical order, then player 2 answers in a window."""
    m = model("several", start_in=-1)

    def b0(s, c):
        for x in range(LEAF, SPOT):
            mv(s, x, PALM + (x == SPOT - 1))
            s.v[m.seen + x] = 1 << (x == SPOT - 1)
        s.st[:] = [(), LEAF + 1, 1]
        s.who, s.opts = q1(s)
        return 1

    def q1(s):
        done = s.st[-3]
        last = done[-1] if done else -1
        o = [x for x in s.z[PALM] if x > last] if len(done) < 3 else []
        return 0, (*alike(s, 0, o), DONE) if done else tuple(alike(s, 0, o))

    def b1(s, c):
        if c != DONE:
            s.st[-3] += (c,)
            s.who, s.opts = q1(s)  # asked even if only Done is left: it rests on hidden things
            return 1
        for x in s.st[-3]:
            mv(s, x, YARD)
        s.st[-1] = 2
        s.who, s.opts = q2(s)
        return 1

    def q2(s):
        return 1, (PASS, *(FROM + x - LEAF for x in s.z[PALM + 1]))

    def b2(s, c):
        finish(s)
        return 1

    return game(
        m,
        [b0, b1, b2],
        {1: q1, 2: q2},
        {
            1: Site("Play leaves", most=3, slot=0, hidden=True),
            2: Site("Answer", kind="window", window=True, hidden=True),
        },
        [(1, ""), (3, "st"), (3, "st")],
        lists={},
    )


GAMES = {"draws": draws(), "bids": bids(), "several": several(), "loop": chain(50, False), "deep": chain(50, True)}


def walk(game: Game, seed: int, **settings) -> Iterator[State]:
    """A random game: each state at a decision, then its end."""
    dice = random.Random(seed)
    s = game.new(2 + seed % 2, seed=seed, **settings)
    while not s.over:
        yield s
        s.apply(dice.choice(s.actions))
    yield s


def midway(game: Game, answers: int) -> State:
    s = game.new(2, seed=3)
    for _ in range(answers):
        s.apply(s.actions[0])
    assert not s.over
    return s


def snapshot(s: State):
    return s.to_json(), s.digest(), s.actions, s.who
