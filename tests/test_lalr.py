"""lalr: the table of the language is the one that Lark makes by itself; what is read in two ways is told in Lark's words."""

from __future__ import annotations

from typing import Any

import pytest
from lark import Lark
from lark.lexer import Lexer

from interpreter.grammar import STARTS, inject
from interpreter.lalr import analysed
from interpreter.shapes import read_source, shapes_of
from interpreter.vocabulary import Vocabulary


class NoLexer(Lexer):
    def __init__(self, conf: Any) -> None: ...

    def lex(self, *_: Any) -> Any:
        raise NotImplementedError


def test_the_table_is_that_of_lark() -> None:
    source = read_source()
    grammar = inject(source, shapes_of(Vocabulary(), source))
    options: dict[str, Any] = {"parser": "lalr", "lexer": NoLexer, "strict": True, "start": list(STARTS)}
    lark = Lark(grammar, maybe_placeholders=False, **options)
    table: Any = lark.parser.parser._parse_table  # type: ignore[attr-defined]
    rules, terminals, rows, starts = analysed(grammar, list(STARTS))

    # A terminal may be kept in one place and dropped in another; == does not see it.
    assert [(r, [repr(s.fullrepr) for s in r.expansion], r.alias, r.options.expand1) for r in rules] == [
        (r, [repr(s.fullrepr) for s in r.expansion], r.alias, r.options.expand1) for r in lark.rules
    ]
    assert sorted(map(repr, terminals)) == sorted(map(repr, lark.terminals))
    # States have no names: those that are reached in the same way are the same.
    same: dict[int, int] = {}
    todo = [(first, table.start_states[start]) for start, (first, _) in starts.items()]
    while todo:
        mine, other = todo.pop()
        if mine in same:
            assert same[mine] == other
            continue
        same[mine] = other
        assert rows[mine].keys() == table.states[other].keys()
        for symbol, code in rows[mine].items():
            action, to = table.states[other][symbol]
            assert (code >= 0) == (action.name == "Shift")
            if code >= 0:
                todo.append((code, to))
            else:
                assert rules[~code] == to
    assert len(same) == len(set(same.values())) == len(rows) == len(table.states)
    assert {start: same[last] for start, (_, last) in starts.items()} == table.end_states


@pytest.mark.parametrize(
    ("grammar", "told"),
    [
        ("text: left | right\nleft: A\nright: A\n%declare A\n", "Reduce/Reduce collision in Terminal('$END') between"),
        ("text: A text | text A text | A\n%declare A\n", "Shift/Reduce conflict for terminal A"),
        ("text: missing\n", "Rule 'missing' used but not defined"),
        ('text: "unclosed\n', "Unexpected input at line 1 column 7"),
    ],
)
def test_what_is_no_lalr_grammar_is_told(grammar: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:
        analysed(grammar, ["text"])
    assert str(caught.value).startswith(told)
