"""kuhn_poker: pass or bet, and a card dealt → OpenSpiel's action."""

from tests.reference_maps import Meaning

MEANING = Meaning(["Pass", "Bet"].index, ["Jack", "Queen", "King"].index)
