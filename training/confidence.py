"""Fits the confidence of boards, and says how far it holds on puzzles that were kept aside.

    sudoku-batch recognize photos --out runs/photos        # photos with their truth beside them
    python3 training/confidence.py runs/photos runs/degraded

It takes runs of `recognize`, and needs nothing but Python. It prints coefficients in the form of
`src/decode/confidence.rs`, and a table for each run: boards of the puzzles kept aside by their
confidence.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from pathlib import Path
from typing import NamedTuple

# Givens that two boards share if they are of one puzzle, and fewest of a puzzle with one solution.
SHARED = 17
BINS = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1.0]


class Board(NamedTuple):
    run: str
    truth: str
    features: list[float]
    is_exact: bool


def boards(run: Path) -> list[Board]:
    """Reads the boards of a run that have a truth, and that had to be chosen among others."""
    found = []
    for line in (run / "photos.jsonl").read_text(encoding="utf-8").splitlines():
        for record in json.loads(line)["records"]:
            reading, truth = record["reading"], record.get("truth")
            if reading and truth and record["status"] in ("solved", "multiple", "uncertain"):
                # The program gives 0 where the margin is 0.
                if reading["margin"] > 0:
                    digits = sum(cell != "." for cell in reading["decoded"])
                    features = [
                        1.0,
                        math.log(math.expm1(reading["margin"])),
                        -math.sqrt(reading["blank_doubt"]),
                        digits / 81,
                        -1.0 if reading.get("is_ambiguous") and digits >= SHARED else 0.0,
                    ]
                    found.append(Board(run.name, truth, features, reading["decoded"] == truth))
    return found


def puzzles(truths: set[str]) -> dict[str, str]:
    """Names the puzzle of each truth: boards of one puzzle agree, however much is filled in."""
    names: dict[str, str] = {}
    # The fullest first: they name the puzzle of those with less.
    for truth in sorted(truths, key=lambda it: (it.count("."), it)):
        for other in list(names):
            pairs = [pair for pair in zip(truth, other) if "." not in pair]
            if len(pairs) >= SHARED and all(a == b for a, b in pairs):
                names[truth] = names[other]
                break
        else:
            names[truth] = truth
    return names


def is_kept_aside(puzzle: str) -> bool:
    return hashlib.sha256(puzzle.encode()).digest()[0] % 2 == 1


def fit(sample: list[Board], rounds: int = 50, ridge: float = 1e-3) -> list[float]:
    """Logistic regression by Newton's method; no coefficient but the first may be negative."""
    count = len(sample[0].features)
    active, weights = list(range(count)), [0.0] * count
    while True:
        for _ in range(rounds):
            gradient = [-ridge * weights[i] if i else 0.0 for i in active]
            hessian = [[ridge * (i == j) for j in active] for i in active]
            for board in sample:
                p = probability(weights, board.features)
                for a, i in enumerate(active):
                    gradient[a] += (board.is_exact - p) * board.features[i]
                    for b, j in enumerate(active):
                        hessian[a][b] += p * (1 - p) * board.features[i] * board.features[j]
            for i, step in zip(active, solve(hessian, gradient)):
                weights[i] += max(-1.0, min(1.0, step))
        wrong = [i for i in active if i and weights[i] < 0]
        if not wrong:
            return weights
        active = [i for i in active if i not in wrong]
        for i in wrong:
            weights[i] = 0.0


def probability(weights: list[float], features: list[float]) -> float:
    logit = sum(w * x for w, x in zip(weights, features))
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, logit))))


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Solves a small system of equations by elimination; the matrix is positive definite."""
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            row[i:] = [x - factor * y for x, y in zip(row[i:], pivot[i:])]
    solution = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, len(rows)))
        solution[i] = (rows[i][-1] - known) / rows[i][i]
    return solution


def report(name: str, sample: list[Board], weights: list[float]) -> None:
    """Prints how many boards are exact, by bins of confidence."""
    print(
        f"\n{name}\n\n| confidence | boards | mean confidence | exact |\n| --- | ---: | ---: | ---: |"
    )
    for low, high in zip(BINS, BINS[1:]):
        given = [(probability(weights, board.features), board.is_exact) for board in sample]
        given = [pair for pair in given if low <= pair[0] < high or pair[0] == high == 1]
        if given:
            mean = sum(p for p, _ in given) / len(given)
            exact = sum(is_exact for _, is_exact in given)
            share = f"{exact / len(given):.3f} ({exact})"
            print(f"| {low} to {high} | {len(given)} | {mean:.3f} | {share} |")


def main(runs: list[Path]) -> None:
    found = [board for run in runs for board in boards(run)]
    names = puzzles({board.truth for board in found})
    kept = {truth for truth, puzzle in names.items() if is_kept_aside(puzzle)}
    fitted = [board for board in found if board.truth not in kept]
    weights = fit(fitted)
    for name, weight in zip(("INTERCEPT", "LEAD", "BLANK_DOUBT", "FILLED", "RARE"), weights):
        print(f"const {name}: f32 = {weight:.2f};")
    sure = [board for board in found if probability(weights, board.features) >= 0.99]
    print(f"// from 0.99 on: {len(sure)} boards, {sum(not it.is_exact for it in sure)} wrong")
    print(
        f"// fitted to {len(fitted)} boards, {sum(not it.is_exact for it in fitted)} of them wrong"
    )
    for run in dict.fromkeys(board.run for board in found):
        aside = [board for board in found if board.run == run and board.truth in kept]
        report(f"{run}, puzzles kept aside", aside, weights)
    report("all, puzzles kept aside", [it for it in found if it.truth in kept], weights)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main([Path(run) for run in sys.argv[1:]])
