"""Renders screenshots of made-up Sudoku apps and web pages in Chromium, each with its ground truth (same-stem.txt).

    sudoku-batch generate -n 200 --kind any --givens '22..34' --seed 5 > puzzles.txt
    sudoku-batch solve puzzles.txt > solutions.txt
    python3 training/screens.py puzzles.txt solutions.txt COUNT SEED OUT [--fonts 0|1] [--first N]
    sudoku-batch recognize OUT --truth OUT

`--fonts` takes half of the font families of the machine, by a hash of their names: the digit network is trained on
half 0, so half 1 is unseen. `--first` is the number of the first picture.

The pages share nothing with `dataset synth photos`: layouts by CSS, the fonts of the machine, no lens and no paper. Boards
have lines, tiles with gaps, gaps between blocks, or blocks of two colors; light or dark; partly filled in, with pencil
marks, with the row, column, block and digit of a selected cell shaded; above a keypad, or beside text.
"""

import argparse
import pathlib
import random
import subprocess
import zlib

STYLES = ["lines", "lines", "lines", "tiles", "gaps", "blocks"]
# Without those with symbols in the places of digits.
FONTS = sorted(
    set(
        subprocess.check_output(
            ["fc-list", ":lang=en", "--format", "%{family[0]}\n"], text=True
        ).splitlines()
    )
    - {"D050000L", "Standard Symbols PS"}
)


def box(left, top, width, height, style, inner=""):
    return (
        f'<div style="position:absolute;left:{left}px;top:{top}px;width:{width}px;height:{height}px;'
        f'box-sizing:border-box;{style}">{inner}</div>'
    )


def colors(rng, dark):
    """Paper, ink, digits filled in, thin and thick lines, and shades: selection, same digit, peers, blocks."""
    hue = rng.randrange(360)

    def tone(saturation, lightness, hue=hue):
        return f"hsl({hue},{saturation}%,{lightness}%)"

    if dark:
        paper = tone(rng.choice([0, 5, 20]), rng.choice([8, 12, 16, 20]))
        ink = rng.choice(["#eee", "#ddd", "#bbb", tone(60, 75)])
        lines = rng.choice(["#555", "#777", "#444"]), rng.choice(["#aaa", "#ccc", "#888"])
        shades = tone(70, 35), tone(40, 32), tone(rng.choice([30, 60]), 25), tone(30, 22)
    else:
        paper = rng.choice(["#fff", "#fff", "#fafafa", "#fdf6e3", tone(40, 95)])
        ink = rng.choice(["#000", "#222", "#344861", tone(60, 25), "#555"])
        lines = (
            rng.choice(["#bbb", "#ccc", "#999", "#ddd", "#000"]),
            rng.choice(["#000", "#333", "#666"]),
        )
        shades = (
            tone(70, 78),
            tone(40, 82),
            tone(rng.choice([30, 60]), 90),
            tone(30, rng.choice([84, 90])),
        )
    filled = tone(70, 65 if dark else 45, rng.choice([120, 200, 210, 220, 280]))
    return paper, ink, filled, lines, shades


