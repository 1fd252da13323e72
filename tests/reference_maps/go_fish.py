"""go_fish: whom one asks for what (`Ask player 2 for Jack`), and the rank of a card drawn → OpenSpiel's action."""

from tests.reference_maps import Meaning

RANKS = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King"]


def ask(label: str) -> int:
    _, _, player, _, rank = label.split()
    return (int(player) - 1) * len(RANKS) + RANKS.index(rank)


MEANING = Meaning(ask, RANKS.index, games=15, full=1000)
