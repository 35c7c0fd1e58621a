"""Data sets that the program writes, as the programs that learn from them read them."""

import csv
import json
import subprocess
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import sudoku_batch

COPIES = 3


def export(folder: Path, to: str, puzzles: "list[str]", *arguments: str) -> Path:
    """Writes a data set of these puzzles, all of them in the training split."""
    source = folder / "puzzles.txt"
    source.write_text("\n".join(puzzles) + "\n")
    out = folder / to
    program = sudoku_batch.find_program()
    command = [program, "corpus", "export", "--to", to, "--out", out, *arguments, source]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return out


def boards(lines: "list[str]") -> np.ndarray:
    """81 values a line, 0 for a blank."""
    return np.array([[int(cell) if cell != "." else 0 for cell in line] for line in lines])


def keeps_the_rules(solutions: np.ndarray) -> bool:
    """Whether every row, column and box of every board holds 1 to 9."""
    grids = solutions.reshape(-1, 9, 9)
    boxes = grids.reshape(-1, 3, 3, 3, 3).transpose(0, 1, 3, 2, 4).reshape(-1, 9, 9)
    houses = [grids, grids.transpose(0, 2, 1), boxes]
    return all((np.sort(house, axis=2) == np.arange(1, 10)).all() for house in houses)


@pytest.fixture
def solved(hard: "list[str]") -> "list[str]":
    return list(sudoku_batch.solve(hard))


def test_hrm_loads_as_its_loader_does(
    tmp_path: Path, hard: "list[str]", solved: "list[str]"
) -> None:
    out = export(tmp_path, "hrm", hard, "--copies", str(COPIES), "--seed", "5")
    assert json.loads((out / "identifiers.json").read_text()) == ["<blank>"]
    rows = 0
    for split in ["train", "test"]:
        metadata = json.loads((out / split / "dataset.json").read_text())
        assert metadata["sets"] == ["all"]
        assert (metadata["vocab_size"], metadata["seq_len"]) == (11, 81)
        assert metadata["pad_id"] == metadata["ignore_label_id"] == 0
        assert metadata["num_puzzle_identifiers"] == 1
        fields = ["inputs", "labels", "puzzle_identifiers", "puzzle_indices", "group_indices"]
        data = {field: np.load(out / split / f"all__{field}.npy") for field in fields}
        groups, puzzles = data["group_indices"], data["puzzle_indices"]
        count = len(data["inputs"])
        assert data["inputs"].shape == data["labels"].shape == (count, 81)
        assert data["inputs"].dtype == data["labels"].dtype == np.uint8
        assert groups.dtype == puzzles.dtype == data["puzzle_identifiers"].dtype == np.int32
        assert (puzzles == np.arange(count + 1)).all()
        assert (data["puzzle_identifiers"] == np.zeros(count)).all()
        assert groups[0] == 0
        assert groups[-1] == count
        assert len(groups) == metadata["total_groups"] + 1
        inputs, labels = data["inputs"].astype(int) - 1, data["labels"].astype(int) - 1
        assert keeps_the_rules(labels)
        assert ((inputs == 0) | (inputs == labels)).all()
        copies = COPIES if split == "train" else 0
        assert (np.diff(groups) == 1 + copies).all()
        givens = (inputs > 0).sum(axis=1)
        for first, end in zip(groups[:-1], groups[1:]):
            original = "".join(str(value) if value else "." for value in inputs[first])
            assert original in hard
            assert labels[first].tolist() == boards([solved[hard.index(original)]])[0].tolist()
            assert (givens[first:end] == givens[first]).all()
        rows += len(groups) - 1
    assert rows == len(hard)


def test_hrm_of_another_board_has_its_size_and_its_boxes(tmp_path: Path) -> None:
    puzzle = "6.3..515....5....42...1.....21...4.."
    out = export(tmp_path, "hrm", [puzzle], "--boxes", "2x3", "--copies", "50")
    metadata = json.loads((out / "train" / "dataset.json").read_text())
    assert (metadata["vocab_size"], metadata["seq_len"]) == (8, 36)
    inputs = np.load(out / "train" / "all__inputs.npy").astype(int) - 1
    labels = np.load(out / "train" / "all__labels.npy").astype(int) - 1
    assert inputs.shape == labels.shape == (51, 36)
    assert "".join(str(value) if value else "." for value in inputs[0]) == puzzle
    assert len(np.unique(inputs, axis=0)) == 51
    assert ((inputs == 0) | (inputs == labels)).all()
    grids = labels.reshape(-1, 6, 6)
    boxes = grids.reshape(-1, 3, 2, 2, 3).transpose(0, 1, 3, 2, 4).reshape(-1, 6, 6)
    for houses in [grids, grids.transpose(0, 2, 1), boxes]:
        assert (np.sort(houses, axis=2) == np.arange(1, 7)).all()


def test_arrays_tables_and_lines_say_the_same(
    tmp_path: Path, hard: "list[str]", solved: "list[str]"
) -> None:
    columns = ["--columns", "id,puzzle,solution,givens"]
    out = export(tmp_path, "npy", hard, *columns)
    assert (np.load(out / "puzzles.npy") == boards(hard)).all()
    assert (np.load(out / "solutions.npy") == boards(solved)).all()
    givens = [str(81 - puzzle.count(".")) for puzzle in hard]
    with (out / "table.csv").open(newline="") as table:
        assert [row["givens"] for row in csv.DictReader(table)] == givens
    out = export(tmp_path, "csv", hard, *columns)
    with (out / "puzzles.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [row["puzzle"] for row in rows] == hard
    out = export(tmp_path, "jsonl", hard, *columns)
    lines = [json.loads(line) for line in (out / "puzzles.jsonl").read_text().splitlines()]
    out = export(tmp_path, "parquet", hard, *columns)
    typed = pq.read_table(out / "puzzles.parquet").to_pylist()
    assert lines == typed
    assert [{name: str(value) for name, value in line.items()} for line in lines] == rows
    assert [line["solution"] for line in lines] == solved


def test_a_card_says_how_it_was_made(tmp_path: Path, hard: "list[str]") -> None:
    out = export(tmp_path, "csv", hard)
    card = (out / "README.md").read_text()
    assert "corpus export --to csv" in card
    assert "Licence: TODO" in card
    (sums,) = (out / "BLAKE3SUMS").read_text().splitlines()
    assert sums.endswith("  puzzles.csv")
    assert sums.split()[0] in card
