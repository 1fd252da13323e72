"""acts: one verb with its roles → code. ACTS is the table of core verbs; phrases go through `perform_phrase`.

A verb evaluates its arguments once, before the mutation; a mutation announces its event only where some trigger listens,
and is proposed first where some replacement may answer it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.amounts import argument, bearer, bind, number, words_of
from interpreter.bound import (
    NUMBER,
    Ask,
    Assign,
    Branch,
    Call,
    CallEffect,
    Chance,
    Code,
    Each,
    Finish,
    Loop,
    Propose,
    Run,
    Secret,
    Stop,
    Type,
    thing,
)
from interpreter.conditions import condition
from interpreter.figures import as_kind, bears, lies_on, player_of
from interpreter.members import index_of, spread
from interpreter.model import ACTIVE, FIRST, ROLL
from interpreter.possible import barred, possible
from interpreter.rules import CONTESTS
from interpreter.scope import Scope, counter_cell, field_of, is_a, kind_test, may_be, player_code
from interpreter.select import as_list, bind_place, everything, field_py, kind_of_head, owner_py, pick, zones_of
from interpreter.settled import settled
from interpreter.statements import (
    ask_one,
    bounds,
    candidates,
    choose,
    collect,
    each_of,
    grant_of,
    grants_more,
    is_choice,
    replaced,
    speaks_of,
    statement,
    target,
    where,
    words,
)
from interpreter.verbs import VERBS
from interpreter.words import CORE_NAMES

Roles = dict[str, Any]


def act(node: t.Act, sc: Scope) -> None:
    """A verb or phrase, with its subject, `may`, secrecy and duration."""
    if node.modal == "cannot":
        from interpreter.rules import forbid

        forbid(node, sc)
        return
    if node.modal == "may":
        optional(node, sc)
        return
    if node.secretly or (node.verb == "choose" and node.subject is not None and node.secretly):
        secret_choice(node, sc)
        return
    subject = sc.you if node.subject is None else subject_of(node.subject, sc)
    if subject is not None and subject.type.many and ends_game(node):
        perform(node, sc, subject)
        return
    if subject is not None and subject.type.many and node.verb in ("win", "lose") and ends_game(node):
        perform(node, sc, subject)
        return
    if subject is not None and subject.type.many:

        def once(one: Code, inner: Scope) -> None:
            if one.type.kind == "player":
                inner.you, inner.reader = one, inner.reader or inner.you
            inner.name(one)
            perform(node, *doing(node, inner, one))

        each_of(subject, sc, once)
        return
    inner = sc
    if subject is not None and node.subject is not None:
        _, subject = doing(node, sc, subject)
    if subject is not None and subject.type.kind == "player" and node.subject is not None:
        inner = sc.inner(you=subject, reader=sc.reader or sc.you)
        inner.named = sc.named
        inner.chosen = sc.chosen
        if not subject.py.isdigit():
            inner.name(subject)
    perform(node, inner, subject)
    if inner is not sc:
        sc.did, sc.short = inner.did, inner.short
        for name, code in inner.locals.items():
            sc.locals.setdefault(name, code)


def ends_game(node: t.Act) -> bool:
    """Winning or losing the game: all players do it at once, because the first of them would end it."""
    what = dict(node.roles).get("what")
    of_game = what is None or (isinstance(what, t.Sel) and what.head == "game")
    return not node.is_phrase and node.verb in ("win", "lose") and of_game


def ends_game(node: t.Act) -> bool:
    """`all players lose the game`: of all of them at once."""
    what = dict(node.roles).get("what")
    return what is None or (isinstance(what, t.Sel) and what.head == "game")


MOVES = ("move", "enter", "leave", "become", "cancel")
HOLDS = ("gain", "lose", "pay", "take", "increase", "reduce")


def doing(node: t.Act, sc: Scope, subject: Code) -> tuple[Scope, Code]:
    """Who really does it: what only players can do, a thing's player does for it."""
    if subject.type.sort != "thing" or subject.type.kind == "player" or subject.type.many:
        return sc, subject
    if node.is_phrase:
        itself = sc.b.phrase_heads[node.verb].subject != "player"
    elif node.verb in MOVES:
        itself = not any(role == "what" for role, _ in node.roles) or node.verb == "become"
    else:
        itself = node.verb in HOLDS and any(lies_on_it(sc, value, subject) for _, value in node.roles)
    if itself:
        return sc, subject
    who = player_of(sc, subject)
    var = sc.fresh(who.type)
    sc.out.append(Assign(var, who.py))
    who = Code(var, who.type, sure=subject.sure)
    return sc.inner(you=who), who


def lies_on_it(sc: Scope, what: Any, holder: Code) -> bool:
    """Whether what is gained or lost is a counter that lies on this very thing."""
    parts = what.parts if isinstance(what, t.Join) else (what,)
    heads = [p.what.head if isinstance(p, t.Equal) else getattr(p, "head", "") for p in parts]
    there = [sc.b.model.counters[h] for h in heads if h in sc.b.model.counters]
    return any(counter_cell(sc.b, c, holder.type.kind, "0", "0") is not None for c in there)


def subject_of(node: Any, sc: Scope) -> Code:
    if is_choice(node, sc):
        return choose(node, sc, sc.you or player_code("v[1]"))
    code = bind(node, sc)
    if code.type.sort != "thing":
        sc.fault(node, "type", f"who? A player or a thing is wanted, not {words_of(code.type)}")
        return player_code("0")
    if not code.type.many and not code.py.startswith("x") and not code.py.isdigit():
        var = sc.fresh(code.type)
        sc.out.append(Assign(var, code.py))
        return Code(var, code.type, sure=code.sure)
    return code


def perform(node: t.Act, sc: Scope, subject: Code | None) -> None:
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    node = settled(node, sc, who)
    if node.is_phrase:
        perform_phrase(node, sc, subject)
        return
    handler = ACTS.get(node.verb)
    if handler is None:
        sc.fault(node, "type", f'"{node.verb}" cannot be done as a statement')
        return
    roles = dict(node.roles)
    what = roles.get("what")
    if isinstance(what, t.Equal) and node.verb not in ("draw", "gain") and things_not_counters(what, sc):
        what = roles["what"] = replace(what.what, quant="exactly", count=what.amount, plural=True)
    if isinstance(what, t.Join) and what.op == "and" and node.verb not in WHOLE:
        roles.update(chosen_once(roles, sc, subject))
        for part in what.parts:
            handler(node, {**roles, "what": part}, sc, subject)
        return
    if result_is_read(sc) and node.verb in TELLS:
        sc.did = ""
        sc.results.append(sc.fresh(NUMBER))
        sc.out.append(Assign(sc.results[-1], "0"))
        handler(node, roles, sc, subject)
        sc.did = sc.did or sc.results[-1]
        sc.results.pop()
        return
    handler(node, roles, sc, subject)


def chosen_once(roles: Roles, sc: Scope, subject: Code | None) -> Roles:
    """Where several things go, or come from, is chosen once for all of them."""
    out: Roles = {}
    for role, value in roles.items():
        if role != "what" and is_choice(value, sc):
            sc.locals[f"the {role}"] = target(value, sc, subject or player_code(f"v[{ACTIVE}]"))
            out[role] = t.Local(f"the {role}", at=value.at)
    return out


TELLS = ("take", "discard", "remove", "move", "place", "give", "draw")
RESULT = re.compile(r"\b[Ii]f (?:you|they|it|that player) (?:do|does|did|cannot|could)\b")


def result_is_read(sc: Scope) -> bool:
    """Whether a text asks if something was done."""
    return bool(sc.source and RESULT.search(sc.source.text))


WHOLE = ("pay", "swap")  # of two things they are one deed


def optional(node: t.Act, sc: Scope) -> None:
    """`You may …`: asked only if it can be done; `If you do` reads the answer."""
    if grants_more(node):
        who = sc.you if node.subject is None else subject_of(node.subject, sc)
        sc.out.append(Run([f"v[{grant_of(sc.b, node)}+{who.py if who else 'v[1]'}] += 1"]))
        return
    bare = t.Act(node.verb, node.roles, None, "", node.secretly, node.during, node.is_phrase, at=node.at)
    may(bare, node, sc)


def may(body: Any, node: t.Act, sc: Scope) -> None:
    who = sc.you if node.subject is None else subject_of(node.subject, sc)
    who = who or player_code(f"v[{ACTIVE}]")
    label = words(sc, node)
    for head in ("you may ", "You may "):
        if label.startswith(head):
            label = label[len(head) :]
    label = label[:1].upper() + label[1:].rstrip(".")
    yes, no = sc.b.text_action(label), sc.b.text_action("Pass")
    test = possible(body, sc.inner(you=who, pure=True))
    lines = [f"o = [{yes}, {no}]" + (f" if {test} else []" if test != "True" else "")]
    answer = ask_one(sc, node, who, lines, label + "?", "may", NUMBER)
    did = sc.fresh(NUMBER)
    inner = sc.inner(out=[], you=who)
    statement(body, inner)
    if inner.did and inner.did != sc.did:
        inner.out.append(Assign(did, inner.did))
        then = [Assign(did, "1"), *inner.out]
    else:
        then = [Assign(did, "1"), *inner.out]
    sc.out += [Assign(did, "0"), Branch(f"{answer} == {yes}", then)]
    sc.did = did
    sc.chosen.update(inner.chosen)
    sc.named[:] = inner.named
    for name, code in inner.locals.items():
        sc.locals.setdefault(name, code)


