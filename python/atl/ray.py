"""A sweep on a Ray cluster: its parts are tasks, and their results the same bytes as on one machine.

>>> import ray, atl.ray
>>> ray.init("auto")                                     # doctest: +SKIP
>>> result = atl.ray.run("mine.toml", parts="parts")     # doctest: +SKIP

The parts are those of `atl run --shard K/N`. Each finished part becomes a file on the machine that asked for it, at once, so
that neither Ctrl-C nor a machine that dies costs more than the parts that were under way. The same call carries out
those that are missing.

Workers need the same version of this package, and nothing else: the scenario and the traces that it names travel with
the tasks.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from atl._atl import Sweep, __version__
from atl._progress import Progress, reporter
from atl._request import Packed, Request, ScenarioLike, Seeds, request
from atl._run import hosts_of
from atl.errors import AtlError, RunError, UsageError
from atl.result import Result

__all__ = ["run"]

_LOOK = 0.5
"""Seconds between looks for Ctrl-C while nothing is finished."""

_PER_PROCESSOR = 4
"""Parts for each processor, if none are asked for: a slow machine, or a part that is lost, costs little."""


def run(
    scenario: ScenarioLike,
    *,
    parts: str | os.PathLike[str] | None = None,
    shards: int | None = None,
    set: Mapping[str, Any] | None = None,
    seeds: Seeds = None,
    duration: str | float | None = None,
    quick: bool = False,
    on: str | Iterable[str] = "sim",
    jobs: int = 1,
    attempts: int = 4,
    progress: Progress = "auto",
    name: str = "scenario",
) -> Result:
    """Runs a scenario on a Ray cluster, in parts: every point of its sweep with every seed. Gives what `atl.run` gives.

    The cluster is the one that `ray.init` has connected to; without it, the one that `ray.init()` finds or starts.

    `parts` is the folder, on this machine, for the parts that are finished [out/NAME/parts-DIGEST, with a digest of all that the
    results depend on]. Parts that are there already are not carried out again. `shards` is their number [as in the folder, or
    else 4 for each processor of the cluster, but no more than there are runs]. Each takes `jobs` processors of a worker.

    A part whose worker dies is carried out again, `attempts` times at most. What is still missing then is a `RunError` that
    names the missing parts; all others are in the folder. An error of a scenario or a run is raised as it was on the worker,
    and ends the other parts.

    All else is as for `atl.run`. Progress counts finished parts. Raises `AtlError` if Ray is not installed.
    """
    ray = _ray()
    if jobs < 1 or attempts < 1:
        raise UsageError(f"jobs={jobs}, attempts={attempts}: expected whole numbers from 1")
    asked, hosts = request(scenario, set, seeds, duration, quick, name), hosts_of(on)
    sweep = Sweep(asked, hosts)
    if not ray.is_initialized():
        ray.init()
    folder = Path(parts) if parts is not None else _default(sweep, asked, hosts)
    number_of_parts = shards or _found(folder) or _chosen(ray, sweep.runs // len(hosts), jobs)
    # As the tasks will: says what is wrong with it.
    sweep.runs_of(1, number_of_parts)
    files = {k: folder / f"shard-{k}-of-{number_of_parts}.atl" for k in range(1, number_of_parts + 1)}
    missing = [k for k, file in files.items() if not _finished(sweep, k, number_of_parts, file)]
    folder.mkdir(parents=True, exist_ok=True)
    with reporter(progress) as report:

        def tell() -> None:
            if report is not None:
                done = sweep.runs - sum(sweep.runs_of(k, number_of_parts) for k in missing)
                report(sweep.seconds * done / sweep.runs, sweep.seconds, done, sweep.runs)

        task = ray.remote(num_cpus=jobs, max_retries=attempts - 1)(_carry_out)
        packed = ray.put(sweep.packed)
        common = (packed, asked, hosts, jobs, __version__)
        waiting = {task.remote(*common, k, number_of_parts): k for k in missing}
        lost: dict[int, Exception] = {}
        tell()
        with _cancelled_with(ray, waiting, lambda k, content: _keep(sweep, files[k], k, number_of_parts, content)):
            while waiting:
                ready, _ = ray.wait(list(waiting), timeout=_LOOK)
                for reference in ready:
                    k = waiting[reference]
                    try:
                        content = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        _raise(error, f"part {k}/{number_of_parts}")
                    except ray.exceptions.RayError as error:
                        lost[k] = error
                    else:
                        _keep(sweep, files[k], k, number_of_parts, content)
                        missing.remove(k)
                    del waiting[reference]
                    tell()
    if lost:
        _give_up(lost, number_of_parts, folder)
    return Result(sweep.merge([os.fspath(file) for file in files.values()]))


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise AtlError("atl.ray needs Ray, which is not installed: pip install 'ray>=2.40'") from None
    return ray


_opened: dict[bytes, Sweep] = {}
"""The sweep that this worker carried out a part of last."""


def _carry_out(packed: Packed, asked: Request, on: list[str], jobs: int, version: str, number: int, of: int) -> bytes:
    """The task: carries out a part on a worker, and gives the content of its file."""
    if version != __version__:
        raise UsageError(f"a worker has atl {__version__}, and {version} asks it for a part: install the same version everywhere")
    key = hashlib.sha256(repr((packed, asked, on)).encode()).digest()
    if key not in _opened:
        _opened.clear()
        _opened[key] = Sweep.unpack(asked, on, packed)
    try:
        with tempfile.TemporaryDirectory(prefix="atl-") as folder:
            return Path(_opened[key].run_part(number, of, folder, jobs)).read_bytes()
    except (RunError, OSError) as error:
        raise RunError(f"part {number}/{of} failed on {socket.gethostname()}: {error}") from error


def _default(sweep: Sweep, asked: Request, on: list[str]) -> Path:
    """A folder of which any other sweep has another."""
    decisive = json.dumps([__version__, sweep.hash, on, {**asked, "text": None}], sort_keys=True)
    digest = hashlib.sha256(decisive.encode()).hexdigest()
    inner = [part for part in Path(sweep.name).parts if part not in ("/", "..")]
    return Path("out", *inner, f"parts-{digest[:12]}")


def _found(folder: Path) -> int | None:
    """The number of parts, some of which are in the folder; `None` if there are none, or of different numbers."""
    names = (re.fullmatch(r"shard-\d+-of-(\d+)\.atl", file.name) for file in folder.glob("shard-*.atl"))
    numbers = {int(found[1]) for found in names if found}
    return numbers.pop() if len(numbers) == 1 else None


def _chosen(ray: Any, runs: int, jobs: int) -> int:
    processors = int(ray.cluster_resources().get("CPU", 1))
    return max(1, min(runs, _PER_PROCESSOR * max(1, processors // jobs)))


def _finished(sweep: Sweep, number: int, of: int, file: Path) -> bool:
    if not file.exists():
        return False
    why = sweep.unfit(number, of, os.fspath(file))
    if why is not None:
        raise UsageError(f"{file} is there already: {why}. Remove it, or name another folder with parts=")
    return True


def _keep(sweep: Sweep, file: Path, number: int, of: int, content: bytes) -> None:
    """Puts a part into its file, whole or not at all."""
    new = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        try:
            new.write_bytes(content)
        except OSError as error:
            raise RunError(f"cannot write {file}: {error}") from None
        why = sweep.unfit(number, of, os.fspath(new))
        if why is not None:
            raise RunError(f"what a worker gave for part {number}/{of} is not that: {why}")
        os.replace(new, file)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def _cancelled_with(ray: Any, waiting: dict[Any, int], keep: Any) -> Iterator[None]:
    """Whatever ends the body ends the tasks, too. What they have finished by then is kept."""
    try:
        yield
    except BaseException:
        ready, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=0) if waiting else ([], [])
        for reference in waiting:
            if reference not in ready:
                ray.cancel(reference)
        for reference in ready:
            try:
                content = ray.get(reference)
            except ray.exceptions.RayError:
                # It has no result; what is raised already says what went wrong first.
                continue
            keep(waiting[reference], content)
        raise


def _raise(error: Any, part: str) -> NoReturn:
    """Raises what a task has raised."""
    cause = error.cause
    if isinstance(cause, AtlError):
        # Its text names file, line, key and value, or the part and the run.
        raise cause from error
    raise RunError(f"{part} failed on a worker: {type(cause).__name__}: {cause}") from error


def _give_up(lost: dict[int, Exception], of: int, folder: Path) -> NoReturn:
    named = ", ".join(str(k) for k in sorted(lost))
    first = lost[min(lost)]
    why = str(first).splitlines()[0] if str(first) else type(first).__name__
    raise RunError(
        f"parts of {of} that are missing: {named}, whose workers died again and again ({why}). "
        f"All others are in {folder}: the same call carries out what is missing"
    ) from first
