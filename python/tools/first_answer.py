"""Measures the time from the wheel to the first answer about a path.

    python python/tools/first_answer.py WHEEL [ENVIRONMENT]

Makes an empty environment, installs the wheel with pip, asks for a path in Python, and prints the
seconds of each step. It fails if they take a minute or more in all. pip fetches the few packages
that the wheel needs from its index or its cache, which takes a time that depends on the network.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL = 60.0
"""Limit on all steps together, in seconds."""

ASK = 'import atl; print(atl.path("wifi --loss 2% --then leo@20s").best)'


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    wheel = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="atl-first-") as made:
        folder = Path(sys.argv[2] if len(sys.argv) == 3 else Path(made, "env"))
        python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        steps: list[tuple[str, list[str]]] = [
            ("environment", [sys.executable, "-m", "venv", str(folder)]),
            ("pip install", [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]),
            ("answer", [str(python), "-c", ASK]),
        ]
        took = []
        said = ""
        for name, words in steps:
            begun = time.monotonic()
            # Elsewhere than in the sources, so that the installed package is imported.
            done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=made)
            took.append((name, time.monotonic() - begun))
            if done.returncode != 0:
                print(f"{name} failed:\n{done.stdout}{done.stderr}", file=sys.stderr)
                return 1
            said = done.stdout.strip()
    whole = sum(seconds for _, seconds in took)
    each = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in took)
    print(f"first answer ({said}) after {whole:.1f} s: {each}")
    if whole >= GOAL:
        print(f"the goal is less than {GOAL:.0f} s", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
