"""figures: the one thing that stands for a player, and the player that a thing stands for.

A player has a figure of a kind when the kind is that of factions, or has one thing for each player. What is said of a
player (`your Tower`, `move to the Market`) is said of the figure where only that can lie in a place or bear a number;
what is said of a figure (`it draws a card`) is done by its player where only players can do it.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.bound import Code, thing
from interpreter.scope import Scope, counter_cell, field_of, may_be


def figure(sc: Scope, player: Code, fit: Callable[[str], bool]) -> Code | None:
    """The figure of a player (or of several) whose kind passes a test; None if there is no such kind."""
    model = sc.b.model
    for kind in model.kinds.values():
        if kind.name == "player" or not fit(kind.name):
            continue
        if kind.name == model.faction_kind:
            base = f"v[{model.faction_cell}+%s]"
        elif kind.each == "player" and kind.hi - kind.lo == model.most:
            base = f"{kind.lo}+%s"
        else:
            continue
        if player.type.many:
            return Code("[" + base % "i" + f" for i in {player.py}]", thing(kind.name, True))
        py = base % player.py
        return Code(py if player.sure else f"({py} if {player.py} >= 0 else -1)", thing(kind.name), sure=player.sure)
    return None


def is_player(code: Code) -> bool:
    return code.type.sort == "thing" and code.type.kind == "player"


def bears(sc: Scope, player: Code, counter: str) -> Code | None:
    """The figure on which a counter lies that players themselves do not have."""
    there = sc.b.model.counters[counter]
    if not is_player(player) or "player" in there.on:
        return None
    return figure(sc, player, lambda kind: counter_cell(sc.b, there, kind, "0", "0") is not None)


def has_field(sc: Scope, player: Code, name: str) -> Code | None:
    """The figure with a field that players themselves do not have."""
    model = sc.b.model
    if not is_player(player) or field_of(model, "player", name) is not None:
        return None
    return figure(sc, player, lambda kind: name in model.kinds[kind].fields)


def lies_on(sc: Scope, player: Code, place: str) -> Code | None:
    """The figure that can lie on things of a kind (`thing`: on any)."""
    model = sc.b.model
    held = [h for k in model.kinds.values() if may_be(model, k.name, place) for h in k.holds]
    if not is_player(player) or "player" in held:
        return None
    return figure(sc, player, lambda kind: any(may_be(model, kind, h) for h in held))


def own_kind(sc: Scope, kind: str) -> bool:
    """Whether each thing of a kind is somebody's by itself, so that `your` says whose it is."""
    k = sc.b.model.kinds.get(kind)
    return k is not None and (k.owned or k.each == "player" or k.name == sc.b.model.faction_kind)


def player_of(sc: Scope, code: Code) -> Code:
    """The player whose a thing is (its owner); a player itself."""
    if code.type.sort != "thing" or code.type.kind == "player":
        return code
    if code.type.many:
        return Code(f"distinct([own(s, i) for i in {code.py}])", thing("player", True))
    py = f"own(s, {code.py})"
    return Code(py if code.sure else f"({py} if {code.py} >= 0 else -1)", thing("player"))


def as_kind(sc: Scope, code: Code, kind: str) -> Code:
    """A participant seen as one of a kind: a player as its figure, a figure as its player."""
    if code.type.sort != "thing" or may_be(sc.b.model, code.type.kind, kind):
        return code
    if is_player(code):
        return figure(sc, code, lambda k: k == kind) or code
    return player_of(sc, code) if kind == "player" and own_kind(sc, code.type.kind) else code
