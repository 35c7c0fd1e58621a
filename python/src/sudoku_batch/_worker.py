"""A process of the program that reads photos: Arrow in, Arrow out, one batch at a time."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import pyarrow as pa

from ._errors import SudokuBatchError
from ._program import command_line, ended, failure, tail

if TYPE_CHECKING:
    import io
    from collections.abc import Sequence
    from typing import IO

# Seconds for which a process may take to end after it has said something wrong.
_GRACE = 5.0

_INPUT_COLUMNS: dict[str, pa.DataType] = {"id": pa.int64(), "bytes": pa.large_binary()}
INPUT = pa.schema(_INPUT_COLUMNS)

_COLUMNS: dict[str, pa.DataType] = {
    "id": pa.int64(),
    "puzzle": pa.uint32(),
    "status": pa.utf8(),
    "givens": pa.utf8(),
    "decoded": pa.utf8(),
    "solution": pa.utf8(),
    "solutions": pa.utf8(),
    "confidence": pa.float32(),
    "margin": pa.float32(),
    "overruled": pa.uint32(),
    "rotation": pa.uint16(),
    "corners": pa.list_(pa.float32(), 8),
    "error": pa.utf8(),
    "decode_ms": pa.float32(),
    "detect_ms": pa.float32(),
    "read_ms": pa.float32(),
    "solve_ms": pa.float32(),
    "filled": pa.utf8(),
    "read": pa.utf8(),
    "marks": pa.utf8(),
    "page": pa.uint32(),
}
ROWS = pa.schema(_COLUMNS)
"""The columns of an answer: a row for each board, or one for a photo or page without any."""


def unread(error: str) -> pa.RecordBatch:
    """Returns the row of a photo that could not be read."""
    row = {"id": 0, "puzzle": 0, "status": "unreadable", "error": error}
    return pa.RecordBatch.from_pylist([row], schema=ROWS)


class _LostError(Exception):
    """The process ended while it had work."""


class Worker:
    """A process that reads one photo at a time, started when it is needed.

    A process that dies is started again, and the photo is tried once more.
    """

    def __init__(self, flags: Sequence[str]) -> None:
        """Prepares a process with these flags of `sudoku-batch worker`."""
        self._flags = flags
        self._process: _Process | None = None
        self._closed = False
        self._lock = threading.Lock()

    def read(self, data: bytes | memoryview) -> pa.RecordBatch:
        """Returns the rows of a photo.

        Raises:
            SudokuBatchError: The program does not start with these flags.
        """
        with self._lock:
            try:
                return self._try(data)
            except _LostError:
                self._drop()
            try:
                return self._try(data)
            except _LostError as lost:
                self._drop()
                return unread(str(lost))

    def _try(self, data: bytes | memoryview) -> pa.RecordBatch:
        if self._closed:
            raise SudokuBatchError("the reader was closed")
        if self._process is None:
            self._process = _Process(self._flags)
        try:
            return self._process.exchange(data)
        except SudokuBatchError:
            self._drop()
            raise

    @property
    def metadata(self) -> dict[bytes, bytes] | None:
        """The version of the program and of its model, once a photo was read."""
        return None if self._process is None else self._process.metadata

    def close(self) -> None:
        """Ends the process, also in the middle of a photo."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()


class _Process:
    def __init__(self, flags: Sequence[str]) -> None:
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            command_line(["worker", "-j", "1", *flags]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            # Ctrl-C is for this program to handle; the worker ends with its input.
            start_new_session=True,
        )
        self._stdin = cast("io.BufferedWriter", self._process.stdin)
        self._stdout = cast("io.BufferedReader", self._process.stdout)
        self._writer: pa.RecordBatchStreamWriter | None = None
        self._reader: pa.RecordBatchStreamReader | None = None
        self.metadata: dict[bytes, bytes] | None = None

    def exchange(self, data: bytes | memoryview) -> pa.RecordBatch:
        batch = pa.record_batch(
            [pa.array([0], pa.int64()), pa.array([data], pa.large_binary())], schema=INPUT
        )
        try:
            if self._writer is None:
                self._writer = pa.ipc.new_stream(self._stdin, INPUT)
            self._writer.write_batch(batch)
            self._stdin.flush()
            if self._reader is None:
                self._reader = pa.ipc.open_stream(self._stdout)
                self.metadata = self._reader.schema.metadata
            return self._reader.read_next_batch().select(ROWS.names)
        except (OSError, ValueError, StopIteration) as broken:
            raise self._why(broken) from broken

    def _why(self, broken: Exception) -> Exception:
        """Returns the reason for which nothing more is to be had from the process."""
        try:
            code = self._process.wait(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            return SudokuBatchError(f"the answer of the program is no Arrow stream: {broken}")
        stderr = tail(self._stderr)
        if code == 2:
            return SudokuBatchError(failure(stderr, code))
        last = stderr.strip().rpartition("\n")[2]
        return _LostError(f"{ended(code)} while it read the photo" + (f": {last}" if last else ""))

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # What was not yet written has nowhere to go.
            self._stdin.close()
        self._stdout.close()
        self._stderr.close()
