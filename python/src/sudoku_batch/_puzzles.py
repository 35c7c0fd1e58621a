"""Solves, rates and generates puzzles, streaming through the program."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, TypedDict, cast

import pyarrow as pa
import pyarrow.csv

from ._errors import SudokuBatchError
from ._program import call, command_line, failure, options, positive, tail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal

_PUZZLE = re.compile(r"[0-9.*_-]{81}")
# Seconds for which lines may wait for others before they are sent.
_PATIENCE = 0.1


class Rating(TypedDict):
    """How hard a puzzle is. What a profile does not say is None."""

    puzzle: str
    """81 characters, blanks are `.`."""
    givens: int
    lee_givens: str
    """Lee's level by the number of givens."""
    lee_houses: str
    """Lee's level by the fewest givens in a row or column."""
    profile: str
    """Whose techniques, order and scale the rest is by."""
    solved: bool
    """Whether no guess was needed."""
    er: float | None
    """`se-1.2.1`: rating of the hardest step."""
    ep: float | None
    """`se-1.2.1`: rating of the hardest step up to the first placement."""
    ed: float | None
    """`se-1.2.1`: rating of the first step."""
    level: str | None
    """`hodoku-2.2`: EASY to EXTREME."""
    score: int | None
    """`hodoku-2.2`: sum of the scores of the steps."""
    hardest: str | None
    """The hardest technique needed."""
    steps: int | None
    """Steps of logic."""
    guesses: int | None
    """Digits that had to be guessed."""
    error: str | None
    """Why the puzzle is not rated: no solution, many solutions, or the time limit."""


_WHOLE = ("givens", "score", "steps", "guesses")
_REAL = ("er", "ep", "ed")
_COLUMNS = {
    name: pa.bool_()
    if name == "solved"
    else pa.int64()
    if name in _WHOLE
    else pa.float64()
    if name in _REAL
    else pa.utf8()
    for name in Rating.__annotations__
}


def solve(
    puzzles: Iterable[str],
    *,
    goal: Literal["unique", "first"] | None = None,
    count: int | None = None,
    solver: str | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    boxes: str | None = None,
    regions: str | None = None,
    diagonals: bool = False,
    windows: bool = False,
    symbols: str | None = None,
) -> Iterator[str]:
    """Solves puzzles and yields an answer for each, in input order.

    An answer is a solution of 81 digits, `unsolvable`, `multiple` if there are several solutions,
    `timeout`, or `stuck` if a solver without search finds no further step. Any number of puzzles
    takes the same memory; a thread feeds them to the program.

    Args:
        puzzles: Puzzles of 81 characters each: digits, and `.`, `0`, `*`, `_` or `-` for blanks.
        goal: `unique` proves that a solution is the only one (the default), `first` takes the
            first solution found.
        count: Instead of a goal: list up to this many solutions, joined by commas.
        solver: Name of a solver of `sudoku-batch bench --list`.
        time_limit: Seconds after which a puzzle is a `timeout`.
        threads: Number of threads; as many as there are cores by default.
        boxes: Rows and columns of a box, such as `2x3`. With this or one of the next four the
            puzzles are boards of any size, in the formats of `sudoku-batch convert --help`.
        regions: Regions of a jigsaw, where the lines do not have them: a symbol for each cell.
        diagonals: Both diagonals have all values.
        windows: The extra boxes of a windoku.
        symbols: How values are written: `1-9A-Z`, `0-9A-Z`, `A-Z`, `numbers` or `0-numbers`.

    Raises:
        ValueError: A puzzle is malformed; the message has its line, counted from 1. The answers
            to the puzzles before it come first.
        SudokuBatchError: The program is missing, refuses an argument, or cannot read a puzzle that
            is not classic.
    """
    if goal is not None and count is not None:
        raise ValueError("give either goal or count, not both")
    flags = options(goal=goal, count=count, solver=solver, time_limit=_time(time_limit))
    layout = options(
        boxes=boxes, regions=regions, diagonals=diagonals, windows=windows, symbols=symbols
    )
    line = _any_line if layout else _line
    return _solve(_several(puzzles), ["solve", *flags, *layout, *_threads(threads)], line)


