"""The viewer's page of a run, in a notebook cell or as a file. The page is made by the tool `cairn`, which the package carries."""

from __future__ import annotations

import html
import os
import subprocess
from pathlib import Path

from ._tool import tool
from .errors import FileError, Message


class View:
    """A page that shows a run, complete in itself. A notebook shows it as the value of a cell."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which any browser shows."""
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        source = html.escape(self.page, quote=True)
        return f'<iframe srcdoc="{source}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<View of {len(self.page)} characters>"


def view_file(path: str | os.PathLike[str], height: int = 600) -> View:
    """The page of a run file."""
    command = [tool(), "view", os.fspath(path), "--html", "-"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise FileError((Message(f"the tool '{command[0]}' cannot be run: {error.strerror}"),)) from None
    if result.returncode:
        raise FileError((Message(result.stderr.strip() or f"'{' '.join(command)}' failed"),))
    return View(result.stdout, height)
