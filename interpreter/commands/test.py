"""test: in, paths of packs, folders or files of scenarios; out, how each went, and exit code 0 or 1."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..diagnostics import has_errors, in_order
from ..report import escape, report, wants_colour
from ..story import Result
from ..suite import Benches, Outcome, run_file, scenario_files, shown_ids
from .check import targets


@click.command("test")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--coverage", is_flag=True, help="List the rules that no scenario covers.")
@click.option("--at-least", type=click.FloatRange(0, 100), metavar="P", help="With --coverage: fail below P per cent.")
@click.option("--break", "break_", is_flag=True, help="Alter each sentence of rules.yaml; list what nobody notices.")
@click.option("--verbose", "-v", is_flag=True, help="Tell the story of scenarios that pass, too.")
def command(paths: tuple[str, ...], coverage: bool, at_least: float | None, break_: bool, verbose: bool) -> int:
    """Run scenarios.

    Without PATH: those of the mod in ./mod.yaml, else of the packs in ./content, else of the installed games. PATH is a
    folder, a file of scenarios, or the name of an installed game.
    """
    if at_least is not None and not coverage:
        raise click.UsageError("--at-least goes with --coverage")
    roots = targets(paths, any_folder=True)
    files = list(dict.fromkeys(file for root in roots for file in scenario_files(root)))
    benches = Benches()
    outcomes = []
    for path in files:
        outcome = run_file(path, benches)
        outcomes.append(outcome)
        tell(outcome, verbose)
    passed = sum(o.passed for o in outcomes)
    failed = sum(o.failed for o in outcomes)
    bad = failed > 0 or not passed
    if coverage:
        bad |= not covered(outcomes, roots, at_least)
    if break_:
        broken(outcomes, benches)
    if not files:
        click.echo("no scenario was found")
    if (coverage or break_) and not any(shown_ids(o.pack) for o in outcomes if o.pack):
        click.echo("no rules.yaml here names a rule")
    click.echo(f"{passed} passed, {failed} failed")
    return 1 if bad else 0


# ---------------------------------------------------------------- what is said


def tell(outcome: Outcome, verbose: bool) -> None:
    """What went wrong in one file."""
    found = in_order([*outcome.findings, *(d for r in outcome.results for d in r.findings)])
    if found:
        click.echo(report(found, outcome.sources, "full", wants_colour(sys.stdout)), nl=False)
    for result in outcome.results:
        if not result.passed or verbose:
            story(result)


def story(result: Result) -> None:
    scenario = result.scenario
    word = "passed" if result.passed else "FAILED"
    click.echo(escape(f"{scenario.file}:{scenario.line}: {word}: {scenario.name}"))
    for line in result.story:
        click.echo(escape(f"    {line}"))
    for file, line_, column, message in result.failures:
        click.echo(escape(f"{file}:{line_}:{column}: {message}"))


def covered(outcomes: list[Outcome], roots: list[Path], at_least: float | None) -> bool:
    """List the rules without a scenario that passes; True if there are enough with one."""
    packs = list(dict.fromkeys([o.pack.resolve() for o in outcomes if o.pack] + [r.resolve() for r in roots]))
    fine = True
    for pack in packs:
        ids = shown_ids(pack) if pack.is_dir() else []
        if not ids:
            continue
        met = {
            str(c.value)
            for o in outcomes
            if o.pack and o.pack.resolve() == pack
            for r in o.results
            if r.passed
            for c in r.scenario.covers
        }
        for ident in ids:
            if ident not in met:
                click.echo(f"{escape(pack.name)}: {escape(ident)} is not covered")
        count = sum(ident in met for ident in ids)
        share = 100 * count / len(ids)
        click.echo(f"{count} of {len(ids)} ids covered ({share:.1f} %)")
        fine &= at_least is None or share >= at_least
    return fine


def broken(outcomes: list[Outcome], benches: Benches) -> None:
    """Alter each sentence that a rules.yaml names, and list the changes that no covering scenario notices."""
    from ..breaking import mutants, try_all
    from ..suite import home

    packs: dict[Path, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.pack and (outcome.pack / "rules.yaml").is_file():
            packs.setdefault(outcome.pack, []).append(outcome)
    for pack, inside in packs.items():
        path = Path(inside[0].file.path)
        game, mods, _ = home(path, inside[0].file)
        bench, loaded, faults = benches.get(game, mods) if game else (None, None, [])
        if bench is None or loaded is None or has_errors(faults):
            continue
        found, lost = mutants(loaded, pack)
        for line in lost:
            click.echo(escape(line))
        seen = count = 0
        for mutant, by_rule in try_all(loaded, found, [Path(o.file.path) for o in inside]):
            for rule, noticed in (by_rule or {}).items():
                count += 1
                seen += noticed
                if not noticed:
                    click.echo(escape(f"{mutant.file.path}:{mutant.line} {rule} {mutant.change}"))
        share = 100 * seen / count if count else 100.0
        click.echo(f"{seen} of {count} noticed ({share:.1f} %)")
