"""graph: the positions that a game has met, and where each answer led, so that what comes again is looked up, not run.

In: a State that stands at a node of its game's graph, and an answer. Out: the same State at its next decision. What runs
between two decisions depends on the position, the answer and what is drawn on the way, on nothing else; so a small game
is run once, position by position, and from then on its random games, its searches and its trees go from node to node. A
node is made when its edge is taken for the second time, and only while there is room: of a large game the openings are
kept. States that keep a log are always run.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from interpreter import machine
from interpreter.model import OVER
from interpreter.mutations import GOLDEN, MASK, MIX_A, MIX_B

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.game import Game
    from interpreter.state import State

ROOM = 3_000_000  # numbers that the nodes of one game may hold, some 8 bytes each
WIDEST = 1_000  # of how many one may be drawn so that the draw is kept
NEW = object.__new__


class Node:
    """A position, or a draw on the way to one. A position has ways: by the place of an answer among opts, the node that
    comes then; the rest is all of a State but its random int, as tuples, which the states that stand here hold as well
    until they are loosened. A draw has falls: by what is drawn, the node that comes then. UNKNOWN and ONCE have neither."""

    __slots__ = ("falls", "mods", "opts", "pend", "st", "v", "ways", "who", "z")

    ways: list[Node] | None
    falls: list[Node] | None
    v: Any
    z: Any
    st: Any
    pend: tuple[tuple[Any, ...], ...]
    mods: tuple[tuple[Any, ...], ...]
    opts: Sequence[int]
    who: int

    def __init__(self, ways: list[Node] | None = None, falls: list[Node] | None = None) -> None:
        self.ways = ways
        self.falls = falls


UNKNOWN = Node()  # stands for what comes after an edge that was never taken
ONCE = Node()  # or taken once


class Graph:
    """nodes: by all that a position's node holds, and the settings. room: how many more numbers may be kept."""

    __slots__ = ("nodes", "room")

    def __init__(self, room: int = ROOM) -> None:
        self.nodes: dict[Any, Node] = {}
        self.room = room


def node_of(graph: Graph, s: State) -> Node:
    """The node of the position that s is in, made if there is none. Where nobody is asked, before a set-up's first draw,
    one way leads on."""
    key = v, z, st, _, _, _, _ = (tuple(s.v), tuple(s.z), tuple(s.st), s.pend, s.mods, s.auto, s.explicit)
    node = graph.nodes.get(key)
    if node is None:
        opts = tuple(s.opts)
        node = Node([UNKNOWN] * (len(opts) or (0 if v[OVER] else 1)))
        node.v, node.z, node.st, node.pend, node.mods = v, z, st, s.pend, s.mods
        node.opts, node.who = opts, s.who
        graph.nodes[key] = node
        graph.room -= len(v) + sum(map(len, z)) + len(z) + len(st) + 2 * len(opts) + 100
    return node


def stand(s: State, node: Node) -> None:
    """Put s at this node."""
    s.v = node.v
    s.z = node.z
    s.st = node.st
    s.pend = node.pend
    s.mods = node.mods
    s.opts = node.opts
    s.who = node.who
    s.node = node


def begin(game: Game, start: State, node: Node, decided: bool, seed: int) -> State:
    """A state of this seed: at the node of a set-up's first decision, or run from the node before its first draw."""
    s: State = NEW(start.__class__)
    s.rng = seed & MASK
    s.answering = -2
    s.lg = s.drawn = None
    s.auto = start.auto
    s.explicit = start.explicit
    s.prog = start.prog
    s.game = game
    s.tab = start.tab
    stand(s, node)
    if not decided:
        follow(s, 0)
    return s


def follow(s: State, i: int) -> None:
    """Go on from the node that s stands at, after the answer at place i of its options, to the next decision or the
    end."""
    node = s.node.ways[i]  # type: ignore[union-attr,index]
    if node.falls is not None:
        node, rng = beyond(node, s.rng)
        if node.ways is not None:
            s.rng = rng
    if node.ways is not None:
        stand(s, node)
    else:
        run(s, i)


def beyond(node: Node, rng: int) -> tuple[Node, int]:
    """What comes after all that is drawn, as `mutations.rnd` draws it, and the random int then."""
    falls = node.falls
    while falls:
        rng = (rng + GOLDEN) & MASK
        x = (rng ^ (rng >> 30)) * MIX_A & MASK
        x = (x ^ (x >> 27)) * MIX_B & MASK
        node = falls[x * len(falls) >> 64]
        falls = node.falls
    return node, rng


def run(s: State, i: int) -> None:
    """As follow, where the way is not known yet."""
    node = s.node
    assert node is not None
    graph = s.game.graph
    s.whole()
    stand(s, node)
    s.answering = node.who
    c = node.opts[i] if node.opts else 0
    if graph.room <= 0:
        machine.step(s, c)
        return
    drawn = s.drawn = []
    try:
        machine.step(s, c)
    finally:
        s.drawn = None
    edges, edge = node.ways, i
    for size, which in drawn:
        assert edges is not None
        after = edges[edge]
        if after is UNKNOWN:
            break
        if size > WIDEST:
            return
        if after is ONCE:
            after = edges[edge] = Node(falls=[UNKNOWN] * size)
            graph.room -= size
        edges, edge = after.falls, which
    assert edges is not None
    if edges[edge] is UNKNOWN:
        edges[edge] = ONCE
        graph.room -= 20
    else:
        node = edges[edge] = node_of(graph, s)
        stand(s, node)


def playout(s: State, seed: int) -> int:
    """machine.playout for a state that stands at a node, seeded chance: the same answers, the same end. Of a state of
    which nothing was read yet only the node and the random int are set."""
    if seed.__class__ is not int:
        seed = index(seed)
    x = (seed ^ (seed >> 30)) * MIX_A & MASK
    x = (x ^ (x >> 27)) * MIX_B & MASK
    node = s.node
    assert node is not None
    ways = node.ways
    rng = s.rng
    count = 0
    ran = False
    while ways:
        while True:
            before = node
            node = ways[x * len(ways) >> 64]
            ways = node.ways
            count += 1
            if not ways:
                break
            x = (x * 6364136223846793005 + 1442695040888963407) & MASK
        if ways is not None:
            break
        node, after = beyond(node, rng)
        if node.ways is None:
            s.rng = rng
            s.node = before
            run(s, x * len(before.opts) >> 64)
            x = (x * 6364136223846793005 + 1442695040888963407) & MASK
            if s.node is None:
                return count + machine.answer(s, x)
            node = s.node
            rng = s.rng
            ran = True
        else:
            x = (x * 6364136223846793005 + 1442695040888963407) & MASK
            rng = after
        ways = node.ways
    s.rng = rng
    s.node = node
    if ran:
        stand(s, node)
    return count
