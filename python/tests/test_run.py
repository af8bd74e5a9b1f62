"""Quantities, sensors and run files."""

import subprocess
import sys

import h5py
import matplotlib
import numpy as np
import pytest
from test_core import tower

import cairn

matplotlib.use("Agg")

SCENE = """
dimension: 3
simulation: {step: 0.01, until: 0.5, integrator: euler}
parameters: {height: 2}
bodies:
  - name: ball
    position: [0, 0, height]
    shapes: [{type: sphere, radius: 0.1, density: 1000}]
sensors:
  - {name: altitude, quantity: ball.z}
  - {name: where, quantity: ball.position}
"""


def test_quantities_by_name():
    simulation = tower(2)
    simulation.step(5)
    names = list(simulation.quantities)
    assert len(names) == len(simulation.quantities) > 20 and "box1.z" in simulation.quantities
    for name in names:
        quantity = simulation.quantities[name]
        assert np.size(simulation[name]) == quantity.count and isinstance(quantity.unit, str)
    np.testing.assert_array_equal(simulation["box1.position"], simulation.positions[2])
    assert simulation.quantities["box1.velocity"].unit == "m/s"
    assert simulation["energy.total"] == simulation.energy.total


def test_watch_has_columns():
    simulation = tower(1)
    watch = cairn.Watch(simulation, "box0.position", height="box0.z")
    assert watch.labels == ["box0.position.x", "box0.position.y", "box0.position.z", "height"]
    assert watch.units == ["m"] * 4
    simulation.step(2)
    row = watch.read()
    assert row[2] == row[3] == simulation["box0.z"]
    with pytest.raises(cairn.InvalidError, match="taken|height"):
        watch.add("box0.x", "height")


@pytest.mark.parametrize("height", [2, 3.5])
def test_run_file_has_what_happened(tmp_path, height):
    model = cairn.Model.parse(SCENE, {"height": height})
    assert model.sensors == {"altitude": "ball.z", "where": "ball.position"}
    simulation = cairn.Simulation(model)
    watch = cairn.Watch(simulation, sensors=True)
    with cairn.Recorder(simulation, tmp_path / "run.h5", every=5, watch=watch) as recorder:
        simulation.run(record=recorder)
    k = np.arange(0, 51)
    expected = height - 9.81 * 1e-4 * k * (k + 1) / 2
    with cairn.Run(tmp_path / "run.h5") as run:
        assert run.status == "done" and run.bodies == ["ball"] and run.frame_count == 11
        np.testing.assert_allclose(run["time"], 0.05 * np.arange(11), atol=1e-15)
        assert run.unit("energy/kinetic") == "J"
        np.testing.assert_allclose(run.sensors()["altitude"], expected, rtol=1e-12)
        np.testing.assert_allclose(run.states(-1)["position"], [[0, 0, expected[-1]]], rtol=1e-12)
        table = run.to_pandas()
        assert table.index.name == "time" and len(table) == 11
        data = run.to_xarray()
        np.testing.assert_allclose(data["position"].sel(body="ball", axis="z"), expected[::5], rtol=1e-12)
        assert run.model().body("ball").mass > 0
        assert cairn.Simulation(run.model())["ball.z"] == height
        with pytest.raises(KeyError, match="did you mean 'time'"):
            run["tme"]
        with pytest.raises(cairn.InvalidError):
            run.states(11)
    with h5py.File(tmp_path / "run.h5") as file:
        assert len(file) > 0


@pytest.mark.filterwarnings("ignore:.*will show no shapes")
def test_run_records_by_itself_and_failures_are_marked(tmp_path):
    model = cairn.Model(dimension=2)
    body = model.add_body("body", mass=1, inertia=(0, 0, 1))
    model.add_force("push", body, lambda t, state: (1 / (0 if t > 0.1 else 1), 0))
    simulation = cairn.Simulation(model, step=0.01)
    with pytest.raises(ZeroDivisionError):
        simulation.run(until=1, record=tmp_path / "run.h5")
    with cairn.Run(tmp_path / "run.h5") as run:
        assert run.status == "failed" and 5 < run.frame_count < 15
        with pytest.raises(cairn.InvalidError, match="no scene"):
            run.model()
    with pytest.raises(cairn.Error, match="No such file"):
        cairn.Recorder(simulation, tmp_path / "no" / "such" / "place.h5")
    with pytest.raises(cairn.Error, match="No such file"):
        cairn.Run(tmp_path / "none.h5")


