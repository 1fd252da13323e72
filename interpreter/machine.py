"""machine: runs the blocks of a program between decisions, answers at random, and counts the tree of a game.

In: a State at a decision (or at its start) and an answer. Out: the same State at its next decision or at its end.
Nothing here knows what a block does; a chain without decisions past the limits ends the game as endless.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from interpreter.model import ENDLESS, OVER, STEPS
from interpreter.mutations import MASK, MIX_A, MIX_B, Endless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.state import State

CHUNK = 1_000  # blocks between two looks at the limit
SOME = range(CHUNK)
PER_SENTENCE = 16  # blocks that a sentence is allowed on average before a chain counts as endless


def run(s: State, c: int) -> None:
    """Go on until a decision is open or the game is over. c is handed to the first block."""
    st = s.st
    blocks = s.prog.blocks
    done = 0
    try:
        while True:
            for _ in SOME:
                if blocks[st[-1]](s, c):
                    return
            limit = s.prog.model.limit
            done += CHUNK
            if s.v[STEPS] > limit or done > PER_SENTENCE * max(limit, CHUNK):
                break
    except Endless:
        pass
    stop_endless(s, c)


def begun(s: State) -> tuple[State, bool]:
    """Run a set-up as far as it is the same for every seed: (the state before the first block that draws, False), or
    (the state at its first decision, True). s is used up."""
    blocks = s.prog.blocks
    for _ in range(CHUNK):
        before = s.clone()
        try:
            done = blocks[s.st[-1]](s, 0)
        except Endless:
            return before, False
        if s.rng != before.rng:
            return before, False
        if done:
            return s, True
    return before, False


def stop_endless(s: State, c: int) -> None:
    """End the game as endless; the log gets the records whose texts the last blocks came from, in order."""
    chain: dict[str, None] = {}
    origins = s.prog.origins
    if s.lg is not None and origins:
        t = s.clone(log=False)  # so that a log changes nothing
        try:
            for _ in range(200):
                if not t.st:
                    break
                if origins[t.st[-1]]:
                    chain[origins[t.st[-1]]] = None
                if t.prog.blocks[t.st[-1]](t, c):
                    break
        except Endless:
            pass
    s.v[OVER] = ENDLESS
    s.st.clear()
    s.opts = ()
    s.who = -2
    if s.lg is not None:
        s.lg.append(("endless", *chain))


def step(s: State, c: int) -> None:
    """Answer the open decision with an action known to be legal; s.answering is set."""
    if s.node is not None:
        loosen(s)
    s.v[STEPS] = 0
    run(s, c)


def loosen(s: State) -> None:
    """Give a state that stands at a node of its game's graph lists of its own, which may be changed."""
    s.v = list(s.v)
    s.z = list(s.z)
    s.st = list(s.st)
    s.node = None


def frame(s: State) -> int:
    """Index in s.st of the first slot of the frame on top."""
    size: int = s.prog.shapes[s.st[-1]][0]
    return len(s.st) - size


def open_seats(s: State) -> tuple[int, ...]:
    """The seats whose answer is open, in seat order."""
    if not s.st:
        return ()
    site = s.prog.sites[s.st[-1]]
    if site.secret:
        return tuple(i for i, a in enumerate(s.st[frame(s) + site.slot]) if a == -1)
    return (s.who,)


def derive(s: State) -> tuple[int, Sequence[int]]:
    """Who decides and what is offered, read from the frame on top."""
    block = s.st[-1]
    question = s.prog.questions[block]
    if s.prog.sites[block].secret:
        who = open_seats(s)[0]
        return who, question(s, who)
    found: tuple[int, Any] = question(s)
    return found


def playout(s: State, seed: int) -> int:
    """Play to the end, each answer drawn uniformly (chance by its probabilities). Returns the number of answers.

    The stream is a 64-bit linear congruential generator (Knuth's MMIX constants), read from its high bits."""
    return (playout_explicit if s.explicit else answer)(s, stream(seed))


def stream(seed: int) -> int:
    """Where a playout's stream starts: the seed sent through SplitMix64, all but its last step, so that consecutive
    seeds are unrelated."""
    seed = index(seed)
    x = (seed ^ (seed >> 30)) * MIX_A & MASK
    return (x ^ (x >> 27)) * MIX_B & MASK


def answer(s: State, x: int) -> int:
    """The rest of a playout, whose stream stands at x."""
    if s.node is not None:
        loosen(s)
    blocks = s.prog.blocks
    st = s.st
    v = s.v
    count = 0
    opts = s.opts
    while opts:
        c = opts[x * len(opts) >> 64]
        count += 1
        s.answering = s.who
        v[STEPS] = 0
        try:
            if not blocks[st[-1]](s, c):
                for _ in SOME:
                    if blocks[st[-1]](s, c):
                        break
                else:
                    run(s, c)
        except Endless:
            stop_endless(s, c)
        opts = s.opts
        x = (x * 6364136223846793005 + 1442695040888963407) & MASK
    return count


def playout_explicit(s: State, x: int) -> int:
    """As answer, where chance is asked."""
    from interpreter.alike import odds

    count = 0
    while s.opts:
        opts = s.opts
        if s.who == -1:
            rest = (x >> 11) / (1 << 53)
            c = opts[-1]
            for option, share in zip(opts, odds(s, opts)):
                rest -= share
                if rest < 0:
                    c = option
                    break
        else:
            c = opts[x * len(opts) >> 64]
        count += 1
        s.answering = s.who
        step(s, c)
        x = (x * 6364136223846793005 + 1442695040888963407) & MASK
    return count


def leaves(s: State, depth: int) -> int:
    """Ways to go on for depth answers, games that end before counted once."""
    if depth <= 0 or not s.opts:
        return 1
    if depth == 1:
        return len(s.opts)
    total = 0
    for c in tuple(s.opts):
        t = s.clone()
        t.answering = t.who
        step(t, c)
        total += leaves(t, depth - 1)
    return total
