"""lalr: in, the rules of a grammar; out, its LALR(1) table, or the Conflict for which there is none.

Symbols, states and items are ints while it works, sets of classes of words are the bits of one int: an author waits for
this after every change of a phrase. Look-ahead sets are those of DeRemer and Pennello.
"""

from __future__ import annotations

from collections.abc import Sequence

RuleOf = tuple[str, tuple[str, ...]]  # origin, symbols
Row = dict[str, int]
Ways = list[int]

END = "$END"


class Conflict(ValueError):
    """Two readings. terminal: the class of words at which they part."""

    def __init__(self, terminal: str, message: str) -> None:
        super().__init__(message)
        self.terminal = terminal


class Numbered:
    """Rules by number. An item is a place in the row of all rules' symbols, each rule followed by its end: the next item
    is one more. after: the symbol behind the dot, or ~rule at an end. first: where a rule begins."""

    def __init__(self, rules: Sequence[RuleOf], starts: Sequence[str]) -> None:
        origins = dict.fromkeys(origin for origin, _ in rules)
        roots = [f"$root_{start}" for start in starts]
        self.names = [*origins, *roots]  # symbols by number: those with rules first
        self.inner = len(self.names)
        number = {name: i for i, name in enumerate(self.names)}
        for name in (*(s for _, symbols in rules for s in symbols), *starts, END):
            if name not in number:
                number[name] = len(self.names)
                self.names.append(name)
        self.end = number[END]
        every = [*rules, *((root, (start,)) for root, start in zip(roots, starts, strict=True))]
        self.origin = [number[origin] for origin, _ in every]
        self.symbols = [tuple(number[s] for s in symbols) for _, symbols in every]
        self.after: list[int] = []
        self.first: list[int] = []
        self.rules_of: list[Ways] = [[] for _ in range(self.inner)]
        for i, symbols in enumerate(self.symbols):
            self.first.append(len(self.after))
            self.after += [*symbols, ~i]
            self.rules_of[self.origin[i]].append(i)
        self.roots = [self.first[len(rules) + i] for i in range(len(roots))]
        self.begun = [self._begun(symbol) for symbol in range(self.inner)]
        self.empty = self._empty()

    def _begun(self, symbol: int) -> list[int]:
        """The symbols that one may begin with: itself and, through first symbols, others with rules."""
        found, todo = {symbol}, [symbol]
        while todo:
            for rule in self.rules_of[todo.pop()]:
                head = self.after[self.first[rule]]
                if 0 <= head < self.inner and head not in found:
                    found.add(head)
                    todo.append(head)
        return sorted(found)

    def _empty(self) -> set[int]:
        """The symbols that may stand for nothing."""
        found: set[int] = set()
        while True:
            more = {
                origin
                for origin, symbols in zip(self.origin, self.symbols, strict=True)
                if origin not in found and all(s in found for s in symbols)
            }
            if not more:
                return found
            found |= more


class States:
    """The LR(0) states. steps: for each, symbol → state. ends: for each, the rules that end there."""

    def __init__(self, g: Numbered) -> None:
        heads = [[(g.after[g.first[r]], g.first[r]) for r in g.rules_of[symbol]] for symbol in range(g.inner)]
        self.steps: list[dict[int, int]] = []
        self.ends: list[Ways] = []
        kernels: list[tuple[int, ...]] = [(root,) for root in g.roots]
        known = {kernel: i for i, kernel in enumerate(kernels)}
        for kernel in kernels:  # which grows meanwhile
            moves: dict[int, Ways] = {}
            ends: Ways = []
            begun: set[int] = set()
            for item in kernel:
                symbol = g.after[item]
                if symbol < 0:
                    ends.append(~symbol)
                    continue
                moves.setdefault(symbol, []).append(item + 1)
                if symbol < g.inner:
                    begun.update(g.begun[symbol])
            for one in begun:
                for symbol, item in heads[one]:
                    if symbol < 0:
                        ends.append(~symbol)
                    else:
                        moves.setdefault(symbol, []).append(item + 1)
            steps: dict[int, int] = {}
            for symbol, items in moves.items():
                items.sort()
                key = tuple(items)
                at = known.get(key)
                if at is None:
                    at = known[key] = len(kernels)
                    kernels.append(key)
                steps[symbol] = at
            self.steps.append(steps)
            self.ends.append(ends)


