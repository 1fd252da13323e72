"""editor: in, good and broken content in a real YAML language server, spoken to as an editor does; asserted, that keys are
completed and explained and that what is broken is marked, by the schemas that the files name in their first line.

The server is the npm package yaml-language-server, installed once into the user's cache folder (CARDSCRIPT_NODE names
another). The tests are passed over only where there is no node or npm.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import cli

ROOT = Path(__file__).resolve().parent.parent
VERSION = "1.15.0"
PATIENCE = 30
QUIET = 0.4  # seconds after which the server has said all

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="there is no node or npm here"),
]


def installed() -> Path:
    """The server's script, installed if need be beside its place and then renamed."""
    base = os.environ.get("CARDSCRIPT_NODE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(base) / f"cardscript-yaml-language-server-{VERSION}"
    script = Path("node_modules", "yaml-language-server", "bin", "yaml-language-server")
    if not (folder / script).is_file():
        beside = folder.with_name(f"{folder.name}.{os.getpid()}")
        beside.mkdir(parents=True, exist_ok=True)
        command = [
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(beside),
            f"yaml-language-server@{VERSION}",
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        try:
            beside.rename(folder)
        except OSError:
            shutil.rmtree(beside)  # another process was quicker
    return folder / script


class Server:
    """A language server at the other end of a pipe."""

    def __init__(self, root: Path) -> None:
        command = ["node", str(installed()), "--stdio"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.last = 0
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.ask("initialize", {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": {}})
        self.tell("initialized", {})
        settings = {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}
        self.tell("workspace/didChangeConfiguration", {"settings": {"yaml": settings}})

    def listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            if not length:
                return
            self.heard.put(json.loads(stream.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def next(self, patience: float = PATIENCE) -> dict[str, Any]:
        """What the server says; its own questions are answered with nothing."""
        message = self.heard.get(timeout=patience)
        if "method" in message and "id" in message:
            items = message.get("params", {}).get("items", []) if message["method"] == "workspace/configuration" else []
            self.send({"id": message["id"], "result": [None] * len(items) if items else None})
        return message

    def ask(self, method: str, params: Any) -> Any:
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = self.next()
            if message.get("id") == self.last and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def open(self, path: Path, text: str, broken: bool = False, wait: bool = True) -> list[dict[str, Any]]:
        """What is marked in a file with this text. broken: wait until something is; else until nothing more is said."""
        uri = path.as_uri()
        self.last += 1
        self.tell(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "yaml", "version": self.last, "text": text}},
        )
        if not wait:
            return []
        marked: list[dict[str, Any]] | None = None
        while True:
            try:
                message = self.next(PATIENCE if marked is None or (broken and not marked) else QUIET)
            except queue.Empty:
                assert marked is not None
                return marked
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                marked = message["params"]["diagnostics"]

    def shut(self, path: Path) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def at(self, method: str, path: Path, line: int, column: int) -> Any:
        where = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
        return self.ask(f"textDocument/{method}", where)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server(ROOT)
    yield made
    made.process.kill()
    made.process.wait()


@pytest.fixture(scope="module")
def hills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("editor")
    assert cli.main(["new", "game", "Hills", "--in", str(top)]) == 0
    assert cli.main(["new", "mod", "Low Cards", "--extends", "crazy_eights", "--in", str(top)]) == 0
    return top


def place(text: str, mark: str) -> tuple[str, int, int]:
    """The text without its mark `¦`, and the line and column where it stood, from 0."""
    before = text[: text.index(mark)]
    return text.replace(mark, ""), before.count("\n"), len(before) - before.rfind("\n") - 1


FIRST = "# yaml-language-server: $schema="
CONTENT = f"{FIRST}schemas/content.schema.json\ncards:\n  - name: Bell\n    text: Gain 1 Point.\n"
GAME = f"{FIRST}schemas/game.schema.json\nlanguage: 1\nname: Hills\n"
STORY = f"{FIRST}../schemas/scenario.schema.json\nscenarios:\n  - name: One\n    then:\n      - 1 = 1\n"
MOD = f"{FIRST}schemas/mod.schema.json\nlanguage: 1\nname: Low Cards\nextends: crazy_eights\n"

# A file, its text with `«…»` around what has to be marked, and a word of what is said there.
BROKEN = [
    ("hills/cards.yaml", CONTENT + "    «csot»: 3\n", "csot"),
    ("hills/cards.yaml", CONTENT + "    from: «nowhere»\n", "rulebook"),
    ("hills/cards.yaml", CONTENT + "    copies: «many»\n", "integer"),
    ("hills/cards.yaml", CONTENT + "«crads»: []\n", "crads"),
    ("hills/game.yaml", GAME + "«plyers»: 2\n", "plyers"),
    ("hills/game.yaml", GAME + "zones:\n  - {zone: Pile, seen by: «nobody at all»}\n", "owner"),
    ("hills/game.yaml", GAME + "kinds:\n  - kind: Leaf\n    «hodls»: [Leaf]\n", "hodls"),
    ("hills/scenarios/cards.yaml", STORY + "    «sede»: 2\n", "sede"),
    ("low-cards/mod.yaml", MOD + "«extneds»: x\n", "extneds"),
]


@pytest.mark.parametrize(("name", "text", "word"), BROKEN, ids=[f"{b[0]}: {b[2]}" for b in BROKEN])
def test_what_is_broken_is_marked(server: Server, hills: Path, name: str, text: str, word: str) -> None:
    path = hills / name
    start = text.index("«")
    length = text.index("»") - start - 1
    line, column = text.count("\n", 0, start), start - text.rfind("\n", 0, start) - 1
    found = server.open(path, text.replace("«", "").replace("»", ""), broken=True)
    server.shut(path)
    places = [d["range"] for d in found if word in d["message"]]
    expected = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + length}}
    assert places == [expected], found


def test_what_is_shipped_and_what_is_made_is_not_marked(server: Server, hills: Path) -> None:
    shipped = ROOT / "content" / "clandestine"
    some = [
        shipped / "game.yaml",
        shipped / "relics.yaml",
        shipped / "rules.yaml",
        shipped / "societies" / "the-garden-club.yaml",
    ]
    some += [ROOT / "content" / "reference" / "othello" / "board.yaml", shipped / "scenarios" / "turn.yaml"]
    for path in [*some, *sorted(hills.rglob("*.yaml"))]:
        assert server.open(path, path.read_text(encoding="utf-8")) == [], path
        server.shut(path)


# A file, its text with `¦` where the pointer or the cursor is, and words of what is said or proposed there.
HOVER = [
    ("hills/cards.yaml", CONTENT + "    cop¦ies: 3\n", "How many of it there are"),
    ("hills/cards.yaml", CONTENT.replace("    text", "    te¦xt"), "Done when the card is played"),
    ("hills/cards.yaml", CONTENT.replace("cards:", "car¦ds:"), "Records of the kind Card"),
    ("hills/game.yaml", GAME + "play¦ers: 2\n", "[least, most]"),
    ("hills/game.yaml", GAME + "zones:\n  - {zone: Pile, seen¦ by: all}\n", "owner or none"),
    ("hills/scenarios/cards.yaml", STORY.replace("then:", "th¦en:"), "Conditions that must be true"),
    ("low-cards/mod.yaml", MOD.replace("extends", "ext¦ends"), "The name of the game that the mod belongs to"),
]


@pytest.mark.parametrize(("name", "text", "words"), HOVER, ids=[f"{h[0]}: {h[2][:20]}" for h in HOVER])
def test_keys_are_explained(server: Server, hills: Path, name: str, text: str, words: str) -> None:
    text, line, column = place(text, "¦")
    path = hills / name
    server.open(path, text, wait=False)
    shown = server.at("hover", path, line, column)
    server.shut(path)
    assert shown is not None and words in json.dumps(shown["contents"]).replace("\\\\", "")


COMPLETED = [
    ("hills/cards.yaml", CONTENT + "    ¦\n", {"copies", "from", "note", "flavour"}, {"text", "cards"}),
    ("hills/cards.yaml", CONTENT + "    from: ¦\n", {"rulebook", "public", "original"}, {"copies"}),
    ("hills/cards.yaml", CONTENT + "¦\n", {"phrases", "counters", "rules"}, {"copies"}),
    ("hills/game.yaml", GAME + "¦\n", {"kinds", "turn", "scores"}, {"language"}),
    ("hills/game.yaml", GAME + "kinds:\n  - kind: Leaf\n    ¦\n", {"fields", "holds", "deck", "live"}, {"turn"}),
    ("hills/scenarios/cards.yaml", STORY + "    ¦\n", {"given", "when", "players"}, {"scenarios"}),
    ("low-cards/mod.yaml", MOD + "¦\n", {"needs", "removes"}, {"kinds"}),
    ("low-cards/new-card.yaml", f"{FIRST}schemas/content.schema.json\ncards:\n  - name: Joker\n    suit: ¦\n", {"Hearts", "Spades"}, {"rank"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "labels", "others"), COMPLETED, ids=[f"{c[0]}: {min(c[2])}" for c in COMPLETED]
)
def test_keys_are_completed(
    server: Server, hills: Path, name: str, text: str, labels: set[str], others: set[str]
) -> None:
    text, line, column = place(text, "¦")
    path = hills / name
    server.open(path, text, wait=False)
    found = server.at("completion", path, line, column)
    server.shut(path)
    offered = {item["label"] for item in (found["items"] if isinstance(found, dict) else found)}
    assert labels <= offered and not others & offered, sorted(offered)
