"""Robots from URDF and MJCF files."""

import math

import numpy as np
import pytest

import cairn

PENDULUM = """<mujoco model="pendulum"><worldbody>
<body name="rod"><joint name="hinge" axis="0 1 0"/><inertial pos="1 0 0" mass="1" diaginertia="1e-9 1e-9 1e-9"/></body>
</worldbody><visual/><keyframe><key name="low" qpos="1"/></keyframe></mujoco>"""

URDF = """<robot name="ball"><link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link></robot>"""


def test_a_pendulum_swings_as_it_should(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    model = cairn.Model.load(path)
    assert model.title == "pendulum"
    assert any("<visual>" in note and f"{path}:3" in note for note in model.notes)
    with cairn.Simulation(model, step=1e-3, integrator="stiff2") as simulation:
        simulation.run(0.3)
        height = simulation["rod.position"][2]
        rate = simulation["hinge.angle.rate"]
    # Energy of a mass point on a rod of 1 m.
    assert math.isclose(0.5 * rate**2, -9.81 * height, rel_tol=1e-5)


def test_options_choose_how_it_begins(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    low = cairn.Model.load_robot(path, keyframe="low")
    with cairn.Simulation(low) as simulation:
        np.testing.assert_allclose(simulation["rod.position"], (math.cos(1), 0, -math.sin(1)), atol=1e-12)
    urdf = tmp_path / "ball.urdf"
    urdf.write_text(URDF)
    with cairn.Simulation(cairn.Model.load_robot(urdf, free_base=True), step=0.01) as simulation:
        simulation.run(0.5)
        assert math.isclose(simulation["base.velocity"][2], -9.81 * 0.5, rel_tol=1e-12)


def test_a_robot_is_a_scene(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    robot = cairn.Model.load(path)
    scene = cairn.Model.parse(robot.text)
    ends = []
    for model in (robot, scene):
        with cairn.Simulation(model, step=0.002) as simulation:
            simulation.run(0.2)
            ends.append(np.array(simulation["rod.position"]))
    assert ends[0].tobytes() == ends[1].tobytes()


@pytest.mark.parametrize("ending", ["urdf", "xml"])
def test_a_robot_that_was_written_swings_as_before(tmp_path, ending):
    path, again = tmp_path / "pendulum.xml", tmp_path / f"again.{ending}"
    path.write_text(PENDULUM)
    first = cairn.Model.load(path)
    first.save_robot(again)
    ends = []
    for model in (first, cairn.Model.load(again)):
        with cairn.Simulation(model, step=0.002) as simulation:
            simulation.run(0.3)
            ends.append(float(simulation["hinge.angle.rate"]))
    assert ends[0] > 1 and math.isclose(ends[0], ends[1], rel_tol=1e-9)


def test_what_a_format_cannot_say_is_noted(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    model = cairn.Model.load(path)
    model.add_spring("string", "rod", (0.0, 0.0, 1.0), stiffness=1)
    assert any("string" in note for note in model.save_robot(tmp_path / "robot.urdf"))
    with pytest.raises(ValueError, match="end in .urdf"):
        model.save_robot(tmp_path / "robot.dae")


def test_wrong_files_are_located(tmp_path):
    path = tmp_path / "wrong.xml"
    path.write_text("<mujoco>\n<option timestep='-1'/><worldbody/></mujoco>")
    with pytest.raises(cairn.InvalidError, match=r"wrong.xml:2:1: timestep must be positive"):
        cairn.Model.load(path)
    with pytest.raises(cairn.InvalidError, match="has no parameters"):
        cairn.Model.load(path, {"a": 1})
