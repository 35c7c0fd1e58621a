"""Reads photos in processes of the program that stay up between photos."""

from __future__ import annotations

import os
import queue
from collections import deque
from collections.abc import Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

import pyarrow as pa
from tqdm import tqdm

from ._board import Board, ReadResult, board
from ._errors import ReadError
from ._photo import Source, encode, is_path
from ._program import milliseconds, options, positive
from ._worker import ROWS, Worker, unread

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from types import TracebackType
    from typing import Literal

    from typing_extensions import Self

# A row at a time, a table would be made of more padding than data.
_ROWS_OF_A_BATCH = 1024


class Reader:
    """Processes of the program that read photos, kept for as long as this object is open.

    Use it as a context manager, or call `close`. It may be used from several threads.

        with Reader(workers=4) as reader:
            for result in reader.read_many(Path("photos").glob("*.jpg")):
                print(result.source, [board.solution for board in result.boards])
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        model: str | os.PathLike[str] | None = None,
        backend: Literal["built-in", "opencv"] | None = None,
        decode: Literal["rules", "argmax"] | None = None,
        max_risk: float | None = None,
        time_limit: float | None = None,
    ) -> None:
        """Prepares the processes; each is started when it gets its first photo.

        Args:
            workers: Number of processes; as many as there are cores by default.
            model: Folder of a trained model; the built-in one by default.
            backend: Grid detector; `opencv` only if the program was built with it.
            decode: `rules` for the most probable board that has a solution (the default),
                `argmax` for each cell by itself.
            max_risk: Boards that are wrong with a greater probability are `uncertain`, such as
                0.001 for one wrong board in a thousand; 0.25 by default.
            time_limit: Seconds after which a photo is given up.
        """
        flags = options(
            model=model and os.fspath(model),
            backend=backend,
            decode=decode,
            max_risk=max_risk,
            time_limit=milliseconds(time_limit),
        )
        self.workers = positive("workers", workers) or _cores()
        self._all = [Worker(flags) for _ in range(self.workers)]
        # The one last used comes first, so that one photo at a time needs one process only.
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()
        for worker in self._all:
            self._idle.put(worker)

    def __enter__(self) -> Self:
        """Returns the reader itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Ends the processes."""
        self.close()

    def close(self) -> None:
        """Ends the processes; photos still being read are given up."""
        for worker in self._all:
            worker.close()

    def read(self, source: Source) -> list[Board]:
        """Returns the boards of a photo, best first; none if it shows none.

        A PDF, or a TIFF of several pages, gives the boards of all its pages; each has its `page`.

        Raises:
            ReadError: It is no picture, or took longer than the time limit. Of a document, none of
                the pages shows a board, and at least one could not be read.
            OSError: The file cannot be opened.
            SudokuBatchError: The program is missing, or does not start with these settings.
        """
        boards, error = _boards(self._rows(encode(source)).to_pylist())
        if error is not None and not boards:
            raise ReadError(error)
        return boards

    def read_many(
        self, sources: Iterable[Source], *, progress: bool = False
    ) -> Iterator[ReadResult]:
        """Reads photos as they are asked for, and yields their results in input order.

        A photo that cannot be read has its reason in `ReadResult.error`; nothing is raised for it.
        Only a few photos more than there are processes are taken from `sources` in advance.

        Args:
            sources: Any number of photos, of any of the types that `Source` lists.
            progress: Draw a progress bar.
        """
        return self._results(_not_one(sources), progress)

    def read_table(self, sources: Iterable[Source], *, progress: bool = False) -> pa.Table:
        """Reads photos into an Arrow table, which pandas and polars take as it is.

        There is a row for each board, and one with `puzzle` 0 for a photo without any. The column
        `photo` counts the photos from 0, `source` is the path or URL if it was given as one, and
        `page` the page of a document, from 1; the others are those of `results.csv` of
        `sudoku-batch recognize`.
        """
        metadata = None
        parts: list[pa.Table] = []
        batches = self._tables(_not_one(sources), progress)
        while part := list(islice(batches, _ROWS_OF_A_BATCH)):
            parts.append(pa.concat_tables(part).combine_chunks())
        for worker in self._all:
            metadata = metadata or worker.metadata
        table = pa.concat_tables(parts) if parts else _table(0, None, ROWS.empty_table())
        return table.replace_schema_metadata(metadata)

    def _results(self, sources: Iterable[Source], progress: bool) -> Iterator[ReadResult]:
        for source, rows in self._run(sources, progress):
            boards, error = _boards(rows.to_pylist())
            yield ReadResult(source, boards, error)

    def _tables(self, sources: Iterable[Source], progress: bool) -> Iterator[pa.Table]:
        for photo, (source, rows) in enumerate(self._run(sources, progress)):
            yield _table(photo, source, pa.Table.from_batches([rows]))

    def _run(
        self, sources: Iterable[Source], progress: bool
    ) -> Generator[tuple[Source, pa.RecordBatch], None, None]:
        """Yields each photo with its rows, in input order."""
        photos = iter(sources)
        window: deque[tuple[Source, Future[pa.RecordBatch]]] = deque()
        # Twice the processes: while half of the threads wait for an answer, the others open files.
        with _pool(2 * self.workers) as pool, _bar(sources, progress) as bar:
            while True:
                for source in islice(photos, 4 * self.workers - len(window)):
                    window.append((source, pool.submit(self._attempt, source)))
                if not window:
                    return
                source, rows = window.popleft()
                yield source, rows.result()
                bar.update()

    def _attempt(self, source: Source) -> pa.RecordBatch:
        """Returns the rows of a photo; one with an error if it cannot even be opened."""
        try:
            data = encode(source)
        except Exception as error:
            return unread(str(error))
        return self._rows(data)

    def _rows(self, data: bytes | memoryview) -> pa.RecordBatch:
        worker = self._idle.get()
        try:
            return worker.read(data)
        finally:
            self._idle.put(worker)


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    pool = ThreadPoolExecutor(threads, thread_name_prefix="sudoku-batch")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _bar(sources: Iterable[Source], progress: bool) -> tqdm[NoReturn]:
    if not progress:
        return tqdm(disable=True)
    # In a notebook, the import alone may print a warning.
    from tqdm.auto import tqdm as best

    return best(total=len(sources) if isinstance(sources, Sized) else None, unit="photo")


def _boards(rows: list[dict[str, Any]]) -> tuple[list[Board], str | None]:
    """Returns the boards in the rows of a photo or document, and why something was not read."""
    failed = [row for row in rows if row["puzzle"] == 0 and row["status"] != "no-grid"]
    boards = [board(row) for row in rows if row["puzzle"] > 0]
    return boards, "; ".join(map(_failure, failed)) or None


def _failure(row: dict[str, Any]) -> str:
    why: str = row["error"] or row["status"]
    return why if row["page"] is None else f"page {row['page']}: {why}"


def _table(photo: int, source: Source | None, rows: pa.Table) -> pa.Table:
    name = os.fspath(source) if is_path(source) else None
    return (
        rows.drop_columns("id")
        .add_column(0, "photo", pa.array([photo] * len(rows), pa.int64()))
        .add_column(1, "source", pa.array([name] * len(rows), pa.utf8()))
        .replace_schema_metadata(None)
    )


def _not_one(sources: Iterable[Source]) -> Iterable[Source]:
    """Refuses a single photo where several are meant: it would be taken apart."""
    if isinstance(sources, (str, bytes, bytearray, memoryview, os.PathLike)):
        raise TypeError("expected several photos, such as a list of paths; for one, call read()")
    return sources


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_default: Reader | None = None


def _forget_default() -> None:
    """Leaves the processes of the default reader to the process that has started them."""
    global _default
    _default = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_default)


def read(source: Source) -> list[Board]:
    """Returns the boards of a photo, best first; none if it shows none.

    The program is started at the first call and stays up for the next ones; for other settings
    than those of the program, use `Reader`.

    Args:
        source: A path or URL, the bytes of a picture file, an array of uint8 pixels of the shape
            (H, W) or (H, W, 3), or a PIL image. A PDF, or a TIFF of several pages, gives the boards
            of all its pages; each has its `page`.

    Raises:
        ReadError: It is no picture. Of a document, none of the pages shows a board, and at least
            one could not be read.
        OSError: The file cannot be opened.
        SudokuBatchError: The program is missing.
    """
    global _default
    if _default is None:
        _default = Reader(workers=1)
    return _default.read(source)


def read_many(
    sources: Iterable[Source],
    *,
    workers: int | None = None,
    progress: bool = False,
    model: str | os.PathLike[str] | None = None,
    backend: Literal["built-in", "opencv"] | None = None,
    decode: Literal["rules", "argmax"] | None = None,
    max_risk: float | None = None,
    time_limit: float | None = None,
) -> Iterator[ReadResult]:
    """Reads photos as they are asked for, and yields their results in input order.

    A photo that cannot be read has its reason in `ReadResult.error`; nothing is raised for it.
    `Reader` has the arguments.
    """
    reader = Reader(
        workers=workers,
        model=model,
        backend=backend,
        decode=decode,
        max_risk=max_risk,
        time_limit=time_limit,
    )
    results = reader.read_many(sources, progress=progress)
    return _closing(reader, results)


def read_table(
    sources: Iterable[Source],
    *,
    workers: int | None = None,
    progress: bool = False,
    model: str | os.PathLike[str] | None = None,
    backend: Literal["built-in", "opencv"] | None = None,
    decode: Literal["rules", "argmax"] | None = None,
    max_risk: float | None = None,
    time_limit: float | None = None,
) -> pa.Table:
    """Reads photos into an Arrow table, which pandas and polars take as it is.

    `Reader` has the arguments, `Reader.read_table` the columns.
    """
    with Reader(
        workers=workers,
        model=model,
        backend=backend,
        decode=decode,
        max_risk=max_risk,
        time_limit=time_limit,
    ) as reader:
        return reader.read_table(sources, progress=progress)


def _closing(reader: Reader, results: Iterator[ReadResult]) -> Iterator[ReadResult]:
    with reader:
        yield from results
