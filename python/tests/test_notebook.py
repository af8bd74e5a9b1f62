"""A notebook that builds, runs, plots and views, run from its first cell to its last."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def has_page(folder):
    """Whether the tool can show a run."""
    command = [sys.executable, "-m", "cairn", "view", str(folder / "slope-0.2.h5"), "--html", "-"]
    return subprocess.run(command, capture_output=True).returncode == 0


def outputs(cell, kind):
    return [output["data"][kind] for output in cell.outputs if kind in output.get("data", {})]


def test_the_notebook_runs(tmp_path):
    notebook = nbformat.read(Path(__file__).with_name("slope.ipynb"), as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(cell.source.count("\n") + 1 for cell in cells) <= 30
    # A tool that was built without the viewer says so in the last cell.
    cells[-1].metadata["tags"] = ["raises-exception"]
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()

    # x = g (sin(a) - mu cos(a)) t (t + h)/2 while it slides, by Euler's rule; at rest where tan(a) < mu.
    angle, way = 0.5, eval(outputs(cells[1], "text/plain")[0])
    for friction in (0.2, 0.4, 0.6):
        pull = max(0.0, 9.81 * (math.sin(angle) - friction * math.cos(angle)))
        assert pull / 2 * 0.98 <= way[friction] + 1e-9 <= pull / 2 * 1.011 + 2e-9
    assert outputs(cells[2], "image/png") and outputs(cells[3], "image/png")
    if has_page(tmp_path):
        assert outputs(cells[-1], "text/html")[0].startswith("<iframe srcdoc=")
    else:
        assert any("viewer" in output.get("evalue", "") for output in cells[-1].outputs)
