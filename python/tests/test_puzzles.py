"""Puzzles through the program."""

import itertools
import threading
import time
from collections.abc import Iterator

import pandas as pd
import polars as pl
import pytest

import sudoku_batch

EMPTY = "." * 81
SOLVED = (
    "123456789456789123789123456" + "234567891567891234891234567" + "345678912678912345912345678"
)
IMPOSSIBLE = "11" + "." * 79


def test_answers_come_in_the_order_of_the_puzzles(hard: "list[str]") -> None:
    answers = list(sudoku_batch.solve([hard[0], EMPTY, IMPOSSIBLE, SOLVED]))
    assert answers[1:] == ["multiple", "unsolvable", SOLVED]
    assert all(given in (".", digit) for given, digit in zip(hard[0], answers[0]))


def test_lines_may_end_as_in_a_file_and_blanks_be_written_in_any_way() -> None:
    lines = [SOLVED + "\r\n", "0" * 81, "*_-.0" * 16 + "."]
    assert list(sudoku_batch.solve(lines)) == [SOLVED, "multiple", "multiple"]


def test_boards_of_other_sizes() -> None:
    for layout in ["6x6", "16x16", "jigsaw", "killer"]:
        puzzles = sudoku_batch.generate(2, layout=layout)
        side = 6 if layout == "6x6" else 16 if layout == "16x16" else 9
        answers = list(sudoku_batch.solve(puzzles, symbols="1-9A-Z"))
        assert [len(answer) for answer in answers] == [side * side] * 2
    four = "1..............."
    assert next(sudoku_batch.solve([four], boxes="2x2", count=2)).count(",") == 1
    with pytest.raises(sudoku_batch.SudokuBatchError, match="2x3 or 3x2"):
        list(sudoku_batch.solve(["." * 36], diagonals=True))
    with pytest.raises(ValueError, match="line 2"):
        list(sudoku_batch.solve([four, "# no puzzle"], boxes="2x2"))


def test_goals_counts_and_solvers() -> None:
    assert next(sudoku_batch.solve([EMPTY], count=3)).count(",") == 2
    assert len(next(sudoku_batch.solve([EMPTY], goal="first", solver="dlx", threads=1))) == 81
    assert list(sudoku_batch.solve([EMPTY], solver="logic")) == ["stuck"]
    with pytest.raises(ValueError, match="either goal or count"):
        sudoku_batch.solve([EMPTY], goal="first", count=2)
    with pytest.raises(sudoku_batch.SudokuBatchError, match="no solver is named"):
        list(sudoku_batch.solve([EMPTY], solver="nobody"))
    with pytest.raises(ValueError, match="threads must be at least 1"):
        sudoku_batch.solve([EMPTY], threads=0)


def test_a_time_limit_is_in_seconds(hard: "list[str]") -> None:
    slow = ["." * 80 + "1"]
    assert list(sudoku_batch.solve(slow, solver="backtracking-scan", time_limit=1e-6)) == [
        "timeout"
    ]
    with pytest.raises(ValueError, match="more than 0"):
        sudoku_batch.rate(hard, time_limit=0)


@pytest.mark.parametrize("bad", ["x" * 81, "." * 80, "." * 82, "", "# comment", "é" * 81])
def test_a_malformed_line_is_named_after_the_answers_before_it(bad: str) -> None:
    answers = sudoku_batch.solve(iter([SOLVED, EMPTY, bad, SOLVED]))
    assert [next(answers), next(answers)] == [SOLVED, "multiple"]
    with pytest.raises(ValueError, match="line 3: a puzzle is 81 digits or blanks"):
        next(answers)


def test_what_the_iterable_raises_arrives() -> None:
    def lines() -> Iterator[str]:
        yield SOLVED
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        list(sudoku_batch.solve(lines()))


def test_a_single_puzzle_is_refused() -> None:
    with pytest.raises(TypeError, match="several puzzles"):
        sudoku_batch.solve(EMPTY)
    with pytest.raises(TypeError, match="several puzzles"):
        sudoku_batch.rate(EMPTY)


def test_no_puzzles_give_no_answers() -> None:
    assert list(sudoku_batch.solve([])) == []
    assert list(sudoku_batch.rate([])) == []
    table = sudoku_batch.rate_table([])
    assert len(table) == 0
    assert table.schema == sudoku_batch.rate_table([SOLVED]).schema


def test_endless_input_streams_and_can_be_left() -> None:
    taken = itertools.count()
    answers = sudoku_batch.solve(SOLVED for _ in taken)
    assert list(itertools.islice(answers, 1000)) == [SOLVED] * 1000
    threads = threading.active_count()
    answers.close()  # type: ignore[attr-defined]
    assert threading.active_count() == threads - 1
    before = next(taken)
    time.sleep(0.1)
    assert next(taken) == before + 1


def test_ratings_have_types(hard: "list[str]") -> None:
    native, impossible = sudoku_batch.rate([hard[0], EMPTY])
    assert native["puzzle"] == hard[0]
    assert native["solved"] is True
    assert native["givens"] == 81 - hard[0].count(".")
    assert isinstance(native["steps"], int)
    assert native["er"] is None
    assert native["error"] is None
    assert impossible["error"] == "many solutions"
    assert impossible["solved"] is False
    assert impossible["hardest"] is None
    (explainer,) = sudoku_batch.rate(hard[:1], profile="se-1.2.1")
    assert isinstance(explainer["er"], float)
    (hodoku,) = sudoku_batch.rate(hard[:1], profile="hodoku-2.2")
    assert hodoku["level"] == "EXTREME"
    assert isinstance(hodoku["score"], int)


def test_a_table_of_ratings_goes_into_pandas_and_polars(hard: "list[str]") -> None:
    table = sudoku_batch.rate_table(hard, profile="se-1.2.1")
    rows = list(sudoku_batch.rate(hard, profile="se-1.2.1"))
    assert table.to_pylist() == rows
    assert table.to_pandas()["er"].tolist() == [row["er"] for row in rows]
    assert pl.DataFrame(table)["hardest"].to_list() == [row["hardest"] for row in rows]
    assert pd.DataFrame(rows)["steps"].tolist() == [row["steps"] for row in rows]
    with pytest.raises(ValueError, match="line 2"):
        sudoku_batch.rate_table([hard[0], "?"])


def test_puzzles_are_generated_by_seed() -> None:
    puzzles = sudoku_batch.generate(5, kind="easy", seed=7)
    assert len(puzzles) == 5
    assert puzzles == sudoku_batch.generate(5, kind="easy", seed=7)
    assert puzzles != sudoku_batch.generate(5, kind="easy", seed=8)
    assert all(answer.isdigit() for answer in sudoku_batch.solve(puzzles))
    assert sudoku_batch.generate(0) == []
    with pytest.raises(sudoku_batch.SudokuBatchError, match="invalid value"):
        sudoku_batch.generate(1, kind="odd")  # type: ignore[arg-type]
