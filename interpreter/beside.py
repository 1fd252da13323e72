"""beside: in, a path and bytes; out, that file: written beside its place and renamed, so that nobody sees half of it."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def put(path: Path, data: bytes, over: bool = True, lasting: bool = True) -> None:
    """Write a file. over: also in the place of another, whose mode it keeps; else FileExistsError where there is one.
    lasting: it is on the disk when this returns. Raises OSError where it cannot be written."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mode = 0o644 & ~_mask()
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        os.chmod(beside, mode)
        if over:
            os.replace(beside, path)
        else:
            if path.exists() or path.is_symlink():
                raise FileExistsError(17, "there is such a file already", str(path))
            os.rename(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise


def _mask() -> int:
    """What the user lets nobody do with new files."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
