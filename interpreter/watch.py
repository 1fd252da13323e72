"""watch: in, a game; out, the records whose texts were performed while it is watched.

A block of a record's texts is put in the place of one that notes it and goes on; all are put back at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from interpreter.game import Game

Block = Callable[[Any, int], int]


class Watch:
    """A context. records: the ids to look for, all of the game's if None. once: a block is put back as soon as it has
    run, since what is done again and again need not be noted again; performed then only grows."""

    def __init__(self, game: Game, records: Collection[str] | None = None, once: bool = True) -> None:
        self.program = game.program
        self.records = game.model.records if records is None else records
        self.once = once
        self.performed: set[str] = set()
        self.kept: dict[int, Block] = {}

    def __enter__(self) -> Watch:
        blocks = self.program.blocks
        for number, origin in enumerate(self.program.origins):
            if origin in self.records and number < len(blocks):
                self.kept[number] = blocks[number]
                self._put(number, self._noting(number, origin))
        return self

    def __exit__(self, *_: object) -> None:
        for number, block in self.kept.items():
            self._put(number, block)

    def _put(self, number: int, block: Block) -> None:
        self.program.blocks[number] = block
        if f"b{number}" in self.program.globals:
            self.program.globals[f"b{number}"] = block

    def _noting(self, number: int, origin: str) -> Block:
        original = self.kept[number]

        def noted(s: Any, c: int) -> int:
            if self.once:
                self._put(number, original)
            self.performed.add(origin)
            return original(s, c)

        return noted
