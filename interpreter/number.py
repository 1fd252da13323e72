"""number: a declared Model → the same Model with every thing, zone and cell numbered, and State.v as it starts; findings.

Ids: players, then kinds in declaration order, children inside their parents' run. A kind `each: player` has its things
ordered by record, then seat, so that the thing of seat k is `first + k`.
"""

from __future__ import annotations

import itertools
from typing import Any

from interpreter.declare import CORE_KINDS, near_of
from interpreter.diagnostics import Diagnostic, finding
from interpreter.model import FIRST, FIXED_CELLS, Counter, Kind, Model, Record
from interpreter.nodes import Mapping, Scalar, Sequence


class Numbering:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.findings: list[Diagnostic] = []
        self.by_kind: dict[str, list[Record]] = {}
        self.by_name: dict[str, list[Record]] = {}


def number(model: Model) -> list[Diagnostic]:
    """Fill every numbered part of the model. Returns findings (unknown kinds and records in declarations)."""
    n = Numbering(model)
    for record in model.records.values():
        n.by_kind.setdefault(record.kind, []).append(record)
        n.by_name.setdefault(record.name, []).append(record)
    seats = model.most
    model.names_of = [f"player {seat + 1}" for seat in range(seats)]
    model.record_of = [""] * seats
    model.kind_of = ["player"] * seats
    model.seat_of = list(range(seats))
    model.tables["children"] = tree_of(n)
    if too_many(n):
        return n.findings
    for name in model.tables["children"].get("", []):
        if name == "player":
            model.kinds[name].lo, model.kinds[name].hi = 0, seats
            continue
        number_kind(n, model.kinds[name])
    model.things = len(model.names_of)
    if not number_cells(n):
        return n.findings
    number_zones(n)
    number_fields(n)
    number_paths(n)
    return n.findings


MOST_THINGS = 20_000
MOST_CELLS = 1_000_000


def too_many(n: Numbering) -> bool:
    """Whether the records make more things than a game may have; a finding at the one that is too many."""
    count = n.model.most
    for record in n.model.records.values():
        count += record.copies * (n.model.most if n.model.kinds[record.kind].each == "player" else 1)
        if count > MOST_THINGS:
            node = record.node
            value = node.items["copies"][1] if "copies" in node.items else node
            report(n, record.file, value, f"with this record the game has more than {MOST_THINGS:,} things")
            return True
    return False


def report(n: Numbering, file: str, node: Any, message: str) -> None:
    n.findings.append(
        finding("too-many", file, (node.line, node.column, node.end_line, node.end_column), message),
    )


def tree_of(n: Numbering) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for kind in n.model.kinds.values():
        out.setdefault(kind.parent, []).append(kind.name)
    return out


def number_kind(n: Numbering, kind: Kind) -> None:
    """Give the things of a kind, and of its sorts, the next numbers: a kind and its sorts are one run."""
    model = n.model
    kind.lo = len(model.names_of)
    for record in n.by_kind.get(kind.name, []):
        first = len(model.names_of)
        times = model.most if kind.each == "player" else record.copies
        for copy in range(times):
            for _ in range(record.copies if kind.each == "player" else 1):
                model.names_of.append(record.name)
                model.record_of.append(record.ident)
                model.kind_of.append(kind.name)
                model.seat_of.append(copy if kind.each == "player" else -1)
        record.ids = tuple(range(first, len(model.names_of)))
    for child in model.tables["children"].get(kind.name, []):
        number_kind(n, model.kinds[child])
    kind.hi = len(model.names_of)


def span(model: Model, kind: str) -> tuple[int, int]:
    """The run of ids of a kind; `player`, `thing` and `game` are the core's."""
    if kind == "player":
        return 0, model.most
    if kind == "thing":
        return 0, model.things
    if kind == "game":
        return 0, 1
    k = model.kinds[kind]
    return k.lo, k.hi


def known(n: Numbering, kind: str) -> bool:
    """Whether there is such a kind (where there is none, declare has said so at the word)."""
    return kind in CORE_KINDS or kind in n.model.kinds


