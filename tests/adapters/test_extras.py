"""extras: in, an adapter whose packages are not there; asserted, that it says which extra brings them, and that the rest
of the package needs none of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules.update(dict.fromkeys(('numpy', 'pyspiel', 'pettingzoo', 'gymnasium')))"


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", f"{HIDDEN}\n{code}"], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(("adapter", "extra"), [("openspiel", "spiel"), ("pettingzoo", "rl")])
def test_an_adapter_names_its_extra(adapter, extra):
    done = run(f"import interpreter.adapters.{adapter}")
    assert done.returncode == 1
    assert f"pip install 'cardscript[{extra}]'" in done.stderr.splitlines()[-1]


def test_a_game_is_played_without_any_extra():
    done = run(
        "from interpreter import load_game; from interpreter import cli\n"
        "state = load_game('nim').new(); state.playout(1); print(state.outcome)"
    )
    assert (done.returncode, done.stdout.strip()) == (0, "won"), done.stderr
