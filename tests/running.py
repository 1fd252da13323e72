"""running: in, the words of a command; out, its exit code, what it printed, and what it printed of errors; or a process
of its own, where it is to be interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(list(arguments))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command in a process of its own, in this folder, which heeds Ctrl-C: what a shell runs in the background does
    not, nor what that starts, as in some runs of these tests."""
    return subprocess.Popen(
        [sys.executable, "-m", "interpreter", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
