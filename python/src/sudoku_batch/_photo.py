"""Turns what a photo may be given as into the bytes of a picture file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ._errors import SudokuBatchError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image
    from typing_extensions import Buffer, TypeAlias, TypeGuard

Source: TypeAlias = (
    "str | os.PathLike[str] | bytes | bytearray | memoryview | npt.NDArray[np.uint8] | Image"
)
"""A photo: a path or URL, the bytes of a picture file, an array of pixels, or a PIL image."""


def is_path(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Returns whether a photo is given by its path or URL."""
    return isinstance(source, (str, os.PathLike))


def encode(source: Source) -> bytes | memoryview:
    """Returns a photo as the bytes of a picture file.

    Raises:
        OSError: The file cannot be read.
        TypeError: It is none of the types that `Source` lists.
        ValueError: An array has neither the shape (H, W) nor (H, W, 3).
    """
    if isinstance(source, (str, os.PathLike)):
        return _file(os.fspath(source))
    if _is_image(source):
        return _image(source)
    try:
        view = memoryview(cast("Buffer", source))
    except TypeError:
        raise TypeError(
            "a photo is a path, bytes, an array of uint8 or a PIL image, "
            f"not {type(source).__name__}"
        ) from None
    if view.format != "B":
        raise TypeError(f"an array of pixels must be uint8, not of format {view.format!r}")
    if view.ndim == 1:
        return view if view.contiguous else view.tobytes()
    return _pixels(view)


def _file(path: str) -> bytes:
    if "://" not in path:
        return Path(path).read_bytes()
    try:
        import fsspec
    except ImportError:
        raise SudokuBatchError(
            f"{path} is a URL; to read those, `pip install sudoku-batch[fsspec]`"
        ) from None
    with fsspec.open(path, "rb") as file:
        data: bytes = file.read()
    return data


def _is_image(source: object) -> TypeGuard[Image]:
    # Whoever has an image has imported the module.
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(source, module.Image)


def _image(image: Image) -> bytes:
    if image.mode.startswith(("I", "F")):
        raise TypeError(f"convert the image to 8 bits first; its mode is {image.mode}")
    if image.mode != "L":
        image = image.convert("RGB")
    return _portable(image.mode == "L", image.height, image.width, image.tobytes())


def _pixels(view: memoryview) -> bytes:
    shape = view.shape or ()
    if view.ndim not in (2, 3) or (view.ndim == 3 and shape[2] != 3):
        raise ValueError(f"an array of pixels has the shape (H, W) or (H, W, 3), not {shape}")
    height, width = shape[:2]
    return _portable(view.ndim == 2, height, width, view.tobytes())


def _portable(gray: bool, height: int, width: int, pixels: bytes) -> bytes:
    """Returns a PGM or PPM file, which cost nothing to write or read."""
    return b"P%d\n%d %d\n255\n" % (5 if gray else 6, width, height) + pixels