def secret_choice(node: t.Act, sc: Scope) -> None:
    """`All players secretly choose …`: answered at once, known to nobody before all have answered."""
    who = bind(node.subject, sc) if node.subject is not None else (sc.you or player_code("v[1]"))
    roles = dict(node.roles)
    seat = sc.fresh(thing("player"))
    one = player_code(seat)
    inner = sc.inner(you=one)
    inner.name(one)
    if "low" in roles:
        low, high = number(roles["low"], inner), number(roles["high"], inner)
        most = roles["most"].value if "most" in roles else high.most
        if most is None:
            sc.fault(
                roles["high"],
                "unbounded-choice",
                "the number chosen has no static maximum; say `at most 99`, or give the counter a `most`",
            )
            most = 1
        sc.b.most_number = max(sc.b.most_number, most)
        lines = [f"o = [NB+i for i in range(max(0, {low.py}), min({most}, {high.py}) + 1)]"]
        got = sc.fresh(Type("number", "", True))
        sc.out.append(Secret(got, players_py(who), seat, lines, words(sc, node), where(sc, node)))
        name = roles.get("name")
        if isinstance(name, str):
            sc.locals[name] = Code(got, NUMBER)
        what = roles.get("what")
        if isinstance(what, t.Sel) and what.head in sc.b.model.counters:
            counter = sc.b.model.counters[what.head]
            cell = counter_cell(sc.b, counter, "player", "i", None)
            sc.out.append(Run([f"for i in {players_py(who)}: v[{cell}] = {got}[i] - NB"]))
        return
    sel = roles["what"]
    options, kind, _, _ = candidates(sel, inner)
    got = sc.fresh(thing(kind, True))
    sc.out.append(
        Secret(got, players_py(who), seat, [f"o = alike(s, {seat}, list({options}))"], words(sc, node), where(sc, node))
    )
    sc.chosen[kind] = Code(f"tuple([i for i in {got} if i >= 0])", thing(kind, True))
    sc.locals["by seat"] = Code(got, thing(kind, True))


def players_py(who: Code) -> str:
    return who.py if who.type.many else f"({who.py},)"


# ---------------------------------------------------------------- events


def announce(sc: Scope, key: str, *args: str) -> tuple[list[str], set[str]]:
    """Lines that queue the triggers of an event, none where nothing listens."""
    if key in sc.b.heard:
        name = event_name(key)
        return [f"{name}(s, {', '.join(args)})"], {key}
    return [], set()


def event_name(key: str) -> str:
    return "on_" + "".join(c if c.isalnum() else "_" for c in key)


def propose(sc: Scope, key: str, args: list[str], affected: str, body: Callable[[Scope], None]) -> None:
    """An event that a replacement may answer: its arguments are bound to variables first."""
    if key not in sc.b.replaced:
        body(sc)
        return
    sc.out.append(Propose(key, args, collect(sc, body), affected))


# ---------------------------------------------------------------- counters


def amount_of(node: Any, what: Any, sc: Scope) -> list[tuple[str, str, Any, bool]]:
    """The object of gain, lose, pay: (counter, Python amount, the selection, all) for each part of it."""
    parts = what.parts if isinstance(what, t.Join) and what.op == "and" else (what,)
    out = []
    for part in parts:
        if isinstance(part, t.Equal):
            out.append((part.what.head, number(part.amount, sc).py, part.what, False))
        elif isinstance(part, t.Per):
            inner = part.amount
            head = inner.head if isinstance(inner, t.Sel) else ""
            count = number(inner.count, sc).py if isinstance(inner, t.Sel) and inner.count is not None else "1"
            times = bind(t.Count(part.each, at=part.at), sc).py
            out.append((head, f"{count} * {times}", inner, False))
        elif isinstance(part, t.Half) and isinstance(part.of, t.Sel):
            out.append((part.of.head, bind(part, sc).py, part.of, False))
        elif isinstance(part, t.Sel):
            if part.quant == "half of":
                value = bind(t.Sel(part.head, of=part.of, of_form=part.of_form, place=part.place, at=part.at), sc).py
                out.append((part.head, f"({value} + {1 if part.rounding == 'up' else 0}) // 2", part, False))
            else:
                count = number(part.count, sc).py if part.count is not None else "1"
                out.append((part.head, count, part, part.quant in ("all", "the", "each") and part.count is None))
        else:
            sc.fault(part, "type", "how much of what? Write an amount, as in `gain 2 Coins`")
    return out


def cell_of(name: str, holder: Code, sc: Scope, node: Any, sel: Any = None) -> str:
    """The cell of a counter on a holder; for indexed counters the member is the selection's `of`, else you."""
    counter = sc.b.model.counters.get(name)
    if counter is None:
        sc.fault(node, "type", f'"{name}" is not a counter')
        return "0"
    member = None
    if counter.each:
        if sel is not None and sel.of is not None:
            member = bind(sel.of, sc).py
        elif "player" in counter.each.values() and sc.you is not None:
            member = sc.you.py
    cell = counter_cell(sc.b, counter, holder.type.kind, holder.py, member)
    if cell is None:
        sc.fault(
            node, "type", f"{name} is a counter of {', '.join(counter.on)}; it does not lie on {words_of(holder.type)}"
        )
        return "0"
    return cell


def holder_of(sel: Any, sc: Scope, subject: Code | None, node: Any) -> Code:
    """Whose counter: the selection's own place or owner, else the subject."""
    model = sc.b.model
    if isinstance(sel, t.Sel) and sel.place is not None:
        if is_choice(sel.place.where, sc):
            return one_with(sel, sel.place.where, sc, subject)
        return bind_place(sel.place.where, sc)
    name = sel.head if isinstance(sel, t.Sel) else ""
    counter = model.counters.get(name)
    if isinstance(sel, t.Sel) and sel.of is not None and counter is not None:
        of = bind(sel.of, sc)
        if of.type.sort == "thing" and any(is_a(model, of.type.kind, h) for h in counter.on):
            return of
    if (
        counter is not None
        and "game" in counter.cells
        and (subject is None or counter_cell(sc.b, counter, subject.type.kind, "0", "0") is None)
    ):
        return Code("0", thing("game"), sure=True)
    if subject is None:
        sc.fault(node, "pronoun", "who? Name the player")
        return player_code("0")
    if counter is not None:
        return bears(sc, subject, name) or subject
    return subject


def one_with(sel: t.Sel, where_: Any, sc: Scope, who: Code | None) -> Code:
    """`remove 1 Coin from a Tower`: of the Towers, one that has a Coin is chosen."""
    has = t.WithThing(replace(sel, quant="", count=None, place=None, filters=(), plural=False))
    if isinstance(where_, t.Join):
        where_ = replace(where_, parts=tuple(replace(p, filters=(*p.filters, has)) for p in where_.parts))
    else:
        where_ = replace(where_, filters=(*where_.filters, has))
    chooser = who if who is not None and who.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    return choose(where_, sc, chooser)


def source_of(node: Any, what: Any, sc: Scope, who: Code | None) -> Code:
    """Where a counter is taken from; what has to be chosen has some of it."""
    parts = what.parts if isinstance(what, t.Join) else (what,)
    first = parts[0].what if isinstance(parts[0], t.Equal) else parts[0]
    if is_choice(node, sc) and isinstance(first, t.Sel):
        return one_with(first, node, sc, who)
    return bind(node, sc)


def change(
    sc: Scope,
    node: Any,
    name: str,
    holder: Code,
    amount: str,
    sign: int,
    sel: Any = None,
    report: str = "",
    kept: str = "",
) -> None:
    """Add or take an amount of a counter, as much as possible; kept: a variable for what was really moved."""
    counter = sc.b.model.counters.get(name)
    if counter is None:
        sc.fault(node, "type", f'"{name}" is not a counter; it cannot be gained or lost')
        return
    verb = report or ("gain" if sign > 0 else "lose")
    holder = bearer(holder, counter, sc)
    got = sc.fresh(NUMBER)

    def once(one: Code, inner: Scope) -> None:
        if memberless(one, counter, sel, sign, inner, node):
            def deed(deep: Scope, member: t.Local, n: str, moved: str) -> None:
                which = t.Sel(name, of=member, of_form="of", at=node.at)
                change(deep, node, name, one, n, sign, which, report, moved)

            spread(inner, node, name, one, amount, sign, deed, kept, where(sc, node))
            return
        cell = cell_of(name, one, inner, node, sel)
        member = member_py(name, one, inner, sel)
        at = inner.fresh(NUMBER)
        lines = [f"k = {cell}", f"n = max(0, {amount})"]
        if sign > 0 and counter.most is not None:
            lines.append(f"n = min(n, {counter.most} - v[k])")
        elif sign < 0:
            lines.append(f"n = min(n, v[k] - {counter.least})" if counter.least > -(2**40) else "")
        lines.append("if n > 0:")
        lines.append(f"    v[k] {'+' if sign > 0 else '-'}= n")
        key = f"{'gain' if sign > 0 else 'lose'}:{name}"
        actor = inner.you.py if inner.you else f"v[{ACTIVE}]"
        calls, fires = announce(inner, key, one.py, "n", actor, member)
        lines.append(f"    if s.lg is not None: s.lg.append(({verb!r}, {one.py}, {name!r}, n))")
        lines += ["    " + call for call in calls]
        lines += [f"    {var} = 1" for var in inner.results[-1:]]
        if kept:
            lines.append(f"{kept} = n if n > 0 else 0")

        def body(last: Scope) -> None:
            last.out.append(Run([line for line in lines if line], fires))

        _ = at
        if key in inner.b.replaced:
            count, total = inner.fresh(NUMBER), inner.fresh(NUMBER)
            told = lines.index("if n > 0:") + 2
            unit = ["n = 1" if line.startswith("n = max") else line for line in lines[:told] if line]
            unit.append(f"{total} += n if n > 0 else 0")

            def unit_body(last: Scope) -> None:
                last.out.append(Run(unit))

            loop: list[Any] = []
            deep = inner.inner(out=loop)
            deep.out.append(Assign(count, f"{count} - 1"))
            propose(deep, key, [one.py, "1", actor, member], affected_of(deep, one), unit_body)
            inner.out += [Run([f"k = {cell}", f"{count} = max(0, {amount})"]), Assign(total, "0"), Loop(f"{count} > 0", loop)]
            told_lines = [line for line in lines[told:] if line[:1] == " "]
            inner.out.append(Run([f"n = {total}", "if n > 0:", *told_lines], fires))
            if kept:
                inner.out.append(Assign(kept, total))
        else:
            body(inner)

    def batch(one: Code, inner: Scope) -> None:
        """`would lose Coins`: all of them at once may be replaced."""
        key = f"{'gains' if sign > 0 else 'loses'}:{name}"
        if key not in inner.b.replaced or memberless(one, counter, sel, sign, inner, node):
            once(one, inner)
            return
        count = inner.fresh(NUMBER)
        inner.out.append(Run([f"k = {cell_of(name, one, inner, node, sel)}", f"{count} = max(0, {amount})"]))
        if kept:
            inner.out.append(Assign(kept, "0"))
        actor = inner.you.py if inner.you else f"v[{ACTIVE}]"
        deep = inner.inner(out=[])
        args = [one.py, count, actor, member_py(name, one, inner, sel)]
        propose(deep, key, args, affected_of(deep, one), lambda last: once(one, last))
        inner.out.append(Branch(f"{count} > 0", deep.out))

    each_of(holder, sc, batch)
    _ = got


