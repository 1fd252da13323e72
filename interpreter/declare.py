"""declare: the read packs of a game → Model with kinds, counters, zones, records, texts and vocabulary; findings.

The first pack is the game; the others are packs it needs and mods. What each key of game.yaml means stands in
`DECLARERS`, one function a key.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from interpreter.diagnostics import Diagnostic
from interpreter.model import (
    Counter,
    Field,
    Kind,
    Model,
    PathDecl,
    PhraseBody,
    Record,
    Rule,
    Source,
    StateWord,
    Step,
    Title,
    Zone,
)
from interpreter.read import Mapping, Scalar, Sequence, text_findings
from interpreter.vocabulary import Hole, Name, Phrase, ValuePhrase, Vocabulary

PROSE = {"name", "title", "description", "note", "why", "flavour"}
RECORD_KEYS = PROSE | {"id", "from", "copies", "replaces", "plural"}
INHERITED = ("each", "holds", "spread", "card", "deck", "hand", "discard", "taken", "played", "supply", "owned", "live")
FIELD_TYPES = ("number", "text", "amount", "condition", "selection", "statement", "flag", "player", "prose",
               "numbers")


class Declaring:
    """What is gathered while packs are read: the model, the findings, the file at hand and the vocabulary of its pack."""

    def __init__(self) -> None:
        self.model = Model()
        self.findings: list[Diagnostic] = []
        self.file = ""
        self.pack = ""
        self.faction = ""
        self.pending: list[tuple[str, str, str, Mapping]] = []  # (file, pack, faction, record node) by key

    def fault(self, node: Any, code: str, message: str, suggestion: str | None = None, severity: str = "error") -> None:
        self.findings.append(
            Diagnostic(
                self.file, node.line, node.column, node.end_line, node.end_column, severity, code, message, suggestion
            )
        )

    def text(self, node: Any, record: str, name: str) -> Source | None:
        self.findings += text_findings(node, self.file)
        if not isinstance(node, Scalar) or node.value is None:
            return None
        return Source(node.text, self.file, record, name, node)

    def flag(self, node: Any) -> bool:
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.fault(node, "bad-value", "true or false is wanted here")
        return False

    def whole(self, node: Any) -> int:
        if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
            return node.value
        self.fault(node, "bad-value", "a number is wanted here")
        return 0

    def refer(self, node: Any, sort: str, name: str | None = None) -> None:
        """Remember that a declaration names a kind, zone or thing here; numbering looks whether there is one."""
        if isinstance(node, Scalar) and node.value is not None:
            self.model.tables.setdefault("references", []).append((self.file, node, name or node.text, sort))
        elif isinstance(node, Sequence):
            for item in node.items:
                self.refer(item, sort)
        elif isinstance(node, Mapping):
            for key_node, value in node.items.values():
                self.refer(key_node, sort)
                self.refer(value, sort)

    def word(self, node: Any, default: str = "") -> str:
        if isinstance(node, Scalar) and node.value is not None:
            return node.text
        if node is not None:
            self.fault(node, "bad-value", "a word or name is wanted here")
        return default


def declare(packs: list[Any]) -> tuple[Model, list[Diagnostic]]:
    """All packs, the game first → (model with declarations and records, not yet numbered; findings)."""
    d = Declaring()
    d.model.kinds["player"] = Kind("player", "players", key="", visible="all")
    for pack in packs:
        d.pack = pack.name
        for file in pack.files:
            if file.name == "game.yaml" and isinstance(file.root, Mapping):
                d.file = file.path
                run_table(d, file.root, DECLARERS, "game.yaml")
    for pack in packs:
        d.pack = pack.name
        for file in pack.files:
            if file.name in ("game.yaml", "rules.yaml", "mod.yaml") or file.name.startswith("scenarios/"):
                continue
            if isinstance(file.root, Mapping):
                d.file = file.path
                content_file(d, file.root)
    for pack in packs:
        file = pack.file("mod.yaml")
        if file is not None and isinstance(file.root, Mapping) and "removes" in file.root.items:
            d.file = file.path
            removes(d, file.root.items["removes"][1])
    names(d, packs)
    d.model.packs = list(packs)
    return d.model, d.findings


def run_table(d: Declaring, root: Mapping, table: dict[str, Callable[[Declaring, Any], None]], where: str) -> None:
    for key, (key_node, node) in root.items.items():
        action = table.get(key)
        if action is None:
            near = difflib.get_close_matches(key, table, 1)
            d.fault(key_node, "unknown-field", f'{where} has no key "{key}"', near[0] if near else None)
        else:
            action(d, node)


def children(d: Declaring, node: Any, what: str) -> list[Any]:
    if isinstance(node, Sequence):
        return list(node.items)
    d.fault(node, "bad-value", f"{what} wants a list")
    return []


def entries(d: Declaring, node: Any, allowed: tuple[str, ...], what: str) -> dict[str, Any]:
    """A mapping with only the allowed keys → key → node."""
    if not isinstance(node, Mapping):
        d.fault(node, "bad-value", f"{what} wants keys: {', '.join(allowed)}")
        return {}
    out = {}
    for key, (key_node, value) in node.items.items():
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            d.fault(key_node, "unknown-field", f'{what} has no key "{key}"', near[0] if near else None)
        else:
            out[key] = value
    return out


def plain(node: Any) -> Any:
    """A read node → plain Python values, without positions."""
    if isinstance(node, Mapping):
        return {key: plain(value) for key, (_, value) in node.items.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value


# ---------------------------------------------------------------- game.yaml, a function a key


def players(d: Declaring, node: Any) -> None:
    value = plain(node)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 10:
        d.model.least = d.model.most = value
    elif (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(n, int) for n in value)
        and 1 <= value[0] <= value[1] <= 10
    ):
        d.model.least, d.model.most = value
    else:
        d.fault(node, "bad-value", "players wants a number from 1 to 10, or [least, most]")
    d.model.seats = d.model.most


def options(d: Declaring, node: Any) -> None:
    if not isinstance(node, Mapping):
        d.fault(node, "bad-value", "options wants a mapping: name, then values and default")
        return
    for key, (_, value) in node.items.items():
        spec = entries(d, value, ("values", "default", "counter", "in scenarios", "note"), f"option {key}")
        values = tuple(plain(spec["values"])) if "values" in spec else (False, True)
        default = plain(spec["default"]) if "default" in spec else values[0]
        if default not in values:
            d.fault(value, "bad-value", f"the default of {key} is not among its values")
        d.model.options[key] = (values, default)
        if "in scenarios" in spec:
            d.model.tables.setdefault("scenario options", {})[key] = plain(spec["in scenarios"])
            if plain(spec["in scenarios"]) not in values:
                d.fault(spec["in scenarios"], "bad-value", f"this is not among the values of {key}")
        if "counter" in spec:
            d.model.tables.setdefault("option counters", {})[key] = d.word(spec["counter"])


def kinds(d: Declaring, node: Any) -> None:
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
    for item in children(d, node, "kinds"):
        spec = entries(d, item, allowed, "a kind")
        if "kind" not in spec:
            d.fault(item, "missing-field", "a kind wants its name: kind")
            continue
        name = d.word(spec["kind"])
        if name == "player":
            if "fields" in spec and isinstance(spec["fields"], Mapping):
                for key, (_, value) in spec["fields"].items.items():
                    d.model.kinds["player"].fields[key] = field_of(d, key, value)
                    f = d.model.kinds["player"].fields[key]
                    f.settable = f.formula is None
            continue
        parent = d.word(spec.get("is"))
        above = d.model.kinds.get(parent)
        if parent and above is None:
            d.fault(
                spec["is"], "unknown-name", f'no kind is called "{parent}" before this', near_of(parent, d.model.kinds)
            )
        if name in d.model.kinds:
            d.fault(spec["kind"], "duplicate-name", f'the kind "{name}" is declared twice')
            continue
        kind = Kind(
            name, d.word(spec.get("plural")) or plural(name), parent if above else "", file=d.file, line=item.line
        )
        if above:
            for attribute in INHERITED:
                setattr(kind, attribute, getattr(above, attribute))
            kind.fields = dict(above.fields)
        kind.key = d.word(spec.get("key")) or kind.plural.lower()
        d.refer(spec.get("holds"), "kind")
        for attribute in ("deck", "hand", "discard", "taken", "played", "supply"):
            d.refer(spec.get(attribute), "zone")
        for attribute in ("each", "spread", "deck", "hand", "discard", "taken", "played", "supply"):
            if attribute in spec:
                setattr(kind, attribute, d.word(spec[attribute]))
        if "holds" in spec:
            kind.holds = tuple(str(v) for v in plain(spec["holds"]))
        for attribute in ("card", "owned"):
            if attribute in spec:
                setattr(kind, attribute, d.flag(spec[attribute]))
        if "live" in spec:
            kind.live = d.text(spec["live"], name, "live")
        if "fields" in spec and isinstance(spec["fields"], Mapping):
            for key, (_, value) in spec["fields"].items.items():
                kind.fields[key] = field_of(d, key, value)
        d.model.kinds[name] = kind


def field_of(d: Declaring, name: str, node: Any) -> Field:
    if isinstance(node, Mapping):
        spec = entries(d, node, ("type", "default", "required", "note", "settable", "is"), f"field {name}")
        wanted = d.word(spec.get("type"), "number")
        out = Field(name, *type_of(wanted))
        if out.kind:
            d.refer(spec.get("type"), "kind", out.kind)
        if "default" in spec:
            out.default = plain(spec["default"])
        out.required = "required" in spec and d.flag(spec["required"])
        out.settable = "settable" in spec and d.flag(spec["settable"])
        out.note = d.word(spec.get("note"))
        if "is" in spec:
            out.formula = d.text(spec["is"], name, "is")
            if out.type not in ("amount", "condition", "thing"):
                out.type = "amount"
        return out
    made = Field(name, *type_of(d.word(node, "number")))
    if made.kind:
        d.refer(node, "kind", made.kind)
    return made


def type_of(wanted: str) -> tuple[str, str]:
    """`number`, `list of Suit`, `number for each Suit`, `Suit` → (type, kind)."""
    if wanted in FIELD_TYPES:
        return ("thing", "player") if wanted == "player" else (wanted, "")
    for prefix, sort in (("list of ", "list"), ("number for each ", "each")):
        if wanted.startswith(prefix):
            return sort, wanted[len(prefix) :]
    return "thing", wanted


def counters(d: Declaring, node: Any) -> None:
    allowed = ("counter", "plural", "on", "most", "least", "start", "public", "next", "note")
    for item in children(d, node, "counters"):
        spec = entries(d, item, allowed, "a counter")
        if "counter" not in spec:
            d.fault(item, "missing-field", "a counter wants its name: counter")
            continue
        name = d.word(spec["counter"])
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
        counter = Counter(name, d.word(spec.get("plural")) or name, tuple(on), each, file=d.file, line=item.line)
        for attribute in ("most", "least", "start"):
            if attribute in spec:
                setattr(counter, attribute, d.whole(spec[attribute]))
        if "public" in spec:
            counter.public = d.flag(spec["public"])
        d.model.counters[name] = counter
        if "next" in spec:
            counter.next = d.word(spec["next"])
            d.model.counters[waiting(name)] = Counter(
                waiting(name), waiting(name), ("player",), {}, counter.most, counter.least, waits=True, file=d.file, line=item.line
            )


def waiting(counter: str) -> str:
    """The counter that holds what is spoken of as `the Strength of your next Action`."""
    return f"{counter} to come"


def zones(d: Declaring, node: Any) -> None:
    for item in children(d, node, "zones"):
        spec = entries(d, item, ("zone", "of", "holds", "deck", "seen by", "note"), "a zone")
        if "zone" not in spec:
            d.fault(item, "missing-field", "a zone wants its name: zone")
            continue
        name = d.word(spec["zone"])
        zone = Zone(name, d.word(spec.get("of")), file=d.file, line=item.line)
        d.refer(spec.get("of"), "kind")
        d.refer(spec.get("holds"), "kind")
        if "holds" in spec:
            zone.holds = tuple(str(v) for v in plain(spec["holds"]))
        zone.deck = "deck" in spec and d.flag(spec["deck"])
        zone.seen = d.word(spec.get("seen by")) or ("none" if zone.deck else "all")
        if zone.seen not in ("all", "owner", "none"):
            d.fault(spec["seen by"], "bad-value", "seen by wants all, owner or none")
        d.model.zones[name] = zone


def states(d: Declaring, node: Any) -> None:
    for item in children(d, node, "states"):
        spec = entries(d, item, ("state", "of", "is", "start", "note"), "a state")
        word, kind = d.word(spec.get("state")), d.word(spec.get("of"), "thing")
        d.refer(spec.get("of"), "kind")
        source = d.text(spec["is"], word, "is") if "is" in spec else None
        state = StateWord(word, kind, source, start="start" in spec and d.flag(spec["start"]))
        d.model.states.setdefault(word, []).append(state)


def titles(d: Declaring, node: Any) -> None:
    for item in children(d, node, "titles"):
        spec = entries(d, item, ("title", "of", "note"), "a title")
        if "title" not in spec:
            d.fault(item, "missing-field", "a title wants its name: title")
            continue
        name = d.word(spec["title"])
        d.refer(spec.get("of"), "kind")
        d.model.titles[name] = Title(name, d.word(spec.get("of")) or "player", file=d.file, line=item.line)


def called(d: Declaring, node: Any) -> None:
    for span_, value in entries(d, node, ("turn", "round"), "called").items():
        d.model.called[d.word(value)] = span_


def paths(d: Declaring, node: Any) -> None:
    for item in children(d, node, "paths"):
        spec = entries(d, item, ("path", "of", "spaces", "loop", "note"), "a path")
        spaces = tuple(str(v) for v in plain(spec["spaces"])) if "spaces" in spec else ()
        d.refer(spec.get("spaces"), "thing")
        d.refer(spec.get("path"), "thing")
        of = {"each player": "own", "all players": "player", "": ""}.get(d.word(spec.get("of")), "")
        d.model.paths.append(
            PathDecl(d.word(spec.get("path")), spaces, of, d.flag(spec["loop"]) if "loop" in spec else True)
        )


def steps_of(d: Declaring, node: Any, key: str) -> list[Step]:
    out = []
    for item in children(d, node, key):
        spec = entries(d, item, ("step", "phase", "text", "turns", "prompt", "note"), "a step")
        name = d.word(spec.get("step") or spec.get("phase"))
        if not name:
            d.fault(item, "missing-field", "a step wants its name: step")
            continue
        step = Step(name, d.text(spec["text"], name, "text") if "text" in spec else None)
        if step.source is not None and "prompt" in spec:
            step.source.prompt = d.word(spec["prompt"])
        if "turns" in spec:
            step.each = True
            step.steps = steps_of(d, spec["turns"], "turns")
        out.append(step)
    return out


def setup(d: Declaring, node: Any) -> None:
    if isinstance(node, Sequence):
        d.model.setup = steps_of(d, node, "setup")
    else:
        d.model.setup = [Step("Setup", d.text(node, "Setup", "setup"))]


def turn(d: Declaring, node: Any) -> None:
    d.model.turn = steps_of(d, node, "turn")


def round_(d: Declaring, node: Any) -> None:
    d.model.round = steps_of(d, node, "round")


def scores(d: Declaring, node: Any) -> None:
    for item in children(d, node, "scores"):
        spec = entries(d, item, ("score", "is", "note"), "a score")
        source = d.text(spec["is"], d.word(spec.get("score")), "is") if "is" in spec else None
        if source:
            d.model.scores.append((d.word(spec.get("score")), source))


def ties(d: Declaring, node: Any) -> None:
    for item in children(d, node, "ties"):
        source = d.text(item, "ties", "ties")
        if source:
            d.model.ties.append(source)


def returns(d: Declaring, node: Any) -> None:
    d.model.returns = d.text(node, "returns", "returns")


def limits(d: Declaring, node: Any) -> None:
    spec = entries(d, node, ("sentences",), "limits")
    if "sentences" in spec:
        d.model.limit = int(plain(spec["sentences"]))


def phrases(d: Declaring, node: Any) -> None:
    for item in children(d, node, "phrases"):
        spec = entries(d, item, ("phrase", "text", "event", "forms", "by", "label", "note", "from"), "a phrase")
        if "phrase" not in spec or "text" not in spec:
            d.fault(item, "missing-field", "a phrase wants phrase and text")
            continue
        pattern = d.word(spec["phrase"])
        parts = parts_of(d, spec["phrase"], pattern)
        ident = pattern_ident(parts)
        if not parts or isinstance(parts[0], Hole):
            d.fault(spec["phrase"], "phrase-hole", "a phrase begins with a word of its own")
            continue
        if ident in d.model.phrases:
            d.fault(
                spec["phrase"],
                "phrase-clash",
                f'the phrase "{pattern}" stands twice; the other is in {d.model.phrases[ident].source.file}',
            )
            continue
        given = plain(spec["forms"]) if "forms" in spec else None
        forms = tuple(str(f) for f in given) if isinstance(given, list) and len(given) == 4 else forms_of(parts[0])
        source = d.text(spec["text"], pattern, "text")
        if source is None:
            continue
        body = PhraseBody(ident, source, labels=d.word(spec.get("label")), faction=d.faction, pack=d.pack)
        if isinstance(spec.get("event"), Mapping):
            for key, (_, value) in spec["event"].items.items():
                part = d.text(value, pattern, key)
                if part:
                    body.event[key] = part
        d.model.phrases[ident] = body
        d.model.tables.setdefault("phrase heads", []).append(
            (d.pack, Phrase(ident, parts, forms, d.word(spec.get("by")) or "player", d.file, item.line))  # type: ignore[arg-type]
        )


def values(d: Declaring, node: Any) -> None:
    for item in children(d, node, "values"):
        spec = entries(d, item, ("value", "phrase", "is", "gives", "note", "from"), "a value")
        head = spec.get("value") or spec.get("phrase")
        if head is None or "is" not in spec:
            d.fault(item, "missing-field", "a value wants value and is")
            continue
        pattern = d.word(head)
        parts = parts_of(d, head, pattern)
        ident = pattern_ident(parts)
        if ident in d.model.values:
            d.fault(
                head,
                "phrase-clash",
                f'the value "{pattern}" stands twice; the other is in {d.model.values[ident].source.file}',
            )
            continue
        gives = d.word(spec.get("gives")) or "number"
        many = gives.startswith("list of ")
        source = d.text(spec["is"], pattern, "is")
        if source is None:
            continue
        d.model.values[ident] = PhraseBody(ident, source, faction=d.faction, pack=d.pack)
        d.model.tables.setdefault("value heads", []).append(
            (d.pack, ValuePhrase(ident, parts, gives.removeprefix("list of "), many, d.file, item.line))
        )


def rules(d: Declaring, node: Any) -> None:
    for item in children(d, node, "rules"):
        spec = entries(d, item, ("text", "name", "note", "from"), "a rule")
        name = d.word(spec.get("name")) or "rule"
        source = d.text(spec["text"], name, "text") if "text" in spec else None
        if source:
            d.model.rules.append(Rule(source, d.faction, name))


def relations(d: Declaring, node: Any) -> None:
    for item in children(d, node, "relations"):
        spec = entries(d, item, ("relation", "forms", "is", "of", "to", "note"), "a relation")
        if "is" in spec:
            word = d.word(spec.get("relation"))
            source = d.text(spec["is"], word, "is")
            kinds_ = (d.word(spec.get("of")) or "thing", d.word(spec.get("to")) or "thing")
            for key in ("of", "to"):
                d.refer(spec.get(key), "kind")
            d.model.tables.setdefault("relation rules", {})[word] = (source, *kinds_)
        d.model.tables.setdefault("relations", []).append(
            (d.word(spec.get("relation")), plain(spec["forms"]) if "forms" in spec else [])
        )


def simple(attribute: str) -> Callable[[Declaring, Any], None]:
    def take(d: Declaring, node: Any) -> None:
        setattr(d.model, attribute, d.word(node))

    return take


def language(d: Declaring, node: Any) -> None:
    if plain(node) != 1:
        d.fault(node, "bad-value", "this program reads language: 1")


def ignore(d: Declaring, node: Any) -> None:
    return None


DECLARERS: dict[str, Callable[[Declaring, Any], None]] = {
    "language": language,
    "name": simple("title"),
    "version": simple("version"),
    "description": ignore,
    "note": ignore,
    "needs": ignore,
    "players": players,
    "factions": simple("faction_kind"),
    "options": options,
    "kinds": kinds,
    "counters": counters,
    "zones": zones,
    "states": states,
    "titles": titles,
    "called": called,
    "paths": paths,
    "relations": relations,
    "setup": setup,
    "turn": turn,
    "round": round_,
    "scores": scores,
    "ties": ties,
    "returns": returns,
    "limits": limits,
    "phrases": phrases,
    "values": values,
    "rules": rules,
}
# What a content file (or a mod's) may hold beside lists of records.
CONTENT = {
    key: DECLARERS[key]
    for key in ("kinds", "counters", "zones", "states", "titles", "paths", "relations", "phrases", "values", "rules")
}


# ---------------------------------------------------------------- content files


def content_file(d: Declaring, root: Mapping) -> None:
    by_key: dict[str, Kind] = {}
    for kind in d.model.kinds.values():
        by_key[kind.key] = kind
    singular = {kind.name.lower(): kind for kind in d.model.kinds.values()}
    d.faction = ""
    for key, (_, node) in root.items.items():
        kind = singular.get(key)
        if kind and kind.name == d.model.faction_kind and isinstance(node, Mapping):
            record(d, kind, node)
            d.faction = slug(d.word(node.items["name"][1])) if "name" in node.items else ""
            if "id" in node.items:
                d.faction = d.word(node.items["id"][1])
    for key in ("kinds", "counters", "zones"):
        if key in root.items:
            CONTENT[key](d, root.items[key][1])
    by_key = {kind.key: kind for kind in d.model.kinds.values()}
    for key, (key_node, node) in root.items.items():
        if key in ("kinds", "counters", "zones"):
            continue
        if key in CONTENT:
            CONTENT[key](d, node)
        elif key in by_key:
            for item in children(d, node, key):
                record(d, by_key[key], item)
        elif (key in singular and singular[key].name == d.model.faction_kind) or key in PROSE:
            continue
        else:
            near = difflib.get_close_matches(key, [*CONTENT, *by_key], 1)
            d.fault(
                key_node,
                "unknown-field",
                f'no kind of this game has its records under "{key}"',
                near[0] if near else None,
            )
    d.faction = ""


def record(d: Declaring, kind: Kind, node: Any) -> None:
    if not isinstance(node, Mapping):
        d.fault(node, "bad-value", f"a {kind.name} is a mapping of fields")
        return
    if "name" not in node.items:
        d.fault(node, "missing-field", f"a {kind.name} wants a name")
        return
    name = d.word(node.items["name"][1])
    ident = d.word(node.items["id"][1]) if "id" in node.items else slug(name)
    out = Record(ident, name, kind.name, faction=d.faction, pack=d.pack, file=d.file, line=node.line, node=node)
    by_key = {f.name.lower(): f for f in kind.fields.values()}
    for key, (key_node, value) in node.items.items():
        if key == "copies":
            number = plain(value)
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= 1000:
                d.fault(value, "bad-value", "copies wants a number from 0 to 1000")
                number = 1
            out.copies = number
        elif key == "from":
            out.origin = d.word(value)
            if out.origin not in ("rulebook", "public", "original"):
                d.fault(value, "bad-value", "from wants rulebook, public or original")
        elif key in by_key:
            read_field(d, out, by_key[key], value)
        elif key not in RECORD_KEYS:
            near = difflib.get_close_matches(key, [*by_key, *RECORD_KEYS], 1)
            d.fault(key_node, "unknown-field", f'a {kind.name} has no field "{key}"', near[0] if near else None)
    for f in kind.fields.values():
        if f.required and f.name not in out.values and f.name not in out.texts:
            d.fault(node, "missing-field", f'{name} wants the field "{f.name.lower()}"')
    if "replaces" in node.items:
        replaces(d, node, out)
        return
    if ident in d.model.records:
        other = d.model.records[ident]
        d.fault(node.items["name"][1], "duplicate-name", f'"{name}" stands already in {other.file}:{other.line}')
        return
    d.model.records[ident] = out
    if kind.name == d.model.faction_kind:
        d.model.factions = (*d.model.factions, ident)


def replaces(d: Declaring, node: Mapping, out: Record) -> None:
    """A mod's record in the place of another; two mods that replace one record are an error naming both."""
    where = node.items["replaces"][1]
    old = d.model.records.get(d.word(where))
    taken = d.model.tables.setdefault("replaced", {})
    if old is None:
        d.fault(where, "unknown-name", f'no record has the id "{d.word(where)}"', near_of(d.word(where), d.model.records))
    elif old.ident in taken:
        d.fault(where, "duplicate-name", f'"{old.name}" is replaced twice; the other is in {taken[old.ident]}')
    else:
        taken[old.ident] = f"{d.file}:{node.line}"
        out.ident = old.ident
        out.faction = out.faction or old.faction
        d.model.records[old.ident] = out


