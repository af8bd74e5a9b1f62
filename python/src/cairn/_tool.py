"""The tool `cairn`, which makes the viewer's pages. The package carries one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .errors import FileError, Message

_OWN = Path(__file__).parent / "bin" / "cairn"


def tool() -> str:
    """The tool: the one that CAIRN_TOOL names, the one in the package, or the first on the path."""
    found = os.environ.get("CAIRN_TOOL") or (str(_OWN) if os.access(_OWN, os.X_OK) else shutil.which("cairn"))
    if not found:
        sentence = "the tool 'cairn' is not in this package, nor on the path; install it, or name it in the variable CAIRN_TOOL"
        raise FileError((Message(sentence),))
    return found
