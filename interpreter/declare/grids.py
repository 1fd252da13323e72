"""grids: spaces in columns and rows, the ways from each to the next, and the lines that they form.

In: `grids` of a game, and records of the kind of their ways. Out: records of the spaces and lines, and a path for each
way.
"""

from __future__ import annotations

from typing import Any

from interpreter.declare.gathering import Declaring, children, entries, plain, slug
from interpreter.model import Grid, Kind, PathDecl, Record

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_SPACES = 1024
Step = tuple[int, int]


def grids(d: Declaring, node: Any) -> None:
    """The boards: spaces as records of a kind, their ways as paths, their lines as records."""
    allowed = ("grid", "columns", "rows", "wraps", "column", "row", "ways", "lines", "note")
    for item in children(d, node, "grids"):
        spec = entries(d, item, allowed, "a grid")
        if "grid" not in spec:
            d.fault(item, "missing-field", "a grid wants the kind of its spaces: grid")
            continue
        for key in ("grid", "ways"):
            d.refer(spec.get(key), "kind")
        size = {key: d.whole(spec[key]) if key in spec else 0 for key in ("columns", "rows")}
        if not (1 <= size["columns"] <= len(LETTERS) and size["rows"] >= 1 and prod(size) <= MOST_SPACES):
            d.fault(
                item, "bad-value", f"a grid wants 1 to {len(LETTERS)} columns and at most {MOST_SPACES} spaces in all"
            )
            continue
        d.model.grids.append(
            Grid(
                d.word(spec["grid"]),
                size["columns"],
                size["rows"],
                "wraps" in spec and d.flag(spec["wraps"]),
                d.word(spec.get("column")),
                d.word(spec.get("row")),
                d.word(spec.get("ways")),
                children(d, spec["lines"], "lines") if "lines" in spec else [],
                node=item,
                file=d.file,
                pack=d.pack,
            )
        )


def prod(size: dict[str, int]) -> int:
    return size["columns"] * size["rows"]


def lay_grids(d: Declaring) -> None:
    """The records of all grids, once the kinds and the records of content are known."""
    for grid in d.model.grids:
        kind = d.model.kinds.get(grid.kind)
        if kind is None:
            continue  # numbering says so at the word
        d.file, d.pack = grid.file, grid.pack
        lay_spaces(d, grid, kind)
        steps = ways_of(d, grid)
        for ident, step in steps.items():
            strands = tuple(tuple(grid.names[r][c] for c, r in row) for row in strands_of(grid, step))
            d.model.paths.append(PathDecl(d.model.records[ident].name, (), "", False, strands, grid.wraps))
        for node in grid.lines:
            lay_lines(d, grid, node, steps)


def lay_spaces(d: Declaring, grid: Grid, kind: Kind) -> None:
    """A record for each space: `B3` is the second column of the third row."""
    for key in ("column", "row"):
        name = getattr(grid, key)
        if name and (name not in kind.fields or kind.fields[name].type != "number"):
            d.fault(grid.node.items[key][1], "unknown-name", f'{kind.name} has no field "{name}" that is a number')
    for row in range(grid.rows):
        names = []
        for column in range(grid.columns):
            name = f"{LETTERS[column]}{row + 1}"
            values = {key: n + 1 for key, n in ((grid.column, column), (grid.row, row)) if key}
            names.append(add(d, grid, kind, name, values))
        grid.names.append(tuple(names))


def add(d: Declaring, grid: Grid, kind: Kind, name: str, values: dict[str, Any]) -> str:
    ident = slug(name)
    if ident in d.model.records:
        other = d.model.records[ident]
        d.fault(grid.node, "duplicate-name", f'the grid makes "{name}", which stands in {other.file}:{other.line}')
        return ident
    d.model.records[ident] = Record(
        ident, name, kind.name, values, origin="public", pack=d.pack, file=d.file, line=grid.node.line, node=grid.node
    )
    return ident