def number_cells(n: Numbering) -> bool:
    """False, with a finding, if the counters of the game want too many numbers."""
    model = n.model
    start = [0] * FIXED_CELLS
    start[0] = model.least
    start[FIRST] = 0

    def take(count: int, value: int = 0) -> int:
        at = len(start)
        start.extend([value] * count)
        return at

    model.loc = take(model.things, -1)
    model.own = take(model.things, -1)
    model.seen = take(model.things, 0)
    model.result = take(model.most)
    model.faction_cell = take(model.most, -1)
    model.tables["repeated"] = take(1)  # whether the position at the start of the turn was there before
    for counter in model.counters.values():
        if len(start) + cells_of(n, counter) > MOST_CELLS:
            where = (counter.line, 1, counter.line, 2)
            message = f"with this counter the game has more than {MOST_CELLS:,} numbers"
            n.findings.append(finding("too-many", counter.file, where, message))
            return False
        number_counter(n, counter, take)
    cells: dict[str, int] = {}
    for option, counter_name in model.tables.get("option counters", {}).items():
        found = model.counters.get(counter_name)
        if found is not None and "game" in found.cells:
            cells[option] = found.cells["game"][0]
    model.tables["options"] = cells
    for words in model.states.values():
        for state in words:
            if state.source is None and known(n, state.kind):
                lo, hi = span(model, state.kind)
                state.cell = take(hi - lo, int(state.start)) - lo
    for title in model.titles.values():
        if known(n, title.kind):
            title.cell = take(1, -1)
    done: dict[int, int] = {}
    for kind in model.kinds.values():
        for f in kind.fields.values():
            if f.settable and id(f) not in done:
                empty = 0 if f.type in ("number", "flag") else -1
                done[id(f)] = f.cell = take(kind.hi - kind.lo, empty) - kind.lo
    for record in model.records.values():
        kind = model.kinds[record.kind]
        for x in record.ids:
            if kind.each == "player":
                start[model.own + x] = model.seat_of[x]
    model.start = start
    model.cells = len(start)
    return True


def cells_of(n: Numbering, counter: Counter) -> int:
    """How many numbers a counter wants."""
    count = 0
    for kind in counter.on:
        if known(n, kind):
            lo, hi = span(n.model, kind)
            index = counter.each.get(kind)
            first, last = span(n.model, index) if index is not None and known(n, index) else (0, 1)
            count += (hi - lo) * (last - first)
    return count


def number_counter(n: Numbering, counter: Counter, take: Any) -> None:
    model = n.model
    for kind in counter.on:
        if not known(n, kind):
            continue
        lo, hi = span(model, kind)
        index = counter.each.get(kind)
        if index is None:
            counter.cells[kind] = (take(hi - lo, counter.start if kind in ("player", "game") else 0), 1, 0)
        elif known(n, index):
            first, last = span(model, index)
            counter.cells[kind] = (take((hi - lo) * (last - first)), last - first, first)


def number_zones(n: Numbering) -> None:
    """Give each zone of each player or thing a number, and one more to each thing on which others may lie."""
    model = n.model
    model.zone_owner, model.zone_deck, model.zone_seen = [], [], []

    def add(owner: int, deck: bool, seen: str) -> int:
        model.zone_owner.append(owner)
        model.zone_deck.append(deck)
        model.zone_seen.append(seen)
        return len(model.zone_owner) - 1

    labels: list[str] = []
    for zone in model.zones.values():
        zone.base = len(model.zone_owner)
        if zone.of == "player":
            zone.count = model.most
            for seat in range(model.most):
                add(seat, zone.deck, zone.seen)
                labels.append(f"{zone.name} of player {seat + 1}")
        elif zone.of and known(n, zone.of):
            lo, hi = span(model, zone.of)
            zone.count = hi - lo
            for x in range(lo, hi):
                add(-2 - x, zone.deck, zone.seen)
                labels.append(f"{zone.name} of {model.names_of[x]}")
        else:
            add(-1, zone.deck, zone.seen)
            labels.append(zone.name)
    for name, kind in model.kinds.items():
        if kind.holds:
            own = [x for x in range(kind.lo, kind.hi) if model.kind_of[x] == name]
            if own:
                base = len(model.zone_owner)
                model.on_zone[name] = base - own[0]
                for x in own:
                    add(-2 - x, False, "all")
                    labels.append(model.names_of[x])
    for at, deck in enumerate(list(model.zone_deck)):
        if deck:
            model.segments[at] = add(-1, False, "none")
            labels.append("")
    model.tables["history"] = add(-1, False, "none")
    model.tables["applied"] = add(-1, False, "none")
    model.tables["armed"] = add(-1, False, "none")  # rules that effects have set up
    model.tables["removed"] = add(-1, False, "all")  # cards that were removed from the game
    labels += ["", "", "", ""]
    model.tables["zone labels"] = labels
    model.tables["on zones"] = on_table(model)


def on_table(model: Model) -> list[int]:
    """id → the zone on it, or -1."""
    out = [-1] * model.things
    for x, kind in enumerate(model.kind_of):
        if kind in model.on_zone:
            out[x] = model.on_zone[kind] + x
    return out


def scalar_with(node: Any, text: str) -> Any:
    """The key or value inside a read node that holds exactly this text; None when there is none."""
    if isinstance(node, Scalar):
        return node if node.text == text else None
    parts: list[Any] = []
    if isinstance(node, Mapping):
        for key, (key_node, value) in node.items.items():
            parts += [value] if key in ("name", "id") else [key_node, value]
    elif isinstance(node, Sequence):
        parts = list(node.items)
    return next((found for part in parts if (found := scalar_with(part, text)) is not None), None)


