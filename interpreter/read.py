"""read: in, the folder of a pack (a game or a mod); out, a Pack: every *.yaml of it with positions, and every finding.

Nothing is raised and nothing is left out silently. Files are in the order of their POSIX paths; texts have LF line
ends, whatever the disk holds. A folder inside that holds a game.yaml or mod.yaml is a pack of its own.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from .diagnostics import Diagnostic, finding
from .document import DEEPEST, read_document, text_findings
from .nodes import Mapping, Node, Scalar, Sequence, Value, plain

__all__ = [
    "File",
    "Mapping",
    "Node",
    "Pack",
    "Scalar",
    "Sequence",
    "Texts",
    "Value",
    "digest",
    "name_fault",
    "plain",
    "read_file",
    "read_pack",
    "text_findings",
    "text_nodes",
]

LARGEST_FILE = 1 << 20
LARGEST_PACK = 16 << 20
MOST_FILES = 2000
MOST_RECORDS = 20_000
LONGEST_NAME = 80
HEADS = ("game.yaml", "mod.yaml")
START = (1, 1, 1, 2)

# Says of a path inside a file, such as ("cards", 3, "text"), whether a rule's text stands there.
Texts = Callable[[str, tuple[str | int, ...]], bool]


@dataclass(slots=True)
class File:
    """name: POSIX, inside the pack. path: as findings show it. root: the tree, None if the file could not be read."""

    name: str
    path: str
    text: str
    root: Node | None


@dataclass(slots=True)
class Pack:
    """folder: where it lies. shown: as findings show that folder."""

    folder: Path
    shown: str
    files: list[File] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    def file(self, name: str) -> File | None:
        return next((file for file in self.files if file.name == name), None)

    def sources(self) -> dict[str, str]:
        """The text of each file by the name that findings use: what `report` wants."""
        return {file.path: file.text for file in self.files}


def read_pack(folder: str | Path, texts: Texts | None = None, shown: str | None = None) -> Pack:
    """Reads a folder. texts: which fields are rule texts, and so may not be quoted or followed by a comment (a caller
    who learns this from the pack itself asks `text_findings` later). shown: what findings call the folder."""
    root = Path(folder)
    name = root.as_posix() if shown is None else shown
    pack = Pack(root, name)
    if not root.is_dir():
        pack.findings.append(finding("not-found", name, START, f'there is no folder "{name}"'))
        return pack
    size = records = 0
    full = False  # no more is read but the head, without which nothing that was read means anything
    for path in _walk(pack):
        data = None if full and path not in HEADS else _bytes(pack, path)
        if data is None:
            continue
        size += len(data)
        if size > LARGEST_PACK and not full:
            message = f"the files of this pack have more than {LARGEST_PACK >> 20} MiB; this one and later are not read"
            pack.findings.append(finding("too-large", _shown(name, path), START, message))
            full = True
            if path not in HEADS:
                continue
        file, findings = _file(data, path, _shown(name, path), texts)
        pack.files.append(file)
        pack.findings += findings
        records += _records(file.root)
        if records > MOST_RECORDS and not full:
            message = f"with this file the pack has more than {MOST_RECORDS:,} records; later ones are not read"
            pack.findings.append(finding("too-many", file.path, START, message))
            full = True
    return pack


def read_file(path: str | Path, texts: Texts | None = None, shown: str | None = None) -> tuple[File, list[Diagnostic]]:
    """One file by itself, such as a scenario anywhere on the disk."""
    place = Path(path)
    name = place.as_posix() if shown is None else shown
    pack = Pack(place.parent, "")
    data = _bytes(pack, place.name, name)
    if data is None:
        return File(place.name, name, "", None), pack.findings
    return _file(data, place.name, name, texts)


def digest(pack: Pack, keep: Callable[[str], bool] = lambda name: True) -> str:
    """SHA-256 over the POSIX path and the LF text of every file that keep chooses, in order of paths."""
    sha = hashlib.sha256()
    for file in sorted(pack.files, key=lambda f: f.name):
        if keep(file.name):
            for part in (file.name, file.text):
                data = part.encode("utf-8", "surrogatepass")
                sha.update(b"%d:" % len(data) + data)
    return sha.hexdigest()


def name_fault(name: str) -> str | None:
    """What is wrong with a name of content, or None."""
    if not name:
        return "a name is empty"
    if unicodedata.normalize("NFC", name) != name:
        return "this name holds letters with separate accents; type each accented letter as one (NFC)"
    for char in name:
        if not (unicodedata.category(char)[0] == "L" or char in "0123456789 '-!?,"):
            hint = "; type ' instead" if char in "’‘`´" else "; type - instead" if char in "‐‑–—−" else ""
            seen = f'"{char}"' if char.isprintable() else f"the character U+{ord(char):04X}"
            return f"a name holds letters, digits, spaces and ' - ! ? , only, not {seen}{hint}"
    if name != name.strip():
        return "a name does not begin or end with a space"
    if "  " in name:
        return "a name has single spaces only"
    if len(name) > LONGEST_NAME:
        return f"a name has at most {LONGEST_NAME} characters; this has {len(name)}"
    return None


def text_nodes(node: Node | None, is_text: Callable[[tuple[str | int, ...]], bool]) -> Iterator[Node]:
    """Every node of a tree at whose path a rule's text stands."""
    stack: list[tuple[tuple[str | int, ...], Node]] = [((), node)] if node else []
    while stack:
        path, here = stack.pop()
        if is_text(path):
            yield here
            continue
        inner: Iterable[tuple[str | int, Node]] = ()
        if isinstance(here, Mapping):
            inner = [(key, value) for key, (_, value) in here.items.items()]
        elif isinstance(here, Sequence):
            inner = list(enumerate(here.items))
        stack.extend(((*path, step), value) for step, value in inner)


