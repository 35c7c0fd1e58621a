"""The command line of `python -m sudoku_batch.dask`."""

from __future__ import annotations

import argparse
import logging
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_batch._errors import SudokuBatchError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from distributed import Client

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a job as the command line says, and returns the exit code."""
    own, flags = _split(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(own)
    try:
        return _run(options, flags)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; call again to do the rest\n")
        return _INTERRUPTED
    except (SudokuBatchError, OSError) as error:
        for line in str(error).splitlines():
            sys.stderr.write(f"error: {line}\n")
        return 2


def _run(options: argparse.Namespace, flags: Sequence[str]) -> int:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise SudokuBatchError(
            "Dask is not installed: try `pip install sudoku-batch[dask]`"
        ) from None
    from ._driver import Job, run_on

    job = Job(
        command=options.command,
        inputs=tuple(options.inputs),
        out=options.out,
        shards=options.shards,
        threads=options.threads,
        flags=tuple(flags),
    )
    return run_on(_client(options), job, progress=not options.quiet)


@contextmanager
def _client(options: argparse.Namespace) -> Iterator[Client]:
    from dask import config
    from distributed import Client, LocalCluster

    if options.scheduler:
        with Client(options.scheduler) as client:
            yield client
        return
    # The worker only waits for the program: nothing of its own is worth a hundred looks a second.
    quiet = {
        "distributed.worker.profile.enabled": False,
        "distributed.admin.system-monitor.interval": "10s",
    }
    with (
        config.set(quiet),
        LocalCluster(
            # The processes are those of the program, one for each thread of the only worker, which
            # needs no process either: that it has none saves as many starts of Python.
            n_workers=1,
            threads_per_worker=options.local,
            processes=False,
            # The memory is that of the program, which Dask does not see.
            memory_limit=0,
            dashboard_address=None,
            # Dask would print each failed shard with its traceback; the driver names it.
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Parts the arguments at `--`; what follows is for the program."""
    if "--" not in arguments:
        return arguments, ()
    end = list(arguments).index("--")
    return arguments[:end], arguments[end + 1 :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sudoku_batch.dask",
        description="Runs a command of sudoku-batch on many machines with Dask. "
        "Called again, it does only what is missing.",
        epilog="Flags after `--` go to the command, such as `-- --model DIR`. Exit codes: 0 all "
        "clean, 1 some photos, puzzles or shards failed, 2 error, 130 interrupted.",
    )
    parser.add_argument("command", choices=["recognize", "solve", "rate"])
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="files and folders; for recognize also URLs, such as s3://bucket/photos",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where the results go"
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")
    where.add_argument(
        "--local", type=_at_least_one, metavar="N", help="N shards at a time on this machine"
    )
    parser.add_argument(
        "--shards",
        type=_at_least_one,
        default=64,
        metavar="N",
        help="parts to cut the inputs into [default: %(default)s]",
    )
    parser.add_argument(
        "-j",
        "--threads",
        type=_at_least_one,
        default=1,
        metavar="N",
        help="threads for each shard; a worker does as many shards at a time as it has Dask "
        "threads [default: %(default)s]",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="draw no progress bar")
    return parser


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


if __name__ == "__main__":
    sys.exit(main())
