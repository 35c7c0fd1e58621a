"""Degrades photos, for fitting the confidence of boards: of real photos nearly all are read
correctly, so they say little about errors.

    pip install numpy pillow
    python3 training/degrade.py training/runs/degraded-photos photos/kubiesa_train:4

Makes so many copies of each photo of these folders that has a board, with its truth beside each.
The random numbers depend on the name of the folder, that of the photo and the number of the copy.
"""

import argparse
import random
import shutil
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

PICTURES = {".jpg", ".jpeg", ".png"}
# Longest side of a copy, in pixels, and its JPEG quality.
SIDES = 170, 900
QUALITIES = 8, 60
# Largest blur, as a share of the longest side, and largest noise, in gray values.
MOTION = 0.012
BLUR = 0.004
NOISE = 22.0


def moved(pixels: np.ndarray, length: float, angle: float) -> np.ndarray:
    """Returns the picture as if the camera had moved so many pixels while it was taken."""
    steps = max(2, round(2 * length) + 1)
    places = np.linspace(-length / 2, length / 2, steps)
    shifts = {(round(p * np.sin(angle)), round(p * np.cos(angle))) for p in places}
    return np.mean([np.roll(pixels, shift, axis=(0, 1)) for shift in sorted(shifts)], axis=0)


def folded(pixels: np.ndarray, draw: random.Random) -> np.ndarray:
    """Returns the picture with the shadow of a fold across it."""
    height, width, _ = pixels.shape
    angle = draw.uniform(0, np.pi)
    y, x = np.mgrid[:height, :width]
    away = (x - draw.uniform(0.2, 0.8) * width) * np.sin(angle) - (
        y - draw.uniform(0.2, 0.8) * height
    ) * np.cos(angle)
    wide = draw.uniform(0.003, 0.012) * max(width, height)
    shade = 1 - draw.uniform(0.2, 0.6) * np.exp(-((away / wide) ** 2))
    return pixels * shade[..., None]


def degraded(photo: Image.Image, draw: random.Random) -> Image.Image:
    """Returns a smaller and worse copy."""
    side = draw.randint(*SIDES)
    scale = min(1.0, side / max(photo.size))
    size = [max(1, round(length * scale)) for length in photo.size]
    photo = photo.convert("RGB").resize(size, Image.Resampling.BOX)
    longest = max(photo.size)
    if draw.random() < 0.4:
        photo = photo.filter(ImageFilter.GaussianBlur(draw.uniform(0, BLUR) * longest))
    pixels = np.asarray(photo, dtype=np.float64)
    if draw.random() < 0.4:
        pixels = moved(pixels, draw.uniform(0, MOTION) * longest, draw.uniform(0, np.pi))
    if draw.random() < 0.3:
        pixels = folded(pixels, draw)
    if draw.random() < 0.3:
        pixels = 255 * (pixels / 255) ** draw.uniform(1.0, 1.6) * draw.uniform(0.35, 1.0)
    if draw.random() < 0.4:
        noise = np.random.default_rng(draw.getrandbits(64)).normal(size=pixels.shape[:2])
        pixels = pixels + draw.uniform(0, NOISE) * noise[..., None]
    return Image.fromarray(np.clip(np.rint(pixels), 0, 255).astype(np.uint8))


def truth_of(photo: Path) -> Path | None:
    """Returns the file with the boards of a photo, if it has one."""
    for suffix in (".txt", ".dat"):
        truth = photo.with_suffix(suffix)
        if truth.exists() and truth.read_text(encoding="utf-8").split() != ["none"]:
            return truth
    return None


def main() -> None:
    """Degrades the photos of all folders."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("folders", nargs="+", help="FOLDER:COPIES", metavar="FOLDER:COPIES")
    options = parser.parse_args()
    try:
        options.out.mkdir(parents=True)
        for named in options.folders:
            folder, copies = named.rsplit(":", 1)
            photos = sorted(it for it in Path(folder).iterdir() if it.suffix.lower() in PICTURES)
            for photo in photos:
                truth = truth_of(photo)
                for number in range(int(copies) if truth else 0):
                    name = f"{Path(folder).name}-{photo.stem}-{number}"
                    draw = random.Random(name)
                    with Image.open(photo) as opened:
                        orientation = opened.info.get("exif", b"")
                        copy = degraded(opened, draw)
                    quality = draw.randint(*QUALITIES)
                    copy.save(options.out / f"{name}.jpg", quality=quality, exif=orientation)
                    shutil.copy(truth, options.out / f"{name}{truth.suffix}")
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
