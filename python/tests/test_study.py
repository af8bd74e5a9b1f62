"""Studies: every combination once, in order; the same rows from threads, processes and a Dask cluster; failures told apart."""

from concurrent.futures import ProcessPoolExecutor

import pytest

import cairn

SLIDE = """
cairn: 1
dimension: 2
parameters: {speed: 1, mu: 0.2, late: 1}
gravity: [0, -10]
materials: [{name: stone, friction: mu}]
bodies:
  - {name: floor, kind: fixed, material: stone, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: block, material: stone, position: [0, 0.1], velocity: [speed, 0], shapes: [{type: rectangle, size: [0.4, 0.2], density: 1}]}
forces: [{name: push, body: block, force: ["0*log(late - t)", 0]}]
simulation: {step: 0.001, until: 2}
"""
VALUES = {"speed": [0.5, 1.0, 2.0], "mu": [0.2, 0.4]}


def far(simulation):
    return {"far": simulation["block.x"]}


def test_rows_are_those_of_the_theory():
    rows = cairn.study(SLIDE, VALUES | {"late": [9]}, ["block.x"], workers=2)
    assert [(row["speed"], row["mu"]) for row in rows] == [(s, m) for s in VALUES["speed"] for m in VALUES["mu"]]
    for row in rows:
        # Friction stops the block after s²/(2 mu g); the step adds at most s h.
        exact = row["speed"] ** 2 / (20 * row["mu"])
        assert row["block.x"] == pytest.approx(exact, abs=row["speed"] * 0.001)
        assert row["violations"] == 0 and row["error"] is None


def test_processes_and_functions():
    here = cairn.study(SLIDE, {"speed": [0.5, 1.0], "late": [9]}, far, until=0.3, workers=1)
    with ProcessPoolExecutor(2) as workers:
        assert cairn.study(SLIDE, {"speed": [0.5, 1.0], "late": [9]}, far, until=0.3, workers=workers) == here


def test_dask():
    distributed = pytest.importorskip("distributed")
    here = cairn.study(SLIDE, {"speed": [0.5, 1.0], "late": [9]}, ["block.x"], until=0.3)
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        assert cairn.study(SLIDE, {"speed": [0.5, 1.0], "late": [9]}, ["block.x"], until=0.3, workers=client) == here


def test_a_run_that_fails_is_a_row():
    rows = cairn.study(SLIDE, {"late": [0.05, 9]}, ["block.x"], until=0.2)
    assert rows[0]["block.x"] is None and rows[0]["violations"] is None and "push" in rows[0]["error"]
    assert rows[1]["error"] is None and rows[1]["block.x"] > 0


@pytest.mark.parametrize(
    "scene, vary, says",
    [(SLIDE, {}, "vary"), (SLIDE, {"speed": []}, "speed"), (SLIDE, {"speed": "fast"}, "speed"), (SLIDE, {"sped": [1]}, "sped"),
     ("inclne", {"mu": [1]}, "no built-in scene")],
)  # fmt: skip
def test_mistakes_are_said_before_the_runs(scene, vary, says):
    with pytest.raises(cairn.InvalidError, match=says):
        cairn.study(scene, vary, ["block.x"])
