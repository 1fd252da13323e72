"""course: players, options, set-up, turn, rounds, scores, phrases, values and rules of game.yaml.

In: read nodes. Out: declarations in the model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.declare.gathering import Declaring, children, entries, near_of, plain
from interpreter.declare.spelling import forms_of, parts_of, pattern_ident
from interpreter.declare.spoken import apart
from interpreter.model import (
    PhraseBody,
    Rule,
    Step,
)
from interpreter.read import Mapping, Sequence
from interpreter.vocabulary import Hole, Phrase, ValuePhrase

MOST_SENTENCES = 1_000_000  # between two decisions


def players(d: Declaring, node: Any) -> None:
    value = plain(node)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 10:
        d.model.least = d.model.most = value
    elif (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(n, int) for n in value)
        and 1 <= value[0] <= value[1] <= 10
    ):
        d.model.least, d.model.most = value
    else:
        d.fault(node, "bad-value", "players wants a number from 1 to 10, or [least, most]")
    d.model.seats = d.model.most


def options(d: Declaring, node: Any) -> None:
    """The options that players agree on: name → (values, default)."""
    if not isinstance(node, Mapping):
        d.fault(node, "bad-value", "options wants a mapping: name, then values and default")
        return
    for key, (key_node, value) in node.items.items():
        d.named(key_node)
        spec = entries(d, value, ("values", "default", "counter", "in scenarios", "note"), f"option {key}")
        values = tuple(plain(spec["values"])) if "values" in spec else (False, True)
        default = plain(spec["default"]) if "default" in spec else values[0]
        if default not in values:
            near = near_of(str(default), [str(v) for v in values])
            d.fault(spec.get("default", value), "bad-value", f"the default of {key} is not among its values", near)
        d.model.options[key] = (values, default)
        if "in scenarios" in spec:
            d.model.tables.setdefault("scenario options", {})[key] = plain(spec["in scenarios"])
            if plain(spec["in scenarios"]) not in values:
                d.fault(spec["in scenarios"], "bad-value", f"this is not among the values of {key}")
        if "counter" in spec:
            d.model.tables.setdefault("option counters", {})[key] = d.word(spec["counter"])
            d.refer(spec["counter"], "game counter")


def steps_of(d: Declaring, node: Any, key: str) -> list[Step]:
    """The steps of a turn, phases of a round or steps of a set-up, with those inside them."""
    out = []
    for item in children(d, node, key):
        spec = entries(d, item, ("step", "phase", "text", "turns", "prompt", "note"), "a step")
        name = d.named(spec.get("step") or spec.get("phase"))
        if not name:
            d.fault(item, "missing-field", "a step wants its name: step")
            continue
        step = Step(name, d.text(spec["text"], name, "text") if "text" in spec else None)
        if step.source is not None and "prompt" in spec:
            step.source.prompt = d.word(spec["prompt"])
        if "turns" in spec:
            step.each = True
            step.steps = steps_of(d, spec["turns"], "turns")
        out.append(step)
    return out


def setup(d: Declaring, node: Any) -> None:
    if isinstance(node, Sequence):
        d.model.setup = steps_of(d, node, "setup")
    else:
        d.model.setup = [Step("Setup", d.text(node, "Setup", "setup"))]


def turn(d: Declaring, node: Any) -> None:
    d.model.turn = steps_of(d, node, "turn")


def round_(d: Declaring, node: Any) -> None:
    d.model.round = steps_of(d, node, "round")


def scores(d: Declaring, node: Any) -> None:
    for item in children(d, node, "scores"):
        spec = entries(d, item, ("score", "is", "note"), "a score")
        source = d.text(spec["is"], d.named(spec.get("score")), "is") if "is" in spec else None
        if source:
            d.model.scores.append((d.word(spec.get("score")), source))


def ties(d: Declaring, node: Any) -> None:
    for item in children(d, node, "ties"):
        source = d.text(item, "ties", "ties")
        if source:
            d.model.ties.append(source)


def returns(d: Declaring, node: Any) -> None:
    d.model.returns = d.text(node, "returns", "returns")


def limits(d: Declaring, node: Any) -> None:
    spec = entries(d, node, ("sentences",), "limits")
    if "sentences" in spec:
        most = d.whole(spec["sentences"])
        if 1 <= most <= MOST_SENTENCES:
            d.model.limit = most
        else:
            d.fault(spec["sentences"], "bad-value", f"sentences wants a number from 1 to {MOST_SENTENCES:,}")


def ident_of(d: Declaring, parts: tuple[str | Hole, ...], others: dict[str, PhraseBody]) -> str:
    """What a phrase is called: its words; with its pack, where a pack that knows nothing of it has the same words."""
    ident = pattern_ident(parts)
    if ident in others and apart(d.sees, d.pack, others[ident].pack):
        return f"{ident} ({d.pack})"
    return ident


def phrases(d: Declaring, node: Any) -> None:
    """The verbs of the game: their heads with holes, and their texts."""
    for item in children(d, node, "phrases"):
        spec = entries(
            d, item, ("phrase", "text", "event", "forms", "by", "label", "prompt", "note", "from"), "a phrase"
        )
        if "phrase" not in spec or "text" not in spec:
            d.fault(item, "missing-field", "a phrase wants phrase and text")
            continue
        pattern = d.word(spec["phrase"])
        parts = parts_of(d, spec["phrase"], pattern)
        if not parts:
            continue  # what is wrong has been told
        ident = ident_of(d, parts, d.model.phrases)
        if isinstance(parts[0], Hole):
            d.fault(spec["phrase"], "phrase-hole", "a phrase begins with a word of its own")
            continue
        if ident in d.model.phrases:
            d.fault(
                spec["phrase"],
                "phrase-clash",
                f'the phrase "{pattern}" stands twice; the other is in {d.model.phrases[ident].source.file}',
            )
            continue
        given = plain(spec["forms"]) if "forms" in spec else None
        forms = tuple(str(f) for f in given) if isinstance(given, list) and len(given) == 4 else forms_of(parts[0])
        source = d.text(spec["text"], pattern, "text")
        if source is None:
            continue
        source.prompt = d.word(spec.get("prompt"))
        body = PhraseBody(ident, source, labels=d.word(spec.get("label")), faction=d.faction, pack=d.pack)
        if isinstance(spec.get("event"), Mapping):
            for key, (_, value) in spec["event"].items.items():
                part = d.text(value, pattern, key)
                if part:
                    body.event[key] = part
        d.model.phrases[ident] = body
        d.model.tables.setdefault("phrase heads", []).append(
            (d.pack, Phrase(ident, parts, forms, d.word(spec.get("by")) or "player", d.file, spec["phrase"].span()))  # type: ignore[arg-type]
        )


def values(d: Declaring, node: Any) -> None:
    """The nouns of the game: their heads with holes, what they give, and their texts."""
    for item in children(d, node, "values"):
        spec = entries(d, item, ("value", "phrase", "is", "gives", "note", "from"), "a value")
        head = spec.get("value") or spec.get("phrase")
        if head is None or "is" not in spec:
            d.fault(item, "missing-field", "a value wants value and is")
            continue
        pattern = d.word(head)
        parts = parts_of(d, head, pattern)
        if not parts:
            continue
        ident = ident_of(d, parts, d.model.values)
        if ident in d.model.values:
            d.fault(
                head,
                "phrase-clash",
                f'the value "{pattern}" stands twice; the other is in {d.model.values[ident].source.file}',
            )
            continue
        gives = d.word(spec.get("gives")) or "number"
        many = gives.startswith("list of ")
        source = d.text(spec["is"], pattern, "is")
        if source is None:
            continue
        d.model.values[ident] = PhraseBody(ident, source, faction=d.faction, pack=d.pack)
        d.model.tables.setdefault("value heads", []).append(
            (d.pack, ValuePhrase(ident, parts, gives.removeprefix("list of "), many, d.file, head.span()))
        )


def rules(d: Declaring, node: Any) -> None:
    for item in children(d, node, "rules"):
        spec = entries(d, item, ("text", "name", "note", "from"), "a rule")
        name = d.word(spec.get("name")) or "rule"
        source = d.text(spec["text"], name, "text") if "text" in spec else None
        if source:
            d.model.rules.append(Rule(source, d.faction, name))


def simple(attribute: str) -> Callable[[Declaring, Any], None]:
    def take(d: Declaring, node: Any) -> None:
        setattr(d.model, attribute, d.word(node))

    return take


def language(d: Declaring, node: Any) -> None:
    if plain(node) != 1:
        d.fault(node, "bad-value", "this program reads language: 1")


def ignore(d: Declaring, node: Any) -> None:
    return None
