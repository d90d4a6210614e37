"""Scenarios built in code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from atl import _atl
from atl._request import Request, to_toml
from atl.types import ScenarioDict

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Scenario", "builtin", "engines", "schema"]


class Scenario(dict[str, Any]):
    """A scenario as a mapping with the keys of a scenario file, typed for completion in editors.

    Write `Scenario(title="Mine", duration="10s", link=[...], flow=[...])`, or change the result of
    `Scenario.load("roaming")`. It is checked by `check`, or when it runs.
    """

    def __init__(self, keys: Mapping[str, Any] | None = None, /, **more: Unpack[ScenarioDict]) -> None:
        super().__init__(keys or {})
        self.update(more)

    @classmethod
    def load(cls, spec: str | os.PathLike[str]) -> Scenario:
        """Loads a file, or a built-in scenario by name. Keeps the order of keys, but not comments."""
        return cls(tomllib.loads(_atl.text_of(os.fspath(spec))))

    @property
    def toml(self) -> str:
        """The text of a scenario file."""
        return to_toml(self)

    def save(self, file: str | os.PathLike[str]) -> Path:
        """Writes a scenario file and returns its path."""
        path = Path(file)
        path.write_text(self.toml, encoding="utf-8")
        return path

    def check(self) -> str:
        """Raises `ScenarioError` with all mistakes, otherwise returns the warnings as text."""
        text = self.toml
        asked = Request(spec="scenario", text=text, set=[], seeds=None, duration=None, quick=False)
        return _atl.validate(asked)[2]


def builtin() -> dict[str, str]:
    """Titles of the built-in scenarios by name."""
    return dict(_atl.builtin())


def engines() -> dict[str, str]:
    """Descriptions of the engines that `on` takes, by name."""
    return dict(_atl.engines())


def schema() -> dict[str, Any]:
    """The JSON Schema of scenario files."""
    return dict(json.loads(_atl.schema()))
