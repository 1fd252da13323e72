"""scope: what a text can refer to where it stands, and what the whole program has gathered so far.

In: a Model. Out: Builder (tables, routines, listeners, modifiers, findings of one program) and Scope (you, this, locals,
what was chosen or named last), with the look-ups that every binder needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.bound import Code, Listener, Modifier, Routine, Type, Var, ident_of, thing
from interpreter.diagnostics import CODES, Diagnostic
from interpreter.model import Counter, Field, Model, Record, Source
from interpreter.number import span
from interpreter.vocabulary import Phrase, ValuePhrase


@dataclass(slots=True)
class ActionRange:
    """Actions lo … hi-1: kind thing, number, text, option (see program.Range); data: label and first thing. plain: the
    canonical texts for which a label of content stands."""

    lo: int
    hi: int
    kind: str
    label: str = ""
    first: int = 0
    plain: tuple[str, ...] = ()


MOST_OFFERED = 10_000  # numbers among which a player may choose


class Builder:
    """Everything one program gathers while its texts are bound."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.findings: list[Diagnostic] = []
        self.tables: dict[str, Any] = {}
        self.table_names: dict[Any, str] = {}
        self.routines: list[Routine] = []
        self.functions: list[str] = []  # sources of pure functions (values, predicates, modified reads)
        self.function_count = 0
        self.phrase_heads: dict[str, Phrase] = {p.ident: p for _, p in model.tables.get("phrase heads", [])}
        self.value_heads: dict[str, ValuePhrase] = {p.ident: p for _, p in model.tables.get("value heads", [])}
        self.phrase_routines: dict[str, Routine] = {}
        self.value_functions: dict[str, str] = {}
        self.defined: dict[str, Source] = {}  # the function of a value, state, relation or field → its text
        self.effects: dict[tuple[str, str], Routine] = {}  # (record, field) → routine
        self.listeners: dict[str, list[Listener]] = {}
        self.replacements: dict[str, list[Listener]] = {}
        self.edges: list[Listener] = []
        self.edges_heard = False  # some text waits for a condition to become true
        self.armed: list[Listener] = []  # those that effects set up
        self.modifiers: dict[str, list[Modifier]] = {}
        self.modified: set[str] = set()  # names that some text changes continuously
        self.heard: set[str] = set()  # event keys that some trigger listens to
        self.replaced: set[str] = set()  # event keys that some replacement answers
        self.remembered: dict[tuple[str, str], int] = {}  # (what core verbs do, boundary) → cells, one for each thing
        self.history: set[str] = set()  # phrases whose past some text asks for
        self.permits: set[str] = set()  # phrases that some text permits for a time
        self.permissions: dict[str, list[Listener]] = {}
        self.cannot: set[str] = set()
        self.objects: dict[
            str, int
        ] = {}  # record → cells, one for each of its things, with what its text was performed on
        self.grants: dict[tuple[str, str, str], int] = {}  # (verb, noun, boundary) → cell for each player
        self.ranges: list[ActionRange] = [ActionRange(0, model.things, "thing")]
        self.next_action = model.things
        self.most_number = 0
        self.labels: dict[str, int] = {}  # text option → action
        self.counts: dict[str, int] = {}
        self.extra_cells: list[int] = []  # start values of cells that the program adds
        self.remembers = False  # some text asks whether the position is repeated
        self.cell_resets: list[tuple[int, int, str]] = []  # (cell, count, boundary) cleared there
        self.durations: list[str] = []
        self.actions_end = False  # some text lasts until the end of the action
        self.step_names: dict[str, int] = {}
        self.short_states: dict[str, str] = {}  # is_… function → its expression over x0 and x1, where it is short

        self.called: defaultdict[str, list[Record]] = defaultdict(list)  # a name → the records that are called so
        for record in model.records.values():
            self.called[record.name].append(record)

    def table(self, value: Any, hint: str = "T") -> str:
        """A global of the emitted program that holds value → its name."""
        key = (hint, value) if isinstance(value, tuple) else (hint, repr(value))
        if key not in self.table_names:
            name = f"{hint}{len(self.table_names)}"
            self.table_names[key] = name
            self.tables[name] = value
        return self.table_names[key]

    def cell(self, count: int, boundary: str = "", start: int = 0) -> int:
        """A run of cells at the end of State.v → its offset; cleared at the boundary (turn, round, …) if one is named."""
        at = self.model.cells + len(self.extra_cells)
        self.extra_cells.extend([start] * count)
        if boundary:
            self.cell_resets.append((at, count, boundary))
        return at

    def cells_by(self, things: Sequence[int], boundary: str = "") -> int:
        """A cell for each of these things → the offset to which a thing is added; where there are none, one cell."""
        first = min(things, default=0)
        return self.cell(max(things, default=0) + 1 - first, boundary) - first

    def text_action(self, label: str, plain: str = "") -> int:
        if label not in self.labels:
            self.labels[label] = self.next_action
            self.ranges.append(ActionRange(self.next_action, self.next_action + 1, "text", label))
            self.next_action += 1
        self.read_as(self.labels[label], plain if plain != label else "")
        return self.labels[label]

    def read_as(self, action: int, plain: str) -> None:
        """Keep the canonical text for which an action's label stands."""
        one = next(r for r in reversed(self.ranges) if r.lo <= action < r.hi)
        if plain and plain not in one.plain:
            one.plain = (*one.plain, plain)

    def option_actions(self, label: str, lo: int, hi: int, plain: str = "") -> int:
        """Actions for a textual option about one thing of lo … hi-1 → the number to add to the thing's id."""
        key = f"{label}\0{lo}\0{hi}"
        if key not in self.labels:
            self.labels[key] = self.next_action - lo
            self.ranges.append(ActionRange(self.next_action, self.next_action + hi - lo, "option", label, lo))
            self.next_action += hi - lo
        self.read_as(self.labels[key] + lo, plain if plain != label else "")
        return self.labels[key]

    def function(self, head: str, params: str, lines: list[str]) -> str:
        name = f"{head}{self.function_count}"
        self.function_count += 1
        self.functions.append(f"def {name}({params}):\n" + "\n".join("    " + line for line in lines))
        return name

    def routine(self, name: str, kind: str, source: Source | None = None) -> Routine:
        routine = Routine(name, kind, source=source, index=len(self.routines))
        self.routines.append(routine)
        return routine

    def fault(
        self, source: Source | None, at: tuple[int, int], code: str, message: str, suggestion: str | None = None
    ) -> None:
        self.findings.append(place(source, at, code, message, suggestion))


