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

__all__ = ["Scenario", "builtin", "hosts", "schema"]


class Scenario(dict[str, Any]):
    """A scenario as a mapping: the keys of a scenario file, with completion from their schema.

    `Scenario(title="Mine", duration="10s", link=[...], flow=[...])`, or `Scenario.load("roaming")` and change it. It is
    checked when it runs, or by `check`.
    """

    def __init__(self, keys: Mapping[str, Any] | None = None, /, **more: Unpack[ScenarioDict]) -> None:
        super().__init__(keys or {})
        self.update(more)

    @classmethod
    def load(cls, spec: str | os.PathLike[str]) -> Scenario:
        """From a file, or a built-in scenario by its name. Comments are lost; the order of keys is kept."""
        return cls(tomllib.loads(_atl.text_of(os.fspath(spec))))

    @property
    def toml(self) -> str:
        """Its text, as a scenario file has it."""
        return to_toml(self)

    def save(self, file: str | os.PathLike[str]) -> Path:
        """Writes it as a scenario file."""
        path = Path(file)
        path.write_text(self.toml, encoding="utf-8")
        return path

    def check(self) -> str:
        """Raises `ScenarioError` with everything that is wrong; gives the warnings as text."""
        text = self.toml
        asked = Request(spec="scenario", text=text, set=[], seeds=None, duration=None, quick=False)
        return _atl.validate(asked)[2]


def builtin() -> dict[str, str]:
    """The built-in scenarios: names, and what each asks."""
    return dict(_atl.builtin())


def hosts() -> dict[str, str]:
    """The hosts that `on` takes: names, and what each is."""
    return dict(_atl.hosts())


def schema() -> dict[str, Any]:
    """The JSON Schema of scenario files."""
    return dict(json.loads(_atl.schema()))
