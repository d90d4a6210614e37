"""Measures the overhead of a Ray cluster: a sweep with `atl.run` and with `atl.ray.run`, on two
processors of this machine.

    python python/tools/measure_ray.py [SEEDS [SCENARIO]]

Prints seconds of real time, and of processor time of all processes that Ray has started, three
times. Real time is only meaningful on an idle machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# By default Ray's workers have a lower priority than everything else on this machine.
os.environ.setdefault("RAY_worker_niceness", "0")

import ray

import atl
import atl.ray

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds() -> float:
    """Processor seconds of this process and of all those that it has started."""
    parents: dict[int, int] = {}
    took: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            took[int(entry.name)] = (int(fields[11]) + int(fields[12])) / TICKS

    def ours(process: int) -> bool:
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    return sum(seconds for process, seconds in took.items() if ours(process))


def measured(work: Callable[[], atl.Result]) -> tuple[float, float, str]:
    begun, used = time.monotonic(), processor_seconds()
    result = work()
    return time.monotonic() - begun, processor_seconds() - used, result.report()


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    scenario = sys.argv[2] if len(sys.argv) > 2 else "showcase/roaming"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("real time          processor time")
    for _ in range(3):
        with tempfile.TemporaryDirectory() as parts:
            one = measured(lambda: atl.run(scenario, seeds=seeds, jobs=2, progress=False))
            many = measured(lambda: atl.ray.run(scenario, seeds=seeds, parts=parts, progress=False))
        assert one[2] == many[2]
        columns = [f"{a:5.1f} s -> {b:5.1f} s ({b / a - 1:+.0%})" for a, b in zip(one[:2], many[:2])]
        print("   ".join(columns), flush=True)


if __name__ == "__main__":
    main()
