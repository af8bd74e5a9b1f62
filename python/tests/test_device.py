"""Steps on a device (its twin for the processor), which takes them together: the same motion as one by one."""

import os

import h5py
import numpy as np
import pytest

import cairn

pytestmark = pytest.mark.skipif("CAIRN_GPU_LIBRARY" not in os.environ, reason="there is no device, nor its twin")

SCENE = """
dimension: 3
simulation: {step: 0.004, until: 0.4, law: cone, device: gpu, sweeps: 10}
materials: [{name: stone, friction: 0.5}]
bodies:
  - {name: floor, kind: fixed, material: stone, shapes: [{type: half-space, normal: [0, 0, 1]}]}
populations:
  - name: grain
    count: 40
    radius: {distribution: uniform, min: 0.04, max: 0.05}
    density: 1000
    material: stone
    region: {type: box, position: [0, 0, 0.3], size: [0.4, 0.4, 0.6]}
    packing: random
sensors:
  - {name: height, quantity: "grain[0].z"}
"""


@pytest.fixture
def model(tmp_path):
    (tmp_path / "grains.yaml").write_text(SCENE)
    return cairn.Model.load(tmp_path / "grains.yaml")


def test_run_is_as_single_steps(tmp_path, model):
    together, single = cairn.Simulation(model), cairn.Simulation(model)
    with cairn.Recorder(together, tmp_path / "grains.h5", every=7) as recorder:
        together.run(record=recorder)
    for _ in range(100):
        single.step()
    np.testing.assert_array_equal(together.positions, single.positions)
    np.testing.assert_array_equal(together.velocities, single.velocities)
    assert together.time == single.time == pytest.approx(0.4)
    with h5py.File(tmp_path / "grains.h5") as file:
        np.testing.assert_allclose(file["time"][:], [*(0.028 * np.arange(15)), 0.4], atol=1e-12)
        np.testing.assert_array_equal(file["bodies/position"][-1], together.positions)


def test_a_watch_sees_every_step(tmp_path, model):
    watched = cairn.Simulation(model)
    watch = cairn.Watch(watched, sensors=True)
    with cairn.Recorder(watched, tmp_path / "grains.h5", every=7, watch=watch) as recorder:
        watched.run(0.1, record=recorder)
    with h5py.File(tmp_path / "grains.h5") as file:
        assert len(file["sensors/time"]) == 26
