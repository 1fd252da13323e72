"""declare: the read packs of a game → Model with kinds, counters, zones, records, texts and vocabulary; findings.

The first pack is the game; the others are packs it needs and mods. What each key of game.yaml means stands in
`DECLARERS`, one function a key.
"""

from __future__ import annotations

from interpreter.declare.gathering import FIELD_TYPES, INHERITED, PROSE, near_of
from interpreter.declare.kinds import waiting
from interpreter.declare.packs import declare
from interpreter.declare.records import DECLARERS
from interpreter.declare.references import CORE_KINDS
from interpreter.declare.spelling import forms_of, plural
from interpreter.declare.spoken import needed

__all__ = [
    "CORE_KINDS",
    "DECLARERS",
    "FIELD_TYPES",
    "INHERITED",
    "PROSE",
    "declare",
    "forms_of",
    "near_of",
    "needed",
    "plural",
    "waiting",
]