def removes(d: Declaring, node: Any) -> None:
    """`removes: [id]` of a mod.yaml."""
    for item in children(d, node, "removes"):
        ident = d.word(item)
        if ident not in d.model.records:
            d.fault(item, "unknown-name", f'no record has the id "{ident}"', near_of(ident, d.model.records))
        else:
            del d.model.records[ident]
            d.model.factions = tuple(f for f in d.model.factions if f != ident)


def read_field(d: Declaring, out: Record, f: Field, node: Any) -> None:
    if f.type in ("text", "amount", "condition", "selection", "statement"):
        source = d.text(node, out.ident, f.name)
        if source:
            out.texts[f.name] = source
        return
    value = plain(node)
    wanted: dict[str, Callable[[Any], bool]] = {
        "number": lambda v: isinstance(v, int) and not isinstance(v, bool),
        "flag": lambda v: isinstance(v, bool),
        "thing": lambda v: isinstance(v, str),
        "list": lambda v: isinstance(v, list) and all(isinstance(item, (str, int)) for item in v),
        "each": lambda v: isinstance(v, dict) and all(isinstance(n, int) for n in v.values()),
        "prose": lambda v: isinstance(v, (str, int)),
        "numbers": lambda v: isinstance(v, list) and all(isinstance(n, int) and abs(n) < 1000 for n in v),
    }
    if not wanted[f.type](value):
        meant = {
            "thing": f"the name of a {f.kind}",
            "list": f"a list of {f.kind}",
            "each": f"a number for each {f.kind}",
        }
        d.fault(node, "bad-value", f"{f.name.lower()} wants {meant.get(f.type, 'a ' + f.type)}")
        return
    out.values[f.name] = value


