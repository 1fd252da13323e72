"""breakthrough: from where to where, and whether it captures → OpenSpiel's action."""

from tests.reference_maps import Meaning

FILES = "ABCDEFGH"


def move(label: str) -> int:
    """OpenSpiel counts rows from the top; of its six directions three go down and three up; a capture is odd."""
    start, goal = label.removesuffix(", capturing").split(" to ")
    row, column = 8 - int(start[1]), FILES.index(start[0])
    down, right = int(start[1]) - int(goal[1]), FILES.index(goal[0]) - column
    direction = right + (1 if down == 1 else 4)
    return ((row * 8 + column) * 6 + direction) * 2 + label.endswith(", capturing")


MEANING = Meaning(move, games=40)