# ---------------------------------------------------------------- the disk


def _shown(folder: str, path: str) -> str:
    """A path inside a folder as findings show it."""
    return path if folder in ("", ".") else (PurePath(folder) / path).as_posix()


def _walk(pack: Pack) -> list[str]:
    """The POSIX paths of the pack's YAML files, sorted."""
    found: list[str] = []
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(pack.folder / folder) as scan:
                entries = sorted(scan, key=lambda e: e.name)
        except OSError as error:
            message = f"this folder cannot be read: {_why(error)}"
            pack.findings.append(finding("not-found", _shown(pack.shown, folder), START, message))
            continue
        if folder and any(e.name in HEADS for e in entries):
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            shown = _shown(pack.shown, path)
            yaml = entry.name.endswith(".yaml")
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                if yaml or entry.is_dir():
                    message = "this is a symbolic link; a pack holds its own files: put a copy here"
                    pack.findings.append(finding("outside-pack", shown, START, message))
            elif entry.is_dir():
                if path.count("/") + 1 > DEEPEST:
                    message = f"folders are nested more than {DEEPEST} deep"
                    pack.findings.append(finding("too-deep", shown, START, message))
                else:
                    folders.append(path)
            elif yaml:
                found.append(path)
            elif re.search(r"\.ya?ml$", entry.name, re.IGNORECASE):
                right = re.sub(r"\.\w+$", ".yaml", entry.name)
                message = f'only files ending in .yaml are read; rename this one to "{right}"'
                pack.findings.append(finding("wrong-suffix", shown, START, message))
        if len(found) > MOST_FILES:
            message = f"this pack has more than {MOST_FILES:,} files; only the first are read"
            pack.findings.append(finding("too-many", pack.shown, START, message))
            break
    return sorted(found)[:MOST_FILES]


def _bytes(pack: Pack, path: str, shown: str | None = None) -> bytes | None:
    """What a file holds; None, with a finding, if it is no plain file of a fair size."""
    name = _shown(pack.shown, path) if shown is None else shown
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if shown is None:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(pack.folder / path, flags)
        with open(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                pack.findings.append(finding("not-found", name, START, "this is not a plain file"))
                return None
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        pack.findings.append(finding("not-found", name, START, f"this file cannot be read: {_why(error)}"))
        return None
    if len(data) > LARGEST_FILE:
        message = f"a file may have {LARGEST_FILE >> 20} MiB; divide this one"
        pack.findings.append(finding("too-large", name, START, message))
        return None
    return data


def _why(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()


def _file(data: bytes, path: str, shown: str, texts: Texts | None) -> tuple[File, list[Diagnostic]]:
    findings: list[Diagnostic] = []
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        message = "the file begins with a byte order mark; save it as UTF-8 without one"
        findings.append(finding("byte-order-mark", shown, START, message))
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        findings.append(finding("bad-encoding", shown, (line, column, line, column + 1), message))
        return File(path, shown, data.decode("utf-8", "replace"), None), findings
    node, found = read_document(text, shown)
    findings += found
    if node is not None and not isinstance(node, Mapping):
        message = "a file holds keys at its left margin, such as `cards:`, with the records below them"
        findings.append(finding("bad-value", shown, (node.line, node.column, node.line, node.column + 1), message))
    if texts is not None:
        for place in text_nodes(node, lambda at: texts(path, at)):
            findings += text_findings(place, shown)
    return File(path, shown, text, node), findings


def _records(node: Node | None) -> int:
    """The mappings in the lists of a file."""
    if not isinstance(node, Mapping):
        return 0
    lists = [value for _, value in node.items.values() if isinstance(value, Sequence)]
    return sum(isinstance(item, Mapping) for items in lists for item in items.items)
