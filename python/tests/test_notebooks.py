"""The notebooks run from the first cell to the last, and give the outputs that they keep.

`ATL_GENERATE=1 make python` writes the outputs anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
# A report is a page of half a megabyte: too much to keep.
LARGEST = 100_000
# A cell with this tag computes with the platform's floating-point functions, whose last digits differ.
VARIES = "varies"


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 3


def outputs(cell: NotebookNode) -> list[NotebookNode]:
    """The outputs of a cell but for its progress, which is on standard error."""
    return [output for output in cell.get("outputs", []) if output.get("name") != "stderr"]


def shown(cell: NotebookNode) -> list[str]:
    """What a cell prints and returns, without what depends on the machine."""
    texts = []
    for output in outputs(cell):
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        text = re.sub(r"in [\d.]+ s\b", "in # s", text)
        text = re.sub(r"0x[0-9a-f]+", "0x#", text)
        if VARIES in cell.metadata.get("tags", []):
            text = re.sub(r"-?\d+(\.\d+)?", "#", text)
        texts.append(text)
    return texts


def keep(notebook: NotebookNode, file: Path) -> None:
    """Writes a notebook with its outputs, but for those that are large or say when it ran."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = outputs(cell)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            for kind in [kind for kind, content in data.items() if len(content) > LARGEST]:
                del data[kind]
    notebook.metadata.language_info = {"name": "python"}
    nbformat.write(notebook, file)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_gives_the_outputs_that_it_keeps(file: Path, tmp_path: Path) -> None:
    kept = [shown(cell) for cell in nbformat.read(file, as_version=4).cells]
    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    if os.environ.get("ATL_GENERATE"):
        keep(notebook, file)
    else:
        assert kept == [shown(cell) for cell in notebook.cells], "ATL_GENERATE=1 make python writes the outputs anew"
    assert sum(len(outputs(cell)) for cell in notebook.cells) > 3