def member_py(name: str, holder: Code, sc: Scope, sel: Any) -> str:
    """The member of the counter that is meant, -1 where it has none."""
    counter = sc.b.model.counters[name]
    if not index_of(sc, counter, holder):
        return "-1"
    if sel is not None and sel.of is not None:
        return bind(sel.of, sc).py
    return sc.you.py if "player" in counter.each.values() and sc.you is not None else "-1"


def memberless(holder: Code, counter: Any, sel: Any, sign: int, sc: Scope, node: Any) -> bool:
    """Whether the text leaves open which of an indexed counter's numbers is meant. Pieces of players that are gained, placed,
    paid or lost are yours; those that are removed or taken from somewhere are anyone's."""
    index = index_of(sc, counter, holder)
    if not index or (isinstance(sel, t.Sel) and sel.of is not None):
        return False
    return index != "player" or (sign < 0 and getattr(node, "verb", "") in ("remove", "take", "move"))


def affected_of(sc: Scope, one: Code) -> str:
    return one.py if one.type.kind == "player" else f"own(s, {one.py})"


def things_not_counters(what: Any, sc: Scope) -> bool:
    parts = what.parts if isinstance(what, t.Join) else (what,)
    for part in parts:
        head = (
            part.what.head
            if isinstance(part, t.Equal)
            else part.amount.head
            if isinstance(part, t.Per) and isinstance(part.amount, t.Sel)
            else getattr(part, "head", "")
        )
        if head in sc.b.model.counters:
            return False
    return True


def gain(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    if "from" in roles:
        take(node, roles, sc, subject)
        return
    if things_not_counters(what, sc):
        receive(node, roles, sc, subject)
        return
    for name, amount, sel, _ in amount_of(node, what, sc):
        change(sc, node, name, holder_of(bare(sel), sc, subject, node), amount, 1, sel)


def bare(sel: Any) -> Any:
    """The object of gain without its `of` (an index, not a holder) — the holder is the subject or the place."""
    return sel


def receive(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Gain of pieces: from the supply (what is out of the game) to the hand of their kind."""
    what = roles["what"]
    place(node, {"what": what, "hand": subject}, sc, subject)


def lose(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles.get("what")
    if what is None or (isinstance(what, t.Sel) and what.head == "game"):
        outcome(sc, node, subject, -1)
        return
    if contest(node, what, sc, subject):
        return
    if things_not_counters(what, sc):
        discard(node, roles, sc, subject)
        return
    for name, amount, sel, everything in amount_of(node, what, sc):
        sources = [roles["from"]] if "from" in roles else []
        if "before" in roles:
            sources.append(roles["before"])
        if not sources:
            holder = holder_of(sel, sc, subject, node)
            change(sc, node, name, holder, "v[k]" if everything else amount, -1, sel)
            continue
        left = sc.fresh(NUMBER)
        sc.out.append(Assign(left, amount))
        for source in sources:
            each = bind(source, sc)
            kept = sc.fresh(NUMBER)

            def once(one: Code, inner: Scope, name: str = name, left: str = left, kept: str = kept) -> None:
                change(inner, node, name, one, left, -1, kept=kept)
                inner.out.append(Assign(left, f"{left} - {kept}"))

            each_of(each, sc, once)


def pay(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """All or nothing; the shortfall is remembered (`the amount you could not pay`)."""
    what = roles["what"]
    to = target(roles["to"], sc, sc.you or player_code(f"v[{ACTIVE}]"), "Pay to") if "to" in roles else None
    did = sc.fresh(NUMBER)
    sc.did = did
    if things_not_counters(what, sc):
        sc.out.append(Assign(did, "1"))
        discard(node, roles, sc, subject)
        return
    parts = [(name, sc.fresh(NUMBER), sel, amount, whole) for name, amount, sel, whole in amount_of(node, what, sc)]
    tests = []
    short = sc.fresh(NUMBER)
    sc.short = short
    sc.out.append(Assign(short, "0"))
    holders = []
    for name, var, sel, amount, whole in parts:
        holder = holder_of(sel, sc, subject, node)
        holders.append(holder)
        cell = cell_of(name, holder, sc, node, sel)
        if isinstance(sel, t.Sel) and sel.quant in ("any number of", "up to"):
            chosen_amount(sc, node, sel, name, var, cell, amount)
        else:
            sc.out.append(Assign(var, f"v[{cell}]" if whole else f"max(0, {amount})"))
        tests.append(f"v[{cell}] >= {var}")
        sc.out.append(Assign(short, f"max({short}, {var} - v[{cell}])"))
    inner = sc.inner(out=[])
    inner.out.append(Assign(did, "1"))
    for (name, var, sel, _, _), holder in zip(parts, holders):
        change(inner, node, name, holder, var, -1, sel, "pay")
        if to is not None:
            change(inner, node, name, to, var, 1)
    if to is not None and not to.sure and not to.type.many:
        tests.append(f"{to.py} >= 0")  # there is somebody to be paid
    both = " and ".join(tests)
    sc.out.append(Assign(did, "0"))
    sc.out.append(Branch(both, inner.out, pay_what_there_is(sc, node, parts, holders, to) if short_is_read(sc) else []))


def short_is_read(sc: Scope) -> bool:
    return bool(sc.source and "could not pay" in sc.source.text)


def pay_what_there_is(sc: Scope, node: Any, parts: list[Any], holders: list[Code], to: Code | None) -> list[Any]:
    """Where the text goes on with the shortfall, what is there is paid."""
    inner = sc.inner(out=[])
    for (name, var, sel, _, _), holder in zip(parts, holders):
        cell = cell_of(name, holder, inner, node, sel)
        inner.out.append(Assign(var, f"v[{cell}]"))
        change(inner, node, name, holder, var, -1, sel, "pay")
        if to is not None:
            change(inner, node, name, to, var, 1)
    return inner.out


def chosen_amount(sc: Scope, node: Any, sel: t.Sel, name: str, var: str, cell: str, amount: str) -> None:
    """`pay any number of Coins`: the amount is chosen, bounded by what is there and by the counter's `most`."""
    counter = sc.b.model.counters[name]
    if counter.most is None:
        sc.fault(sel, "unbounded-choice", f"how many {name}? Give the counter a `most`, so that the choice is bounded")
    most = counter.most or 1
    sc.b.most_number = max(sc.b.most_number, most)
    limit = f"min(v[{cell}], {amount})" if sel.quant == "up to" else f"v[{cell}]"
    answer = ask_one(
        sc,
        sel,
        sc.you or player_code("v[1]"),
        [f"o = [NB+i for i in range(min({most}, {limit}) + 1)]"],
        f"Choose how many {name}",
        "number",
        NUMBER,
    )
    sc.out.append(Assign(var, f"{answer} - NB"))


def take(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    if not things_not_counters(what, sc):
        source = source_of(roles["from"], what, sc, subject) if "from" in roles else None
        for name, amount, sel, whole in amount_of(node, what, sc):
            kept = sc.fresh(NUMBER)
            sc.out.append(Assign(kept, "0"))
            holder = source or (holder_of(sel, sc, None, node) if sel.place is not None or sel.of is not None else None)
            if holder is None:
                change(sc, node, name, holder_of(sel, sc, subject, node), amount, 1, sel)
                continue
            change(sc, node, name, holder, "v[k]" if whole else amount, -1, sel, kept=kept)
            if subject is not None:
                change(sc, node, name, subject, kept, 1)
        return
    who = subject or sc.you or player_code("v[1]")
    sel = what
    if "from" in roles and isinstance(what, t.Sel) and what.place is None:
        sel = t.Sel(
            what.head,
            what.quant,
            what.count,
            what.adjs,
            what.of,
            what.of_form,
            t.Place("in", roles["from"], at=node.at),
            what.filters,
            what.trail,
            what.at_random,
            what.rounding,
            what.plural,
            at=what.at,
        )
    supply = supply_of(sel, sc)
    if supply is not None and supply.deck:
        drawn(sc, node, f"{supply.base}", how_many(sel, sc), kind_of_head(sc, sel.head) or "card",
              lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node, True), "take"))
        return
    if supply is not None:
        sel = replace(sel, place=t.Place("in", t.Sel(supply.name, "the", at=sel.at), at=sel.at))
    things = target(sel, sc, who, "Take")
    if supply is not None and "take" in sc.b.replaced:
        none_left(node, sel, supply, things, who, sc)
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node, True), "take"))


def supply_of(sel: Any, sc: Scope) -> Any:
    """The zone where `take a Charm` finds one, when the text does not say where: the supply of its kind."""
    if not isinstance(sel, t.Sel) or sel.place is not None or sel.of is not None or sel.trail or sel.quant not in OPEN:
        return None
    record = next((r for r in sc.b.model.records.values() if r.name == sel.head), None)
    kind = sc.b.model.kinds.get(kind_of_head(sc, sel.head) or (record.kind if record else ""))
    return sc.b.model.zones.get(kind.supply) if kind is not None else None


OPEN = ("a", "another", "exactly", "up to", "any number of", "at least")


def how_many(sel: t.Sel, sc: Scope) -> str:
    return number(sel.count, sc).py if sel.count is not None else "1"


def none_left(node: t.Act, sel: t.Sel, supply: Any, things: Code, who: Code, sc: Scope) -> None:
    """What would be taken is not there: that too may be replaced (one of its kind stands for what is wanted)."""
    kind = sc.b.model.kinds.get(things.type.kind)
    if kind is None or kind.lo == kind.hi:
        return
    inner = sc.inner(out=[])
    one = Code(str(kind.lo), thing(kind.name), sure=True)
    args = [who.py, one.py, str(supply.base), hand_zone(inner, one, who, node, True)]
    propose(inner, "take", args, who.py, lambda last: None)
    sc.out.append(Branch(f"not {things.py}" if things.type.many else f"{things.py} < 0", inner.out))


