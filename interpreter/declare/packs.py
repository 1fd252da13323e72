"""packs: the read packs of a game → Model with declarations, records and vocabulary; findings.

In: packs, the game first. Out: Model, findings.
"""

from __future__ import annotations

from typing import Any

from interpreter.declare.gathering import Declaring, EnoughError, run_table
from interpreter.declare.grids import lay_grids
from interpreter.declare.records import DECLARERS, content_file, removes
from interpreter.declare.references import references
from interpreter.declare.spoken import names, sight
from interpreter.diagnostics import Diagnostic
from interpreter.model import (
    Kind,
    Model,
)
from interpreter.read import Mapping


def declare(packs: list[Any]) -> tuple[Model, list[Diagnostic]]:
    """All packs, the game first → (model with declarations and records, not yet numbered; findings)."""
    d = Declaring()
    d.sees = sight(packs)
    d.model.kinds["player"] = Kind("player", "players", key="", visible="all")
    try:
        gather(d, packs)
    except EnoughError:
        pass
    d.model.packs = list(packs)
    return d.model, d.findings


def gather(d: Declaring, packs: list[Any]) -> None:
    """Everything that the packs declare, then their vocabulary."""
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
    names(d.model, packs, d.sees)
    d.model.tables["sees"] = d.sees
