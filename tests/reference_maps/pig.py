"""pig: roll or stop, and the die's number → OpenSpiel's action."""

from tests.reference_maps import Meaning


def number(label: str) -> int:
    return int(label) - 1


# Who never rolls comes to the horizon; who hardly ever stops wins rarely, in long turns.
MEANING = Meaning(["Roll", "Stop"].index, number, games=12, full=200, lean=(None, 0.0, 0.02, 0.8, 0.97))
