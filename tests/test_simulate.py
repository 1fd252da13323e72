"""simulate: many games by bots: the figures, their intervals, the files, and that processes change nothing."""

from __future__ import annotations

import csv
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from interpreter import cli, load_game
from interpreter.bots import BOTS, bots_for, stream_of
from interpreter.game import Game
from interpreter.journal import Journal
from interpreter.simulate import Plan, Played, Player, Run, runs_of_numbers, seats_of, simulate
from interpreter.tally import mean_interval, scores_by, summary, wilson
from tests import handmade
from tests.running import started

ROOT = Path(__file__).resolve().parent.parent
KEYS = [
    "game",
    "mods",
    "digest",
    "seed",
    "players",
    "bots",
    "games",
    "outcomes",
    "factions",
    "seats",
    "decisions",
    "length",
    "never_used",
    "errors",
]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("tic_tac_toe")


def run(game: Game, games: int = 40, seed: int = 5, bots: tuple[str, ...] = ("random", "random"), jobs: int = 1) -> Run:
    return simulate(game, Plan("tic_tac_toe", (), 2, bots, seed, games), jobs)


def out(tmp_path: Path, *arguments: str, name: str = "out.json") -> str:
    path = tmp_path / name
    assert cli.main(["simulate", "tic_tac_toe", *arguments, "--out", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def test_the_keys_are_those_of_the_contract(tmp_path: Path, game: Game) -> None:
    data = json.loads(out(tmp_path, "--games", "30", "--seed", "9"))
    assert list(data) == KEYS
    assert (data["game"], data["mods"], data["digest"], data["seed"]) == ("tic_tac_toe", [], game.digest, 9)
    assert (data["players"], data["bots"], data["games"]) == (2, ["random", "random"], 30)
    assert sum(data["outcomes"].values()) == 30
    assert list(data["seats"][0]) == ["games", "wins", "share", "low", "high"]
    wins = [seat["wins"] for seat in data["seats"]]
    assert sum(wins) == data["outcomes"]["won"] and all(s["share"] == s["wins"] / 30 for s in data["seats"])
    assert data["factions"] == {} and data["errors"] == [] and data["never_used"] == []
    assert list(data["length"]) == ["mean", "min", "max"]


def test_random_play_has_the_known_chances(game: Game) -> None:
    """Of random games the first player wins 737/1260, the second 121/420, and 8/63 are draws."""
    result = summary(game, Plan("", (), 2, ("random", "random"), 0, 3000), run(game, 3000, 0).played)
    exact = (737 / 1260, 121 / 420)
    for seat, share in zip(result["seats"], exact):
        assert seat["low"] < share < seat["high"]
    assert 0.10 < result["outcomes"]["draw"] / 3000 < 0.15


def test_random_poker_has_the_known_chances() -> None:
    """Of two cards that are as likely the better: the first player wins 9 in 16 games, and 1/8 a game."""
    game = load_game("kuhn_poker")
    plan = Plan("kuhn_poker", (), 2, ("random", "random"), 0, 2000)
    played = simulate(game, plan).played
    result = summary(game, plan, played)
    assert result["outcomes"] == {"won": 2000} and (result["length"]["min"], result["length"]["max"]) == (2, 3)
    assert result["seats"][0]["low"] < 9 / 16 < result["seats"][0]["high"]
    assert all(a is not None and b is not None and a + b == 0 for a, b in (one.scores for one in played))
    _, low, high = mean_interval(scores_by(played, seat=0))
    assert low < 1 / 8 < high


def test_forced_decisions_are_counted_and_no_part_of_the_length(game: Game) -> None:
    """The ninth mark is forced: games that fill the board have eight decisions and one that is taken as forced."""
    played = run(game, 200).played
    result = summary(game, Plan("", (), 2, ("random", "random"), 5, 200), played)
    (entry,) = result["decisions"].values()
    full = sum(one.length == 8 and sum(f for _, f in one.decisions.values()) for one in played)
    assert entry["forced"] == full > 0
    assert entry["count"] - entry["forced"] == sum(one.length for one in played)
    assert (result["length"]["min"], result["length"]["max"]) == (5, 8)


def test_the_first_option_each_time_is_one_known_game(game: Game) -> None:
    """A1 B1 C1 A2 B2 C2 A3: the first player has the diagonal A3 B2 C1."""
    result = summary(game, Plan("", (), 2, ("first", "first"), 0, 3), run(game, 3, 0, ("first", "first")).played)
    assert result["outcomes"] == {"won": 3} and result["length"] == {"mean": 7.0, "min": 7, "max": 7}
    assert [seat["wins"] for seat in result["seats"]] == [3, 0]
    assert result["never_used"] == ["b3", "c3"]


def test_processes_change_nothing(tmp_path: Path) -> None:
    common = ("--games", "50", "--seed", "3", "--bots", "random,first")
    texts = {out(tmp_path, *common, "--jobs", str(jobs)) for jobs in (1, 2, 3)}
    assert len(texts) == 1
    tables = {out(tmp_path, *common, "--jobs", str(jobs), name="out.csv") for jobs in (1, 2)}
    assert len(tables) == 1


def test_game_i_has_seed_s_plus_i(game: Game) -> None:
    whole, part = run(game, 6, 10).played, run(game, 1, 13).played
    assert [one.seed for one in whole] == [10, 11, 12, 13, 14, 15]
    assert whole[3][3:8] == part[0][3:8]


def test_csv_has_a_row_for_each_game(tmp_path: Path) -> None:
    rows = list(csv.DictReader(out(tmp_path, "--games", "7", "--seed", "2", name="out.csv").splitlines()))
    assert [row["seed"] for row in rows] == ["2", "3", "4", "5", "6", "7", "8"]
    assert {row["seat 0 bot"] for row in rows} == {"random"}
    for row in rows:
        assert (row["outcome"] == "won") == (row["seat 0 won"] != row["seat 1 won"])


def test_factions_go_round_the_seats() -> None:
    class Fake:
        name, players, factions = "meadows", (2, 4), ("ash", "birch", "cedar")

    seats = [seats_of(Fake(), 2, i) for i in range(4)]  # type: ignore[arg-type]
    assert seats == [["ash", "birch"], ["birch", "cedar"], ["cedar", "ash"], ["ash", "birch"]]
    named = [seats_of(Fake(), ("cedar", "ash"), i) for i in range(2)]  # type: ignore[arg-type]
    assert named == [["cedar", "ash"], ["ash", "cedar"]]
    for wrong in (1, 5, 4, ("ash",), ("ash", "elm"), ("ash", "ash")):
        with pytest.raises(ValueError):
            seats_of(Fake(), wrong, 0)  # type: ignore[arg-type]


def test_intervals() -> None:
    low, high = wilson(5, 10)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)  # as in Wilson's own formula for 5 of 10
    assert wilson(0, 10)[0] == 0.0 and round(wilson(0, 10)[1], 4) == 0.2775
    assert wilson(10, 10)[1] == 1.0 and wilson(0, 0) == (0.0, 1.0)
    mean, low, high = mean_interval([1, 2, 3, 4])
    assert mean == 2.5 and round(high - mean, 4) == round(mean - low, 4) == 1.2652


def test_an_error_keeps_its_seed_and_the_other_games_count(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(state, decision, stream):  # type: ignore[no-untyped-def]
        if stream.random() < 0.1:
            raise RuntimeError("the moth ate it")
        return decision.options[0].action

    monkeypatch.setitem(BOTS, "faulty", faulty)
    played = run(game, 30, 0, ("faulty", "first")).played
    result = summary(game, Plan("", (), 2, ("faulty", "first"), 0, 30), played)
    failed = [one for one in played if one.error]
    assert 0 < len(failed) < 30 and result["games"] == 30
    assert result["outcomes"] == {"won": 30 - len(failed)} and result["seats"][0]["games"] == 30 - len(failed)
    first = result["errors"][0]
    assert first["error"] == "RuntimeError: the moth ate it" and first["seed"] == failed[0].seed
    again = run(game, 1, first["seed"], ("faulty", "first")).played[0]
    assert (again.error, again.length) == (failed[0].error, failed[0].length)
    assert cli.main(["simulate", "tic_tac_toe", "--games", "30", "--bots", "faulty"]) == 1
    assert f"seed {first['seed']}, after {first['decisions']} decisions" in capsys.readouterr().out


def test_scores_are_averaged() -> None:
    game = handmade.GAMES["draws"]
    plan = Plan("", (), 3, ("first", "first", "first"), 1, 4)
    played = simulate(game, plan).played
    assert all(len(one.scores) == 3 and sum(one.scores) > 0 for one in played)  # type: ignore[arg-type]


def test_nothing_of_the_program_stays_changed(game: Game) -> None:
    before = list(game.program.blocks)
    run(game, 3)
    assert game.program.blocks == before
    assert all(game.program.globals.get(f"b{i}", block) is block for i, block in enumerate(before))


def test_bots() -> None:
    assert bots_for(["first"], 3) == ["first"] * 3
    with pytest.raises(ValueError, match="no bot"):
        bots_for(["frist"], 2)
    with pytest.raises(ValueError, match="3 seats want"):
        bots_for(["first", "random"], 3)
    assert round(stream_of(1, 0).random(), 6) == 0.090257, "the stream of a bot is the same on every machine"


def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["simulate", "tic_tac_toe", "--games", "1"]
    for more in (
        ["--players", "3"],
        ["--players", "ash,birch"],
        ["--players", "a,,b"],
        ["--bots", "clever"],
        ["--bots", "first,first,first"],
        ["--jobs", "0"],
        ["--out", str(tmp_path / "out.txt")],
        ["--out", str(tmp_path / "none" / "out.json")],
        ["--mod", str(tmp_path)],
    ):
        assert cli.main([*base, *more]) == 2, more
    assert cli.main(["simulate", "tik_tac_toe", "--games", "1"]) == 2
    assert 'did you mean "tic_tac_toe"?' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "tic_tac_toe", "--games", "3"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "" and "\033" not in shown.out and "\r" not in shown.out


def test_an_interrupt_keeps_what_has_ended(game: Game) -> None:
    def stop(done: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    plan = Plan("tic_tac_toe", (), 2, ("random", "random"), 0, 1000)
    for jobs in (1, 2):
        found = simulate(game, plan, jobs, stop)
        assert found.interrupted and len(found.played) == 4
        assert [one.seed for one in found.played] == [one.number for one in found.played]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_what_has_ended_and_exits_130(tmp_path: Path, jobs: str) -> None:
    process = started(tmp_path, "simulate", "tic_tac_toe", "--games", "10000000", "--jobs", jobs, "--out", "out.json")
    journal = tmp_path / "out.json.games"
    try:
        for _ in range(1_200):  # until the first game has ended, however busy the machine is
            if journal.exists() and journal.read_text().count("\n") > 1:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        shown, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "outcomes" in shown and "interrupted after" in errors and "Traceback" not in errors
    data = json.loads((tmp_path / "out.json").read_text())
    assert 0 < data["games"] < 10000000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "out.json.games"]
    kept = (tmp_path / "out.json.games").read_text().splitlines()
    assert len(kept) == data["games"] + 1 and "--resume goes on" in errors


def test_a_played_game_is_plain_data(game: Game) -> None:
    (one,) = run(game, 1).played
    assert isinstance(one, Played) and json.loads(json.dumps(one)) is not None


# ---------------------------------------------------------------- going on, and going wide


def interrupted(tmp_path: Path, after: int, jobs: int = 1) -> Path:
    """The journal of a run that was stopped after some games."""
    game = load_game("kuhn_poker")
    path = tmp_path / "out.json.games"

    def stop(done: int) -> None:
        if done == after:
            raise KeyboardInterrupt

    plan = Plan("kuhn_poker", (), 2, ("random", "random"), 3, 60)
    found = simulate(game, plan, jobs, stop, journal=Journal(path, plan, game.digest, False))
    assert found.interrupted and len(found.played) == after
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, jobs: int) -> None:
    arguments = ["simulate", "kuhn_poker", "--games", "60", "--seed", "3", "--jobs", str(jobs)]
    assert cli.main([*arguments, "--out", str(tmp_path / "whole.json")]) == 0
    path = interrupted(tmp_path, 20, jobs)
    kept = path.read_text()
    path.write_text(kept + kept.splitlines()[-1][:25])  # a line that was cut off by a full disk or a kill
    assert cli.main([*arguments, "--out", str(tmp_path / "out.json"), "--resume"]) == 0
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert not path.exists()


def test_what_was_kept_is_not_played_again(tmp_path: Path) -> None:
    path = interrupted(tmp_path, 20)
    game = load_game("kuhn_poker")
    plan = Plan("kuhn_poker", (), 2, ("random", "random"), 3, 21)
    ended: list[int] = []
    simulate(game, plan, 1, ended.append, journal=Journal(path, plan, game.digest, True))
    assert ended == [21]


def test_games_of_another_run_are_not_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = interrupted(tmp_path, 20)
    kept = path.read_bytes()
    out_ = str(tmp_path / "out.json")
    assert cli.main(["simulate", "kuhn_poker", "--games", "60", "--seed", "4", "--out", out_, "--resume"]) == 1
    assert "another run" in capsys.readouterr().err and path.read_bytes() == kept
    path.write_text("once upon a time\n")
    assert cli.main(["simulate", "kuhn_poker", "--games", "60", "--seed", "3", "--out", out_, "--resume"]) == 1
    assert "no journal" in capsys.readouterr().err and path.read_text() == "once upon a time\n"
    assert cli.main(["simulate", "kuhn_poker", "--games", "60", "--resume"]) == 2


def test_numbers_left() -> None:
    assert runs_of_numbers(6, set()) == [(0, 6)]
    assert runs_of_numbers(6, {0, 2, 3}) == [(1, 2), (4, 6)]
    assert runs_of_numbers(3, {0, 1, 2, 7}) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are forked with what is patched here")
def test_a_process_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    flag = tmp_path / "died"
    play = Player.play

    def dying(self: Player, number: int) -> Played:
        if number == 5 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(self, number)

    whole = run(game, 40)
    monkeypatch.setattr(Player, "play", dying)
    found = run(game, 40, jobs=2)
    assert flag.exists() and [one[:7] for one in found.played] == [one[:7] for one in whole.played]
    assert {x for one in found.played for x in one.used} == {x for one in whole.played for x in one.used}


@pytest.mark.skipif(sys.platform != "linux", reason="the processes are forked with what is patched here")
def test_a_run_of_games_that_always_kills_is_told(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setattr(Player, "play", lambda self, number: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(RuntimeError, match="died 3 times while it played seeds"):
        run(game, 40, jobs=2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_changes_nothing_and_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cluster of two workers here; then one of them is killed half-way."""
    distributed = pytest.importorskip("distributed")
    arguments = ["simulate", "kuhn_poker", "--games", "6000", "--seed", "8"]
    assert cli.main([*arguments, "--out", str(tmp_path / "one.json")]) == 0
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        assert cli.main([*arguments, "--executor", f"dask:{address}", "--out", str(tmp_path / "two.json")]) == 0
        pids = [worker.process.process.pid for worker in cluster.workers.values()]
        game = load_game("kuhn_poker")
        plan = Plan("kuhn_poker", (), 2, ("random", "random"), 8, 6000)

        def kill(done: int) -> None:
            if done == 1000:
                os.kill(pids[0], signal.SIGKILL)

        third = simulate(game, plan, 1, kill, cluster=address)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert summary(game, plan, third.played) == json.loads((tmp_path / "one.json").read_text())


def test_a_cluster_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    assert cli.main(["simulate", "tic_tac_toe", "--games", "3", "--executor", "dask:nonsense"]) == 1
    assert "no Dask cluster at nonsense" in capsys.readouterr().err
    assert cli.main(["simulate", "tic_tac_toe", "--games", "3", "--executor", "slurm:x"]) == 2
    assert cli.main(["simulate", "tic_tac_toe", "--games", "3", "--jobs", "2", "--executor", "dask:tcp://x:1"]) == 2
