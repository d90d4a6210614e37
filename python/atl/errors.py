"""What goes wrong, with the text that the command line shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

__all__ = ["AtlError", "HostError", "Problem", "RunError", "ScenarioError", "UsageError"]


class AtlError(Exception):
    """Any error of this package."""


class UsageError(AtlError, ValueError):
    """Arguments that make no sense: an unknown host, a part that does not exist."""


class RunError(AtlError, RuntimeError):
    """Something went wrong on the way, such as a file that cannot be written."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scenario."""

    file: str
    """The file, or what stands for it: the name of a scenario built in code, a `--set`."""
    line: int | None
    """Line, from 1; `None` if the problem is the file as a whole."""
    column: int | None
    """Column in characters, from 1."""
    key: str
    """Path of the key: `link.air.delay`."""
    value: str
    """The text at that place."""
    message: str
    """What is wrong."""
    help: tuple[str, ...]
    """What is allowed, or probably meant."""


class ScenarioError(AtlError, ValueError):
    """A scenario is wrong. Its text names every problem; the attributes are those of the first one.

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
        """What is allowed there, or probably meant."""
        first = self._first()
        return first.help if first else ()


class HostError(AtlError, ValueError):
    """A host cannot run a scenario. `gaps` says what it cannot do, as `atl run --json` does."""

    gaps: list[dict[str, Any]]

    def __init__(self, text: str, gaps: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(text)
        self.gaps = list(gaps)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.args[0], self.gaps))
