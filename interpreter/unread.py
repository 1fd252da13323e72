"""unread: the body of a routine → the same without the variables that nobody reads, and without what is then empty.

In: structured code, before it is cut into blocks. Out: structured code. What is left out only works something out.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from interpreter.bound import Assign, Branch, Each, Loop

VAR = re.compile(r"\bx\d+\b")
CALLED = re.compile(r"\b(\w+)\(")
ONLY_READ = {  # functions that change nothing
    "abs",
    "bool",
    "int",
    "len",
    "list",
    "max",
    "min",
    "range",
    "sat",
    "sum",
    "tuple",
    "one",
    "best",
    "worst",
    "distinct",
}


def without_unread(body: list[Any]) -> list[Any]:
    """The body, less what nobody reads. Statements are changed in place."""
    spare: set[str] = set()
    while True:
        read: set[str] = set()
        given: dict[str, set[str]] = {}
        gather(body, read, given)
        wanted = list(read)
        while wanted:
            for name in given.get(wanted.pop(), ()):
                if name not in read:
                    read.add(name)
                    wanted.append(name)
        if given.keys() - read <= spare:
            return body
        spare = given.keys() - read
        body = pruned(body, read)  # then a loop may be empty, and what it went over unread


def gather(part: Any, read: set[str], given: dict[str, set[str]]) -> None:
    """The variables that a part reads, and of those that are only assigned what they are made of."""
    if isinstance(part, Assign) and only_reads(part.py):
        given.setdefault(part.var, set()).update(VAR.findall(part.py))
    elif isinstance(part, Each) and not part.body and only_reads(part.over):
        given.setdefault(part.var, set()).update(VAR.findall(part.over))
    elif isinstance(part, str):
        read.update(VAR.findall(part))
    elif isinstance(part, (list, tuple, set)):
        for inner in part:
            gather(inner, read, given)
    elif is_dataclass(part) and type(part).__name__ not in ("Routine", "Type"):
        for one in fields(part):
            if not (isinstance(part, Each) and one.name in ("var", "items", "index")):
                gather(getattr(part, one.name), read, given)


def only_reads(py: str) -> bool:
    return all(
        name in ONLY_READ or name in ("if", "in", "else", "not", "and", "or", "for") for name in CALLED.findall(py)
    )


def pruned(body: list[Any], read: set[str]) -> list[Any]:
    out = []
    for stm in body:
        if isinstance(stm, Assign) and stm.var not in read and only_reads(stm.py):
            continue
        if isinstance(stm, Branch):
            stm.then, stm.other = pruned(stm.then, read), pruned(stm.other, read)
            if not stm.then and not stm.other and only_reads(stm.cond):
                continue
        elif isinstance(stm, (Each, Loop)):
            stm.body = pruned(stm.body, read)
            if isinstance(stm, Each) and not stm.body and stm.var not in read and only_reads(stm.over):
                continue
        out.append(stm)
    return out
