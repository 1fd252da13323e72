"""story: plays a Scenario that was made ready on its Bench, saving and loading the state at every decision.

In: a Scenario, a Bench. Out: Result: what was decided, and, where it fails, what is wrong and at which word.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from .answers import Fail, check_absent, check_offered, choose, clean, having, matches, offered, pass_windows
from .attach import Statement, push
from .bench import (
    Bench,
    Halted,
    Silent,
    as_given,
    faction_thing,
    put_on,
    seat_number,
    spoken,
    stand_at,
    step_and_player,
    step_label,
    zone_of,
)
from .decision import CHANCE, Decision
from .diagnostics import Diagnostic, finding, has_errors
from .labels import knower, labels, place, thing_of
from .machine import derive, run
from .model import ACTIVE, OVER, PLAYERS, STEPS
from .mutations import mix64, rnd
from .nodes import Scalar
from .scenario import Scenario, Step, text_of
from .state import State

SETUP = 0x5CE2_A210_5E7B_0B07  # the stream of the choices in set-up that a scenario leaves open
MOST = 10_000  # decisions of one scenario


@dataclass(slots=True)
class Result:
    """How one scenario went. story: the decisions made, in order. failures and findings have their places."""

    scenario: Scenario
    story: list[str] = field(default_factory=list)
    failures: list[tuple[str, int, int, str]] = field(default_factory=list)  # file, line, column, message
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures and not has_errors(self.findings)


def play(scenario: Scenario, bench: Bench) -> Result:
    """Run one scenario that is ready."""
    result = Result(scenario, findings=list(scenario.findings))
    if not has_errors(result.findings):
        teller = Teller(scenario, bench, result)
        try:
            teller.tell()
        except Fail as failure:
            teller.failed(failure)
        except Exception as error:  # a fault of the program, not of the scenario; the other scenarios go on
            teller.failed(Fail(scenario.node, f"the program fell over: {type(error).__name__}: {error}"))
    return result


class Teller:
    """One scenario being played. s: the state. forced: labels of what was taken by itself since the last answer."""

    s: State

    def __init__(self, scenario: Scenario, bench: Bench, result: Result) -> None:
        self.scenario = scenario
        self.bench = bench
        self.result = result
        self.game = bench.game
        self.decks = {zone_of(bench, text_of(name)): list(cards) for name, cards in scenario.deck}
        self.rolls = list(scenario.rolls or [])
        self.random = SimpleNamespace(rng=mix64(scenario.seed ^ SETUP), drawn=None)
        self.forced: list[list[str]] = []
        self.pulled: list[int] = []
        self.mark = 0
        self.count = 0

    # ------------------------------------------------------------ the whole

    def tell(self) -> None:
        scenario = self.scenario
        self.begin()
        self.set_up()
        if scenario.at is None:
            self.go(0)
            self.give()
        else:
            self.give()
            self.start_at(scenario.at)
        for step in scenario.when:
            self.step(step)
        if scenario.when and scenario.when[-1].choose and scenario.then:
            pass_windows(self)
        for text in scenario.then:
            try:
                self.check(text)
            except Fail as failure:
                self.failed(failure)
        self.left_over()

    def begin(self) -> None:
        """A new game that stops when set-up is done."""
        scenario = self.scenario
        players = scenario.players
        if isinstance(players, list):
            things = [faction_thing(self.bench, name) for name in players]
            records = self.bench.program.model.record_of
            players = [name if x is None else records[x] for name, x in zip(players, things)]
        explicit = bool(self.decks) or bool(self.rolls)
        try:
            with Halted(self.bench):
                self.s = self.game.new(
                    players,
                    seed=scenario.seed,
                    chance="explicit" if explicit else "seeded",
                    options={**self.game.model.tables.get("scenario options", {}), **scenario.options},
                )
                self.settle()
        except ValueError as error:
            raise Fail(scenario.node, str(error)) from None

    def set_up(self) -> None:
        """The choices of set-up: those that the scenario lists, the others by the seed."""
        todo = list(self.scenario.setup)
        with Halted(self.bench):
            while self.s.opts:
                if todo and self.fits(todo[0]):
                    self.step(todo.pop(0))
                    continue
                opts = self.s.opts
                self.apply(self.decision(None), opts[rnd(self.random, len(opts))])  # type: ignore[arg-type]
        if todo:
            raise Fail(todo[0].choose[0] if todo[0].choose else todo[0].node, "this choice did not come up in set-up")
        self.result.story.append("— set-up is done")
        self.mark = len(self.s.lg or ())

    def fits(self, step: Step) -> bool:
        """Whether the next step listed under `setup` speaks of the open decision."""
        if step.by is not None and self.seat(step.by) not in [d.player for d in self.s.decisions]:
            return False
        decision = self.decision(None if step.by is None else self.seat(step.by))
        names = offered(decision)
        return bool(having(names, step.choose)) or any(matches(names, text_of(w)) for w in step.choose)

    def give(self) -> None:
        """`given`: nothing fires, and what has become true by it counts as already seen."""
        if not self.scenario.given:
            return
        s = self.s
        if s.v[OVER]:
            raise Fail(self.scenario.given[0], "the game is over before anything is given")
        stack = s.st[:]
        with Silent(self.bench):
            for text in self.scenario.given:
                put_on(self.bench, self.s, self.scenario.statements[id(text)])
                self.settle(at=text)
                if self.s.v[OVER]:
                    raise Fail(text, "this ends the game; a given statement only makes the state")
                if self.s.opts:
                    asked = self.s.decision
                    prompt = asked.prompt if asked else ""
                    raise Fail(text, f"this leaves a choice open ({prompt}); name what is meant")
        s = self.s
        as_given(self.bench, s, stack)
        if s.st[-1] in self.bench.program.questions:
            self.ask_again()
        self.result.story.append("— the state is given")
        self.mark = len(s.lg or ())
        self.forced = []

    def ask_again(self) -> None:
        """The open question, on the state as it is now."""
        s = self.s
        s.who, s.opts = derive(s)
        if not s.opts:
            run(s, -1)
            self.settle()

    def start_at(self, at: Scalar) -> None:
        """`at: STEP of player N`."""
        name, who = step_and_player(text_of(at))
        label = step_label(self.bench, name)
        assert label is not None
        s = self.s
        stand_at(self.bench, s, label, self.seat_of(who, at) if who else s.v[ACTIVE])
        self.result.story.append(f"— {text_of(at)}")
        self.go(0)

    def left_over(self) -> None:
        for zone, cards in self.decks.items():
            if cards and zone is not None:
                where = place(self.game, zone, knower(self.s, CHANCE))
                self.failed(Fail(cards[0], f"{text_of(cards[0])} was never drawn from {where}"))
        if self.rolls:
            self.failed(Fail(self.rolls[0], f"the roll {text_of(self.rolls[0])} was never made"))

    def failed(self, failure: Fail) -> None:
        file = self.scenario.file
        node = failure.node
        span = node.span()
        if failure.code:
            self.result.findings.append(finding(failure.code, file, span, str(failure)))
        else:
            self.result.failures.append((file, span[0], span[1], str(failure)))

    # ------------------------------------------------------------ moving on

    def go(self, c: int) -> None:
        """Run from where the stack stands to the next decision of a player."""
        self.s.v[STEPS] = 0
        run(self.s, c)
        self.settle()

    def apply(self, decision: Decision, action: int) -> None:
        """Answer a decision; then chance, and a save that is loaded again."""
        index = next(i for i, o in enumerate(decision.options) if o.action == action)
        label = decision.options[index].label
        self.told(decision.player, decision.prompt, label)
        self.mark = len(self.s.lg or ())
        self.forced = []
        self.s.apply(action, seat=decision.player)
        self.settle()

    def told(self, seat: int, prompt: str, label: str) -> None:
        who = f"player {seat + 1}" if seat >= 0 else "chance"
        self.result.story.append(f"{who}: {prompt}: {label}" if prompt else f"{who}: {label}")
        self.count += 1
        if self.count > MOST:
            raise Fail(self.scenario.node, f"this goes on for more than {MOST:,} decisions")

    def settle(self, at: Any = None) -> None:
        """Answer chance until a player decides; save and load at each decision on the way."""
        self.reload(at)
        self.note()
        while self.s.opts and self.s.who == CHANCE:
            decision = self.s.decision
            assert decision is not None
            action = self.drawn(decision)
            index = [o.action for o in decision.options].index(action)
            self.told(CHANCE, decision.prompt, decision.options[index].label)
            self.s.apply(action)
            self.reload(at)
            self.note()

    def reload(self, at: Any = None) -> None:
        """The state as a save would give it back; it must be the same."""
        s = self.s
        if not s.opts and not s.v[OVER]:
            return  # it was halted: no decision is open
        text = s.to_json()
        try:
            t = self.game.from_json(text)
        except ValueError as error:
            raise Fail(at or self.scenario.node, f"the state here cannot be loaded from its save: {error}") from None
        if t.digest() != s.digest() or t.to_json() != text or tuple(t.opts) != tuple(s.opts) or t.who != s.who:
            raise Fail(at or self.scenario.node, "the state here changes when it is saved and loaded")
        self.s = t

    def note(self) -> None:
        """Keep the labels of what was taken as forced, and take off the cards that left their decks by themselves."""
        s = self.s
        for entry in (s.lg or ())[self.mark :]:
            if entry[0] == "forced":
                x = thing_of(self.game, entry[2])
                name = labels(s, (entry[2],), CHANCE)[0]
                self.forced.append([name, self.game.model.names_of[x]] if x >= 0 else [name])
                self.result.story.append(f"player {entry[1] + 1} has to: {name}")
            elif entry[0] == "move":
                self.left(entry[1], entry[2])
        self.mark = len(s.lg or ())

    def left(self, x: int, zone: int) -> None:
        """A card has left a place: it is no longer awaited there, unless chance has already given it."""
        if x in self.pulled:
            self.pulled.remove(x)
            return
        cards = self.decks.get(zone)
        if cards and text_of(cards[0]) == self.game.model.names_of[x]:
            cards.pop(0)

    def drawn(self, decision: Decision) -> int:
        """What chance gives: the card or roll that the scenario names, else what the seed draws."""
        s, model = self.s, self.game.model
        options = [o.action for o in decision.options]
        x = thing_of(self.game, options[0])
        zone = s.v[model.loc + x] if x >= 0 else -1
        if zone < 0 and self.rolls:
            wanted = self.rolls[0]
            names = offered(decision)
            found = [i for i in range(len(options)) if names[i] == text_of(wanted)]
            if not found:
                raise Fail(wanted, f"{text_of(wanted)} cannot be rolled; it can be {', '.join(names)}")
            self.rolls.pop(0)
            return options[found[0]]
        cards = self.decks.get(zone)
        if cards:
            wanted = cards[0]
            match = [a for a in options if model.names_of[thing_of(self.game, a)] == text_of(wanted)]
            if not match:
                names = list(dict.fromkeys(model.names_of[thing_of(self.game, a)] for a in options))
                where = place(self.game, zone, knower(s, CHANCE))
                shown = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
                raise Fail(wanted, f"{text_of(wanted)} cannot come from {where} now; {shown} can")
            cards.pop(0)
            self.pulled.append(thing_of(self.game, match[0]))
            return match[0]
        return int(options[rnd(s, len(options))])

    # ------------------------------------------------------------ steps

    def step(self, step: Step) -> None:
        """One entry of `when`: first what is looked at, then what is done."""
        if step.by is not None:
            self.check_by(step)
        seat = self.seat(step.by) if step.by is not None else None
        if step.offered is not None:
            check_offered(self, step.offered, seat, step.node)
        for label in step.not_offered:
            check_absent(self, label, seat, "is offered")
        for label in step.refused:
            check_absent(self, label, seat, "is not refused")
        if step.refused_do is not None:
            you = self.seat(step.as_) if step.as_ is not None else 0
            if self.scenario.statements[id(step.refused_do)].possible(self.s, you):
                raise Fail(step.refused_do, "this is not refused: it can be carried out")
        if step.do is not None:
            self.do(step.do, self.seat(step.as_) if step.as_ is not None else 0)
        elif step.choose:
            choose(self, step, seat)

    def check_by(self, step: Step) -> None:
        assert step.by is not None
        seat = self.seat(step.by)
        deciding = [d.player for d in self.s.decisions]
        if seat not in deciding:
            who = " and ".join(f"player {d + 1}" for d in deciding) or "nobody"
            raise Fail(step.by, f"{who} {'are' if len(deciding) > 1 else 'is'} deciding, not {text_of(step.by)}")

    def do(self, text: Scalar, you: int) -> None:
        if self.s.v[OVER]:
            raise Fail(text, "the game is over")
        statement: Statement = self.scenario.statements[id(text)]
        self.result.story.append(f"do: {text_of(text)}")
        self.mark = len(self.s.lg or ())
        self.forced = []
        self.s.v[STEPS] = 0
        push(self.s, statement, you)
        self.settle(text)

    def check(self, text: Scalar) -> None:
        """One condition of `then`."""
        question = self.scenario.questions[id(text)]
        if question.holds(self.s, 0):
            return
        found = []
        for words, value, sort in question.sides:
            shown = spoken(self.game, value(self.s, 0), sort)
            if sort and clean(words) not in (clean(shown), f"the {clean(shown)}"):
                found.append(f"{words} is {shown}")
        raise Fail(text, f"{text_of(text)}: this is false" + (f"; {', '.join(dict.fromkeys(found))}" if found else ""))

    # ------------------------------------------------------------ words

    def seat(self, who: Scalar) -> int:
        return self.seat_of(text_of(who), who)

    def seat_of(self, who: str, node: Any) -> int:
        seat = seat_number(self.bench, who)
        if seat is None:
            x = faction_thing(self.bench, who)
            cell = self.bench.program.model.faction_cell
            seat = next((i for i in range(self.s.v[PLAYERS]) if self.s.v[cell + i] == x), None)
        if seat is None or seat >= self.s.v[PLAYERS]:
            raise Fail(node, f"{who} does not take part in this game")
        return seat

    def decision(self, seat: int | None, node: Any = None) -> Decision:
        for decision in self.s.decisions:
            if seat is None or decision.player == seat:
                return decision
        raise Fail(node or self.scenario.node, f"nothing is asked; {self.ended()}")

    def ended(self) -> str:
        return f"the game is over ({self.s.outcome})" if self.s.v[OVER] else "no decision is open"
