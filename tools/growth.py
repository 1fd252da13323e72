"""growth: in, the name of a game; out, how its speed and its check change with more records, more phrases, more players.

Copies of its folder get the records of its longest file again under other names, and phrases that nobody uses. Each
figure is processor time; those of play are medians of five rounds in turn. Nothing should grow faster than the work.
"""

from __future__ import annotations

import itertools
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from interpreter import load_game
from interpreter.data import find_game
from interpreter.game import Game

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
TIMES = (1, 2, 5, 10)
RECORD = re.compile(r"^  - name: (.*)$", re.MULTILINE)


def main(name: str, seconds: float) -> int:
    source = find_game(name)
    if source is None:
        print(f"there is no game {name!r}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as temp:
        file, count = longest(source)
        games: dict[str, tuple[Game, int]] = {}
        checks: list[tuple[str, float]] = []
        game = load_game(str(source))
        for players in range(game.players[0], game.players[1] + 1):
            games[f"{players} players"] = game, players
        for times in TIMES:
            folder = grown(source, Path(temp) / f"records{times}", file, times, 1)
            checks.append((f"{times * count} records of {file.name}", check_seconds(folder)))
        games[f"ten times the records of {file.name}"] = load_game(str(Path(temp) / "records10")), game.players[0]
        folder = grown(source, Path(temp) / "phrases10", file, 1, 10)
        checks.append(("ten times the phrases", check_seconds(folder)))
        games["ten times the phrases"] = load_game(str(folder)), game.players[0]
        print(f"{game.name}: decisions a second by playout(), median of {ROUNDS}")
        rates = speeds(games, seconds)
        first = next(iter(rates.values()))
        for title, rate in rates.items():
            print(f"  {title:<44} {rate:>10,.0f}  {rate / first:>6.2f} times the first")
        print(f"{game.name}: check without a cache, seconds of processor time")
        for title, took in checks:
            print(f"  {title:<44} {took:>10.2f}  {took / checks[0][1]:>6.2f} times the first")
    return 0


def longest(source: Path) -> tuple[Path, int]:
    """The file with the most named records, and how many it has."""
    found = [(len(RECORD.findall(path.read_text(encoding="utf-8"))), path) for path in sorted(source.rglob("*.yaml"))]
    found = [(count, path) for count, path in found if "scenarios" not in path.parts]
    count, path = max(found, key=lambda entry: entry[0])
    return path.relative_to(source), count


def grown(source: Path, folder: Path, file: Path, records: int, phrases: int) -> Path:
    """A copy of a game with so many times the records of a file, and so many times its phrases."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("scenarios", "rules.yaml"))
    text = (folder / file).read_text(encoding="utf-8")
    key = next(line for line in text.split("\n") if line and not line.startswith("#"))
    parts = RECORD.split(text)
    for suffix in itertools.islice(letters(), records - 1):
        copies = [f"  - name: {plain(name)} {suffix}{body}" for name, body in zip(parts[1::2], parts[2::2])]
        (folder / f"grown-{suffix.lower()}.yaml").write_text(key + "\n" + "\n".join(copies), encoding="utf-8")
    if phrases > 1:
        count = sum(path.read_text(encoding="utf-8").count("- phrase: ") for path in folder.rglob("*.yaml"))
        more = [
            f"  - phrase: grow{suffix.lower()} {{number amount}}\n    text: Let n be amount.\n"
            for suffix in itertools.islice(letters(), count * (phrases - 1))
        ]
        (folder / "grown-phrases.yaml").write_text("phrases:\n" + "".join(more), encoding="utf-8")
    return folder


def plain(name: str) -> str:
    return name.strip().strip("'\"")


def letters() -> Iterator[str]:
    """Axax, Axbx, Axcx …: no two have a form in common."""
    for size in itertools.count(2):
        for word in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=size):
            yield "x".join(word).capitalize() + "x"


def check_seconds(folder: Path) -> float:
    """What `check` takes without a cache: the processor time of its process, the least of three."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "CARDSCRIPT_CACHE": "", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-m", "interpreter", "check", str(folder)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"the grown game does not check:\n{done.stdout[:2000]}{done.stderr[:2000]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(3))


def speeds(games: dict[str, tuple[Game, int]], seconds: float) -> dict[str, float]:
    rates: dict[str, list[float]] = {title: [] for title in games}
    for turn in range(ROUNDS):
        for title, (game, players) in games.items():
            start, decisions, seed = time.process_time(), 0, 1000 * turn
            while time.process_time() - start < seconds:
                decisions += game.new(players, seed=seed, log=False).playout(seed)
                seed += 1
            rates[title].append(decisions / (time.process_time() - start))
    return {title: statistics.median(found) for title, found in rates.items()}
