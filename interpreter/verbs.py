"""verbs: in, nothing; out, `VERBS`, the core's verbs with their forms and roles. Data without behaviour.

A verb is one row here, one alternative in grammar/cardscript.lark (its terminal is the base form in capitals) and one
function of the checker. Roles stand in the order in which they are written; `what` is the bare object.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """Forms: gain, gains, gained, gained. passive: `a Tower is gained` can be said."""

    base: str
    third: str
    past: str
    participle: str
    roles: tuple[str, ...]
    passive: bool = True

    @property
    def terminal(self) -> str:
        return self.base.upper().replace(" ", "_")


PLACES = ("on", "in", "at", "under", "above", "beside")

VERBS: dict[str, Verb] = {
    verb.base: verb
    for verb in (
        # amounts
        Verb("gain", "gains", "gained", "gained", ("what", "from")),
        Verb("lose", "loses", "lost", "lost", ("what", "from", "before")),
        Verb("pay", "pays", "paid", "paid", ("what", "to")),
        Verb("take", "takes", "took", "taken", ("what", "from")),
        Verb("give", "gives", "gave", "given", ("what", "to")),
        Verb("set", "sets", "set", "set", ("what", "to"), passive=False),
        Verb("increase", "increases", "increased", "increased", ("what", "by")),
        Verb("reduce", "reduces", "reduced", "reduced", ("what", "by")),
        # things
        Verb("move", "moves", "moved", "moved", ("what", "from", "to", "forward", "backward", "along", "until")),
        Verb("place", "places", "placed", "placed", ("what", *PLACES)),
        Verb("remove", "removes", "removed", "removed", ("what", "from")),
        Verb("swap", "swaps", "swapped", "swapped", ("what", "with")),
        Verb("flip", "flips", "flipped", "flipped", ("what", "face")),
        # cards
        Verb("draw", "draws", "drew", "drawn", ("what", "from")),
        Verb("discard", "discards", "discarded", "discarded", ("what", "from")),
        Verb("shuffle", "shuffles", "shuffled", "shuffled", ("what", "into")),
        Verb("reveal", "reveals", "revealed", "revealed", ("what",)),
        Verb("look at", "looks at", "looked at", "looked at", ("what",)),
        Verb("play", "plays", "played", "played", ("what",)),
        # choice and chance
        Verb("choose", "chooses", "chose", "chosen", ("what", "name", "low", "high", "most")),
        Verb("roll", "rolls", "rolled", "rolled", ("what",)),
        # flow
        Verb("perform", "performs", "performed", "performed", ("what",)),
        Verb("cancel", "cancels", "cancelled", "cancelled", ("what",)),
        Verb("ignore", "ignores", "ignored", "ignored", ("what",)),
        Verb("end", "ends", "ended", "ended", ("what",)),
        Verb("win", "wins", "won", "won", ("what",)),
        Verb("pass", "passes", "passed", "passed", ()),
        Verb("stop", "stops", "stopped", "stopped", ()),
        # mostly told of, as events
        Verb("enter", "enters", "entered", "entered", ("what",)),
        Verb("leave", "leaves", "left", "left", ("what",), passive=False),
        Verb("reach", "reaches", "reached", "reached", ("what",)),
        Verb("become", "becomes", "became", "become", ("what", "state"), passive=False),
    )
}
