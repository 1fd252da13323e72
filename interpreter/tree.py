"""tree: what the grammar builds and every later stage reads. Data without behaviour.

In: nothing. Out: the node types of the language. `at` is the (start, end) span of code points in the text
that the node was read from; it takes no part in comparison, so `parse(print(tree)) == tree` can be asked.

Words written with a capital are *names* (the game's) and stand here in canonical form: the singular name as
content declares it. Lower-case words are the language's, or locals.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Node:
    at: Span = field(default=(0, 0), compare=False, kw_only=True)


# ---------------------------------------------------------------- expressions: numbers


@dataclass(frozen=True, slots=True)
class Num(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Arith(Node):
    """left op right; op is plus, minus, times, `divided by`, `rounded up` variants live in Half."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Twice(Node):
    """`twice X`."""

    of: Expr


@dataclass(frozen=True, slots=True)
class Half(Node):
    """`half X, rounded down` (rounding is 'down' or 'up')."""

    of: Expr
    rounding: str


@dataclass(frozen=True, slots=True)
class Count(Node):
    """`the number of SEL`; with `different` set: `the number of different PROPERTY of SEL`."""

    of: Expr
    different: str = ""


@dataclass(frozen=True, slots=True)
class Total(Node):
    """`the total PROPERTY of SEL`, `the highest PROPERTY of SEL`, `the lowest …`; how is total, highest, lowest."""

    how: str
    prop: str
    of: Expr


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`(A if C, otherwise B)`: a conditional expression."""

    then: Expr
    cond: Cond
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Per(Node):
    """`N for each SEL` (amount times the count of the selection)."""

    amount: Expr
    each: Expr


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A use of a content `value:` phrase. ident is its record id; args are (hole, expression) in hole order."""

    ident: str
    args: tuple[tuple[str, Expr], ...]


# ---------------------------------------------------------------- expressions: things


@dataclass(frozen=True, slots=True)
class Local(Node):
    """A lower-case local name: a hole, a `let` name, or `object`."""

    name: str


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """A pronoun: you, it, them, they, this (alone), itself, `yours` never stands here."""

    word: str


@dataclass(frozen=True, slots=True)
class PlayerN(Node):
    """`player 2` (1-based as written)."""

    number: int


@dataclass(frozen=True, slots=True)
class With(Node):
    """`with Price at most 3`, `with total Price at most Strength`, `with Capital = 3`, `with the most X`.

    op: '=', '!=', '<', '>', '<=', '>=' (printed `= 3`, `other than 3`, `less than 3`, `more than 3`, `at most 3`,
    `at least 3`; `exactly 3` parses as '='); `most`/`least` for `with the most X` and value None; total: the whole
    selection's sum is meant."""

    prop: str
    op: str
    value: Expr | None
    total: bool = False


@dataclass(frozen=True, slots=True)
class WithThing(Node):
    """`with a Charm on it`, `with Coins of yours on it`, `with at least 3 Ash`, `with Moon`, `without a Captain`
    (neg). `what` may be a Sel with its own place filter (`on it`)."""

    what: Expr
    neg: bool = False


@dataclass(frozen=True, slots=True)
class That(Node):
    """`that is empty`, `that are not another player's Captains`, `who has passed`, `that has a Ash`: a test whose
    subject is the selected thing. word is 'that' or 'who'; test is a Cond whose left side is Ref('itself')."""

    word: str
    test: Cond


@dataclass(frozen=True, slots=True)
class Rel(Node):
    """`who used it`, `that you own`, `who supports this Errand`: one relation word with one noun. word is that/who;
    relation is the word as written in content's list; subject is set in `that you own`, object in `who used it`."""

    word: str
    relation: str
    subject: Expr | None
    object: Expr | None


