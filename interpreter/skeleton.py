"""skeleton: in, a name and what a game declares; out, the files of a new game, mod, card or scenario, by their paths.

A card is filled with what its kind wants: plain values for the fields that it must have, and a text that the game can
carry out. `card_tries` gives several, the likeliest first; who writes them tries whether they check and pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .data import skeletons_folder
from .declare.gathering import slug
from .model import Counter, Field, Kind, Model

Files = dict[str, str]

MARK = "# yaml-language-server: $schema="


@dataclass(frozen=True, slots=True)
class Card:
    """A record to be made. schema: what its file says of its schema, seen from the pack; '' for nothing."""

    name: str
    kind: Kind
    schema: str = ""
    scenario_schema: str = ""
    players: int = 2


def game_files(name: str) -> Files:
    """The files of a small game that can be played at once."""
    top = skeletons_folder() / "game"
    return {
        path.relative_to(top).as_posix(): path.read_text(encoding="utf-8").replace("$NAME", name)
        for path in sorted(top.rglob("*.yaml"))
    }


def mod_head(name: str, extends: str) -> str:
    return (
        f"{MARK}schemas/mod.schema.json\nlanguage: 1\nname: {name}\nversion: 0.1.0\n"
        f"description: What it adds, in one line.\nextends: {extends}\n"
    )


# ---------------------------------------------------------------- a card


def kind_for(model: Model, named: str | None) -> Kind | None:
    """The kind of a new card: the one that is named, else the first of cards that has a text."""
    if named is not None:
        kinds = {name.casefold(): kind for name, kind in model.kinds.items() if kind.key}
        return kinds.get(named.casefold())
    cards = [kind for kind in model.kinds.values() if kind.key and kind.card]
    with_text = [kind for kind in cards if any(f.type == "text" for f in kind.fields.values())]
    return (with_text or cards or [None])[0]  # type: ignore[list-item]


def new_name(model: Model, wanted: str | None, kind: Kind) -> str:
    """A name that no other thing has."""
    if wanted is not None:
        return wanted
    taken = {record.name for record in model.records.values()}
    name, count = f"New {kind.name}", 1
    while name in taken:
        count += 1
        name = f"New {kind.name} {count}"
    return name


def card_tries(model: Model, card: Card) -> Iterator[Files]:
    """Files of a card and its scenario, the likeliest first."""
    there = {
        source.text.strip() for r in model.records.values() if r.kind == card.kind.name for source in r.texts.values()
    }
    for counter in counters_for(model):
        least = max(counter.least, 0)
        many = counter.plural
        for amount in range(1, min(10, (counter.most or 9) - least + 1)):
            what = f"{amount} {counter.name if amount == 1 else many}"
            if f"Gain {what}." in there:
                continue  # no two cards are alike
            yield card_files(
                model,
                card,
                f"Gain {what}.",
                [f"Set {many} of player 1 to {least}."],
                f"Perform {thing(card)}.",
                [f"{many} of player 1 = {least + amount}"],
                f"is worth {what}",
            )
            break
    yield card_files(model, card, "Stop.", [], f"Perform {thing(card)}.", ["the game is not over"], "ends no game")
    yield card_files(model, card, "", [], "", [f"there is a {card.kind.name}"], "is there")


def thing(card: Card) -> str:
    return card.name + (" of player 1" if card.kind.each else "")


def counters_for(model: Model) -> list[Counter]:
    """Counters of a player that can go up by one, those that the game shows first."""
    fit = [c for c in model.counters.values() if "player" in c.on and not c.waits and "player" not in c.each]
    fit = [c for c in fit if c.most is None or c.most > max(c.least, 0)]
    return sorted(fit, key=lambda c: (not c.shown, not c.public))


def card_files(model: Model, card: Card, text: str, given: list[str], do: str, then: list[str], about: str) -> Files:
    """A card with this text, and a scenario of its own: what is given, what is done, what must then be so."""
    lines = [f"{card.kind.key}:", f"  - name: {card.name}"]
    main = main_field(card.kind) if text else None
    for field in card.kind.fields.values():
        if field.required and field is not main:
            lines += [f"    {field.name.lower()}: {value(model, field)}"]
    if main is not None:
        lines += [f"    {main.name.lower()}: |", f"      {text}"]
    lines += ["    from: original"]
    story = ["scenarios:", f"  - name: {card.name} {about}", f"    players: {card.players}"]
    if given:
        story += ["    given:", *(f"      - {line}" for line in given)]
    if do and main is not None:
        story += ["    when:", f"      - do: {do}"]
    story += ["    then:", *(f"      - {line}" for line in then)]
    head = [f"{MARK}{card.schema}"] if card.schema else []
    story_head = [f"{MARK}{card.scenario_schema}"] if card.scenario_schema else []
    file = slug(card.name)
    return {
        f"{file}.yaml": "\n".join([*head, *lines]) + "\n",
        f"scenarios/{file}.yaml": "\n".join([*story_head, *story]) + "\n",
    }


def main_field(kind: Kind) -> Field | None:
    """The text that `perform` means: the one called Text, else the first."""
    texts = [f for f in kind.fields.values() if f.type == "text"]
    return next((f for f in texts if f.name.lower() == "text"), texts[0] if texts else None)


def value(model: Model, field: Field) -> str:
    """What a field that must be there may hold, as YAML."""
    if field.type in ("thing", "list", "each"):
        names = [r.name for r in model.records.values() if r.kind in kinds_under(model, field.kind)]
        first = names[0] if names else field.kind
        return {"thing": first, "list": f"[{first}]", "each": f"{{{first}: 1}}"}[field.type]
    plain: dict[str, Any] = {
        "number": "1",
        "flag": "false",
        "amount": "1",
        "condition": "1 = 1",
        "statement": "Stop.",
        "text": "Stop.",
        "numbers": "[1, 0]",
        "selection": "a player",
    }
    return str(plain.get(field.type, "to be written"))


def kinds_under(model: Model, above: str) -> set[str]:
    found = {above}
    for kind in model.kinds.values():  # a sort of a kind is declared after it
        if kind.parent in found:
            found.add(kind.name)
    return found


# ---------------------------------------------------------------- a scenario


def scenario_tries(name: str, players: int, game: str, schema: str, first: str) -> Iterator[str]:
    """The text of a file with one scenario. game: what `game:` says, '' inside a pack. first: a label of the first
    decision, '' for none."""
    head = ([f"{MARK}{schema}"] if schema else []) + ([f"game: {game}"] if game else [])
    lines = [*head, "scenarios:", f"  - name: {name}", f"    players: {players}", "    seed: 1"]
    then = ["    then:", "      - the game is not over"]
    if first:
        yield "\n".join([*lines, "    when:", f"      - choose: {first}", *then]) + "\n"
        yield "\n".join([*lines, "    when:", f"      - choose: {first}", "    then:", "      - 1 = 1"]) + "\n"
    yield "\n".join([*lines, *then]) + "\n"
