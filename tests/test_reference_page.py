"""reference page: in, grammar/README.md and the game under tests/language/reference; asserted, that every example of
the page is read, type-checked and compiled in that game and printed back as it stands, and that its tables are up to
date.

What is in a fence says where its examples stand (`WHERE`). In the fences of sentences an example begins at the left
margin, deeper lines and `Otherwise:` go on with it, and what stands behind `←` is a remark.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from interpreter import load_game
from interpreter.attach import attach_condition, attach_statement
from interpreter.cli import COMMANDS, cardscript
from interpreter.compile import EFFECT_TYPES, all_steps
from interpreter.load import Loaded, load_compiled
from interpreter.model import Model, Source
from interpreter.unparse import show

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "grammar" / "README.md"
GAME = ROOT / "tests" / "language" / "reference"

WHERE = {
    "card": "the text of a Charm",
    "statement": "done from outside, as `do:` of a scenario",
    "condition": "a condition, as in `then:` of a scenario",
    "amount": "the Score of a Charm",
    "yaml game": "a part of the reference game, word for word",
    "yaml instead": "keys of game.yaml in the place of the reference game's own",
    "yaml file": "a file beside those of the reference game",
    "yaml mod": "a mod.yaml for the reference game",
    "yaml scenarios": "a file of scenarios for the reference game",
    "sh": "commands, of which only the first word is tried",
}


@dataclass(frozen=True)
class Example:
    where: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.line}: {self.text.splitlines()[0][:40]}"


@cache
def examples() -> tuple[Example, ...]:
    """Every example of the page; a fence of YAML is one."""
    found: list[Example] = []
    fence, start = "", 0
    gathered: list[str] = []
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("```"):
            if fence:
                gathered.append(line)
            continue
        if not fence:
            fence, start, gathered = line[3:].strip(), number + 1, []
            continue
        if fence.startswith("yaml") or fence == "sh":
            found.append(Example(fence, "\n".join(gathered) + "\n", start))
        else:
            found += sentences(fence, start, gathered)
        fence = ""
    return tuple(found)


def sentences(fence: str, start: int, lines: list[str]) -> list[Example]:
    out: list[Example] = []
    for number, line in enumerate(lines, start):
        text = line.partition("←")[0].rstrip()
        if not text:
            continue
        if text.startswith((" ", "Otherwise:")) and out:
            out[-1] = Example(fence, f"{out[-1].text}\n{text}", out[-1].line)
        else:
            out.append(Example(fence, text, number))
    return out


def of(*where: str) -> list[Example]:
    return [e for e in examples() if e.where in where]


# ---------------------------------------------------------------- games


def game(folder: Path, files: dict[str, str]) -> Loaded:
    """The reference game with other files in it or in the place of its own."""
    shutil.copytree(GAME, folder)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return load_compiled(folder)


def told(loaded: Loaded) -> list[str]:
    return [f"{Path(f.file).name}:{f.line}:{f.column} {f.code}: {f.message}" for f in loaded.findings]


@cache
def reference() -> Loaded:
    return load_compiled(GAME)


def compiled(loaded: Loaded) -> Any:
    assert told(loaded) == []
    assert loaded.compiled is not None and loaded.compiled.program is not None
    return loaded.compiled


def printed(text: str, start: str, bound: tuple[str, ...] = ()) -> str:
    """A text of the reference game as it is printed back."""
    language = compiled(reference()).language
    node, faults = language.parse(text, start, bound)
    assert not faults, [(f.span, f.message, f.suggestion) for f in faults]
    return show(node, language.vocabulary)


def texts_of(model: Model) -> list[tuple[Source, str, tuple[str, ...]]]:
    """Every text of a game, its start symbol and what is bound in it."""
    found: list[tuple[Source, str, tuple[str, ...]]] = []
    heads = {p.ident: p for _, p in (*model.tables.get("phrase heads", []), *model.tables.get("value heads", []))}
    for ident, body in model.phrases.items():
        holes = tuple(p.name for p in heads[ident].parts if not isinstance(p, str))
        found += [(source, "amount", holes) for source in body.event.values()]
        found.append((body.source, "text", (*holes, *body.event)))
    for ident, body in model.values.items():
        head = heads[ident]
        start = "condition" if head.result == "condition" else "selection" if head.plural else "amount"
        found.append((body.source, start, tuple(p.name for p in head.parts if not isinstance(p, str))))
    found += [(s.source, "condition", ()) for words in model.states.values() for s in words if s.source is not None]
    for kind in model.kinds.values():
        if kind.live is not None:
            found.append((kind.live, "condition", ()))
        found += [(f.formula, f.type, ()) for f in kind.fields.values() if f.formula is not None]
    for record in model.records.values():
        fields = model.kinds[record.kind].fields
        found += [(source, EFFECT_TYPES[fields[name].type], ("object", "n")) for name, source in record.texts.items()]
    found += [(rule.source, "text", ()) for rule in model.rules]
    found += [(step.source, "text", ()) for step in all_steps(model) if step.source is not None]
    found += [(source, "amount", ()) for _, source in model.scores]
    return found + [(source, "amount", ()) for source in (*model.ties, *filter(None, [model.returns]))]


# ---------------------------------------------------------------- the page


def test_the_page_says_where_each_example_stands() -> None:
    assert {e.where for e in examples()} <= set(WHERE)
    assert len(examples()) > 150


def test_contents_lead_to_the_headings() -> None:
    page = PAGE.read_text(encoding="utf-8")
    outside = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    headings = [
        re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#{2,3} (.+)", outside, re.M)
    ]
    links = re.findall(r"\]\(#([^)]+)\)", page)
    assert set(links) <= set(headings)
    assert [h for h in headings if h in links] == [x for x in dict.fromkeys(links) if x in headings]


def test_commands_are_there() -> None:
    named = re.findall(r"^cardscript (\w+)", "".join(e.text for e in of("sh")), re.MULTILINE)
    assert named and set(named) <= set(COMMANDS)


def test_the_reference_game_is_played_to_its_end() -> None:
    for players in (2, 3, 4):
        state = load_game(GAME).new(players=players, seed=players)
        state.playout(players)
        assert state.over and state.outcome in ("won", "draw")


@pytest.mark.parametrize("example", of("card", "statement"), ids=str)
def test_sentences_are_printed_back(example: Example) -> None:
    assert printed(example.text, "text") == example.text


@pytest.mark.parametrize("example", of("condition", "amount"), ids=str)
def test_parts_of_sentences_are_printed_back(example: Example) -> None:
    assert printed(example.text, example.where) == example.text


@pytest.mark.parametrize("example", of("statement"), ids=str)
def test_statements_are_compiled(example: Example) -> None:
    made, findings = attach_statement(compiled(reference()), Source(example.text, "README.md", "", "do"))
    assert made is not None and not findings, [f.message for f in findings]


@pytest.mark.parametrize("example", of("condition"), ids=str)
def test_conditions_are_compiled(example: Example) -> None:
    made, findings = attach_condition(compiled(reference()), Source(example.text, "README.md", "", "then"))
    assert made is not None and not findings, [f.message for f in findings]
    state = load_game(GAME).new(players=2, seed=1)
    assert made.holds(state.s if hasattr(state, "s") else state, 0) in (True, False)


def test_card_texts_and_amounts_are_compiled(tmp_path: Path) -> None:
    """Each as a record of its own, all in one file; line 1 of a finding's example stands in its name."""
    lines = ["charms:"]
    events = [Example("card", f"{begin}, gain 1 Coin.", -i) for i, begin in enumerate(tool().EVENTS, 1)]
    for e in (*of("card", "amount"), *events):
        name = "text" if e.where == "card" else "score"
        lines += [f"  - name: Line {e.line}", "    cost: 1", f"    {name}: |"]
        lines += ["      " + line for line in e.text.splitlines()]
    loaded = game(tmp_path / "reference", {"examples.yaml": "\n".join(lines) + "\n"})
    where = dict(enumerate(lines, 1))
    wrong = [f"{where.get(f.line, '?').strip()}: {f.code}: {f.message}" for f in loaded.findings]
    assert wrong == []
    compiled(loaded)


