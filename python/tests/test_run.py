"""Runs, results, and parts of sweeps."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import atl


def test_a_mapping_runs_like_the_file_that_it_is_saved_as(phone: dict[str, Any], tmp_path: Path) -> None:
    built = atl.run(phone, name="phone")
    file = atl.Scenario(phone).save(tmp_path / "phone.toml")
    read = atl.run(file)
    assert built.hash == read.hash
    assert pa.table(built.flows).equals(pa.table(read.flows))
    assert len(built.runs) == 2 and built.title == "A phone"


def test_the_number_of_jobs_changes_nothing(phone: dict[str, Any]) -> None:
    assert pa.table(atl.run(phone, jobs=1).samples).equals(pa.table(atl.run(phone, jobs=2).samples))


def test_values_are_set_as_on_the_command_line(phone: dict[str, Any]) -> None:
    clean = atl.run(phone, set={"link.up.loss": 0, "link.up.queue": 500}, seeds=[4], duration=5)
    assert clean.command.endswith("--seeds '[4]' --duration 5s --set link.up.loss=0 --set link.up.queue=500")
    assert pa.table(clean.runs)["seed"].to_pylist() == [4]
    assert sum(pa.table(clean.flows)["lost"].to_pylist()) == 0


def test_saved_tables_are_those_in_memory(phone: dict[str, Any], tmp_path: Path) -> None:
    result = atl.run(phone)
    files = result.save(tmp_path / "a")
    assert sorted(file.name for file in files) == [
        "flows.parquet", "links.parquet", "report.html", "runs.parquet", "samples.parquet",
    ]
    for name, table in result.tables.items():
        saved = pq.read_table(tmp_path / "a" / f"{name}.parquet")
        held = pa.table(table)
        assert held.column_names == saved.column_names
        assert held.to_pylist() == saved.to_pylist()
        for key in (b"atl.scenario", b"atl.command", b"atl.columns"):
            assert held.schema.metadata[key] == saved.schema.metadata[key]


def test_files_of_an_earlier_run_do_not_stay(phone: dict[str, Any], tmp_path: Path) -> None:
    atl.run(phone).save(tmp_path, csv=True)
    (tmp_path / "mine.txt").write_text("kept")
    del phone["record"]
    atl.run(phone).save(tmp_path, overwrite=True)
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["flows.parquet", "links.parquet", "mine.txt", "report.html", "runs.parquet"]


def test_a_scenario_without_samples_says_so(phone: dict[str, Any]) -> None:
    del phone["record"]
    result = atl.run(phone, seeds=1, duration=1)
    assert "samples" not in result.tables
    with pytest.raises(AttributeError, match=r"records no samples: give it `\[record\]` with `every = "):
        result.samples


def test_a_report_is_shown_inline_without_a_way_out(phone: dict[str, Any]) -> None:
    result = atl.run(phone, seeds=1, duration=1)
    frame = result._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;') and frame.count("<") == 2
    assert result.report().startswith("<!DOCTYPE html>")
    assert result.summary["scenario"] == "scenario"


def test_progress_reaches_the_end(phone: dict[str, Any]) -> None:
    seen: list[tuple[float, float, int, int]] = []
    atl.run(phone, progress=lambda *news: seen.append(news))
    assert seen[-1] == (40.0, 40.0, 2, 2)
    assert all(a[0] <= b[0] for a, b in zip(seen, seen[1:]))


def test_parts_merge_to_the_whole(phone: dict[str, Any], tmp_path: Path) -> None:
    file = atl.Scenario(phone).save(tmp_path / "phone.toml")
    parts = [atl.run_shard(file, (k, 3), tmp_path / "parts", seeds=5) for k in (3, 1, 2)]
    whole = atl.run(file, seeds=5)
    for merged in (atl.merge(tmp_path / "parts"), atl.merge(parts)):
        assert pa.table(merged.samples).equals(pa.table(whole.samples))
        assert merged.report() == whole.report()
    with pytest.raises(atl.UsageError, match="missing"):
        atl.merge(parts[:2])


def test_parts_of_another_build_merge_only_on_demand(phone: dict[str, Any], tmp_path: Path) -> None:
    file = atl.Scenario(phone).save(tmp_path / "phone.toml")
    parts = [atl.run_shard(file, (k, 2), tmp_path / "parts", seeds=2) for k in (1, 2)]
    content = bytearray(parts[1].read_bytes())
    # The build is a text of 16 hexadecimal digits in the header, and the file ends with its SHA-256.
    build = re.search(rb"\x10([0-9a-f]{16})", content)
    assert build is not None
    content[build.start(1) : build.end(1)] = b"0123456789abcdef"
    parts[1].write_bytes(content[:-32] + hashlib.sha256(content[:-32]).digest())
    with pytest.raises(atl.AtlError, match="0123456789abcdef"):
        atl.merge(parts)
    merged = atl.merge(parts, other_builds=True)
    rows, whole = pa.table(merged.samples), pa.table(atl.run(file, seeds=2).samples)
    assert rows["delivered_bytes"].equals(whole["delivered_bytes"])
    assert any("0123456789abcdef" in value for value in rows["version"].to_pylist())


def test_a_path_is_answered_from_a_line_or_from_keywords() -> None:
    line = atl.path("--rtt 60ms --down 5Mb/s --loss 1% --duration 5s --seeds 2 --protocols reno,cubic")
    keywords = atl.path(rtt="60ms", down="5Mb/s", loss="1%", duration="5s", seeds=2, protocols=["reno", "cubic"])
    assert line.answer == keywords.answer and line.command == keywords.command
    assert {place["protocol"] for place in line.answer["all"]["places"]} >= {line.best}
    assert line.command.startswith("atl path --rtt 60ms")


def test_a_path_has_two_words_for_its_delay_and_its_rate() -> None:
    rest: dict[str, Any] = {"duration": "2s", "seeds": 1, "protocols": ["cubic"]}
    one = atl.path(rtt="60ms", down="5Mb/s", up="5Mb/s", **rest)
    assert atl.path(delay="30ms", bandwidth="5Mb/s", **rest).answer == one.answer
    # Keywords take precedence over a line that says the same in the other word.
    line = "--delay 1ms --bandwidth 1Mb/s"
    assert atl.path(line, rtt="60ms", down="5Mb/s", up="5Mb/s", **rest).answer == one.answer
    one_way = atl.path(rtt="60ms", down="5Mb/s", up="1Mb/s", **rest)
    assert atl.path("--bandwidth 1Mb/s", rtt="60ms", down="5Mb/s", **rest).answer == one_way.answer
    line = "--rtt 1ms --down 1Mb/s --up 2Mb/s"
    assert atl.path(line, delay="30ms", bandwidth="5Mb/s", **rest).answer == one.answer


def test_what_there_is_to_choose_from() -> None:
    assert "showcase/roaming" in atl.builtin() and "sim" in atl.engines()
    assert "link" in atl.schema()["properties"]
    assert atl.Scenario.load("roaming")["title"] == atl.builtin()["showcase/roaming"]