def board(rng, side, puzzle, shown, marks, fonts):
    dark = rng.random() < 0.3
    paper, ink, filled, (thin, thick), (chosen, same, peers, shaded) = colors(rng, dark)
    style, cell = rng.choice(STYLES), side / 9
    gap = rng.choice([4, 6, 8]) if style in ("tiles", "gaps") else 0
    place = [k * cell + k // 3 * gap for k in range(9)]
    whole = place[8] + cell
    width, bar = rng.choice([1, 1, 1.5, 2]), rng.choice([2, 3, 4])
    size, mark = rng.choice([0.45, 0.55, 0.65, 0.8]) * cell, rng.choice([0.2, 0.24, 0.28]) * cell
    selected = rng.randrange(81) if rng.random() < 0.5 else None
    parts = []
    for index in range(81):
        row, column = divmod(index, 9)
        block = row // 3 * 3 + column // 3
        ground = shaded if style == "tiles" or style == "blocks" and block % 2 else paper
        if selected is not None:
            r, c = divmod(selected, 9)
            if row == r or column == c or block == r // 3 * 3 + c // 3:
                ground = peers
            if shown[index] != "." and shown[index] == shown[selected]:
                ground = same
            if index == selected:
                ground = chosen
        inner = ""
        if shown[index] != ".":
            color = ink if puzzle[index] != "." else filled
            inner = f'<span style="font-size:{size}px;color:{color};line-height:1">{shown[index]}</span>'
        elif index in marks:
            spans = "".join(
                f"<span>{d if d in marks[index] else '&nbsp;'}</span>" for d in "123456789"
            )
            inner = (
                '<div style="display:grid;grid-template-columns:repeat(3,1fr);width:100%;height:100%;'
                f'font-size:{mark}px;opacity:0.7;text-align:center;align-items:center;line-height:1">{spans}</div>'
            )
        middle = "display:flex;align-items:center;justify-content:center;"
        if style == "tiles":
            look = f"border-radius:3px;border:{rng.choice([1, 1.5])}px solid {paper};"
        else:
            look = f"box-shadow:inset {-width}px {-width}px 0 0 {thin};"
        parts.append(
            box(place[column], place[row], cell, cell, f"background:{ground};{look}{middle}", inner)
        )
    if style == "lines":
        for k in range(0, 10, 3):
            at = k * cell - bar / 2
            parts.append(box(at, -bar / 2, bar, whole + bar, f"background:{thick}"))
            parts.append(box(-bar / 2, at, whole + bar, bar, f"background:{thick}"))
    if style == "gaps":
        for k in range(9):
            at = place[k % 3 * 3], place[k // 3 * 3]
            parts.append(box(*at, 3 * cell, 3 * cell, f"border:{bar - 1}px solid {thick}"))
    font, weight = rng.choice(fonts), rng.choice([300, 400, 400, 500, 700])
    look = f"position:relative;width:{whole}px;height:{whole}px;font-family:'{font}';font-weight:{weight}"
    return f'<div style="{look}">{"".join(parts)}</div>', paper, ink, whole


def page(rng, puzzle, solution, fonts):
    """The HTML of a page, its width, height and scale, and the 81 characters that it shows."""
    done = rng.choice([0, 0, 0, 0.2, 0.5, 0.8, 1])
    shown = "".join(p if p != "." or rng.random() >= done else s for p, s in zip(puzzle, solution))
    noted = rng.choice([0, 0, 0, 0.3, 0.7, 1])
    blanks = [i for i in range(81) if shown[i] == "." and rng.random() < noted]
    marks = {i: {solution[i], *rng.choices("123456789", k=rng.randint(0, 3))} for i in blanks}
    is_phone = rng.random() < 0.6
    width = rng.choice([360, 375, 390, 412] if is_phone else [768, 1024, 1280])
    side = width - rng.choice([32, 48]) if is_phone else rng.choice([270, 360, 450, 540])
    html, paper, ink, whole = board(rng, side, puzzle, shown, marks, fonts)
    key = side / 11
    face = f"font-size:{key * 0.7}px;width:{key}px;text-align:center;border:1px solid"
    digits = "".join(f'<span style="{face}">{d}</span>' for d in "123456789")
    keypad = (
        f'<div style="display:flex;gap:3px;margin-top:18px">{digits}</div>'
        if rng.random() < 0.7
        else ""
    )
    words = "Every row, column and block holds the digits 1 to 9 once. " * rng.randint(3, 9)
    text = (
        "" if is_phone else f'<p style="width:{width - whole - 80}px;margin-left:24px">{words}</p>'
    )
    bar = '<p style="margin:14px 4px">Mistakes 1/3 &emsp; Medium &emsp; 04:36</p>'
    body = (
        f'<body style="margin:8px;background:{paper};color:{ink};font-family:sans-serif">{bar}'
        f'<div style="display:flex"><div>{html}{keypad}</div>{text}</div></body>'
    )
    height = int(width * 1.9) if is_phone else side + 160
    return body, width, height, rng.choice([1, 1.5, 2, 3] if is_phone else [1, 1.5]), shown


def main():
    parser = argparse.ArgumentParser()
    kinds = {"puzzles": pathlib.Path, "solutions": pathlib.Path, "count": int, "seed": int}
    for name, kind in {**kinds, "out": pathlib.Path}.items():
        parser.add_argument(name, type=kind)
    parser.add_argument("--fonts", type=int, choices=(0, 1))
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    pairs = list(zip(*(file.read_text().split() for file in (args.puzzles, args.solutions))))
    fonts = [it for it in FONTS if args.fonts in (None, zlib.crc32(it.encode()) % 2)]
    rng, out = random.Random(args.seed), args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.count):
        body, width, height, scale, shown = page(rng, *rng.choice(pairs), fonts)
        source = out / f"{number:04}.html"
        source.write_text(f"<!doctype html><meta charset=utf-8>{body}")
        chromium = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars"]
        options = [f"--window-size={width},{height}", f"--force-device-scale-factor={scale}"]
        picture = f"--screenshot={source.with_suffix('.png')}"
        subprocess.run([*chromium, *options, picture, str(source)], check=True, capture_output=True)
        source.unlink()
        source.with_suffix(".txt").write_text(shown + "\n")


main()
