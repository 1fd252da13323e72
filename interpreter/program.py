"""program: one compiled game, as the emitter hands it to the machine. Data without behaviour.

In: nothing. Out: Program and its parts (Site, Range, OptionText, Image), read by machine, state, labels, view, log,
determinize.

A *block* is a function `b(s, c)` that returns 0 (go on with the block on top of s.st) or 1 (stop: a decision is pending
and s.opts, s.who are set, or the game is over). A *frame* lies on State.st as its slots with its block number on top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.model import Model

Block = Callable[[Any, int], int]


@dataclass(slots=True)
class Site:
    """A place of the program where somebody decides; found by the block that takes the answer.

    least and most count the whole set of a choice of several; a value below 0 means: it stands in frame slot -1 -
    value. slot: index, from the bottom of the frame, of the tuple chosen so far (for secret sites: of the answers by
    seat, with -1 where an answer is open and any other value below 0 for a seat that is not asked); -1: there is
    none. about: the same of the one thing, of several in turn, that is dealt with. named: what the question calls by
    names of its text: name, index, whether it is a thing."""

    prompt: str = ""
    record: str = ""
    file: str = ""
    line: int = 0
    kind: str = "thing"  # thing, number, option, may, order, chance, window, secret
    least: int = 1
    most: int = 1
    hidden: bool = False  # the options rest on hidden things
    window: bool = False
    secret: bool = False
    slot: int = -1
    about: int = -1
    named: tuple[tuple[str, int, bool], ...] = ()


@dataclass(slots=True)
class OptionText:
    """Data of a range 'option': the thing is action - lo + first; `{}` in label stands for the thing's label, which
    always names its place when placed is set."""

    first: int
    label: str
    placed: bool = False


@dataclass(slots=True)
class Range:
    """Actions lo <= a < hi. kind 'thing': the thing a - lo. 'number': the number a - lo (+ data when that is an int).
    'text': data is the label. 'option': data is an OptionText. 'hidden': an unknown thing in zone a - lo. plain: the
    canonical texts of what content labels otherwise."""

    lo: int
    hi: int
    kind: str
    data: Any = None
    plain: tuple[str, ...] = ()


@dataclass(slots=True)
class Program:
    """shapes, by block: (frame size with the block, a letter for each slot from the bottom). Letters: n number, t thing
    or -1, z zone or -1, a action or -1, A tuple of actions, s tuple of things, m tuple of numbers. The same letters
    describe what else holds things: `waiting` (by listener: the entries of a pend tuple after the listener), `effects`
    (by first entry: the entries of a mods tuple after it) and `lists` (by index in State.z, for lists that are no
    place: letters that repeat along the tuple). What is not described is taken to hold numbers."""

    model: Model
    blocks: list[Block]
    questions: dict[int, Callable[..., Any]] = field(default_factory=dict)
    sites: dict[int, Site] = field(default_factory=dict)
    shapes: list[tuple[int, str]] = field(default_factory=list)
    start: tuple[Any, ...] = (0,)
    ranges: list[Range] = field(default_factory=list)
    listeners: int = 0  # how many there are
    num_actions: int = 0
    globals: dict[str, Any] = field(default_factory=dict)
    scores: Callable[[Any, int], int | None] | None = None
    ranking: Callable[[Any, int], tuple[int, ...]] | None = None
    returns: Callable[[Any, int], float | None] | None = None
    span: tuple[int, int] | None = None  # between which numbers returns lie, if that can be read from the text
    zones: list[tuple[int, ...]] | None = None  # State.z before set-up; None: derived from Model.start and segments
    phases: dict[int, str] = field(default_factory=dict)  # blocks of a step → the step's name
    origins: list[str] = field(default_factory=list)  # block → record that it was written in
    columns: list[tuple[int, int, int]] = field(default_factory=list)  # more cells by thing: offset, lo, hi
    waiting: dict[int, str] = field(default_factory=dict)
    effects: dict[int, str] = field(default_factory=dict)
    lists: dict[int, str] = field(default_factory=dict)
    fixed: list[tuple[int, tuple[int, ...]]] = field(
        default_factory=list
    )  # cells that hold this in every game: see fixed
    mods: tuple[str, ...] = ()  # names of the mods that were loaded


@dataclass(slots=True)
class Image:
    """All that a Program is made of beside its code: plain data, which can be kept. tables: the globals that emitted code
    reads. name, source: of the code, for tracebacks. blocks: how many. questions: the blocks that have one. can: by thing,
    the function that says whether its main text can be performed. The rest is as in Program."""

    model: Model
    tables: dict[str, Any]
    name: str
    source: str
    blocks: int
    questions: list[int]
    sites: dict[int, Site]
    shapes: list[tuple[int, str]]
    origins: list[str]
    start: tuple[Any, ...]
    ranges: list[Range]
    num_actions: int
    listeners: int
    lists: dict[int, str]
    phases: dict[int, str]
    can: tuple[str, ...]
    fixed: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    span: tuple[int, int] | None = None
    mods: tuple[str, ...] = ()
