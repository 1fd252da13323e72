"""Each pack's texts are read with its own names and phrases: installing a mod changes nobody else's reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.attach import attach_statement, push
from interpreter.game import Game
from interpreter.load import Loaded, load_compiled
from interpreter.model import Source
from interpreter.unparse import show

GAME = """\
language: 1
name: Harbour
players: 2
kinds:
  - {kind: Tower, fields: {Might: number}}
  - {kind: Charm, fields: {Text: text}}
counters:
  - {counter: Coin, plural: Coins, most: 30}
  - {counter: Fame, most: 30}
turn:
  - step: Act
    text: |
      Choose one: gain 1 Coin; or gain 1 Fame.
phrases:
  - {phrase: "rest", text: Gain 1 Fame.}
"""
CONTENT = """\
towers:
  - {name: East Tower, might: 2}
charms:
  - {name: Torch, text: Rest. Gain Coins = Might of the East Tower.}
"""
HOARD = """\
phrases:
  - {phrase: "hoard {number n}", text: Gain n {WHAT}.}
values:
  - {value: "the luck of {player whom}", is: the {WHAT} of whom plus {MORE}}
states:
  - {state: {STATE}, of: Tower, is: its Might is at least 1}
charms:
  - name: {NAME}
    text: |
      Hoard 2. If the East Tower is {STATE}, gain Fame = the luck of you.
"""


def put(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def mod(folder: Path, what: str, more: int, state: str, name: str, needs: str = "") -> Path:
    body = HOARD
    for key, value in (("WHAT", what), ("MORE", str(more)), ("STATE", state), ("NAME", name)):
        body = body.replace("{" + key + "}", value)
    head = f"language: 1\nname: {folder.name.title()}\nextends: harbour\n{needs}"
    return put(folder, mod=head, more=body)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return put(tmp_path / "harbour", game=GAME, content=CONTENT)


def errors(loaded: Loaded) -> list[tuple[str, str]]:
    return [(f.code, f.message) for f in loaded.findings if f.severity == "error"]


def trees(loaded: Loaded) -> dict[str, str]:
    """How the text of each card reads, printed with its own pack's vocabulary."""
    assert loaded.compiled is not None
    out = {}
    for record in loaded.model.records.values():
        for source in record.texts.values():
            language = loaded.compiled.language.of(source.pack)
            out[record.name] = show(loaded.compiled.trees[id(source)], language.vocabulary)
    return out


def done(loaded: Loaded, card: str) -> tuple[int, int]:
    """(Coins, Fame) that the first player has from the text of a card."""
    assert loaded.compiled is not None and loaded.compiled.program is not None
    made, found = attach_statement(loaded.compiled, Source(f"Perform the {card}.", "x", "x", "do"))
    assert made is not None and not found
    state = Game(loaded.compiled.program).new(2)
    push(state, made, 0)
    coin, fame = (loaded.model.counters[c].cells["player"][0] for c in ("Coin", "Fame"))
    return state.v[coin], state.v[fame]


def test_two_mods_have_a_phrase_a_value_and_a_state_of_the_same_words(game: Path, tmp_path: Path) -> None:
    ash = mod(tmp_path / "ash", "Coins", 3, "tall", "Banner")
    fog = mod(tmp_path / "fog", "Fame", 5, "high", "Lantern")
    alone = load_compiled(game, [ash])
    both = load_compiled(game, [fog, ash])
    assert errors(alone) == errors(both) == []
    assert done(alone, "Banner") == done(both, "Banner") == (2, 5)
    assert done(both, "Lantern") == (0, 9)
    assert trees(both).items() >= trees(alone).items() >= trees(load_compiled(game)).items()


def test_a_mod_does_not_have_the_words_of_a_mod_that_it_does_not_need(game: Path, tmp_path: Path) -> None:
    ash = mod(tmp_path / "ash", "Coins", 3, "tall", "Banner")
    for name, text in (("fog", "Hoard 2."), ("sea", "Rest. Gain Fame = the Might of the Banner."), ("sky", "Rest.")):
        other = put(
            tmp_path / name,
            mod="language: 1\nname: X\nextends: harbour\n",
            more=f"charms:\n  - {{name: {name.title()}, text: {text}}}\n",
        )
        assert bool(errors(load_compiled(game, [ash, other]))) == (name != "sky")
    assert errors(load_compiled(game, [ash, other])) == []


def test_what_a_mod_adds_does_not_change_how_another_text_reads(game: Path, tmp_path: Path) -> None:
    """A longer name, a verb and a state that would each be found in the text of the game, were they its own."""
    more = """\
towers:
  - {name: East Tower Might, might: 9}
phrases:
  - {phrase: "gain coins", text: Gain 9 Coins.}
states:
  - {state: coins, of: Tower, is: its Might is at least 1}
"""
    sea = put(
        tmp_path / "sea",
        mod="language: 1\nname: Sea\nextends: harbour\n",
        more=more,
    )
    assert trees(load_compiled(game, [sea]))["Torch"] == trees(load_compiled(game))["Torch"]
    assert done(load_compiled(game, [sea]), "Torch") == done(load_compiled(game), "Torch") == (2, 1)


def test_two_mods_of_which_one_needs_the_other_may_not_both_have_a_phrase(game: Path, tmp_path: Path) -> None:
    ash = mod(tmp_path / "ash", "Coins", 3, "tall", "Banner")
    fog = mod(tmp_path / "fog", "Fame", 5, "high", "Lantern", needs="needs: [ash]\n")
    assert {code for code, _ in errors(load_compiled(game, [ash, fog]))} == {"phrase-clash"}
