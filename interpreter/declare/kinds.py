"""kinds: kinds, fields, counters, zones, states and paths of game.yaml.

In: read nodes. Out: declarations in the model.
"""

from __future__ import annotations

from typing import Any

from interpreter.declare.gathering import FIELD_TYPES, INHERITED, Declaring, children, entries, near_of, plain
from interpreter.declare.spelling import plural
from interpreter.model import (
    Counter,
    Field,
    Kind,
    PathDecl,
    StateWord,
    Title,
    Zone,
)
from interpreter.read import Mapping

DEEPEST = 32  # kinds that are sorts of one another


def kinds(d: Declaring, node: Any) -> None:
    """The kinds of thing, in the order in which they stand: a sort of a kind comes after it and has what that one has."""
    allowed = (
        "kind",
        "plural",
        "is",
        "key",
        "fields",
        "each",
        "holds",
        "spread",
        "card",
        "deck",
        "hand",
        "discard",
        "taken",
        "played",
        "supply",
        "owned",
        "live",
        "note",
    )
    depth: dict[str, int] = d.model.tables.setdefault("depth of kinds", {})
    for item in children(d, node, "kinds"):
        spec = entries(d, item, allowed, "a kind")
        if "kind" not in spec:
            d.fault(item, "missing-field", "a kind wants its name: kind")
            continue
        name = d.named(spec["kind"])
        if name == "player":
            if "fields" in spec and isinstance(spec["fields"], Mapping):
                for key, (key_node, value) in spec["fields"].items.items():
                    d.named(key_node)
                    d.model.kinds["player"].fields[key] = field_of(d, key, value)
                    f = d.model.kinds["player"].fields[key]
                    f.settable = f.formula is None
            continue
        parent = d.word(spec.get("is"))
        depth[name] = depth.get(parent, 0) + 1
        if depth[name] > DEEPEST:  # told once: at the first
            if depth[name] == DEEPEST + 1:
                d.fault(spec["is"], "too-deep", f"kinds are sorts of one another more than {DEEPEST} deep here")
            continue
        above = d.model.kinds.get(parent)
        if parent and above is None:
            d.fault(
                spec["is"], "unknown-name", f'no kind is called "{parent}" before this', near_of(parent, d.model.kinds)
            )
        if name in d.model.kinds:
            d.fault(spec["kind"], "duplicate-name", f'the kind "{name}" is declared twice')
            continue
        kind = Kind(
            name, d.named(spec.get("plural")) or plural(name), parent if above else "", file=d.file, line=item.line
        )
        if above:
            for attribute in INHERITED:
                setattr(kind, attribute, getattr(above, attribute))
            kind.fields = dict(above.fields)
        kind.key = d.named(spec.get("key")) or kind.plural.lower()
        d.refer(spec.get("holds"), "kind")
        for attribute in ("deck", "hand", "discard", "taken", "played", "supply"):
            d.refer(spec.get(attribute), "zone")
        d.refer(spec.get("spread"), "spread")
        d.choice(spec.get("each"), ("player",), "each")
        for attribute in ("each", "spread", "deck", "hand", "discard", "taken", "played", "supply"):
            if attribute in spec:
                setattr(kind, attribute, d.word(spec[attribute]))
        if "holds" in spec:
            kind.holds = tuple(d.names(spec["holds"]))
        for attribute in ("card", "owned"):
            if attribute in spec:
                setattr(kind, attribute, d.flag(spec[attribute]))
        if "live" in spec:
            kind.live = d.text(spec["live"], name, "live")
        if "fields" in spec and isinstance(spec["fields"], Mapping):
            for key, (key_node, value) in spec["fields"].items.items():
                d.named(key_node)
                kind.fields[key] = field_of(d, key, value)
        d.model.kinds[name] = kind


def field_of(d: Declaring, name: str, node: Any) -> Field:
    """One field of a kind: its type alone, or a mapping with more."""
    if isinstance(node, Mapping):
        spec = entries(d, node, ("type", "default", "required", "note", "settable", "is"), f"field {name}")
        wanted = d.word(spec.get("type"), "number")
        out = Field(name, *type_of(wanted))
        if out.kind:
            d.refer(spec.get("type"), "type" if out.type == "thing" else "kind", out.kind)
        if "default" in spec:
            out.default = plain(spec["default"])
        out.required = "required" in spec and d.flag(spec["required"])
        out.settable = "settable" in spec and d.flag(spec["settable"])
        out.note = d.word(spec.get("note"))
        if "is" in spec:
            out.formula = d.text(spec["is"], name, "is")
            if out.type not in ("amount", "condition", "thing"):
                out.type = "amount"
        out.pack = d.pack
        return out
    made = Field(name, *type_of(d.word(node, "number")))
    if made.kind:
        d.refer(node, "type" if made.type == "thing" else "kind", made.kind)
    made.pack = d.pack
    return made


def type_of(wanted: str) -> tuple[str, str]:
    """`number`, `list of Sign`, `number for each Sign`, `Sign` → (type, kind)."""
    if wanted in FIELD_TYPES:
        return ("thing", "player") if wanted == "player" else (wanted, "")
    for prefix, sort in (("list of ", "list"), ("number for each ", "each")):
        if wanted.startswith(prefix):
            return sort, wanted[len(prefix) :]
    return "thing", wanted


