"""collector: in, nothing; out, `put_off`, under which Python does not look for circular garbage.

Reading and compiling a game makes some hundred thousand objects that are kept, or go by themselves: looking through them
again and again takes a fifth of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def put_off() -> Iterator[None]:
    """Also as a decorator: the search waits until the function returns."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            gc.enable()
