"""running: in, the words of a command; out, its exit code, what it printed, and what it printed of errors."""

from __future__ import annotations

import pytest

from interpreter import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(list(arguments))
    shown = capsys.readouterr()
    return code, shown.out, shown.err