def hand_zone(sc: Scope, one: Code, who: Code, node: Any, taken: bool = False) -> str:
    """The zone that draw leads to: the kind's `hand`, else the zone called Hand of a player. taken: to the kind's `taken`,
    if it has one."""
    model = sc.b.model
    kind = model.kinds.get(one.type.kind)
    name = kind.taken if kind and kind.taken and taken else kind.hand if kind and kind.hand else "Hand"
    if kind is None and any(k.hand or k.taken for k in model.kinds.values()):
        return f"hand_of(s, {one.py}, {who.py}, {taken})"
    zone = model.zones.get(name)
    if zone is None:
        owned = next(
            (
                z
                for z in model.zones.values()
                if z.of == "player" and any(is_a(model, one.type.kind, h) for h in z.holds)
            ),
            None,
        )
        zone = owned
    if zone is None:
        sc.fault(node, "type", f"a {one.type.kind} has no hand to go to: give its kind a `hand`")
        return "-1"
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)


def give(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    to = target(roles["to"], sc, subject or player_code("v[1]"), "Give to")
    what = roles["what"]
    if not things_not_counters(what, sc):
        for name, amount, sel, whole in amount_of(node, what, sc):
            kept = sc.fresh(NUMBER)
            sc.out.append(Assign(kept, "0"))
            change(sc, node, name, holder_of(sel, sc, subject, node), "v[k]" if whole else amount, -1, sel, kept=kept)
            change(sc, node, name, to, kept, 1)
        return
    things = target(what, sc, subject or player_code("v[1]"), "Give")
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, to, node), "give"))


