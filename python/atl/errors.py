"""Exceptions, with the command line's messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

__all__ = ["AtlError", "EngineError", "Problem", "RunError", "ScenarioError", "UsageError"]


class AtlError(Exception):
    """Base class of all errors of this package."""


class UsageError(AtlError, ValueError):
    """Arguments that contradict each other or name something unknown, such as an engine or a part."""


class RunError(AtlError, RuntimeError):
    """A run or a file operation failed, such as writing a file."""


@dataclass(frozen=True)
class Problem:
    """A mistake in a scenario."""

    file: str
    """Path of the file, name of a scenario built in code, or the `--set` concerned."""
    line: int | None
    """Line from 1; `None` for a problem of the whole file."""
    column: int | None
    """Column in characters from 1."""
    key: str
    """Path of the key, such as `link.air.delay`."""
    value: str
    """Text of the file at that place."""
    message: str
    """Description of the mistake."""
    help: tuple[str, ...]
    """Suggestions: allowed values, or what was probably meant."""


class ScenarioError(AtlError, ValueError):
    """Mistakes in a scenario. The text lists all of them; the attributes are those of the first.

    `problems` has all of them, in the order of the file.
    """

    problems: tuple[Problem, ...]

    def __init__(self, text: str, problems: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(text)
        self.problems = tuple(Problem(**{**p, "help": tuple(p["help"])}) for p in problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.args[0], [dict(vars(p)) for p in self.problems]))

    def _first(self) -> Problem | None:
        return self.problems[0] if self.problems else None

    @property
    def file(self) -> str | None:
        first = self._first()
        return first.file if first else None

    @property
    def line(self) -> int | None:
        first = self._first()
        return first.line if first else None

    @property
    def column(self) -> int | None:
        first = self._first()
        return first.column if first else None

    @property
    def key(self) -> str | None:
        first = self._first()
        return first.key if first else None

    @property
    def value(self) -> str | None:
        first = self._first()
        return first.value if first else None

    @property
    def allowed(self) -> tuple[str, ...]:
        """Suggestions for the first mistake: allowed values, or what was probably meant."""
        first = self._first()
        return first.help if first else ()


class EngineError(AtlError, ValueError):
    """Features that engines lack for a scenario. `gaps` lists them in the form of `atl run --json`."""

    gaps: list[dict[str, Any]]

    def __init__(self, text: str, gaps: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(text)
        self.gaps = list(gaps)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.args[0], self.gaps))
