"""goofspiel: a card bid or turned up → OpenSpiel's action."""

from tests.reference_maps import Meaning

RANKS = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King"]


def prize(label: str) -> int:
    return RANKS.index(label.removesuffix(" of Diamonds"))


MEANING = Meaning(RANKS.index, prize, forced="take")