@dataclass(frozen=True, slots=True)
class Place(Node):
    """A place filter: prep is on, in, at, under, above, beside, along."""

    prep: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Sel(Node):
    """A noun with its determiners and filters: the one selection form.

    head      a name (kind, counter, property, zone, list member, thing), or a core noun in lower case:
              player, opponent, piece, card, thing, space, turn, action, round, step, game, owner, die, dice
    quant     '' (bare), a, the, this, that, those, each, all, another, 'each other', 'all other', no, exactly (with count),
              'up to', 'any number of', 'at least', 'one of', top, bottom (both with count, `the top 2 Charms`),
              'half of' (with `rounding`)
    count     the number for exactly/up to/at least/top/bottom/one of (N of); else None
    adjs      adjective words before the noun as written: states of content (`empty`, `face-up`), core adjectives
              (next, last, first, leftmost, rightmost, free, random, chosen, active, more, different, other, additional)
    of        the possessor, and how it was written in of_form: 'of' (`the Price of it`), 'your', 'its', 'their',
              "'s" (`that player's Hand`), 'yours' (`Coins of yours`); of then is Ref('you'/'it'/'they') for the pronoun forms
    place     `on the Map`, `in your Hand`
    filters   With, WithThing, That, Rel in order
    trail     a participle after the noun: chosen (`each Charm chosen`), drawn, …; or ''
    at_random `2 cards at random`
    plural    as written
    """

    head: str
    quant: str = ""
    count: Expr | None = None
    adjs: tuple[str, ...] = ()
    of: Expr | None = None
    of_form: str = ""
    place: Place | None = None
    filters: tuple[Filter, ...] = ()
    trail: str = ""
    at_random: bool = False
    rounding: str = ""
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Join(Node):
    """`a Tower or a Road` (op 'or'), `2 Coins and 1 Oil` (op 'and'); two parts or more."""

    op: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Equal(Node):
    """`Coins = Might`: an amount of a counter or kind, as the object of a verb."""

    what: Sel
    amount: Expr


@dataclass(frozen=True, slots=True)
class Short(Node):
    """`the amount you could not pay`: the shortfall of the last pay in this text."""


@dataclass(frozen=True, slots=True)
class Much(Node):
    """`that many Coins`, `that much Smoke`, `that amount`: how much it was in what was done last, or in the event that the
    text answers. word is many, much or amount, as its noun wants; open: `any amount`, where an event may have any."""

    word: str = field(default="amount", compare=False)
    open: bool = False


