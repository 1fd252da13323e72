"""layers: the modules of interpreter/ import one another in one direction, which stands here and nowhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "interpreter"

# One level a line, the lowest first. A module imports only from lines above its own; those on one line belong together
# and may import each other. A folder counts as one module. Imports inside functions count too; those that stand under
# `if TYPE_CHECKING:` do not.
ORDER = """
apart collector visits
diagnostics
data
beside
stale
nodes
document
read
schema
tree
vocabulary
described
verbs
wordings
words
shapes
lalr
grammar
build
parse
unparse
model
declare
derived skeleton
rewrite
bound
number
program
flat
scope
facts picked
figures
extremes
amounts conditions having past select filters members possible remembered settled statements acts rules armed windows
unread plain
frames
blocks
jumps
optimise
cache
layout
mutations
emitted
alike labels decision
machine
setups
determinize view log save
graph
state
assembled
compile
game
fixed
kept
load
lint
__init__
adapters
attach
savefile
bench
verdict
scenario
answers story
suite
breaking
report
canonical
bots
watch
simulate workers journal
tally
lines
table
printed
result
typed
telling asked
trial laid play
commands
cli
__main__
"""

LEVEL = {name: level for level, line in enumerate(ORDER.split("\n")) for name in line.split()}


def modules() -> dict[str, list[Path]]:
    """Each module or folder of interpreter/, and its files."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] != "_data":
            found.setdefault(parts[0], []).append(path)
    return found


def imports(path: Path) -> list[tuple[int, str]]:
    """Line and module of each import of something in interpreter/."""
    package = ("interpreter", *path.relative_to(PACKAGE).parts[:-1])
    found: list[tuple[int, str]] = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [n.body for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test).endswith("TYPE_CHECKING")]
    for_types = {id(inner) for body in blocks for outer in body for inner in ast.walk(outer)}
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            full = ".".join(filter(None, [base, node.module]))
            names = [f"{full}.{alias.name}" if full == "interpreter" else full for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "interpreter":
                inner = parts[1] if len(parts) > 1 else "__init__"
                found.append((node.lineno, inner if inner in LEVEL else "__init__"))
    return found


def test_every_module_has_its_place_in_the_order() -> None:
    missing = sorted(set(modules()) - set(LEVEL))
    assert missing == [], f"write these into ORDER, at the top of {Path(__file__).name}"


def test_imports_run_one_way() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE.parent).as_posix()}:{line}: {name} imports {other}, which comes after it"
        for name, paths in modules().items()
        for path in paths
        for line, other in imports(path)
        if name in LEVEL and LEVEL.get(other, -1) > LEVEL[name]
    ]
    assert wrong == []


def test_each_module_stands_in_the_order_once() -> None:
    assert len(LEVEL) == len(ORDER.split())


def test_every_module_says_what_it_is() -> None:
    bare = [
        path.relative_to(PACKAGE.parent).as_posix()
        for paths in modules().values()
        for path in paths
        if not (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").strip()
    ]
    assert bare == []


def test_the_readme_names_every_module() -> None:
    readme = (PACKAGE.parent / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| files of `interpreter/` |")[2].partition("\n\n")[0]
    named = [word for cells in re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE) for word in cells.split()]
    missing = sorted(set(modules()) - {"__init__", "__main__"} - set(named))
    assert missing == [], "name these in the table under Architecture in README.md"
    assert sorted(set(named) - set(modules())) == [], "these are named there, and gone"
    assert len(named) == len(set(named))
