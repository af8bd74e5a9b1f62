"""The code blocks of the page on Python are one program."""

import os
import re
from pathlib import Path

import pytest


def test_the_page_runs(tmp_path, monkeypatch, capsys):
    page = Path(os.environ.get("CAIRN_SOURCE_DIR", Path(__file__).parents[2])) / "docs" / "python.md"
    if not page.exists():
        pytest.skip("the page is not beside the tests (CAIRN_SOURCE_DIR)")
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 6
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks), str(page), "exec"), {})
    assert "done" in capsys.readouterr().out
