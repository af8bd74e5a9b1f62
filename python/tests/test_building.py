"""Everything that a model takes, built from Python and checked by closed forms."""

import gc
import math
import weakref

import numpy as np
import pytest

import cairn
from cairn import keywords
from cairn._native import ffi, lib

G = 9.81


def test_keywords_are_the_fields_of_the_headers():
    """The lists for type checkers lack nothing that the structs have, and have nothing more."""
    from cairn._options import _HIDDEN

    given_otherwise = {
        "MaterialOptions": {"name"},
        "BodyOptions": {"name", "motion"},
        "ShapeOptions": {"kind"},
        "JointOptions": {"name", "kind", "type", "a", "b"},
        "CoordinateOptions": set(),
        "CouplingOptions": {"name", "terms"},
        "SpringOptions": {"name", "kind", "a", "b"},
        "ForceOptions": {"name", "body", "function", "slopes"},
        "StatisticOptions": {"name"},
        "PopulationOptions": {"name"},
        "PatchOptions": set(),
    }
    for name, others in given_otherwise.items():
        struct = "cairn_" + name.removesuffix("Options").lower() + "_options"
        fields = {field for field, _ in ffi.typeof(struct).fields} - _HIDDEN
        assert set(getattr(keywords, name).__annotations__) == fields - others, name
    for name, struct in ("Sizes", "sizes"), ("PopulationRegion", "population_region"), ("Insertion", "insertion"):
        fields = {field for field, _ in ffi.typeof("cairn_" + struct).fields} - _HIDDEN
        assert set(getattr(keywords, name + "Options").__annotations__) == fields, name
    assert set(keywords.SettingsOptions.__annotations__) == set(cairn.Settings())


def test_every_function_of_the_headers_is_there():
    assert all(hasattr(lib, name) for name in ("cairn_query_ray", "cairn_assembly_create", "cairn_recorder_create"))


@pytest.mark.parametrize("length, start", [(0.7, 0.3), (1.3, -1.2)])
def test_pendulum_keeps_its_energy_and_period(length, start):
    """A point-like bob on a massless rod: T = 4 sqrt(l/g) K(sin(a/2)), by the arithmetic-geometric mean."""
    model = cairn.Model(dimension=2)
    bob = model.add_body(
        "bob", mass=2, inertia=(0, 0, 1e-9), position=(length * math.sin(start), -length * math.cos(start)), angle=start
    )
    pin = model.add_joint("pin", "revolute", (0.0, 0.0), bob.at((0, 0)))
    assert pin.type == "revolute" and pin.coordinates == ["angle"]
    a, b = 1.0, math.cos(start / 2)
    for _ in range(20):
        a, b = (a + b) / 2, math.sqrt(a * b)
    period = 2 * math.pi / a * math.sqrt(length / G)
    simulation = cairn.Simulation(model, integrator="stiff2", step=period / 800)
    simulation.step(800)
    assert simulation["bob.x"] == pytest.approx(length * math.sin(start), abs=2e-4 * length)
    assert simulation.freedoms.degrees == 1
    assert math.hypot(simulation["bob.x"], simulation["bob.y"]) == pytest.approx(length, rel=1e-6)


def test_spring_at_rest_hangs_by_its_weight():
    model = cairn.Model(dimension=3)
    body = model.add_body("body", mass=3, inertia=(1, 1, 1), position=(0, 0, -1))
    spring = model.add_spring("spring", (0.0, 0.0, 0.0), body, stiffness=500, damping=80, rest=1)
    simulation = cairn.Simulation(model, step=0.01)
    simulation.run(until=10)
    assert simulation["body.z"] == pytest.approx(-1 - 3 * G / 500, rel=1e-9)
    assert simulation["spring.force"] == pytest.approx(3 * G, rel=1e-6)
    assert simulation.work(spring) == pytest.approx(-3 * G * 3 * G / 500, rel=1e-2)


def test_force_by_expression_and_by_function_agree():
    def make(**force):
        model = cairn.Model(dimension=3, gravity=(0, 0, 0))
        body = model.add_body("body", mass=2, inertia=(1, 2, 3))
        model.add_force("push", body, **force)
        simulation = cairn.Simulation(model, integrator="euler", step=0.01)
        simulation.step(100)
        return simulation.velocities[0].copy()

    by_text = make(force=("3*cos(t)", 0, "1"), torque=("0", "0.5", "0"))
    by_function = make(function=lambda t, state: ((3 * math.cos(t), 0, 1), (0, 0.5, 0)))
    np.testing.assert_allclose(by_text, by_function, rtol=1e-13, atol=1e-15)
    impulse = sum(0.01 * 3 * math.cos(0.01 * k) for k in range(100))
    assert by_text[0] == pytest.approx(impulse / 2, rel=0.02)


