"""rules: triggers, replacements and continuous effects of a text → Listeners and Modifiers of the builder.

An event has a key (`do:` and a phrase, `gain:` and a counter, `enter`, `start:` and a step, …) and arguments in an order
that KEYS_ARGS states. A listener's match is bound twice: over a0, a1, … where the event happens, and over the routine's
own variables where its body speaks of the participants.
"""

from __future__ import annotations

from interpreter.rules.keys import (
    CONTESTS,
    KEY_ARGS,
    PROPOSED,
    TOLD,
    Owner,
    arg_type,
    arguments_of,
    event_key,
    moment_key,
    moment_keys,
    proposed_count,
    without_span,
)
from interpreter.rules.matching import match, split
from interpreter.rules.statics import boundary_code, circles, duration_name, modified_names, static_for_a_time
from interpreter.rules.triggers import bind_rule, forbid, is_rule, rule_in_play

__all__ = [
    "CONTESTS",
    "KEY_ARGS",
    "Owner",
    "PROPOSED",
    "TOLD",
    "arg_type",
    "arguments_of",
    "bind_rule",
    "boundary_code",
    "circles",
    "duration_name",
    "event_key",
    "forbid",
    "is_rule",
    "match",
    "modified_names",
    "moment_key",
    "moment_keys",
    "proposed_count",
    "rule_in_play",
    "split",
    "static_for_a_time",
    "without_span",
]
