"""packs: the read packs of a game → Model with declarations, records and vocabulary; findings.

In: packs, the game first. Out: Model, findings.
"""

from __future__ import annotations

from typing import Any

from interpreter.declare.gathering import Declaring, run_table
from interpreter.declare.grids import lay_grids
from interpreter.declare.records import DECLARERS, content_file, removes
from interpreter.declare.references import references
from interpreter.declare.spelling import plural
from interpreter.diagnostics import Diagnostic
from interpreter.model import (
    Kind,
    Model,
)
from interpreter.read import Mapping
from interpreter.vocabulary import Name, Vocabulary


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
    lay_grids(d)
    references(d)
    names(d, packs)
    d.model.packs = list(packs)
    return d.model, d.findings


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
            add(zone.name.split()[-1])  # `its Deck`: the one of its kind
    others = [name for group in (model.zones, model.counters, model.titles) for name in group]
    others += [f.name for kind in model.kinds.values() for f in kind.fields.values()]
    others += [record_.name for record_ in model.records.values()]
    shared.zones = {zone.name: bool(zone.of) for zone in model.zones.values() if zone.name not in model.kinds}
    shared.spread = shared.measures - set(model.kinds["player"].fields)
    shared.kinds = {kind.name for kind in model.kinds.values() if kind.plural != kind.name} - set(others)
    for word in model.states:
        shared.states[word] = word
    for word, forms in model.tables.get("relations", []):
        for form in [word, *forms]:
            shared.relations[form] = word
    shared.phrases = [phrase for _, phrase in model.tables.get("phrase heads", [])]
    shared.values = [value for _, value in model.tables.get("value heads", [])]
    for pack in packs:
        model.vocabularies[pack.name] = shared