def place(
    source: Source | None,
    at: tuple[int, int],
    code: str,
    message: str,
    suggestion: str | None = None,
) -> Diagnostic:
    """A finding at a span of a text of content."""
    if source is None or source.scalar is None:
        return Diagnostic(
            source.file if source else "?",
            1,
            at[0] + 1,
            1,
            max(at[1], at[0] + 1) + 1,
            CODES[code][0],
            code,
            message,
            suggestion,
        )
    line, column = source.scalar.place(at[0])
    end_line, end_column = source.scalar.place(max(at[0] + 1, at[1]))
    if end_line != line:
        end_line, end_column = line, column + 1
    return Diagnostic(source.file, line, column, end_line, end_column, CODES[code][0], code, message, suggestion)


@dataclass(slots=True)
class Scope:
    """Where a text stands. you, this: Python expressions; itself: the thing a filter is about."""

    b: Builder
    source: Source | None
    routine: Routine | None = None
    you: Code | None = None  # who does it
    this: Code | None = None
    locals: dict[str, Code] = field(default_factory=dict)
    named: list[Code] = field(default_factory=list)  # antecedents of it, that X; latest last
    chosen: dict[str, Code] = field(default_factory=dict)  # kind → what was chosen
    itself: Code | None = None
    depth: list[int] = field(default_factory=lambda: [0])
    out: list[Any] = field(default_factory=list)  # statements being bound (hoisted choices go here)
    passed: str = ""
    did: str = ""  # variable: whether the optional or the payment before was done
    short: str = ""  # variable: the amount that could not be paid
    pure: bool = False  # no statements may be added (conditions, values)
    event: bool = False
    anywhere: bool = False  # pieces out of the game count too (set-up)
    reader: Code | None = None  # whom `you` means, where the sentence has a subject of its own
    picked: dict[str, list[Code]] = field(default_factory=dict)  # of several things: those taken out as `one of them`
    about: str = ""  # variable: the thing that this part of a text is about, one of those of a `for each`
    topic: str = ""  # variable: the thing that the phrase is about
    results: list[str] = field(default_factory=list)  # variables that say whether what is being done moved anything
    much: list[Code] = field(default_factory=list)  # amounts of what was done, the last one `that many`
    tallies: list[tuple[str, int]] = field(
        default_factory=list
    )  # variables that count what is being done, and its sign

    def fault(self, node: Any, code: str, message: str, suggestion: str | None = None) -> None:
        self.b.fault(self.source, node.at, code, message, suggestion)

    def widest(self, node: Any, most: int) -> int:
        """The largest number that a choice here offers, kept among the actions; a fault where it is too large."""
        if most > MOST_OFFERED:
            message = (
                f"a player would choose among more than {MOST_OFFERED:,} numbers; say a smaller one with `at most`"
            )
            self.fault(node, "unbounded-choice", message)
            most = 1
        self.b.most_number = max(self.b.most_number, most)
        return most

    def fresh(self, type_: Type, hint: str = "") -> str:
        """A new variable of the routine."""
        assert self.routine is not None
        name = f"x{len(self.routine.vars)}"
        self.routine.vars.append(Var(name, type_))
        return name

    def loop_var(self) -> str:
        self.depth[0] += 1
        return f"i{self.depth[0]}"

    def inner(self, **changes: Any) -> Scope:
        """A scope for a branch or a filter: sees all of this, keeps its own additions."""
        out = Scope(
            self.b,
            self.source,
            self.routine,
            self.you,
            self.this,
            dict(self.locals),
            list(self.named),
            dict(self.chosen),
            self.itself,
            self.depth,
            self.out,
            self.passed,
            self.did,
            self.short,
            self.pure,
            self.event,
            self.anywhere,
            self.reader,
        )
        out.results = self.results
        out.much, out.tallies = self.much, self.tallies
        out.about, out.topic = self.about, self.topic
        out.picked = self.picked
        for key, value in changes.items():
            setattr(out, key, value)
        return out

    def spoken_of(self, *texts: str) -> tuple[tuple[str, str, bool], ...]:
        """The numbers and single things to which the text has given a name, as far as these words use it: name,
        variable, whether it is a thing."""
        words = {word for text in texts for word in text.replace(",", " ").replace(":", " ").split()}
        return tuple(
            (name, code.py, code.type.sort == "thing")
            for name, code in self.locals.items()
            if name in words and code.py[:1] == "x" and code.py[1:].isdigit()
            if code.type.sort in ("number", "thing") and not code.type.many
        )

    def name(self, code: Code) -> None:
        self.named.append(code)


