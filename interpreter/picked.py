"""picked: in, a Pick; out, Python for all that it picks, whether there is one, how many, their sum, the first."""

from __future__ import annotations

from interpreter.bound import Pick


def clauses(p: Pick) -> str:
    """The loops and tests of a comprehension over the candidates."""
    loops = " ".join(f"for {var} in {over}" for var, over in p.loops)
    return loops + "".join(f" if {cond}" for cond in p.conds if cond)


def as_list(p: Pick) -> str:
    """All candidates: a list, or what they stand in already."""
    if not p.conds and len(p.loops) == 1:
        base = f"{p.loops[0][1]}"
    else:
        base = f"[{p.var} {clauses(p)}]"
    if p.best:
        return f"{'best' if p.best[1] == 'most' else 'worst'}([({p.best[0]}, {p.var}) {clauses(p)}])"
    if p.ordered:
        return f"{base}[:1]" if p.ordered == "first" else f"{base}[-1:]"
    return base


def as_test(p: Pick) -> str:
    """Whether there is one."""
    if not p.conds and len(p.loops) == 1:
        return f"len({p.loops[0][1]}) > 0"
    return f"any([True {clauses(p)}])"


def as_count(p: Pick) -> str:
    """How many there are; what counts as several is so many."""
    if p.weight and not (p.best or p.ordered):
        return as_sum(p, p.weight)
    if not p.conds and len(p.loops) == 1 and not p.best:
        return f"len({p.loops[0][1]})"
    if p.best or p.ordered:
        return f"len({as_list(p)})"
    return f"sum([1 {clauses(p)}])"


def as_sum(p: Pick, py: str) -> str:
    """The sum of an expression over the candidates."""
    return f"sum([{py} {clauses(p)}])"


def as_one(p: Pick) -> str:
    """The first candidate, -1 when there is none."""
    if p.best or p.ordered:
        return f"one({as_list(p)})"
    return f"one([{p.var} {clauses(p)}])"
