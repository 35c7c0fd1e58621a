"""The folders and programs that tests share."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DATASETS = HERE.parents[1] / "datasets"


@pytest.fixture(scope="session")
def photos() -> Path:
    return DATASETS / "photos"


@pytest.fixture(scope="session")
def hard() -> "list[str]":
    return (DATASETS / "puzzles" / "hard.txt").read_text().splitlines()[:20]


@pytest.fixture
def fake_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts `fake_program.py` in the place of the program."""
    program = tmp_path / "fake-program"
    program.write_text(f"#!{sys.executable}\n" + (HERE / "fake_program.py").read_text())
    program.chmod(0o755)
    monkeypatch.setenv("SUDOKU_BATCH_PROGRAM", str(program))
    return program