@pytest.fixture
def run(tmp_path):
    model = cairn.Model.parse(SCENE)
    cairn.Simulation(model).run(record=tmp_path / "run.h5")
    with cairn.Run(tmp_path / "run.h5") as opened:
        yield opened


def test_plot_draws_the_series(run):
    panels = run.plot("energy/kinetic", "energy/total", "penetration")
    assert [panel.get_ylabel() for panel in panels] == ["J", "m"]
    np.testing.assert_array_equal(panels[0].lines[0].get_ydata(), run["energy/kinetic"])
    np.testing.assert_array_equal(panels[0].lines[0].get_xdata(), run["time"])
    assert run.plot(axes=panels[1]) is panels[1]


def test_view_is_the_page_of_the_tool(run, tmp_path):
    told = subprocess.run([sys.executable, "-m", "cairn", "view", run._path, "--html", "-"], capture_output=True, text=True)
    if told.returncode:
        with pytest.raises(cairn.FileError, match="does not include the viewer|CAIRN_TOOL"):
            run.view()
        pytest.skip("the tool is missing, or was built without its page")
    view = run.view(height=321)
    assert view.page == told.stdout and "321px" in view._repr_html_()
    view.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == view.page
    now = cairn.Simulation(run.model()).view()
    assert now.page != view.page and "cairn-frames-0" in now.page


def test_the_tool_is_looked_for(run, tmp_path, monkeypatch):
    monkeypatch.delenv("CAIRN_TOOL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(cairn._tool, "_OWN", tmp_path / "none")
    with pytest.raises(cairn.FileError, match="CAIRN_TOOL"):
        run.view()
    (tmp_path / "cairn").write_text("#!/bin/sh\necho a page\n")
    (tmp_path / "cairn").chmod(0o755)
    assert run.view().page == "a page\n"
    monkeypatch.setenv("CAIRN_TOOL", str(tmp_path / "other"))
    with pytest.raises(cairn.FileError, match="cannot be run"):
        run.view()
    told = subprocess.run([sys.executable, "-m", "cairn", "--version"], capture_output=True, text=True)
    assert told.returncode == 1 and "other' cannot be run" in told.stderr


def test_a_run_resumes(tmp_path):
    """A run in two parts has the frames of one that was left alone."""
    whole = cairn.Simulation(cairn.Model.parse(SCENE))
    with cairn.Recorder(whole, tmp_path / "whole.h5") as recorder:
        whole.run(until=0.5, record=recorder)
    first = cairn.Simulation(cairn.Model.parse(SCENE))
    recorder = cairn.Recorder(first, tmp_path / "parts.h5")
    first.run(until=0.2, record=recorder)
    recorder.checkpoint()
    first.run(until=0.3, record=recorder)
    recorder.close("interrupted")
    second = cairn.Simulation(cairn.Model.parse(SCENE))
    recorder = cairn.Recorder.resume(second, tmp_path / "parts.h5")
    assert second.time == pytest.approx(0.2)
    second.run(until=0.5, record=recorder)
    recorder.close()
    a, b = cairn.Run(tmp_path / "whole.h5"), cairn.Run(tmp_path / "parts.h5")
    assert b.status == "done" and len(a["time"]) == 51
    for name in a:
        np.testing.assert_array_equal(a[name], b[name])
    np.testing.assert_array_equal(a.states(-1), b.states(-1))
    with pytest.raises(cairn.FileError, match="no checkpoint"):
        cairn.Recorder.resume(second, tmp_path / "whole.h5")


def test_smaller_files(tmp_path):
    simulation = cairn.Simulation(cairn.Model.parse(SCENE))
    options = {"interval": 0.1, "leave_out": ["contacts", "velocities"], "precision": "single", "compression": 2}
    with cairn.Recorder(simulation, tmp_path / "small.h5", **options) as recorder:
        simulation.run(until=0.5, record=recorder)
    run = cairn.Run(tmp_path / "small.h5")
    np.testing.assert_allclose(run["time"], np.arange(6) * 0.1)
    assert np.isnan(run.states(1)["velocity"]).all() and len(run.contacts(1)) == 0
    np.testing.assert_allclose(run.masses, 4000 * np.pi * 0.1**3 / 3)
    np.testing.assert_allclose(run.radii, 0.1)
    with pytest.raises(cairn.InvalidError, match="velocities"):
        cairn.Recorder(simulation, tmp_path / "none.h5", leave_out=["velocity"])
