"""Reads plans without reading the whole of them: they may list millions of photos."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The last line of a plan is shorter than this.
_LAST = 256


@dataclass(frozen=True)
class Plan:
    """The list of the shards of a plan."""

    identity: str
    """Tells it from every other plan."""
    shards: list[dict[str, Any]]
    """Where the files of each shard are: `first`, `count`, and bytes `start` and `length`."""


def identity(path: str) -> str:
    """Returns the identity of a plan.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no plan.
    """
    return str(_last(path)["identity"])


def read(path: str) -> Plan:
    """Returns the shards of a plan."""
    last = _last(path)
    with Path(path).open("rb") as file:
        file.seek(last["shards_at"])
        return Plan(last["identity"], json.loads(b"{" + file.read())["shards"])


def files(path: str, shard: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """Returns the files of a shard, each with its place in the list of all."""
    with Path(path).open("rb") as file:
        file.seek(shard["start"])
        entries = json.loads(b"[" + file.read(shard["length"]).rstrip(b",\n") + b"]")
    return list(enumerate(entries, shard["first"]))


def _last(path: str) -> dict[str, Any]:
    with Path(path).open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - _LAST))
        line = file.read().rstrip().rpartition(b"\n")[2]
    last: dict[str, Any] = json.loads(b"{" + line)
    return last
