"""vocabulary: what one pack's texts may say. Data without behaviour.

In: nothing. Out: the types that the reader of content fills, and that words, grammar and checker read.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Name:
    """A capitalised name. canonical is the singular as declared; plural True for the plural spelling of it."""

    canonical: str
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Hole:
    """`{Space here}`: kind is a kind's name, or number, player, thing, condition, path, list name; name is the local."""

    kind: str
    name: str
    plural: bool = False  # {Guards walkers}: a set of things


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb of content: `invest {number amount} on {thing target}`. parts are words and holes in order; the first is a
    word, the phrase's verb. forms: base, third person, past, participle (`use, uses, used, used`)."""

    ident: str
    parts: tuple[str | Hole, ...]
    forms: tuple[str, str, str, str]
    subject: str = "player"  # the kind of thing that performs it
    file: str = ""
    at: tuple[int, int, int, int] = (1, 1, 1, 2)  # where the pattern stands in the file


@dataclass(frozen=True, slots=True)
class ValuePhrase:
    """A noun of content: `the strength of {Space here}`; result is number, condition, player, or a kind's name
    (plural True for a set)."""

    ident: str
    parts: tuple[str | Hole, ...]
    result: str = "number"
    plural: bool = False
    file: str = ""
    at: tuple[int, int, int, int] = (1, 1, 1, 2)


@dataclass(slots=True)
class Vocabulary:
    """names: every spelling of every capitalised name (singular and plural) → Name. states: lower-case adjectives that
    content declares (empty, assigned, face-up). relations: lower-case relation words for `who used it` (owns, supports)
    each spelling → base. phrases and values in declaration order. A name may also be lower-case adjective + Name
    (`right Gate`): such spellings stand in names as they are written. measures: names that are numbers of a thing, so
    that `the most` stands before their singular. zones: names of zones alone, each with whether it has owners. kinds:
    names of kinds alone that have a plural of their own. spread: measures that things have and players have not, so
    that `your Prices` are those of several things."""

    names: dict[str, Name] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    relations: dict[str, str] = field(default_factory=dict)
    phrases: list[Phrase] = field(default_factory=list)
    values: list[ValuePhrase] = field(default_factory=list)
    measures: set[str] = field(default_factory=set)
    zones: dict[str, bool] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    spread: set[str] = field(default_factory=set)
