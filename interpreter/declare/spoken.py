"""spoken: which packs the texts of each pack may speak of, and the vocabulary that each so has.

In: packs, the game first, and the model that they declare. Out: Model.vocabularies, by pack; "" is that of all packs
together, for what is written at the table (scenarios, `try`).
"""

from __future__ import annotations

from typing import Any

from interpreter.declare.spelling import plural
from interpreter.model import Model
from interpreter.read import Mapping, Sequence, plain
from interpreter.vocabulary import Name, Vocabulary


def needed(pack: Any) -> list[str]:
    """The packs that a game or mod says it needs."""
    out: list[str] = []
    for name in ("game.yaml", "mod.yaml"):
        file = pack.file(name)
        if file is not None and isinstance(file.root, Mapping):
            node = file.root.get("needs")
            if isinstance(node, Sequence):
                out += [str(v).split()[0] for v in plain(node)]
    return out


def sight(packs: list[Any]) -> dict[str, set[str]]:
    """Pack → the packs whose names and phrases its texts may use: its own, those it needs, the game that it extends."""
    needs = {pack.name: needed(pack) for pack in packs}

    def reached(names: list[str]) -> set[str]:
        found, queue = set[str](), list(names)
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue += needs.get(name, [])
        return found

    out = {}
    for pack in packs:
        extends = [packs[0].name] if pack.file("mod.yaml") is not None else []
        out[pack.name] = reached([pack.name, *extends])
    return out


def apart(sees: dict[str, set[str]], one: str, other: str) -> bool:
    """Whether neither pack's texts may speak of what the other declares."""
    return other not in sees.get(one, {one, other}) and one not in sees.get(other, {one, other})


def names(model: Model, packs: list[Any], sees: dict[str, set[str]]) -> None:
    """Fill the vocabulary of each pack."""
    packed = {file.path: pack.name for pack in packs for file in pack.files}
    every = {pack.name for pack in packs}
    whole = spoken(model, packs[0].name, every, packed)
    for pack in packs:
        mine = sees[pack.name]
        model.vocabularies[pack.name] = whole if mine >= every else spoken(model, packs[0].name, mine, packed)
    model.vocabularies[""] = whole


def spoken(model: Model, game: str, mine: set[str], packed: dict[str, str]) -> Vocabulary:
    """What can be said by whoever may speak of these packs. packed: the path of a file → its pack."""
    shared = Vocabulary()

    def add(one: str, many: str = "") -> None:
        if one:
            shared.names.setdefault(one, Name(one))
            if many and many != one:
                shared.names.setdefault(many, Name(one, True))

    def said(some: Any) -> list[Any]:
        return [one for one in some if packed.get(one.file, game) in mine]

    kinds = said(model.kinds.values())
    counters, zones, titles = (said(s.values()) for s in (model.counters, model.zones, model.titles))
    own = [[f for f in kind.fields.values() if not f.pack or f.pack in mine] for kind in kinds]
    before = model.tables.get("stood in", {})  # what a mod has replaced is still spoken of where it stood
    records = [r for r in model.records.values() if r.pack in mine or before.get(r.ident) in mine]
    for kind in kinds:
        if kind.name != "player":
            add(kind.name, kind.plural)
    for fields in own:
        for f in fields:
            if f.name[:1].isupper():
                add(f.name, plural(f.name))
                if f.type in ("number", "amount"):
                    shared.measures.add(f.name)
    for counter in counters:
        if not counter.waits:
            add(counter.name, counter.plural)
    for zone in zones:
        add(zone.name, plural(zone.name))
    if game in mine:
        for steps in (model.setup, model.turn, model.round):
            for step in steps:
                add(step.name)
                for inner in step.steps:
                    add(inner.name)
    for record in records:
        add(record.name, plural(record.name) if record.copies > 1 or model.kinds[record.kind].each else "")
    called = {record.name for record in records}
    foreign = {record.name for record in model.records.values()} - called
    for path in model.paths:
        if path.record not in foreign:
            add(path.record)
    for name in (*(title.name for title in titles), *(model.called if game in mine else ())):
        add(name, plural(name))
    for zone in zones:
        if " " in zone.name:
            add(zone.name.split()[-1])  # `its Deck`: the one of its kind
    others = [one.name for group in (zones, counters, titles) for one in group]
    others += [f.name for fields in own for f in fields]
    others += [record.name for record in records]
    shared.zones = {zone.name: bool(zone.of) for zone in zones if zone.name not in model.kinds}
    shared.spread = shared.measures - set(model.kinds["player"].fields)
    shared.kinds = {kind.name for kind in kinds if kind.plural != kind.name} - set(others)
    for word, states in model.states.items():
        if any(not state.pack or state.pack in mine for state in states):
            shared.states[word] = word
    relations = model.tables.get("relation packs", {})
    for word, forms in model.tables.get("relations", []):
        if relations.get(word, mine) & mine:
            for form in [word, *forms]:
                shared.relations[form] = word
    shared.phrases = once(model.tables.get("phrase heads", []), mine)
    shared.values = once(model.tables.get("value heads", []), mine)
    return shared


def once(heads: list[tuple[str, Any]], mine: set[str]) -> list[Any]:
    """The phrases of these packs. Where packs that know nothing of each other say the same words, the first of them."""
    found: dict[tuple[str, ...], Any] = {}
    for pack, head in heads:
        if pack in mine:
            found.setdefault(tuple(p if isinstance(p, str) else "_" for p in head.parts), head)
    return list(found.values())