# ---------------------------------------------------------------- conditions


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`X is at least 3`, `X = 3`, `X is more than Y`: op as in With (`=` is canonical for numbers; ops print
    `is at least`, `is at most`, `is more than`, `is less than`, `=`, `is not` for != of numbers)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`X is [not] Y`: Y an expression (`the Old Tower`, `a Captain`, `yours`), or an adjective word (then adj)."""

    left: Expr
    right: Expr | None
    adj: str = ""
    neg: bool = False


@dataclass(frozen=True, slots=True)
class Has(Node):
    """`X has Y`, `you have at least 2 Coins`, `it has no Bonus`, `you have more X than Y` (than set; more is
    'more' or 'fewer' or '' )."""

    left: Expr
    right: Expr
    neg: bool = False
    than: Expr | None = None
    more: str = ""


@dataclass(frozen=True, slots=True)
class ThereIs(Node):
    """`there is a Charm on the Map`, `there is no Ash`, `there are 3 Marks on it`."""

    what: Expr
    neg: bool = False


@dataclass(frozen=True, slots=True)
class Repeated(Node):
    """`the position is repeated`: this turn began as another did before it."""


@dataclass(frozen=True, slots=True)
class Did(Node):
    """History or result: how is `you do` / `you did` / `you could not` / `you cannot` (result of the statement before),
    'did' (`you did gain Coins this turn`), 'past' (`you used this Tower`), 'perfect' (`each other player has passed`)."""

    how: str
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Relates(Node):
    """`you own a Charm`, `you do not occupy it`: a relation word of content between two things."""

    left: Expr
    relation: str
    right: Expr
    neg: bool = False


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """and/or of two conditions or more; not of one."""

    op: str
    parts: tuple[Cond, ...]


@dataclass(frozen=True, slots=True)
class CondValue(Node):
    """A content `value:` phrase whose result is a condition, used as a condition."""

    value: Value


# ---------------------------------------------------------------- events, time


@dataclass(frozen=True, slots=True)
class Event(Node):
    """What happens, as a trigger, replacement or history names it: `a player uses a Space`, `this is assigned`,
    `this Errand succeeds`, `the Errand reaches its Length`.

    verb is a core verb's base form (move, gain, enter, leave, become, reach, …) or a phrase's ident (then is_phrase).
    Roles as in Act. passive: `a Guard is killed by you` has what=the Guard, subject=you or None.
    Where the subject of an active form is a player or thing, subject holds it.
    state: for `X becomes active`."""

    verb: str
    subject: Expr | None
    roles: tuple[tuple[str, Any], ...] = ()  # Expr, Cond or a bare word
    passive: bool = False
    is_phrase: bool = False
    state: str = ""


@dataclass(frozen=True, slots=True)
class Duration(Node):
    """`until the end of this turn`, `until your next turn`, `this turn`, `this Phase`, `until the end of Resolving`,
    `each turn`; form is 'until end', 'until start', 'this', 'each', 'until' (cond set); what is the boundary."""

    form: str
    what: Expr | None = None
    cond: Cond | None = None


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Act(Node):
    """One verb with its roles, or a content phrase with its holes.

    roles: (role, expression or bare word) in the order of the verb's table. Roles by core verb:
      gain/lose what [from] [before]; pay what [to]; take what [from]; give what, to; set what, to; increase what, by;
      reduce what, by; move what [from] [to | forward | backward] [along] [until]; place what, on|in|at|under|above|beside;
      remove what [from]; swap what, with; flip what, face ('up'/'down'); draw what [from]; discard what [from];
      shuffle what [into]; reveal what; look at what; play what; choose what; choose number name, low, high; roll what;
      perform what; cancel what; ignore what; end what; win [what]; lose the game; pass; stop; attach to … none else
    subject: who does it; None where the text leaves it out (then you)
    modal: '' | may | cannot ; secretly: `secretly choose`
    during: a duration at the end; freq: '' | 'once per turn' …
    """

    verb: str
    roles: tuple[tuple[str, Any], ...] = ()  # Expr, Cond or a bare word
    subject: Expr | None = None
    modal: str = ""
    secretly: bool = False
    during: Duration | None = None
    is_phrase: bool = False


@dataclass(frozen=True, slots=True)
class Seq(Node):
    """Statements joined by `and` (at once) or `, then` (in order); joins has one entry fewer than parts."""

    parts: tuple[Stmt, ...]
    joins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`Let n be half Strength, rounded down.`"""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class LetEither(Node):
    """`Let way be either A or B`: the subject (you) chooses."""

    name: str
    options: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """`If C, S.` with the `Otherwise, S.` sentence that answers it folded in; bodies are Text."""

    cond: Cond
    then: Text
    otherwise: Text | None = None


@dataclass(frozen=True, slots=True)
class When(Node):
    """word: when, whenever, before, after. event, or a condition that becomes true (`When the Market is empty, …`:
    cond set and event None). where: `, if C` directly after the event. first: '' | 'turn' | 'round' | 'game'
    (`for the first time each turn`)."""

    word: str
    event: Event | None
    body: Text
    cond: Cond | None = None
    where: Cond | None = None
    first: str = ""


@dataclass(frozen=True, slots=True)
class Moment(Node):
    """`At the start of your turn, …`, `At the end of the game, …`: edge is start or end."""

    edge: str
    what: Expr
    body: Text


@dataclass(frozen=True, slots=True)
class Replace(Node):
    """`If X would Y [for the first time each turn] [while C], Z instead.`; first as in When, or 'next' for
    `the next time X would Y`. may: `you may Z instead`."""

    event: Event
    body: Text
    where: Cond | None = None
    first: str = ""
    may: bool = False


