"""Measures what Dask costs beside the program: processor time with it, and of the shards alone.

    python python/trials/overhead.py PHOTOS --workers 2 4 --shards 32

The shards alone are the same commands without Dask, as many at a time as there are workers, between
the same plan and the same merge: the same work on both sides.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_dask import command, rows

import sudoku_batch


def processor_time(arguments: "list[str]") -> "tuple[float, float]":
    """Returns the processor time and the wall-clock time of a command and all that it waits for."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start


def main() -> None:
    """Measures and prints a line for each cluster."""
    parser = argparse.ArgumentParser()
    parser.add_argument("photos", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--shards", type=int, default=32)
    arguments = parser.parse_args()
    program, photos = sudoku_batch.find_program(), str(arguments.photos.resolve())
    count = str(arguments.shards)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        one, plan = str(folder / "one"), str(folder / "plan.json")
        used, wall = processor_time([program, "recognize", photos, "--out", one])
        print("processor time and wall-clock time")
        print(f"one process: {used:.1f} s, {wall:.1f} s", flush=True)
        for workers in arguments.workers:
            alone = str(folder / f"parts-{workers}")
            job = [program, "recognize", "-j", "1", "--plan", plan, "--out", alone]

            def shard(index: int, job: "list[str]" = job) -> float:
                return processor_time([*job, "--shard", f"{index}/{count}"])[0]

            start = time.monotonic()
            planning = [program, "plan", "recognize", photos, "--shards", count, "--out", plan]
            useful = processor_time(planning)[0]
            with ThreadPoolExecutor(workers) as pool:
                useful += sum(pool.map(shard, range(arguments.shards)))
            merged = str(folder / f"merged-{workers}")
            useful += processor_time([program, "merge", alone, "--plan", plan, "--out", merged])[0]
            took = time.monotonic() - start
            print(f"{count} shards, {workers} at a time: {useful:.1f} s, {took:.1f} s", flush=True)
            out = folder / f"dask-{workers}"
            cluster = ("--local", str(workers), "--shards", count, "--out", out)
            used, wall = processor_time(command("recognize", photos, *cluster))
            same = "the same rows" if rows(out) == rows(Path(one)) else "OTHER ROWS"
            more = f"{100 * (used - useful) / useful:+.1f} %"
            print(
                f"Dask, {workers} workers: {used:.1f} s ({more}), {wall:.1f} s, {same}", flush=True
            )


if __name__ == "__main__":
    main()
