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


def connect_four(games: int, seed: int) -> tuple[int, int]:
    """(games the first player won, games the second won)."""
    choice = Random(seed).choice
    won = [0, 0]
    for _ in range(games):
        board = [[-1] * 6 for _ in range(7)]
        height = [0] * 7
        player = 0
        while True:
            columns = [column for column in range(7) if height[column] < 6]
            if not columns:
                break
            x = choice(columns)
            y = height[x]
            board[x][y] = player
            height[x] += 1
            if four(board, x, y, player):
                won[player] += 1
                break
            player = 1 - player
    return won[0], won[1]


def four(board: list[list[int]], x: int, y: int, player: int) -> bool:
    """Whether four in a row go through this cell."""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            a, b = x + sign * dx, y + sign * dy
            while 0 <= a < 7 and 0 <= b < 6 and board[a][b] == player:
                count += 1
                a += sign * dx
                b += sign * dy
        if count >= 4:
            return True
    return False


def mancala(games: int, seed: int) -> tuple[int, int]:
    """(games the first player won, games the second won). Pits 1 to 6 and store 7 are the first player's, pits 8 to 13
    and store 0 the second's."""
    choice = Random(seed).choice
    won = [0, 0]
    for _ in range(games):
        pits = [0, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4]
        player = 0
        while any(pits[1:7]) and any(pits[8:14]):
            own = range(1, 7) if player == 0 else range(8, 14)
            store, other = (7, 0) if player == 0 else (0, 7)
            at = choice([pit for pit in own if pits[pit]])
            seeds, pits[at] = pits[at], 0
            while seeds:
                at = (at + 1) % 14
                if at != other:
                    pits[at] += 1
                    seeds -= 1
            if at == store:
                continue
            if at in own and pits[at] == 1 and pits[14 - at]:
                pits[store] += 1 + pits[14 - at]
                pits[at] = pits[14 - at] = 0
            player = 1 - player
        first, second = sum(pits[1:8]), pits[0] + sum(pits[8:14])
        won[0] += first > second
        won[1] += second > first
    return won[0], won[1]


def breakthrough(games: int, seed: int) -> tuple[int, int]:
    """(games the first player won, games the second won). The first player goes from the upper rows down."""
    choice = Random(seed).choice
    won = [0, 0]
    for _ in range(games):
        board = [0] * 16 + [-1] * 32 + [1] * 16
        left = [16, 16]
        player = 0
        while True:
            step = 8 if player == 0 else -8
            moves = []
            for cell in range(64):
                if board[cell] == player:
                    goal = cell + step
                    if board[goal] < 0:
                        moves.append((cell, goal))
                    if cell % 8 and board[goal - 1] != player:
                        moves.append((cell, goal - 1))
                    if cell % 8 < 7 and board[goal + 1] != player:
                        moves.append((cell, goal + 1))
            cell, goal = choice(moves)
            if board[goal] == 1 - player:
                left[1 - player] -= 1
            board[cell] = -1
            board[goal] = player
            if goal // 8 == (7 if player == 0 else 0) or not left[1 - player]:
                won[player] += 1
                break
            player = 1 - player
    return won[0], won[1]


def leduc_poker(games: int, seed: int) -> tuple[int, int]:
    """(games the first player won, games the second won): six cards, two rounds, at most two raises in each."""
    random = Random(seed)
    won = [0, 0]
    for _ in range(games):
        cards = random.sample(range(6), 3)
        stake = [1, 1]
        folded = -1
        for amount in (2, 4):
            raises = calls = player = 0
            while folded < 0 and calls < (2 if raises == 0 else 1):
                legal = ["call"]
                if stake[player] < max(stake):
                    legal.append("fold")
                if raises < 2:
                    legal.append("raise")
                move = random.choice(legal)
                if move == "fold":
                    folded = player
                elif move == "call":
                    stake[player] = max(stake)
                    calls += 1
                else:
                    stake[player] = max(stake) + amount
                    raises += 1
                    calls = 0
                player = 1 - player
            if folded >= 0:
                break
        if folded >= 0:
            won[1 - folded] += 1
            continue
        ranks = [card // 2 for card in cards]
        strength = [9 if rank == ranks[2] else rank for rank in ranks[:2]]
        won[0] += strength[0] > strength[1]
        won[1] += strength[1] > strength[0]
    return won[0], won[1]


LOOPS = {
    "tic_tac_toe": tic_tac_toe,
    "connect_four": connect_four,
    "mancala": mancala,
    "breakthrough": breakthrough,
    "kuhn_poker": kuhn_poker,
    "leduc_poker": leduc_poker,
}
