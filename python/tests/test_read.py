"""Photos, given in every way, through the program."""

import io
import os
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from PIL import Image

import sudoku_batch
from sudoku_batch import Board

TWO = "007-two-boards.jpg"


def truth(photo: Path) -> "list[str]":
    lines = photo.with_suffix(".txt").read_text().split()
    return [] if lines == ["none"] else lines


def decoded(boards: "list[Board]") -> "list[str | None]":
    return sorted((board.decoded for board in boards), key=str)


def test_all_photos_of_the_repository_come_out_right(photos: Path) -> None:
    paths = sorted(photos.glob("*.jpg"))
    results = list(sudoku_batch.read_many(iter(paths), workers=2))
    assert [result.source for result in results] == paths
    for path, result in zip(paths, results):
        assert result.error is None
        assert decoded(result.boards) == sorted(truth(path)), path.name


def test_a_board_has_its_place(photos: Path) -> None:
    (board,) = sudoku_batch.read(photos / "000-newspaper.jpg")
    assert board.status == "solved"
    assert board.solutions == "1"
    assert board.error is None
    assert board.confidence is not None
    assert board.confidence > 0.9
    assert board.solution is not None
    assert board.solution.isdigit()
    assert board.corners is not None
    assert board.corners[0].x == pytest.approx(152.5, abs=2)
    (top, right, bottom, left) = board.corners
    assert top.x < right.x
    assert top.y < left.y
    assert left.x < bottom.x
    with pytest.raises(AttributeError):
        board.status = "other"  # type: ignore[misc]


def test_a_photo_may_be_given_in_many_ways(photos: Path) -> None:
    path = photos / TWO
    boards = sudoku_batch.read(path)
    assert decoded(boards) == sorted(truth(path))
    data = path.read_bytes()
    with Image.open(path) as image:
        image.load()
    pixels = np.asarray(image)
    gray = np.asarray(image.convert("L"))
    assert sudoku_batch.read(str(path)) == boards
    assert sudoku_batch.read(data) == boards
    assert sudoku_batch.read(bytearray(data)) == boards
    assert sudoku_batch.read(np.frombuffer(data, np.uint8)) == boards
    for source in (image, image.convert("RGBA"), image.convert("L"), pixels, gray, gray.T.copy().T):
        assert decoded(sudoku_batch.read(source)) == decoded(boards)


def test_arrays_of_other_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"not \(4, 5, 4\)"):
        sudoku_batch.read(np.zeros((4, 5, 4), np.uint8))
    with pytest.raises(TypeError, match="must be uint8"):
        sudoku_batch.read(np.zeros((4, 5)))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not NoneType"):
        sudoku_batch.read(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="8 bits"):
        sudoku_batch.read(Image.new("I;16", (9, 9)))


def test_a_photo_without_a_board_has_none(photos: Path) -> None:
    assert sudoku_batch.read(photos / "017-text.jpg") == []
    assert sudoku_batch.read(np.zeros((50, 50), np.uint8)) == []


def test_what_is_no_picture_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sudoku_batch.ReadError, match="not a picture"):
        sudoku_batch.read(b"some text, and no picture")
    with pytest.raises(FileNotFoundError):
        sudoku_batch.read(tmp_path / "none.jpg")
    text, missing = sudoku_batch.read_many([b"some text, and no picture", tmp_path / "none.jpg"])
    assert text.error is not None
    assert "not a picture" in text.error
    assert missing.error is not None
    assert "No such file" in missing.error


