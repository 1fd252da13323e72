"""kept: a warm load gives the same game and parses nothing; any change of its files, mods or engine makes it anew; a
damaged or unwritable cache is done without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from interpreter import data, kept, load_game
from interpreter.diagnostics import ContentError
from interpreter.flat import Strange, flatten, unfold
from interpreter.load import load_compiled
from interpreter.model import Model, Record, Source
from interpreter.program import Program
from interpreter.vocabulary import Hole, Phrase

KEEP = Path(__file__).resolve().parent / "rules" / "games" / "keep"
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests, so that the tables of the grammar and the code of blocks are made once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shared.chmod(0o700)
    for path in shared.glob("game-*"):
        path.unlink()
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(shared))
    return shared


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "keep"
    shutil.copytree(KEEP, folder)
    return folder


def entries(cache: Path) -> list[Path]:
    return sorted(cache.glob("game-*"))


def played(game: Any, seed: int = 3) -> tuple[str, list[str]]:
    """What a short game looks like: its state, and the labels of all that was offered."""
    state = game.new(2, seed=seed)
    labels: list[str] = []
    while not state.over and len(labels) < 200:
        decision = state.decision
        labels += [option.label for option in decision.options]
        state.apply(decision.options[len(labels) % len(decision.options)].action)
    return state.to_json(), labels


# ---------------------------------------------------------------- values


def test_rows_give_back_what_they_were_made_of() -> None:
    shared = ["x"]
    hole = Hole("Coin", "n", False)
    phrase = Phrase("bless _", ("bless", hole), {})
    source = Source("Gain 1 Coin.", "a.yaml", "Guard", "Text", scalar=object())
    record = Record(
        "guard", "Guard", "Guard", {"Might": 2, "marks": shared}, {"Text": source}, node=object(), ids=(4, 5)
    )
    value = {
        "numbers": (1, -(2**60), 2.5, True, None, ("deep", (frozenset({1}),))),
        "twice": [shared, shared, (shared, record)],
        hole: {phrase.ident},
        "all": (phrase, record),
    }
    found = unfold(flatten(value))
    assert record.node is not None and source.scalar is not None  # what is left out stays where it was
    record.node = source.scalar = None
    assert found == value
    assert found["twice"][0] is found["twice"][1] is found["twice"][2][0] is found["all"][1].values["marks"]
    assert found["numbers"][3] is True and found["all"][1].texts["Text"] is not source


def test_circles_are_kept() -> None:
    ring: list[Any] = []
    ring.append((ring, {"again": ring}))
    found = unfold(flatten(ring))
    assert found[0][0] is found and found[0][1]["again"] is found


def test_other_classes_are_not_written() -> None:
    @dataclass
    class Other:
        name: str

    for value in (Other("x"), {"a": [Other("x")]}, (len,), object()):
        with pytest.raises(Strange):
            flatten(value)


def test_rows_make_no_class_but_the_programs_own() -> None:
    with pytest.raises(KeyError):
        unfold([("Popen", ("true",)), ("tuple", ([0],))])


# ---------------------------------------------------------------- entries


def plain_parts(program: Program) -> dict[str, Any]:
    """What of a program can be compared."""
    apart = {"blocks", "questions", "globals", "scores", "ranking", "returns"}
    found = {f.name: getattr(program, f.name) for f in fields(program) if f.name not in apart}
    found["tables"] = {k: v for k, v in program.globals.items() if isinstance(v, (int, tuple, dict)) and k[0] != "_"}
    found["names"] = sorted(program.globals)
    found["code"] = [getattr(block, "__code__", None) for block in program.blocks]
    return found | {"questions": sorted(program.questions)}


@pytest.mark.parametrize("name", ["nim", "kuhn_poker", "go_fish"])
def test_a_kept_game_is_the_same(name: str, cache: Path) -> None:
    made = load_game(name)
    assert len(entries(cache)) == 1
    again = load_game(name)
    assert kept.find(name, []) is not None
    one, other = plain_parts(made.program), plain_parts(again.program)
    assert {k for k in one if one[k] != other[k]} - {"tables"} == set()
    tables = [{k: v for k, v in parts["tables"].items() if not k.startswith("FIELD_")} for parts in (one, other)]
    assert tables[0] == tables[1]
    assert (made.digest, made.num_actions) == (again.digest, again.num_actions)
    assert played(made) == played(again)


def test_what_only_reading_needs_is_left_out_of_every_loaded_game(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_one = load_game(KEEP)
    monkeypatch.setenv("CARDSCRIPT_CACHE", "")
    for game in (kept_one, load_game(KEEP)):
        model: Model = game.model
        assert model.packs == [] and model.vocabularies == {}
        assert {record.node for record in model.records.values()} == {None}
        assert {s.scalar for record in model.records.values() for s in record.texts.values()} == {None}
        assert any(record.texts for record in model.records.values())


def test_a_warm_load_reads_no_yaml_and_parses_nothing(cache: Path) -> None:
    load_game("nim")
    code = (
        "import sys; from interpreter import load_game; load_game('nim'); "
        "print([m for m in ('yaml', 'lark', 'jsonschema', 'interpreter.parse', 'interpreter.load', 'interpreter.fold') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_every_change_of_a_file_makes_it_anew(game: Path, cache: Path) -> None:
    before = load_game(game)
    assert kept.find(game, []) is not None
    head = game / "game.yaml"
    text = head.read_text(encoding="utf-8")
    head.write_text(text.replace("name: Keep", "name: Kept"), encoding="utf-8")
    assert kept.find(game, []) is None
    after = load_game(game)
    assert (before.model.title, after.model.title) == ("Keep", "Kept")
    assert len(entries(cache)) == 1 and kept.find(game, []) is not None
    (game / "more.yaml").write_text("", encoding="utf-8")
    assert kept.find(game, []) is None


def test_a_fault_that_comes_later_is_told(game: Path, cache: Path) -> None:
    load_game(game)
    (game / "charms").mkdir(exist_ok=True)
    (game / "charms" / "wrong.yaml").write_text("charms: [", encoding="utf-8")
    with pytest.raises(ContentError):
        load_game(game)
    (game / "charms" / "wrong.yaml").unlink()
    (game / "link.yaml").symlink_to(game / "game.yaml")
    with pytest.raises(ContentError):
        load_game(game)


def test_a_game_with_errors_is_not_kept(game: Path, cache: Path) -> None:
    (game / "more.yaml").write_text("charms: 3\n", encoding="utf-8")
    with pytest.raises(ContentError):
        load_game(game)
    assert entries(cache) == []


def test_mods_have_entries_of_their_own(game: Path, cache: Path) -> None:
    mod = game.parent / "ash"
    mod.mkdir()
    (mod / "mod.yaml").write_text("language: 1\nname: Ash\nversion: 1.0.0\nextends: keep\n", encoding="utf-8")
    extended = load_game(game, [mod])
    assert len(entries(cache)) == 1 and kept.find(game, []) is None
    again = load_game(game, [mod])
    assert extended.mods == again.mods == ("ash",) and again.digest == extended.digest
    (mod / "more.yaml").write_text("", encoding="utf-8")
    assert kept.find(game, [mod]) is None


def test_what_a_game_needs_is_looked_at_too(game: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "content_folder", lambda: game.parent)
    head = game / "game.yaml"
    head.write_text(head.read_text(encoding="utf-8") + "\nneeds: [more]\n", encoding="utf-8")
    more = game.parent / "more" / "phrases.yaml"
    more.parent.mkdir()
    more.write_text("", encoding="utf-8")
    assert load_game(game).mods == ("more",)
    assert kept.find(game, []) is not None
    more.write_text("# another\n", encoding="utf-8")
    assert kept.find(game, []) is None
    load_game(game)
    assert kept.find(game, []) is not None
    shutil.rmtree(more.parent)
    assert kept.find(game, []) is None


def test_another_engine_or_python_makes_it_anew(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_game(KEEP)
    assert kept.find(KEEP, []) is not None
    monkeypatch.setattr(kept, "engine", lambda: "another")
    assert kept.find(KEEP, []) is None
    monkeypatch.undo()
    monkeypatch.setenv("CARDSCRIPT_CACHE", str(cache))
    monkeypatch.setattr(sys, "version", "4.0")
    assert kept.find(KEEP, []) is None


def test_a_damaged_entry_is_made_anew(cache: Path) -> None:
    whole = played(load_game(KEEP))
    (entry,) = entries(cache)
    good = entry.read_bytes()
    for bad in (b"", good[:100], good[:-7], good[:3000] + b"x" + good[3001:], b"x" * len(good)):
        entry.write_bytes(bad)
        assert kept.find(KEEP, []) is None
        assert played(load_game(KEEP)) == whole
        assert kept.find(KEEP, []) is not None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs the modes of POSIX")
def test_a_folder_that_others_can_write_to_is_done_without(cache: Path) -> None:
    cache.chmod(0o777)
    load_game(KEEP)
    assert entries(cache) == [] and kept.find(KEEP, []) is None


def test_a_file_that_changes_meanwhile_is_not_kept(game: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(*given: Any) -> Any:
        loaded = load_compiled(*given)
        (game / "more.yaml").write_text("", encoding="utf-8")
        return loaded

    monkeypatch.setattr("interpreter.load.load_compiled", changed)
    load_game(game)
    assert entries(cache) == []


def test_several_at_once_share_an_entry(cache: Path) -> None:
    code = "from interpreter import load_game; print(load_game('nim').new(2, seed=4).to_json())"
    command = [sys.executable, "-c", code]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: subprocess.run(command, capture_output=True, text=True, cwd=ROOT), range(3)))
    assert [one.returncode for one in done] == [0, 0, 0], done[0].stderr
    assert len({one.stdout for one in done}) == 1
    assert len(entries(cache)) == 1 and list(cache.glob("new-*")) == []


def test_a_fault_in_emitted_code_shows_its_line(cache: Path) -> None:
    import linecache

    load_game(KEEP)
    linecache.clearcache()
    program = load_game(KEEP).program
    code = program.blocks[0].__code__  # type: ignore[attr-defined]
    assert "def b0(" in linecache.getline(code.co_filename, code.co_firstlineno)
