"""structures: which scenarios beside this file show each structure of the core; asserted, that none is missing, that each
of them does something and looks at what came of it, and that each structure has one with a question asked inside.

The scenario runner saves and loads at every decision, so that a question asked inside a structure is one resumed in it.
"""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from interpreter.load import load_compiled
from interpreter.scenario import Scenario
from tests.productions import scenarios_of

HERE = Path(__file__).resolve().parent

# structure: (scenarios, one of them or another with a question inside)
STRUCTURES: dict[str, tuple[list[str], str]] = {
    "choose one thing": (["Choose one thing, and a question inside"], "Choose one thing, and a question inside"),
    "choose up to": (["Up to N may be none, and ends by itself at N"], "Up to N may be none, and ends by itself at N"),
    "choose any number, done": (["A set is named in any order"], "A set is named in any order"),
    "choose exactly": (["Exactly N has no done before N"], "Exactly N has no done before N"),
    "choose a number": (["A number is chosen within its bounds"], "A number is chosen within its bounds"),
    "may": (["May, taken", "May is asked, and what follows rests on the answer"], "A question inside may"),
    "either/or": (
        ["Either of two things is the owner's to say", "Choose one offers what can be done only"],
        "Choose one spreads a choice over its options",
    ),
    "cost": (
        ["A cost is paid first, in full", "A cost of two parts is all or nothing", "What a cost buys is a block"],
        "A question inside a cost",
    ),
    "if/otherwise": (["If and otherwise"], "A question inside each branch"),
    "for each, what it loops over changes inside": (
        [
            "For each walks what was there when it began, and skips what has left",
            "For each does not walk what comes in",
        ],
        "A question inside for each",
    ),
    "repeat": (["Repeat until looks after each pass"], "Repeat a number of times, with a question inside"),
    "in turn": (["In turn, starting with somebody"], "A block that each does in turn"),
    "phrase with holes": (["A phrase can stop, and only itself"], "A phrase with holes, one of them chosen"),
    "value with holes": (["Values with holes"], ""),
    "recursion": (["Recursion a hundred deep"], "Recursion, asked on every level"),
    "trigger: when": (["When it has happened, whoever did it"], "A question inside a trigger"),
    "trigger: before": (["Before, when the holes are bound"], ""),
    "trigger: after": (["After, when its text has ended"], ""),
    "trigger: start and end of a turn, start of a step": (
        [
            "At the start of your turn, not of another's",
            "At the end of your turn",
            "At the start of a step, whose ever",
        ],
        "",
    ),
    "trigger: a condition becomes true": (["When a condition becomes true, once for each time it does"], ""),
    "trigger: first time each turn, once per turn, ever": (
        ["For the first time each turn", "Once per turn", "For the first time, and never again"],
        "",
    ),
    "several triggers, of one player": (
        ["Several triggers of one player, the other way round"],
        "Several triggers of one player, in the order that player chooses",
    ),
    "several triggers, of several players": (
        ["Triggers of several players, in turn order from the active player"],
        "What a trigger does triggers others",
    ),
    "replacement": (["Instead of it, this happens", "What is replaced triggers nothing"], "One may, and is asked"),
    "replacement: two of one event": (
        ["The thing that was replaced may be asked about in the middle"],
        "Two of one event; whom it affects chooses, and a question is asked inside",
    ),
    "replacement: one leads to another and back": (
        ["One that leads to another and back, each once", "One that leads to another"],
        "",
    ),
    "replacement: first time each turn, next time": (
        ["For the first time each turn", "The next time only, from when the text is performed"],
        "",
    ),
    "continuous: increased, ending with its source": (["Increased, while its source lies there"], ""),
    "continuous: each kind": (
        ["Reduced, never below 0", "Doubled", "Set to", "At least, at most", "It costs less for one player"],
        "It is read when a question about it is asked",
    ),
    "continuous: while": (["While a condition holds", "What holds while something is so"], ""),
    "continuous: cannot": (["Cannot beats", "What cannot be done for a time"], ""),
    "until the end of the action": (
        ["Until the end of the action, on another player's turn"],
        "Until the end of the action",
    ),
    "until the end of the turn": (
        ["Until the end of the turn, on another player's turn"],
        "Until the end of the turn",
    ),
    "until your next turn": (["Until your next turn, from another player's turn"], "Until your next turn"),
    "until the end of a step": (["Until the end of a step, on another player's turn"], "Until the end of a step"),
    "until the end of the round": (
        ["Until the end of the round", "Until the end of the round, on another player's turn"],
        "",
    ),
    "this turn": (["This turn, on another player's turn"], "This turn"),
    "window, responses stacked": (
        ["Each seat in turn order, until all pass in a row"],
        "Responses stack, last in, first out",
    ),
    "secret choice at once": (
        ["All choose at once, in any order", "Somebody chooses a thing in secret"],
        "All choose at once, in the order of the seats",
    ),
    "deck with segments": (
        ["What was put on top or under is not mixed with the rest", "Looking at the top cards fixes them"],
        "A question between two draws",
    ),
    "perform": (["A card is played, then discarded"], "Its text is performed where it lies"),
    "end": (["End the turn", "End a step", "The game ends"], "End the turn in the middle of a question's answer"),
    "lose together": (["All lose together"], "All lose together behind a question"),
}
# Nothing of these can ask, or what asks in them is asked in the line named.
ASKS_ELSEWHERE = {
    "value with holes": "a value is read and asks nothing",
    "trigger: before": "trigger: when",
    "trigger: after": "trigger: when",
    "trigger: start and end of a turn, start of a step": "trigger: when",
    "trigger: a condition becomes true": "trigger: when",
    "trigger: first time each turn, once per turn, ever": "trigger: when",
    "replacement: one leads to another and back": "replacement",
    "replacement: first time each turn, next time": "replacement",
    "continuous: increased, ending with its source": "continuous: each kind",
    "continuous: while": "continuous: each kind",
    "continuous: cannot": "continuous: each kind",
    "until the end of the round": "it is asked what to do in its turns",
}