def ways_of(d: Declaring, grid: Grid) -> dict[str, Step]:
    """The records that are ways of a grid, and how far each goes to the right and up."""
    kind = d.model.kinds.get(grid.ways)
    if kind is None:
        return {}
    name = next((f.name for f in kind.fields.values() if f.type == "numbers"), "")
    if not name or kind.spread != "path":
        d.fault(
            grid.node.items["ways"][1],
            "missing-field",
            f"{kind.name} wants `spread: path` and a field of the type numbers: how far one step goes right and up",
        )
        return {}
    out: dict[str, Step] = {}
    for ident, record in d.model.records.items():
        if not below(d, record.kind, kind.name):
            continue
        step = record.values.get(name)
        if not isinstance(step, list) or len(step) != 2 or step == [0, 0]:
            d.fault(record.node, "bad-value", f"{name.lower()} wants two numbers: how far a step goes right and up")
            continue
        out[ident] = (step[0], step[1])
    return out


def below(d: Declaring, kind: str, above: str) -> bool:
    while kind and kind != above:
        kind = d.model.kinds[kind].parent if kind in d.model.kinds else ""
    return bool(kind)


def after(grid: Grid, at: Step, step: Step) -> Step | None:
    """(column, row) one step on; None beyond the edge."""
    column, row = at[0] + step[0], at[1] + step[1]
    if grid.wraps:
        return column % grid.columns, row % grid.rows
    return (column, row) if 0 <= column < grid.columns and 0 <= row < grid.rows else None


def strands_of(grid: Grid, step: Step) -> list[list[Step]]:
    """The lines of a way from edge to edge; where the grid wraps, each goes once round."""
    out: list[list[Step]] = []
    seen: set[Step] = set()
    for row in range(grid.rows):
        for column in range(grid.columns):
            at: Step | None = (column, row)
            back = (column - step[0], row - step[1])
            if (column, row) in seen or (not grid.wraps and 0 <= back[0] < grid.columns and 0 <= back[1] < grid.rows):
                continue
            line: list[Step] = []
            while at is not None and at not in seen:
                line.append(at)
                seen.add(at)
                at = after(grid, at, step)
            out.append(line)
    return out


def lay_lines(d: Declaring, grid: Grid, node: Any, steps: dict[str, Step]) -> None:
    """Records for the lines of a grid: as many spaces in a row as `length` says along a way, or whole lines. Where a
    line names its start, goal or way, both directions are lines of their own."""
    spec = entries(d, node, ("line", "length", "along", "spaces", "start", "goal", "way", "with", "note"), "a line")
    d.refer(spec.get("line"), "kind")
    kind = d.model.kinds.get(d.word(spec.get("line")))
    if kind is None:
        return
    wanted = {"spaces": "list", "start": "thing", "goal": "thing", "way": "thing"}
    fields = {key: d.word(spec[key]) for key in wanted if key in spec}
    for key, name in fields.items():
        if name not in kind.fields or kind.fields[name].type != wanted[key]:
            d.fault(spec[key], "unknown-name", f'{kind.name} has no field "{name}" for the {key} of a line')
            return
    more = plain(spec["with"]) if "with" in spec else {}
    by_key = {f.name.lower(): f for f in kind.fields.values()}
    if not isinstance(more, dict) or not set(more) <= set(by_key):
        d.fault(spec["with"], "bad-value", f"with wants values for fields of {kind.name}: {', '.join(sorted(by_key))}")
        return
    length = d.whole(spec["length"]) if "length" in spec else 0
    along = plain(spec["along"]) if "along" in spec else None
    d.refer(spec.get("along"), "thing")
    directed = len(fields) > ("spaces" in fields)
    seen: set[frozenset[Step]] = set()
    for ident, step in steps.items():
        way = d.model.records[ident]
        if along is not None and way.name not in (along if isinstance(along, list) else [along]):
            continue
        for line in lines_of(grid, step, length):
            if len(line) < 2 or (not directed and frozenset(line) in seen):
                continue
            seen.add(frozenset(line))
            spaces = [d.model.records[grid.names[r][c]].name for c, r in line]
            said = {"spaces": spaces, "start": spaces[0], "goal": spaces[-1], "way": way.name}
            values = {by_key[key].name: value for key, value in more.items()}
            values |= {name: said[key] for key, name in fields.items()}
            add(d, grid, kind, f"{spaces[0]} to {spaces[-1]}", values)


def lines_of(grid: Grid, step: Step, length: int) -> list[list[Step]]:
    if not length:
        return strands_of(grid, step)
    out: list[list[Step]] = []
    for row in range(grid.rows):
        for column in range(grid.columns):
            line: list[Step] = [(column, row)]
            while len(line) < length and (then := after(grid, line[-1], step)) is not None:
                line.append(then)
            if len(set(line)) == length:
                out.append(line)
    return out
