"""`python -m sudoku_batch` is the program `sudoku-batch`."""

import os
import subprocess
import sys

from ._program import find_program

if __name__ == "__main__":
    command = [find_program(), *sys.argv[1:]]
    if sys.platform == "win32":
        # There, exec returns to the shell before the program ends.
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)
