"""leduc_poker: fold, call or raise, and a card dealt → OpenSpiel's action."""

from tests.reference_maps import Meaning

CARDS = [f"{rank} of {suit}" for rank in ("Jack", "Queen", "King") for suit in ("Spades", "Hearts")]

MEANING = Meaning(["Fold", "Call", "Raise"].index, CARDS.index)
