"""nim: how many stones from which heap → OpenSpiel's action."""

from tests.reference_maps import Meaning


def take(label: str) -> int:
    """`Lift 2 from Heap C` takes two stones from the third heap."""
    amount, heap = label.removeprefix("Lift ").split(" from Heap ")
    return (int(amount) - 1) * 4 + "ABCD".index(heap)


MEANING = Meaning(take, games=100)
