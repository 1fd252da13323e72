"""result: in, a state whose game is over; out, lines of text: who won, the scores and what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.lines import columns
from interpreter.model import PLAYERS

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State


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
        lines += entries_of(state)
    return lines


def entries_of(state: State) -> list[str]:
    """Where a score is made of several, a row for each, a column for each player."""
    program = state.prog
    if len(program.model.scores) < 2:
        return []
    seats = range(state.v[PLAYERS])
    rows = [["", *(player(seat) for seat in seats)]]
    for k, (title, _) in enumerate(program.model.scores):
        rows.append([title, *(str(program.globals[f"score_{k}"](state, seat)) for seat in seats)])
    return ["", *columns(rows, right=1)]
