"""cache: compiled code by the hash of its source, in the user's cache folder, so that a warm load folds and compiles nothing.

In: source and constants. Out: a code object, from the folder or made now. marshal, never pickle; the key holds the
Python version; a damaged entry is made anew, a folder that cannot be written to is done without.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from interpreter.beside import put
from interpreter.data import cache_folder
from interpreter.stale import clear, used

FORMAT = b"cardscript-code-12\n"
reading: ContextVar[bool] = ContextVar("reading", default=False)  # set: nothing is kept of what is made now


@cache
def maker() -> bytes:
    """A digest of the modules that make code of source: what one of them made, another version does not take."""
    whole = hashlib.sha256()
    for path in sorted((Path(__file__).parent / "optimise").glob("*.py")):
        whole.update(path.name.encode() + b"\n" + path.read_bytes())
    return whole.digest()


def key_of(source: str, constants: dict[str, Any]) -> str:
    """One hash over all that the code depends on. constants are ints and tuples of ints, whose repr is exact."""
    whole = hashlib.sha256(FORMAT + maker() + sys.version.encode() + b"\n" + source.encode())
    for name in sorted(constants):
        whole.update(f"{name}={constants[name]!r};".encode())
    return whole.hexdigest()


def code_of(source: str, constants: dict[str, Any], make: Callable[[], CodeType]) -> CodeType:
    """The code object of a source: as kept, else made and kept."""
    folder = cache_folder()
    if folder is None:
        return make()
    path = Path(folder) / f"code-{key_of(source, constants)}"
    found = read(path)
    if isinstance(found, CodeType):
        return found
    code = make()
    if not reading.get():
        write(path, code)
    return code


def read(path: Path) -> Any:
    """What was written, if it is whole; else None."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    body = memoryview(data)[len(FORMAT) + 32 :]
    if not data.startswith(FORMAT) or hashlib.sha256(body).digest() != data[len(FORMAT) : len(FORMAT) + 32]:
        return None
    try:
        value = marshal.loads(body)
    except (ValueError, EOFError, TypeError):
        return None
    used(path)
    return value


def write(path: Path, value: Any) -> None:
    """Beside, then renamed: a reader never sees half a file. A full or read-only disk is tolerated."""
    body = marshal.dumps(value)
    try:
        put(path, FORMAT + hashlib.sha256(body).digest() + body, lasting=False)
    except OSError:
        return
    clear(path.parent)