def set_(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Set a counter, a settable field, the owner, or a local."""
    what, to = roles["what"], roles["to"]
    model = sc.b.model
    if isinstance(what, t.Local):
        local = bind(what, sc)
        value = bind(to, sc)
        sc.out.append(Assign(local.py, value.py))
        return
    if isinstance(what, t.Sel) and what.head in model.counters:
        counter = model.counters[what.head]
        of_all = each_bearer(what, counter, sc)
        holder = of_all or holder_of(what, sc, subject, node)
        same = None if of_all else number(to, sc)

        def once(one: Code, inner: Scope) -> None:
            amount = same or number(to, inner.inner(itself=one))
            cell = cell_of(what.head, one, inner, node, what)
            bounded = f"max({counter.least}, {amount.py})"
            if counter.most is not None:
                bounded = f"min({counter.most}, {bounded})"
            actor = inner.you.py if inner.you else f"v[{ACTIVE}]"
            member = member_py(what.head, one, inner, what)
            calls_up, up = announce(inner, f"gain:{what.head}", one.py, "n - old", actor, member)
            calls_down, down = announce(inner, f"lose:{what.head}", one.py, "old - n", actor, member)
            lines = [
                f"n = {bounded}",
                f"k = {cell}",
                "old = v[k]",
                "if n != old:",
                "    v[k] = n",
                f"    if s.lg is not None: s.lg.append(('set', {one.py}, {what.head!r}, n))",
            ]
            if calls_up:
                lines.append(f"    if n > old: {calls_up[0]}")
            if calls_down:
                lines.append(f"    if n < old: {calls_down[0]}")
            inner.out.append(Run(lines, up | down))

        each_of(holder, sc, once)
        return
    if isinstance(what, t.Sel) and what.head == "player" and "first" in what.adjs:
        sc.out.append(Run([f"v[{FIRST}] = {bind(to, sc).py}"]))
        return
    if isinstance(what, t.Sel) and what.head == "player" and "active" in what.adjs:
        sc.out.append(Run([f"v[{ACTIVE}] = {bind(to, sc).py}"]))
        return
    if isinstance(what, t.Sel) and what.of is not None:
        holders = bind(what.of, sc)

        def assign(one: Code, inner: Scope) -> None:
            deep = inner.inner(locals={**inner.locals, "printed value": one})
            var = inner.fresh(one.type)
            inner.out.append(Assign(var, one.py))
            target_code = bind(
                t.Sel(what.head, of=t.Local("set one"), of_form="of", at=what.at),
                deep.inner(locals={**deep.locals, "set one": Code(var, one.type, sure=True)}),
            )
            value = set_value(to, target_code, inner)
            if not target_code.base:
                inner.fault(
                    what, "type", f"{what.head} is printed and cannot be set; declare the field `settable: true`"
                )
                return
            if value.type.sort != target_code.type.sort:
                inner.fault(to, "type", f"{what.head} holds {words_of(target_code.type)}, not {words_of(value.type)}")
            inner.out.append(Run([f"v[{target_code.base}] = {value.py}"]))

        each_of(holders, sc, assign)
        return
    code = bind(what, sc.inner(locals={**sc.locals, "printed value": player_code("0")}))
    if not code.base:
        sc.fault(what, "type", "this cannot be set")
        return
    sc.out.append(Run([f"v[{code.base}] = {bind(to, sc).py}"]))


def set_value(to: Any, now: Code, sc: Scope) -> Code:
    """What something is set to: chosen where that is left open; `another` is not what it is now."""
    if not is_choice(to, sc):
        return bind(to, sc)
    inner = sc.inner(named=[*sc.named, Code(now.py, now.type)])
    code = choose(to, inner, sc.you or player_code(f"v[{ACTIVE}]"))
    sc.name(code)
    return code


def each_bearer(what: t.Sel, counter: Any, sc: Scope) -> Code | None:
    """`set the Marks to the Prices`: of each thing that bears one, to its own."""
    if not what.plural or what.of is not None or what.place is not None or {"player", "game"} & set(counter.on):
        return None
    return everything(t.Sel(counter.on[0], "each", plural=True, at=what.at), sc)


def increase(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    adjust(node, roles, sc, subject, 1)


def reduce(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    adjust(node, roles, sc, subject, -1)


def adjust(node: t.Act, roles: Roles, sc: Scope, subject: Code | None, sign: int) -> None:
    what = roles["what"]
    amount = number(roles["by"], sc)
    if isinstance(what, t.Sel) and what.head in sc.b.model.counters:
        change(sc, node, what.head, holder_of(what, sc, subject, node), amount.py, sign, what)
        return
    if isinstance(what, t.Sel) and isinstance(what.of, t.Node) and not (isinstance(what.of, t.Local) and what.of.name == "set one"):
        each_of(bind(what.of, sc), sc, lambda one, inner: adjust_field(node, roles, inner, subject, sign, one))
        return
    raw = sc.inner(locals={**sc.locals, "printed value": player_code("0")})
    code = bind(what, raw)
    op = "+" if sign > 0 else "-"
    if code.type.sort != "number":
        sc.fault(what, "type", f"{words_of(code.type)} cannot be increased or reduced")
    elif code.base:
        sc.out.append(Run([f"v[{code.base}] = max(0, v[{code.base}] {op} {amount.py})"]))
    elif code.py.startswith("x"):
        sc.out.append(Assign(code.py, f"max(0, {code.py} {op} {amount.py})"))
        code.most = None if sign > 0 and (code.most is None or amount.most is None) else code.most
    else:
        sc.fault(what, "type", "this number is printed or computed; it cannot be changed here")


def adjust_field(node: t.Act, roles: Roles, sc: Scope, subject: Code | None, sign: int, one: Code) -> None:
    """A number of one thing that is there: its cell is reckoned from the thing, which is kept."""
    var = sc.fresh(one.type)
    sc.out.append(Assign(var, one.py))
    named = sc.inner(locals={**sc.locals, "set one": Code(var, one.type, sure=True)})
    what = replace(roles["what"], of=t.Local("set one", at=roles["what"].at), of_form="of")
    adjust(node, {**roles, "what": what}, named, subject, sign)


# ---------------------------------------------------------------- things


def move_to(sc: Scope, node: Any, one: Code, zone: str, verb: str, under: bool = False) -> None:
    """One thing to a zone (Python expression): log, announce leave, the verb, and enter; proposed where replaceable."""
    model = sc.b.model
    who = sc.you.py if sc.you else f"v[{ACTIVE}]"
    leaving, f1 = announce(sc, "leave", who, one.py, "f", "g")
    acted, f2 = announce(sc, verb, who, one.py, "f", "g")
    entering, f3 = announce(sc, "enter", who, one.py, "f", "g")
    lines = [f"f = v[{model.loc}+{one.py}]", f"g = {zone}"]
    told = [f"{var} = 1" for var in sc.results[-1:]]
    moved = f"mv(s, {one.py}, g, True)" if under else f"mv(s, {one.py}, g)"
    away = verb in ("discard", "remove")
    body = [
        *leaving,  # before it moves: whose text holds only where it lies still hears it
        *(acted if away else ()),
        moved,
        *new_owner(sc, one),
        *told,
        f"if s.lg is not None: s.lg.append(('move', {one.py}, f, g, v[{model.seen}+{one.py}]))",
        *(() if away else acted),
        *entering,
    ]
    lines.append("if f != g:")
    lines += ["    " + line for line in body]
    fires = f1 | f2 | f3
    keys = [k for k in ("leave", verb, "enter") if k in sc.b.replaced]
    if not keys:
        sc.out.append(Run(lines, fires))
        return
    goal = sc.fresh(NUMBER)
    sc.out.append(Assign(goal, zone))
    run = [line.replace(f"g = {zone}", f"g = {goal}") for line in lines]

    def chain(left: list[str], inner: Scope) -> None:
        if not left:
            inner.out.append(Run(run, fires))
            return
        propose(
            inner,
            left[0],
            [who, one.py, f"v[{model.loc}+{one.py}]", goal],
            affected_of(inner, one),
            lambda deep: chain(left[1:], deep),
        )

    chain(keys, sc)


def new_owner(sc: Scope, one: Code) -> list[str]:
    """A card with an owner of its own belongs to the player into whose place it comes."""
    model = sc.b.model
    kinds = [k for k in model.kinds.values() if k.owned and k.card and not k.each and may_be(model, k.name, one.type.kind)]
    if not kinds:
        return []
    owner = sc.b.table(tuple(model.zone_owner), "PLAYERS")
    tests = [kind_test(model, k.name, one.py, one.type.kind) for k in kinds if not (k.parent and model.kinds[k.parent].owned)]
    known = "" if "" in tests else f" and ({' or '.join(tests)})"
    return [f"if g >= 0 and {owner}[g] >= 0{known}: v[{model.own}+{one.py}] = {owner}[g]"]


def zone_for(code: Code, sc: Scope, node: Any) -> str:
    """One zone to put things in or on: a zone, or the place on a thing."""
    where_ = zones_of(code, sc)
    if where_ is None or not where_[0]:
        sc.fault(node, "type", f"{words_of(code.type)} is no one place to put things")
        return "-1"
    return where_[1]


def move(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles.get("what")
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    if what is not None and not things_not_counters(what, sc):
        move_counters(node, roles, sc, subject)
        return
    if what is None:
        things = subject or who
        there = bind(roles["to"], sc.inner(pure=True)) if "to" in roles and not is_choice(roles["to"], sc) else None
        things = lies_on(sc, things, there.type.kind if there is not None and there.type.sort == "thing" else "thing") or things
    else:
        if "from" in roles and isinstance(what, t.Sel) and what.place is None:
            what = t.Sel(
                what.head,
                what.quant,
                what.count,
                what.adjs,
                what.of,
                what.of_form,
                t.Place("in", roles["from"], at=node.at),
                what.filters,
                what.trail,
                what.at_random,
                what.rounding,
                what.plural,
                at=what.at,
            )
        things = target(what, sc, who, "Move")
    if "to" in roles:
        to = place_code(roles["to"], sc, who, things)
        each_of(things, sc, lambda one, inner: move_to(inner, node, one, zone_for(to, inner, roles["to"]), "move"))
        return
    each_of(things, sc, lambda one, inner: along_path(node, roles, inner, one, who))


def place_code(node: Any, sc: Scope, who: Code, things: Code) -> Code:
    if is_choice(node, sc):
        return choose(node, sc, who, "Choose")
    code = bind(node, sc)
    if code.type.kind == "player" and code.type.sort == "thing":
        return (
            Code(hand_zone(sc, things, code, node), thing("zone"))
            if False
            else zone_code(hand_zone(sc, things, code, node))
        )
    if (code.type.sort == "zone" and not code.type.many) or code.py.startswith("x") or code.py.isdigit():
        return code
    var = sc.fresh(code.type)
    sc.out.append(Assign(var, code.py))
    return Code(var, code.type, sure=code.sure)


def zone_code(py: str) -> Code:
    from interpreter.bound import ZONE

    return Code(py, ZONE)


def along_path(node: t.Act, roles: Roles, sc: Scope, one: Code, who: Code) -> None:
    """Move forward or backward along a path: N spaces, up to N (each chosen), or until a condition."""
    model = sc.b.model
    step = "-1" if "backward" in roles else "1"
    paths = model.tables["path zones"]
    table = [-1] * model.things
    for x, zone in paths.items():
        table[x] = zone
    path_table = sc.b.table((*table, -1), "PATH")
    way = sc.fresh(thing("thing"))
    if "along" in roles:
        along = roles["along"]
        if isinstance(along, t.Join):
            options = [bind(part, sc) for part in along.parts]
            lines = [
                f"o = distinct([i for i in ({', '.join(o.py for o in options)},) if here_on(s, {one.py}, z[{path_table}[i]])])"
            ]
            sc.out.append(Ask(way, who.py, lines, "Choose a path", "thing", where(sc, node)))
        else:
            sc.out.append(Assign(way, bind(along, sc).py))
    else:
        sc.out.append(Assign(way, f"path_of(s, {one.py}, {who.py})"))
    inner = sc.inner(out=[], pure=False)
    nxt = f"next_zone(s, {one.py}, z[{path_table}[{way}]], {step})"
    if "until" in roles:
        limit = sc.fresh(NUMBER)
        inner.name(one)
        move_to(inner, node, one, nxt, "move")
        cond = condition(roles["until"], inner.inner(pure=True))
        sc.out.append(
            Branch(
                f"{way} >= 0",
                [
                    Assign(limit, f"len(z[{path_table}[{way}]])"),
                    Loop(
                        f"{limit} > 0",
                        [*inner.out, Assign(limit, f"{limit} - 1"), Branch(cond.py, [Assign(limit, "0")])],
                    ),
                ],
            )
        )
        return
    amount = roles.get("forward", roles.get("backward"))
    left = sc.fresh(NUMBER)
    upto = isinstance(amount, t.Sel) and amount.quant == "up to"
    count = amount.count if isinstance(amount, t.Sel) and amount.count is not None else amount
    value = (
        number(count, sc)
        if count is not None and not isinstance(count, (str, t.Sel))
        else (
            number(count, sc)
            if isinstance(count, t.Sel) and count.head in model.counters
            else Code("1", NUMBER, most=1)
        )
    )
    if upto:
        most = value.most if value.most is not None else 30
        sc.b.most_number = max(sc.b.most_number, most)
        answer = ask_one(
            sc,
            node,
            who,
            [f"o = [NB+i for i in range(min({most}, {value.py}) + 1)]"],
            "Choose how far",
            "number",
            NUMBER,
        )
        sc.out.append(Assign(left, f"{answer} - NB"))
    else:
        sc.out.append(Assign(left, value.py))
    move_to(inner, node, one, nxt, "move")
    sc.out.append(Branch(f"{way} >= 0", [Loop(f"{left} > 0", [Assign(left, f"{left} - 1"), *inner.out])]))


def move_counters(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """`Move amount Gold from you to target`, `move all Chaos on it to that player`."""
    source = source_of(roles["from"], roles["what"], sc, subject) if "from" in roles else None
    to = target(roles["to"], sc, subject or player_code("v[1]"), "Move to")
    for name, amount, sel, whole in amount_of(node, roles["what"], sc):
        kept = sc.fresh(NUMBER)
        sc.out.append(Assign(kept, "0"))
        holder = source or holder_of(sel, sc, subject, node)
        total = sc.fresh(NUMBER)
        sc.out.append(Assign(total, "0"))

        def once(
            one: Code,
            inner: Scope,
            name: str = name,
            amount: str = amount,
            sel: Any = sel,
            whole: bool = whole,
            kept: str = kept,
            total: str = total,
        ) -> None:
            change(inner, node, name, one, "v[k]" if whole else amount, -1, sel, kept=kept)
            inner.out.append(Assign(total, f"{total} + {kept}"))

        each_of(holder, sc, once)
        change(sc, node, name, to, total, 1, sel if to.type.kind != "player" else None)


def place(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Counters on a thing, or things in or on a place; an indefinite piece without a place comes from the supply."""
    what = roles["what"]
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    prep = next((p for p in ("on", "in", "at", "under", "above", "beside", "into", "to") if p in roles), "")
    if not things_not_counters(what, sc):
        to = target(roles[prep], sc, who, "Place on") if prep else who
        for name, amount, sel, _ in amount_of(node, what, sc):
            own = sel if isinstance(sel, t.Sel) and sel.of is not None else None
            change(sc, node, name, to, amount, 1, own, "gain")
        return
    if prep and speaks_of(roles[prep]) and isinstance(what, t.Sel) and not is_choice(what, sc) and not from_supply(what, sc):
        sc.name(bind(what, sc.inner(pure=True)))          # `place each Charm under its Deck`
    if prep:
        to = (
            place_code(roles[prep], sc, who, Code("-1", thing("thing")))
            if not plural_place(roles[prep], sc)
            else bind(roles[prep], sc)
        )
    else:
        to = None
    parts = what.parts if isinstance(what, t.Join) and what.op == "and" else (what,)
    for part in parts:

        def at(one_place: Code | None, inner: Scope, part: Any = part) -> None:
            if from_supply(part, inner):
                things = supplied(part, inner, who)
            else:
                things = target(
                    part, inner.inner(anywhere=whole(part), named=inner.named, chosen=inner.chosen), who, "Place"
                )

            def put(one: Code, deep: Scope) -> None:
                zone = (
                    hand_zone(deep, one, subject or who, node)
                    if one_place is None
                    else under_zone(deep, one_place, prep, node)
                )
                move_to(deep, node, one, zone, "place", under=prep == "under")

            each_of(things, inner, put)

        if to is None:
            at(None, sc)
        else:
            each_of(to, sc, at) if to.type.sort == "thing" else (
                at(to, sc) if not to.type.many else each_zone(to, sc, at)
            )


def whole(sel: Any) -> bool:
    """`each Charm`, `all Charms of that Tower`, without a place: wherever they are, also out of the game."""
    return (
        isinstance(sel, t.Sel)
        and sel.place is None
        and not sel.trail
        and (sel.quant in ("each", "all", "the") or sel.plural)
        and sel.count is None
    )


def each_zone(to: Code, sc: Scope, body: Callable[[Code, Scope], None]) -> None:
    var = sc.fresh(NUMBER)
    from interpreter.bound import ZONE

    one = Code(var, Type("zone", to.type.kind) if to.type.kind else ZONE)
    sc.out.append(
        Each(
            var,
            f"tuple({to.py})",
            collect(sc, lambda inner: body(one, inner)),
            items=sc.fresh(Type("number", "", True)),
            index=sc.fresh(NUMBER),
        )
    )


def plural_place(node: Any, sc: Scope) -> bool:
    return isinstance(node, t.Sel) and node.quant in ("each", "all")


def under_zone(sc: Scope, code: Code, prep: str, node: Any) -> str:
    return zone_for(code, sc, node)


def from_supply(sel: Any, sc: Scope) -> bool:
    """An indefinite piece of a kind whose spare pieces lie out of the game, or in the supply of the kind."""
    return (
        isinstance(sel, t.Sel)
        and (kind_of_head(sc, sel.head) is not None or sel.quant and copied(sel.head, sc) is not None)
        and sel.place is None
        and sel.trail != "chosen"
        and sel.quant in ("a", "exactly", "another", "")
        and not sel.filters
        and kind_of_head(sc, sel.head) not in ("player", "card")
    )


def copied(name: str, sc: Scope) -> Any:
    """The record of this name whose copies lie in the supply of their kind, or whose pieces lie out of the game."""
    model = sc.b.model
    found = next((r for r in model.records.values() if r.name == name and len(r.ids) > 1), None)
    kind = model.kinds[found.kind] if found is not None else None
    return found if kind is not None and (kind.supply or not kind.card) else None


def supplied(sel: t.Sel, sc: Scope, who: Code) -> Code:
    """Pieces from the supply, as many as there are."""
    model = sc.b.model
    kind = kind_of_head(sc, sel.head)
    if kind is None:
        record = copied(sel.head, sc)
        kind, lo, hi = record.kind, record.ids[0], record.ids[-1] + 1
    else:
        lo, hi = model.kinds[kind].lo, model.kinds[kind].hi
    supply = model.zones.get(model.kinds[kind].supply)
    conds = f"v[{model.loc}+i] == {supply.base}" if supply is not None else f"v[{model.loc}+i] < 0"
    if sel.of is not None:
        conds += f" and v[{model.own}+i] == {bind(sel.of, sc).py}"
    elif model.kinds[kind].owned:
        conds += f" and v[{model.own}+i] == {who.py}"
    count = number(sel.count, sc).py if sel.count is not None else "1"
    var = sc.fresh(thing(kind, True))
    spare = f"[i for i in range({lo}, {hi}) if {conds}]"
    if supply is None and model.kinds[kind].card:  # named copies of a card: the others, wherever they are
        spare = f"[*{spare}, *[i for i in range({lo}, {hi}) if v[{model.loc}+i] >= 0]]"
    sc.out.append(Assign(var, f"tuple({spare}[:max(0, {count})])"))
    code = Code(var, thing(kind, True))
    if count == "1":
        single = sc.fresh(thing(kind))
        sc.out.append(Assign(single, f"one({var})"))
        code = Code(single, thing(kind))
    sc.name(code)
    return code


def remove(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    if not things_not_counters(what, sc):
        for name, amount, sel, whole in amount_of(node, what, sc):
            holder = (
                source_of(roles["from"], what, sc, subject)
                if "from" in roles
                else holder_of(sel, sc, subject, node)
            )
            change(sc, node, name, holder, "v[k]" if whole else amount, -1, sel)
        return
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    if (
        "from" in roles
        and isinstance(what, t.Sel)
        and what.place is None
        and isinstance(roles["from"], t.Sel)
        and roles["from"].head != "game"
    ):
        what = t.Sel(
            what.head,
            what.quant,
            what.count,
            what.adjs,
            what.of,
            what.of_form,
            t.Place("on", roles["from"], at=node.at),
            what.filters,
            what.trail,
            what.at_random,
            what.rounding,
            what.plural,
            at=what.at,
        )
    things = target(what, sc, who, "Remove")
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, out_of_game(inner, one), "remove"))


