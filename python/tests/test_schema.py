"""The types of scenarios agree with the schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import atl
from atl import types

ROOT = Path(__file__).resolve().parents[2]


def test_the_module_has_the_schema_of_the_repository() -> None:
    assert atl.schema() == json.loads((ROOT / "scenarios/atl.schema.json").read_text())


@pytest.mark.parametrize("name", sorted(atl.builtin()))
def test_a_built_in_scenario_is_the_same_after_a_round_trip(name: str) -> None:
    scenario = atl.Scenario.load(name)
    assert set(scenario) <= set(types.ScenarioDict.__annotations__)
    traces = "trace" in scenario.toml
    if not traces:  # A trace is found from its file's folder.
        scenario.check()
