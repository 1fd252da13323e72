"""tally: in, how the games of a simulation went; out, what came of them: shares, means, counts, and rows for a table.

Intervals hold with 95 %: of a share by Wilson (1927), of a mean by the normal distribution.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.simulate import Plan, Played

Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); all of 0 to 1 without games."""
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, Z95 * Z95
    middle = share + z2 / (2 * games)
    half = Z95 * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    whole = 1 + z2 / games
    low = 0.0 if wins == 0 else (middle - half) / whole
    high = 1.0 if wins == games else (middle + half) / whole
    return low, high


def mean_interval(values: list[int]) -> tuple[float, float, float]:
    """Mean, and its 95 % interval by the normal distribution."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, mean, mean
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n) * Z95
    return mean, mean - spread, mean + spread


def tally(results: list[bool]) -> dict[str, Any]:
    games, wins = len(results), sum(results)
    low, high = wilson(wins, games)
    return {"games": games, "wins": wins, "share": wins / games if games else 0.0, "low": low, "high": high}


def scores_by(played: list[Played], faction: str = "", seat: int = -1) -> list[int]:
    """The scores that a faction, or a seat, had at the end of its games."""
    found = []
    for one in played:
        at = seat if not faction else one.factions.index(faction) if faction in one.factions else -1
        score = one.scores[at] if 0 <= at < len(one.scores) else None
        if score is not None:
            found.append(score)
    return found


def never_used(game: Game, played: list[Played]) -> list[str]:
    """Records that could have been used, by what their texts do or because others of their kind were chosen, and were
    not."""
    records = game.model.records
    used = {ident for one in played for ident in one.used}
    kinds = {records[ident].kind for ident in used}
    texts = set(game.program.origins)
    return sorted(
        ident
        for ident, record in records.items()
        if record.ids and ident not in used and (ident in texts or record.kind in kinds)
    )


def summary(game: Game, plan: Plan, played: list[Played]) -> dict[str, Any]:
    """What --out F.json holds. Games that failed stand under errors, and count in nothing else but `games`."""
    ended = [one for one in played if not one.error]
    outcomes: dict[str, int] = {}
    decisions: dict[str, dict[str, int]] = {}
    by_faction: dict[str, list[bool]] = {}
    for one in ended:
        outcomes[one.outcome] = outcomes.get(one.outcome, 0) + 1
        for prompt, (asked, forced) in one.decisions.items():
            entry = decisions.setdefault(prompt, {"count": 0, "forced": 0})
            entry["count"] += asked + forced
            entry["forced"] += forced
        for seat, faction in enumerate(one.factions):
            by_faction.setdefault(faction, []).append(seat in one.winners)
    factions = {}
    for ident in (f for f in game.factions if f in by_faction):
        scores = scores_by(ended, ident)
        factions[ident] = {**tally(by_faction[ident]), "mean_score": sum(scores) / len(scores) if scores else None}
    lengths = [one.length for one in ended]
    return {
        "game": game.name,
        "mods": list(game.mods),
        "digest": game.digest,
        "seed": plan.seed,
        "players": plan.players if isinstance(plan.players, int) else list(plan.players),
        "bots": list(plan.bots),
        "games": len(played),
        "outcomes": dict(sorted(outcomes.items())),
        "factions": factions,
        "seats": [tally([seat in one.winners for one in ended]) for seat in range(len(plan.bots))],
        "decisions": dict(sorted(decisions.items())),
        "length": {
            "mean": sum(lengths) / len(lengths) if lengths else 0.0,
            "min": min(lengths, default=0),
            "max": max(lengths, default=0),
        },
        "never_used": never_used(game, played),
        "errors": [
            {
                "game": one.number,
                "seed": one.seed,
                "players": list(one.factions) or len(plan.bots),
                "decisions": one.length,
                "error": one.error,
            }
            for one in played
            if one.error
        ],
    }


def rows(plan: Plan, played: list[Played]) -> list[list[Any]]:
    """What --out F.csv holds: a heading, then a row for each game."""
    seats = range(len(plan.bots))
    heading = ["game", "seed", "outcome", "length", "error"]
    for seat in seats:
        heading += [f"seat {seat} faction", f"seat {seat} bot", f"seat {seat} score", f"seat {seat} won"]
    out: list[list[Any]] = [heading]
    for one in played:
        row: list[Any] = [one.number, one.seed, one.outcome, one.length, one.error]
        for seat in seats:
            score = one.scores[seat] if seat < len(one.scores) else None
            faction = one.factions[seat] if one.factions else ""
            row += [faction, plan.bots[seat], "" if score is None else score, int(seat in one.winners)]
        out.append(row)
    return out
