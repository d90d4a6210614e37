"""Conversion of callers' arguments to those of the compiled module."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, Union

import tomli_w

from atl.errors import UsageError

ScenarioLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A file, the name of a built-in scenario, or a scenario as a mapping (`atl.Scenario`)."""

Seeds = Union[int, Iterable[int], str, None]


class Request(TypedDict):
    spec: str
    text: str | None
    set: list[tuple[str, str]]
    seeds: str | None
    duration: str | None
    quick: bool


Packed = tuple[str, str, str, list[tuple[str, str]]]
"""A scenario packed for another machine: its name, its path, its text, and paths and texts of its traces."""


def toml_value(value: Any) -> str:
    """A value as TOML on one line, except that texts have no quotes, as after `--set`."""
    if isinstance(value, str):
        return value
    return _inline(value)


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_key(str(k))} = {_inline(v)}" for k, v in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_inline(v) for v in value) + "]"
    # The library writes whole entries, `v = VALUE` with a newline.
    return tomli_w.dumps({"v": _plain(value)})[len("v = ") :].rstrip("\n")


def _key(name: str) -> str:
    return tomli_w.dumps({name: 0}).split(" = ")[0]


def _plain(value: Any) -> Any:
    """Converts NumPy's numbers to Python's, and tuples to lists."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if not isinstance(value, (str, bool, int, float)) and hasattr(value, "item"):
        return value.item()
    return value


def to_toml(scenario: Mapping[str, Any]) -> str:
    """The TOML text of a scenario built in code."""
    try:
        return tomli_w.dumps(_plain(scenario))
    except TypeError as wrong:
        raise UsageError(f"this scenario cannot be written as TOML: {wrong}") from None


def request(
    scenario: ScenarioLike,
    set: Mapping[str, Any] | None,
    seeds: Seeds,
    duration: str | float | None,
    quick: bool,
    name: str = "scenario",
) -> Request:
    if isinstance(scenario, Mapping):
        spec, text = name, to_toml(scenario)
    else:
        spec, text = os.fspath(scenario), None
        if not spec:
            raise UsageError("scenario: expected a file or a name, not an empty text")
    if isinstance(seeds, (str, type(None))):
        chosen = seeds
    elif isinstance(seeds, int):
        chosen = str(seeds)
    else:
        listed = [int(seed) for seed in seeds]
        # A single number would be taken as the number of seeds.
        chosen = f"[{listed[0]}]" if len(listed) == 1 else ",".join(map(str, listed))
    if isinstance(duration, (int, float)):
        duration = f"{duration}s"
    changes = [(key, toml_value(value)) for key, value in (set or {}).items()]
    return Request(spec=spec, text=text, set=changes, seeds=chosen, duration=duration, quick=quick)
