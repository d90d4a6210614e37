"""How do transport protocols behave on wireless paths? The simulator `atl`, from Python.

>>> import atl
>>> atl.path("wifi --loss 1%").best            # doctest: +SKIP
>>> result = atl.run("roaming", quick=True)    # doctest: +SKIP
>>> polars.DataFrame(result.flows)             # doctest: +SKIP
"""

from atl._atl import Ack, Loss, Marked, Sent, Start, Steering, Table, Timeout, __version__
from atl._link import Link, link
from atl._run import Answer, merge, path, run, run_shard
from atl.controller import Reno, WindowController
from atl.errors import AtlError, EngineError, Problem, RunError, ScenarioError, UsageError
from atl.result import Result, show
from atl.scenario import Scenario, builtin, engines, schema
from atl.simulation import Simulation

__all__ = [
    "Ack",
    "Answer",
    "AtlError",
    "EngineError",
    "Link",
    "Loss",
    "Marked",
    "Problem",
    "Reno",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Sent",
    "Simulation",
    "Start",
    "Steering",
    "Table",
    "Timeout",
    "UsageError",
    "WindowController",
    "__version__",
    "builtin",
    "engines",
    "link",
    "merge",
    "path",
    "run",
    "run_shard",
    "schema",
    "show",
]
