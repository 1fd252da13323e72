"""save: in, saves with one thing wrong; asserted, that each is refused, or is a state that can be played."""

from __future__ import annotations

import json

import pytest

from interpreter import SaveError
from tests import handmade as by_hand
from tests.handmade import GAMES, midway


def hostile(text: str):
    """Copies of a save with one thing wrong."""
    good = json.loads(text)

    def edit(path, value):
        data = json.loads(text)
        at = data
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        return json.dumps(data)

    for key in good:
        yield json.dumps({k: v for k, v in good.items() if k != key})
        for value in (None, [], {}, "x", 2.5, -1, 10**20, [[[]]], True):
            fine = {"log": (None, []), "auto": (True,), "explicit": (True,)}.get(key, ())
            if (
                repr(value) != repr(good[key])
                and not any(value is x or value == x for x in fine)
                and key not in ("game", "mods")
            ):
                yield edit([key], value)
    for key in ("v", "z", "st"):
        for i in range(len(good[key])):
            for value in (None, "0", 1.5, True, 2**60, [None], {}):
                yield edit([key, i], value)
        yield edit([key], good[key] + [0])
        yield edit([key], good[key][:-1])
    yield from ("", "[", "null", "[]", "{}", "[" * 100_000, text[:-1], text + "x", '{"v": NaN}', "1" * 5_000)


@pytest.mark.parametrize("name", ["draws", "bids", "several"])
def test_hostile_saves_are_refused(name):
    game = GAMES[name]
    s = midway(game, 1)
    for text in hostile(s.to_json()):
        try:
            game.from_json(text)
        except SaveError:
            continue
        pytest.fail(f"accepted: {text[:2000]}")
    with pytest.raises(SaveError):
        other = by_hand.draws()
        other.digest = "e" * 16
        other.from_json(s.to_json())


def test_saves_with_the_wrong_numbers_are_refused_or_play():
    """Every number of a save changed to every nearby number: refused, or a state that can be played."""
    game = GAMES["draws"]
    s = midway(game, 2)
    text = s.to_json()
    m = game.model
    refused = 0
    for key in ("v", "st"):
        for i, old in enumerate(getattr(s, key)):
            for new in {old - 1, old + 1, -3, 9999, 0}:
                if type(old) is int and new != old:
                    data = json.loads(text)
                    data[key][i] = new
                    try:
                        t = game.from_json(json.dumps(data))
                    except SaveError:
                        refused += 1
                        continue
                    assert not (key == "v" and m.loc <= i < m.loc + m.things), "a thing's place"
                    t.view(0)
                    t.playout(1)
    assert refused > 100
