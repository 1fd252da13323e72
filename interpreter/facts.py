"""facts: in, a thing, kind or place as Python; out, Python for what is so of it: the zones where things lie on it, its
spaces, its fields, its owner.
"""

from __future__ import annotations

from typing import Any

from interpreter.bound import Code, ident_of
from interpreter.scope import Scope, field_of, is_a, may_be


def kind_of_head(sc: Scope, head: str) -> str | None:
    """The kind that a noun means: a declared kind, or the core's player, opponent, thing, piece, card."""
    if head in sc.b.model.kinds:
        return head
    return CORE.get(head)


CORE = {"player": "player", "opponent": "player", "thing": "thing", "piece": "thing", "card": "card", "space": "thing"}


def zones_of(code: Code, sc: Scope) -> tuple[bool, str] | None:
    """(True, a zone) or (False, an iterable of zones) where things on or in it lie."""
    model = sc.b.model
    if code.type.sort == "zone":
        return (not code.type.many), code.py
    if code.type.sort != "thing":
        return None
    kind = code.type.kind
    if kind == "player":
        return None
    on = sc.b.table((*model.tables["on zones"], -1), "ON")  # of nothing (-1): the last zone, always empty
    spread = spread_of(sc, kind)
    if spread:
        i = sc.loop_var()
        inner = (
            spaces_py(sc, kind, spread, code.py, code.sure)
            if not code.type.many
            else f"[k for w in {code.py} for k in {spaces_py(sc, kind, spread, 'w')}]"
        )
        return False, f"[{on}[{i}] for {i} in {inner}]"
    if kind in model.kinds and not any(k.holds for k in model.kinds.values() if may_be(model, k.name, kind)):
        return None
    if code.type.many:
        i = sc.loop_var()
        return False, f"[{on}[{i}] for {i} in {code.py}]"
    if kind in model.on_zone and code.sure:
        return True, f"{model.on_zone[kind]}+{code.py}"
    return True, f"{on}[{code.py}]"


def spread_of(sc: Scope, kind: str) -> str:
    """What makes a thing of this kind a path or region: `path`, or the field that lists its spaces; "" for none."""
    return sc.b.model.kinds[kind].spread if kind in sc.b.model.kinds else ""


def spaces_py(sc: Scope, kind: str, spread: str, py: str, sure: bool = True) -> str:
    """The spaces of a path or region (a Python tuple)."""
    model = sc.b.model
    paths = model.tables["path zones"]
    if spread == "path":
        table = [-1] * model.things
        for x, zone in paths.items():
            table[x] = zone
        return f"z[{sc.b.table((*table, -1), 'PATH')}[{py}]]"
    f = field_of(model, kind, spread)
    assert f is not None
    return field_py(sc, f, py) if sure else f"({field_py(sc, f, py)} if {py} >= 0 else ())"


def members_of(code: Code, sc: Scope, kind: str) -> str | None:
    """When the place is a path or region and the noun its spaces: the spaces themselves."""
    model = sc.b.model
    if code.type.sort != "thing" or code.type.many:
        return None
    spread = spread_of(sc, code.type.kind)
    if not spread:
        return None
    if spread == "path":
        of = {model.kind_of[x] for ids, parts, _, _ in model.tables["paths"] for part in parts for x in part}
    else:
        f = field_of(model, code.type.kind, spread)
        of = {f.kind} if f else set()
    if any(may_be(model, kind, o) for o in of):
        return spaces_py(sc, code.type.kind, spread, code.py, code.sure)
    return None


def held_at(sc: Scope, code: Code) -> tuple[str, ...]:
    """The kinds that may lie in a zone, or on a thing."""
    model = sc.b.model
    if code.type.sort == "zone":
        zone = model.zones.get(code.type.kind)
        return zone.holds if zone else ()
    if code.type.kind in model.kinds:
        return model.kinds[code.type.kind].holds
    return ()


def seen_of(sc: Scope, code: Code) -> str:
    """Who sees what lies in a place: all, owner or none."""
    zone = sc.b.model.zones.get(code.type.kind) if code.type.sort == "zone" else None
    return zone.seen if zone else "all"


def field_py(sc: Scope, f: Any, py: str) -> str:
    """Read a field of py."""
    if f.formula is not None:
        name = ident_of(f.name)
        return f"field_{name}(s, {sc.you.py if sc.you is not None else 'v[1]'}, {py})"
    if f.settable:
        return f"v[{f.cell}+{py}]"
    lo = sc.b.model.tables.get(("field lo", id(f)), 0)
    if padded(f, sc):
        none = EMPTY[f.type]
        return f"{sc.b.table((*[none] * lo, *f.table, none), 'F')}[{py}]"
    name = sc.b.table(f.table, "F")
    return f"{name}[{py}-{lo}]" if lo else f"{name}[{py}]"


EMPTY: dict[str, Any] = {"number": 0, "flag": 0, "thing": -1, "list": ()}


MOST_PADDING = 1000


def padded(f: Any, sc: Scope) -> bool:
    """Whether the table of a printed field is indexed by the thing itself, its last entry being that of no thing (-1)."""
    printed_ = f.formula is None and not f.settable and f.type in EMPTY
    return bool(printed_ and f.table and sc.b.model.tables.get(("field lo", id(f)), 0) <= MOST_PADDING)


def owner_py(sc: Scope, kind: str, py: str) -> str:
    """The seat of the owner of py, -1 for nobody."""
    model = sc.b.model
    if kind in model.kinds and (model.kinds[kind].owned or model.kinds[kind].each == "player"):
        return f"v[{model.own}+{py}]"
    if py.isidentifier() and any(
        (below.owned or below.each == "player") and is_a(model, below.name, kind) for below in model.kinds.values()
    ):  # some have an owner whom they keep
        return f"(v[{model.own}+{py}] if v[{model.own}+{py}] >= 0 else own(s, {py}))"
    return f"own(s, {py})"


def faction_thing(model: Any, x: int) -> int:
    """The faction in whose file a thing's record stands, as a thing; -1."""
    record = model.records.get(model.record_of[x])
    faction = model.records.get(record.faction) if record is not None else None
    return faction.ids[0] if faction is not None and faction.ids else -1
