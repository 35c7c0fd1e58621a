"""What runs on a Dask worker: one shard, in a process of the program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from sudoku_batch._errors import SudokuBatchError
from sudoku_batch._program import failure, find_program, tail, version

from . import _plan, _tied

if TYPE_CHECKING:
    from collections.abc import Iterator

_FETCHES = 8
_TRIES = 4


class ShardError(Exception):
    """A shard could not be done; holds what the program wrote to stderr."""


@dataclass(frozen=True)
class Shards:
    """The task that all shards share. Small, since it travels with each of them."""

    run: str
    """Names this run among others on the same workers."""
    command: str
    folder: str
    """The current folder, from which relative paths count."""
    plan: str
    identity: str
    """Of the plan, so that no other file of its name is taken for it."""
    parts: str
    count: int
    """Number of shards."""
    threads: int
    flags: tuple[str, ...]
    version: str
    """Of the program."""
    remote: bool
    """Whether the photos have to be fetched."""


_lock = threading.Lock()
_running: dict[str, set[subprocess.Popen[bytes]]] = {}
_stopped: set[str] = set()


def unfit(shards: Shards) -> str | None:
    """Returns why this worker cannot do these shards; None if it can."""
    if not Path(shards.folder).is_dir():
        return f"does not see the folder {shards.folder}, from which the run was started"
    try:
        if _plan.identity(shards.plan) != shards.identity:
            return f"sees another plan at {shards.plan}"
    except (OSError, ValueError, KeyError) as error:
        return f"does not see the plan {shards.plan}: {error}"
    if not os.access(shards.parts, os.W_OK):
        return f"may not write to {shards.parts}"
    try:
        if (found := version()) != shards.version:
            return f"has sudoku-batch {found}, and the run was started with {shards.version}"
    except SudokuBatchError as error:
        return f"does not have the program: {error}"
    if (model := _model(shards.flags)) and not (Path(shards.folder) / model).exists():
        return f"does not see the model {model}"
    if shards.remote:
        try:
            import fsspec  # noqa: F401
        except ImportError:
            return "does not have fsspec: `pip install sudoku-batch[fsspec]`"
    return None


def _model(flags: tuple[str, ...]) -> str | None:
    """Returns the path behind `--model`."""
    for flag, value in zip(flags, (*flags[1:], "")):
        if flag == "--model":
            return value
        if flag.startswith("--model="):
            return flag.partition("=")[2]
    return None


def run_shard(shards: Shards, index: int) -> int:
    """Does a shard and returns the index.

    Raises:
        ShardError: It could not be done.
    """
    # Workers may join after the others were looked at.
    if reason := unfit(shards):
        raise ShardError(f"the worker {reason}")
    command = [
        find_program(),
        shards.command,
        *("--plan", shards.plan, "--shard", f"{index}/{shards.count}", "--out", shards.parts),
        *("--threads", str(shards.threads), "--progress", "never"),
        *shards.flags,
    ]
    if not shards.remote:
        _run(shards, command)
        return index
    with _fetched(shards, index) as folder:
        _run(shards, [*command, "--fetched", folder])
    return index


def stop(run: str) -> None:
    """Kills what this worker does for a run, and does nothing for it any more."""
    with _lock:
        _stopped.add(run)
        for process in _running.pop(run, ()):
            process.kill()


def _check(shards: Shards) -> None:
    if shards.run in _stopped:
        raise ShardError("the run was interrupted")


def _run(shards: Shards, command: list[str]) -> None:
    with tempfile.TemporaryFile() as stderr:
        with _lock:
            _check(shards)
            process = subprocess.Popen(
                [sys.executable, "-I", str(Path(_tied.__file__)), str(os.getpid()), *command],
                cwd=shards.folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
            _running.setdefault(shards.run, set()).add(process)
        try:
            code = process.wait()
        finally:
            with _lock:
                _running.get(shards.run, set()).discard(process)
        # With 1 some photos or lines failed, and the part is written: it says which.
        if code not in (0, 1):
            raise ShardError(failure(tail(stderr), code))


def _environment() -> dict[str, str]:
    """Returns the environment for the program.

    Dask lets its workers hand every bit of free memory back at once; with that the program would
    spend a third of its time in the kernel.
    """
    environment = os.environ.copy()
    environment.pop("MALLOC_TRIM_THRESHOLD_", None)
    return environment


@contextmanager
def _fetched(shards: Shards, index: int) -> Iterator[str]:
    """Yields a folder with the photos of a shard, each named by its place in the plan."""
    shard = _plan.read(shards.plan).shards[index]
    photos = _plan.files(shards.plan, shard)
    with tempfile.TemporaryDirectory(prefix="sudoku-batch-", dir=_scratch()) as folder:

        def fetch(number: int, photo: dict[str, Any]) -> None:
            _check(shards)
            url = photo["path"]
            target = Path(folder) / f"{number}{PurePosixPath(url).suffix}"
            _fetch(url, target)
            if photo.get("size", target.stat().st_size) != target.stat().st_size:
                raise ShardError(f"{url} has changed since the plan was made")

        pool = ThreadPoolExecutor(_FETCHES)
        try:
            for done in [pool.submit(fetch, *photo) for photo in photos]:
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)
        yield folder


def _fetch(url: str, target: Path) -> None:
    import fsspec

    for attempt in range(_TRIES):
        try:
            filesystem, path = fsspec.core.url_to_fs(url)
            filesystem.get_file(path, str(target))
            return
        except FileNotFoundError:
            raise ShardError(f"{url} is gone since the plan was made") from None
        except Exception as error:
            if attempt == _TRIES - 1:
                raise ShardError(f"{url}: {type(error).__name__}: {error}") from error
            time.sleep(2**attempt)


def _scratch() -> str | None:
    """Returns the folder of this worker, which Dask cleans up even after a kill."""
    from distributed import get_worker

    try:
        folder: str = get_worker().local_directory
    except ValueError:
        return None
    return folder