def out_of_game(sc: Scope, one: Code) -> str:
    """Where a removed thing goes: a card is gone, a piece returns to the supply."""
    model = sc.b.model
    box = tuple(model.tables["removed"] if model.kinds[k].card else -1 for k in model.kind_of)
    return f"{sc.b.table(box, 'BOX')}[{one.py}]"


def discard(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """To the discard zone of the kind (of the owner of the card where each player has one), else out of the game."""
    what = roles["what"]
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    things = target(what, sc, who, "Discard")
    each_of(things, sc, lambda one, inner: move_to(inner, node, one, discard_zone(inner, one, who), "discard"))


def discard_zone(sc: Scope, one: Code, who: Code) -> str:
    model = sc.b.model
    kind = model.kinds.get(one.type.kind)
    if kind is None or not any(
        k.discard
        for k in model.kinds.values()
        if is_a(model, k.name, one.type.kind) or is_a(model, one.type.kind, k.name)
    ):
        if kind is None and any(k.discard for k in model.kinds.values()):
            return f"discard_of(s, {one.py}, {who.py})"
        return "-1"
    if not kind.discard:
        return f"discard_of(s, {one.py}, {who.py})"
    zone = model.zones.get(kind.discard)
    if zone is None:
        return "-1"
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)


def swap(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    who = subject or sc.you or player_code("v[1]")
    first, second = target(roles["what"], sc, who, "Swap"), target(roles["with"], sc, who, "Swap with")
    here, there = sc.fresh(NUMBER), sc.fresh(NUMBER)
    loc = sc.b.model.loc
    both = sc.inner(out=[])
    both.out += [Assign(here, f"v[{loc}+{first.py}]"), Assign(there, f"v[{loc}+{second.py}]")]
    move_to(both, node, Code(first.py, first.type, sure=True), there, "move")
    move_to(both, node, Code(second.py, second.type, sure=True), here, "move")
    sc.out.append(Branch(f"{first.py} >= 0 and {second.py} >= 0", both.out))


def flip(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    states = sc.b.model.states.get("face-down")
    things = target(roles["what"], sc, subject or sc.you or player_code("v[1]"), "Flip")
    if not states:
        sc.fault(node, "type", "nothing of this game has a face: declare the state face-down")
        return
    cell = states[0].cell
    down = roles.get("face", "down") == "down"
    model = sc.b.model

    def once(one: Code, inner: Scope) -> None:
        key = "become:face-down" if down else "become:face-up"
        calls, fires = announce(inner, key, inner.you.py if inner.you else f"v[{ACTIVE}]", one.py)
        lines = [f"v[{cell}+{one.py}] = {int(down)}"]
        if not down:
            lines.append(f"if v[{model.loc}+{one.py}] >= 0: know(s, (1 << v[0]) - 1, {one.py})")
        lines += [f"if s.lg is not None: s.lg.append(('flip', {one.py}, {int(down)}))", *calls]
        turned = ["    " + line for line in lines]
        inner.out.append(Run([f"if v[{cell}+{one.py}] != {int(down)}:", *turned], fires))

    each_of(things, sc, once)


# ---------------------------------------------------------------- cards


def deck_of(sc: Scope, sel: t.Sel, who: Code, node: Any) -> str | None:
    """The zone that a kind of card is drawn from (Python expression)."""
    model = sc.b.model
    kind = model.kinds.get(sel.head)
    if sel.place is not None:
        return zone_for(bind_place(sel.place.where, sc), sc, node)
    zone = model.zones.get(kind.deck) if kind and kind.deck else None
    if zone is None:
        zone = next(
            (
                z
                for z in model.zones.values()
                if z.deck and (sel.head == "card" or any(is_a(model, sel.head, h) for h in z.holds))
            ),
            None,
        )
    if zone is None:
        sc.fault(node, "type", f"{sel.head} is drawn from no deck: give its kind a `deck`")
        return None
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)


def draw(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    sel = what.what if isinstance(what, t.Equal) else what
    if isinstance(what, t.Per):
        sel = what.amount
    if not isinstance(sel, t.Sel):
        sc.fault(what, "type", "draw what? Write `draw 2 Charms`")
        return
    if isinstance(what, t.Equal):
        count = number(what.amount, sc).py
    elif isinstance(what, t.Per):
        count = f"{number(sel.count, sc).py if sel.count is not None else '1'} * {bind(t.Count(what.each, at=what.at), sc).py}"
    else:
        count = number(sel.count, sc).py if sel.count is not None else "1"
    source = bind(roles["from"], sc) if "from" in roles else None
    zone = zone_for(source, sc, node) if source is not None else deck_of(sc, sel, who, node)
    if zone is None:
        return
    kind = kind_of_head(sc, sel.head) or "card"
    held = sc.b.model.zones.get(source.type.kind) if source is not None and source.type.sort == "zone" else None
    if held is not None and not held.deck:
        blind = t.Sel(sel.head, "exactly", t.Num(1), sel.adjs, place=t.Place("in", roles["from"]), at_random=True, plural=True, at=sel.at)
        count_ = what.amount if isinstance(what, t.Equal) else sel.count or t.Num(1)
        things = target(replace(blind, count=count_), sc, who, "Draw")
        each_of(things, sc, lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node), "draw"))
        return
    drawn(
        sc,
        node,
        zone,
        count,
        kind,
        lambda one, inner: move_to(inner, node, one, hand_zone(inner, one, who, node), "draw"),
    )


def drawn(sc: Scope, node: Any, zone: str, count: str, kind: str, body: Callable[[Code, Scope], None]) -> str:
    """The top cards of a deck one after the other → the variable with all of them; a mixed deck gives them at random."""
    left, deck, top, got = sc.fresh(NUMBER), sc.fresh(NUMBER), sc.fresh(thing(kind)), sc.fresh(thing(kind, True))
    inner = sc.inner(out=[])
    one = Code(top, thing(kind), sure=True)
    inner.out += [Run([f"settle(s, {deck}, {top})"]), Assign(got, f"{got} + ({top},)")]
    body(one, inner)
    chance = Chance(top, f"tops(s, {deck})", "Draw", where(sc, node))
    sc.out += [
        Assign(left, count),
        Assign(deck, zone),
        Assign(got, "()"),
        Loop(
            f"{left} > 0", [Assign(left, f"{left} - 1"), chance, Branch(f"{top} >= 0", inner.out, [Assign(left, "0")])]
        ),
    ]
    code = Code(got, thing(kind, True))
    sc.name(code)
    if count == "1":
        sc.name(Code(top, thing(kind)))
    sc.chosen["drawn " + kind] = code
    return got


