"""The command that the wheel installs is the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import atl

COMMAND = Path(sys.executable).with_name("atl")
PROGRAM = os.environ.get("ATL", "")

pytestmark = pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no {COMMAND}: the wheel is not installed")


def ended(*words: str, command: tuple[str, ...] = (str(COMMAND),)) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*command, *words], capture_output=True, check=False)


def test_it_is_the_whole_command() -> None:
    assert ended("--version").stdout == f"atl {atl.__version__}\n".encode()
    for started in ((str(COMMAND),), (sys.executable, "-m", "atl")):
        told = ended("model", "arc", "--help", command=started)
        assert told.returncode == 0 and b"Usage: atl model arc" in told.stdout


@pytest.mark.parametrize("words", [["path", "nowhere"], ["run", "roaming", "--set", "network.wifi.loss=2"], ["--no"], []])
def test_mistakes_end_with_status_2(words: list[str]) -> None:
    told = ended(*words)
    assert told.returncode == 2 and told.stdout == b"" and told.stderr != b""
    assert b"Traceback" not in told.stderr


@pytest.mark.skipif(not PROGRAM, reason="ATL does not name the program to compare with")
@pytest.mark.parametrize("words", ["--help", "list", "path wifi --duration 2s --seeds 1 --json", "run nothing", "completions bash", "man"])
def test_it_says_what_the_program_says(words: str) -> None:
    own, theirs = ended(*words.split()), ended(*words.split(), command=(PROGRAM,))
    assert (own.returncode, own.stdout, own.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


def test_a_reader_that_has_gone_away_is_no_error() -> None:
    line = f'"{COMMAND}" list | head -1; exit ${{PIPESTATUS[0]}}'
    told = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
    assert told.returncode == 0 and told.stderr == b"" and told.stdout.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    words = [str(COMMAND), "run", "showcase/roaming", "--duration", "100000s", "--out", str(tmp_path / "out"), "--quiet"]
    child = subprocess.Popen(words, stderr=subprocess.PIPE)
    while not (tmp_path / "out").exists():
        time.sleep(0.02)
    time.sleep(0.3)
    child.send_signal(number)
    assert child.wait(timeout=30) == 130
    assert child.stderr is not None and child.stderr.read() == b"\ninterrupted: nothing was written\n"
    assert list(tmp_path.iterdir()) == []


def test_colours_are_for_terminals() -> None:
    import pty

    def shown(environment: dict[str, str]) -> bytes:
        leader, follower = pty.openpty()
        words = [str(COMMAND), "path", "wifi", "--duration", "2s", "--seeds", "1"]
        with subprocess.Popen(words, stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm", **environment}):
            os.close(follower)
            text = b""
            try:
                while block := os.read(leader, 4096):
                    text += block
            except OSError:
                # Reading fails once the other end is closed.
                pass
        os.close(leader)
        return text

    assert b"\x1b[1m" in shown({"NO_COLOR": ""})
    assert b"\x1b[1m" not in shown({"NO_COLOR": "1"})


def test_links_start_their_supervisor(tmp_path: Path) -> None:
    # A package of this name in the working directory must not replace the command.
    (tmp_path / "atl").mkdir()
    (tmp_path / "atl" / "__init__.py").write_text("raise SystemExit(7)")
    words = [str(COMMAND), "link", "--rate", "10Mb/s", "--delay", "5ms", "--", "sh", "-c", "echo behind; exit 3"]
    told = subprocess.run(words, capture_output=True, check=False, cwd=tmp_path)
    if told.returncode == 1 and b"namespace" in told.stderr:
        pytest.skip(told.stderr.decode())
    assert told.returncode == 3 and told.stdout == b"behind\n", told.stderr


def test_the_playground_is_served(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!DOCTYPE html><title>A page</title>")
    words = [str(COMMAND), "playground", "--port", "0", "--folder", str(tmp_path)]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    address = child.stdout.readline().split()[1]
    with urllib.request.urlopen(address) as page:
        assert b"<title>A page</title>" in page.read()
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=30) == 130
