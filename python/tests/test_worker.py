"""Processes that read photos: how they are kept, and what happens when one dies."""

import itertools
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sudoku_batch import Reader, ReadError, SudokuBatchError, read_many, read_table

pytestmark = pytest.mark.usefixtures("fake_program")


def test_a_killed_process_costs_one_photo_only() -> None:
    photos = [b"board", b"kill", b"two", b"none", b"broken"] * 3
    results = list(read_many(photos, workers=2))
    assert [result.source for result in results] == photos
    assert [len(result.boards) for result in results] == [1, 0, 2, 0, 0] * 3
    errors = [result.error for result in results][:5]
    killed = "sudoku-batch was killed by signal 9 while it read the photo: out of memory"
    assert errors == [None, killed, None, None, "not a picture"]


def test_a_page_that_fails_costs_no_other_and_is_named() -> None:
    book, torn = read_many([b"book", b"torn"])
    assert [board.page for board in book.boards] == [2]
    assert book.error == "page 1: damaged page; page 3: damaged page"
    assert torn.boards == []
    assert torn.error == "page 1: damaged page"
    with Reader(workers=1) as reader:
        assert len(reader.read(b"book")) == 1
        with pytest.raises(ReadError, match="page 1: damaged page"):
            reader.read(b"torn")


def test_a_photo_is_tried_twice(tmp_path: Path) -> None:
    (result,) = read_many([f"kill-once {tmp_path / 'killed'}".encode()])
    assert result.error is None
    assert len(result.boards) == 1


def test_processes_stay_up_between_photos() -> None:
    with Reader(workers=1) as reader:
        first = reader.read_table([b"board", b"board"]).schema.metadata
        assert reader.read_table([b"board"]).schema.metadata == first
        assert first[b"sudoku_batch.version"] == b"9.9"
        os.kill(int(first[b"process"]), 9)
        assert reader.read_table([b"board"]).schema.metadata != first


def test_settings_that_the_program_refuses_are_raised() -> None:
    with pytest.raises(SudokuBatchError, match="no model in missing"):
        list(read_many([b"board"], model="missing"))


def test_a_program_that_speaks_something_else_is_named(
    fake_program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_program.write_text(
        "#!/bin/sh\nprintf '\\377\\377\\377\\377\\4\\0\\0\\0junk'; exec sleep 60\n"
    )
    monkeypatch.setattr("sudoku_batch._worker._GRACE", 0.1)
    with pytest.raises(SudokuBatchError, match="no Arrow stream"):
        list(read_many([b"board"]))


def test_photos_are_taken_as_results_are_asked_for() -> None:
    taken = itertools.count()

    def photos() -> Iterator[bytes]:
        for _ in taken:
            yield b"board"

    results = read_many(photos(), workers=2)
    for _ in range(100):
        next(results)
    assert next(taken) <= 100 + 4 * 2
    threads = threading.active_count()
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() < threads


def test_a_reader_serves_several_threads() -> None:
    with Reader(workers=2) as reader:
        counts: list[int] = []

        def work() -> None:
            counts.extend(len(reader.read(b"two")) for _ in range(50))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts == [2] * 200


def test_a_closed_reader_ends_at_once_and_says_so() -> None:
    reader = Reader(workers=1)
    results = reader.read_many([b"slow"] * 100)
    next(results)
    started = time.monotonic()
    reader.close()
    with pytest.raises(SudokuBatchError, match="closed"):
        list(results)
    assert time.monotonic() - started < 5


def test_errors_are_exceptions_of_a_single_photo() -> None:
    with Reader(workers=1) as reader:
        with pytest.raises(ReadError, match="not a picture"):
            reader.read(b"broken")
        assert reader.read(b"none") == []


def test_a_table_has_a_row_for_each_board_and_for_each_photo_without() -> None:
    table = read_table([b"two", b"none", b"kill", b"board"], workers=1)
    assert table["photo"].to_pylist() == [0, 0, 1, 2, 3]
    assert table["puzzle"].to_pylist() == [1, 2, 0, 0, 1]
    assert table["status"].to_pylist() == ["solved", "solved", "no-grid", "unreadable", "solved"]
    assert read_table([]).schema == table.schema.remove_metadata()


def test_several_photos_are_not_one() -> None:
    with pytest.raises(TypeError, match="call read"):
        read_many("photo.jpg")
    with pytest.raises(TypeError, match="call read"):
        read_table(Path("photo.jpg"))  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", [{"workers": 0}, {"time_limit": 0}])
def test_settings_out_of_range(settings: "dict[str, int]") -> None:
    with pytest.raises(ValueError, match="must be"):
        Reader(**settings)  # type: ignore[arg-type]