# ---------------------------------------------------------------- look-ups


def is_a(model: Model, kind: str, other: str) -> bool:
    """Whether every thing of kind is one of other."""
    if other in ("thing", "piece") or kind == other:
        return True
    if other == "card":
        return kind in model.kinds and model.kinds[kind].card
    while kind in model.kinds and model.kinds[kind].parent:
        kind = model.kinds[kind].parent
        if kind == other:
            return True
    return False


def may_be(model: Model, kind: str, other: str) -> bool:
    """Whether a thing of kind can be one of other."""
    return (
        is_a(model, kind, other)
        or is_a(model, other, kind)
        or (kind in ("thing", "piece", "card") and other != "player")
    )


def told_apart(model: Model, kind: str) -> bool:
    """Whether everybody always tells all things of a kind apart: each record stands for one, and nothing holds them, so
    that none can be hidden."""
    if kind not in model.kinds:
        return kind == "player"
    if any(len(r.ids) > 1 and may_be(model, r.kind, kind) for r in model.records.values()):
        return False
    if not all(zone.holds for zone in model.zones.values()):
        return False
    held = {h for zone in model.zones.values() for h in zone.holds} | {h for k in model.kinds.values() for h in k.holds}
    return not any(may_be(model, kind, h) for h in held)


def kind_test(model: Model, kind: str, py: str, known: str = "thing") -> str:
    """Python that says whether py (a thing of the known kind) is of kind; '' if always."""
    if is_a(model, known, kind):
        return ""
    if kind == "card":
        runs = [(k.lo, k.hi) for k in model.kinds.values() if k.card and not (k.parent and model.kinds[k.parent].card)]
        return "(" + " or ".join(f"{lo} <= {py} < {hi}" for lo, hi in runs) + ")" if runs else "False"
    lo, hi = span(model, kind)
    printed = f"{py} == {lo}" if hi - lo == 1 else f"{lo} <= {py} < {hi}"
    counted = model.tables.get("counted as", {}).get(kind)
    if counted is None:
        return printed
    also = " or ".join(f"{changed_as(name)}(s, {py}, 0, -1)" for name in counted[1])
    return f"({py} >= 0 and ({printed} or {also}))"


