"""sentences: texts and sentences → structured code; triggers are resolved where a sentence ends.

In: a statement tree and a Scope. Out: code appended to the scope's `out`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import tree as t
from interpreter.bound import (
    Branch,
    Call,
    CallEffect,
    Each,
    Loop,
    Propose,
    Run,
    Settle,
)
from interpreter.scope import Scope
from interpreter.verbs import VERBS


def bind_text(text: Any, sc: Scope) -> None:
    """Sentences in order; triggers that a sentence announced are resolved when it ends."""
    sentences = text.sentences if isinstance(text, t.Text) else (text,)
    for sentence in sentences:
        before = len(sc.out)
        statement(sentence, sc)
        settle(sc, before)


def settle(sc: Scope, start: int) -> None:
    fires = set()
    for stm in sc.out[start:]:
        fires |= fired(stm, sc)
    waits = fires or (sc.b.edges_heard and any(map(changes, sc.out[start:])))
    if waits and not (sc.out and isinstance(sc.out[-1], Settle)):
        sc.out.append(Settle(fires))


def changes(stm: Any) -> bool:
    """True if something is done here itself, so that a condition which a text waits for may have become true."""
    if isinstance(stm, Branch):
        return any(map(changes, [*stm.then, *stm.other]))
    if isinstance(stm, (Each, Loop)):
        return any(map(changes, stm.body))
    return isinstance(stm, (Run, Propose))


def fired(stm: Any, sc: Scope) -> set[str]:
    if isinstance(stm, Run):
        return stm.fires
    if isinstance(stm, Branch):
        return {f for s in [*stm.then, *stm.other] for f in fired(s, sc)}
    if isinstance(stm, (Each, Loop)):
        return {f for s in stm.body for f in fired(s, sc)}
    if isinstance(stm, Propose):
        return {f for s in stm.act for f in fired(s, sc)}
    if isinstance(stm, Call):
        return {f"do:{stm.routine.name}"} & sc.b.heard
    return {"effect"} if isinstance(stm, CallEffect) and sc.b.heard else set()


def statement(node: Any, sc: Scope) -> None:
    """One statement → code."""
    from interpreter.statements.table import STATEMENTS

    STATEMENTS[type(node)](node, sc)


def collect(sc: Scope, body: Callable[[Scope], None], **changes: Any) -> list[Any]:
    """The code that `body` binds, apart."""
    inner = sc.inner(out=[], **changes)
    body(inner)
    return inner.out


def where(sc: Scope, node: Any) -> tuple[str, str, int]:
    """(record, file, line) of a node, for decisions and tracebacks."""
    source = sc.source
    if source is None:
        return ("", "", 0)
    line = source.scalar.place(node.at[0])[0] if source.scalar is not None else 1
    return (source.record, source.file, line)


def words(sc: Scope, node: Any) -> str:
    """The text of a node as written, on one line."""
    if sc.source is None:
        return ""
    said = " ".join(sc.source.text[node.at[0] : node.at[1]].split())
    if isinstance(node, t.Act) and node.subject is None:
        forms = (
            sc.b.phrase_heads[node.verb].forms if node.is_phrase else (VERBS[node.verb].base, VERBS[node.verb].third)
        )
        if said.lower().startswith(forms[1] + " "):
            return (
                forms[0] + said[len(forms[1]) :]
            )  # `each opponent loses 1 Coin or …`: what is offered is `lose 1 Coin`
    return said
