"""oware: the house that is sown from → OpenSpiel's action, counted by each player along their own row."""

from tests.reference_maps import Meaning


def house(label: str) -> int:
    """The first player's houses run from A1 to F1, the second's from F2 to A2."""
    column = "ABCDEF".index(label[0])
    return column if label[1] == "1" else 5 - column


MEANING = Meaning(house, games=12)
