"""Sweeps on a Ray cluster. The parts are tasks; the results are the same bytes as on one machine.

>>> import ray, atl.ray
>>> ray.init("auto")                                     # doctest: +SKIP
>>> result = atl.ray.run("mine.toml", parts="parts")     # doctest: +SKIP

The parts are those of `atl run --shard K/N`. Each finished part immediately becomes a file on the
machine that requested it, so that Ctrl-C or the failure of a machine loses only the parts under
way. The same call again carries out the missing ones.

Workers only need the same version of this package: the scenario and its traces travel with the
tasks.
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
from atl._run import engines_of
from atl.errors import AtlError, RunError, UsageError
from atl.result import Result

__all__ = ["run"]

_LOOK = 0.5
"""Seconds between checks for Ctrl-C while no part finishes."""

_PER_PROCESSOR = 4
"""Default number of parts per processor, so that a slow machine or a lost part costs little."""


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
    """Runs a scenario in parts on a Ray cluster: every point of its sweep with every seed. The result
    is that of `atl.run`.

    The cluster is the one that `ray.init` has connected to; otherwise the one that `ray.init()` finds
    or starts.

    `parts` is the folder on this machine for finished parts [out/NAME/parts-DIGEST, with a digest of
    all that decides the results]. Parts that it already holds are not carried out again. `shards` is
    their number [as in the folder, otherwise 4 for each processor of the cluster, but at most the
    number of runs]. Each takes `jobs` processors of a worker.

    A part whose worker dies is repeated, up to `attempts` times in all. A `RunError` then names the
    parts still missing; the others are in the folder. An error in a scenario or a run is raised as on
    the worker, and ends the other parts.

    All else is as for `atl.run`. Progress counts finished parts. Raises `AtlError` if Ray is not
    installed.
    """
    ray = _ray()
    if jobs < 1 or attempts < 1:
        raise UsageError(f"jobs={jobs}, attempts={attempts}: expected whole numbers from 1")
    asked, engines = request(scenario, set, seeds, duration, quick, name), engines_of(on)
    sweep = Sweep(asked, engines)
    if not ray.is_initialized():
        ray.init()
    folder = Path(parts) if parts is not None else _default(sweep, asked, engines)
    number_of_parts = shards or _found(folder) or _chosen(ray, sweep.runs // len(engines), jobs)
    # Raises here what every task would raise for a wrong number.
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
        common = (packed, asked, engines, jobs, __version__)
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
"""The worker's last sweep by hash of its inputs, to open it only once."""


def _carry_out(packed: Packed, asked: Request, on: list[str], jobs: int, version: str, number: int, of: int) -> bytes:
    """The task: carries out a part on a worker and returns the content of its file."""
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
    """The default folder, which is different for every sweep."""
    decisive = json.dumps([__version__, sweep.hash, on, {**asked, "text": None}], sort_keys=True)
    digest = hashlib.sha256(decisive.encode()).hexdigest()
    inner = [part for part in Path(sweep.name).parts if part not in ("/", "..")]
    return Path("out", *inner, f"parts-{digest[:12]}")


def _found(folder: Path) -> int | None:
    """Number of parts that the folder's files belong to; `None` without files, or if they differ in it."""
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
    """Writes a part's file atomically."""
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
    """Cancels the tasks if the body ends with an exception. Results finished by then are kept."""
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
                # No result to keep; the exception being raised already reports the first error.
                continue
            keep(waiting[reference], content)
        raise


def _raise(error: Any, part: str) -> NoReturn:
    """Raises the exception of a task."""
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
