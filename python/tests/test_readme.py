"""The README's scene and its program in Python: the puck stops after v^2 / (2 mu g)."""

import os
import re
from pathlib import Path

import pytest


def test_the_puck_of_the_readme(tmp_path, monkeypatch, capsys):
    page = Path(os.environ.get("CAIRN_SOURCE_DIR", Path(__file__).parents[2])) / "README.md"
    if not page.exists() or "```yaml" not in page.read_text(encoding="utf-8"):
        pytest.skip("the README is not beside the tests (CAIRN_SOURCE_DIR)")
    text = page.read_text(encoding="utf-8")
    scene, program = (re.search(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)[1] for kind in ("yaml", "python"))
    monkeypatch.chdir(tmp_path)
    Path("puck.yaml").write_text(scene, encoding="utf-8")
    exec(compile(program, str(page), "exec"), {})
    x = float(capsys.readouterr().out.split()[0])
    assert abs(x - 2**2 / (2 * 0.2 * 9.81)) < 0.0025
