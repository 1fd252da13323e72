"""hand_loops: in, a number of games and a seed; out, how many games each side won, by loops written by hand in Python.

What a programmer would write, without tricks, for random play of just this game: tools/bench compares content with it.
"""

from __future__ import annotations

from random import Random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tic_tac_toe(games: int, seed: int) -> tuple[int, int]:
    """(games the first player won, games the second won)."""
    choice = Random(seed).choice
    won = [0, 0]
    for _ in range(games):
        board = [-1] * 9
        player = 0
        while True:
            free = [cell for cell in range(9) if board[cell] < 0]
            if not free:
                break
            board[choice(free)] = player
            if any(board[a] == board[b] == board[c] == player for a, b, c in LINES):
                won[player] += 1
                break
            player = 1 - player
    return won[0], won[1]


def kuhn_poker(games: int, seed: int) -> tuple[int, int]:
    """(games the first player won, games the second won). Pass or bet; a bet is called by a bet."""
    random = Random(seed)
    won = [0, 0]
    for _ in range(games):
        hands = random.sample((1, 2, 3), 2)
        history: list[int] = []
        while True:
            history.append(random.choice((0, 1)))
            if len(history) == 1:
                continue
            if history == [0, 1]:
                continue
            if history[-1] == history[-2] or (len(history) == 3 and history[-1] == 1):
                won[hands[1] > hands[0]] += 1
            else:  # a bet and no call: who bet wins
                won[(len(history) - 2) % 2] += 1
            break
    return won[0], won[1]


LOOPS = {"tic_tac_toe": tic_tac_toe, "kuhn_poker": kuhn_poker}
