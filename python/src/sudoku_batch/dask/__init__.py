"""Runs `recognize`, `solve` and `rate` on many machines with Dask.

    python -m sudoku_batch.dask recognize photos/ --scheduler tcp://head:8786 --out results/

A listing of all inputs is frozen in a plan, which is cut into shards. Each shard is a task that
runs the program on a worker; no picture and no row passes through the scheduler. A run that was
cut off, however that came about, is taken up by calling it again.

Workers share the folders of inputs and results with the machine that starts the run, and have
this package at the same version. Photos may also lie in any store that fsspec reads.
"""

from ._driver import Job, JobError, run

__all__ = ["Job", "JobError", "run"]
