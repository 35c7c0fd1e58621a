#!/usr/bin/env python3
"""Draws the pictures of the stages of reading into docs/src/images.

    docs/pictures.py [PROGRAM]

Runs `recognize` over photos of the repository and over a rendered one, and draws what it saved in
`photos.jsonl`. Needs Python, Chromium and ffmpeg. PROGRAM is target/release/sudoku-batch by default.
"""

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/src/images"
PROGRAM = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/sudoku-batch").resolve()
STYLE = """
body { margin: 0; background: white; font: 17px "DejaVu Sans", sans-serif; color: #222 }
.row { display: flex; gap: 20px; padding: 12px; width: fit-content }
figure { margin: 0 } figcaption { padding-top: 8px; text-align: center }
svg { display: block; border-radius: 6px }
"""


def picture(path):
    """A picture as a link that holds it."""
    return "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode()


def size(path):
    """Width and height in pixels."""
    probe = ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]
    return map(int, subprocess.check_output(probe, text=True).strip().split(","))


def board(folder, name):
    """The photo of this name in a run, and its first board."""
    for line in (folder / "photos.jsonl").open():
        photo = json.loads(line)
        if photo["photo"].endswith(name):
            return photo, photo["records"][0]["reading"]
    raise SystemExit(f"{name} was not read")


def lattice(reading):
    """The 10 rows of 10 crossings."""
    flat = reading["place"]["lattice"]
    points = list(zip(flat[::2], flat[1::2]))
    return [points[10 * row : 10 * row + 10] for row in range(10)]


def panel(path, shown, height, caption):
    """A photo with something drawn on it."""
    width, tall = size(path)
    return (
        f'<figure><svg width="{width * height / tall:.0f}" height="{height}" viewBox="0 0 {width} {tall}">'
        f'<image href="{picture(path)}" width="{width}" height="{tall}"/>{shown}</svg>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def lines(rows):
    """The lattice as lines."""
    paths = rows + [list(column) for column in zip(*rows)]
    shapes = (" ".join(f"{x:.1f},{y:.1f}" for x, y in path) for path in paths)
    return "".join(f'<polyline points="{p}" fill="none" stroke="#e3008c" stroke-width="3"/>' for p in shapes)


def digits(rows, line):
    """The digits of a board in its cells."""
    shown = []
    for cell, digit in enumerate(line):
        if digit == ".":
            continue
        row, column = divmod(cell, 9)
        corners = [rows[row + i][column + j] for i in (0, 1) for j in (0, 1)]
        x, y = (sum(values) / 4 for values in zip(*corners))
        shown.append(
            f'<text x="{x + 20:.0f}" y="{y - 8:.0f}" font-size="30" font-weight="bold" fill="#0050c8" stroke="white"'
            f' stroke-width="5" paint-order="stroke" text-anchor="middle">{digit}</text>'
        )
    return "".join(shown)


def cells(path, reading, side, caption):
    """The 81 cells of a board with what was read, red where the rules overruled it."""
    scale = side / 288
    shown = []
    for cell, (read, decoded) in enumerate(zip(reading["read"], reading["decoded"])):
        row, column = divmod(cell, 9)
        x, y = column * 32 * scale, row * 32 * scale
        if read != decoded:
            shown.append(
                f'<rect x="{x + 1:.0f}" y="{y + 1:.0f}" width="{32 * scale - 2:.0f}" height="{32 * scale - 2:.0f}"'
                ' fill="none" stroke="#d40000" stroke-width="3"/>'
            )
        if read != "." or decoded != ".":
            text = read if read == decoded else f"{read}→{decoded}"
            color = "#0050c8" if read == decoded else "#d40000"
            shown.append(
                f'<text x="{x + 32 * scale - 4:.0f}" y="{y + 16:.0f}" font-size="15" font-weight="bold" fill="{color}"'
                f' stroke="white" stroke-width="4" paint-order="stroke" text-anchor="end">{text}</text>'
            )
    return (
        f'<figure><svg width="{side}" height="{side}"><image href="{picture(path)}" width="{side}" height="{side}"/>'
        f"{''.join(shown)}</svg><figcaption>{caption}</figcaption></figure>"
    )


def shoot(name, panels, width, height, folder):
    """Writes panels side by side as a JPEG file."""
    page, shot = folder / f"{name}.html", folder / f"{name}.png"
    page.write_text(f"<meta charset=utf-8><style>{STYLE}</style><div class=row>{''.join(panels)}</div>")
    chromium = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--screenshot={shot}"]
    subprocess.run([*chromium, f"--window-size={width},{height}", page.as_uri()], check=True, capture_output=True)
    jpeg = ["ffmpeg", "-v", "error", "-y", "-i", shot, "-q:v", "6", IMAGES / f"{name}.jpg"]
    subprocess.run(jpeg, check=True)
    print(f"{name}.jpg: {(IMAGES / f'{name}.jpg').stat().st_size // 1024} KB")


def main():
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)

        def run(*arguments):
            """Runs the program; photos that are not read are no failure here."""
            code = subprocess.run([PROGRAM, *arguments], cwd=place, capture_output=True).returncode
            assert code in (0, 1), arguments

        run("recognize", ROOT / "datasets/photos/001-book.jpg", "--overlay", "--out", "run")
        run("dataset", "synth", "photos", "-n", "9", "--styles", "folded,filled,shadow,poor", "--out", "hard")
        run("recognize", "hard", "--out", "second")

        photo, reading = board(place / "run", "001-book.jpg")
        rows, file = lattice(reading), ROOT / "datasets/photos/001-book.jpg"
        overlay = place / "run/overlays/001-book.jpg"
        height = 470
        shoot(
            "strip",
            [
                panel(file, "", height, "a photo"),
                panel(file, lines(rows) + digits(rows, reading["decoded"]), height, "found and read"),
                panel(overlay, "", height, "solved"),
            ],
            1124,
            530,
            place,
        )
        shoot(
            "stage-find",
            [panel(file, "", 560, "the photo"), panel(file, lines(rows), 560, "the lattice of 10 × 10 crossings")],
            930,
            620,
            place,
        )
        shoot("stage-cells", [cells(place / "run" / photo["cells"], reading, 560, "81 crops, and what was read")], 584, 620, place)
        photo, reading = board(place / "second", "008-folded.jpg")
        file = Path(place / photo["photo"])
        shoot(
            "stage-decode",
            [
                panel(file, lines(lattice(reading)), 560, "a folded page"),
                cells(place / "second" / photo["cells"], reading, 560, "as read → after decoding"),
            ],
            1100,
            620,
            place,
        )


if __name__ == "__main__":
    main()
