"""python -m cairn ARGUMENTS runs the tool `cairn` (docs: command line)."""

import os
import sys

from ._tool import tool
from .errors import FileError


def main() -> None:
    """Become the tool."""
    try:
        path = tool()
        os.execv(path, ["cairn", *sys.argv[1:]])
    except FileError as error:
        sys.exit(f"cairn: {error}")
    except OSError as error:
        sys.exit(f"cairn: the tool '{path}' cannot be run: {error.strerror}")


if __name__ == "__main__":
    main()
