"""conftest: which tests `tools/test quick` leaves out beside those that say so themselves: whole folders and files."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SLOW = (
    "adapters",
    "hostile",
    "laws",
    "test_ci",
    "test_diagnostics",
    "test_editor",
    "test_first_hour",
    "test_fmt",
    "test_in_step",
    "test_lint",
    "test_mods",
    "test_new",
    "test_perft",
    "test_primed",
    "test_reference",
    "test_reference_page",
    "test_scans",
    "test_schema",
    "test_second_uses",
    "test_simulate",
    "test_try",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(HERE).with_suffix("").parts[0] in SLOW or item.name == "test_the_tools_measure":
            item.add_marker(pytest.mark.slow)
