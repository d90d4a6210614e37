"""Progress of runs in a notebook, on a terminal, or not shown."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, Union

Report = Callable[[float, float, int, int], None]
"""Callback with simulated seconds done and in total, and runs done and in total."""

Progress = Union[bool, Literal["auto"], Report]


def _in_notebook() -> bool:
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _Line:
    """A line on the terminal that is rewritten, for systems without tqdm."""

    def __init__(self) -> None:
        self.width = 0

    def __call__(self, done: float, total: float, runs_done: int, runs: int) -> None:
        share = done / total if total else 1.0
        text = f"{share:4.0%}  {runs_done} of {runs} runs"
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()


class _Tqdm:
    def __init__(self, bar: Any) -> None:
        self.bar = bar

    def __call__(self, done: float, total: float, runs_done: int, runs: int) -> None:
        # Each engine starts again at zero.
        self.bar.total = round(total, 3)
        self.bar.n = round(done, 3)
        self.bar.set_postfix_str(f"{runs_done} of {runs} runs", refresh=False)
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


@contextmanager
def reporter(progress: Progress) -> Iterator[Report | None]:
    """The progress callback for runs; `None` to show nothing."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress == "auto" and not (_in_notebook() or _on_terminal())):
        yield None
        return
    shown: _Line | _Tqdm
    try:
        with warnings.catch_warnings():
            # Without ipywidgets it warns and shows text, which suffices.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        shown = _Line()
    else:
        bar = tqdm(total=1.0, leave=False, bar_format="{percentage:3.0f} % |{bar}| {postfix} {elapsed}")
        shown = _Tqdm(bar)
    try:
        yield shown
    finally:
        shown.close()
