"""Exceptions have the command line's messages."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import atl


def test_a_wrong_value_names_its_place_and_what_is_allowed(phone: dict[str, Any], tmp_path: Path) -> None:
    phone["link"][0]["delay"] = "20 parsecs"
    phone["flow"][0]["protocol"]["name"] = "renoo"
    file = atl.Scenario(phone).save(tmp_path / "phone.toml")
    with pytest.raises(atl.ScenarioError) as raised:
        atl.run(file)
    error = raised.value
    assert len(error.problems) == 2 and "2 errors in" in str(error)
    lines = file.read_text().splitlines()
    for problem, value in zip(error.problems, ['"20 parsecs"', '"renoo"']):
        assert problem.file == str(file) and problem.value == value
        assert problem.line is not None and problem.column is not None
        assert lines[problem.line - 1][problem.column - 1 :].startswith(value)
        assert problem.message in str(error) or problem.message.split(":")[0] in str(error)
    assert error.key == "link.0.delay" or error.key == "link.up.delay"
    assert any("did you mean `reno`" in text for text in error.problems[1].help)
    again = pickle.loads(pickle.dumps(error))
    assert again.problems == error.problems and str(again) == str(error)


def test_a_mapping_has_places_too(phone: dict[str, Any]) -> None:
    phone["flow"][0]["form"] = "phone"
    with pytest.raises(atl.ScenarioError) as raised:
        atl.Scenario(phone).check()
    assert raised.value.file == "scenario" and "form" in str(raised.value)


def test_other_mistakes(phone: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(atl.ScenarioError, match="there is no file and no built-in scenario `roming`"):
        atl.run("roming")
    with pytest.raises(atl.UsageError, match="--on simm: .*simm"):
        atl.run(phone, on="simm")
    with pytest.raises(atl.EngineError, match="udp") as gaps:
        atl.run(phone, on="udp")
    assert gaps.value.gaps
    with pytest.raises(atl.ScenarioError, match="--set link.up.loss=2"):
        atl.run(phone, set={"link.up.loss": 2})
    with pytest.raises(atl.UsageError, match="k from 1 to n"):
        atl.run_shard("roaming", (4, 3), tmp_path)
    with pytest.raises(atl.UsageError, match="invalid value '3 potatoes' for '--rtt <TIME>'"):
        atl.path(rtt="3 potatoes", down="1Mb/s")
    with pytest.raises(atl.UsageError, match="--rttt"):
        atl.path("--rttt 3ms")
    with pytest.raises(atl.UsageError, match="the path has no rate"):
        atl.path(rtt="30ms")
    with pytest.raises(atl.UsageError, match="cannot be written as TOML"):
        atl.run({"title": object()})
    with pytest.raises(atl.RunError, match="cannot write results into"):
        (tmp_path / "file").write_text("")
        atl.run(phone, seeds=1, duration=1).save(tmp_path / "file" / "inner")


def test_every_error_is_of_one_family() -> None:
    for error in (atl.ScenarioError, atl.EngineError, atl.UsageError, atl.RunError):
        assert issubclass(error, atl.AtlError)


@pytest.mark.parametrize(
    "words",
    ["wifi --loss 0.9999", "wifi --rtt 2h", "wifi --duration 0s", "wifi --seeds 0", "wifi --queue many", "nowhere", "wifi --then leo", "--loss 1%"],
)
def test_mistakes_about_a_path_have_the_text_of_the_command_line(words: str) -> None:
    told = subprocess.run([sys.executable, "-m", "atl", "path", *words.split()], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    with pytest.raises(atl.UsageError) as raised:
        atl.path(words)
    assert told.stderr.startswith(f"error: {raised.value}\n"), told.stderr
