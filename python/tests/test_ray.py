"""Sweeps on a Ray cluster of two workers, both on this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import atl
import atl.ray

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Otherwise Ray leaves a token in the home directory.
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
# Otherwise Ray looks for cloud accelerators and warns about missing ones.
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

try:
    import ray
except ImportError:
    ray = None

needs_ray = pytest.mark.skipif(ray is None, reason="Ray is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def children(of: int) -> list[int]:
    """The processes that a process has started, and those that these have started."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                # The name of the program, in brackets, may contain anything.
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    ahead = [of]
    while ahead:
        own = parents.get(ahead.pop(), [])
        found += own
        ahead += own
    return found


def busy_workers() -> list[int]:
    """The workers of this process's cluster that carry out a part."""

    def title(process: int) -> bytes:
        try:
            return Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            return b""

    return [process for process in children(os.getpid()) if title(process).startswith(b"ray::_carry_out")]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def saved(result: atl.Result, folder: Path) -> dict[str, bytes]:
    result.save(folder, csv=True)
    return contents(folder)


@needs_ray
def test_a_cluster_gives_the_bytes_of_one_machine(cluster: None, phone: dict[str, Any], tmp_path: Path) -> None:
    phone["link"][0]["loss"] = "$loss"
    phone["sweep"] = {"loss": ["0%", "1%"]}
    file = atl.Scenario(phone).save(tmp_path / "phone.toml")
    # The changes must also apply on workers, or there would be fewer runs.
    changes: dict[str, Any] = {"set": {"loss": ["0%", "1%", "2%"]}, "seeds": 3, "duration": "5s"}
    seen: list[tuple[float, float, int, int]] = []
    parts = tmp_path / "parts"
    spread = atl.ray.run(file, parts=parts, shards=4, progress=lambda *news: seen.append(news), **changes)
    whole = saved(atl.run(file, **changes), tmp_path / "whole")
    assert saved(spread, tmp_path / "spread") == whole
    assert [done for _, _, done, _ in seen] == sorted(done for _, _, done, _ in seen)
    assert seen[0] == (0.0, 45.0, 0, 9) and seen[-1] == (45.0, 45.0, 9, 9) and len(seen) == 5
    # The files are those of `atl run --shard`.
    assert saved(atl.merge(parts), tmp_path / "merged") == whole
    own = atl.run_shard(file, (2, 4), tmp_path / "own", **changes)
    assert own.read_bytes() == (parts / "shard-2-of-4.atl").read_bytes()


