"""tic_tac_toe: a cell's label → OpenSpiel's action."""

from tests.reference_maps import Meaning


def cell(label: str) -> int:
    """`B3` is the second column of the third row."""
    return "ABC".index(label[0]) + 3 * "123".index(label[1:])


MEANING = Meaning(cell)
