"""flow: choose, roll, perform, become, and what ends turns, steps and games.

In: an Act with its roles. Out: code.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from interpreter import tree as t
from interpreter.acts.amounts_of import Roles
from interpreter.acts.events import announce, propose
from interpreter.acts.placing import discard
from interpreter.amounts import bind, number, words_of
from interpreter.bound import (
    NUMBER,
    Assign,
    Branch,
    CallEffect,
    Chance,
    Code,
    Finish,
    Loop,
    Run,
    Stop,
    thing,
)
from interpreter.facts import field_py, kind_of_head
from interpreter.figures import as_kind
from interpreter.model import ACTIVE, FIRST, ROLL
from interpreter.rules import CONTESTS
from interpreter.scope import Scope, field_of, is_a, may_be, player_code
from interpreter.statements import (
    ask_one,
    candidates,
    choose,
    each_of,
    is_choice,
    target,
    where,
    words,
)
from interpreter.verbs import VERBS
from interpreter.words import CORE_NAMES


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
        most = sc.widest(roles["high"], high.most or 1)
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
        sc.much.append(sc.locals[str(roles["name"])])
        return
    sel = roles["what"]
    if isinstance(sel, t.Sel) and chooses_role(sel, sc, who):
        return
    if isinstance(sel, t.Sel) and sel.quant == "the":
        sel = replace(sel, quant="a")
    code = choose(sel, sc, who) if is_choice(sel, sc) or isinstance(sel, t.Join) else target(sel, sc, who)
    if not is_choice(sel, sc) and code.type.sort == "thing":
        sc.chosen[code.type.kind] = code
    if code.type.many:
        sc.much.append(Code(f"len({code.py})", NUMBER, most=sc.b.model.things))


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
    several = next(
        (g for g in model.kinds[of.type.kind].fields.values() if g.type == "list" and g.kind == f.kind), None
    )
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
    chance = Chance(
        die,
        f"({', '.join(map(str, faces))},)" if plain else f"({names},)",
        "Roll",
        where(sc, node),
        offset="NB" if plain else "",
    )
    shown = die if plain else f"{sc.b.table(tuple(faces), 'FACES')}[({names},).index({die})]"
    calls, fires = announce(sc, "roll", who.py, total)
    more = [Assign(total, f"changed_roll(s, {who.py}, {total}, {who.py})")] if "roll" in sc.b.modified and plain else []
    sc.out += [
        Assign(left, count),
        Assign(total, "0"),
        Loop(f"{left} > 0", [Assign(left, f"{left} - 1"), chance, Assign(total, f"{total} + {shown}")]),
        *more,
        Run([f"v[{ROLL}] = {total}", f"if s.lg is not None: s.lg.append(('roll', {who.py}, {total}))", *calls], fires),
    ]
    sc.much.append(Code(total, NUMBER, most=1000))


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
        sc.fault(node, "no-antecedent", "who? Name the player")
        return
    result = sc.b.model.result
    if who.type.many:
        sc.out.append(Run([f"for i in {who.py}: v[{result}+i] = {value}"]))
    else:
        sc.out.append(Run([f"v[{result}+{who.py}] = {value}"]))
    sc.out.append(Finish())


def contest(node: t.Act, what: Any, sc: Scope, subject: Code | None) -> bool:
    """`the Captain wins the Roll`, `you lose a Roll`: something that is not the game; what comes of it, texts say."""
    if (
        not isinstance(what, t.Sel)
        or what.head == "game"
        or what.head in sc.b.model.counters
        or kind_of_head(sc, what.head)
    ):
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
        sc.fault(node, "no-antecedent", "what becomes it? Name it")
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
            sc.fault(
                node,
                "type",
                f"{words_of(who.type)} cannot become {state or 'that'}: declare a state without `is`, or a title",
            )
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


DISTRIBUTED = ("each", "all", "each other", "all other")
