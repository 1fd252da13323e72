"""apart: in, a function and a list; out, what it makes of each, in their order, worked out by several processes.

Whoever asks sees the same as without them: what a process does not answer, because it died or the function raised
something, is worked out here.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(function: Callable[[Item], Answer], items: list[Item], jobs: int) -> Iterator[Answer]:
    """The function's answers, which pickle can write. It must not matter in which process it is called, nor how often."""
    left = deque(range(len(items)))  # whose turn comes, in order
    doing: dict[Any, int] = {}
    done: dict[int, tuple[Any, ...]] = {}
    workers: dict[Any, Any] = {}
    try:
        for _ in range(min(jobs, len(items)) if jobs > 1 and len(items) > 1 else 0):
            hire(function, items, workers)
        for connection in workers:
            hand_out(connection, left, doing)
        for at, item in enumerate(items):
            while at not in done and at in doing.values():
                ready: Any
                for ready in wait(list(doing)):
                    number = doing.pop(ready)
                    try:
                        done[number] = ready.recv()
                    except (EOFError, OSError):
                        done[number] = ()
                        continue
                    hand_out(ready, left, doing)
            if left and left[0] == at:  # nobody is there to do it
                left.popleft()
            answer = done.pop(at, ())
            yield answer[0] if answer else function(item)
    finally:
        for process in workers.values():
            process.terminate()
        for connection, process in workers.items():
            process.join()
            connection.close()


def hire(function: Callable[[Any], Any], items: list[Any], workers: dict[Any, Any]) -> None:
    """Start a process; where none can be started, there is one less."""
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(function, items, theirs), daemon=True)
        process.start()
    except OSError:
        return
    theirs.close()
    workers[ours] = process


def hand_out(connection: Any, left: deque[int], doing: dict[Any, int]) -> None:
    """Send a process the number of its next item."""
    if left:
        doing[connection] = number = left.popleft()
        try:
            connection.send(number)
        except OSError:
            pass  # it has died: that is seen where its answer is awaited


def work(function: Callable[[Any], Any], items: list[Any], connection: Any) -> None:
    """What a process does: answer for the items that it is sent the numbers of. Ctrl-C is its parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            number = connection.recv()
        except (EOFError, OSError):
            return  # who asked has gone
        try:
            answer: tuple[Any, ...] = (function(items[number]),)
        except Exception:  # whatever it is, it is raised again where it is looked for
            answer = ()
        try:
            connection.send(answer)
        except OSError:
            return
