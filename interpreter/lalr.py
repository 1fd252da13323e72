"""lalr: in, a grammar; out, its rules, its terminals, and the table that Lark makes of them, proved to be LALR(1).

Lark compares symbols and rules by what they say, some millions of times for one grammar. Here there is one object for
each, and whether two are the same one is asked for nothing: Lark's own analysis then takes a third of its time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark.common import ParserConf
from lark.exceptions import GrammarError
from lark.grammar import NonTerminal, Rule, Symbol, Terminal
from lark.lexer import TerminalDef
from lark.load_grammar import load_grammar
from lark.parsers.lalr_analysis import LALR_Analyzer, Shift


class OneTerminal(Terminal):
    """Lark's messages show the name of this class, and grammar reads them."""

    __slots__ = ()
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__


class OneNonTerminal(NonTerminal):
    __slots__ = ()
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__


class OneRule(Rule):
    __slots__ = ()
    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__


Rows = list[dict[str, int]]
Starts = dict[str, tuple[int, int]]


def analysed(grammar: str, starts: list[str]) -> tuple[list[Rule], list[TerminalDef], Rows, Starts]:
    """(rules, terminals, rows, first and last state of each start), the rows as in grammar.Table. ValueError if the grammar
    cannot be read, or is not LALR(1): no conflict is resolved silently."""
    try:
        read, _ = load_grammar(grammar, "<string>", [], False)
        terminals, rules, _ = read.compile(starts, set())
        unique = ones(rules, starts)
        analysis = LALR_Analyzer(ParserConf(unique, {}, starts), strict=True)
        analysis.compute_lalr()
    except GrammarError as error:
        raise ValueError(str(error).strip().split("\n\n")[0]) from error
    made: Any = analysis.parse_table
    place = {rule: i for i, rule in enumerate(unique)}
    order = {state: i for i, state in enumerate(made.states)}
    rows = [
        {str(symbol): order[arg] if action is Shift else ~place[arg] for symbol, (action, arg) in row.items()}
        for row in made.states.values()
    ]
    return rules, terminals, rows, {s: (order[made.start_states[s]], order[made.end_states[s]]) for s in starts}


def ones(rules: Iterable[Rule], starts: Iterable[str]) -> list[Rule]:
    """These rules, of symbols of which there is one each. Where the tree drops one of two terminals that are called the
    same is not kept. Starts stay as they are, for Lark makes them once more."""
    made: dict[Symbol, Symbol] = {}

    def one(symbol: Symbol) -> Any:
        if symbol not in made:
            if isinstance(symbol, Terminal):
                made[symbol] = OneTerminal(symbol.name)
            else:
                made[symbol] = symbol if symbol.name in starts else OneNonTerminal(symbol.name)
        return made[symbol]

    return [OneRule(one(r.origin), [one(s) for s in r.expansion], r.order, r.alias, r.options) for r in rules]