@cache
def scenarios() -> dict[str, list[Scenario]]:
    found: dict[str, list[Scenario]] = {}
    for path in sorted(HERE.glob("*.yaml")):
        for scenario in scenarios_of(path):
            found.setdefault(scenario.name, []).append(scenario)
    return found


@pytest.mark.parametrize("structure", STRUCTURES)
def test_each_structure_has_its_scenarios(structure: str) -> None:
    names, asking = STRUCTURES[structure]
    for name in [*names, *([asking] if asking else [])]:
        assert name in scenarios(), f"no scenario is called {name}"
        assert all(s.then and (s.when or s.given) for s in scenarios()[name]), f"{name} looks at nothing"


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_question_is_asked_inside_each(structure: str) -> None:
    asking = STRUCTURES[structure][1]
    assert bool(asking) != (structure in ASKS_ELSEWHERE)
    if asking:
        assert any(step.choose for s in scenarios()[asking] for step in s.when), f"{asking} asks nothing"


CIRCLES = {
    "what it changes is what it asks": "While the Might of the Scout of player 1 is at least 1, the Might of Guards of yours is increased by 1.",
    "through a value": "The Might of Guards of yours is increased by the strength of the North Tower.",
    "by what it changes": "The Might of Guards of yours is increased by the Might of the Scout of player 1.",
}


@pytest.mark.parametrize("text", CIRCLES.values(), ids=list(CIRCLES))
def test_a_circle_of_effects_is_refused(text: str, tmp_path: Path) -> None:
    game = tmp_path / "keep"
    shutil.copytree(HERE / "games" / "keep", game)
    charms = game / "charms.yaml"
    charms.write_text(f"{charms.read_text()}  - name: Snake\n    text: |\n      {text}\n")
    (found,) = [f for f in load_compiled(game).findings if f.severity == "error"]
    assert found.code == "circular-modifier"
    assert charms.read_text().splitlines()[found.line - 1].strip() == text


def test_two_effects_that_read_each_other_are_refused(tmp_path: Path) -> None:
    game = tmp_path / "keep"
    shutil.copytree(HERE / "games" / "keep", game)
    charms = game / "charms.yaml"
    head = "The Might of Guards of yours is increased by the Cost of the Candle."
    tail = "The Cost of Charms of yours is increased by the Might of the Scout of player 1."
    charms.write_text(
        f"{charms.read_text()}  - name: Snake Head\n    text: |\n      {head}\n  - name: Snake Tail\n    text: |\n      {tail}\n"
    )
    assert {f.code for f in load_compiled(game).findings if f.severity == "error"} == {"circular-modifier"}