@pytest.mark.parametrize("example", of("yaml game"), ids=str)
def test_quotations_stand_in_the_reference_game(example: Example) -> None:
    files = [path.read_text(encoding="utf-8") for path in GAME.glob("*.yaml")]
    quoted = [line.rstrip() for line in example.text.splitlines() if line.strip() and line.strip() != "# …"]
    assert any(in_order(quoted, [line.rstrip() for line in text.splitlines()]) for text in files)


def in_order(few: list[str], all_: list[str]) -> bool:
    """The lines of few stand among all_, in order."""
    rest = iter(all_)
    return all(line in rest for line in few)


@pytest.mark.parametrize("example", of("yaml instead"), ids=str)
def test_other_keys_of_the_game_are_compiled(example: Example, tmp_path: Path) -> None:
    """Each key of the example in the place of the reference game's."""
    text = (GAME / "game.yaml").read_text(encoding="utf-8")
    keys = re.findall(r"^(\w+):", example.text, re.MULTILINE)
    for key in keys:
        text = re.sub(rf"^{key}:.*\n(?:[ \n#].*\n|\n)*", "", text, flags=re.MULTILINE)
    loaded = game(tmp_path / "reference", {"game.yaml": text + "\n" + example.text})
    compiled(loaded)
    printed_back(loaded)


def test_files_are_compiled(tmp_path: Path) -> None:
    loaded = game(tmp_path / "reference", {f"line-{e.line}.yaml": e.text for e in of("yaml file")})
    compiled(loaded)
    printed_back(loaded)


@pytest.mark.parametrize("example", of("yaml mod"), ids=str)
def test_mods_are_compiled(example: Example, tmp_path: Path) -> None:
    mod = tmp_path / "mod"
    mod.mkdir()
    (mod / "mod.yaml").write_text(example.text, encoding="utf-8")
    compiled(load_compiled(GAME, [mod]))


@pytest.mark.parametrize("example", of("yaml scenarios"), ids=str)
def test_scenarios_are_played(example: Example, tmp_path: Path) -> None:
    file = tmp_path / "scenarios.yaml"
    file.write_text(example.text.replace("game: watch", f"game: {GAME.as_posix()}"), encoding="utf-8")
    scenarios_pass(file)


def test_what_the_page_says_is_so() -> None:
    """The scenarios beside the reference game, one for each sentence of the page that says how something is played."""
    scenarios_pass(GAME)


def scenarios_pass(path: Path) -> None:
    ran = CliRunner().invoke(cardscript, ["test", str(path)])
    assert ran.exception is None and ran.output.splitlines()[-1].endswith(" 0 failed"), ran.output


def test_the_reference_game_is_printed_back() -> None:
    printed_back(reference())


def printed_back(loaded: Loaded) -> None:
    """Every text of a game is as it is printed, line ends between its sentences aside."""
    language = compiled(loaded).language
    for source, start, bound in texts_of(loaded.model):
        node, faults = language.parse(source.text, start, bound)
        assert node is not None and not faults, (source.text, [f.message for f in faults])
        assert show(node, language.vocabulary).split() == source.text.split(), source.record


# ---------------------------------------------------------------- the generated tables


def tool() -> ModuleType:
    loader = SourceFileLoader("reference_tool", str(ROOT / "tools" / "reference"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_tables_are_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert tool().rewritten(page) == page, "run tools/reference"
