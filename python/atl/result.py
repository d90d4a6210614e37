"""Results of runs."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from atl import _atl
from atl._atl import Table
from atl.errors import AtlError

__all__ = ["Result", "show"]

HEIGHT = 720
"""Height of a report in a notebook, in pixels."""


class Result:
    """A scenario's results on one engine or several.

    `runs`, `flows`, `links` and `samples` are the tables of the data files, with the same columns.
    Everything that supports the Arrow PyCapsule interface reads them without a copy:
    `polars.DataFrame(result.flows)`, `pyarrow.table(result.flows)`,
    `pandas.DataFrame.from_arrow(result.flows)`.
    """

    def __init__(self, inner: _atl.Result) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return self._inner.name

    @property
    def title(self) -> str:
        """The question that the scenario asks, in one line."""
        return self._inner.title

    @property
    def hash(self) -> str:
        """SHA-256 over all that decides the results, in hexadecimal."""
        return self._inner.hash

    @property
    def command(self) -> str:
        """Command that repeats the runs."""
        return self._inner.command

    @property
    def scenario(self) -> str:
        """Text of the scenario (TOML)."""
        return self._inner.text

    @property
    def warnings(self) -> str:
        """Parts of the scenario that have no effect or are probably not meant; empty without any."""
        return self._inner.warnings

    def _table(self, name: str) -> Table:
        table = self._inner.table(name)
        if table is None:
            raise AttributeError(f"{self.name} has no {name}")
        return table

    @property
    def runs(self) -> Table:
        """A row for each run."""
        return self._table("runs")

    @property
    def flows(self) -> Table:
        """A row for each flow of each run."""
        return self._table("flows")

    @property
    def links(self) -> Table:
        """A row for each link of each run."""
        return self._table("links")

    @property
    def samples(self) -> Table:
        """A row for each sample of each flow over time. `AttributeError` if the scenario records none."""
        table = self._inner.table("samples")
        if table is None:
            raise AttributeError(f"{self.name} records no samples: give it `[record]` with `every = \"500ms\"`")
        return table

    @property
    def tables(self) -> Mapping[str, Table]:
        """All tables by name."""
        return {name: self._table(name) for name in self._inner.table_names}

    @property
    def summaries(self) -> list[dict[str, Any]]:
        """Means, 95 % intervals and verdicts for each engine, as printed by `atl run --json`."""
        return [json.loads(text) for text in self._inner.summaries()]

    @property
    def summary(self) -> dict[str, Any]:
        """Summary of the first engine's results."""
        return self.summaries[0]

    def report(self) -> str:
        """The report as a self-contained HTML page."""
        return self._inner.page()

    @property
    def folder(self) -> Path:
        """Folder that `save` writes into unless it is given another: that of `atl run` with the same
        changes, such as `out/showcase/roaming+quick+network.wifi.loss=0`."""
        return Path(self._inner.folder)

    def save(
        self, folder: str | os.PathLike[str] | None = None, *, csv: bool = False, overwrite: bool = False
    ) -> list[Path]:
        """Writes the report and the data files into a folder, `self.folder` by default, and returns
        their paths.

        The files equal those of `atl run --out folder` byte for byte. As on the command line, all files
        appear together or none does, and one process at a time writes into a folder. `overwrite`
        replaces results in the folder and removes their files without a successor; other files are not
        touched.

        Raises `UsageError` if the folder has results and `overwrite` is false, if files in it have names
        of results and are none, or if another process writes into it, and `RunError` if a file cannot be
        written. Everything is then as before.
        """
        return [Path(path) for path in self._inner.save(os.fspath(self.folder if folder is None else folder), csv, overwrite)]

    def __repr__(self) -> str:
        return f"<atl.Result {self.name}: {len(self.runs)} runs>"

    def _repr_html_(self) -> str:
        page = html.escape(self.report(), quote=True)
        style = f"width:100%;height:{HEIGHT}px;border:1px solid #ccc"
        return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts allow-downloads"></iframe>'


def show(result: Result) -> None:
    """Shows the report in a notebook."""
    try:
        from IPython import display
    except ImportError:
        raise AtlError("atl.show needs a notebook (IPython); result.save(folder) writes the report as a file") from None
    shown: Any = display
    shown.display(result)
