"""Exceptions of this package."""


class SudokuBatchError(Exception):
    """The program is missing, was called wrongly, or failed."""


class ReadError(SudokuBatchError):
    """A photo could not be opened, or took longer than the time limit."""
