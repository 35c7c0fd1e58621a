"""Reads Sudoku photos, and solves, rates and generates puzzles.

    import sudoku_batch

    for board in sudoku_batch.read("page.jpg"):
        print(board.status, board.solution)

The work is done by the program `sudoku-batch`, which is installed with this package.
`python -m sudoku_batch.dask` runs it on many machines.
"""

from importlib.metadata import version as _version

from ._board import Board, Point, ReadResult
from ._errors import ReadError, SudokuBatchError
from ._photo import Source
from ._program import find_program
from ._puzzles import Rating, generate, rate, rate_table, solve
from ._reader import Reader, read, read_many, read_table

__version__ = _version("sudoku-batch")

__all__ = [
    "Board",
    "Point",
    "Rating",
    "ReadError",
    "ReadResult",
    "Reader",
    "Source",
    "SudokuBatchError",
    "__version__",
    "find_program",
    "generate",
    "rate",
    "rate_table",
    "read",
    "read_many",
    "read_table",
    "solve",
]
