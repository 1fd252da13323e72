"""suite: the scenarios under some paths, run on their games; which rules they cover.

In: paths of packs, folders or files. Out: Outcome of each file: results, findings of the file, its game's pack.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from .bench import Bench
from .data import enclosing_pack, find_pack, is_path
from .diagnostics import Diagnostic, finding, has_errors
from .load import Loaded, load_compiled
from .nodes import Mapping, Scalar, Sequence, plain
from .read import File, read_file
from .scenario import Scenario, read_scenarios, ready
from .story import Result, play

HOLDS = re.compile(r"^scenarios\s*:", re.MULTILINE)


@dataclass(slots=True)
class Outcome:
    """What came of one file. findings: those that lie in no scenario, or why its game cannot be played."""

    file: File
    pack: Path | None
    results: list[Result] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> int:
        return sum(result.passed for result in self.results)

    @property
    def failed(self) -> int:
        """A file whose game cannot be loaded, or that is no file of scenarios, counts as one failure at least."""
        failed = len(self.results) - self.passed
        return failed or int(has_errors(self.findings))


@dataclass(slots=True)
class Benches:
    """Each game with its mods, compiled once. made: what stands on it, or the findings for which there is none. rules: by
    pack, see rule_ids."""

    made: dict[tuple[str, ...], tuple[Bench | None, Loaded | None, list[Diagnostic]]] = field(default_factory=dict)
    rules: dict[Path | None, set[str] | None] = field(default_factory=dict)

    def get(self, game: Path, mods: list[Path]) -> tuple[Bench | None, Loaded | None, list[Diagnostic]]:
        key = (os.path.abspath(game), *sorted(os.path.abspath(m) for m in mods))
        if key not in self.made:
            loaded = load_compiled(game, list(mods))
            faults = [d for d in loaded.findings if d.severity == "error"]
            fine = not faults and loaded.compiled is not None and loaded.compiled.program is not None
            self.made[key] = (Bench(loaded) if fine else None, loaded, faults)
        return self.made[key]

    def rule_ids(self, pack: Path | None) -> set[str] | None:
        """All ids of a pack's rules.yaml, read once; None where it has none."""
        if pack not in self.rules:
            self.rules[pack] = rule_ids(pack)
        return self.rules[pack]


# ---------------------------------------------------------------- finding


def scenario_files(path: Path) -> list[Path]:
    """The file itself, or the files of scenarios anywhere below a folder, in order of their paths."""
    if path.is_file():
        return [path]
    found = []
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "_data")
        for name in sorted(files):
            if name.endswith(".yaml") and not name.startswith("."):
                place = Path(folder) / name
                try:
                    if HOLDS.search(place.read_text(encoding="utf-8", errors="replace")):
                        found.append(place)
                except OSError:
                    continue
    return sorted(found, key=lambda p: p.as_posix())


def home(path: Path, file: File) -> tuple[Path | None, list[Path], list[Diagnostic]]:
    """(the game's folder, mods, findings): the pack that the file lies in, else what its `game:` names."""
    pack = enclosing_pack(path)
    if pack is not None and (pack / "game.yaml").is_file():
        return pack, [], []
    root = file.root
    if pack is not None:
        head, _ = read_file(pack / "mod.yaml")
        extends = head.root.get("extends") if isinstance(head.root, Mapping) else None
        words = str(plain(extends) or "").split()
        game = find_pack(words[0]) if words else None
        if game is not None:
            return game, [pack], []
        where = extends.span() if isinstance(extends, Scalar) else (1, 1, 1, 2)
        message = f'the game that this mod extends is not here: "{words[0] if words else ""}"'
        return None, [], [finding("unknown-game", head.path, where, message)]
    named = root.get("game") if isinstance(root, Mapping) else None
    if not isinstance(named, Scalar):
        where = root.span() if isinstance(root, Mapping) else (1, 1, 1, 2)
        message = "this file lies in no game's folder, so it wants `game:`"
        return None, [], [finding("missing-field", file.path, where, message)]
    found = located(str(named.value), path)
    if found is None or not (found / "game.yaml").is_file():
        return None, [], [finding("unknown-game", file.path, named.span(), f'there is no game "{named.value}"')]
    return found, [], []


