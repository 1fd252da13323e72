"""play: in, a game under way, who sits where, and lines that people type; out, what they read, until the game ends.

A session reads by `ask` (a prompt → a line, None at the end of the input) and writes by `say`; it knows neither files
nor terminals beyond that. Every answer is kept in a Save.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter import asked, typed
from interpreter.bots import BOTS, stream_of
from interpreter.labels import knower, thing_of
from interpreter.lines import fitted, hanging, said_once
from interpreter.model import ROUND, TURN
from interpreter.printed import card, find_record, lying_at
from interpreter.report import escape
from interpreter.result import player, result
from interpreter.savefile import write_save
from interpreter.table import changes, parts, plain, spellings
from interpreter.telling import Stories, Told

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.game import Game
    from interpreter.savefile import Save
    from interpreter.state import State

PERSON = "person"
HEAD, TAIL = "\x02", "\x03"  # around a heading, until it is written
HELP = """\
Type the number of an option, or its words. Where several may be chosen, type all of them in any order: 3 1
Where a number is to be chosen, type that number. An empty line shows the question again.
  undo                go back before your last answer, as far as nothing hidden or random has come since
  table               show the whole table again (within a turn only what has changed is shown)
  log                 what has happened so far, as far as you may know; log all: the set-up too
  ? CARD              what is printed on a card; ? 3: on that of option 3; ? PLACE: on all that lie there, as in ? Hand
  pass until my turn  let every window go by, those of this turn too, until your next turn begins
  save [FILE]         write the game to a file; play --load FILE goes on with it
  help                this
  quit                leave"""


SETUP_LINES = 12  # a longer set-up is not told line by line
TALL = 32  # a table of more lines is shown whole once a turn, and else only where it has changed


class Before(NamedTuple):
    """A state before an answer, the decisions made until then, and how far the stories went."""

    state: State
    decisions: int
    told: Told


class Shown(NamedTuple):
    """What a seat was shown of the table: its view, and the turn in which it was shown whole."""

    view: dict[str, Any]
    whole: tuple[int, int]


@dataclass(slots=True)
class Session:
    """seats: PERSON or a bot's name, by seat. file: where `save` writes without a name. undone: what `undo` can go back
    to."""

    game: Game
    save: Save
    state: State
    seats: list[str]
    ask: Callable[[str], str | None]
    say: Callable[[str], None]
    file: str = ""
    width: int = 100
    paint: Callable[[str], str] = plain
    hand_over: Callable[[int], None] = lambda seat: None
    undone: list[Before] = field(default_factory=list)
    passing: dict[int, tuple[int, int]] = field(default_factory=dict)  # seat → the turn in which it said so
    heard: dict[int, int] = field(default_factory=dict)  # seat → lines of its story that were shown
    stories: Stories = field(init=False)
    set_up: int = 0  # lines of a story that tell of the set-up
    reader: int = -1  # the seat that looks at the screen
    shown: dict[int, Shown] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stories = Stories(self.game, len(self.seats))
        self.stories.go_on(self.state)

    # ------------------------------------------------------------ the run of the game

    def play(self) -> str:
        """Until the game is `over`, somebody says `quit`, or the input is at its `end`."""
        while not self.state.over:
            decision = self.state.decision
            assert decision is not None
            seat = decision.player
            name = self.seats[seat]
            if name != PERSON:
                stream = stream_of(self.save.seed, seat, len(self.save.decisions))
                self.answer(seat, BOTS[name](self.state, decision, stream))
            elif not self.passes(decision) and not self.nothing_to_say(decision):
                left = self.person(decision)
                if left:
                    return left
        for seat in self.people():
            self.news(seat)
        for seat in self.people()[:1]:
            self.show_table(seat)
        self.write("")
        self.write(*result(self.game, self.state))
        return "over"

    def introduce(self) -> None:
        """What game this is, and how to be helped."""
        model = self.game.model
        about = f"{model.title}: {model.description}" if model.description else model.title
        self.write(*hanging("", f"{about} (`help` tells what can be typed)", self.width), "")

    def people(self) -> list[int]:
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    def answer(self, seat: int, action: int) -> None:
        """Make a decision, keep it, and forget the states before it if something hidden or random came of it."""
        before = self.state.clone(log=False)
        self.state.apply(action, seat=seat)
        self.save.note(seat, action, self.state)
        self.stories.answered(before, seat, action, self.state)
        if self.fence(before, seat):
            self.undone.clear()

    def fence(self, before: State, seat: int) -> bool:
        """Whether an answer let a person know what taking it back could not make unknown: chance was asked, a person
        learned a card, or somebody answered who knows more than another person."""
        after, model = self.state, before.prog.model
        if after.rng != before.rng:
            return True
        people = sum(1 << k for k in self.people())
        old = before.v[model.seen : model.seen + model.things]
        new = after.v[model.seen : model.seen + model.things]
        if any(b & ~a & people for a, b in zip(old, new)):
            return True
        if not people & ~(1 << seat):
            return False  # nobody else is there to see it
        site = before.prog.sites[before.st[-1]]
        secrets = site.secret or site.window or any(not counter.public for counter in model.counters.values())
        return secrets or any(mask >> seat & 1 and people & ~mask for mask in old)

    def passes(self, decision: Decision) -> bool:
        """Take Pass for a seat that said `pass until my turn`, while that holds."""
        seat = decision.player
        if seat not in self.passing:
            return False
        if typed.is_active(self.state, seat) and self.passing[seat] != self.turn():
            del self.passing[seat]
            return False
        action = typed.pass_of(self.state, decision)
        if action is None:
            return False
        self.remember()
        self.answer(seat, action)
        return True

    def nothing_to_say(self, decision: Decision) -> bool:
        """Pass a window in which a person could only pass. (The engine asks it all the same, so that nobody can tell from a
        pause what a hand holds; at one terminal there is nothing to tell.)"""
        action = typed.pass_of(self.state, decision)
        if action is None or len(decision.options) > 1:
            return False
        self.answer(decision.player, action)
        return True

    # ------------------------------------------------------------ what has happened

    def news(self, seat: int) -> None:
        """Show what a seat has not read yet; of a long set-up only how to read it."""
        lines = self.stories.of[seat]
        if seat not in self.heard:
            made = len(self.save.decisions)
            if not self.set_up:
                here = 0 if made else len(lines)
                self.set_up = next((k for k, line in enumerate(lines) if " begins turn 1" in line), here)
            if made and len(lines) > SETUP_LINES:
                self.write(f"· {made} decisions were made before (`log` shows what happened); the last:")
                self.heard[seat] = len(lines) - SETUP_LINES
            elif self.set_up > SETUP_LINES:
                self.write(f"· the table is set up in {self.set_up} steps (`log all` shows them)")
                self.heard[seat] = self.set_up
        for line in said_once(lines[self.heard.get(seat, 0) :]):
            self.write(*(["", "· " + line] if " begins turn " in line else ["· " + line]))
        self.heard[seat] = len(lines)

    # ------------------------------------------------------------ a person's turn

    def person(self, decision: Decision) -> str:
        """Show a person the table and ask until there is an answer; `quit` or `end` when there will be none."""
        seat = decision.player
        if len(self.people()) > 1 and self.reader != seat:
            self.hand_over(seat)
            self.shown.pop(seat, None)
        self.reader = seat
        self.news(seat)
        self.show_table(seat)
        options = typed.options(self.state, decision)
        self.put_question(decision, options)
        while True:
            line = self.ask("> ")
            if line is None:
                return "end"
            done = self.command(" ".join(line.split()), decision, options)
            if done is not None:
                return done

    def put_question(self, decision: Decision, options: list[tuple[int, str]]) -> None:
        prompt = f"{player(decision.player)}: {asked.question(self.state, decision)}"
        self.write("", *map(heading, hanging("", prompt, self.width)))
        text = asked.text_of(self.state, decision)
        self.write(*hanging("  ", text, self.width) if text else [])
        self.write(*typed.listing(options, asked.notes(self.state, decision, options)))

    def command(self, line: str, decision: Decision, options: list[tuple[int, str]]) -> str | None:
        """Do what a line says. None: ask again; '': go on with the game; `quit`."""
        seat = decision.player
        word, _, rest = line.partition(" ")
        low = word.casefold()
        exact = any(label.casefold() == line.casefold() for _, label in options)
        if not exact:
            if low in ("quit", "exit") and not rest:
                return "quit"
            if line.casefold() in ("help", "?"):
                self.write(HELP)
                return None
            if low == "?" or (line.startswith("?") and len(line) > 1):
                self.card(line[1:], options)
                return None
            if line.casefold() in ("log", "log all"):
                self.tell_all(seat, line.casefold() == "log all")
                return None
            if line.casefold() == "table":
                self.show_table(seat, again=True)
                self.put_question(decision, options)
                return None
            if line.casefold() == "undo":
                return self.undo()
            if low == "save":
                self.write_file(rest or self.file)
                return None
            if line.casefold() == "pass until my turn":
                return self.pass_on(decision)
        if not line:
            self.put_question(decision, options)
            return None
        found = typed.read(line, self.state, decision, options)
        if isinstance(found, str):
            self.write(found)
            return None
        self.remember()
        for action in found:
            self.answer(seat, action)
        return ""

    def undo(self) -> str | None:
        if not self.undone:
            nothing = "there is nothing to take back: "
            why = "something hidden or random came after it" if self.save.decisions else "nothing has been chosen yet"
            self.write(nothing + why)
            return None
        before = self.undone.pop()
        self.state = before.state
        del self.save.decisions[before.decisions :]
        self.save.digests[:] = [(n, digest) for n, digest in self.save.digests if n <= before.decisions]
        self.stories.back_to(before.told)
        self.heard = {seat: min(n, len(self.stories.of[seat])) for seat, n in self.heard.items()}
        self.write("· taken back")
        return ""

    def remember(self) -> None:
        """Keep what is needed to come back here."""
        self.undone.append(Before(self.state.clone(), len(self.save.decisions), self.stories.told()))

    def pass_on(self, decision: Decision) -> str | None:
        seat = decision.player
        if typed.pass_of(self.state, decision) is None:
            self.write("there is nothing to pass here: a choice is to be made")
            return None
        self.passing[seat] = self.turn()
        return ""

    def turn(self) -> tuple[int, int]:
        """The round and turn under way."""
        return self.state.v[ROUND], self.state.v[TURN]

    def tell_all(self, seat: int, whole: bool) -> None:
        """The story so far; without its set-up, where that is long."""
        lines = self.stories.of[seat]
        if not whole and self.set_up > SETUP_LINES:
            self.write(f"(the table is set up in {self.set_up} steps; `log all` shows them too)")
            lines = lines[self.set_up :]
        self.write(*(said_once(lines) or ["nothing has happened yet"]))

    def card(self, name: str, options: list[tuple[int, str]]) -> None:
        if name.strip().isdigit() and 1 <= int(name) <= len(options):
            x = thing_of(self.game, options[int(name) - 1][0])
            if x >= self.game.model.seats:
                name = self.game.model.record_of[x]
                on = self.game.layout.on_zone[x]
                known = knower(self.state, self.reader)
                for y in self.state.z[on] if on >= 0 else ():
                    if known(y) and self.game.model.record_of[y] in self.game.names:
                        self.write(*card(self.game, self.game.model.record_of[y], self.width))
        ident, near = find_record(self.game, name)
        words = spellings(self.game)
        found = lying_at(self.state.view(self.reader), words, name)
        if found is not None:
            for lies in found or ["nothing"]:
                ident, _ = find_record(self.game, lies)
                self.write(*(card(self.game, ident, self.width) if ident is not None else [lies]))
        elif ident is not None:
            self.write(*card(self.game, ident, self.width))
        elif near:
            self.write(f'no card is called "{name.strip()}"; there are: {", ".join(near)}')
        else:
            self.write(f'no card is called "{name.strip()}"')

    def write_file(self, path: str) -> None:
        path = path or f"{self.game.name}.save.json"
        try:
            write_save(path, self.save, self.state)
        except OSError as error:
            self.write(f"{path} cannot be written: {error.strerror}")
            return
        self.write(f"saved to {path}")

    # ------------------------------------------------------------ showing

    def show_table(self, seat: int, again: bool = False) -> None:
        """The table as a seat sees it, unless that stands on the screen already."""
        view, words = self.state.view(seat), spellings(self.game)
        turn = self.turn()
        old = self.shown.get(seat)
        if old is not None and not again and old.view == view:
            return
        whole = parts(view, words, self.width)
        tall = sum(len(lines) + 2 for _, lines in whole) > TALL
        if again or old is None or not tall or (old.whole != turn and view["active"] == seat):
            self.write(*(line for title, lines in whole for line in ("", heading(title), *lines)))
        else:
            self.write(*changes(old.view, view, words, self.width, heading))
            turn = old.whole
        self.shown[seat] = Shown(view, turn)

    def write(self, *lines: str) -> None:
        for text in lines:
            for line in (
                part for one in text.split("\n") for part in ([one] if one[:1] == HEAD else fitted(one, self.width))
            ):
                if line[:1] == HEAD and line[-1:] == TAIL:
                    self.say(self.paint(escape(line[1:-1])))
                else:
                    self.say(escape(line))


def heading(text: str) -> str:
    return f"{HEAD}{text}{TAIL}"


def play_out(game: Game, save: Save, state: State, seats: list[str], say: Callable[[str], None]) -> None:
    """All seats by bots: what happened, told without secrets kept from anybody, and the result."""
    session = Session(game, save, state, seats, lambda prompt: None, say)
    told = 0
    while not state.over:
        decision = state.decision
        assert decision is not None
        seat = decision.player
        stream = stream_of(save.seed, seat, len(save.decisions))
        session.answer(seat, BOTS[seats[seat]](state, decision, stream))
        # Whoever answered knows best what was answered.
        session.write(*session.stories.of[seat][told:])
        told = len(session.stories.of[seat])
    session.write("", *result(game, state))