def thing_named(n: Numbering, name: Any, kind: str, record: Record, seat: int = -1) -> int:
    """The id of the thing called so (a record's name or id) of a kind; -1 with a finding when there is none."""
    model = n.model
    found = n.by_name.get(str(name), [])
    if not found and str(name) in model.records:
        found = [model.records[str(name)]]
    lo, hi = span(model, kind)
    for candidate in found:
        for x in candidate.ids:
            if lo <= x < hi and (seat < 0 or model.seat_of[x] in (-1, seat)):
                return x
    node = record.node
    where = scalar_with(node, str(name)) or node
    names = [model.names_of[x] for x in range(lo, hi)]
    n.findings.append(
        Diagnostic(
            record.file,
            where.line,
            where.column,
            where.end_line,
            where.end_column,
            "error",
            "unknown-name",
            f'no {kind} is called "{name}"',
            near_of(str(name), names),
        )
    )
    return -1


def number_fields(n: Numbering) -> None:
    """Printed values: Field.table by id - lo of the declaring kind, or the start cells of settable fields."""
    model = n.model
    seen: set[int] = set()
    for kind in model.kinds.values():
        for f in kind.fields.values():
            if id(f) in seen:
                continue
            seen.add(id(f))
            if f.type in ("thing", "list", "each") and not known(n, f.kind):
                continue
            if (
                f.type == "text"
                or f.type in ("amount", "condition", "selection", "statement", "prose", "numbers")
                or f.formula is not None
            ):
                continue
            table: list[Any] = []
            for x in range(kind.lo, kind.hi):
                if kind.name == "player":
                    table.append(0 if f.type in ("number", "flag") else -1)
                    continue
                table.append(printed(n, f, model.records[model.record_of[x]], model.seat_of[x]))
            if f.settable:
                for i, value in enumerate(table):
                    if isinstance(value, int):
                        model.start[f.cell + kind.lo + i] = value
            else:
                f.table = tuple(table)
            model.tables[("field lo", id(f))] = kind.lo


def printed(n: Numbering, f: Any, record: Record, seat: int) -> Any:
    """A field of one copy of a record as a plain value: a number, a thing's number, a tuple."""
    value = record.values.get(f.name, f.default)
    if f.type in ("number", "flag"):
        return int(value or 0)
    if f.type == "thing":
        if value is None:
            return -1
        return thing_named(n, value, f.kind, record, seat)
    if f.type == "list":
        return tuple(thing_named(n, item, f.kind, record, seat) for item in value or ())
    if f.type == "each":
        lo, hi = span(n.model, f.kind)
        row = [0] * (hi - lo)
        for key, amount in (value or {}).items():
            x = thing_named(n, key, f.kind, record)
            if x >= 0:
                row[x - lo] = amount
        return tuple(row)
    return 0


def number_paths(n: Numbering) -> None:
    """Paths hold their spaces in zones of their own, filled when a game of some number of seats begins."""
    model = n.model
    out = []
    for path in model.paths:
        found = n.by_name.get(path.record, [])
        if not found:
            continue
        parts: list[tuple[int, ...]] = []
        for name in path.spaces:
            spaces = n.by_name.get(name, [])
            if spaces:
                parts.append(spaces[0].ids)
        for strand in path.strands:
            parts += [model.records[ident].ids for ident in strand]
        out.append((found[0].ids, tuple(parts), path.each, path.loop))
        if not path.each or model.least == model.most:
            fixed_steps(model, path, found[0].ids, parts)
    model.tables["paths"] = out
    zone = len(model.zone_owner)
    table: dict[int, int] = {}
    for ids, _, _, _ in out:
        for x in ids:
            table[x] = zone
            zone += 1
            model.zone_owner.append(-1)
            model.zone_deck.append(False)
            model.zone_seen.append("none")
            model.tables["zone labels"].append("")
    model.tables["path zones"] = table
    model.zone_owner.append(-1)  # the last zone is always empty: what lies on nothing
    model.zone_deck.append(False)
    model.zone_seen.append("none")
    model.tables["zone labels"].append("")
    model.zone_count = zone + 1


def fixed_steps(model: Model, path: Any, ids: tuple[int, ...], parts: list[tuple[int, ...]]) -> None:
    """Where a path is the same in every game, the space after and before each is known: model.tables['steps'] has, for
    each path, thing → the next one and thing → the one before, -1 where there is none."""
    strands: list[list[int]]
    for i, x in enumerate(ids):
        if path.strands:
            strands = [[model.records[ident].ids[0] for ident in strand] for strand in path.strands]
        elif path.each == "own":
            strands = [[part[i] for part in parts]]
        elif path.each:
            strands = [[part[seat] for seat in range(model.most) for part in parts]]
        else:
            strands = [[part[0] for part in parts]]
        rows = [[-1] * (model.things + 1), [-1] * (model.things + 1)]
        for strand in strands:
            pairs = list(itertools.pairwise(strand))
            if path.loop or (path.wraps and len(strand) > 1):
                pairs.append((strand[-1], strand[0]))
            for one, other in pairs:
                if rows[0][one] < 0:  # what a path crosses twice goes on as it did the first time
                    rows[0][one] = other
                if rows[1][other] < 0:
                    rows[1][other] = one
        model.tables.setdefault("steps", {})[x] = (tuple(rows[0]), tuple(rows[1]))
