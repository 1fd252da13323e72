"""play: in, a game under way, who sits where, and lines that people type; out, what they read, until the game ends.

A session reads by `ask` (a prompt → a line, None at the end of the input) and writes by `say`; it knows neither files
nor terminals beyond that. Every answer is kept in a Save.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from interpreter import typed
from interpreter.bots import BOTS, stream_of
from interpreter.labels import labels
from interpreter.log import tell
from interpreter.report import escape
from interpreter.savefile import write_save
from interpreter.table import card, find_record, plain, table

if TYPE_CHECKING:
    from interpreter.decision import Decision
    from interpreter.game import Game
    from interpreter.savefile import Save
    from interpreter.state import State

PERSON = "person"
HEAD, TAIL = "\x02", "\x03"  # around a heading, until it is written
HELP = """\
Type the number of an option, or its words. Where several may be chosen, type all of them in any order: 3 1
Where a number is to be chosen, type that number.
  undo                go back before your last answer, as far as nothing hidden or random has come since
  table               show the table again
  log                 what has happened so far, as far as you may know
  ? CARD              what is printed on a card
  pass until my turn  let every window go by until your turn comes or a choice is to be made
  save [FILE]         write the game to a file; play --load FILE goes on with it
  help                this
  quit                leave"""


SETUP_LINES = 12  # a longer set-up is not told line by line


class Before(NamedTuple):
    """A state before an answer: decisions made and log entries told until then, and the length of each story."""

    state: State
    decisions: int
    logged: int
    told: list[int]


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
    passing: set[int] = field(default_factory=set)
    heard: dict[int, int] = field(default_factory=dict)  # seat → lines of its story that were shown
    stories: list[list[str]] = field(default_factory=list)  # seat → what happened, as far as it may know
    logged: int = 0
    shown: tuple[int, list[str]] = (-1, [])

    def __post_init__(self) -> None:
        self.stories = [[] for _ in self.seats]
        self.tell_new()

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
        self.write("")
        self.write(*result(self.game, self.state))
        return "over"

    def people(self) -> list[int]:
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    def answer(self, seat: int, action: int) -> None:
        """Make a decision, keep it, and forget the states before it if something hidden or random came of it."""
        before = self.state.clone(log=False)
        self.state.apply(action, seat=seat)
        self.save.note(seat, action, self.state)
        self.tell_choice(before, seat, action)
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
        action = typed.pass_of(self.state, decision)
        if action is None or typed.is_active(self.state, seat):
            self.passing.discard(seat)
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

    def tell_new(self) -> None:
        """Add what the engine has logged since to the stories of all seats."""
        entries = self.state.lg or []
        for entry in entries[self.logged :]:
            for seat, lines in enumerate(self.stories):
                line = tell(entry, self.game, seat)
                if line is not None:
                    who, text = line
                    lines.append(f"{player(who)}: {text}" if who is not None else text)
        self.logged = len(entries)

    def tell_choice(self, before: State, seat: int, action: int) -> None:
        """Add an answer and what it led to. Where the engine's log does not hold the answer, it is told here."""
        entries = self.state.lg or []
        if not any(entry[0] == "choose" for entry in entries[self.logged :]):
            site = before.prog.sites[before.st[-1]]
            for reader, lines in enumerate(self.stories):
                text = labels(before, (action,), reader)[0]
                if reader == seat or not (site.secret or (site.window and text.casefold() == "pass")):
                    lines.append(f"{player(seat)}: chooses {text}")
        self.tell_new()

    def news(self, seat: int) -> None:
        """Show what a seat has not read yet; of a long set-up only how to read it."""
        lines = self.stories[seat]
        if not self.save.decisions and seat not in self.heard and len(lines) > SETUP_LINES:
            self.write(f"· the table is set up in {len(lines)} steps (`log` shows them)")
            self.heard[seat] = len(lines)
            return
        self.write(*("· " + line for line in lines[self.heard.get(seat, 0) :]))
        self.heard[seat] = len(lines)

    # ------------------------------------------------------------ a person's turn

    def person(self, decision: Decision) -> str:
        """Show a person the table and ask until there is an answer; `quit` or `end` when there will be none."""
        seat = decision.player
        if len(self.people()) > 1 and self.shown[0] != seat:
            self.hand_over(seat)
        self.news(seat)
        self.show_table(seat)
        options = typed.options(self.state, decision)
        self.write("", heading(f"{player(seat)}: {typed.question(self.game, decision)}"))
        self.write(*typed.listing(options))
        while True:
            line = self.ask("> ")
            if line is None:
                return "end"
            done = self.command(" ".join(line.split()), decision, options)
            if done is not None:
                return done

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
                self.card(line[1:])
                return None
            if line.casefold() == "log":
                self.write(*(self.stories[seat] or ["nothing has happened yet"]))
                return None
            if line.casefold() == "table":
                self.show_table(seat, again=True)
                return None
            if line.casefold() == "undo":
                return self.undo()
            if low == "save":
                self.write_file(rest or self.file)
                return None
            if line.casefold() == "pass until my turn":
                return self.pass_on(decision)
        if not line:
            self.write("type the number of an option, or: help")
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
        self.state, self.logged = before.state, before.logged
        del self.save.decisions[before.decisions :]
        self.save.digests[:] = [(n, digest) for n, digest in self.save.digests if n <= before.decisions]
        for lines, length in zip(self.stories, before.told):
            del lines[length:]
        self.heard = {seat: min(n, len(self.stories[seat])) for seat, n in self.heard.items()}
        return ""

    def remember(self) -> None:
        """Keep what is needed to come back here."""
        told = [len(lines) for lines in self.stories]
        self.undone.append(Before(self.state.clone(), len(self.save.decisions), self.logged, told))

    def pass_on(self, decision: Decision) -> str | None:
        seat = decision.player
        if typed.pass_of(self.state, decision) is None:
            self.write("there is nothing to pass here: a choice is to be made")
            return None
        if typed.is_active(self.state, seat):
            self.write("it is your turn; type Pass to let this window go by")
            return None
        self.passing.add(seat)
        return ""

    def card(self, name: str) -> None:
        ident, near = find_record(self.game, name)
        if ident is not None:
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
        lines = table(self.state.view(seat), self.game.names, self.width, heading)
        if again or self.shown != (seat, lines):
            self.write("", *lines)
            self.shown = seat, lines

    def write(self, *lines: str) -> None:
        for text in lines:
            for line in text.split("\n"):
                if line[:1] == HEAD and line[-1:] == TAIL:
                    self.say(self.paint(escape(line[1:-1])))
                else:
                    self.say(escape(line))


def heading(text: str) -> str:
    return f"{HEAD}{text}{TAIL}"


def player(seat: int) -> str:
    return f"player {seat + 1}" if seat >= 0 else "chance"


def result(game: Game, state: State) -> list[str]:
    """How a game ended, and the scores."""
    v, model = state.v, state.prog.model

    def full(seat: int) -> str:
        thing = v[model.faction_cell + seat]
        return f"{player(seat)} ({model.names_of[thing]})" if thing >= 0 else player(seat)

    won = " and ".join(full(seat) for seat in state.winners)
    endings = {
        "won": f"won by {won}",
        "lost": "all players have lost",
        "draw": "a draw",
        "endless": "it would have gone on without end",
    }
    lines = [f"The game is over: {endings[state.outcome or 'draw']}"]
    scores = state.scores()
    if any(score is not None for score in scores):
        lines += [f"  {full(seat)}: {score}" for seat, score in enumerate(scores)]
    return lines


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
        session.write(*session.stories[seat][told:])
        told = len(session.stories[seat])
    session.write("", *result(game, state))
