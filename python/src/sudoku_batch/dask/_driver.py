"""Plans a run, hands its shards to Dask, and merges their parts."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_batch._errors import SudokuBatchError
from sudoku_batch._program import call, find_program, version

from . import _listing, _plan, _shard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from distributed import Client, Future

_RETRIES = 2
# Seconds for which a cluster may have no workers, as one that grows on demand has at first.
_WAIT = 60
# Seconds after which a run on chosen workers sees that none of them is left.
_LOOK = 10


class JobError(SudokuBatchError):
    """Nothing could be done: the inputs, the output folder or the workers do not fit."""


@dataclass(frozen=True)
class Job:
    """A run of `recognize`, `solve` or `rate` over inputs, as it is cut into shards."""

    command: str
    inputs: tuple[str, ...]
    """Files and folders, or URLs of photos and of folders of them."""
    out: Path
    """Folder of the results, which holds the plan and the parts too."""
    shards: int = 64
    threads: int = 1
    """Threads of the program for each shard; a worker does as many shards at a time as it has
    Dask threads."""
    flags: tuple[str, ...] = ()
    """More flags of the command, such as `--model`."""
    folder: Path = field(default_factory=Path.cwd)
    """The folder from which relative paths count, also on the workers."""

    @property
    def remote(self) -> bool:
        """Whether the inputs are URLs."""
        return any("://" in name for name in self.inputs)

    @property
    def plan(self) -> Path:
        """The frozen listing."""
        return self.folder / self.out / "plan.json"

    @property
    def parts(self) -> Path:
        """Folder of what the shards have written."""
        return self.folder / self.out / "parts"


def run(client: Client, job: Job, *, progress: bool = True) -> int:
    """Does what is still missing of a job, and merges it into the output folder.

    Args:
        client: A client of the cluster that does it.
        job: What to do. If the output folder has a part of the same job, only the rest is done.
        progress: Draw a progress bar on stderr.

    Returns:
        The exit code of the merge, or 1 if shards failed, or some workers could not do any; these
        are named on stderr.

    Raises:
        JobError: Nothing could be done.
        KeyboardInterrupt: Ctrl-C was pressed; the tasks are cancelled.
    """
    return run_on(nullcontext(client), job, progress=progress)


def run_on(connection: AbstractContextManager[Client], job: Job, *, progress: bool) -> int:
    """Does the same as `run`, and connects only if there is something to do."""
    _prepare(job)
    fit = None
    if missing := _missing(job):
        shards = _shards(job)
        with connection as client:
            fit = _fit_workers(client, shards)
            failed = _run_shards(client, shards, missing, fit, progress)
        if failed:
            for index, reason in sorted(failed.items()):
                _say(f"error: shard {index}/{shards.count}: {reason}")
            _say(f"{len(failed)} of {shards.count} shards failed; call again to try only these")
            return 1
    code = _program(
        "merge", str(job.parts), "--plan", str(job.plan), "--out", str(job.out), job=job
    )
    return code if fit is None else max(code, 1)


def _prepare(job: Job) -> None:
    """Freezes the listing, unless that was done by an earlier call for the same job."""
    if job.remote and job.command != "recognize":
        raise JobError(f"{job.command} takes files and folders, not URLs")
    if job.remote and not all("://" in name for name in job.inputs):
        raise JobError("give either URLs or files and folders, not both")
    job.parts.mkdir(parents=True, exist_ok=True)
    record = job.parts.parent / "run.json"
    same = {**asdict(job), "version": version()}
    del same["out"], same["threads"]
    same = json.loads(json.dumps(same, default=str))
    if job.plan.exists():
        before = json.loads(record.read_text()) if record.exists() else {}
        unlike = [name for name, value in same.items() if before.get(name) != value]
        if unlike:
            raise JobError(
                f"{job.out} holds another run ({unlike[0]}: {_words(before.get(unlike[0]))}, "
                f"not {_words(same[unlike[0]])}); give another --out, or remove that folder"
            )
        return
    _replace(record, json.dumps(same, indent=2) + "\n")
    _write_plan(job)


def _write_plan(job: Job) -> None:
    # Under another name first: a plan that is there is whole.
    new = job.plan.with_suffix(".new")
    arguments = ["plan", job.command, "--shards", str(job.shards), "--out", str(new)]
    with tempfile.TemporaryDirectory() as folder:
        if job.remote:
            listing = Path(folder) / "photos.tsv"
            listing.write_text("".join(map(_entry, _listed(job.inputs))), encoding="utf-8")
            arguments += ["--files-from", str(listing)]
        else:
            arguments += ["--", *job.inputs]
        # What it prints names the file by a name that it is about to lose.
        if (code := _program(*arguments, job=job, stdout=subprocess.DEVNULL)) not in (0, 1):
            raise JobError(f"the inputs could not be planned (exit code {code})")
    new.replace(job.plan)


def _listed(urls: Iterable[str]) -> list[tuple[str, int | None]]:
    try:
        return _listing.photos(urls)
    except ImportError as error:
        raise JobError(f"{error}; for URLs, `pip install sudoku-batch[fsspec]`") from error
    except Exception as error:  # Each store has exceptions of its own.
        raise JobError(f"the photos could not be listed: {error}") from error


def _entry(photo: tuple[str, int | None]) -> str:
    url, size = photo
    return f"{url}\n" if size is None else f"{url}\t{size}\n"


def _missing(job: Job) -> list[int]:
    # With exit code 1 it says that there are some.
    lines = call("merge", str(job.parts), "--plan", str(job.plan), "--missing", codes=(0, 1))
    return [int(line) for line in lines.split()]


def _shards(job: Job) -> _shard.Shards:
    plan = _plan.read(str(job.plan))
    return _shard.Shards(
        run=uuid.uuid4().hex,
        command=job.command,
        folder=str(job.folder),
        plan=str(job.plan),
        identity=plan.identity,
        parts=str(job.parts),
        count=len(plan.shards),
        threads=job.threads,
        flags=job.flags,
        version=version(),
        remote=job.remote,
    )


def _fit_workers(client: Client, shards: _shard.Shards) -> list[str] | None:
    """Names the workers that cannot do the shards, and returns the others if there are such.

    Raises:
        JobError: No worker can do them.
    """
    try:
        client.wait_for_workers(1, timeout=_WAIT)
    except asyncio.TimeoutError:
        raise JobError(f"the cluster had no workers for {_WAIT} seconds") from None
    found = client.run(_shard.unfit, shards, on_error="return")
    unfit = [
        f"worker {address} " + (f"failed: {reason}" if isinstance(reason, Exception) else reason)
        for address, reason in sorted(found.items())
        if reason is not None
    ]
    fit = [address for address, reason in found.items() if reason is None]
    if not fit:
        raise JobError("\n".join(unfit))
    for line in unfit:
        _say(f"error: {line}")
    return fit if unfit else None


def _run_shards(
    client: Client,
    shards: _shard.Shards,
    missing: list[int],
    workers: list[str] | None,
    progress: bool,
) -> dict[int, str]:
    """Runs shards, on these workers if some are chosen, and returns why some of them failed."""
    from tqdm import tqdm

    futures: list[Future[int]] = client.map(
        _shard.run_shard,
        [shards] * len(missing),
        missing,
        key=[f"sudoku-batch-{shards.run}-{index}" for index in missing],
        retries=_RETRIES,
        pure=False,
        workers=workers,
    )
    indices = dict(zip([future.key for future in futures], missing))
    failed: dict[int, str] = {}
    bar = tqdm(
        total=shards.count,
        initial=shards.count - len(missing),
        desc=shards.command,
        unit="shard",
        disable=not progress,
    )
    try:
        with bar:
            for future in _as_completed(client, futures, workers):
                if future is None:
                    lost = [it for it in futures if it.status == "pending"]
                    failed.update((indices[it.key], "all workers that fit are gone") for it in lost)
                    _cancel(client, lost, shards.run)
                    break
                # A shard whose worker died after it is done is pending again: its part is there.
                if future.status in ("error", "cancelled"):
                    failed[indices[future.key]] = _reason(future)
                else:
                    bar.update()
    except BaseException:
        _cancel(client, futures, shards.run)
        raise
    return failed


def _as_completed(
    client: Client, futures: list[Future[int]], workers: list[str] | None
) -> Iterator[Future[int] | None]:
    """Yields futures as they end, and None if no worker is left that may do the rest."""
    from distributed import as_completed

    ended, looked = as_completed(futures), time.monotonic()
    while not ended.is_empty():
        if workers is None or ended.has_ready():
            yield next(ended)
        elif time.monotonic() - looked < _LOOK:
            time.sleep(0.05)
        elif set(workers) & set(client.nthreads()):
            looked = time.monotonic()
        else:
            yield None
            return


def _reason(future: Future[int]) -> str:
    if future.status == "cancelled":
        return "the scheduler was lost"
    error = future.exception()
    return (
        str(error) if isinstance(error, _shard.ShardError) else f"{type(error).__name__}: {error}"
    )


def _cancel(client: Client, futures: list[Future[int]], run: str) -> None:
    try:
        client.cancel(futures, force=True)
        client.run(_shard.stop, run, on_error="ignore")
    except Exception as error:
        _say(f"the workers could not be told to stop: {error}")


def _program(*arguments: str, job: Job, stdout: int | None = None) -> int:
    command = [find_program(), *arguments]
    return subprocess.run(command, cwd=job.folder, check=False, stdout=stdout).returncode


def _replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def _words(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "nothing"
    return str(value)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