def located(name: str, beside: Path) -> Path | None:
    """A pack by its name, or by a path from the file that names it or from the working folder."""
    if not is_path(name):
        return find_pack(name)
    return next((p for p in (beside.parent / name, Path(name)) if p.is_dir()), None)


# ---------------------------------------------------------------- running


def run_file(path: Path, benches: Benches, run: bool = True, read: File | None = None) -> Outcome:
    """Run the scenarios of a file. run: False where they are only to be checked. read: the file, where it was read with
    its pack, whose findings hold those of reading."""
    file, faults = (read, []) if read is not None else read_file(path)
    outcome = Outcome(file, enclosing_pack(path), sources={file.path: file.text})
    outcome.findings += faults
    if file.root is None:
        return outcome
    scenarios, faults = read_scenarios(file)
    outcome.findings += faults
    game, mods, faults = home(path, file)
    outcome.findings += faults
    if game is None:
        return outcome
    outcome.pack = outcome.pack or game
    rules = benches.rule_ids(outcome.pack)
    for scenario in scenarios:
        outcome.results.append(run_one(scenario, path, game, mods, benches, rules, outcome, run))
    return outcome


def check_file(path: Path, benches: Benches, read: File | None = None) -> list[Diagnostic]:
    """The findings of a file of scenarios: its fields, texts, labels and names. read: as for run_file."""
    outcome = run_file(path, benches, False, read)
    return [*outcome.findings, *(d for result in outcome.results for d in result.findings)]


def run_one(
    scenario: Scenario,
    path: Path,
    game: Path,
    mods: list[Path],
    benches: Benches,
    rules: set[str] | None,
    outcome: Outcome,
    run: bool = True,
) -> Result:
    """Make one scenario ready and, with run, play it. What is wrong in its game is told with run only, or where the
    game is checked itself."""
    more: list[Path] = []
    for name in scenario.mods:
        found = located(name, path)
        if found is None:
            where = scenario.node.span()
            scenario.findings.append(finding("unknown-game", scenario.file, where, f'there is no mod "{name}"'))
        else:
            more.append(found)
    if has_errors(scenario.findings):
        return Result(scenario, findings=list(scenario.findings))
    bench, loaded, faults = benches.get(game, [*mods, *more])
    if bench is None and not run:
        if enclosing_pack(path) is None:
            message = f"{game.as_posix()} has errors: check it first"
            scenario.findings.append(finding("unknown-game", scenario.file, scenario.node.span(), message))
        return Result(scenario, findings=list(scenario.findings))
    if bench is None:
        if loaded is not None:
            outcome.sources.update(source for pack in loaded.packs for source in pack.sources().items())
        outcome.findings += [d for d in faults if d not in outcome.findings]
        where = scenario.node.span()
        return Result(scenario, failures=[(scenario.file, where[0], where[1], "its game has errors")])
    ready(scenario, bench, rules)
    return play(scenario, bench) if run else Result(scenario, findings=list(scenario.findings))


# ---------------------------------------------------------------- rules


def rule_entries(pack: Path) -> list[Mapping]:
    """The entries of a pack's rules.yaml."""
    if not (pack / "rules.yaml").is_file():
        return []
    file, _ = read_file(pack / "rules.yaml")
    rules = file.root.get("rules") if isinstance(file.root, Mapping) else None
    return [n for n in rules.items if isinstance(n, Mapping)] if isinstance(rules, Sequence) else []


def rule_ids(pack: Path | None) -> set[str] | None:
    """All ids of a pack's rules.yaml; None where it has none."""
    entries = rule_entries(pack) if pack is not None else []
    return {str(plain(entry.get("id"))) for entry in entries} or None


def shown_ids(pack: Path) -> list[str]:
    """The ids that content carries out, in order: those that can be covered."""
    return [str(plain(entry.get("id"))) for entry in rule_entries(pack) if entry.get("not shown") is None]
