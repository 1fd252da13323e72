"""mancala: the pit that is sown from → OpenSpiel's action."""

from tests.reference_maps import Meaning


def pit(label: str) -> int:
    """OpenSpiel counts the pits round the ring: A1 to F1 are 1 to 6, behind the store F2 to A2 are 8 to 13."""
    column = "ABCDEF".index(label[0])
    return column + 1 if label[1] == "1" else 13 - column


MEANING = Meaning(pit, games=40, full=1000)
