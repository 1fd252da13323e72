"""connect_four: the column that a disc falls down → OpenSpiel's action."""

from tests.reference_maps import Meaning


def column(label: str) -> int:
    """`C1 to C6` is the third column."""
    return "ABCDEFG".index(label[0])


MEANING = Meaning(column, games=100)
