"""lalr: the tables are those that Lark makes, and that are worked out the long way; a conflict names the word."""

from __future__ import annotations

import random
from typing import Any

import pytest
from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from interpreter.grammar import STARTS, build, inject
from interpreter.lalr import Conflict, gathered, make
from interpreter.shapes import read_source, shapes_of
from interpreter.vocabulary import Vocabulary

Rules = list[tuple[str, tuple[str, ...]]]


class Outside(Lexer):
    def __init__(self, conf: Any) -> None: ...

    def lex(self, *_: Any) -> Any:
        raise NotImplementedError


def of_lark(grammar: str, starts: tuple[str, ...]) -> tuple[Rules, list[dict[str, int]], dict[str, tuple[int, int]]]:
    lark = Lark(grammar, parser="lalr", lexer=Outside, strict=True, maybe_placeholders=False, start=list(starts))
    made: Any = lark.parser.parser._parse_table  # type: ignore[attr-defined]
    order = {state: i for i, state in enumerate(made.states)}
    place = {rule: i for i, rule in enumerate(lark.rules)}
    rows = [
        {str(symbol): order[arg] if action is Shift else ~place[arg] for symbol, (action, arg) in row.items()}
        for row in made.states.values()
    ]
    rules = [(str(r.origin.name), tuple(str(s.name) for s in r.expansion)) for r in lark.rules]
    return rules, rows, {s: (order[made.start_states[s]], order[made.end_states[s]]) for s in starts}


def same(one: Any, other: Any) -> None:
    """The same states but for their numbers; the rules have the same numbers."""
    (rows, starts), (other_rows, other_starts) = one, other
    met: dict[int, int] = {}
    todo = [(starts[name][0], other_starts[name][0]) for name in starts]
    while todo:
        a, b = todo.pop()
        if a in met:
            assert met[a] == b
            continue
        met[a] = b
        assert rows[a].keys() == other_rows[b].keys()
        for symbol, code in rows[a].items():
            if code < 0:
                assert code == other_rows[b][symbol]
            else:
                todo.append((code, other_rows[b][symbol]))
    assert len(met) == len(set(met.values())) == len(rows) == len(other_rows)
    assert {name: met[last] for name, (_, last) in starts.items()} == {n: last for n, (_, last) in other_starts.items()}


def test_the_language_has_the_table_that_lark_makes() -> None:
    source = read_source()
    grammar = inject(source, shapes_of(Vocabulary(), source))
    rules, rows, starts = of_lark(grammar, STARTS)
    same(make(rules, STARTS), (rows, starts))
    made = build(grammar)
    assert [(origin, size) for origin, _, size, _, _ in made.rules] == [(o, len(symbols)) for o, symbols in rules]


def some_grammar(seed: int) -> Rules:
    """Small rules, with symbols that may stand for nothing and others that begin or end with themselves."""
    draw = random.Random(seed)
    origins = ["start", "a", "b", "c"]
    rules: Rules = []
    for origin in origins:
        for _ in range(draw.randint(1, 3)):
            symbols = tuple(draw.choice([*origins[1:], "X", "Y", "Z"]) for _ in range(draw.randint(0, 3)))
            if (origin, symbols) not in rules and symbols != (origin,):
                rules.append((origin, symbols))
    return rules if ends_of(rules) == set(origins) else some_grammar(seed + 10_000)


def ends_of(rules: Rules) -> set[str]:
    """The symbols of which some text can be made."""
    found: set[str] = set()
    for _ in rules:
        found |= {o for o, symbols in rules if all(s in found or s.isupper() for s in symbols)}
    return found


def first_of(rules: Rules) -> dict[str, set[str]]:
    """The words with which a symbol may begin; "" where it may stand for nothing."""
    first: dict[str, set[str]] = {o: set() for o, _ in rules}
    while True:
        before = sum(map(len, first.values()))
        for origin, symbols in rules:
            first[origin] |= beginnings(symbols, {""}, first)
        if sum(map(len, first.values())) == before:
            return first


def beginnings(symbols: tuple[str, ...], behind: set[str], first: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    for symbol in symbols:
        words = first.get(symbol, {symbol})
        found |= words - {""}
        if "" not in words:
            return found
    return found | behind


def canonical(rules: Rules) -> tuple[list[dict[str, int]], dict[str, tuple[int, int]]] | None:
    """The same table the long way: LR(1) states, each item with one word behind it, joined where only those differ.
    None where there is a conflict."""
    every = [*rules, ("root", ("start",))]
    first = first_of(rules)

    def closed(items: set[tuple[int, int, str]]) -> frozenset[tuple[int, int, str]]:
        todo, found = list(items), set(items)
        while todo:
            rule, dot, word = todo.pop()
            symbols = every[rule][1]
            for other, (origin, _) in enumerate(every):
                if dot < len(symbols) and origin == symbols[dot]:
                    for behind in beginnings(symbols[dot + 1 :], {word}, first):
                        if (other, 0, behind) not in found:
                            found.add((other, 0, behind))
                            todo.append((other, 0, behind))
        return frozenset(found)

    states = [closed({(len(rules), 0, "$END")})]
    steps: list[dict[str, int]] = []
    for state in states:
        moves: dict[str, set[tuple[int, int, str]]] = {}
        for rule, dot, word in state:
            if dot < len(every[rule][1]):
                moves.setdefault(every[rule][1][dot], set()).add((rule, dot + 1, word))
        steps.append({})
        for symbol, items in moves.items():
            to = closed(items)
            if to not in states:
                states.append(to)
            steps[-1][symbol] = states.index(to)
    cores = [frozenset((rule, dot) for rule, dot, _ in state if dot or rule == len(rules)) for state in states]
    cores = [core or frozenset((r, d) for r, d, _ in state) for core, state in zip(cores, states, strict=True)]
    number = {core: i for i, core in enumerate(dict.fromkeys(cores))}
    rows: list[dict[str, int]] = [{} for _ in number]
    for state, core, moved in zip(states, cores, steps, strict=True):
        codes = [(symbol, number[cores[to]]) for symbol, to in moved.items()]
        codes += [(w, ~r) for r, dot, w in state if dot == len(every[r][1]) and r < len(rules)]
        for symbol, code in codes:
            if rows[number[core]].setdefault(symbol, code) != code:
                return None
    return rows, {"start": (number[cores[0]], number[cores[steps[0]["start"]]])}


def test_small_grammars_have_the_tables_that_are_worked_out_the_long_way() -> None:
    sound = broken = empty = 0
    for seed in range(300):
        rules = some_grammar(seed)
        wanted = canonical(rules)
        if wanted is None:
            broken += 1
            with pytest.raises(Conflict):
                make(rules, ("start",))
        else:
            sound += 1
            empty += any(not symbols for _, symbols in rules)
            same(make(rules, ("start",)), wanted)
    assert sound > 30 and broken > 100 and empty > 10, (sound, broken, empty)


def test_a_conflict_names_the_word_at_which_the_readings_part() -> None:
    rules = [("start", ("sum",)), ("sum", ("sum", "PLUS", "sum")), ("sum", ("ONE",))]
    with pytest.raises(Conflict, match="PLUS") as found:
        make(rules, ("start",))
    assert found.value.terminal == "PLUS"


def test_circles_share_what_they_gather() -> None:
    assert gathered([[1], [2], [0, 3], [], [3]], [1, 2, 4, 8, 16]) == [15, 15, 15, 8, 24]
