"""unparse: in, a tree and its vocabulary; out, its text in canonical wording, which reads back as that very tree."""

from __future__ import annotations

from interpreter.tree import Node
from interpreter.unparse.texts import Writer
from interpreter.vocabulary import Vocabulary

_writers: list[tuple[Vocabulary, Writer]] = []  # the last few used


def show(node: Node, vocabulary: Vocabulary) -> str:
    """A text or statement as sentences; anything else as it stands inside one."""
    for known, writer in _writers:
        if known is vocabulary:
            return writer.whole(node)
    writer = Writer(vocabulary)
    _writers[:] = [(vocabulary, writer), *_writers[:7]]
    return writer.whole(node)
