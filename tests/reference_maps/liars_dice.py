"""liars_dice: a bid or `Liar`, and the face of a die → OpenSpiel's action."""

from tests.reference_maps import Meaning

FACES = ["One", "Two", "Three", "Four", "Five", "Six"]
BIDS = [f"Bid One {face}" for face in FACES] + [f"Bid Two {face}{'es' if face == 'Six' else 's'}" for face in FACES]

MEANING = Meaning([*BIDS, "Liar"].index, FACES.index)
