"""journal: the games of a run that have ended, a line each in a file, so that a run that was stopped can go on.

In: a file, a plan and the game's digest. Out: what the file holds already; it grows as games end, and goes at the end.
A last line that was cut off is dropped. The file is flushed after each game: a process that is killed loses none.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import IO, Any

from interpreter.simulate import Plan, Played


class JournalError(ValueError):
    """A file that is the journal of another run, or of none."""


class Journal:
    """The file of one run. plan, digest: what all games in it belong to. resume: keep the games that it holds. open() comes
    first, close() last."""

    def __init__(self, path: Path, plan: Plan, digest: str, resume: bool) -> None:
        self.path = path
        self.head = {"format": "cardscript-games-1", "digest": digest, "plan": facts(plan)}
        self.resume = resume
        self.file: IO[str] | None = None

    def open(self) -> list[Played]:
        """The games that the file holds, when the run is to go on; then it is ready to take more. Raises JournalError
        if it is of another run, OSError if it cannot be written."""
        kept = self._read() if self.resume else []
        beside = self.path.with_name(self.path.name + ".new")
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(self.head) + "\n")
            file.writelines(json.dumps(one) + "\n" for one in kept)
        beside.replace(self.path)
        self.file = self.path.open("a", encoding="utf-8", newline="\n")
        return kept

    def _read(self) -> list[Played]:
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return []
        except UnicodeDecodeError:
            raise JournalError(f"{self.path} is no journal of games") from None
        whole = lines[:-1]  # what follows the last line break was cut off
        try:
            head = json.loads(whole[0]) if whole else None
            played = [restored(json.loads(line)) for line in whole[1:]]
        except (ValueError, TypeError, LookupError):
            raise JournalError(f"{self.path} is no journal of games") from None
        if head != self.head:
            raise JournalError(
                f"{self.path} holds games of another run (other content, players, bots, seed or options)"
            )
        found = {one.number: one for one in played}
        return [found[number] for number in sorted(found)]

    def keep(self, one: Played) -> None:
        assert self.file is not None
        self.file.write(json.dumps(one) + "\n")
        self.file.flush()

    def close(self, whole: bool) -> None:
        """whole: all games have ended, and the file is needed no more."""
        if self.file is not None:
            self.file.close()
            if whole:
                self.path.unlink(missing_ok=True)


def facts(plan: Plan) -> dict[str, Any]:
    """What must be the same for games to be of one run; not how many games there are to be."""
    data = dataclasses.asdict(plan)
    del data["games"]
    out: dict[str, Any] = json.loads(json.dumps(data))
    return out


def restored(row: list[Any]) -> Played:
    number, seed, factions, outcome, winners, scores, length, decisions, used, error = row
    pairs = {str(prompt): (int(asked), int(forced)) for prompt, (asked, forced) in decisions.items()}
    return Played(
        int(number),
        int(seed),
        tuple(factions),
        str(outcome),
        tuple(winners),
        tuple(scores),
        int(length),
        pairs,
        tuple(used),
        str(error),
    )
