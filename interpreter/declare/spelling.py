"""spelling: plurals, verb forms and the parts of phrases.

In: a name or pattern. Out: its forms.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.declare.gathering import Declaring
from interpreter.vocabulary import Hole

LONGEST = 160  # characters of a phrase, its holes included
LOCAL = re.compile(r"[^\W\d_A-Z][^\W_A-Z]*")
WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*,?")


def parts_of(d: Declaring, node: Any, pattern: str) -> tuple[str | Hole, ...]:
    """`invest {number amount} on {thing target}` → ("invest", Hole, "on", Hole)."""
    parts: list[str | Hole] = []
    rest = pattern.strip()
    if len(rest) > LONGEST:
        d.fault(node, "too-long", f"a phrase has at most {LONGEST} characters; this has {len(rest):,}")
        return ()
    while rest:
        if rest.startswith("{"):
            inside, closed, rest = rest[1:].partition("}")
            words = inside.split()
            if not closed or len(words) < 2:
                d.fault(node, "phrase-hole", "a hole is written {kind name}, as in {number amount}")
                return ()
            kind = " ".join(words[:-1])
            if not LOCAL.fullmatch(words[-1]):
                d.fault(node, "phrase-hole", f'a hole has a name in small letters, not "{words[-1]}"')
                return ()
            single = next((k.name for k in d.model.kinds.values() if k.plural == kind), "")
            many = bool(single) and kind not in d.model.kinds
            if kind in ("players", "things", "cards"):
                single, many = kind[:-1], True
            parts.append(Hole(single if many else kind, words[-1], many))
            rest = rest.lstrip()
        else:
            word, _, rest = rest.partition(" ")
            if "{" in word and "}" not in word.partition("{")[0]:
                d.fault(node, "phrase-hole", "put a space before the hole")
                return ()
            if not WORD.fullmatch(word):
                d.fault(node, "phrase-hole", f'a phrase is made of words and holes, and "{word}" is neither')
                return ()
            parts.append(word)
            rest = rest.lstrip()
    return tuple(parts)


def pattern_ident(parts: tuple[str | Hole, ...]) -> str:
    return " ".join("_" if isinstance(p, Hole) else p for p in parts)


def forms_of(verb: str) -> tuple[str, str, str, str]:
    """Regular forms: use, uses, used, used."""
    third = verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        third = verb[:-1] + "ies"
        past = verb[:-1] + "ied"
    elif verb.endswith("e"):
        past = verb + "d"
    else:
        past = verb + "ed"
    return verb, third, past, past


def plural(name: str) -> str:
    """The regular plural of the last word; `X of Y` pluralises X."""
    head, of, tail = name.partition(" of ")
    if head.endswith(("s", "sh", "ch", "x", "z")):
        out = head + "es"
    elif head.endswith("y") and head[-2:-1].lower() not in "aeiou":
        out = head[:-1] + "ies"
    else:
        out = head + "s"
    return out + of + tail
