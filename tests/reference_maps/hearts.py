"""hearts: a card that is passed or laid; the direction of passing and a card dealt → OpenSpiel's action.

OpenSpiel counts directions and cards from 0; the first question is for the direction alone.
"""

from tests.reference_maps import Meaning
from tests.reference_maps.crazy_eights import CARDS

DIRECTIONS = ["No Pass", "Left", "Across", "Right"]


def deal(label: str) -> int:
    return DIRECTIONS.index(label) if label in DIRECTIONS else CARDS.index(label)


MEANING = Meaning(CARDS.index, deal, players=4, games=15, full=1000)