def rate(
    puzzles: Iterable[str],
    *,
    profile: Literal["native", "hodoku-2.2", "se-1.2.1", "all"] | None = None,
    assume_unique: bool = False,
    time_limit: float | None = None,
    threads: int | None = None,
) -> Iterator[Rating]:
    """Rates how hard puzzles are for people, and yields a rating for each, in input order.

    Args:
        puzzles: Puzzles of 81 characters each: digits, and `.`, `0`, `*`, `_` or `-` for blanks.
        profile: Which techniques, in which order: `native` (the default), `hodoku-2.2`,
            `se-1.2.1`, or `all` that there are.
        assume_unique: Take steps that are right only for puzzles with one solution, where there
            are many.
        time_limit: Seconds after which a puzzle is not rated.
        threads: Number of threads; as many as there are cores by default.

    Raises:
        ValueError: A puzzle is malformed; the message has its line, counted from 1. The ratings
            of the puzzles before it come first.
        SudokuBatchError: The program is missing or refuses an argument.
    """
    return _rate(_several(puzzles), _rating(profile, assume_unique, time_limit, threads))


def rate_table(
    puzzles: Iterable[str],
    *,
    profile: Literal["native", "hodoku-2.2", "se-1.2.1", "all"] | None = None,
    assume_unique: bool = False,
    time_limit: float | None = None,
    threads: int | None = None,
) -> pa.Table:
    """Rates puzzles into an Arrow table, which pandas and polars take as it is.

    The arguments are those of `rate`, the columns the fields of `Rating`.
    """
    convert = pa.csv.ConvertOptions(
        column_types=_COLUMNS,
        include_columns=list(_COLUMNS),
        strings_can_be_null=True,
        null_values=[""],
        true_values=["1"],
        false_values=["0"],
    )
    arguments = _rating(profile, assume_unique, time_limit, threads)
    with _pipe(arguments, _several(puzzles), _line) as pipe:
        # Nothing comes out where nothing went in, not even a header.
        if not pipe.stdout.peek(1):
            return pa.schema(list(_COLUMNS.items())).empty_table()
        table = pa.csv.read_csv(pipe.stdout, convert_options=convert)
        pipe.answers = len(table)
        return table


