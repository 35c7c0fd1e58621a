"""Runs on Dask: what comes out, and what is left after anything was killed."""

import csv
import functools
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

import sudoku_batch

pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.dask,
    pytest.mark.skipif(sys.platform == "win32", reason="kills processes by signals"),
]

SHARDS = 24
PATIENCE = 120


def command(*arguments: "str | Path") -> "list[str]":
    return [sys.executable, "-m", "sudoku_batch.dask", *map(str, arguments)]


def call(*arguments: "str | Path") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def rows(folder: Path) -> "list[dict[str, str]]":
    """Returns the rows of a run without what differs from run to run."""
    with (folder / "results.csv").open(newline="") as file:
        return [
            {name: cell for name, cell in row.items() if not name.endswith("_ms")}
            for row in csv.DictReader(file)
        ]


def parts(folder: Path) -> "dict[str, int]":
    """Returns the parts that are there, and when each was written."""
    return {
        part.parent.name: part.stat().st_mtime_ns for part in folder.glob("parts/shard-*/part.json")
    }


def wait_for_parts(folder: Path, count: int = 3) -> "dict[str, int]":
    end = time.monotonic() + PATIENCE
    while len(found := parts(folder)) < count:
        assert time.monotonic() < end, "no parts were written"
        time.sleep(0.02)
    return found


def programs(folder: Path) -> "list[int]":
    """Returns the processes that work on a run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--shard" in arguments and os.fsencode(folder / "parts") in arguments:
            found.append(int(process.name))
    return found


def wait_until_no_program_is_left(folder: Path) -> None:
    end = time.monotonic() + 10
    while left := programs(folder):
        assert time.monotonic() < end, f"processes outlived their worker: {left}"
        time.sleep(0.02)


@pytest.fixture(scope="session")
def single(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of one machine, with which all others are compared."""
    out = tmp_path_factory.mktemp("single")
    program = sudoku_batch.find_program()
    subprocess.run([program, "recognize", photos, "--out", out], check=True, capture_output=True)
    return out


class Cluster:
    """A scheduler and workers, each a process that may be killed."""

    def __init__(
        self, folder: Path, *, environments: "Sequence[dict[str, str]]" = ({}, {})
    ) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--port", "0")
        self.address = self._address()
        self.workers = [
            self._start("worker", self.address, "--nthreads", "1", environment=environment)
            for environment in environments
        ]

    def _start(
        self, what: str, *arguments: str, environment: "dict[str, str] | None" = None
    ) -> "subprocess.Popen[bytes]":
        file = ("--scheduler-file", str(self.folder / "s.json")) if what == "scheduler" else ()
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", what, *arguments, *file, "--no-dashboard"],
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def _address(self) -> str:
        file = self.folder / "s.json"
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                return str(json.loads(file.read_text())["address"])
            except (OSError, ValueError):
                time.sleep(0.1)
        raise AssertionError("the scheduler did not start")

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Kills a process and all that it has started in its session, such as nannies."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with started(tmp_path) as cluster:
        yield cluster


@contextmanager
def started(folder: Path, **options: "Sequence[dict[str, str]]") -> Iterator[Cluster]:
    cluster = Cluster(folder, **options)
    try:
        yield cluster
    finally:
        for process in cluster.processes:
            if process.poll() is None:
                cluster.kill(process)


