"""model: one game (with its mods) as declared, numbered for the machine. Data without behaviour.

In: nothing. Out: the types that names.py fills from a read pack, and that checker, emitter, machine, views and commands
read. Every thing of a game is an int (its *id*): players first (0 …), then each kind's things in one run, parents around
their children, so that "is a" is `lo <= id < hi`. Every place where things can lie is a *zone*, also an int.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.vocabulary import Vocabulary

# Cells of State.v with a fixed meaning; per-seat runs follow at the offsets that Model.cells names.
PLAYERS, ACTIVE, OVER, TURN, ROUND, FIRST, ROLL, STEPS = range(8)
FIXED_CELLS = 8
POSITION_LISTS = 19  # among which a game that asks for repeated positions spreads those that it met; a prime
LARGEST = 2**53 - 1  # of a number in play, up or down
# Values of v[OVER]
PLAYING, ENDED, ENDLESS = 0, 1, 2


@dataclass(slots=True)
class Source:
    """A text of content with its place: scalar is the read node (its place(offset) gives line and column)."""

    text: str
    file: str
    record: str
    field: str
    scalar: Any = None
    prompt: str = ""  # how its `choose one` asks
    pack: str = ""  # whose vocabulary it is read with; "": that of all packs together


@dataclass(slots=True)
class Field:
    """A field of a kind. type: number, condition, text (an effect and rules), amount (a number computed when read),
    selection, statement (a cost), flag, prose, thing (of `kind`), list (of `kind`), or `each` (a number for each thing of `kind`).
    For text, `live` is the condition under which the rules in it hold."""

    name: str
    type: str
    kind: str = ""
    default: Any = None
    required: bool = False
    note: str = ""
    settable: bool = False  # some text sets it: then it lies in State.v at `cell + id`
    cell: int = -1
    formula: Source | None = None  # an amount or condition that the kind gives for all its things
    pack: str = ""
    table: tuple[Any, ...] = ()  # else: the printed values by id - lo of the kind that declares it


@dataclass(slots=True)
class Kind:
    """A kind of thing, with what its declaration says."""

    name: str
    plural: str
    parent: str = ""
    key: str = ""  # the key of its records in content files
    fields: dict[str, Field] = field(default_factory=dict)  # own and inherited
    each: str = ""  # 'player': one thing of each record for each seat
    holds: tuple[str, ...] = ()  # kinds that may lie on its things
    spread: str = ""  # the list field whose members "on it" means (a path, a region)
    card: bool = False
    deck: str = ""  # zone that `draw` takes from
    hand: str = ""  # zone that draw leads to, and take, where `taken` says no other
    taken: str = ""  # zone that take leads to
    played: str = ""  # zone where what is played stays; without it, it is discarded
    supply: str = ""  # zone that take takes from, where a text says no place
    discard: str = ""  # zone that `discard` leads to
    owned: bool = False  # has an owner of its own (else the owner of the place where it lies)
    live: Source | None = None  # the condition under which rules in its texts hold; None: always
    visible: str = "all"
    file: str = ""
    line: int = 0
    lo: int = 0
    hi: int = 0


@dataclass(slots=True)
class Record:
    """One record of content; ids are its things (copies, seats) in order. values: field → read value (int, str id of a
    thing's record, list, dict); texts: field → Source."""

    ident: str
    name: str
    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Source] = field(default_factory=dict)
    copies: int = 1
    origin: str = "original"  # the record's `from`
    faction: str = ""
    pack: str = ""
    file: str = ""
    line: int = 0
    node: Any = None
    ids: tuple[int, ...] = ()


@dataclass(slots=True)
class Counter:
    """A number that lies on things. on: kinds (or player, game). each: a kind, when there is one number for each thing
    of it (`Coins of yours on a Tower`: each player). cell: v[cell + id] or, with each, v[cell + (id - lo) * width + member - first]."""

    name: str
    plural: str
    on: tuple[str, ...]
    each: dict[str, str] = field(default_factory=dict)  # kind → index kind, for the kinds where it is indexed
    most: int | None = None  # bound above (also the static maximum of choices)
    least: int = 0
    start: int = 0
    public: bool = True  # False: only its holder sees it
    shown: bool = (
        True  # False: it only helps texts along; the table and the story of a game at the terminal leave it out
    )
    next: str = ""  # a kind: `the Strength of your next Action` is what waits for the next one that a player performs
    waits: bool = False  # it is that waiting number, which has no name of its own
    cells: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    # kind → (offset, width, first of index): cell of id x is offset + (x - kind.lo) * width + (member - first)
    file: str = ""
    line: int = 0


@dataclass(slots=True)
class Zone:
    """A named place. of: '' (one), player (one each) or a kind. base: zone number; + seat, or + id - lo of the kind."""

    name: str
    of: str = ""
    holds: tuple[str, ...] = ()
    deck: bool = False
    seen: str = "all"  # who learns what lies here: all, owner, none
    base: int = 0
    count: int = 1
    file: str = ""
    line: int = 0


