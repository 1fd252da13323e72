"""ci: in, a fresh repository that holds only a mod; asserted, that the hooks of `.pre-commit-hooks.yaml` and the steps of
`tools/ci/cardscript.yml` pass there, and that what they say of a broken mod points at the word.

The steps and the hooks' entries are run by hand, with the `cardscript` of this checkout; one test more has pre-commit
itself install them from this repository, where pip can have it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter import cli

ROOT = Path(__file__).resolve().parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
FLOW = yaml.safe_load((ROOT / "tools" / "ci" / "cardscript.yml").read_text(encoding="utf-8"))
BROKEN = "cards:\n  - name: Joker\n    suit: Hears\n    rank: 1\n    penalty: 1\n    from: original\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("git") or os.name == "nt", reason="there is no git, or no shell of POSIX"),
]


def run(folder: Path, command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | more
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A new repository with nothing in it but a mod."""
    assert cli.main(["new", "mod", "Low Cards", "--extends", "crazy_eights", "--in", str(tmp_path)]) == 0
    folder = tmp_path / "low-cards"
    assert run(folder, ["git", "init", "-q"]).returncode == 0
    assert run(folder, ["git", "add", "-A"]).returncode == 0
    return folder


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH on which `cardscript` is the one of this checkout."""
    script = tmp_path / "bin" / "cardscript"
    script.parent.mkdir()
    python, root = shlex.quote(sys.executable), shlex.quote(str(ROOT))
    script.write_text(f'#!/bin/sh\nPYTHONPATH={root} exec {python} -m interpreter "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return f"{script.parent}{os.pathsep}{os.environ['PATH']}"


def steps() -> list[dict[str, Any]]:
    (job,) = FLOW["jobs"].values()
    return [step for step in job["steps"] if "run" in step]


def test_the_hooks_entries_run_in_a_repository_of_a_mod(repository: Path, path: str) -> None:
    assert {hook["id"] for hook in HOOKS} == {"cardscript-check", "cardscript-fmt", "cardscript-test"}
    for hook in HOOKS:
        assert hook["language"] == "python" and hook["pass_filenames"] is False
        done = run(repository, shlex.split(hook["entry"]), PATH=path)
        assert done.returncode == 0, (hook["id"], done.stdout, done.stderr)
    (repository / "more.yaml").write_text(BROKEN, encoding="utf-8")
    for hook in HOOKS:
        done = run(repository, shlex.split(hook["entry"]), PATH=path)
        assert done.returncode == 1 and "more.yaml:3:11: error[unknown-name]" in done.stdout + done.stderr, hook["id"]
    assert run(repository, ["git", "status", "--porcelain"]).stdout.split("\n")[-2:] == ["?? more.yaml", ""]


def test_the_steps_of_the_workflow_annotate_the_word(repository: Path, path: str) -> None:
    assert FLOW[True] == ["push", "pull_request"], "YAML 1.1 takes `on` for true, and GitHub does not"
    install, *rest = steps()
    assert install["run"] == 'pip install "$CARDSCRIPT"' and "CARDSCRIPT" in FLOW["env"]
    for step in rest:
        done = run(repository, ["sh", "-ec", step["run"]], PATH=path)
        assert done.returncode == 0, (step["name"], done.stdout, done.stderr)
    (repository / "more.yaml").write_text(BROKEN, encoding="utf-8")
    check = next(step for step in rest if step["name"] == "Check")
    done = run(repository, ["sh", "-ec", check["run"]], PATH=path)
    found = re.match(
        r"::error file=(.+?),line=(\d+),endLine=\d+,col=(\d+),endColumn=(\d+),title=([\w-]+)::(.+)\n", done.stdout
    )
    assert done.returncode == 1 and found is not None, done.stdout
    file, line, column, end, code, message = found.groups()
    word = (repository / file).read_text(encoding="utf-8").split("\n")[int(line) - 1][int(column) - 1 : int(end) - 1]
    assert (file, word, code) == ("more.yaml", "Hears", "unknown-name") and 'did you mean "Hearts"?' in message


def test_pre_commit_itself_runs_them(repository: Path, tmp_path: Path) -> None:
    if run(ROOT, ["git", "cat-file", "-e", "HEAD:.pre-commit-hooks.yaml"]).returncode:
        pytest.skip("this is no git checkout that holds the hooks")
    python = tmp_path / "venv" / "bin" / "python"
    made = run(tmp_path, [sys.executable, "-m", "venv", str(tmp_path / "venv")])
    if made.returncode or run(tmp_path, [str(python), "-m", "pip", "-q", "install", "pre-commit"]).returncode:
        pytest.skip("pip cannot have pre-commit here; its entries are run by hand in the test above")
    hooks = "".join(f"      - id: {hook['id']}\n" for hook in HOOKS)
    revision = run(ROOT, ["git", "rev-parse", "HEAD"]).stdout.strip()
    text = f"repos:\n  - repo: {ROOT.as_uri()}\n    rev: {revision}\n    hooks:\n{hooks}"
    (repository / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
    run(repository, ["git", "add", "-A"])
    more = {"PRE_COMMIT_HOME": str(tmp_path / "home"), "GIT_CONFIG_COUNT": "1"}
    more |= {"GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    command = [str(python), "-m", "pre_commit", "run", "--all-files"]
    done = run(repository, command, **more)
    assert done.returncode == 0 and done.stdout.count("Passed") == len(HOOKS), done.stdout + done.stderr
    (repository / "more.yaml").write_text(BROKEN, encoding="utf-8")
    run(repository, ["git", "add", "-A"])
    done = run(repository, command, **more)
    assert done.returncode == 1 and "more.yaml:3:11: error[unknown-name]" in done.stdout, done.stdout + done.stderr
