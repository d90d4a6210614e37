"""Running scenarios, parts of them, and paths."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from atl import _atl
from atl._progress import Progress, reporter
from atl._request import ScenarioLike, Seeds, request
from atl.controller import WindowController
from atl.errors import UsageError
from atl.result import Result

Factory = Callable[[_atl.Start], WindowController]


def engines_of(on: str | Iterable[str]) -> list[str]:
    return on.split(",") if isinstance(on, str) else list(on)


def factories(controllers: Factory | Mapping[str, Factory] | None) -> list[tuple[str, Any]]:
    if controllers is None:
        return []
    if isinstance(controllers, Mapping):
        return list(controllers.items())
    return [("*", controllers)]


def run(
    scenario: ScenarioLike,
    *,
    set: Mapping[str, Any] | None = None,
    seeds: Seeds = None,
    duration: str | float | None = None,
    quick: bool = False,
    on: str | Iterable[str] = "sim",
    jobs: int | None = None,
    controllers: Factory | Mapping[str, Factory] | None = None,
    progress: Progress = "auto",
    name: str = "scenario",
) -> Result:
    """Runs a scenario: every point of its sweep with every seed.

    `scenario` is a file, the name of a built-in scenario, or a mapping. `set` changes values as `--set`
    does (`{"queue": 400, "network.wifi.loss": "2%"}`); a list makes a sweep. `seeds` is a number (5
    means 1 to 5) or a list of seeds; `duration` is a text (`"60s"`) or seconds. `on` names engines.
    `jobs` is the number of parallel runs, which does not affect results. `name` is the name of a
    mapping in messages.

    `controllers` gives TCP flows a controller in Python: a class for all of them, or classes by name of
    flow or group.

    Raises `ScenarioError`, `EngineError` or `UsageError` with the command line's messages. Ctrl-C, or the
    stop button of a notebook, ends the runs immediately.
    """
    asked = request(scenario, set, seeds, duration, quick, name)
    with reporter(progress) as report:
        running = {"on": engines_of(on), "jobs": jobs, "report": report}
        return Result(_atl.run(asked, running, factories(controllers)))


def run_shard(
    scenario: str | os.PathLike[str],
    shard: tuple[int, int],
    out: str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    seeds: Seeds = None,
    duration: str | float | None = None,
    quick: bool = False,
    on: str | Iterable[str] = "sim",
    jobs: int | None = None,
    progress: Progress = "auto",
) -> Path:
    """Carries out part k of n of a scenario's runs, `shard=(k, n)`, and writes its results into the
    folder `out`. Returns the file's path.

    The file is that of `atl run --shard k/n`, for `merge` and `atl merge`. It is complete or absent, so
    that an interrupt loses only the part under way.
    """
    asked = request(scenario, set, seeds, duration, quick)
    if asked["text"] is not None:
        raise UsageError("a part needs a scenario that can be read again: a file or a name, not a text")
    number, of = shard
    sweep = _atl.Sweep(asked, engines_of(on))
    with reporter(progress) as report:
        return Path(sweep.run_part(number, of, os.fspath(out), jobs, report))


def merge(
    parts: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *, other_builds: bool = False
) -> Result:
    """Merges parts, given as files or as folders with `.atl` files, into the result of the whole.

    Parts by different builds of atl, or by another one than this, are refused (`AtlError`), since
    results may differ; `other_builds=True` merges them all the same, as `--other-builds` does.
    """
    named = [parts] if isinstance(parts, (str, os.PathLike)) else list(parts)
    return Result(_atl.merge([os.fspath(part) for part in named], other_builds))


class Answer(Result):
    """Results of transports on a path, with `answer` as printed by `atl path --json`."""

    def __init__(self, inner: _atl.Result, answer: str, scenario: str) -> None:
        super().__init__(inner)
        self.answer: dict[str, Any] = json.loads(answer)

    @property
    def best(self) -> str:
        """Name of the transport with the highest goodput over the whole time."""
        return str(self.answer["all"]["places"][0]["protocol"])

    def __repr__(self) -> str:
        return f"<atl.Answer {self.answer['title']}: {self.best}>"


_VALUED = {"rtt", "delay", "down", "up", "bandwidth", "loss", "jitter", "then", "send", "queue", "neighbours"}
_VALUED |= {"duration", "protocols", "seeds"}


def _words(line: str) -> dict[str, Any]:
    """The words and options of a line such as `wifi 1% loss --then leo@20s`."""
    found: dict[str, Any] = {}
    words = iter(shlex.split(line))
    for word in words:
        if not word.startswith("--"):
            found["network"] = f"{found['network']} {word}" if "network" in found else word
            continue
        key, equals, value = word[2:].partition("=")
        if key not in _VALUED:
            raise UsageError(f"unexpected argument '--{key}' found; known: " + ", ".join(f"--{k}" for k in sorted(_VALUED)))
        if not equals:
            try:
                value = next(words)
            except StopIteration:
                raise UsageError(f"a value is required for '--{key}' but none was supplied") from None
        if key == "then":
            found.setdefault("then", []).append(value)
        else:
            found[key] = value
    return found


def path(
    line: str | None = None,
    /,
    *,
    network: str | None = None,
    rtt: str | None = None,
    delay: str | None = None,
    down: str | None = None,
    up: str | None = None,
    bandwidth: str | None = None,
    loss: str | float | None = None,
    jitter: str | None = None,
    then: str | Iterable[str] = (),
    send: str | None = None,
    queue: int | str | None = None,
    neighbours: int | None = None,
    duration: str | None = None,
    protocols: Iterable[str] = (),
    seeds: int | None = None,
    jobs: int | None = None,
    progress: Progress = "auto",
) -> Answer:
    """Compares transports on a path, described as for `atl path` by a line, by keywords, or by both;
    keywords take precedence.

    `atl.path("wifi --loss 1% --then leo@20s")`, `atl.path("wifi 1% loss, then starlink at 20s")`, `atl.path(rtt="60ms", down="30Mb/s", up="10Mb/s", loss="1%")`.
    """
    said = _words(line) if line else {}
    own: dict[str, Any] = {"network": network, "rtt": rtt, "delay": delay, "down": down, "up": up, "bandwidth": bandwidth}
    own |= {"loss": loss, "jitter": jitter, "send": send, "queue": queue, "neighbours": neighbours}
    own |= {"duration": duration, "seeds": seeds}
    given = {key: value for key, value in own.items() if value is not None}
    # The command refuses two words for the same thing. A line's bandwidth still holds the other way.
    if "bandwidth" in said and given.keys() & {"down", "up"}:
        both = said.pop("bandwidth")
        said |= {"down": both, "up": both}
    for key, instead in (("rtt", ["delay"]), ("delay", ["rtt"]), ("bandwidth", ["down", "up"])):
        if key in given:
            for other in instead:
                said.pop(other, None)
    said |= given
    stages = [then] if isinstance(then, str) else list(then)
    if stages:
        said["then"] = stages
    named = protocols if isinstance(protocols, str) else ",".join(protocols)
    if named:
        said["protocols"] = named
    words = [said.pop("network")] if "network" in said else []
    words += [f"--then={stage}" for stage in said.pop("then", [])]
    words += [f"--{key}={value}" for key, value in said.items()]
    with reporter(progress) as report:
        running = {"on": ["sim"], "jobs": jobs, "report": report}
        return Answer(*_atl.path(words, running))
