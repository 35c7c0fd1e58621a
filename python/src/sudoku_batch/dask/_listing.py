"""Lists the photos and videos in stores that fsspec reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Those by which the program lists a folder.
_ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp"),
    *(".pbm", ".pgm", ".ppm", ".pnm", ".pam", ".heic", ".heif", ".avif", ".jxl", ".pdf"),
    *(".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".y4m", ".mpg", ".mpeg", ".wmv"),
    *(".3gp", ".mts", ".m2ts", ".ogv", ".flv", ".mjpeg"),
)


def photos(urls: Iterable[str]) -> list[tuple[str, int | None]]:
    """Returns each photo and video at or below URLs with its size in bytes, sorted by URL.

    Raises:
        OSError: A URL leads nowhere.
    """
    found: dict[str, int | None] = {}
    for url in urls:
        found.update(_below(url))
    return sorted(found.items())


def _below(url: str) -> dict[str, int | None]:
    import fsspec

    filesystem, path = fsspec.core.url_to_fs(url)
    if _is_photo(path):
        return {filesystem.unstrip_protocol(path): filesystem.info(path)["size"]}
    files = filesystem.find(path, detail=True)
    sizes = {name: info.get("size") for name, info in files.items() if _is_photo(name)}
    if not sizes:
        raise FileNotFoundError(f"no photos at {url}")
    # A listing by a web server has no sizes.
    unsized = [name for name, size in sizes.items() if size is None]
    if unsized:
        sizes.update(zip(unsized, filesystem.sizes(unsized)))
    return {filesystem.unstrip_protocol(name): size for name, size in sizes.items()}


def _is_photo(path: str) -> bool:
    return path.partition("?")[0].lower().endswith(_ENDINGS)
