"""repair: in, the words of a sentence that is none; out, the one word in whose place another would make it a sentence.

A parser stops at the first word that cannot stand where it stands, but the fault is often the word before: in `Gain 2
on Tower` no word but `on` is wrong, in `Move Captain Coin to the Tower` the parser stops at `Coin`. Each of the last
words is tried: is there a class of words with which the rest of the sentence is read to its end?
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.grammar import Table
from interpreter.parse.machine import Classes, accepts, classes_of, feed
from interpreter.words import END, Word

REACH = 8  # words before the one at which the parser stopped
LONG = 400  # words of a sentence in which no mend is sought


@dataclass(slots=True)
class Mend:
    """at: the word that is at fault. classes: what could stand there instead."""

    at: int
    classes: set[str] = field(default_factory=set)


def mends(table: Table, words: list[Word], start: str, stopped: int) -> dict[int, set[str]]:
    """For each of the last words, the classes of words that would make this a sentence in its place."""
    return tries(table, words, start, stopped)[0]


def tries(
    table: Table, words: list[Word], start: str, stopped: int
) -> tuple[dict[int, set[str]], set[int], bool, bool]:
    """The mends by replacing a word; the words that could be left out; whether one could be put in where the parser
    stopped; whether only one class of words could stand there, as inside a phrase. A word that nothing stands for ends
    the search: it is a fault of its own."""
    first, last = table.starts[start]
    types: list[Classes] = [*map(classes_of, words), END]
    unknown = next((i for i in range(stopped + 1, len(types)) if types[i] == "UNKNOWN"), None)
    if unknown is not None:
        del types[unknown:]
    before = [[first]]
    for type_ in types[:stopped]:
        stack = list(before[-1])
        if not feed(table, stack, [type_], last):
            break
        before.append(stack)
    replaced: dict[int, set[str]] = {}
    left_out: set[int] = set()
    if len(types) > LONG or stopped >= len(before):
        return replaced, left_out, False, False

    def whole(at: int, rest: list[Classes]) -> bool:
        return feed(table, list(before[at]), rest, last)

    for i in range(max(0, stopped - REACH), min(stopped + 1, len(words))):
        here = accepts(table, before[i]) - {END, "UNKNOWN", words[i].type}
        good = {type_ for type_ in here if whole(i, [type_, *types[i + 1 :]])}
        if good:
            replaced[i] = good
        if whole(i, types[i + 1 :]):
            left_out.add(i)
    here = accepts(table, before[stopped]) - {END, "UNKNOWN"}
    put_in = any(whole(stopped, [type_, *types[stopped:]]) for type_ in here)
    return replaced, left_out, put_in, len(here) == 1


def mend(table: Table, words: list[Word], start: str, stopped: int) -> Mend | None:
    """The word most likely at fault where the parser stopped at words[stopped]; None if no single word mends it."""
    replaced, left_out, put_in, demanded = tries(table, words, start, stopped)
    if not replaced:
        return None
    here, before = replaced.get(stopped, set()), replaced.get(stopped - 1, set())
    if demanded:
        return Mend(stopped, here) if here else None
    if here and before:
        at = stopped - 1 if the_one_before(words, stopped, len(here), len(before), put_in) else stopped
    elif here:
        at = stopped
    else:
        at = max(set(replaced) & left_out or set(replaced))
    return Mend(at, replaced[at])


def sound(table: Table, words: list[Word], start: str) -> bool:
    """True if these words are read to their end, or to the first that nothing stands for, which is a fault of its
    own."""
    first, last = table.starts[start]
    types: list[Classes] = [*map(classes_of, words), END]
    if "UNKNOWN" in types:
        del types[types.index("UNKNOWN") :]
    return feed(table, [first], types, last)


def the_one_before(words: list[Word], stopped: int, here: int, before: int, put_in: bool) -> bool:
    """Where another word in either place would do: is the earlier at fault? here, before: how many classes of words
    could stand in each. Several words that belong together are seldom there by mistake. Where a word could be put in
    between, the later is the one that was meant, unless far more could stand in its place."""
    if " " in words[stopped - 1].text:
        return False
    if " " in words[stopped].text:
        return True
    if put_in:
        return here < 10 or here < 3 * before
    return 5 * before >= 4 * here
