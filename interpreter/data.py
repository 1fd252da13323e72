"""data: in, a name or a path; out, where installed games, grammar, schemas and the user's cache lie on this disk."""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
NAME = re.compile("[a-z0-9][a-z0-9_-]*")
REFERENCE = "reference"  # the folder of the small known games
HEADS = ("game.yaml", "mod.yaml")


@dataclass(frozen=True, slots=True)
class Game:
    """An installed game. reference: one of the small known ones."""

    name: str
    path: Path
    reference: bool


def data_folder() -> Path:
    """What holds `content`, `grammar` and `schemas`: `_data` beside the modules, else the checkout above them."""
    inside = PACKAGE / "_data"
    return inside if inside.is_dir() else PACKAGE.parent


def content_folder() -> Path:
    return data_folder() / "content"


def grammar_folder() -> Path:
    return data_folder() / "grammar"


def schemas_folder() -> Path:
    return data_folder() / "schemas"


def skeletons_folder() -> Path:
    return data_folder() / "schemas" / "skeletons"


def list_games() -> list[Game]:
    """The installed games by name; the reference games come last."""
    games = []
    for folder, reference in ((content_folder(), False), (content_folder() / REFERENCE, True)):
        if folder.is_dir():
            for path in sorted(folder.iterdir(), key=lambda p: p.name):
                if NAME.fullmatch(path.name) and (path / "game.yaml").is_file():
                    games.append(Game(path.name, path, reference))
    return games


def is_path(name_or_path: str | os.PathLike[str]) -> bool:
    """True if this is to be taken as a path: it holds a separator, is `.` or `..`, or is a Path."""
    if not isinstance(name_or_path, str):
        return True
    return "/" in name_or_path or os.sep in name_or_path or name_or_path in (".", "..")


def find_game(name_or_path: str | os.PathLike[str]) -> Path | None:
    """The folder of a game, None if there is none. A bare name is an installed game, never one of the working folder;
    what holds a `/` is a path."""
    if is_path(name_or_path):
        path = Path(name_or_path)
        return path if (path / "game.yaml").is_file() else None
    folder = find_pack(str(name_or_path))
    return folder if folder and (folder / "game.yaml").is_file() else None


def find_pack(name: str) -> Path | None:
    """The folder of an installed pack by its name: what `needs:` and `extends:` mean."""
    if NAME.fullmatch(name) and name != REFERENCE:
        for folder in (content_folder() / name, content_folder() / REFERENCE / name):
            if folder.is_dir():
                return folder
    return None


def holds_pack(folder: Path) -> bool:
    """True if a folder is a game, a mod, or a pack of phrases without a head."""
    return folder.is_dir() and (
        any((folder / head).is_file() for head in HEADS)
        or any(p.suffix == ".yaml" and p.is_file() for p in folder.iterdir())
    )


def packs_at(path: Path) -> list[Path]:
    """The pack that a folder is, else the packs directly in it, and those in its folder of reference games."""
    if holds_pack(path):
        return [path]
    if not path.is_dir():
        return []
    inside = sorted((p for p in path.iterdir() if p.is_dir() and p.name[:1] != "."), key=lambda p: p.name)
    packs = [p for p in inside if holds_pack(p)]
    reference = path / REFERENCE
    if reference in inside and reference not in packs:
        packs += packs_at(reference)
    return packs


def enclosing_pack(file: Path) -> Path | None:
    """The game or mod in whose folder a file lies; None if it lies in none."""
    parts = Path(os.path.abspath(file)).parents
    found = next((folder for folder in parts if any((folder / head).is_file() for head in HEADS)), None)
    if found is None or file.is_absolute():
        return found
    return Path(os.path.relpath(found))


def cache_folder() -> Path | None:
    """The user's cache, made if need be with mode 0700; None if it cannot be used safely. `CARDSCRIPT_CACHE` names
    another folder, or, empty, none."""
    chosen = os.environ.get("CARDSCRIPT_CACHE")
    if chosen == "":
        return None
    try:
        folder = Path(chosen) if chosen else _user_cache() / "cardscript"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "geteuid"):
            found = folder.stat()
            if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
                return None  # someone else could put code there
        return folder if os.access(folder, os.W_OK | os.X_OK) else None
    except (OSError, RuntimeError):
        return None


def _user_cache() -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(chosen):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path.home() / ".cache"