def test_a_document_gives_the_boards_of_all_pages(photos: Path, tmp_path: Path) -> None:
    names = [TWO, "017-text.jpg", "000-newspaper.jpg"]
    expected = [(page, board) for page in (1, 3) for board in truth(photos / names[page - 1])]
    for name in ("book.pdf", "scan.tif"):
        path = tmp_path / name
        # Saving leaves its mark on an image.
        pages = [Image.open(photos / page) for page in names]
        pages[0].save(path, save_all=True, append_images=pages[1:])
        for source in (path, path.read_bytes()):
            boards = sudoku_batch.read(source)
            assert sorted((board.page, board.decoded) for board in boards) == sorted(expected)
        rows = sudoku_batch.read_table([photos / TWO, path]).to_pylist()
        assert [row["page"] for row in rows] == [None, None, 1, 1, 2, 3]
        assert [row["photo"] for row in rows] == [0, 0, 1, 1, 1, 1]
    assert {board.page for board in sudoku_batch.read(photos / TWO)} == {None}
    with pytest.raises(sudoku_batch.ReadError, match="damaged PDF"):
        sudoku_batch.read(b"%PDF-1.4 and no more")


def test_a_photo_that_takes_too_long_is_an_error(photos: Path) -> None:
    reader = sudoku_batch.Reader(workers=1, time_limit=0.001)
    with reader, pytest.raises(sudoku_batch.ReadError, match="longer than the limit"):
        reader.read(photos / TWO)


def test_settings_reach_the_program(photos: Path, tmp_path: Path) -> None:
    with pytest.raises(sudoku_batch.SudokuBatchError, match="none"):
        list(sudoku_batch.read_many([photos / TWO], model=tmp_path / "none"))
    (result,) = sudoku_batch.read_many([photos / TWO], decode="argmax")
    assert all(board.decoded == board.givens for board in result.boards)
    with sudoku_batch.Reader(workers=1, max_risk=0) as reader:
        assert [board.status for board in reader.read(photos / TWO)] == ["uncertain"]


def test_a_table_goes_into_pandas_and_polars(photos: Path) -> None:
    sources: list[sudoku_batch.Source] = [photos / TWO, photos / "017-text.jpg", b"no picture"]
    table = sudoku_batch.read_table(sources, workers=1)
    names = [str(source) for source in sources[:2]]
    assert table["source"].to_pylist() == [names[0], names[0], names[1], None]
    assert table["status"].to_pylist() == ["solved", "solved", "no-grid", "unreadable"]
    assert table.schema.metadata[b"sudoku_batch.version"].decode() == sudoku_batch.__version__
    assert b"sudoku_batch.model" in table.schema.metadata
    frame = pl.DataFrame(table)
    assert frame.filter(pl.col("puzzle") > 0)["confidence"].min() > 0.9  # type: ignore[operator]
    assert frame.schema["corners"] == pl.Array(pl.Float32, 8)
    assert table.to_pandas()["solution"].notna().sum() == 2
    assert isinstance(table.to_pandas(), pd.DataFrame)


def test_progress_is_drawn_if_asked_for(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    list(sudoku_batch.read_many([photos / TWO]))
    assert capsys.readouterr().err == ""
    list(sudoku_batch.read_many([photos / TWO], progress=True))
    assert "1/1" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_starts_a_program_of_its_own(photos: Path) -> None:
    boards = sudoku_batch.read(photos / TWO)
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        same = sudoku_batch.read(photos / TWO) == boards
        os.write(writer, b"same" if same else b"other")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 9) == b"same"
    os.close(reader)
    os.close(writer)
    assert sudoku_batch.read(photos / TWO) == boards


def test_a_url_is_read_by_fsspec(photos: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://photos/two.jpg", "wb") as file:
        file.write((photos / TWO).read_bytes())
    assert len(sudoku_batch.read("memory://photos/two.jpg")) == 2


def test_pictures_in_memory_need_no_library(photos: Path) -> None:
    with Image.open(photos / TWO) as image:
        pixels = image.convert("L")
    view = memoryview(pixels.tobytes()).cast("B", (pixels.height, pixels.width))
    assert len(sudoku_batch.read(view)) == 2
    file = io.BytesIO()
    pixels.save(file, "PNG")
    assert len(sudoku_batch.read(file.getbuffer())) == 2
