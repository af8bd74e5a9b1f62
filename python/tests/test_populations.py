"""Populations and periodic boxes, as a program builds them."""

import math

import cairn
import numpy as np
import pytest

REGION = {"kind": "cylinder", "position": [0, 0, 1], "radius": 0.1, "height": 0.5}


def new_model():
    model = cairn.Model(3)
    model.add_material("glass", friction=0.4)
    ground = model.add_body("ground", kind="fixed")
    ground.add_shape("half-space", normal=[0, 0, 1], material="glass")
    return model


def test_grains_lie_in_their_region_without_overlaps():
    model = new_model()
    sizes = {"kind": "uniform", "least": 0.004, "most": 0.008}
    sand = model.add_population("sand", count=300, sizes=sizes, density=2500, material="glass", region=REGION, seed=3)
    assert len(sand) == 300 and sand[299] == sand[-1] and sand[7].name == "sand[7]"
    assert list(model.populations) == ["sand"]
    with pytest.raises(IndexError, match="300 bodies"):
        sand[300]
    simulation = cairn.Simulation(model)
    x = np.array([simulation.body(grain).position for grain in sand])
    mass = np.array([grain.mass for grain in sand])
    radius = np.cbrt(mass / (2500 * 4 / 3 * math.pi))
    assert radius.min() >= 0.004 - 1e-12 and radius.max() <= 0.008 + 1e-12
    assert abs(radius.mean() - 0.006) < 4 * 0.004 / math.sqrt(12 * 300)
    assert np.all(np.hypot(x[:, 0], x[:, 1]) + radius <= 0.1 + 1e-12) and np.all(abs(x[:, 2] - 1) + radius <= 0.25 + 1e-12)
    apart = np.linalg.norm(x[:, None] - x[None], axis=2) - radius[:, None] - radius[None]
    assert np.all(apart[~np.eye(300, dtype=bool)] >= -1e-12)


def test_sieve_tables_and_clumps():
    model = new_model()
    pair = [{"kind": "sphere", "radius": 1, "position": [-0.7, 0, 0]}, {"kind": "sphere", "radius": 1, "position": [0.7, 0, 0]}]
    sizes = {"kind": "table", "table": [[0.004, 0], [0.006, 0.5], [0.006, 1]]}
    grains = model.add_population("clumps", count=20, sizes=sizes, shapes=pair, density=1000, region=REGION)
    radius = np.cbrt([grain.mass / (1000 * 4 / 3 * math.pi) for grain in grains])
    assert np.all((radius > 0.004 - 1e-12) & (radius < 0.006 + 1e-12)) and np.sum(abs(radius - 0.006) < 1e-12) >= 3
    for wrong, sentence in ({"packing": "tidy"}, "packing"), ({"sizes": {"kind": "odd"}}, "sizes kind"), ({"count": -1}, "count"):
        with pytest.raises(cairn.InvalidError, match=sentence):
            model.add_population("wrong", **{"count": 1, "sizes": {"mean": 0.001}, "density": 1, "region": REGION, **wrong})
    with pytest.raises(TypeError, match="did you mean 'density'"):
        model.add_population("wrong", densty=3)


def test_grains_come_in_and_leave():
    model = new_model()
    drain = {"kind": "box", "position": [0, 0, 0.2], "size": [1, 1, 0.2]}
    grain = {"sizes": {"mean": 0.005}, "density": 2500, "region": REGION}
    model.add_population("rain", count=50, insertion={"rate": 100}, removal=drain, recycle=False, **grain)
    simulation = cairn.Simulation(model, step=0.002)
    assert simulation.population("rain").present == 0
    simulation.run(until=2.0)
    flow = simulation.population("rain")
    mass = 2500 * 4 / 3 * math.pi * 0.005**3
    assert (flow.inserted, flow.removed, flow.present) == (50, 50, 0)
    assert math.isclose(flow.mass_in, 50 * mass) and math.isclose(flow.mass_out, 50 * mass)
    with pytest.raises(cairn.InvalidError, match="no population 'snow'"):
        simulation.population("snow")


def test_a_periodic_box_brings_images_together():
    model = cairn.Model(3, gravity=[0, 0, 0])
    model.set_periodic([1, 1, 1])
    for name, x, speed in ("left", -0.4, -1.0), ("right", 0.4, 1.0):
        ball = model.add_body(name, position=[x, 0, 0], velocity=[speed, 0, 0], mass=1)
        ball.add_shape("sphere", radius=0.05)
    simulation = cairn.Simulation(model, step=0.01)
    simulation.run(until=0.2)  # 0.1 m between the images: they meet after 0.05 s and stop
    assert abs(simulation.body("left").velocity[0]) < 1e-12
    assert abs(simulation.body("left").position[0] + 0.45) < 1e-12
    with pytest.raises(cairn.InvalidError):
        model.set_periodic([-1, 0, 0])
