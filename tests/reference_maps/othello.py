"""othello: the square that is occupied, or a pass → OpenSpiel's action."""

from tests.reference_maps import Meaning


def square(label: str) -> int:
    """`C4` is the third column of the fourth row."""
    return 64 if label == "Pass" else "ABCDEFGH".index(label[0]) + 8 * (int(label[1]) - 1)


MEANING = Meaning(square, games=12)
