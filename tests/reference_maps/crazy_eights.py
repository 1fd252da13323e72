"""crazy_eights: a card that is laid, `Draw`, `Pass` or a suit; the dealer and a card drawn → OpenSpiel's action."""

from tests.reference_maps import Meaning

RANKS = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"]
SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"]
CARDS = [f"{rank} of {suit}" for rank in RANKS for suit in SUITS]
MOVES = [*(f"Lay {card}" for card in CARDS), "Draw", "Pass", *SUITS]
DEALERS = [f"player {number}" for number in range(1, 6)]

MEANING = Meaning(MOVES.index, [*CARDS, *DEALERS].index, players=5, games=15, full=1000)