@needs_ray
def test_workers_need_neither_the_scenario_nor_its_traces(
    cluster: None, phone: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers are in another folder, where these relative paths do not exist.
    monkeypatch.chdir(tmp_path)
    Path("down.trace").write_text("\n".join(str(ms) for ms in range(1, 1000, 3)) + "\n")
    del phone["link"][0]["rate"]
    phone["link"][0]["trace"] = "down.trace"
    file = atl.Scenario(phone).save("phone.toml")
    for given in (file, phone):
        result = atl.ray.run(given, parts=f"parts-{type(given).__name__}", shards=2)
        assert pa.table(result.samples).equals(pa.table(atl.run(given).samples))
    # The default folder is that of this scenario alone.
    atl.ray.run(phone, seeds=1)
    [folder] = Path("out/scenario").iterdir()
    assert sorted(contents(folder)) == ["shard-1-of-1.atl"]


@needs_ray
def test_a_worker_that_is_killed_costs_its_part(cluster: None, phone: dict[str, Any], tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(*news: float) -> None:
        # Once the first part is done and others are under way.
        if news[2] > 0 and not killed:
            until = time.monotonic() + 30
            while not killed and time.monotonic() < until:
                for process in busy_workers()[:1]:
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)

    changes: dict[str, Any] = {"seeds": 60, "duration": "100s"}
    result = atl.ray.run(phone, parts=tmp_path / "parts", shards=6, progress=kill, **changes)
    assert len(killed) == 1
    assert pa.table(result.runs).equals(pa.table(atl.run(phone, **changes).runs))


@needs_ray
def test_parts_whose_workers_die_again_and_again_are_named(
    cluster: None, phone: dict[str, Any], tmp_path: Path
) -> None:
    killed: list[int] = []

    def kill(*news: float) -> None:
        if not killed:
            until = time.monotonic() + 30
            while not killed and time.monotonic() < until:
                for process in busy_workers()[:1]:
                    os.kill(process, signal.SIGKILL)
                    killed.append(process)

    parts = tmp_path / "parts"
    changes: dict[str, Any] = {"seeds": 40, "duration": "100s", "shards": 4}
    with pytest.raises(atl.RunError, match="parts of 4 that are missing: [1-4], .*the same call") as raised:
        atl.ray.run(phone, parts=parts, attempts=1, progress=kill, **changes)
    before = {path.name: path.stat().st_mtime_ns for path in parts.iterdir()}
    assert len(before) == 3
    missing = int(str(raised.value).split("missing: ")[1][0])
    assert f"shard-{missing}-of-4.atl" not in before
    # The same call carries out only the missing part.
    result = atl.ray.run(phone, parts=parts, attempts=1, **changes)
    assert len(result.runs) == 40
    after = {path.name: path.stat().st_mtime_ns for path in parts.iterdir()}
    assert before.items() <= after.items() and len(after) == 4


INTERRUPTED = """
import sys, ray, atl, atl.ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
def tell(*news):
    print(news[2], flush=True)
atl.ray.run(sys.argv[1], parts=sys.argv[2], shards=8, seeds=80, duration="200s", progress=tell)
"""


@needs_ray
def test_an_interrupt_loses_no_finished_part(phone: dict[str, Any], tmp_path: Path) -> None:
    file, parts = atl.Scenario(phone).save(tmp_path / "phone.toml"), tmp_path / "parts"
    words = [sys.executable, "-c", INTERRUPTED, str(file), str(parts)]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    told = [child.stdout.readline(), child.stdout.readline()]
    assert told == ["0\n", "10\n"]
    child.send_signal(signal.SIGINT)
    rest, error = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in error and child.returncode != 0
    finished = max(int(line) for line in ["10", *rest.split()])
    kept = contents(parts)
    # All parts reported as finished, and none half-written.
    assert finished // 10 <= len(kept) < 8 and all(name.startswith("shard-") for name in kept)
    for name, content in kept.items():
        number = int(name.split("-")[1])
        own = atl.run_shard(file, (number, 8), tmp_path / "own", seeds=80, duration="200s")
        assert own.read_bytes() == content


@needs_ray
def test_mistakes_of_workers_arrive_with_place_and_value(cluster: None, phone: dict[str, Any]) -> None:
    from atl._atl import Sweep
    from atl._request import request

    asked = request(phone, None, None, None, False, "phone")
    name, origin, text, traces = Sweep(asked, ["sim"]).packed
    task = ray.remote(atl.ray._carry_out)

    def raised(text: str, version: str = atl.__version__) -> Any:
        with pytest.raises(ray.exceptions.RayTaskError) as error:
            ray.get(task.remote((name, origin, text, traces), asked, ["sim"], 1, version, 1, 1))
        with pytest.raises(atl.AtlError) as told:
            atl.ray._raise(error.value, "part 1/1")
        return told.value

    wrong = raised(text.replace('"1%"', '"200%"'))
    assert isinstance(wrong, atl.ScenarioError)
    assert (wrong.key, wrong.value, wrong.file) == ("link.up.loss", '"200%"', "phone") and wrong.line
    other = raised(text, version="0.0.1")
    assert isinstance(other, atl.UsageError) and f"has atl {atl.__version__}, and 0.0.1" in str(other)


def test_a_run_that_fails_is_named_with_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        @staticmethod
        def unpack(*_: object) -> Failing:
            return Failing()

        def run_part(self, *_: object) -> str:
            raise atl.RunError("engine `sim` failed at p = 3, seed 7: no memory")

    monkeypatch.setattr(atl.ray, "Sweep", Failing)
    asked: Any = {}
    with pytest.raises(atl.RunError, match=rf"part 3/8 failed on {socket.gethostname()}: engine `sim` failed at p = 3, seed 7: no"):
        atl.ray._carry_out(("", "", "", []), asked, ["sim"], 1, atl.__version__, 3, 8)


@needs_ray
def test_a_worker_without_the_package_says_so(cluster: None) -> None:
    # Workers have the installed packages, but not the modules of these tests.
    with pytest.raises(ray.exceptions.RayTaskError) as error:
        ray.get(ray.remote(children).remote(1))
    with pytest.raises(atl.RunError, match="part 3/8 failed on a worker: (?s:.)*No module named 'test_ray'"):
        atl.ray._raise(error.value, "part 3/8")


@needs_ray
def test_parts_of_another_sweep_are_not_taken(cluster: None, phone: dict[str, Any], tmp_path: Path) -> None:
    atl.ray.run(phone, parts=tmp_path, seeds=2, duration=1)
    before = contents(tmp_path)
    with pytest.raises(atl.UsageError, match="is there already: it is a part of another sweep"):
        atl.ray.run(phone, parts=tmp_path, seeds=2, duration=2)
    (tmp_path / "shard-1-of-2.atl").write_bytes(before["shard-1-of-2.atl"][:-1])
    with pytest.raises(atl.UsageError, match="it was cut off"):
        atl.ray.run(phone, parts=tmp_path, seeds=2, duration=1)


@needs_ray
def test_what_makes_no_sense_is_refused(cluster: None, phone: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(atl.UsageError, match="jobs=0"):
        atl.ray.run(phone, parts=tmp_path, jobs=0)
    with pytest.raises(atl.UsageError, match="up to 1000000"):
        atl.ray.run(phone, parts=tmp_path, shards=2_000_000)
    with pytest.raises(atl.ScenarioError, match="loss"):
        atl.ray.run(phone, parts=tmp_path / "new", set={"link.up.loss": 2})
    assert not (tmp_path / "new").exists()


def test_without_ray_it_says_what_is_missing(phone: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(atl.AtlError, match="pip install 'ray"):
        atl.ray.run(phone)
