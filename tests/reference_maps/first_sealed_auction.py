"""first_sealed_auction: a bid; what the lot is worth to a player, and the player who is drawn → OpenSpiel's action."""

from tests.reference_maps import Meaning

NUMBERS = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]


def deal(label: str) -> int:
    what, number = label.split()
    return int(number) - 1 if what == "player" else NUMBERS.index(number)


MEANING = Meaning(NUMBERS.index, deal)
