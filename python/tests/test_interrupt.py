"""Ctrl-C ends a run within half a second, and finished parts stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CODE = """
import sys, time, atl
atl.run_shard("showcase/roaming", (1, 200), sys.argv[1], duration="60s")
print("begun", flush=True)
try:
    atl.run("showcase/roaming", duration="100000s", jobs=2{more})
except KeyboardInterrupt:
    print("ended", flush=True)
    sys.exit(7)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("more", ["", ", controllers=atl.Reno"])
def test_an_interrupt_ends_a_run_and_keeps_finished_parts(tmp_path: Path, more: str) -> None:
    code = CODE.format(more=more)
    child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    time.sleep(1.0)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    before = time.monotonic()
    assert child.stdout.readline() == "ended\n"
    took = time.monotonic() - before
    assert child.wait() == 7
    # Half a second on an idle machine; allow for a busy one.
    assert took < 5.0
    assert [file.name for file in tmp_path.iterdir()] == ["shard-1-of-200.atl"]
