"""Finds and calls the program that does the work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ._errors import SudokuBatchError

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "sudoku-batch"


def find_program() -> str:
    """Returns the path of the program `sudoku-batch`.

    The environment variable `SUDOKU_BATCH_PROGRAM` names it. Otherwise it is looked for among the
    scripts of this Python environment, beside the interpreter, and on `PATH`, in this order.

    Raises:
        SudokuBatchError: There is no such program.
    """
    if named := os.environ.get("SUDOKU_BATCH_PROGRAM"):
        if program := shutil.which(named):
            return program
        raise SudokuBatchError(f"SUDOKU_BATCH_PROGRAM names no program: {named}")
    folders = (sysconfig.get_path("scripts"), str(Path(sys.executable).parent), None)
    for folder in folders:
        if program := shutil.which(NAME, path=folder):
            return program
    raise SudokuBatchError(f"{NAME} is not installed: try `pip install {NAME}`")


def call(*arguments: str, codes: Sequence[int] = (0,)) -> str:
    """Runs the program to its end and returns what it prints.

    Raises:
        SudokuBatchError: Its exit code is none of `codes`.
    """
    done = subprocess.run(
        [find_program(), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode not in codes:
        raise SudokuBatchError(failure(done.stderr, done.returncode))
    return done.stdout


def version() -> str:
    """Returns the version of the program, such as `0.1.0`."""
    return call("--version").split()[-1]


def options(**values: object) -> list[str]:
    """Spells keyword arguments as flags, and leaves out those that are None."""
    flags: list[str] = []
    for name, value in values.items():
        if value is True:
            flags.append(f"--{name.replace('_', '-')}")
        elif value is not None and value is not False:
            flags += [f"--{name.replace('_', '-')}", str(value)]
    return flags


def milliseconds(seconds: float | None) -> int | None:
    """Converts a time limit in seconds to whole milliseconds, at least one."""
    if seconds is None:
        return None
    if not seconds > 0:
        raise ValueError(f"time_limit must be more than 0 seconds, not {seconds}")
    return max(1, round(seconds * 1000))


def failure(stderr: str, code: int) -> str:
    """Returns why the program failed: what it wrote, or how it ended if it wrote nothing."""
    return stderr.strip().removeprefix("error: ") or ended(code)


def ended(code: int) -> str:
    """Returns how the program ended, as part of a sentence."""
    if code < 0:
        return f"{NAME} was killed by signal {-code}"
    return f"{NAME} ended with exit code {code}"


def tail(file: IO[bytes], limit: int = 4000) -> str:
    """Returns the end of what was written to a file."""
    file.seek(0, os.SEEK_END)
    file.seek(max(0, file.tell() - limit))
    return file.read().decode(errors="replace")


def positive(name: str, value: int | None) -> int | None:
    """Checks a number of threads or processes."""
    if value is not None and value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return value


def command_line(arguments: Sequence[str]) -> list[str]:
    """Returns the program and its arguments, as `subprocess` takes them."""
    return [find_program(), *arguments]