def test_function_of_the_state_is_a_drag():
    """Euler's v_k = (1 - c h/m)^k v_0."""
    model = cairn.Model(dimension=2, gravity=(0, 0))
    body = model.add_body("body", mass=2, inertia=(0, 0, 1), velocity=(3, -1))
    model.add_force("drag", body, lambda t, state: -0.7 * state.velocity)
    simulation = cairn.Simulation(model, integrator="euler", step=0.02)
    simulation.step(50)
    share = (1 - 0.7 * 0.02 / 2) ** 50
    np.testing.assert_allclose(simulation.velocities[0, :2], [3 * share, -share], rtol=1e-12)


def test_exceptions_of_callbacks_arrive():
    class Broken(Exception):
        pass

    def fail(t, state):
        if t > 0.095:
            raise Broken("at last")
        return (0, 0)

    model = cairn.Model(dimension=2)
    body = model.add_body("body", mass=2, inertia=(0, 0, 1))
    force = model.add_force("push", body, fail)
    simulation = cairn.Simulation(model, step=0.01)
    with pytest.raises(Broken, match="at last"):
        simulation.step(1000)
    assert 0.08 < simulation.time < 0.12
    with pytest.raises(Broken):
        simulation.step()
    force.remove()
    before = simulation.time
    simulation.step()
    assert simulation.time > before
    assert math.isfinite(simulation["body.y"])


def test_driven_body_by_function():
    model = cairn.Model(dimension=2, gravity=(0, 0))
    model.add_body("table", kind="driven", motion=lambda t: ((math.sin(t), 0.5 * t), 0.1 * t))
    simulation = cairn.Simulation(model, step=0.01)
    simulation.step(70)
    state = simulation.body("table")
    np.testing.assert_allclose(state.position[:2], [math.sin(0.7), 0.35], rtol=1e-12)
    assert state.angle == pytest.approx(0.07)


@pytest.mark.parametrize("target", [2.0, "2", [(0, 2), (9, 2)], lambda t: 2.0])
def test_speed_drive_by_every_kind_of_signal(target):
    model = cairn.Model(dimension=2, gravity=(0, 0))
    wheel = model.add_body("wheel", mass=1, inertia=(0, 0, 0.1))
    axle = model.add_joint("axle", "revolute", (0.0, 0.0), wheel)
    axle.set_coordinate(drive="speed", target=target)
    simulation = cairn.Simulation(model, step=0.01)
    simulation.step(50)
    assert simulation["axle.angle.rate"] == pytest.approx(2, rel=1e-9)
    assert simulation["axle.angle"] == pytest.approx(1, rel=0.03)
    axle.set_target(-3.0)
    simulation.step()
    assert simulation["axle.angle.rate"] == pytest.approx(-3, rel=1e-9)
    assert simulation.joint("axle").rate[0] == pytest.approx(-3, rel=1e-9)
    axle.set_target(None)
    simulation.step()
    assert simulation["axle.angle.rate"] == pytest.approx(2, rel=1e-9)


def test_functions_of_targets_that_were_replaced_are_let_go():
    model = cairn.Model(dimension=2, gravity=(0, 0))
    axle = model.add_joint("axle", "revolute", (0.0, 0.0), model.add_body("wheel", mass=1, inertia=(0, 0, 0.1)))
    axle.set_coordinate(drive="speed", target=lambda t: 1.0)
    simulation = cairn.Simulation(model, step=0.01)
    alive = []
    for speed in range(5):

        class Target:
            value = float(speed)

            def __call__(self, t):
                return self.value

        target = Target()
        alive.append(weakref.ref(target))
        axle.set_target(target)
        del target
        simulation.step()
        assert simulation["axle.angle.rate"] == pytest.approx(speed, abs=1e-9)
    gc.collect()
    assert [one() is not None for one in alive] == [False] * 4 + [True]
    axle.set_target(None)
    simulation.step()
    assert simulation["axle.angle.rate"] == pytest.approx(1)


def test_coupling_of_two_wheels():
    """a's angle plus twice b's is held: the rates keep -2 : 1."""
    model = cairn.Model(dimension=2, gravity=(0, 0))
    for name, x in (("a", 0), ("b", 1)):
        wheel = model.add_body(name, mass=1, inertia=(0, 0, 0.1), position=(x, 0))
        model.add_joint("axle " + name, "revolute", (float(x), 0.0), wheel)
    model.joint("axle a").set_coordinate(drive="speed", target=1.0)
    model.add_coupling("gears", [(1.0, "axle a"), (2.0, ("axle b", "angle"))])
    simulation = cairn.Simulation(model, step=0.01)
    simulation.step(20)
    assert simulation["axle b.angle.rate"] == pytest.approx(-0.5, rel=1e-9)


def test_meshes_and_heights_from_arrays():
    model = cairn.Model(dimension=3)
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * 0.1
    model.add_body("hull", position=(0, 0, 0.1)).add_shape("hull", vertices=corners, density=1000)
    model.add_body("ground", kind="fixed").add_shape("height-field", heights=np.zeros((5, 7)), spacing=0.3)
    assert model.body("hull").mass == pytest.approx(8.0, rel=1e-12)
    simulation = cairn.Simulation(model, step=0.01)
    simulation.step(30)
    assert simulation["hull.z"] == pytest.approx(0.1, abs=1e-8)
    with pytest.raises(cairn.InvalidError, match="rows and columns"):
        model.body("hull").add_shape("hull", vertices=[1, 2, 3])


