"""stale: in, the user's cache folder; out, that folder without what nobody read for a month, and no larger than it may be.

It is looked through when something is put into it, once a day at most. What is gone is made anew when it is asked for."""

from __future__ import annotations

import os
import time
from pathlib import Path

DAY = 24 * 3600.0
MONTH = 30 * DAY
LARGEST = 512 << 20  # bytes that all entries may have
ENTRIES = ("code-", "game-", "grammar-")
NOTE = "looked-through"  # a file as old as the last look


def used(path: Path) -> None:
    """An entry was read: it is as young as one of today."""
    try:
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)
    except OSError:
        return


def clear(folder: Path) -> None:
    """Look through the folder, if the last look is a day old. Never raises: another process may do the same, or may."""
    note = folder / NOTE
    now = time.time()
    try:
        if note.exists() and 0 <= now - note.stat().st_mtime < DAY:
            return
        note.touch()
        with os.scandir(folder) as scan:
            found = [(entry.stat(follow_symlinks=False), entry.path) for entry in scan if an_entry(entry.name)]
    except OSError:
        return
    whole = 0
    for facts, path in sorted(found, key=lambda one: one[0].st_mtime, reverse=True):
        half = os.path.basename(path).startswith(".")  # what a process that was killed left behind
        if not half:
            whole += facts.st_size
        if now - facts.st_mtime > (DAY if half else MONTH) or (whole > LARGEST and not half):
            try:
                os.unlink(path)
            except OSError:
                continue


def an_entry(name: str) -> bool:
    return name.removeprefix(".").startswith(ENTRIES)
