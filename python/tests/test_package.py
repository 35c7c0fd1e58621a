"""What `pip install` brings."""

import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import pytest

import sudoku_batch


def test_it_is_the_installed_package_that_is_tested() -> None:
    assert Path(sudoku_batch.__file__).is_relative_to(sysconfig.get_path("purelib"))
    assert (Path(sudoku_batch.__file__).parent / "py.typed").exists()


def test_program_is_among_the_scripts_and_has_the_version_of_the_package() -> None:
    program = sudoku_batch.find_program()
    assert Path(program).parent == Path(sysconfig.get_path("scripts"))
    assert run(program, "--version").split()[-1] == version("sudoku-batch")
    assert sudoku_batch.__version__ == version("sudoku-batch")


def test_module_can_be_run_as_the_program() -> None:
    assert run(sys.executable, "-m", "sudoku_batch", "--version").startswith("sudoku-batch ")


def test_variable_names_another_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("")
    other.chmod(0o755)
    monkeypatch.setenv("SUDOKU_BATCH_PROGRAM", str(other))
    assert sudoku_batch.find_program() == str(other)
    monkeypatch.setenv("SUDOKU_BATCH_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(sudoku_batch.SudokuBatchError, match="names no program"):
        sudoku_batch.find_program()


def test_program_is_looked_for_beside_the_interpreter_and_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed = sudoku_batch.find_program()
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    assert sudoku_batch.find_program() == installed
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(Path(installed).parent))
    assert sudoku_batch.find_program() == installed
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(sudoku_batch.SudokuBatchError, match="pip install sudoku-batch"):
        sudoku_batch.find_program()


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