def changed_as(kind: str) -> str:
    """The function that says as how many things of a kind one counts."""
    return "changed_as_" + ident_of(kind)


def wide(model: Model, kind: str) -> str:
    """The kind that a noun ranges over: a wider one where things of others can count as its own."""
    counted = model.tables.get("counted as", {}).get(kind)
    return counted[0] if counted is not None else kind


def field_of(model: Model, kind: str, head: str) -> Field | None:
    """The field of a kind (of any kind, for `thing`) that a noun names, in the singular or plural; None for none."""
    from interpreter.declare import plural

    if kind not in model.kinds:
        for candidate in model.kinds.values():
            if kind in ("thing", "card", "piece"):
                for f in candidate.fields.values():
                    if f.name == head or f.name == plural(head):
                        return f
        return None
    fields = model.kinds[kind].fields
    return (
        fields.get(head)
        or fields.get(plural(head))
        or next((f for k in below(model, kind) for f in [k.fields.get(head) or k.fields.get(plural(head))] if f), None)
    )


def below(model: Model, kind: str) -> list[Any]:
    return [k for k in model.kinds.values() if k.name != kind and is_a(model, k.name, kind)]


def counter_cell(b: Builder, counter: Counter, kind: str, py: str, member: str | None) -> str | None:
    """The cell number (Python) of a counter on py; None if it cannot lie there."""
    model = b.model
    for holder, (offset, width, first) in counter.cells.items():
        if holder == "game":
            if width == 1 and holder not in counter.each:
                return str(offset)
            return None if member is None else f"{offset - first}+{member}"
        if is_a(model, kind, holder):
            lo, _ = span(model, holder)
            if width == 1 and holder not in counter.each:
                return f"{offset - lo}+{py}"
            if member is None:
                return None
            scaled = py if width == 1 else f"{py}*{width}" if py.isalnum() else f"({py})*{width}"
            return f"{offset - lo * width - first}+{scaled}+{member}"
    possible = [(h, c) for h, c in counter.cells.items() if may_be(model, kind, h)]
    if not possible:
        return None
    table = [0] * model.things
    for holder, (offset, width, first) in possible:
        lo, hi = span(model, holder)
        for x in range(lo, hi):
            table[x] = offset + (x - lo) * width - first
    spare = b.table(tuple(table), "CELL")
    indexed = any(h in counter.each for h, _ in possible)
    if indexed and member is None:
        return None
    return f"{spare}[{py}]+{member}" if indexed else f"{spare}[{py}]"


def zone_capable(model: Model, kind: str) -> bool:
    """Whether things of the kind lie somewhere (in a zone or on another thing)."""
    holders = [h for z in model.zones.values() for h in z.holds] + [h for k in model.kinds.values() for h in k.holds]
    return any(may_be(model, kind, h) for h in holders)


def steps_below(model: Model) -> list[str]:
    return [s.name for s in model.turn] + [s.name for r in model.round for s in [r, *r.steps]]


def player_code(py: str) -> Code:
    return Code(py, thing("player"), sure=True)
