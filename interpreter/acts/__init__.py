"""acts: one verb with its roles → code. ACTS is the table of core verbs; phrases go through `perform_phrase`.

A verb evaluates its arguments once, before the mutation; a mutation announces its event only where some trigger listens,
and is proposed first where some replacement may answer it.
"""

from __future__ import annotations

from interpreter.acts.cards import with_top
from interpreter.acts.doing import ACTS, act, may
from interpreter.acts.giving import supply_of
from interpreter.acts.placing import from_supply

__all__ = ["ACTS", "act", "may", "with_top", "from_supply", "supply_of"]
