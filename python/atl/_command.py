"""The command `atl` of the package, which calls the program in the compiled module."""

from __future__ import annotations

import signal
import sys

from atl import _atl

# Starts the command in a process of its own. Uses this process's module path, since the working
# directory may contain something else called `atl`.
_AGAIN = "import sys; sys.path[:] = {path!r}; from atl._command import main; sys.exit(main())"


def main() -> int:
    """Carries out the command line of this process and returns the exit status."""
    # Ctrl-C ends the process until the command installs its own handler.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    itself = [sys.executable, "-c", _AGAIN.format(path=sys.path)] if sys.executable else []
    return _atl.command(["atl", *sys.argv[1:]], itself)
