"""The command `atl` that the package installs: the program, from the compiled module."""

from __future__ import annotations

import signal
import sys

from atl import _atl

# For work that needs a process of its own. Modules are found where this process has found them: in the folder that it was
# started in there may be something else called `atl`.
_AGAIN = "import sys; sys.path[:] = {path!r}; from atl._command import main; sys.exit(main())"


def main() -> int:
    """Carries out the command line of this process, and gives the exit status."""
    # Until the command has a handler of its own, Ctrl-C simply ends it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    itself = [sys.executable, "-c", _AGAIN.format(path=sys.path)] if sys.executable else []
    return _atl.command(["atl", *sys.argv[1:]], itself)