@dataclass(slots=True)
class Title:
    """What one thing of a kind is at a time (`becomes the Captain`): v[cell] is that thing, or -1."""

    name: str
    kind: str
    cell: int = -1
    file: str = ""
    line: int = 0


@dataclass(slots=True)
class StateWord:
    """An adjective of content: `is` is a condition about `it`; without `is` it is a flag that texts set (`becomes active`)."""

    word: str
    kind: str
    source: Source | None = None
    cell: int = -1  # a flag's cell offset: v[cell + id - kind.lo]
    start: bool = False
    pack: str = ""


@dataclass(slots=True)
class PathDecl:
    """A path: a thing of kind `kind` whose spaces are computed at the start: for each seat in turn the named records of
    that seat (`each player`), or one seat's own (`of player`), or a fixed list. zone holds the spaces in order."""

    record: str
    spaces: tuple[str, ...]
    each: str = ""  # 'player' : segments of all seats joined; 'own': one path a seat
    loop: bool = True
    strands: tuple[tuple[str, ...], ...] = ()  # a way of a grid: idents of records, one row for each of its lines
    wraps: bool = False  # each of these lines goes round


@dataclass(slots=True)
class Grid:
    """Spaces in columns and rows, made at declaration. names: the idents of its spaces by row, the first row first."""

    kind: str
    columns: int
    rows: int
    wraps: bool = False
    column: str = ""  # the number fields of a space that hold its column and row
    row: str = ""
    ways: str = ""  # the kind whose records are its directions
    lines: list[Any] = field(default_factory=list)  # nodes of its lines
    names: list[tuple[str, ...]] = field(default_factory=list)
    node: Any = None
    file: str = ""
    pack: str = ""


@dataclass(slots=True)
class Step:
    """A step of a turn or a phase of a round, in order."""

    name: str
    source: Source | None
    each: bool = False  # performed by each player in turn (turns of a round's phase have steps)
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class Rule:
    """A text that always holds (game rules, a faction's rules). faction '' for the game's own."""

    source: Source
    faction: str = ""
    ident: str = ""


@dataclass(slots=True)
class PhraseBody:
    """A phrase or value of content with its text."""

    ident: str
    source: Source
    event: dict[str, Source] = field(default_factory=dict)
    labels: str = ""
    faction: str = ""
    pack: str = ""


@dataclass(slots=True)
class Model:
    name: str = ""
    title: str = ""
    description: str = ""
    version: str = ""
    folder: str = ""
    least: int = 2
    most: int = 2
    seats: int = 2  # seats allotted (= most)
    options: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict)  # name → (values, default)
    factions: tuple[str, ...] = ()  # record idents
    faction_kind: str = ""
    kinds: dict[str, Kind] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    states: dict[str, list[StateWord]] = field(default_factory=dict)
    titles: dict[str, Title] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)  # the game's own name of the round or turn → round or turn
    paths: list[PathDecl] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    setup: list[Step] = field(default_factory=list)
    turn: list[Step] = field(default_factory=list)
    round: list[Step] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    phrases: dict[str, PhraseBody] = field(default_factory=dict)
    values: dict[str, PhraseBody] = field(default_factory=dict)
    scores: list[tuple[str, Source]] = field(default_factory=list)  # (title, amount of one player)
    ties: list[Source] = field(default_factory=list)
    returns: Source | None = None
    limit: int = 100_000
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)  # pack name → what its texts may say; "": of all
    packs: list[Any] = field(default_factory=list)
    digest: str = ""
    # numbering
    things: int = 0  # ids 0 … things-1
    names_of: list[str] = field(default_factory=list)  # id → printed name
    record_of: list[str] = field(default_factory=list)  # id → record ident ('' for players)
    kind_of: list[str] = field(default_factory=list)  # id → leaf kind
    seat_of: list[int] = field(default_factory=list)  # id → seat of an each-player thing, else -1
    cells: int = FIXED_CELLS  # length of State.v
    start: list[int] = field(default_factory=list)  # State.v at the start, before set-up
    loc: int = 0  # v[loc + id]: zone of a thing, -1 when out of the game
    own: int = 0  # v[own + id]: owning seat or -1
    seen: int = 0  # v[seen + id]: bit set of the seats that know which it is
    result: int = 0  # v[result + seat]: 1 won, -1 lost, 0
    faction_cell: int = 0  # v[faction_cell + seat]: id of the faction's thing, or -1
    zone_count: int = 0
    on_zone: dict[str, int] = field(default_factory=dict)  # leaf kind that holds → base: zone of x is base + x - lo
    zone_owner: list[int] = field(
        default_factory=list
    )  # zone → seat for players' zones, -2 - id for "on thing id", -1 none
    zone_deck: list[bool] = field(default_factory=list)
    zone_seen: list[str] = field(default_factory=list)
    segments: dict[int, int] = field(default_factory=dict)  # deck zone → zone that holds its segments
    tables: dict[Any, Any] = field(default_factory=dict)