# ---------------------------------------------------------------- words


def names(d: Declaring, packs: list[Any]) -> None:
    """Fill the vocabulary of each pack: its own names and those of the packs before it that it may use."""
    model = d.model
    shared = Vocabulary()

    def add(one: str, many: str = "") -> None:
        if one:
            shared.names.setdefault(one, Name(one))
            if many and many != one:
                shared.names.setdefault(many, Name(one, True))

    for kind in model.kinds.values():
        if kind.name != "player":
            add(kind.name, kind.plural)
    for kind in model.kinds.values():
        for f in kind.fields.values():
            if f.name[:1].isupper():
                add(f.name, plural(f.name))
                if f.type in ("number", "amount"):
                    shared.measures.add(f.name)
    for counter in model.counters.values():
        if not counter.waits:
            add(counter.name, counter.plural)
    for zone in model.zones.values():
        add(zone.name, plural(zone.name))
    for steps in (model.setup, model.turn, model.round):
        for step in steps:
            add(step.name)
            for inner in step.steps:
                add(inner.name)
    for record_ in model.records.values():
        add(record_.name, plural(record_.name) if record_.copies > 1 or model.kinds[record_.kind].each else "")
    for path in model.paths:
        add(path.record)
    for name in (*model.titles, *model.called):
        add(name, plural(name))
    for zone in model.zones.values():
        if " " in zone.name:
            add(zone.name.split()[-1])          # `its Deck`: the one of its kind
    for word in model.states:
        shared.states[word] = word
    for word, forms in model.tables.get("relations", []):
        for form in [word, *forms]:
            shared.relations[form] = word
    shared.phrases = [phrase for _, phrase in model.tables.get("phrase heads", [])]
    shared.values = [value for _, value in model.tables.get("value heads", [])]
    for pack in packs:
        model.vocabularies[pack.name] = shared