@dataclass(frozen=True, slots=True)
class While(Node):
    """`While C, STATIC.`"""

    cond: Cond
    body: Text


@dataclass(frozen=True, slots=True)
class Static(Node):
    """A continuous change. change: set (`X is 7`), plus (`is increased by`, `+2`), minus, times (`is doubled`),
    'at least', 'at most', 'cost less', 'cost more' (`costs 2 less for you`: to is who), 'no' (`has no Bonus`),
    'counts as'. what is the thing with its property (`Strength of it`), or for cost the thing."""

    what: Expr
    change: str
    amount: Expr | None = None
    to: Expr | None = None
    during: Duration | None = None


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """`For each guard among walkers taking A before B in an order you choose: …`. var '' where the text has none
    (`For each Charm chosen, acquire it.`: then the pronoun `it`)."""

    var: str
    over: Expr
    body: Text
    before: tuple[str, str] | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """`Repeat until C: …` (checked after each pass), `Repeat 3 times: …`, `Repeat while C: …`; exactly one is set."""

    body: Text
    until: Cond | None = None
    times: Expr | None = None
    whilst: Cond | None = None


@dataclass(frozen=True, slots=True)
class Option(Node):
    """One way of `choose one`; guard with guard_word 'only if' or 'unless'; cost text before a colon is a Cost stmt."""

    body: Stmt
    guard: Cond | None = None
    guard_word: str = ""


@dataclass(frozen=True, slots=True)
class ChooseOne(Node):
    """`Choose one: A; or B.` or the block form; subject as in Act."""

    options: tuple[Option, ...]
    subject: Expr | None = None


@dataclass(frozen=True, slots=True)
class Turns(Node):
    """`Starting with S, players in turn until C, choose one: …` (also `Players in turn …`, `each player in turn once`).
    who: the selection of players; until: None means once round each; body: the ChooseOne or other text."""

    start: Expr | None
    who: Expr
    until: Cond | None
    body: Text


@dataclass(frozen=True, slots=True)
class Window(Node):
    """`Players may respond, starting with S: A; or B.`: options for every seat until all pass in a row."""

    start: Expr | None
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Cost(Node):
    """`Pay 2 Oil: draw 2 Charms.`: pay is the cost statement, effect what it buys."""

    pay: Stmt
    effect: Text


@dataclass(frozen=True, slots=True)
class Limit(Node):
    """`Once per turn, S.`: per names the span (turn, round, game, or a step's name)."""

    per: str
    body: Text


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Sentences in order. inline: printed on one line as the branch of a prefix, not as an indented block."""

    sentences: tuple[Stmt, ...]
    block: bool = False


# What may stand where. The names are not checked as unions (a stage that reads a node has asked its type before); the
# tuples are for asking.
Expr = Any
Cond = Any
Filter = Any
Stmt = Any
EXPRESSIONS = (
    Num, Arith, Twice, Half, Count, Total, Choice, Per, Value, Local, Ref, PlayerN, Sel, Join, Equal, Short, Much,
)  # fmt: skip
CONDITIONS = (Compare, Is, Has, ThereIs, Repeated, Did, Relates, Logic, CondValue)
FILTERS = (With, WithThing, That, Rel)
STATEMENTS = (
    Act, Seq, Let, LetEither, If, When, Moment, Replace, While, Static, ForEach, Repeat, ChooseOne, Turns, Window, Cost,
    Limit, Text,
)  # fmt: skip


# ---------------------------------------------------------------- any node

PARTS: dict[type, tuple[str, ...] | None] = {}


def parts(cls: type) -> tuple[str, ...] | None:
    """The names of what a type of node holds, without its span; None for what is no node."""
    if cls not in PARTS:
        PARTS[cls] = tuple(f.name for f in fields(cls) if f.name != "at") if issubclass(cls, Node) else None
    return PARTS[cls]
