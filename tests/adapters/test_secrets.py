"""secrets: in, random games of every installed game; asserted, what the suites of other ecosystems miss: no text and no
number that a seat is given depends on what it cannot know, nothing that one copy does is seen in another, and every part
of a view has a place of its own in the numbers."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from interpreter import CHANCE, view
from interpreter.adapters import position as positions
from interpreter.adapters.features import OTHER, Features
from interpreter.adapters.position import Position
from tests.adapters.tables import LONG, NAMES, spiel

pyspiel = pytest.importorskip("pyspiel")

DEALS = 3
# What is left to chance there is drawn when it is asked, and no seat knows more than another.
OPEN = ["breakthrough", "connect_four", "goofspiel", "mancala", "nim", "othello", "oware", "pig", "tic_tac_toe"]


def played(name: str, seed: int, most: int = 400) -> Iterator[Any]:
    """The states of one random game as OpenSpiel has it, the last one too."""
    dice = random.Random(f"{name} {seed}")
    state = spiel(name).new_initial_state()
    yield state
    for _ in range(most):
        if state.is_terminal():
            return
        if state.is_simultaneous_node():
            state.apply_actions([dice.choice(state.legal_actions(k)) for k in range(state.num_players())])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
        yield state


def told(state: Any, seat: int) -> tuple[Any, ...]:
    return (
        state.observation_string(seat),
        state.observation_tensor(seat),
        state.information_state_string(seat),
        state.information_state_tensor(seat),
    )


def elsewhere(state: Any, seat: int, seed: int) -> Any:
    """The same state, in which what the seat cannot know is dealt anew; what it remembers is what it saw."""
    here = state.position
    dealt = here.state.clone()
    dealt.determinize(seat, seed)
    here.memory(seat)
    memories = tuple(
        positions.met(dealt, k, None, None)._replace(past=mine.past, own=mine.own, words=mine.words)
        for k, mine in enumerate(here._way.memories)
    )
    other = state.clone()
    other._go(Position(dealt, here.features, here._way._replace(start=dealt, memories=memories), here.count))
    return other


def lies(state: Any) -> Any:
    """Where everything lies, known to somebody or not."""
    return list(state.position.state.z), list(state.position.state.v)


def secrets(name: str, seed: int, step: int) -> int:
    """How often what a seat cannot know was dealt otherwise, and nobody was told."""
    count = 0
    for k, state in enumerate(played(name, seed)):
        if k % step or state.is_chance_node():
            continue
        for seat in range(state.num_players()):
            for deal in range(DEALS):
                other = elsewhere(state, seat, 100 * k + deal)
                count += lies(other) != lies(state)
                assert told(other, seat) == told(state, seat)
                mine, theirs = state.legal_actions(seat), other.legal_actions(seat)
                assert mine == theirs
    return count


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_told_what_it_cannot_know(name):
    count = sum(secrets(name, seed, 4) for seed in range(1 if name in LONG else 3))
    assert (count > 0) == (name not in OPEN)


@pytest.mark.parametrize("name", ["leduc_poker", "go_fish", "liars_dice"])
def test_a_view_that_shows_all_would_be_noticed(name, monkeypatch):
    monkeypatch.setattr(view, "knower", lambda s, seat: lambda x: True)
    with pytest.raises(AssertionError):
        for seed in range(3):
            secrets(name, seed, 1)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_seat_remembers_is_what_it_saw_and_did(name):
    """The memory worked out late, all at once, is the one worked out from what the seat alone was shown on the way."""
    remembered: dict[int, positions.Memory] = {}
    late, before = None, None
    for state in played(name, 4, 60):
        late = state.position
        for seat in range(state.num_players()):
            done = None
            if before is not None and seat in before.asked():
                mine = dict(late._way.steps[1])[seat]
                done = mine, positions.labels(before.state, (mine,), seat)[0]
            remembered[seat] = positions.met(late.state, seat, remembered.get(seat), done)
        before = late
    assert late is not None
    assert [late.memory(seat) for seat in remembered] == list(remembered.values())


@pytest.mark.parametrize("name", ["leduc_poker", "liars_dice", "crazy_eights"])
def test_the_private_part_is_private_and_the_public_one_public(name):
    single, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
    kind = pyspiel.IIGObservationType
    game = spiel(name)
    public = game.make_py_observer(kind(public_info=True, perfect_recall=False, private_info=none))
    private = game.make_py_observer(kind(public_info=False, perfect_recall=False, private_info=single))
    nobody = game.make_py_observer(kind(public_info=False, perfect_recall=False, private_info=none))
    met = False
    for state in played(name, 5):
        assert public.string_from(state, 0) == public.string_from(state, 1)
        assert nobody.string_from(state, 0) == ""
        for deal in range(8 if not state.is_chance_node() else 0):
            other = elsewhere(state, 0, deal)
            assert private.string_from(other, 0) == private.string_from(state, 0)
            assert public.string_from(other, 0) == public.string_from(state, 0)
            met = met or private.string_from(other, 1) != private.string_from(state, 1)
    assert met


@pytest.mark.parametrize("name", OPEN)
def test_a_game_without_secrets_has_no_private_part(name):
    single = pyspiel.PrivateInfoType.SINGLE_PLAYER
    kind = pyspiel.IIGObservationType(public_info=False, perfect_recall=False, private_info=single)
    private = spiel(name).make_py_observer(kind)
    for state in played(name, 6, 40):
        assert [private.string_from(state, seat) for seat in range(state.num_players())] == ["", ""]


@pytest.mark.parametrize("name", NAMES)
def test_copies_share_nothing(name):
    """Whatever is done to a copy, or to what was copied, the other one stays as it is: at all states of a game, looked
    at again when the game is over."""
    kept = []
    dice = random.Random(name)
    for k, state in enumerate(played(name, 7, 120)):
        if k % 6 == 0:
            twin = copy.deepcopy(state) if k % 12 else state.clone()
            kept.append((state.clone(), twin, str(state), state.position.state.to_json()))
            for _ in range(4):
                if not twin.is_terminal() and not twin.is_simultaneous_node():
                    twin.apply_action(dice.choice(twin.legal_actions()))
    for first, twin, text, data in kept:
        assert (str(first), first.position.state.to_json()) == (text, data)
        assert first.history() == twin.history()[: len(first.history())]
        whole = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(first.get_game(), first))[1]
        assert str(whole) == text
        if not first.is_chance_node():
            assert [told(whole, k) for k in range(first.num_players())] == [
                told(first, k) for k in range(first.num_players())
            ]


@pytest.mark.parametrize("name", NAMES)
def test_every_part_of_a_view_has_its_place(name):
    """In the numbers of a game that is chosen otherwise, and longer, than elsewhere."""
    game = spiel(name, horizon=10_000)
    dice = random.Random(name)
    here: Position = game.root
    for k in range(160 if name in LONG else 80):
        asked = here.asked()
        if not asked:
            break
        here = here.after(*((seat, dice.choice(here.actions(seat))) for seat in asked))
        if k % 3 == 0:
            for seat in range(game.num_players()):
                seen = here.state.view(seat)
                missing = [key for key, _ in here.features.told(seen) if key not in here.features.places]
                assert missing == [], f"{OTHER} would hold it"
                row = here.row(seat)
                assert len(row) == len(here.features.places)
                assert sum(1 for n in row if n) > 1


def test_numbers_of_views_that_differ_differ():
    """Of small games, whose every state is looked at: two views that a seat can tell apart are two rows."""
    for name in ("kuhn_poker", "nim"):
        game = spiel(name)
        rows: dict[tuple[float, ...], str] = {}
        todo, count = [game.root], 0
        while todo and count < 1500:
            here = todo.pop()
            count += 1
            for seat in range(game.num_players()):
                text = here.text(seat).partition("\nasked")[0]
                assert rows.setdefault((*here.row(seat),), text) == text
            asked = here.asked()
            todo += [here.after((asked[0], action)) for seat in asked for action in here.actions(seat)]
        assert count > 50


def test_features_of_more_players_are_more():
    game = spiel("crazy_eights").game
    sizes = [len(Features(game.new(n, log=False)).places) for n in (2, 3, 4)]
    assert sizes == sorted(set(sizes))
    assert CHANCE == positions.CHANCE
