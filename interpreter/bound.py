"""bound: the typed form between checker and emitter. Data without behaviour, save tiny constructors.

Expressions are bound to Python expressions with a type; statements to a small structured code (Run, Ask, Branch, …) that
blocks.py cuts into functions. Variables of a routine are x0, x1, …; loop variables inside one expression are i0, i1, ….
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union

from interpreter.model import Source


@dataclass(frozen=True, slots=True)
class Type:
    """sort: number, condition, thing, zone, nothing. kind: of a thing (player, thing, or a kind's name). many: a set."""

    sort: str
    kind: str = ""
    many: bool = False


NUMBER, CONDITION, ZONE, NOTHING = Type("number"), Type("condition"), Type("zone"), Type("nothing")


def ident_of(name: str) -> str:
    """A name of the game, or a key, as a part of a name in Python."""
    return "".join(c if c.isalnum() else "_" for c in name)


def thing(kind: str, many: bool = False) -> Type:
    return Type("thing", kind, many)


@dataclass(slots=True)
class Code:
    """A Python expression with its type. sure: a thing that is there (never -1). hidden: rests on what some seat may not
    see. most: static upper bound of a number. base: for a number read from a cell, the cell expression (to write to)."""

    py: str
    type: Type
    sure: bool = False
    hidden: bool = False
    most: int | None = None
    base: str = ""


@dataclass(slots=True)
class Pick:
    """A selection not yet turned into Python: loops of (variable, iterable), conditions on them, the chosen variable.
    total: group filters (property expression on the variable, op, amount) that the whole choice must meet."""

    loops: list[tuple[str, str]]
    conds: list[str]
    var: str
    kind: str
    hidden: bool = False
    filtered: bool = False
    total: list[tuple[str, str, str]] = field(default_factory=list)
    best: tuple[str, str] | None = None  # (measure of var, most or least)
    ordered: str = ""  # '' | first | last: leftmost, rightmost
    weight: str = ""  # as how many var counts, where that can be more than one


@dataclass(slots=True)
class Var:
    name: str
    type: Type


@dataclass(slots=True)
class Routine:
    """A piece of program with parameters x0 … and a body. suspends is found by fixpoint: it may ask, draw or wait; ends
    also: the labels of what it may end ("": the game) without waiting for anything.
    kind: phrase, effect, step, listener, statement, driver."""

    name: str
    kind: str
    params: list[Var] = field(default_factory=list)
    vars: list[Var] = field(default_factory=list)
    body: list[Stm] = field(default_factory=list)
    source: Source | None = None
    suspends: bool = False
    ends: frozenset[str] = frozenset()
    entry: int = -1
    index: int = 0
    label: str = ""
    framed: bool = False
    can: str = ""  # name of the predicate that says whether it can be performed


@dataclass(slots=True)
class Run:
    """Python lines; fires: event keys that they announce (then a sentence that holds them may wait for triggers)."""

    lines: list[str]
    fires: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Assign:
    var: str
    py: str


@dataclass(slots=True)
class Ask:
    """A question. lines compute the list `o` of actions (and may use x-variables); who is a Python expression; the answer
    (an action) goes to var. forced: a Python expression saying that a single option may be taken by itself."""

    var: str
    who: str
    lines: list[str]
    prompt: str
    kind: str
    source: tuple[str, str, int]
    forced: str = "True"
    least: int | str = 1  # a number, or the variable that holds it
    most: int | str = 1
    hidden: bool = False
    window: bool = False
    slot: str = ""  # variable that holds the set chosen so far
    skip: str = ""  # a condition under which the question is not put (publicly nothing to do)
    about: str = ""  # variable that holds the thing which the question is about
    named: tuple[tuple[str, str, bool], ...] = ()  # what the question names: name, variable, whether it is a thing


@dataclass(slots=True)
class Secret:
    """All seats of `who` (a Python iterable) answer at once: answers go to the tuple var by seat; seat is the variable
    that option lines use for the seat asked."""

    var: str
    who: str
    seat: str
    lines: list[str]
    prompt: str
    source: tuple[str, str, int]


@dataclass(slots=True)
class Chance:
    """One of the candidates (a Python tuple expression) at random goes to var; -1 when there is none. offset: added to a
    candidate to make its action. Things that look alike are offered as one."""

    var: str
    over: str
    prompt: str
    source: tuple[str, str, int]
    offset: str = ""


@dataclass(slots=True)
class Branch:
    cond: str
    then: list[Stm]
    other: list[Stm] = field(default_factory=list)


@dataclass(slots=True)
class Each:
    """For each item of a snapshot: var takes it; skip: a condition under which a pass is left out."""

    var: str
    over: str
    body: list[Stm]
    skip: str = ""
    items: str = ""  # variables for the snapshot and the index, when the loop can suspend
    index: str = ""


@dataclass(slots=True)
class Loop:
    """While cond (a Python expression; "True" for ever): body."""

    cond: str
    body: list[Stm]


@dataclass(slots=True)
class Call:
    """Call a routine with Python argument expressions."""

    routine: Routine
    args: list[str]


@dataclass(slots=True)
class CallEffect:
    """Perform the effect of a thing known only in play: table (thing → routine) with (who, thing)."""

    table: str
    who: str
    what: str
    routines: list[Routine]


@dataclass(slots=True)
class Settle:
    """The end of a sentence: triggers that wait are resolved here. fires: what the sentence may have announced."""

    fires: set[str]


@dataclass(slots=True)
class Stop:
    """Leave the routine."""


@dataclass(slots=True)
class Finish:
    """Leave the game (lines before it have set the results), or jump to a label of the driver."""

    label: str = ""


@dataclass(slots=True)
class Mark:
    """A place in the driver that Finish can jump to."""

    label: str


@dataclass(slots=True)
class Propose:
    """An event that may be replaced: key, args (subject first); act is what happens if nothing replaces it."""

    key: str
    args: list[str]
    act: list[Stm]
    affected: str = "-1"


@dataclass(slots=True)
class Dyn:
    """Call by a tail known only in play (Python expression giving the rest of a frame, or a false value for nothing)."""

    args: list[str]
    tail: str


Stm = Union[
    Run, Assign, Ask, Secret, Chance, Branch, Each, Loop, Call, CallEffect, Settle, Stop, Finish, Mark, Propose, Dyn
]


@dataclass(slots=True)
class Listener:
    """A trigger or replacement: routine takes (you, this, participants…). live: Python condition on i0 (the source thing) or ''.
    things: the ids of its sources (empty: a rule of the game). match: Python condition over the event's arguments a0, a1, …,
    with x0 = you and x1 = this. early: the part of it that is looked at when a phrase's holes are bound."""

    key: str
    word: str
    routine: Routine
    match: str
    things: tuple[int, ...] = ()
    live: str = ""
    owner: str = ""
    first: str = ""
    cell: int = -1
    label: str = ""
    may: bool = False
    early: str = ""
    bars: bool = False  # what it answers cannot be done at all
    armed: int = 0  # its number, when it waits only while the state holds a row for it (interpreter/armed)


@dataclass(slots=True)
class Modifier:
    """A continuous effect on a property or counter: applies to y (the thing read) when cond holds, for each live source."""

    prop: str
    change: str
    amount: str
    cond: str
    things: tuple[int, ...] = ()
    live: str = ""
    owner: str = ""
    source: Any = None
    ident: int = 0
