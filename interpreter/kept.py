"""kept: what a game compiled to, in the user's cache folder, so that a warm load reads no YAML and parses nothing.

In: a game's name or path, with mods. Out: its Program, as kept, or None; and the keeping. An entry is taken only if every
file of every pack, the grammar and the engine are those it was made of; a game has one entry, which the next replaces.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from interpreter.assembled import assembled
from interpreter.cache import FORMAT, read, reading, write
from interpreter.data import PACKAGE, cache_folder, find_game, find_pack, grammar_folder
from interpreter.flat import Strange, flatten, unfold
from interpreter.program import Image, Program

APART = {"__pycache__", "_data", "adapters", "commands"}  # folders of the engine of which no program is made
LARGEST = 1 << 20  # as in read: what is larger, or no plain file, is not kept
MOST = 2000


def find(name_or_path: Any, mods: list[Any]) -> Program | None:
    """The Program of a game as it was kept; None where it has to be made."""
    folder = find_game(name_or_path)
    path = entry_of(folder, mods)
    if folder is None or path is None:
        return None
    entry = read(path)
    if not (isinstance(entry, tuple) and len(entry) == 4):
        return None
    key, needs, rows, code = entry
    if key != key_of(folder, mods) or needs != needed([name for name, _, _ in needs]):
        return None
    return assembled(unfold(rows), code)


def keep(
    name_or_path: Any, mods: list[Any], key: str | None, needs: list[str], image: Image, code: CodeType
) -> Program:
    """Write an entry, if its files have not changed since the key was made. The Program is that of the entry: a game that
    was just compiled is the same as one that was kept."""
    try:
        rows = flatten(image)
    except Strange:
        return assembled(image, code)
    folder = find_game(name_or_path)
    path = entry_of(folder, mods)
    if folder is not None and path is not None and key is not None and not reading.get():
        found = needed(needs)
        if key == key_of(folder, mods) and all(digest for _, _, digest in found):
            write(path, (key, found, rows, code))
    return assembled(unfold(rows), code)


def entry_of(folder: Path | None, mods: list[Any]) -> Path | None:
    """Where the entry of a game with these mods lies."""
    kept = cache_folder()
    if kept is None or folder is None:
        return None
    names = [os.path.abspath(folder), *(os.path.abspath(str(mod)) for mod in mods)]
    return kept / f"game-{hashlib.sha256(repr(names).encode()).hexdigest()[:32]}"


def key_of(folder: Path, mods: list[Any]) -> str | None:
    """One hash over all that a program is made of, but for the packs that it needs: those are known when they are read.
    How the folders are named is a part of it, for findings and records name files so."""
    parts = [FORMAT.hex(), sys.version, engine()]
    for place in (folder, *(Path(str(mod)) for mod in mods)):
        digest = digest_of(place)
        if not digest:
            return None
        parts += [str(place), place.resolve().name, digest]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def needed(names: list[str]) -> tuple[tuple[str, str, str], ...]:
    """Of each pack that a game needs: its name, where it lies, a digest of it."""
    found = [(name, find_pack(name)) for name in names]
    return tuple((name, str(place), digest_of(place) if place is not None else "") for name, place in found)


def digest_of(folder: Path) -> str:
    """A digest of all that read could find in a folder; "" where something in it is no plain file of a fair size."""
    whole = hashlib.sha256()
    folders, count = [""], 0
    while folders:
        inside = folders.pop()
        try:
            with os.scandir(folder / inside) as scan:
                entries = sorted((e for e in scan if not e.name.startswith(".")), key=lambda e: e.name)
            for entry in entries:
                path = f"{inside}/{entry.name}" if inside else entry.name
                if entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                    continue
                body = b""
                if entry.name.endswith(".yaml"):
                    body = plain_file(entry.path)
                    count += 1
                elif entry.is_symlink():
                    return ""
                whole.update(repr((path, len(body))).encode() + body)
        except OSError:
            return ""
        if count > MOST:
            return ""
    return whole.hexdigest()


def plain_file(path: str) -> bytes:
    """What a file holds. OSError for another thing, such as a link or a pipe, and for one that is too large."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
        raise OSError
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)


@cache
def engine() -> str:
    """A digest of the modules of which programs are made, and of the grammar."""
    whole = hashlib.sha256()
    paths = sorted(grammar_folder().glob("*.lark"))
    for folder, folders, files in os.walk(PACKAGE):
        folders[:] = sorted(name for name in folders if name not in APART)
        paths += [Path(folder) / name for name in sorted(files) if name.endswith(".py")]
    for path in paths:
        whole.update(path.name.encode() + b"\n" + path.read_bytes())
    return whole.hexdigest()