def counters(d: Declaring, node: Any) -> None:
    """The counters: what they lie on, between which numbers, who sees them."""
    allowed = ("counter", "plural", "on", "most", "least", "start", "public", "shown", "next", "note")
    for item in children(d, node, "counters"):
        spec = entries(d, item, allowed, "a counter")
        name = d.new_name(item, spec, "counter", d.model.counters)
        if not name:
            continue
        on: list[str] = []
        each: dict[str, str] = {}
        value = plain(spec["on"]) if "on" in spec else ["player"]
        d.refer(spec.get("on"), "kind")
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, dict):
                for kind, index in entry.items():
                    on.append(kind)
                    each[kind] = index
            else:
                on.append(str(entry))
        counter = Counter(name, d.named(spec.get("plural")) or name, tuple(on), each, file=d.file, line=item.line)
        for attribute in ("most", "least", "start"):
            if attribute in spec:
                setattr(counter, attribute, d.whole(spec[attribute]))
        if "public" in spec:
            counter.public = d.flag(spec["public"])
        if "shown" in spec:
            counter.shown = d.flag(spec["shown"])
        d.model.counters[name] = counter
        if "next" in spec:
            counter.next = d.word(spec["next"])
            d.refer(spec["next"], "kind")
            d.model.counters[waiting(name)] = Counter(
                waiting(name),
                waiting(name),
                ("player",),
                {},
                counter.most,
                counter.least,
                waits=True,
                file=d.file,
                line=item.line,
            )


def waiting(counter: str) -> str:
    """The counter that holds what is spoken of as `the Strength of your next Action`."""
    return f"{counter} to come"


def zones(d: Declaring, node: Any) -> None:
    """The zones: whose they are, what they hold, who sees what lies there."""
    for item in children(d, node, "zones"):
        spec = entries(d, item, ("zone", "of", "holds", "deck", "seen by", "note"), "a zone")
        name = d.new_name(item, spec, "zone", d.model.zones)
        if not name:
            continue
        zone = Zone(name, d.word(spec.get("of")), file=d.file, line=item.line)
        d.refer(spec.get("of"), "kind")
        d.refer(spec.get("holds"), "kind")
        if "holds" in spec:
            zone.holds = tuple(d.names(spec["holds"]))
        zone.deck = "deck" in spec and d.flag(spec["deck"])
        zone.seen = d.word(spec.get("seen by")) or ("none" if zone.deck else "all")
        d.choice(spec.get("seen by"), ("all", "owner", "none"), "seen by")
        d.model.zones[name] = zone


def states(d: Declaring, node: Any) -> None:
    for item in children(d, node, "states"):
        spec = entries(d, item, ("state", "of", "is", "start", "note"), "a state")
        word, kind = d.small(spec.get("state"), "a state"), d.word(spec.get("of"), "thing")
        d.refer(spec.get("of"), "kind")
        source = d.text(spec["is"], word, "is") if "is" in spec else None
        state = StateWord(word, kind, source, start="start" in spec and d.flag(spec["start"]), pack=d.pack)
        d.model.states.setdefault(word, []).append(state)


def titles(d: Declaring, node: Any) -> None:
    for item in children(d, node, "titles"):
        spec = entries(d, item, ("title", "of", "note"), "a title")
        name = d.new_name(item, spec, "title", d.model.titles)
        if not name:
            continue
        d.refer(spec.get("of"), "kind")
        d.model.titles[name] = Title(name, d.word(spec.get("of")) or "player", file=d.file, line=item.line)


def called(d: Declaring, node: Any) -> None:
    for span_, value in entries(d, node, ("turn", "round"), "called").items():
        d.model.called[d.word(value)] = span_


def paths(d: Declaring, node: Any) -> None:
    for item in children(d, node, "paths"):
        spec = entries(d, item, ("path", "of", "spaces", "loop", "note"), "a path")
        spaces = tuple(d.names(spec["spaces"])) if "spaces" in spec else ()
        d.refer(spec.get("spaces"), "thing")
        d.refer(spec.get("path"), "thing")
        d.choice(spec.get("of"), ("each player", "all players"), "of")
        of = {"each player": "own", "all players": "player", "": ""}.get(d.word(spec.get("of")), "")
        d.model.paths.append(
            PathDecl(d.word(spec.get("path")), spaces, of, d.flag(spec["loop"]) if "loop" in spec else True)
        )


def relations(d: Declaring, node: Any) -> None:
    """Words such as `owns`, with the condition that says when they are so."""
    for item in children(d, node, "relations"):
        spec = entries(d, item, ("relation", "forms", "is", "of", "to", "note"), "a relation")
        d.small(spec.get("relation"), "a relation")
        forms = (
            [d.small(form, "a form of a relation") for form in children(d, spec["forms"], "forms")]
            if ("forms" in spec)
            else []
        )
        if "is" in spec:
            word = d.word(spec.get("relation"))
            source = d.text(spec["is"], word, "is")
            kinds_ = (d.word(spec.get("of")) or "thing", d.word(spec.get("to")) or "thing")
            for key in ("of", "to"):
                d.refer(spec.get(key), "kind")
            d.model.tables.setdefault("relation rules", {})[word] = (source, *kinds_)
        d.model.tables.setdefault("relation packs", {}).setdefault(d.word(spec.get("relation")), set()).add(d.pack)
        d.model.tables.setdefault("relations", []).append((d.word(spec.get("relation")), forms))
