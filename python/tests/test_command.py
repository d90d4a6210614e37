"""Python and the command line write the same bytes.

The variable ATL names the program. ATL_BUILTINS=all takes every built-in scenario, otherwise a sample.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import atl

PROGRAM = os.environ.get("ATL", "")
SAMPLE = ["atl/table1", "atl/fig02", "handoff/fig06", "aalt/table1", "showcase/roaming", "showcase/recorded-trace"]
NAMES = [name for name in sorted(atl.builtin()) if os.environ.get("ATL_BUILTINS") == "all" or name in SAMPLE]

pytestmark = [
    pytest.mark.command,
    pytest.mark.skipif(not PROGRAM, reason="ATL does not name the program to compare with"),
]


@pytest.mark.parametrize("name", NAMES)
def test_files_are_the_same_bytes(name: str, tmp_path: Path) -> None:
    own, theirs = tmp_path / "python", tmp_path / "command"
    command = [PROGRAM, "run", name, "--quick", "--quiet", "--out", str(theirs), "--csv"]
    subprocess.run(command, check=True, capture_output=True)
    atl.run(name, quick=True).save(own, csv=True)
    files = sorted(path.name for path in theirs.iterdir())
    assert files == sorted(path.name for path in own.iterdir()) and "runs.parquet" in files
    for file in files:
        assert (own / file).read_bytes() == (theirs / file).read_bytes(), file


def test_a_path_is_the_same_bytes(tmp_path: Path) -> None:
    own, theirs = tmp_path / "python", tmp_path / "command"
    line = "wifi --loss 1% --then leo@5s --duration 10s --seeds 2 --protocols reno,cubic"
    subprocess.run([PROGRAM, "path", *line.split(), "--out", str(theirs)], check=True, capture_output=True)
    atl.path(line).save(own)
    for file in ("runs.parquet", "flows.parquet", "links.parquet", "samples.parquet"):
        assert (own / file).read_bytes() == (theirs / file).read_bytes(), file


def test_words_of_a_path_are_those_of_the_command() -> None:
    options = "--duration 2s --seeds 1 --protocols cubic"
    said = atl.path(f"hotel wifi 20 down 5 up 80ms 2% loss {options}")
    given = atl.path(f"hotel-wifi --down 20Mb/s --up 5Mb/s --rtt 80ms --loss 2% {options}")
    assert said.answer == given.answer
    with pytest.raises(atl.UsageError, match="`satellite` has two readings"):
        atl.path("satellite 1% loss")


def test_errors_have_the_same_text() -> None:
    command = [PROGRAM, "run", "roaming", "--set", "network.wifi.loss=2"]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 2
    with pytest.raises(atl.ScenarioError) as raised:
        atl.run("roaming", set={"network.wifi.loss": 2})
    assert str(raised.value).strip() == told.stderr.strip()


def test_engines_are_those_of_the_command_line() -> None:
    import json

    listed = json.loads(subprocess.run([PROGRAM, "list", "--json"], check=True, capture_output=True).stdout)
    assert [engine["name"] for engine in listed["engines"]] == list(atl.engines())
