"""graph: the positions that a game has met, and where each answer led, so that what comes again is looked up, not run.

In: a State that stands at a node of its game's graph, and an answer. Out: the same State at its next decision. What runs
between two decisions depends on the position, the answer and what is drawn on the way, on nothing else; so a small game
is run once, position by position, and from then on its random games, its searches and its trees go from node to node. A
node is made when its edge is taken for the second time, and only while there is room: of a large game the openings are
kept. States that keep a log are always run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import machine
from interpreter.mutations import GOLDEN, MASK, MIX_A, MIX_B, mix64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.game import Game
    from interpreter.state import State

ROOM = 3_000_000  # numbers that the nodes of one game may hold, some 8 bytes each
ONCE = object()  # stands for an edge that was taken once
NEW = object.__new__


class Node:
    """A position: all of a State but its random int, as tuples, which the states that stand at it hold as well until
    they are loosened. after: answer → what comes then."""

    __slots__ = ("after", "mods", "opts", "pend", "st", "v", "who", "z")

    v: Any
    z: Any
    st: Any
    pend: tuple[tuple[Any, ...], ...]
    mods: tuple[tuple[Any, ...], ...]
    opts: Sequence[int]
    who: int
    after: dict[int, Any]


class Draw:
    """One of `size` is drawn before the next decision. after: what was drawn → what comes then."""

    __slots__ = ("after", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.after: dict[int, Any] = {}


class Graph:
    """nodes: by all that a node holds, and the settings. room: how many more numbers may be kept."""

    __slots__ = ("nodes", "room")

    def __init__(self, room: int = ROOM) -> None:
        self.nodes: dict[Any, Node] = {}
        self.room = room


def node_of(graph: Graph, s: State) -> Node:
    """The node of the position that s is in, made if there is none."""
    key = v, z, st, _, _, _, _ = (tuple(s.v), tuple(s.z), tuple(s.st), s.pend, s.mods, s.auto, s.explicit)
    node = graph.nodes.get(key)
    if node is None:
        node = graph.nodes[key] = NEW(Node)
        node.v, node.z, node.st, node.pend, node.mods = v, z, st, s.pend, s.mods
        node.opts, node.who = tuple(s.opts), s.who
        node.after = {}
        graph.room -= len(v) + sum(map(len, z)) + len(z) + len(st) + 100
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
    s.rng = mix64(seed)
    s.answering = -2
    s.lg = s.drawn = None
    s.auto = start.auto
    s.explicit = start.explicit
    s.prog = start.prog
    s.game = game
    s.tab = start.tab
    s.node = node
    if decided:
        stand(s, node)
    else:
        follow(s, 0)
    return s


def follow(s: State, c: int) -> None:
    """Go on from the node that s stands at, after answer c, to the next decision or the end."""
    after = s.node.after.get(c)  # type: ignore[union-attr]
    rng = s.rng
    if after.__class__ is Draw:
        after, rng = beyond(after, rng)
    if after.__class__ is Node:
        s.rng = rng
        stand(s, after)
    else:
        run(s, c)


def beyond(draw: Any, rng: int) -> tuple[Any, int]:
    """What comes after all that is drawn, as `mutations.rnd` draws it, and the random int then."""
    while draw.__class__ is Draw:
        rng = (rng + GOLDEN) & MASK
        x = (rng ^ (rng >> 30)) * MIX_A & MASK
        x = (x ^ (x >> 27)) * MIX_B & MASK
        draw = draw.after.get((x ^ (x >> 31)) * draw.size >> 64)
    return draw, rng


def run(s: State, c: int) -> None:
    """As follow, where the way is not known yet."""
    node = s.node
    assert node is not None
    graph = s.game.graph
    stand(s, node)
    if graph.room <= 0:
        machine.step(s, c)
        return
    s.drawn = []
    machine.step(s, c)
    drawn, s.drawn = s.drawn, None
    edges, edge = node.after, c
    for size, which in drawn:
        after = edges.get(edge)
        if after is None:
            break
        if after is ONCE:
            after = edges[edge] = Draw(size)
        edges, edge = after.after, which
    if edges.get(edge) is None:
        edges[edge] = ONCE
        graph.room -= 20
    else:
        node = edges[edge] = node_of(graph, s)
        stand(s, node)


def playout(s: State, seed: int) -> int:
    """machine.playout for a state that stands at a node, seeded chance: the same answers, the same end."""
    x = mix64(seed * GOLDEN + GOLDEN)
    count = 0
    node = s.node
    assert node is not None
    rng = s.rng
    opts = node.opts
    while opts:
        x = (x * 6364136223846793005 + 1442695040888963407) & MASK
        c = opts[(x >> 33) * len(opts) >> 31]
        count += 1
        after = node.after.get(c)
        drawing = rng
        if after.__class__ is Draw:
            after, drawing = beyond(after, rng)
        if after.__class__ is Node:
            node = after
            rng = drawing
        else:
            s.rng = rng
            s.node = node
            s.answering = node.who
            run(s, c)
            if s.node is None:
                return count + machine.answer(s, x)
            node = s.node
            rng = s.rng
        opts = node.opts
    s.rng = rng
    stand(s, node)
    return count
