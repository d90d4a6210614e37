"""A folder of results is written as by the command line: completely or not at all, by one process at a time."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import atl


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def result(phone: dict[str, Any]) -> atl.Result:
    return atl.run(phone, seeds=1, duration=1)


def test_earlier_results_are_replaced_only_when_asked(result: atl.Result, phone: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "results"
    atl.run(phone, seeds=2, duration=1).save(folder, csv=True)
    (folder / "mine.txt").write_text("kept")
    before = contents(folder)
    with pytest.raises(atl.UsageError, match="report.html is there already.*overwrite=True"):
        result.save(folder)
    assert contents(folder) == before
    written = result.save(folder, overwrite=True)
    after = contents(folder)
    # The CSV files of the earlier run would pass for this one's, so they are removed.
    assert {folder / name for name in after} == {*written, folder / "mine.txt"}
    assert after["runs.parquet"] != before["runs.parquet"]


def test_files_of_others_are_not_replaced_even_when_asked(result: atl.Result, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("name,km\nme,10\n")
    for overwrite in (False, True):
        with pytest.raises(atl.UsageError, match="runs.csv is no file of atl"):
            result.save(tmp_path, overwrite=overwrite)
    assert contents(tmp_path) == {"runs.csv": b"name,km\nme,10\n"}


def test_one_at_a_time_writes_into_a_folder(result: atl.Result, tmp_path: Path) -> None:
    with open(tmp_path / ".atl.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(atl.UsageError, match="another process writes results into"):
            result.save(tmp_path)
        assert contents(tmp_path) == {".atl.lock": b""}
    assert len(result.save(tmp_path)) >= 4
    assert ".atl.lock" not in contents(tmp_path)


def test_what_fails_half_way_is_undone(result: atl.Result, tmp_path: Path) -> None:
    result.save(tmp_path, csv=True)
    # No file can replace a folder, so the exchange fails.
    (tmp_path / "runs.csv").unlink()
    (tmp_path / "runs.csv" / "mine").mkdir(parents=True)
    before = contents(tmp_path)
    with pytest.raises(atl.AtlError, match="runs.csv is a directory"):
        result.save(tmp_path, csv=True, overwrite=True)
    assert contents(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_written_to_is_an_error(result: atl.Result, tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(atl.RunError, match="cannot write results into"):
        result.save(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_folders_that_were_missing_are_made(result: atl.Result, tmp_path: Path) -> None:
    written = result.save(tmp_path / "a" / "b")
    assert all(path.parent == tmp_path / "a" / "b" and path.is_file() for path in written)


def test_the_default_folder_is_that_of_the_command_line(
    phone: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    changed = atl.run(phone, set={"link.up.loss": "2%"}, seeds=1, duration=1, name="phone")
    assert changed.folder == Path("out/phone+seeds=1+duration=1s+link.up.loss=2pct")
    assert {path.parent for path in changed.save()} == {changed.folder}
    with pytest.raises(atl.UsageError, match="is there already"):
        changed.save()
