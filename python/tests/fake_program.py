"""Stands in for `sudoku-batch worker` where a test needs photos that kill it.

A "photo" is a word: `board`, `two`, `none`, `broken`, `book`, `torn`, `kill`, or `kill-once FILE`.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from sudoku_batch._worker import ROWS

if TYPE_CHECKING:
    import io

PUZZLE = "53..7...." * 9
CORNERS = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]


def rows(photo: str) -> "list[dict[str, Any]]":
    word, _, rest = photo.partition(" ")
    if word == "kill" or (word == "kill-once" and not Path(rest).exists()):
        if rest:
            Path(rest).touch()
        sys.stderr.write("out of memory\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "slow":
        time.sleep(0.2)
    if word == "none":
        return [{"puzzle": 0, "status": "no-grid", "error": "nothing like a board"}]
    if word == "broken":
        return [{"puzzle": 0, "status": "unreadable", "error": "not a picture"}]
    torn = {"puzzle": 0, "status": "unreadable", "error": "damaged page"}
    if word == "torn":
        return [{**torn, "page": 1}, {"puzzle": 0, "status": "no-grid", "page": 2}]
    if word == "book":
        read = {"puzzle": 1, "status": "solved", "givens": PUZZLE, "corners": CORNERS}
        return [{**torn, "page": 1}, {**read, "page": 2}, {**torn, "page": 3}]
    board = {"status": "solved", "givens": PUZZLE, "corners": CORNERS, "error": word}
    return [{**board, "puzzle": number + 1} for number in range(2 if word == "two" else 1)]


def main() -> int:
    if "missing" in sys.argv:
        sys.stderr.write("error: no model in missing\n")
        return 2
    stdin, stdout = (
        cast("io.BufferedReader", sys.stdin.buffer),
        cast("io.BufferedWriter", sys.stdout.buffer),
    )
    reader = pa.ipc.open_stream(stdin)
    schema = ROWS.with_metadata({"sudoku_batch.version": "9.9", "process": str(os.getpid())})
    writer = pa.ipc.new_stream(stdout, schema)
    for batch in reader:
        answers = [
            {"id": photo["id"], **row}
            for photo in batch.to_pylist()
            for row in rows(photo["bytes"].decode(errors="replace"))
        ]
        writer.write_batch(pa.RecordBatch.from_pylist(answers, schema=schema))
        stdout.flush()
    writer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
