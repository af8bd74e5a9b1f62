"""Models as scene files, and runs of models that were built."""

import math

import numpy as np
import pytest
from test_core import falling_ball, tower

import cairn


def robot():
    model = cairn.Model(dimension=3)
    model.add_material("rubber", friction=0.7, restitution=0.1)
    model.add_body("floor", kind="fixed").add_shape("half-space", normal=(0, 0, 1), material="rubber")
    arm = model.add_body("arm", position=(0.3, 0, 1))
    arm.add_shape("capsule", radius=0.05, length=0.5, density=800, orientation=(math.sqrt(0.5), 0, math.sqrt(0.5), 0))
    hinge = model.add_joint("hinge", "revolute", (0.0, 0.0, 1.0), (arm, (-0.3, 0, 0)), axis=(0, 1, 0))
    hinge.set_coordinate(drive="position", target="0.3*sin(2*t)", drive_stiffness=50, drive_damping=5, lower=-1, upper=1)
    ball = model.add_body("ball", position=(0.3, 0.05, 1.3))
    ball.add_shape("sphere", radius=0.1, density=300, material="rubber")
    model.add_spring("string", ball, (0.0, 0.0, 2.0), stiffness=10, damping=0.1)
    return model


def after(model, steps=60, **settings):
    with cairn.Simulation(model, **settings) as simulation:
        simulation.step(steps)
        return bytes(simulation.positions.tobytes()) + simulation.velocities.tobytes()


def test_a_saved_model_moves_with_the_same_bits(tmp_path):
    model, settings = robot(), cairn.Settings(step=0.004, integrator="stiff2")
    model.save(tmp_path / "robot.yaml", title="a robot", settings=settings, until=0.5, sensors={"height": "ball.z"})
    again = cairn.Model.load(tmp_path / "robot.yaml")
    assert again.title == "a robot" and again.until == 0.5 and again.sensors == {"height": "ball.z"}
    assert again.settings.step == 0.004 and again.settings.integrator == "stiff2"
    assert after(again) == after(model, step=0.004, integrator="stiff2")
    assert again.text == model.to_text(title="a robot", settings=settings, until=0.5, sensors={"height": "ball.z"})


def test_a_scene_that_was_changed_keeps_what_it_said():
    text = "dimension: 2\nsimulation: {step: 0.02, until: 3}\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
    model = cairn.Model.parse(text + "sensors: [{name: where, quantity: a.x, every: 4}]\n")
    model.add_body("b", mass=2, inertia=(0, 0, 1), position=(1, 0))
    again = cairn.Model.parse(model.to_text())
    assert [body.name for body in again.bodies] == ["a", "b"] and again.settings.step == 0.02 and again.until == 3
    assert "every: 4" in again.text
    with pytest.raises(cairn.InvalidError, match="push"):
        model.add_force("push", "a", lambda t, state: (0, 0))
        model.save("never.yaml")
    with pytest.raises(OSError):
        falling_ball().save("no/such/folder/scene.yaml")


def test_runs_of_built_models_have_their_scene(tmp_path):
    simulation = tower(2)
    simulation.run(until=0.2, record=tmp_path / "run.h5")
    with cairn.Run(tmp_path / "run.h5") as run:
        model = run.model()
        assert [shape.kind for shape in model.shapes] == ["half-space", "box", "box"]
        assert run.dimension == 3 and dict(run.settings) == dict(simulation.settings)
        with cairn.Simulation(model) as again:
            again.run(until=0.2)
            assert again.positions.tobytes() == simulation.positions.tobytes()


def test_a_run_without_its_scene_warns(tmp_path):
    model = falling_ball()
    model.add_force("drag", "ball", lambda t, state: -0.1 * state.velocity)
    simulation = cairn.Simulation(model, step=0.01)
    with pytest.warns(UserWarning, match="run.h5' will show no shapes.*'drag'"):
        simulation.run(until=0.1, record=tmp_path / "run.h5")
    with cairn.Run(tmp_path / "run.h5") as run:
        assert run.frame_count == 11
        with pytest.raises(cairn.InvalidError, match="no scene"):
            run.model()


def test_flushed_frames_can_be_read(tmp_path):
    simulation = tower(1)
    with cairn.Recorder(simulation, tmp_path / "run.h5") as recorder:
        for _ in range(3):
            simulation.step()
            recorder.write()
        recorder.flush()
        with cairn.Run(tmp_path / "run.h5") as run:
            assert run.status == "running" and run.frame_count == 4


def test_what_a_model_says_of_its_things():
    model = robot()
    I = model.body("ball").inertia
    np.testing.assert_allclose(I, 0.4 * model.body("ball").mass * 0.01 * np.eye(3), atol=1e-12)
    info = model.joint("hinge").coordinate()
    assert info.name == "angle" and info.drive == "position" and info.upper == 1 and info.drive_stiffness == 50
    assert model.spring("string").kind == "linear"
    units = model.quantities
    assert units["ball.z"] == "m" and units["hinge.angle.drive"] == "N m" and "energy.total" in units
    simulation = cairn.Simulation(model, step=0.01)
    simulation.step(5)
    length = np.linalg.norm(simulation["ball.position"] - (0, 0, 2)) - np.linalg.norm((0.3, 0.05, -0.7))
    assert simulation.stretch("string") == pytest.approx(length, abs=1e-12)


@pytest.mark.parametrize("h", [0.01, 0.1])
@pytest.mark.parametrize("small", [True, False])
def test_slopes_make_a_function_implicit(h, small):
    """v_k = v_0/(1 + h c/m)^k, where an explicit step would explode: h c/m is 10 and 100."""
    c, m = 2000.0, 2.0
    model = cairn.Model(dimension=3, gravity=(0, 0, 0))
    body = model.add_body("body", mass=m, inertia=(1, 1, 1), velocity=(1, -2, 0.5))
    damping = -c * (np.eye(3) if small else np.diag([1, 1, 1, 0, 0, 0]))
    model.add_force("drag", body, lambda t, state: -c * state.velocity, slopes=lambda t, state: (damping, None))
    simulation = cairn.Simulation(model, step=h, integrator="stiff")
    for k in range(1, 6):
        simulation.step()
        np.testing.assert_allclose(simulation["body.velocity"], np.array([1, -2, 0.5]) / (1 + h * c / m) ** k, rtol=1e-10)
    with pytest.raises(TypeError, match="slopes belong to a function"):
        model.add_force("wrong", body, slopes=lambda t, state: (None, None))


def test_slopes_by_position_and_their_exceptions():
    """A stiff spring, by a function with its slopes and by the expression that the library differentiates itself."""
    ends = []
    for by_function in (True, False):
        model = cairn.Model(dimension=2, gravity=(0, 0))
        body = model.add_body("body", mass=1, inertia=(0, 0, 1), position=(1, 0))
        if by_function:
            slope = np.diag([-1e6, 0, 0])
            model.add_force("spring", body, lambda t, s: (-1e6 * s.position[0], 0), slopes=lambda t, s: (None, slope))
        else:
            model.add_force("spring", body, force=("-1e6*body.x", 0))
        simulation = cairn.Simulation(model, step=0.01, integrator="stiff")
        simulation.step(10)
        ends.append([simulation["body.x"], simulation["body.vx"]])
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9)
    assert abs(ends[0][0]) < 1
    model = cairn.Model(dimension=2)
    body = model.add_body("body", mass=1, inertia=(0, 0, 1))
    model.add_force("broken", body, lambda t, state: (0, 0), slopes=lambda t, state: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cairn.Simulation(model, integrator="stiff").step()
