"""The notebooks run from the first cell to the last, and show what they show when they are opened.

`ATL_GENERATE=1 .ci/python -k notebook` writes today's outputs into them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
KEPT = ("text/plain", "text/html", "image/png")
"""Forms of an output that are kept."""
LARGEST = 100_000
"""Limit on the characters of a form: a whole report is not kept."""


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 3


def kept(output: Any) -> Any:
    """An output as it stands in the file."""
    output = nbformat.from_dict(output)
    output.pop("execution_count", None)
    if "data" in output:
        output["data"] = {form: value for form, value in output["data"].items() if form in KEPT and len(value) <= LARGEST}
        output["metadata"] = {}
    if output["output_type"] == "execute_result":
        output["execution_count"] = None
    return output


def words(cell: Any) -> list[str]:
    """What a cell prints; not its pictures and tables, whose form depends on the versions of other libraries."""
    return [output["text"] for output in cell.get("outputs", []) if output["output_type"] == "stream"]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_shows_what_it_says(file: Path, tmp_path: Path) -> None:
    said = nbformat.read(file, as_version=4)
    notebook = nbformat.read(file, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    for cell in notebook.cells:
        cell.pop("metadata", None)
        cell["metadata"] = {}
        if cell.cell_type == "code":
            cell["execution_count"] = None
            cell["outputs"] = [kept(output) for output in cell.outputs]
    if os.environ.get("ATL_GENERATE"):
        notebook["metadata"] = said["metadata"]
        nbformat.write(notebook, file)
        return
    assert sum(len(cell.get("outputs", [])) for cell in said.cells) > 3, "it has no output: ATL_GENERATE=1 .ci/python -k notebook"
    stale = "other output than the file's: ATL_GENERATE=1 .ci/python -k notebook"
    for today, before in zip(notebook.cells, said.cells, strict=True):
        assert words(today) == words(before), stale
