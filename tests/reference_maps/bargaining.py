"""bargaining: a share that is offered (`Offer Share 1-0-2`) or `Agree`, and the deal → OpenSpiel's action.

OpenSpiel numbers the shares of at most seven goods, the first good counting fastest.
"""

from tests.reference_maps import Meaning

SEVEN = range(8)
SHARES = [f"Offer Share {a}-{b}-{c}" for c in SEVEN for b in SEVEN for a in SEVEN if a + b + c <= 7]


def deal(label: str) -> int:
    return int(label.removeprefix("Deal "))


MEANING = Meaning([*SHARES, "Agree"].index, deal, games=15)
