"""language: each sample of tests/language reads, strictly, into a tree that prints back; faults stand at their word."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter import grammar
from interpreter import tree as t
from interpreter.declare import forms_of
from interpreter.grammar import build, inject, load_table, read_cached, write_cached
from interpreter.parse import Fault, Language
from interpreter.parse.machine import accepts
from interpreter.shapes import read_source, shapes_of
from interpreter.unparse import show
from interpreter.verbs import VERBS
from interpreter.vocabulary import Hole, Name, Phrase, ValuePhrase, Vocabulary
from interpreter.words import END

FOLDER = Path(__file__).parent / "language"
GAMES = ("clandestine", "secret_city", "westminster", "syncanite")


# ---------------------------------------------------------------- vocabularies from the sample files


def parts_of(pattern: str, names: dict[str, Name]) -> tuple[str | Hole, ...]:
    parts: list[str | Hole] = []
    for hole, word in re.findall(r"\{([^}]*)\}|(\S+)", pattern):
        if word:
            parts.append(word)
        else:
            kind, _, local = hole.rpartition(" ")
            name = names.get(kind, Name(kind))
            parts.append(Hole(name.canonical, local, name.plural))
    return tuple(parts)


def ident_of(parts: tuple[str | Hole, ...]) -> str:
    return " ".join("_" if isinstance(p, Hole) else p for p in parts)


def vocabulary_of(spec: dict[str, Any]) -> Vocabulary:
    names: dict[str, Name] = {}
    for one, _, many in (entry.partition("/") for row in spec["names"] for entry in row.split(", ")):
        names[one] = Name(one)
        if many:
            names[many] = Name(one, True)
    phrases = [Phrase(ident_of(p), p, forms_of(str(p[0]))) for p in (parts_of(x, names) for x in spec["phrases"])]
    values = []
    for pattern, _, result in (x.partition(" -> ") for x in spec["values"]):
        parts = parts_of(pattern, names)
        values.append(
            ValuePhrase(ident_of(parts), parts, (result or "number").removeprefix("list of "), "list" in result)
        )
    states, relations = {s: s for s in spec["states"]}, {r: r for r in spec["relations"]}
    return Vocabulary(names, states, relations, phrases, values)


@cache
def spec_of(name: str) -> Any:
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


@cache
def language_of(name: str) -> Language:
    return Language(vocabulary_of(spec_of(name)))


def samples() -> list[Any]:
    found = []
    for name in (*GAMES, "sketches"):
        for sample in spec_of(name)["samples"]:
            text, start = sample["text"].rstrip("\n"), sample.get("start", "text")
            found.append(pytest.param(name, text, start, id=f"{name}: {sample['id']}"))
    for group, texts in spec_of("forms")["groups"].items():
        found += [pytest.param("forms", x.rstrip("\n"), "text", id=f"{group}: {x[:50]}") for x in texts]
    return found


def read(name: str, text: str, start: str = "text") -> tuple[Any, list[Fault]]:
    return language_of(name).parse(text, start, spec_of(name)["locals"])


def one_line(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- reading and printing back


@pytest.mark.parametrize(("name", "text", "start"), samples())
def test_reads_and_prints_back(name: str, text: str, start: str) -> None:
    tree, faults = read(name, text, start)
    assert faults == []
    shown = show(tree, language_of(name).vocabulary)
    assert one_line(shown) == one_line(text)
    again, faults = read(name, shown, start)
    assert faults == []
    assert again == tree
    if "\n" in shown:
        assert shown == text


@pytest.mark.parametrize(("text", "canonical"), spec_of("forms")["loose"])
def test_looser_wording_is_printed_in_canonical_form(text: str, canonical: str) -> None:
    tree, faults = read("forms", text)
    if not canonical:
        assert faults != []
        return
    assert faults == []
    assert show(tree, language_of("forms").vocabulary) == canonical
    assert read("forms", canonical)[0] == tree


def test_every_sample_of_the_audits_is_here() -> None:
    counts = [len(spec_of(name)["samples"]) for name in GAMES]
    assert counts == [38, 31, 22, 38]


@pytest.mark.parametrize("name", [*GAMES, "sketches", "forms"])
def test_no_phrase_is_left_out(name: str) -> None:
    assert language_of(name).problems == []


@pytest.mark.parametrize("text", ["Gain Coins = Might", "place Coins on lot"])
def test_the_contract_sentences_read_with_and_without_a_full_stop(text: str) -> None:
    bare, faults = read("forms", text)
    stopped, more = read("forms", text + ".")
    assert faults == more == []
    assert bare == stopped


def test_places_of_nodes_are_those_of_their_words() -> None:
    text = "Gain 2 Coins.\n  Choose one of your Captains."
    tree, _ = read("forms", text)
    first, second = tree.sentences
    assert text[slice(*first.at)] == "Gain 2 Coins"
    assert text[slice(*dict(second.roles)["what"].at)] == "one of your Captains"


def act_of(text: str) -> Any:
    tree, faults = read("forms", text)
    assert faults == []
    return tree.sentences[0]


def what_of(text: str) -> Any:
    return dict(act_of(text).roles)["what"]


def test_trees_are_what_the_checker_reads() -> None:
    you, it = t.Ref("you"), t.Ref("it")
    assert what_of("Shuffle your Deck.") == t.Sel("Deck", of=you, of_form="your")
    assert dict(act_of("Reduce its Cost by 1.").roles) == {
        "what": t.Sel("Cost", of=it, of_form="its"),
        "by": t.Num(1),
    }
    assert what_of("Choose a Tower with Coins of yours on it.").filters == (
        t.WithThing(t.Sel("Coin", of=you, of_form="yours", place=t.Place("on", it), plural=True)),
    )
    assert what_of("Choose a Guard that is not yours.").filters == (
        t.That("that", t.Is(t.Ref("itself"), t.Ref("yours"), neg=True)),
    )
    assert what_of("Take the top 2 Charms of the Deck.") == t.Sel(
        "Charm", "top", t.Num(2), of=t.Sel("Deck", "the"), of_form="of", plural=True
    )
    assert act_of("Set its owner to you.").roles == (("what", t.Sel("owner", of=it, of_form="its")), ("to", you))
    assert act_of("If each other player has passed, stop.").cond == t.Did(
        "perfect", t.Event("pass", t.Sel("player", "each other"))
    )
    assert act_of("Move it forward 1 space.").roles == (("what", it), ("forward", t.Num(1)))
    assert act_of("Choose n from 1 to 3.").roles == (("name", "n"), ("low", t.Num(1)), ("high", t.Num(3)))
    assert act_of("Win the game.").roles == ()
    assert act_of("All players lose the game.").roles == (("what", t.Sel("game", "the")),)
    assert act_of("Invest 2 on spot.") == t.Act(
        "invest _ on _", (("amount", t.Num(2)), ("target", t.Local("spot"))), is_phrase=True
    )
    walk = act_of("Let n be the space after spot along the Path.").value
    assert walk == t.Value("core:after", (("of", t.Local("spot")), ("path", t.Sel("Path", "the"))))
    when = act_of("When a player gains Coins, if it is ready, stop.")
    assert when.where == t.Is(it, None, "ready")


# ---------------------------------------------------------------- one reading


@pytest.mark.parametrize("name", [*GAMES, "sketches", "forms", ""])
def test_the_grammar_is_strictly_lalr(name: str) -> None:
    source = read_source()
    vocabulary = vocabulary_of(spec_of(name)) if name else Vocabulary()
    build(inject(source, shapes_of(vocabulary, source)))  # ValueError if it is not


def test_a_plant_is_caught() -> None:
    source = read_source().replace("?vp: doing object  ", "?vp: doing object -> verb\n   | doing np  ")
    with pytest.raises(ValueError, match=r"collision|conflict"):
        build(inject(source, shapes_of(Vocabulary(), source)))


def test_every_verb_has_its_alternative_and_every_rule_its_function() -> None:
    from interpreter.build.base import RULES

    source = read_source()
    assert [v.base for v in VERBS.values() if not re.search(rf"\b{v.terminal}\b", source)] == []
    table = language_of("forms").table
    families = ("phrase", "value", "truth")
    named = {rule for _, rule, _, _, how in table.rules if how == "node" and rule.split("_")[0] not in families}
    assert named - set(RULES) == set()


def test_no_word_has_two_classes() -> None:
    words = re.sub(r"(^|\s)//[^@].*", "", read_source())
    classes = re.findall(r"^([A-Z_]+): (.*(?:\n +\|.*)*)", words, re.MULTILINE)
    seen: dict[str, str] = {}
    for name, alternatives in classes:
        for word in re.findall(r'"([^"]+)"', alternatives):
            assert seen.setdefault(word, name) == name


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize(("text", "word", "code", "suggestion"), spec_of("faults"))
def test_a_fault_stands_at_its_word(text: str, word: str, code: str, suggestion: str | None) -> None:
    tree, faults = read("forms", text)
    assert [(text[slice(*f.span)], f.code) for f in faults[:1]] == [(word, code)]
    if suggestion is not None:
        assert faults[0].suggestion == suggestion
    assert (tree is None) == (code != "agreement")


@pytest.mark.parametrize(
    ("text", "word", "suggestion"),
    [
        ("Draw a Charm. Discard each Charm in your Hands.", "Hands", "Hand"),
        ("Discard each Charm in that player's Hands.", "Hands", "Hand"),
        ("Discard each Charm in the Hands of player 1.", "Hands", "Hand"),
        ("Shuffle each Charm into Decks.", "Decks", "Deck"),
        ("Gain Coins = the total Wagers of players.", "Wagers", "Wager"),
        ("Gain Coins = the Wagers of that player.", "Wagers", "Wager"),
        ("Gain 1 Coin for each Charm on Tower.", "Tower", "Towers"),
        ("Gain Coins = the number of Guards on empty Tower.", "empty Tower", "empty Towers"),
    ],
)
def test_how_many_there_are_of_a_name_is_known(text: str, word: str, suggestion: str) -> None:
    vocabulary = vocabulary_of(spec_of("forms"))
    vocabulary.zones = {"Hand": True, "Deck": False}
    vocabulary.kinds = {"Tower", "Guard", "Charm"}
    vocabulary.measures = {"Wager", "Cost"}
    language = Language(vocabulary)
    _, faults = language.parse(text)
    assert [(text[slice(*f.span)], f.code, f.suggestion) for f in faults] == [(word, "agreement", suggestion)]
    right = text.replace(word, suggestion)
    assert language.parse(right)[1] == []
    assert language.parse("Discard each Charm in the Hands of all players. Choose a Guard on Towers of yours.")[1] == []


def test_all_faults_of_a_text_are_told_in_one_run() -> None:
    text = (
        "Gian 2 Coins. Gain 2 Cions. You gains 1 Coin.\n"
        "Choose one:\n"
        "  gain 2 on;\n"
        "  draw 1 Charms.\n"
        "For each Guard chosen:\n"
        "  Remoove it.\n"
        "  Gain 1 Coin.\n"
        "Draw a Chrm."
    )
    _, faults = read("forms", text)
    assert [text[slice(*f.span)] for f in faults] == ["Gian", "Cions", "gains", "on", "Charms", "Remoove", "Chrm"]


def test_what_may_follow_is_what_the_parser_takes() -> None:
    language = language_of("forms")
    assert "THEN" not in accepts(language.table, [language.table.starts["text"][0]])
    _, faults = read("forms", "Set Might 3.")
    assert faults[0].message.endswith('"to" can') or '"to"' in faults[0].message


@pytest.mark.parametrize("length", [1, 2, 3])
def test_nothing_breaks_the_reader(length: int) -> None:
    words = ["gain", "2", "Coins", "(", ")", ":", ",", "if", "\n  ", "“", "x" * 300, "9" * 30, "each", "'s", "="]
    language = language_of("forms")
    for i in range(len(words) ** length):
        text = " ".join(words[i // len(words) ** k % len(words)] for k in range(length))
        tree, faults = language.parse(text)
        assert tree is not None or faults
        assert all(0 <= f.span[0] <= f.span[1] <= len(text) for f in faults)


@pytest.mark.parametrize(
    ("text", "locals_"),
    [
        ("Let strength be 2. Fight a player with strength strength.", []),
        ("Let rest be a Guard. Rest. Rest gains 1 Coin. Remove rest.", []),
        ("Let pot be 2. Take the pot. Gain pot Coins.", []),
        ("If use is ready, use use.", ["use"]),
        ("When a player uses use, gain 1 Coin. Hunt prey for time turns.", ["use", "prey", "time"]),
    ],
)
def test_a_bound_name_may_be_a_word_of_a_phrase(text: str, locals_: list[str]) -> None:
    vocabulary = language_of("forms").vocabulary
    tree, faults = language_of("forms").parse(text, "text", locals_)
    assert faults == []
    assert show(tree, vocabulary) == text
    assert language_of("forms").parse(show(tree, vocabulary), "text", locals_) == (tree, [])


# ---------------------------------------------------------------- phrases


def problems(*phrases: str, values: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    spec = {
        "names": ["Coin/Coins, Tower/Towers, Guard/Guards"],
        "states": ["ready"],
        "relations": [],
        "phrases": phrases,
        "values": values,
    }
    return [(p.code, p.message) for p in Language(vocabulary_of(spec)).problems]


def test_sound_phrases_have_no_problem() -> None:
    assert problems("use {Tower here}", "acquire {Guard what}", "acquire {Guard what} from {Tower where}") == []
    assert (
        problems("pass the baton", "take the pot", "carry out {Guard what}", values=("the worth of {Tower here}",))
        == []
    )


@pytest.mark.parametrize(
    ("phrases", "code", "says"),
    [
        (("give {player whom} {Guard what}",), "phrase-clash", "give"),
        (("hand {player whom} {Guard what}",), "phrase-hole", "has to stand between"),
        (("{Guard what} sleeps",), "phrase-hole", "begins with"),
        (("gain {number amount} Coins",), "phrase-clash", "gain"),
        (("hold {Guard what} until {Tower where}",), "phrase-hole", "until"),
        (("use {Tower place}",), "phrase-hole", "place"),
        (("use {Tower here}", "use {Guard yonder}"), "phrase-clash", "`use {Tower here}`"),
        (("use {Tower here}", "use {Guard what} with {number force} Coins"), "phrase-clash", "`use {Tower here}`"),
        (("space {Tower here}",), "phrase-clash", "space"),
    ],
)
def test_unsound_phrases_are_named(phrases: tuple[str, ...], code: str, says: str) -> None:
    found = problems(*phrases)
    assert [c for c, _ in found] == [code]
    assert says in found[0][1]


def test_a_phrase_that_only_the_grammar_finds_unsound_is_named() -> None:
    ((code, message),) = problems("fetch {Guard what}", "look {Tower here} ready")
    assert code == "phrase-clash"
    assert message.startswith("`look {Tower here} ready` can be read in two ways")


def test_shapes_keep_the_table_small() -> None:
    few = Language(vocabulary_of({**spec_of("forms"), "phrases": ["use {Tower here}"], "values": []}))
    many = Language(
        vocabulary_of(
            {**spec_of("forms"), "phrases": [f"zz{chr(97 + i)} {{Tower here}}" for i in range(26)], "values": []}
        )
    )
    assert len(few.table.rows) == len(many.table.rows)


# ---------------------------------------------------------------- the cache


def test_a_spoilt_cache_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(tmp_path))
    source = read_source()
    text = inject(source, shapes_of(Vocabulary(), source))
    monkeypatch.setattr(grammar, "_tables", {})
    table = load_table(text)
    (kept,) = tmp_path.glob("grammar-*")
    again = read_cached(kept)
    assert again == table
    kept.write_text(kept.read_text(encoding="utf-8")[:-9] + "spoilt", encoding="utf-8")
    assert read_cached(kept) is None
    monkeypatch.setattr(grammar, "_tables", {})
    assert len(load_table(text).rows) == len(table.rows)
    write_cached(tmp_path / "none" / "grammar.json", table)  # a folder that cannot be written to is no fault


# ---------------------------------------------------------------- sentences that nobody thought of


def walk(language: Language, written: dict[str, list[str]], chance: random.Random) -> str:
    """A text that the parser takes: at every place one of the words that may stand there."""
    table = language.table
    stack, out, limit = [table.starts["text"][0]], [], chance.randint(2, 12)
    for step in range(40):
        may = accepts(table, stack)
        ways = sorted(symbol for symbol in may if symbol in written)
        if END in may or not ways:
            break
        ends = [s for s in ("DOT", "STOP", "PRONOUN", "NAME") if s in ways] if step > limit else []
        symbol = ends[0] if ends else chance.choice(ways)
        while (code := table.rows[stack[-1]][symbol]) < 0:
            origin, _, size, _, _ = table.rules[~code]
            del stack[-size:]
            stack.append(table.rows[stack[-1]][origin])
        stack.append(code)
        out.append(chance.choice(written[symbol]))
    return re.sub(r"\s+([,.;:]|'s)", r"\1", " ".join(out))


@pytest.mark.slow
def test_whatever_reads_prints_back() -> None:
    language, chance = language_of("forms"), random.Random(11)
    written: dict[str, list[str]] = {
        "NAME": ["Coins", "Guard", "Guards", "Tower"],
        "NUMBER": ["1", "2"],
        "LOCAL": ["n"],
    }
    entries = [(w, e.type) for w, e in language.lexicon.single.items()] + list(language.table.literals.items())
    for word, type_ in entries:
        written.setdefault(type_, []).append(word)
    read_back = 0
    for _ in range(8000):
        text = walk(language, written, chance)
        tree, faults = read("forms", text)
        if tree is None or faults:
            continue
        shown = show(tree, language.vocabulary)
        assert read("forms", shown) == (tree, []), (text, shown)
        read_back += 1
    assert read_back > 500