def shuffle(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles["what"]
    if "into" not in roles:
        code = bind(what, sc)
        zone = zone_for(code, sc, node)
        sc.out.append(Run([f"k = {zone}", "shuffle(s, k)", "if s.lg is not None: s.lg.append(('shuffle', k))"]))
        return
    into = zone_for(bind(roles["into"], sc), sc, node)
    code = bind(what, sc.inner(pure=True))
    if code.type.sort == "zone":
        things = Code(f"z[{code.py}]", thing("thing", True))
    else:
        things = target(what, sc.inner(anywhere=whole(what)), sc.you or player_code("v[1]"), "Shuffle")

    def once(one: Code, inner: Scope) -> None:
        inner.out.append(Run([f"shuffle_in(s, {one.py}, {into})"]))

    each_of(things, sc, once)
    sc.out.append(Run([f"if s.lg is not None: s.lg.append(('shuffle', {into}))"]))


def top_cards(sel: Any) -> bool:
    return isinstance(sel, t.Sel) and sel.quant in ("top", "bottom")


def with_top(sc: Scope, node: Any, sel: t.Sel, who: Code, body: Callable[[Code, Scope], None]) -> Code:
    """`the top N cards of a deck`: they become known in order without leaving it."""
    kind = kind_of_head(sc, sel.head) or "card"
    if sel.of is not None:
        zone = zone_for(bind(sel.of, sc), sc, node)
    else:
        zone = deck_of(sc, sel, who, node) or "-1"
    count = number(sel.count, sc).py if sel.count is not None else "1"
    deck, got, left, one = sc.fresh(NUMBER), sc.fresh(thing(kind, True)), sc.fresh(NUMBER), sc.fresh(thing(kind))
    sc.out += [Assign(deck, zone), Assign(got, "()"), Assign(left, f"min({count}, len(z[{deck}]))")]
    inner = sc.inner(out=[])
    inner.out.append(Run([f"settle_next(s, {deck}, {one}, len({got}))"]))
    inner.out.append(Assign(got, f"{got} + ({one},)"))
    chance = Chance(one, f"next_tops(s, {deck}, len({got}))", "Draw", where(sc, node))
    sc.out.append(
        Loop(
            f"{left} > 0", [Assign(left, f"{left} - 1"), chance, Branch(f"{one} >= 0", inner.out, [Assign(left, "0")])]
        )
    )
    code = Code(got, thing(kind, True))
    each_of(code, sc, body)
    sc.name(code)
    return code


def reveal(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    show(node, roles["what"], sc, subject, "(1 << v[0]) - 1")


def look(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    show(node, roles["what"], sc, subject, f"1 << {who.py}")


def show(node: t.Act, what: Any, sc: Scope, subject: Code | None, mask: str) -> None:
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    calls, fires = announce(sc, "reveal", who.py, "k")
    down = sc.b.model.states.get("face-down")
    kind = kind_of_head(sc, what.head) if isinstance(what, t.Sel) else None
    turned = [f"v[{down[0].cell}+k] = 0"] if node.verb == "reveal" and down and faced(what, kind, down[0].kind, sc) else []

    def once(one: Code, inner: Scope) -> None:
        inner.out.append(
            Run(
                [
                    f"k = {one.py}",
                    f"know(s, {mask}, k)",
                    *turned,
                    "if s.lg is not None: s.lg.append(('reveal', k))",
                    *calls,
                ],
                fires,
            )
        )

    if isinstance(what, t.Sel) and what.quant in ("a", "exactly") and what.place is None and not what.filters and kind_deck(what, sc):
        what = replace(what, quant="top")
    if top_cards(what):
        with_top(sc, node, what, who, once)
        return
    if (isinstance(what, t.Sel) and what.head in sc.b.model.zones) or (
        isinstance(what, t.Sel) and what.head in sc.b.model.counters
    ):
        code = bind(what, sc)
        if code.type.sort == "zone":
            each_of(Code(f"z[{code.py}]", thing("card", True)), sc, once)
        return
    each_of(target(what, sc, who, "Reveal"), sc, once)


def faced(what: Any, kind: str | None, has: str, sc: Scope) -> bool:
    """Whether what is revealed may lie face down on the table, so that it is turned up."""
    if isinstance(what, t.Sel) and kind is None:
        kind = next((r.kind for r in sc.b.model.records.values() if r.name == what.head), None)
    return kind is not None and may_be(sc.b.model, kind, has) and kind not in ("card", "thing")


def kind_deck(sel: t.Sel, sc: Scope) -> bool:
    """Whether a noun is a kind that is drawn from a deck: then one that nothing else tells is the one on top of it."""
    kind = sc.b.model.kinds.get(sel.head)
    return kind is not None and bool(kind.deck)


def play(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """A thing whose kind stays where it is played is put there. Of another the text is performed; then it is discarded, unless
    its text put it somewhere."""
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    things = target(roles["what"], sc, who, "Play")
    loc = sc.b.model.loc

    def once(one: Code, inner: Scope) -> None:
        before = inner.fresh(NUMBER)
        inner.out.append(Assign(before, f"v[{loc}+{one.py}]"))
        # Who plays a card shows it.
        seen = f"v[{sc.b.model.seen}+{one.py}]"
        shown = f"s.lg.append(('did', 'plays {{}}', {who.py}, ({one.py},), ({seen},)))"
        lines = [f"know(s, (1 << v[0]) - 1, {one.py})", f"if s.lg is not None: {shown}"]
        inner.out.append(Branch(f"{one.py} >= 0", [Run(lines)]))
        stays = played_zone(inner, one, who)
        if stays:
            move_to(inner, node, one, stays, "place")
        else:
            effect(inner, node, one, who, "")
            after = inner.inner(out=[])
            move_to(after, node, one, discard_zone(after, one, who), "discard")
            inner.out.append(Branch(f"v[{loc}+{one.py}] == {before}", after.out))
        calls, fires = announce(inner, "play", who.py, one.py)
        if calls:
            inner.out.append(Run(calls, fires))

    each_of(things, sc, once)


def played_zone(sc: Scope, one: Code, who: Code) -> str:
    """The zone where a played thing of this kind stays; '' if it is discarded."""
    kind = sc.b.model.kinds.get(one.type.kind)
    zone = sc.b.model.zones.get(kind.played) if kind is not None and kind.played else None
    if zone is None:
        return ""
    return f"{zone.base}+{who.py}" if zone.of == "player" else str(zone.base)


# ---------------------------------------------------------------- choosing, chance, flow


def choose_act(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    if "low" in roles:
        low, high = number(roles["low"], sc), number(roles["high"], sc)
        if "most" in roles:
            high.most = roles["most"].value
        if high.most is None:
            sc.fault(
                roles["high"],
                "unbounded-choice",
                "the number chosen has no static maximum; say a number, or give the counter a `most`",
            )
        most = high.most or 1
        sc.b.most_number = max(sc.b.most_number, most)
        answer = ask_one(
            sc,
            node,
            who,
            [f"o = [NB+i for i in range(max(0, {low.py}), min({most}, {high.py}) + 1)]"],
            words(sc, node).capitalize(),
            "number",
            NUMBER,
        )
        var = sc.fresh(NUMBER)
        sc.out.append(Assign(var, f"max(0, {answer} - NB)"))
        sc.locals[str(roles["name"])] = Code(var, NUMBER, most=most)
        return
    sel = roles["what"]
    if isinstance(sel, t.Sel) and chooses_role(sel, sc, who):
        return
    if isinstance(sel, t.Sel) and sel.quant == "the":
        sel = t.Sel(
            sel.head,
            "a",
            sel.count,
            sel.adjs,
            sel.of,
            sel.of_form,
            sel.place,
            sel.filters,
            sel.trail,
            sel.at_random,
            sel.rounding,
            sel.plural,
            at=sel.at,
        )
    code = choose(sel, sc, who) if is_choice(sel, sc) or isinstance(sel, t.Join) else target(sel, sc, who)
    if not is_choice(sel, sc) and code.type.sort == "thing":
        sc.chosen[code.type.kind] = code


def chooses_role(sel: t.Sel, sc: Scope, who: Code) -> bool:
    """`choose the Captain`, `choose the first player`, `choose its Side`: who or what it is from then on."""
    model = sc.b.model
    title = model.titles.get(sel.head)
    if title is not None:
        sc.out.append(Run([f"v[{title.cell}] = {choose(t.Sel(title.kind, 'a', at=sel.at), sc, who).py}"]))
        return True
    cell = {"first": FIRST, "active": ACTIVE}.get(sel.adjs[0] if sel.adjs else "")
    if sel.head == "player" and sel.quant == "the" and cell is not None and not sel.plural:
        sc.out.append(Run([f"v[{cell}] = {choose(t.Sel('player', 'a', at=sel.at), sc, who).py}"]))
        return True
    if sel.of is None or sel.quant not in ("", "the") or sel.place is not None:
        return False
    of = bind(sel.of, sc)
    f = field_of(model, of.type.kind, sel.head) if of.type.sort == "thing" and not of.type.many else None
    if f is None or f.type != "thing" or not f.settable:
        return False
    several = next((g for g in model.kinds[of.type.kind].fields.values() if g.type == "list" and g.kind == f.kind), None)
    options = field_py(sc, several, of.py) if several is not None else candidates(t.Sel(f.kind, "a", at=sel.at), sc)[0]
    lines = [f"o = list({options}) if {of.py} >= 0 else []"]
    answer = ask_one(sc, sel, who, lines, f"Choose {words(sc, sel)}", "thing", thing(f.kind))
    sc.out.append(Branch(f"{answer} >= 0", [Run([f"v[{f.cell}+{of.py}] = {answer}"])]))
    sc.chosen[f.kind] = Code(answer, thing(f.kind))
    return True


def roll(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Dice of six sides, or one that has faces of its own; their sum is `the Roll`."""
    what = roles.get("what")
    count = number(what.count, sc).py if isinstance(what, t.Sel) and what.count is not None else "1"
    who = subject if subject is not None else sc.you or player_code(f"v[{ACTIVE}]")
    left, die, total = sc.fresh(NUMBER), sc.fresh(NUMBER), sc.fresh(NUMBER)
    faces = faces_of(what, sc)
    sc.b.most_number = max(sc.b.most_number, *faces)
    plain = min(faces) >= 0
    names = ", ".join(f"NB+{n}" if n >= 0 else str(sc.b.text_action(str(n))) for n in faces)
    chance = Chance(die, f"({', '.join(map(str, faces))},)" if plain else f"({names},)", "Roll", where(sc, node), offset="NB" if plain else "")
    shown = die if plain else f"{sc.b.table(tuple(faces), 'FACES')}[({names},).index({die})]"
    calls, fires = announce(sc, "roll", who.py, total)
    more = [Assign(total, f"changed_roll(s, {who.py}, {total}, {who.py})")] if "roll" in sc.b.modified else []
    sc.out += [
        Assign(left, count),
        Assign(total, "0"),
        Loop(f"{left} > 0", [Assign(left, f"{left} - 1"), chance, Assign(total, f"{total} + {shown}")]),
        *more,
        Run([f"v[{ROLL}] = {total}", f"if s.lg is not None: s.lg.append(('roll', {who.py}, {total}))", *calls], fires),
    ]


def faces_of(what: Any, sc: Scope) -> list[int]:
    """What a die can show: the numbers that its record lists, else 1 to 6."""
    record = next((r for r in sc.b.model.records.values() if isinstance(what, t.Sel) and r.name == what.head), None)
    for f in sc.b.model.kinds[record.kind].fields.values() if record is not None else ():
        if f.type == "numbers" and record is not None and record.values.get(f.name):
            return list(record.values[f.name])
    return [1, 2, 3, 4, 5, 6]


def perform_act(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """Perform the effect of a thing: its text, or another of its text fields (`perform the Echo of it`)."""
    who = subject if subject is not None and subject.type.kind == "player" else sc.you or player_code(f"v[{ACTIVE}]")
    what = roles["what"]
    if isinstance(what, t.Sel) and what.of is not None:
        of = bind(what.of, sc)
        f = field_of(sc.b.model, of.type.kind, what.head) if of.type.sort == "thing" else None
        if f is not None and f.type == "text":
            each_of(of, sc, lambda one, inner: effect(inner, node, one, who, f.name))
            return
    things = target(what, sc, who, "Perform")
    if things.type.sort != "thing":
        sc.fault(what, "type", f"{words_of(things.type)} cannot be performed")
        return
    each_of(things, sc, lambda one, inner: effect(inner, node, one, who, ""))


def main_field(sc: Scope, kind: str) -> str:
    """The text field that `perform` and `play` mean: `text`, else the first."""
    fields = sc.b.model.kinds[kind].fields if kind in sc.b.model.kinds else {}
    names = [f.name for f in fields.values() if f.type == "text"]
    return next((n for n in names if n.lower() == "text"), names[0] if names else "")


def effect(sc: Scope, node: Any, one: Code, who: Code, name: str) -> None:
    model = sc.b.model
    if not name:
        name = main_field(sc, one.type.kind)
        if not name and one.type.kind not in model.kinds:
            name = "*"
    routines = [
        r
        for (record, f), r in sc.b.effects.items()
        if (name == "*" or f == name)
        and (
            name == "*"
            or any(
                is_a(model, model.records[record].kind, k) or is_a(model, k, model.records[record].kind)
                for k in (one.type.kind,)
            )
        )
    ]
    if (
        not routines
        and name != "*"
        and not any(
            f.type == "text"
            for f in (model.kinds[one.type.kind].fields.values() if one.type.kind in model.kinds else ())
        )
    ):
        sc.fault(node, "type", f"a {one.type.kind} has no text to perform")
        return
    sc.out.append(CallEffect(name, who.py, one.py, routines))


def cancel(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """A card on its way to take effect is put aside without effect."""
    discard(node, roles, sc, subject)


def end(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    what = roles.get("what")
    head = what.head if isinstance(what, t.Sel) else "game"
    if head == "game":
        sc.out.append(Finish("game" if "end:game" in sc.b.heard else ""))
    elif head in ("turn", "round") or head in sc.b.step_names:
        sc.out.append(Finish(head))
    else:
        sc.fault(node, "type", f"{head} cannot be ended; the game, the turn and steps can")


def outcome(sc: Scope, node: Any, subject: Code | None, value: int) -> None:
    who = subject or sc.you
    if who is None:
        sc.fault(node, "pronoun", "who? Name the player")
        return
    result = sc.b.model.result
    if who.type.many:
        sc.out.append(Run([f"for i in {who.py}: v[{result}+i] = {value}"]))
    else:
        sc.out.append(Run([f"v[{result}+{who.py}] = {value}"]))
    sc.out.append(Finish())


def contest(node: t.Act, what: Any, sc: Scope, subject: Code | None) -> bool:
    """`the Captain wins the Roll`, `you lose the Bidding`: something that is not the game; what comes of it, texts say."""
    if not isinstance(what, t.Sel) or what.head == "game" or what.head in sc.b.model.counters or kind_of_head(sc, what.head):
        return False
    if what.head not in (*sc.b.step_names, *CORE_NAMES.values()):
        return False
    who = subject or sc.you or player_code(f"v[{ACTIVE}]")
    key = f"{CONTESTS[node.verb]}:{what.head}"
    calls, fires = announce(sc, key, who.py)
    told = f"{VERBS[node.verb].third} the {what.head.capitalize()}"
    line = f"if s.lg is not None: s.lg.append(('do', {told!r}, {who.py}, -1))"
    propose(sc, key, [who.py], who.py, lambda inner: inner.out.append(Run([line, *calls], fires)))
    return True


def win(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    if contest(node, roles.get("what"), sc, subject):
        return
    outcome(sc, node, subject, 1)


def stop(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    sc.out.append(Stop())


def pass_(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    if sc.passed and sc.you is not None:
        sc.out.append(Assign(sc.passed, f"{sc.passed} | 1 << {sc.you.py}"))


def become(node: t.Act, roles: Roles, sc: Scope, subject: Code | None) -> None:
    """`that Guard becomes the Captain`, `it becomes active`: a title or a state of content."""
    model = sc.b.model
    what = roles.get("what")
    who = subject or sc.you
    title = model.titles.get(what.head) if isinstance(what, t.Sel) else None
    if who is None:
        sc.fault(node, "pronoun", "what becomes it? Name it")
        return
    state = roles.get("state", "")
    if title is not None:
        who = as_kind(sc, who, title.kind)
        if not may_be(model, who.type.kind, title.kind):
            sc.fault(node, "type", f"the {title.name} is a {title.kind}, not {words_of(who.type)}")
        cell, value_py = f"v[{title.cell}]", who.py
        key, told = f"become:{title.name}", f"the {title.name}"
    else:
        word, value = flag_of(state, who, sc)
        if word is None:
            sc.fault(node, "type", f"{words_of(who.type)} cannot become {state or 'that'}: declare a state without `is`, or a title")
            return
        cell, value_py = f"v[{word.cell}+{who.py}]", str(value)
        key, told = f"become:{state}", state
    calls, fires = announce(sc, key, sc.you.py if sc.you else f"v[{ACTIVE}]", who.py)
    line = f"if s.lg is not None: s.lg.append(('do', {'{} becomes ' + told!r}, -1, {who.py}))"
    change_it = Branch(f"{cell} != {value_py}", [Run([f"{cell} = {value_py}", line, *calls], fires)])
    sc.out.append(change_it if who.sure else Branch(f"{who.py} >= 0", [change_it]))


NOT = re.compile(r"it is not ([a-z-]+)\.?")


def flag_of(word: str, who: Code, sc: Scope, seen: tuple[str, ...] = ()) -> tuple[Any, int]:
    """The flag that a state stands for and what it is then: 1 for a state without `is`, 0 for one that is another's
    contrary (`is: it is not ready`)."""
    states = sc.b.model.states
    fitting = [s for s in states.get(word, []) if may_be(sc.b.model, who.type.kind, s.kind)]
    for state in fitting:
        if state.source is None:
            return state, 1
        contrary = NOT.fullmatch(state.source.text.strip())
        other = flag_of(contrary[1], who, sc, (*seen, word)) if contrary and contrary[1] not in seen else (None, 0)
        if other[0] is not None:
            return other[0], 1 - other[1]
    return None, 0


def several_of(value: t.Sel, hole: Any, node: t.Act, sc: Scope, subject: Code | None) -> bool:
    """`recall each Guard on it`: a phrase about one thing is performed for each of several."""
    code = bind(value, sc)
    if code.type.sort != "thing" or not code.type.many:
        return False
    one_by_one(code, hole, node, sc, subject)
    return True


def one_by_one(code: Code, hole: Any, node: t.Act, sc: Scope, subject: Code | None) -> None:
    def once(one: Code, inner: Scope) -> None:
        inner.locals["each of them"] = one
        perform_phrase(replaced(node, hole.name, "each of them"), inner, subject)

    each_of(code, sc, once)


def perform_phrase(node: t.Act, sc: Scope, subject: Code | None) -> None:
    """A phrase of content: holes are bound (chosen where the selection leaves a choice), then its routine is called."""
    head = sc.b.phrase_heads[node.verb]
    who = subject or sc.you or player_code(f"v[{ACTIVE}]")
    given = dict(node.roles)
    for hole in (p for p in head.parts if not isinstance(p, str)):
        value = given.get(hole.name)
        if isinstance(value, t.Sel) and not hole.plural and (value.quant in ("each", "all", "each other", "all other") or value.trail == "chosen"):
            if several_of(value, hole, node, sc, subject):
                return
    args = [who.py]
    named: list[Code] = []
    holes = [p for p in head.parts if not isinstance(p, str)]
    for hole in holes:
        value = given.get(hole.name)
        if value is None:
            args.append("-1")
            continue
        if hole.kind not in ("number", "condition") and is_choice(value, sc):
            code = choose(
                value,
                sc,
                who if who.type.kind == "player" else sc.you or player_code("v[1]"),
                f"{head.parts[0]}".capitalize(),
                barred(sc, node.verb, [*args, "i"]) if hole is holes[-1] else "",
            )
            if hole.plural and not code.type.many:
                code = Code(f"({code.py},)", thing(code.type.kind, True))
            elif code.type.many and not hole.plural:
                one_by_one(code, hole, node, sc, subject)
                return
        else:
            code = argument(value, hole, sc)
        var = sc.fresh(code.type)
        sc.out.append(Assign(var, code.py))
        args.append(var)
        if code.type.sort == "thing":
            named.append(Code(var, code.type, sure=code.sure))
    sc.named += named
    routine = sc.b.phrase_routines[node.verb]
    call = Call(routine, args)
    key = f"do:{node.verb}"
    if key in sc.b.replaced:
        propose(
            sc,
            key,
            args,
            args[0] if who.type.kind == "player" else f"own(s, {args[0]})",
            lambda inner: inner.out.append(call),
        )
    else:
        sc.out.append(call)
    sc.did = ""


ACTS: dict[str, Callable[[t.Act, Roles, Scope, Code | None], None]] = {
    "gain": gain,
    "lose": lose,
    "pay": pay,
    "take": take,
    "give": give,
    "set": set_,
    "increase": increase,
    "reduce": reduce,
    "move": move,
    "place": place,
    "remove": remove,
    "swap": swap,
    "flip": flip,
    "draw": draw,
    "discard": discard,
    "shuffle": shuffle,
    "reveal": reveal,
    "look at": look,
    "play": play,
    "choose": choose_act,
    "roll": roll,
    "perform": perform_act,
    "cancel": cancel,
    "end": end,
    "win": win,
    "stop": stop,
    "pass": pass_,
    "become": become,
}
_ = (as_list, pick, bounds, owner_py)
