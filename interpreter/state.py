"""state: one game in play, as flat data: copied, compared, saved and resumed at every decision.

In: a Program (through game.py) and answers. Out: decisions, scores, views, copies, JSON. Emitted code reads and writes
v, z, st, rng, pend, mods, opts, who, lg directly; everything else goes through the methods.
"""

from __future__ import annotations

import json
import sys
from array import array
from hashlib import blake2b
from operator import index
from typing import TYPE_CHECKING, Any

from interpreter import graph, machine
from interpreter.decision import Decision, IllegalAction, Option
from interpreter.model import ENDED, ENDLESS, OVER, PLAYERS, STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.game import Game
    from interpreter.graph import Node
    from interpreter.layout import Tab
    from interpreter.program import Program

new = object.__new__
written = json.JSONEncoder(separators=(",", ":")).encode


def packed(v: list[int]) -> bytes:
    """All cells but the count of steps, eight bytes each with the lowest first; as JSON if one is too large for that."""
    try:
        cells = array("q", v)
    except OverflowError:
        return written(v[:STEPS] + v[STEPS + 1 :]).encode()
    cells[STEPS] = 0
    if sys.byteorder == "big":
        cells.byteswap()
    return cells.tobytes()


class State:
    """v: ints. z: tuples of ints by zone. st: frames, each its slots then its block. rng: the game's random int. pend,
    mods: tuples of tuples. opts, who: the open options and seat (-1 chance, -2 nobody), derived from the top frame.
    answering: the seat whose answer a block is given. lg: log entries or None. auto: forced answers are taken.
    explicit: chance is asked. tab: what mutations unpack. node: where in the game's graph this state stands, None if
    nowhere or if it was changed since. drawn: what is drawn, (of how many, which), while somebody wants to know."""

    __slots__ = (
        "answering",
        "auto",
        "drawn",
        "explicit",
        "game",
        "lg",
        "mods",
        "node",
        "opts",
        "pend",
        "prog",
        "rng",
        "st",
        "tab",
        "v",
        "who",
        "z",
    )

    v: list[int]
    z: list[tuple[int, ...]]
    st: list[Any]
    rng: int
    pend: tuple[tuple[Any, ...], ...]
    mods: tuple[tuple[Any, ...], ...]
    opts: Sequence[int]
    who: int
    answering: int
    lg: list[Any] | None
    auto: bool
    explicit: bool
    prog: Program
    game: Game
    tab: Tab
    node: Node | None
    drawn: list[tuple[int, int]] | None

    def clone(self, log: bool = True) -> State:
        """An independent copy; log=False: without its log."""
        t: State = new(State)
        t.v = self.v[:]
        t.z = self.z[:]
        t.st = self.st[:]
        t.rng = self.rng
        t.pend = self.pend
        t.mods = self.mods
        t.opts = self.opts
        t.who = self.who
        t.answering = self.who
        lg = self.lg
        t.lg = lg[:] if lg is not None and log else None
        t.auto = self.auto
        t.explicit = self.explicit
        t.prog = self.prog
        t.game = self.game
        t.tab = self.tab
        t.node = self.node if lg is None else None
        t.drawn = None
        return t

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> State:
        return self.clone()

    def whole(self) -> None:
        """Set all that is not set yet: see Standing."""

    # ------------------------------------------------------------ deciding

    @property
    def over(self) -> bool:
        return self.v[OVER] != 0

    @property
    def actions(self) -> tuple[int, ...]:
        """The legal actions of the first open decision; () when over."""
        return tuple(self.opts)

    @property
    def decision(self) -> Decision | None:
        """The first open decision; None when over."""
        return Decision(self, self.who, self.opts) if self.opts else None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All open decisions: more than one where seats answer at once in secret."""
        if not self.opts:
            return ()
        if not self.prog.sites[self.st[-1]].secret:
            return (Decision(self, self.who, self.opts),)
        question = self.prog.questions[self.st[-1]]
        return tuple(Decision(self, seat, question(self, seat)) for seat in machine.open_seats(self))

    def apply(self, option: Option | int, seat: int | None = None) -> None:
        """Answer the first open decision, or this seat's. Raises IllegalAction and leaves the state untouched if the
        answer is not offered, or the seat is not asked."""
        c = option.action if option.__class__ is Option else option
        node = self.node
        if node is not None and c.__class__ is int and (seat is None or seat == node.who) and c in node.opts:
            graph.follow(self, node.opts.index(c))
            return
        if (seat is not None and seat != self.who) or c not in self.opts or c.__class__ is not int:
            c = self._checked(c, seat)
        else:
            self.answering = self.who
        if self.lg is not None and self.answering >= 0:
            self._log_choice(c)
        if self.node is not None:
            machine.loosen(self)
        self.v[STEPS] = 0
        machine.run(self, c)

    def _log_choice(self, c: int) -> None:
        from interpreter.log import chose

        if not self.prog.sites[self.st[-1]].secret:
            chose(self, "choose", self.answering, c, self.st[-1])

    def _checked(self, option: Any, seat: int | None) -> int:
        """The action as an int, with self.answering set; IllegalAction if it is not legal for this seat."""
        if self.v[OVER]:
            raise IllegalAction("the game is over")
        try:
            c = index(option)
        except TypeError:
            raise IllegalAction(f"not an action: {option!r}") from None
        if option is True or option is False:
            raise IllegalAction(f"not an action: {option!r}")
        opts, who = self.opts, self.who
        if seat is not None and seat != who:
            if seat not in machine.open_seats(self) or not self.prog.sites[self.st[-1]].secret:
                raise IllegalAction(f"seat {seat} is not asked")
            who, opts = seat, self.prog.questions[self.st[-1]](self, seat)
        if c not in opts and not (who == -1 and self._stands_for(c, opts)):
            raise IllegalAction(f"action {c} is not offered")
        self.answering = who
        return c

    def _stands_for(self, c: int, opts: Sequence[int]) -> bool:
        """True if chance offers something that looks just like thing c."""
        from interpreter.alike import drawable

        return c in drawable(self, opts)

    def playout(self, seed: int) -> int:
        """Play to the end at random; the number of answers given. Depends on the seed and the state only."""
        if self.node is None or self.explicit:
            return machine.playout(self, seed)
        count = graph.playout(self, seed)
        if self.node is not None:
            graph.stand(self, self.node)
        return count

    def determinize(self, seat: int, seed: int = 0) -> None:
        """Replace what this seat cannot know by a deal that it holds possible, in place; the game's random int is
        drawn anew."""
        from interpreter.determinize import determinize

        determinize(self, seat, seed)

    # ------------------------------------------------------------ how it stands

    def scores(self) -> list[int | None]:
        """By seat; None for each in a game without scores."""
        scores = self.prog.scores
        n = self.v[PLAYERS]
        return [None] * n if scores is None else [scores(self, seat) for seat in range(n)]

    @property
    def winners(self) -> list[int]:
        """Seats that won, sorted; [] before the end. Who was declared the winner; else, of those who have not lost, who
        ranks highest by score and tie-breaks; else, without scores, those who have not lost if somebody has."""
        v = self.v
        if v[OVER] != ENDED:
            return []
        n = v[PLAYERS]
        results = v[self.prog.model.result : self.prog.model.result + n]
        won = [seat for seat in range(n) if results[seat] > 0]
        left = [seat for seat in range(n) if results[seat] == 0]
        if won or not left:
            return won
        rank = self.prog.ranking
        if rank is not None and self.prog.scores is not None:
            ranks = [rank(self, seat) for seat in left]
            best = max(ranks)
            return [seat for seat, mine in zip(left, ranks) if mine == best]
        return left if len(left) < n else []

    @property
    def outcome(self) -> str | None:
        v = self.v
        if not v[OVER]:
            return None
        if v[OVER] == ENDLESS:
            return "endless"
        if self.winners:
            return "won"
        at = self.prog.model.result
        return "lost" if any(v[at : at + v[PLAYERS]]) else "draw"

    def returns(self) -> list[float]:
        """By seat: the game's own `returns`, else 1 for a winner and -1 for the others; 0 each for a draw, without an
        end, and while playing."""
        n = self.v[PLAYERS]
        outcome = self.outcome
        if outcome is None or outcome == "endless":
            return [0.0] * n
        own = self.prog.returns
        if own is not None:
            return [float(own(self, seat) or 0) for seat in range(n)]
        if outcome == "draw":
            return [0.0] * n
        winners = self.winners
        return [1.0 if seat in winners else -1.0 for seat in range(n)]

    def view(self, seat: int) -> dict[str, Any]:
        """What this seat may see, in JSON types."""
        from interpreter.view import view

        return view(self, seat)

    def log(self, seat: int) -> list[dict[str, Any]]:
        """What this seat may know of what happened: [{by, text}]; [] when no log is kept."""
        from interpreter.log import log

        return log(self, seat)

    # ------------------------------------------------------------ as data

    def digest(self) -> str:
        """Hex digest (BLAKE2b, 128 bits) of the game's state; log, settings and caches take no part."""
        whole = blake2b(packed(self.v), digest_size=16)
        whole.update(written([self.z, self.st, self.rng, self.pend, self.mods]).encode())
        return whole.hexdigest()

    def to_json(self) -> str:
        """A save; game.from_json reads it."""
        from interpreter.save import to_json

        return to_json(self)

    def __getstate__(self) -> None:
        raise TypeError("a State is saved by to_json, not by pickle")

    def __repr__(self) -> str:
        return f"<State of {self.prog.model.name}: {self.outcome or f'seat {self.who} decides'}>"


class Standing(State):
    """A State at a node of its game's graph of which nothing was read yet: only its node, random int and game are set.
    Whatever else is asked for makes it a State like any other; a random game may end before that."""

    __slots__ = ()

    def whole(self) -> None:
        node = self.node
        assert node is not None
        self.__class__ = State  # type: ignore[assignment]
        self.answering = -2
        self.lg = self.drawn = None
        self.auto, self.explicit = True, False
        self.prog = self.game.program
        self.tab = self.game.layout.tab
        graph.stand(self, node)

    playout = graph.playout


def unread(name: str) -> property:
    """A slot of State, as a Standing state has it."""

    def read(s: Standing) -> Any:
        s.whole()
        return getattr(s, name)

    def write(s: Standing, value: Any) -> None:
        s.whole()
        setattr(s, name, value)

    return property(read, write)


for slot in State.__slots__:
    if slot not in ("node", "rng", "game"):
        setattr(Standing, slot, unread(slot))
