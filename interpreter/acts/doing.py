"""doing: one verb or phrase with its subject, `may` and secrecy → code. ACTS is the table of core verbs.

A verb evaluates its arguments once, before the mutation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import Roles, things_not_counters
from interpreter.acts.cards import draw, look, play, reveal, shuffle
from interpreter.acts.counters import gain, increase, lose, pay, reduce
from interpreter.acts.flow import become, cancel, choose_act, end, pass_, perform_act, roll, stop, win
from interpreter.acts.giving import give, set_, take
from interpreter.acts.moving import move
from interpreter.acts.phrases import perform_phrase, result_is_read
from interpreter.acts.placing import discard, flip, place, remove, swap
from interpreter.acts.secrets import secret_choice
from interpreter.amounts import bind, words_of
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    Code,
    Run,
)
from interpreter.figures import player_of
from interpreter.model import ACTIVE
from interpreter.possible import possible
from interpreter.scope import Scope, counter_cell, is_a, player_code
from interpreter.settled import settled
from interpreter.statements import (
    ask_one,
    choose,
    each_of,
    grant_of,
    grants_more,
    is_choice,
    statement,
    target,
    words,
)

MUCH = re.compile(r"\b[Tt]hat (?:many|much|amount)\b")
TALLIED = {
    **dict.fromkeys(("gain", "take", "place", "increase", "draw", "discard"), 1),
    **dict.fromkeys(("lose", "pay", "give", "move", "remove", "reduce"), -1),
}


def act(node: t.Act, sc: Scope) -> None:
    """One clause. Where the text goes on with `that many`, how much was done is counted."""
    way = 0 if node.is_phrase or node.modal == "cannot" else TALLIED.get(node.verb, 0)
    if not way or sc.tallies or not much_is_read(sc):
        clause(node, sc)
        return
    var = sc.fresh(NUMBER)
    sc.out.append(Assign(var, "0"))
    sc.tallies.append((var, way))
    clause(node, sc)
    sc.tallies.pop()
    sc.much.append(Code(var, NUMBER, most=most_of(dict(node.roles).get("what"), sc)))


def much_is_read(sc: Scope) -> bool:
    """Whether a text speaks of `that many`."""
    return bool(sc.source and MUCH.search(sc.source.text))


def most_of(what: Any, sc: Scope) -> int | None:
    counter = sc.b.model.counters.get(what.head) if isinstance(what, t.Sel) else None
    return counter.most if counter is not None else sc.b.model.things


def clause(node: t.Act, sc: Scope) -> None:
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
    return sc.inner(you=who, reader=sc.reader or sc.you), who


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
    """A verb or phrase by one subject. Of several things that are named one by one, each is done by itself."""
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
    if isinstance(what, t.Sel) and what.head == "thing" and what.count is not None and node.verb in COUNTED:
        what = roles["what"] = number_of_it(what, sc)
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


COUNTED = ("gain", "lose", "pay", "take", "give", "move", "place", "remove")


def number_of_it(what: t.Sel, sc: Scope) -> t.Sel:
    """`for each Metal, gain 1 of it`: of the number that is told apart by Metals."""
    if not isinstance(what.of, (t.Ref, t.Local)):
        return what
    of = bind(what.of, sc)
    counters = sc.b.model.counters.values()
    kind = of.type.kind if of.type.sort == "thing" and not of.type.many else ""
    told = next((c.name for c in counters if kind and any(is_a(sc.b.model, kind, i) for i in c.each.values())), None)
    return what if told is None or kind == "player" else replace(what, head=told, quant="exactly")


def chosen_once(roles: Roles, sc: Scope, subject: Code | None) -> Roles:
    """Where several things go, or come from, is chosen once for all of them."""
    out: Roles = {}
    for role, value in roles.items():
        if role != "what" and is_choice(value, sc):
            sc.locals[f"the {role}"] = target(value, sc, subject or player_code(f"v[{ACTIVE}]"))
            out[role] = t.Local(f"the {role}", at=value.at)
    return out


TELLS = ("take", "discard", "remove", "move", "place", "give", "draw")


WHOLE = ("pay", "swap")  # of two things they are one deed


def optional(node: t.Act, sc: Scope) -> None:
    """`You may …`: asked only if it can be done; `If you do` reads the answer."""
    if grants_more(node):
        who = sc.you if node.subject is None else subject_of(node.subject, sc)
        sc.out.append(Run([f"v[{grant_of(sc.b, node)}+{who.py if who else 'v[1]'}] += 1"]))
        return
    if node.is_phrase and node.verb in sc.b.permits and node.during is not None:
        from interpreter.armed import arm_permission

        arm_permission(node, sc)
        return
    bare = t.Act(node.verb, node.roles, None, "", node.secretly, node.during, node.is_phrase, at=node.at)
    may(bare, node, sc)


def may(body: Any, node: t.Act, sc: Scope) -> None:
    """Asks whether a statement is to be done, and does it; sc.did then says how it went."""
    who = sc.you if node.subject is None else subject_of(node.subject, sc)
    who = who or player_code(f"v[{ACTIVE}]")
    if who.type.many:
        each_of(who, sc, lambda one, inner: may_one(body, node, one, inner))
        return
    who = player_of(sc, who)
    label = words(sc, node)
    if node.modal == "may":
        label = re.split(r"\bmay\s", label, maxsplit=1)[-1]
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
    sc.out += [Assign(did, "0"), Branch(f"{answer} == {yes}", [Assign(did, "1"), *inner.out])]
    sc.did = did
    sc.chosen.update(inner.chosen)
    sc.named[:] = inner.named
    for name, code in inner.locals.items():
        sc.locals.setdefault(name, code)


def may_one(body: Any, node: t.Act, one: Code, sc: Scope) -> None:
    """`Each player may …`: one of them."""
    sc.name(one)
    who = player_of(sc, one)
    if who is not one:
        var = sc.fresh(who.type)
        sc.out.append(Assign(var, who.py))
        who = Code(var, who.type, sure=one.sure)
    may(body, replace(node, subject=None), sc.inner(you=who, reader=sc.reader or sc.you))


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
