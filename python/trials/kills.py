"""Kills a worker, the scheduler or the driver of a run on Dask at random moments, and calls again.

    python python/trials/kills.py PHOTOS --trials 30 --seed 1

Every second call must end with the files of one machine, times aside, and leave the parts alone
that were there.
Needs what `python/tests/requirements.txt` has. Linux only.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_dask import call, command, parts, rows, started

import sudoku_batch

VICTIMS = ("worker", "scheduler", "driver")


def timeless(folder: Path) -> "dict[str, object]":
    """Returns what a run has written, without times and without what only runs on Dask have."""
    found: dict[str, object] = {}
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        if file.is_dir() or name.startswith("parts/") or name in {"plan.json", "run.json"}:
            continue
        found[name] = file.read_bytes()
    found["results.csv"] = rows(folder)
    photos = [json.loads(line) for line in (folder / "photos.jsonl").read_text().splitlines()]
    for photo in photos:
        for record in photo["records"]:
            for stage in ("decode_ms", "detect_ms", "read_ms", "solve_ms"):
                del record[stage]
    found["photos.jsonl"] = photos
    summary = json.loads((folder / "summary.json").read_text())
    del summary["throughput"], summary["stages_ms"]
    # A shard has one thread.
    del summary["environment"]["threads"]
    found["summary.json"] = summary
    # The page shows times; the test of `merge` compares it.
    del found["report.html"]
    return found


def trial(photos: Path, expected: "dict[str, object]", victim: str, delay: float) -> str:
    """Returns in words what there was when something was killed.

    Raises if anything is wrong after the second call.
    """
    with tempfile.TemporaryDirectory() as place, started(Path(place)) as cluster:
        out = Path(place) / "out"
        first = ("recognize", photos, "--shards", "24", "--out", out)
        driver = subprocess.Popen(
            command(*first, "--scheduler", cluster.address),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(delay)
        before = parts(out)
        if victim == "driver":
            driver.kill()
        else:
            cluster.kill(cluster.workers[0] if victim == "worker" else cluster.scheduler)
        code = driver.wait()
        here = parts(out)
        again = call(*first, "--local", "2")
        assert again.returncode == 0, again.stderr
        after = parts(out)
        assert len(after) == 24
        assert here.items() <= after.items(), "a part was written again"
        found = timeless(out)
        assert found.keys() == expected.keys(), found.keys() ^ expected.keys()
        for name, content in expected.items():
            assert found[name] == content, f"{name}: {found[name]} instead of {content}"
        return f"{len(before):2} of 24 parts there; the first call ended with {code}"


def main() -> None:
    """Runs the trials."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--longest", type=float, default=8.0, help="seconds after which at the latest"
    )
    arguments = parser.parse_args()
    photos = arguments.photos.resolve()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as one:
        subprocess.run(
            [sudoku_batch.find_program(), "recognize", photos, "--out", one],
            check=False,
            capture_output=True,
        )
        expected = timeless(Path(one))
        for number in range(arguments.trials):
            victim = VICTIMS[number % len(VICTIMS)]
            delay = chance.uniform(0.5, arguments.longest)
            words = trial(photos, expected, victim, delay)
            print(f"{number + 1:3}  {victim:9} after {delay:4.1f} s: {words}", flush=True)
    print("every second call ended with the files of one machine")


if __name__ == "__main__":
    main()