def make(rules: Sequence[RuleOf], starts: Sequence[str]) -> tuple[list[Row], dict[str, tuple[int, int]]]:
    """(rows: for each state, symbol → next state, or ~rule for a reduction; start → (first state, last state)).
    Raises Conflict where a sentence could be read in two ways."""
    g = Numbered(rules, starts)
    states = States(g)
    ahead = look_ahead(g, states)
    rows = []
    for state, steps in enumerate(states.steps):
        row = {g.names[symbol]: to for symbol, to in steps.items()}
        taken = 0
        for symbol in steps:
            if symbol >= g.inner:
                taken |= 1 << symbol
        for rule in states.ends[state]:
            bits = ahead.get((state, rule), 0)
            if bits & taken:
                name = g.names[lowest(bits & taken)]
                origin, symbols = rules[rule]
                said = f"{origin}: {' '.join(symbols)}"
                raise Conflict(name, f"conflict at the terminal {name}: it can end {said}, or be read in another way")
            taken |= bits
            while bits:
                symbol = lowest(bits)
                bits &= bits - 1
                row[g.names[symbol]] = ~rule
        rows.append(row)
    return rows, {
        start: (i, states.steps[i][g.after[root]]) for i, (start, root) in enumerate(zip(starts, g.roots, strict=True))
    }


def lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def look_ahead(g: Numbered, states: States) -> dict[tuple[int, int], int]:
    """(state, rule that ends there) → the classes of words, as bits, before which it is reduced."""
    moves = [(state, symbol) for state, steps in enumerate(states.steps) for symbol in steps if symbol < g.inner]
    place = {move: i for i, move in enumerate(moves)}
    direct: list[int] = []
    reads: list[Ways] = []
    for state, symbol in moves:
        to = states.steps[state][symbol]
        bits, through = 0, []
        for one in states.steps[to]:
            if one >= g.inner:
                bits |= 1 << one
            elif one in g.empty:
                through.append(place[to, one])
        direct.append(bits)
        reads.append(through)
    for i, root in enumerate(g.roots):
        direct[place[i, g.after[root]]] |= 1 << g.end
    includes: list[Ways] = [[] for _ in moves]
    ending: list[tuple[int, int, int]] = []  # move, state, rule
    for i, (state, symbol) in enumerate(moves):
        for rule in g.rules_of[symbol]:
            here = state
            symbols = g.symbols[rule]
            last = len(symbols)
            while last and symbols[last - 1] in g.empty:
                last -= 1
            for k, one in enumerate(symbols):
                if one < g.inner and k >= last - 1:
                    includes[place[here, one]].append(i)
                here = states.steps[here][one]
            ending.append((i, here, rule))
    follow = gathered(includes, gathered(reads, direct))
    found: dict[tuple[int, int], int] = {}
    for i, state, rule in ending:
        found[state, rule] = found.get((state, rule), 0) | follow[i]
    return found


def gathered(to: list[Ways], own: list[int]) -> list[int]:
    """For each node, its own bits and those of all nodes it leads to; what lies in one circle shares them (Tarjan)."""
    bits = list(own)
    rank = [0] * len(to)  # 0: not seen; then the least place on the stack that it leads to
    done = len(to) + 1
    stack: Ways = []
    for root in range(len(to)):
        path = [] if rank[root] else [(root, iter(to[root]), 1)]
        if path:
            stack.append(root)
            rank[root] = 1
        while path:
            node, rest, place = path[-1]
            for other in rest:
                if not rank[other]:
                    stack.append(other)
                    rank[other] = len(stack)
                    path.append((other, iter(to[other]), len(stack)))
                    break
                rank[node] = min(rank[node], rank[other])
                bits[node] |= bits[other]
            else:
                path.pop()
                if rank[node] == place:
                    while stack[place - 1 :]:
                        inner = stack.pop()
                        rank[inner] = done
                        bits[inner] = bits[node]
                if path:
                    above = path[-1][0]
                    rank[above] = min(rank[above], rank[node])
                    bits[above] |= bits[node]
    return bits