def test_result_is_that_of_one_machine(photos: Path, single: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = call("recognize", photos, "--local", "2", "--shards", "6", "--out", out)
    assert first.returncode == 0, first.stderr
    assert "6/6" in first.stderr
    assert rows(out) == rows(single)
    before = parts(out)
    assert len(before) == 6
    again = call("recognize", photos, "--local", "2", "--shards", "6", "--out", out)
    assert again.returncode == 0, again.stderr
    assert parts(out) == before
    assert rows(out) == rows(single)
    other = call("recognize", photos, "--local", "2", "--shards", "7", "--out", out)
    assert other.returncode == 2
    assert "holds another run (shards: 6, not 7)" in other.stderr


@pytest.mark.parametrize("name", ["solve", "rate"])
def test_puzzles_too(name: str, photos: Path, tmp_path: Path) -> None:
    puzzles = photos.parent / "puzzles" / "hard.txt"
    done = call(name, puzzles, "--local", "1", "--shards", "3", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    alone = subprocess.run(
        [sudoku_batch.find_program(), name, puzzles], check=True, capture_output=True
    ).stdout
    written = [file.read_bytes() for file in (tmp_path / "out").iterdir() if file.is_file()]
    assert alone in written


def test_killed_run_is_taken_up(photos: Path, single: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("recognize", photos, "--local", "2", "--shards", str(SHARDS), "--out", out)
    driver = subprocess.Popen(
        command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for_parts(out)
    driver.kill()
    driver.wait()
    wait_until_no_program_is_left(out)
    before = parts(out)
    assert len(before) < SHARDS
    assert not (out / "results.csv").exists()
    again = call(*arguments)
    assert again.returncode == 0, again.stderr
    assert before.items() <= parts(out).items()
    assert rows(out) == rows(single)


def test_killed_worker_is_made_up_for(
    photos: Path, single: Path, tmp_path: Path, cluster: Cluster
) -> None:
    out = tmp_path / "out"
    arguments = (
        *("recognize", photos, "--scheduler", cluster.address),
        *("--shards", str(SHARDS), "--out", out),
    )
    driver = subprocess.Popen(
        command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    wait_for_parts(out)
    cluster.kill(cluster.workers[0])
    _, stderr = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 0, stderr
    assert rows(out) == rows(single)


def test_killed_scheduler_is_named_and_the_run_taken_up(
    photos: Path, single: Path, tmp_path: Path, cluster: Cluster
) -> None:
    out = tmp_path / "out"
    arguments = ("recognize", photos, "--shards", str(SHARDS), "--out", out)
    driver = subprocess.Popen(
        command(*arguments, "--scheduler", cluster.address),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_parts(out)
    cluster.kill(cluster.scheduler)
    _, stderr = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 1
    assert "the scheduler was lost" in stderr
    before = parts(out)
    again = call(*arguments, "--local", "1")
    assert again.returncode == 0, again.stderr
    assert before.items() <= parts(out).items()
    assert rows(out) == rows(single)


def test_interrupted_run_stops_on_the_workers(
    photos: Path, single: Path, tmp_path: Path, cluster: Cluster
) -> None:
    out = tmp_path / "out"
    arguments = (
        *("recognize", photos, "--scheduler", cluster.address),
        *("--shards", str(SHARDS), "--out", out),
    )
    driver = subprocess.Popen(
        command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    wait_for_parts(out)
    driver.send_signal(signal.SIGINT)
    _, stderr = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 130, stderr
    assert "interrupted" in stderr
    wait_until_no_program_is_left(out)
    before = parts(out)
    time.sleep(0.5)
    assert parts(out) == before
    again = call(*arguments)
    assert again.returncode == 0, again.stderr
    assert rows(out) == rows(single)


def test_failed_shards_are_named_and_the_others_are_done(photos: Path, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("000-newspaper.jpg", "001-book.jpg"):
        shutil.copy(photos / name, folder)
    out = tmp_path / "out"
    arguments = ("recognize", folder, "--local", "1", "--shards", "2", "--out", out)
    with pytest.MonkeyPatch.context() as patch:
        # The plan is made, and the run ends there.
        patch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
        call(*arguments[:2], "--scheduler", "tcp://127.0.0.1:9", *arguments[4:])
    (folder / "001-book.jpg").write_bytes(b"other")
    done = call(*arguments)
    assert done.returncode == 1
    assert "error: shard 0/2: " not in done.stderr
    assert "error: shard 1/2: " in done.stderr
    assert "001-book.jpg has changed since the plan was made" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(parts(out)) == ["shard-00000"]
    assert not (out / "results.csv").exists()


def old_program(folder: Path) -> "dict[str, str]":
    """Returns the environment of a worker that has another version of the program."""
    other = folder / "other"
    other.write_text("#!/bin/sh\necho sudoku-batch 0.0.1\n")
    other.chmod(0o755)
    return {"SUDOKU_BATCH_PROGRAM": str(other)}


def test_workers_that_do_not_fit_are_named_and_the_others_do_all(
    photos: Path, single: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with started(tmp_path, environments=[{}, old_program(tmp_path)]) as cluster:
        wait_for_workers(cluster, 2)
        arguments = ("recognize", photos, "--scheduler", cluster.address, "--shards", "6")
        done = call(*arguments, "--out", out)
        assert done.returncode == 1, done.stderr
        assert done.stderr.count("error: worker tcp://") == 1
        wrong = f"has sudoku-batch 0.0.1, and the run was started with {sudoku_batch.__version__}"
        assert wrong in done.stderr
        assert rows(out) == rows(single)
        # All of them do not see this model.
        done = call(*arguments, "--out", tmp_path / "second", "--", "--model", "none")
        assert done.returncode == 2
        assert "does not see the model none" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_run_whose_fit_workers_are_gone_ends(photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with started(tmp_path, environments=[{}, old_program(tmp_path)]) as cluster:
        wait_for_workers(cluster, 2)
        driver = subprocess.Popen(
            command(
                *("recognize", photos, "--scheduler", cluster.address),
                *("--shards", str(SHARDS), "--out", out),
            ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for_parts(out)
        cluster.kill(cluster.workers[0])
        _, stderr = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 1, stderr
    assert "all workers that fit are gone" in stderr
    assert len(parts(out)) < SHARDS


def wait_for_workers(cluster: Cluster, count: int) -> None:
    from distributed import Client

    with Client(cluster.address) as client:
        client.wait_for_workers(count, timeout=PATIENCE)


def test_a_scheduler_that_is_not_there(photos: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    done = subprocess.run(
        command("recognize", photos, "--scheduler", "tcp://127.0.0.1:9", "--out", tmp_path / "o"),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "127.0.0.1:9" in done.stderr


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_photos_of_a_web_server(photos: Path, single: Path, tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    out, folder = tmp_path / "out", tmp_path / "photos"
    folder.mkdir()
    for photo in photos.glob("00*.jpg"):
        shutil.copy(photo, folder)
    with web_server(folder) as url:
        done = call("recognize", url, "--local", "2", "--shards", "4", "--out", out)
        local = [{**row, "photo": url + Path(row["photo"]).name} for row in rows(single)]
    assert done.returncode == 0, done.stderr
    assert rows(out) == [row for row in local if "/00" in row["photo"]]


def test_photos_that_changed_since_they_were_listed_fail_their_shard(
    photos: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    names = ("000-newspaper.jpg", "001-book.jpg", "002-dark-screen.jpg")
    for name in names:
        shutil.copy(photos / name, folder)
    out = tmp_path / "out"
    arguments = ("recognize", f"file://{folder}", "--local", "1", "--shards", "3", "--out", out)
    with pytest.MonkeyPatch.context() as patch:
        # The plan is made, and the run ends there.
        patch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
        call(*arguments[:2], "--scheduler", "tcp://127.0.0.1:9", *arguments[4:])
    (folder / names[0]).unlink()
    (folder / names[1]).write_bytes(b"other")
    done = call(*arguments)
    assert done.returncode == 1
    assert f"{names[0]} is gone since the plan was made" in done.stderr
    assert f"{names[1]} has changed since the plan was made" in done.stderr
    assert len(parts(out)) == 1
    for name in names:
        shutil.copy(photos / name, folder)
    assert call(*arguments).returncode == 0
    assert [row["status"] for row in rows(out)] == ["solved"] * 3


def test_urls_are_for_photos_only_and_not_mixed(photos: Path, tmp_path: Path) -> None:
    out = ("--local", "1", "--out", tmp_path / "out")
    assert "not URLs" in call("solve", "memory://puzzles", *out).stderr
    assert "not both" in call("recognize", "memory://photos", photos, *out).stderr
    assert "no photos at memory://none" in call("recognize", "memory://none", *out).stderr


def test_listing_has_photos_with_their_sizes_only() -> None:
    fsspec = pytest.importorskip("fsspec")
    from sudoku_batch.dask import _listing

    for name, data in [("b.JPG", b"12"), ("deep/a.png", b"123"), ("truth.txt", b"")]:
        with fsspec.open(f"memory://listing/{name}", "wb") as file:
            file.write(data)
    assert _listing.photos(["memory://listing"]) == [
        ("memory:///listing/b.JPG", 2),
        ("memory:///listing/deep/a.png", 3),
    ]
    assert _listing.photos(["memory://listing/b.JPG"]) == [("memory:///listing/b.JPG", 2)]
