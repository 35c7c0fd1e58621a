"""What is read from a photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._photo import Source


class Point(NamedTuple):
    """A place in a photo, in pixels from the top left corner of the upright picture."""

    x: float
    y: float


@dataclass(frozen=True)
class Board:
    """A Sudoku board that was found in a photo.

    Boards of 81 characters are read row by row; blanks are `.`.
    """

    status: str
    """`solved`, `multiple` (more than one solution), `unsolvable` (clear digits contradict each
    other), `uncertain` (probably misread) or `timeout`."""
    givens: str | None
    """The printed digits of `decoded`; all of them where none was written by hand."""
    filled: str | None
    """The digits that a person wrote, wrong ones as they stand there."""
    read: str | None
    """The digits as each cell was read by itself."""
    decoded: str | None
    """The most probable board that has a solution; if `unsolvable`, what stands there."""
    solution: str | None
    """The solution; where there are several, None."""
    solutions: str | None
    """How many solutions there are: `0`, `1` or `2+`."""
    confidence: float | None
    """Probability that `decoded` is right in all its cells."""
    margin: float | None
    """By how much `decoded` is more probable than the next best board, in nats."""
    overruled: int | None
    """Number of cells in which `decoded` differs from `read`."""
    rotation: int | None
    """Degrees by which the board is turned: 0, 90, 180 or 270."""
    corners: tuple[Point, Point, Point, Point] | None
    """The corners in the photo, clockwise from the board's own top left."""
    marks: str | None
    """The pencil marks of a board with some: nine characters a cell, as `explain` takes them."""
    error: str | None
    """Why the board was not solved."""
    page: int | None = None
    """The page of the document that shows it, from 1; None for a photo."""


@dataclass(frozen=True)
class ReadResult:
    """A photo or document with the boards that were found in it: page by page, best first."""

    source: Source
    """The photo as it was given."""
    boards: list[Board]
    """The boards; empty if there are none."""
    error: str | None
    """Why the photo could not be read; None if it could, even if it shows no board. For a document,
    why some of its pages could not be read; those of the others are in `boards`."""


def board(row: Mapping[str, Any]) -> Board:
    """Makes a board from a row of the program's answer."""
    numbers = row["corners"]
    corners = numbers and tuple(map(Point, numbers[::2], numbers[1::2]))
    names = Board.__dataclass_fields__.keys() - {"corners"}
    return Board(corners=corners, **{name: row[name] for name in names})
