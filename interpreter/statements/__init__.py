"""statements: statement trees → structured code (bound.Stm) appended to the scope's `out`.

`bind_text` is the entry; STATEMENTS the table by node type. Verbs stand in acts.py, rules (when, while, instead) in rules.py.
"""

from __future__ import annotations

from interpreter.statements.branches import speaks_of
from interpreter.statements.choosing import ask_one, candidates, choose, each_of, is_choice, name_what_it_has, target
from interpreter.statements.options import replaced
from interpreter.statements.sentences import bind_text, collect, statement, where, words
from interpreter.statements.table import grant_of, grants_more

__all__ = [
    "ask_one",
    "bind_text",
    "candidates",
    "choose",
    "collect",
    "each_of",
    "grant_of",
    "grants_more",
    "is_choice",
    "name_what_it_has",
    "replaced",
    "speaks_of",
    "statement",
    "target",
    "where",
    "words",
]
