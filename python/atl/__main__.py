"""`python -m atl`: the command line."""

import sys

from atl._command import main

sys.exit(main())
