"""Runs a command for long, and says how much memory it had meanwhile.

    python python/trials/soak.py solve --count 1000000000
    python python/trials/soak.py recognize --count 1000000 --folder /var/tmp/soak
    python python/trials/soak.py watch --minutes 60

`solve` gets puzzles through a pipe, and its answers are counted. `recognize` gets photos of the
repository, or those of `--photos`: files with bytes of their own, of ten names each. With `--blank`
it gets blank pictures, of which a million takes minutes. `watch` gets
photos and frames of a camera, and the page is opened anew now and then. Each prints a row of a
table, Markdown. Linux only; needs nothing but Python.
"""

import argparse
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
import urllib.request
import zlib
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent.parent
PHOTOS = sorted((ROOT / "datasets/photos").glob("*.jpg"))
# Files that share one name each.
LINKS = 10


class Memory(threading.Thread):
    """Samples the resident memory of a process until it ends."""

    def __init__(self, pid: int, period: float = 1.0) -> None:
        """Begins to look at a process, every `period` seconds."""
        super().__init__(daemon=True)
        self.path = Path(f"/proc/{pid}/status")
        self.period = period
        self.start_time = time.monotonic()
        self.samples: list[tuple[float, float]] = []
        self.start()

    def run(self) -> None:
        """Takes samples until the process is gone."""
        while True:
            try:
                found = re.search(r"^VmRSS:\s+(\d+) kB", self.path.read_text(), re.MULTILINE)
            except OSError:
                return
            # A process that has ended has none.
            if found is None:
                return
            self.samples.append((time.monotonic() - self.start_time, int(found[1]) / 1024))
            time.sleep(self.period)

    def at(self, share: float) -> float:
        """Returns the mean of the samples of a tenth of the run around this moment, in MB."""
        last = self.samples[-1][0]
        near = [mb for at, mb in self.samples if abs(at / max(last, 1e-9) - share) <= 0.05]
        return sum(near) / max(len(near), 1)

    def row(self, what: str) -> str:
        """Returns a row of a table, without the first tenth, where buffers are filled at first."""
        marks = " | ".join(f"{self.at(share):.0f} MB" for share in (0.15, 0.5, 0.95))
        peak = max(mb for _, mb in self.samples)
        return f"| {what} | {self.samples[-1][0]:.0f} s | {marks} | {peak:.0f} MB |"


def fail(problem: str) -> NoReturn:
    """Ends with a sentence on stderr."""
    sys.exit(f"error: {problem}")


def solve(program: str, count: int) -> str:
    """Solves so many puzzles that come through a pipe."""
    files = [ROOT / "datasets/puzzles" / name for name in ("easy.txt", "minimal.txt", "hard.txt")]
    lines = [line for file in files for line in file.read_text().split("\n")]
    block = [line[:81] for line in lines if re.match(r"[1-9.]{81}", line)]
    block *= max(1, 50_000 // len(block))
    text = "".join(f"{line}\n" for line in block).encode()
    command = [program, "solve", "-", "--quiet", "--no-config"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    memory = Memory(process.pid)

    def feed() -> None:
        left = count
        while left >= len(block):
            process.stdin.write(text)
            left -= len(block)
        process.stdin.write(text[: 82 * left])
        process.stdin.close()

    feeder = threading.Thread(target=feed)
    feeder.start()
    answers = 0
    while chunk := process.stdout.read(1 << 20):
        answers += chunk.count(b"\n")
    feeder.join()
    if process.wait() not in (0, 1) or answers != count:
        fail(f"{answers} answers to {count} puzzles, exit code {process.returncode}")
    return memory.row(f"`solve`, {count:,} puzzles")


def blank() -> bytes:
    """Returns a grey PNG of 64 x 64 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * 64) * 64)
    chunks = chunk(b"IHDR", header), chunk(b"IDAT", rows), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def recognize(program: str, count: int, folder: Path, sources: list[Path]) -> str:
    """Reads so many photos, a tenth of them with bytes of their own; blank ones without sources."""
    photos = folder / "photos"
    suffix = ".jpg" if sources else ".png"
    bytes_of = [photo.read_bytes() for photo in sources] or [blank()]
    for number in range(count):
        below = photos / f"{number // 1000:04}"
        if number % 1000 == 0:
            below.mkdir(parents=True)
        path = below / f"{number:07}{suffix}"
        if number % LINKS == 0:
            # What follows the picture is no part of it, but of the file.
            picture = bytes_of[number // LINKS % len(bytes_of)]
            path.write_bytes(picture + number.to_bytes(8, "little"))
            original = path
        else:
            path.hardlink_to(original)
    command = [program, "recognize", str(photos), "--out", str(folder / "out")]
    command += ["--quiet", "--json", "--no-config"]
    with (folder / "summary.json").open("wb") as summary:
        process = subprocess.Popen(command, stdout=summary)
        memory = Memory(process.pid)
        code = process.wait()
    rows = (folder / "out/photos.jsonl").read_bytes().count(b"\n")
    if code not in (0, 1) or rows != count:
        fail(f"{rows} of {count} photos, exit code {code}")
    what = "photos" if sources else "blank pictures"
    return memory.row(f"`recognize`, {count:,} {what}")


def watch(program: str, minutes: float) -> str:
    """Shows photos to a page of `watch`."""
    command = [program, "watch", "--no-config"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    base, token = re.fullmatch(r"(http://[^/]+)/\?token=(\w+)", address).groups()
    memory = Memory(process.pid)
    bytes_of = [photo.read_bytes() for photo in PHOTOS]
    end = time.monotonic() + 60 * minutes
    requests = 0
    while time.monotonic() < end:
        # A page that was opened anew; half a minute of one camera picture before the next.
        page, picture = 1 + requests // 2000, bytes_of[requests // 200 % len(bytes_of)]
        headers = {"X-Token": token, "X-Page": str(page), "Origin": base}
        path = "photo" if requests % 10 == 9 else "frame"
        body = picture + requests.to_bytes(8, "little")
        request = urllib.request.Request(f"{base}/api/{path}", body, headers)
        with urllib.request.urlopen(request) as answer:
            if b'"boards"' not in answer.read():
                fail(f"no boards in the answer to request {requests}")
        requests += 1
        # As fast as a page asks for frames, about.
        time.sleep(0.05)
    process.send_signal(2)
    if process.wait() != 0:
        fail(f"exit code {process.returncode}")
    return memory.row(f"`watch`, {requests:,} pictures")


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=("solve", "recognize", "watch"))
    parser.add_argument("--program", default="target/release/sudoku-batch")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--folder", type=Path, help="a new one, for the photos of `recognize`")
    parser.add_argument("--photos", type=Path, help="a folder of JPEGs for `recognize`")
    parser.add_argument("--blank", action="store_true", help="blank pictures for `recognize`")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    if options.command == "solve":
        row = solve(program, options.count)
    elif options.command == "watch":
        row = watch(program, options.minutes)
    else:
        folder = options.folder or fail("give a folder by --folder")
        folder.mkdir(parents=True)
        try:
            photos = sorted(options.photos.glob("*.jpg")) if options.photos else PHOTOS
            row = recognize(program, options.count, folder, [] if options.blank else photos)
        finally:
            shutil.rmtree(folder)
    print("| run | time | memory at 15 % | at 50 % | at 95 % | peak |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    print(row)


if __name__ == "__main__":
    main()
