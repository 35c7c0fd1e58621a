"""Becomes another program that the kernel kills as soon as its parent dies (on Linux).

    python _tied.py PARENT PROGRAM ARGUMENT…

A process of its own does this, and not code between fork and exec, which is unsafe in a parent
with threads. It imports nothing of this package, so that it starts in no time.
"""

import os
import sys


def _main() -> None:
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        import ctypes
        import signal

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        # The parent may have died before that.
        if os.getppid() != int(parent):
            sys.exit(1)
    os.execv(command[0], command)


if __name__ == "__main__":
    _main()