def generate(
    count: int = 1,
    *,
    kind: Literal["easy", "minimal", "any"] | None = None,
    er: str | None = None,
    level: str | None = None,
    givens: str | int | None = None,
    symmetry: str | None = None,
    distribution: Literal["bottom-up", "top-down", "controlled"] | None = None,
    layout: str | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> list[str]:
    """Generates puzzles, each with exactly one solution.

    Args:
        count: How many.
        kind: `easy` (singles alone solve it), `minimal` (no given can be left out) or `any` (with
            givens added until there are as many as asked for). The default is `minimal`, `any`
            from 29 givens on, and `easy` with a layout.
        er: Only puzzles with such a rating by Sudoku Explainer: `8.0..9.0`, `8..` or `..3.4`.
        level: Only puzzles of such a level by HoDoKu: `hard`, or `medium..unfair`.
        givens: Only puzzles with so many givens: `22..24`, or 24.
        symmetry: Symmetry of the pattern of givens, such as `half-turn`.
        distribution: How minimal puzzles are drawn; `generate --help` says what each favours.
        layout: Boards of other sizes and shapes: a size such as `6x6`, or `x`, `windoku`, `jigsaw`
            or `killer`, or several of them, as in `7x7-jigsaw`.
        seed: The same seed gives the same puzzles, on every machine.
        threads: Number of threads; as many as there are cores by default.

    Returns:
        Puzzles of 81 characters, blanks are `.`; with a layout, lines of cells and of fields parted
        by tabs, which `solve` takes.
    """
    if count < 0:
        raise ValueError(f"count must not be negative, but is {count}")
    if count == 0:
        return []
    flags = options(
        count=count,
        kind=kind,
        er=er,
        level=level,
        givens=givens,
        symmetry=symmetry,
        distribution=distribution,
        layout=layout,
        seed=seed,
    )
    return call("generate", "--quiet", *flags, *_threads(threads)).splitlines()


def _solve(
    puzzles: Iterable[str], arguments: list[str], line: Callable[[int, str], bytes]
) -> Iterator[str]:
    with _pipe(arguments, puzzles, line) as pipe, io.TextIOWrapper(pipe.stdout, "ascii") as lines:
        for answer in lines:
            pipe.answers += 1
            yield answer.rstrip()


def _rate(puzzles: Iterable[str], arguments: list[str]) -> Iterator[Rating]:
    with _pipe(arguments, puzzles, _line) as pipe, _csv(pipe.stdout) as lines:
        for row in csv.DictReader(lines):
            pipe.answers += 1
            yield _typed(row)


def _csv(stdout: io.BufferedReader) -> io.TextIOWrapper:
    return io.TextIOWrapper(stdout, encoding="utf-8", newline="")


def _typed(row: dict[str, str]) -> Rating:
    rating: dict[str, object] = {name: row[name] or None for name in _COLUMNS}
    rating.update({name: int(row[name]) for name in _WHOLE if row[name]})
    rating.update({name: float(row[name]) for name in _REAL if row[name]})
    rating["solved"] = row["solved"] == "1"
    return rating  # type: ignore[return-value]


def _rating(
    profile: str | None, assume_unique: bool, time_limit: float | None, threads: int | None
) -> list[str]:
    flags = options(profile=profile, assume_unique=assume_unique, time_limit=_time(time_limit))
    return ["rate", *flags, *_threads(threads)]


def _threads(threads: int | None) -> list[str]:
    return options(threads=positive("threads", threads))


def _time(seconds: float | None) -> str | None:
    if seconds is not None and not seconds > 0:
        raise ValueError(f"time_limit must be more than 0 seconds, not {seconds}")
    return None if seconds is None else f"{max(1, round(seconds * 1e6))}us"


def _several(puzzles: Iterable[str]) -> Iterable[str]:
    """Refuses a single puzzle where several are meant: it would be taken apart."""
    if isinstance(puzzles, str):
        raise TypeError("expected several puzzles, such as a list or an open file, not a string")
    return puzzles


class _Pipe:
    """The program between a thread that feeds it lines and a caller that takes its output."""

    def __init__(self, stdout: io.BufferedReader) -> None:
        self.stdout = stdout
        self.sent = 0
        self.answers = 0
        self.error: BaseException | None = None

    def feed(
        self, stdin: IO[bytes], puzzles: Iterable[str], line: Callable[[int, str], bytes]
    ) -> None:
        """Writes puzzles until there are no more, or one is malformed; runs in its own thread."""
        try:
            flushed = time.monotonic()
            for number, puzzle in enumerate(puzzles, 1):
                stdin.write(line(number, puzzle))
                self.sent = number
                now = time.monotonic()
                if now - flushed > _PATIENCE:
                    stdin.flush()
                    flushed = now
        except BrokenPipeError:
            pass  # The program has ended, and its exit code says why.
        except BaseException as error:
            self.error = error
        finally:
            with suppress(OSError):
                stdin.close()

    def check(self, code: int, stderr: IO[bytes]) -> None:
        """Raises what went wrong, if anything did, after the end of the program."""
        if self.error is not None:
            raise self.error
        # Without any puzzle it says so, with exit code 2.
        if code not in (0, 1) and self.sent > 0:
            raise SudokuBatchError(failure(tail(stderr), code))
        if self.answers != self.sent:
            message = tail(stderr).strip() or f"{self.answers} answers to {self.sent} puzzles"
            raise SudokuBatchError(message)


@contextmanager
def _pipe(
    arguments: list[str], puzzles: Iterable[str], line: Callable[[int, str], bytes]
) -> Iterator[_Pipe]:
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(
            command_line([*arguments, "--quiet", "-"]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
        pipe = _Pipe(cast("io.BufferedReader", process.stdout))
        feeder = threading.Thread(
            target=pipe.feed, args=(process.stdin, puzzles, line), daemon=True
        )
        feeder.start()
        try:
            yield pipe
            code = process.wait()
        finally:
            process.kill()
            process.wait()
            pipe.stdout.close()
            # It may wait for a puzzle that nobody is going to read any more.
            feeder.join(timeout=1)
        pipe.check(code, stderr)


def _line(number: int, puzzle: str) -> bytes:
    line = puzzle.rstrip()
    if not _PUZZLE.fullmatch(line):
        raise ValueError(
            f"line {number}: a puzzle is 81 digits or blanks (. 0 * _ -), not {line[:100]!r}"
        )
    return line.encode("ascii") + b"\n"


def _any_line(number: int, puzzle: str) -> bytes:
    line = puzzle.strip()
    if not line or line.startswith("#") or "\n" in line or not line.isascii():
        raise ValueError(f"line {number}: a puzzle is a line of ASCII text, not {line[:100]!r}")
    return line.encode("ascii") + b"\n"