def parts_of(d: Declaring, node: Any, pattern: str) -> tuple[str | Hole, ...]:
    """`invest {number amount} on {thing target}` → ("invest", Hole, "on", Hole)."""
    parts: list[str | Hole] = []
    rest = pattern.strip()
    while rest:
        if rest.startswith("{"):
            inside, closed, rest = rest[1:].partition("}")
            words = inside.split()
            if not closed or len(words) < 2:
                d.fault(node, "phrase-hole", "a hole is written {kind name}, as in {number amount}")
                return ()
            kind = " ".join(words[:-1])
            single = next((k.name for k in d.model.kinds.values() if k.plural == kind), "")
            many = bool(single) and kind not in d.model.kinds
            if kind in ("players", "things", "cards"):
                single, many = kind[:-1], True
            parts.append(Hole(single if many else kind, words[-1], many))
            rest = rest.lstrip()
        else:
            word, _, rest = rest.partition(" ")
            if "{" in word:
                d.fault(node, "phrase-hole", "put a space before the hole")
                return ()
            parts.append(word)
            rest = rest.lstrip()
    return tuple(parts)


def pattern_ident(parts: tuple[str | Hole, ...]) -> str:
    return " ".join("_" if isinstance(p, Hole) else p for p in parts)


def forms_of(verb: str) -> tuple[str, str, str, str]:
    """Regular forms: use, uses, used, used."""
    third = verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        third = verb[:-1] + "ies"
        past = verb[:-1] + "ied"
    elif verb.endswith("e"):
        past = verb + "d"
    else:
        past = verb + "ed"
    return verb, third, past, past


def plural(name: str) -> str:
    """The regular plural of the last word; `X of Y` pluralises X."""
    head, of, tail = name.partition(" of ")
    if head.endswith(("s", "sh", "ch", "x", "z")):
        out = head + "es"
    elif head.endswith("y") and head[-2:-1].lower() not in "aeiou":
        out = head[:-1] + "ies"
    else:
        out = head + "s"
    return out + of + tail


def slug(name: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in name.lower().replace("'", ""))
    return "-".join(part for part in kept.split("-") if part)


def near_of(word: str, known: Any) -> str | None:
    found = difflib.get_close_matches(word, list(known), 1)
    return found[0] if found else None