def test_material_by_name_decides_about_sliding():
    """On a slope of 30 degrees a block slides with g (sin a - mu cos a), or stays where mu > tan a."""
    slope = math.radians(30)
    for mu, acceleration in ((0.3, G * (math.sin(slope) - 0.3 * math.cos(slope))), (0.7, 0.0)):
        model = cairn.Model(dimension=3, gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
        model.add_material("stuff", friction=mu)
        model.add_body("floor", kind="fixed").add_shape("half-space", normal=(0, 0, 1), material="stuff")
        block = model.add_body("block", position=(0, 0, 0.1))
        block.add_shape("box", size=(0.4, 0.4, 0.2), density=500, material=model.material("stuff"))
        simulation = cairn.Simulation(model, step=0.01)
        simulation.step(50)
        assert simulation["block.vx"] == pytest.approx(0.5 * acceleration, rel=1e-6, abs=1e-9)


def test_hooks_filter_and_pre_solve():
    def build():
        model = cairn.Model(dimension=3, gravity=(0, 0, -G))
        model.add_body("floor", kind="fixed").add_shape("half-space", normal=(0, 0, 1))
        for name, x in (("ghost", 0), ("ball", 1)):
            ball = model.add_body(name, position=(x, 0, 0.1), velocity=(0, 0, 0))
            ball.add_shape("sphere", radius=0.1, density=1000)
        return model

    def no_ghosts(pair):
        return "ghost" not in (pair.body_a.name, pair.body_b.name)

    simulation = cairn.Simulation(build(), filter=no_ghosts, touches=True, step=0.01)
    simulation.step()
    assert [(a.body.name, b.body.name) for a, b, _ in simulation.touches("began")] in ([("ball", "floor")], [("floor", "ball")])
    simulation.step(99)
    assert simulation["ball.z"] == pytest.approx(0.1, abs=1e-9)
    assert simulation["ghost.z"] < -4
    seen = []

    def icy(candidate, surface):
        seen.append(candidate.gap)
        return surface._replace(friction=0.0)

    simulation = cairn.Simulation(build(), pre_solve=icy, step=0.01)
    simulation.set_gravity((1, 0, -G))
    simulation.step(50)
    assert seen and simulation["ball.vx"] == pytest.approx(0.5, rel=1e-9)
    with pytest.raises(ZeroDivisionError):
        simulation.set_hooks(pre_solve=lambda candidate, surface: 1 / 0)
    simulation.set_hooks(pre_solve=icy)
    simulation.step(50)
    assert simulation["ball.vx"] == pytest.approx(1.0, rel=1e-9)


def test_a_system_of_ones_own():
    """A mass that falls onto a stop, and an oscillator, in coordinates of their own."""
    model = cairn.Model(dimension=2)
    system = model.add_system(
        "mass",
        q=[1.0],
        gap_count=1,
        mass=lambda q: [[2.0]],
        force=lambda t, q, v: [-2.0 * G],
        gaps=lambda q: (q, [[1.0]]),
        potential=lambda q: 2.0 * G * q[0],
    )
    simulation = cairn.Simulation(model, integrator="euler", step=0.01)
    simulation.step(20)
    q, v = simulation.system(system)
    assert v[0] == pytest.approx(-G * 0.2, rel=1e-12) and q[0] == pytest.approx(1 - G * 1e-4 * 210, rel=1e-12)
    simulation.step(200)
    assert abs(simulation.system("mass")[0][0]) < 1e-9
    with pytest.raises(TypeError, match="no function 'gravity'"):
        model.add_system("other", q=[0.0], gravity=lambda q: q)


def test_statistics_are_quantities() -> None:
    """Two balls on a floor: 2 m g and m g on lines of r, r and r, over a region of 0.8 m^3."""
    model = cairn.Model(3)
    floor = model.add_body("floor", kind="fixed")
    floor.add_shape("half-space")
    for k in range(2):
        ball = model.add_body(f"ball{k}", position=(0, 0, 0.2 + 0.4 * k))
        ball.add_shape("sphere", radius=0.2, density=1000)
    bulk = model.add_statistic("bulk", region={"centre": (0, 0, 0.4), "size": (1, 1, 0.8)}, bins=5)
    model.add_statistic("gate", point=(0, 0, 0.1), normal=(0, 0, -1))
    assert bulk.name == "bulk"
    simulation = cairn.Simulation(model, step=0.01)
    simulation.step()
    weight = 1000 * 4 / 3 * np.pi * 0.2**3 * 9.81
    stress = simulation["bulk.stress"]
    assert stress.shape == (9,)
    np.testing.assert_allclose(stress[8], (2 + 1 + 1) * 0.2 * weight / 0.8)
    assert simulation["bulk.coordination"] == 1.5 and len(simulation["bulk.force_histogram"]) == 5
    assert simulation["gate.passed"] == 0
    with pytest.raises(cairn.Error, match="bins"):
        model.add_statistic("many", bins=99)
