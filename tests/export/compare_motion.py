"""Compare scenes that `cairn export --mjcf` wrote with what MuJoCo reads from the files, and the motion of a mechanism with MuJoCo's.

Usage: compare_motion.py CAIRN SCENES MECHANISM [ROBOT]...        (needs the Python package `mujoco`)

Of every body of every built-in scene of space: its place as in the first frame of a run, mass and inertia as the reader of the file has
them, to 1e-9. Of a height field: heights over its corners. Of the mechanism, without contacts and loops: places of all bodies after half a
second. MuJoCo's Runge-Kutta method at a small step is the truth, to which
Cairn's second-order integrator converges: the difference must fall by the square of the step. Of robots in MJCF, which were read and written
again: mass matrices at random poses, to 1e-9.
"""
import csv
import glob
import io
import json
import os
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

failures = 0


def check(what, off, most):
    global failures
    if not off <= most:
        failures += 1
        print(f"FAILED: {what}: off by {off:g}, more than {most:g}")


def call(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def run(cairn, scene, *options):
    """Positions and rotations by body, first and last frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.h5")
        call(cairn, "run", scene, "-o", path, "--quiet", *options)
        rows = list(csv.reader(io.StringIO(call(cairn, "export", path, "-o", "-"))))
    head = [name.split(" ")[0] for name in rows[0]]
    frames = {}
    for row in rows[1:]:
        values = dict(zip(head, row))
        frames.setdefault(float(values["time"]), {})[values["body"]] = values
    times = sorted(frames)
    return frames[times[0]], frames[times[-1]]


def place(values):
    return np.array([float(values[k]) for k in ("x", "y", "z")])


def load(cairn, scene, folder):
    path = os.path.join(folder, "robot.xml")
    call(cairn, "export", scene, "--mjcf", path)
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    if model.nkey > 0:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def compare_inertia(model, data, scene, found):
    for i in range(1, model.nbody):
        name = model.body(i).name
        welded = (model.body_weldid == model.body_weldid[i]).sum() > 1
        if name not in found or found[name]["fixed"] or welded:
            continue
        R, S = np.reshape(found[name]["rotation"], (3, 3)), data.ximat[i].reshape(3, 3)
        ours = R @ np.reshape(found[name]["inertia"], (3, 3)) @ R.T
        theirs = S @ np.diag(model.body_inertia[i]) @ S.T
        check(f"{scene}: mass of '{name}'", abs(found[name]["mass"] / model.body_mass[i] - 1), 1e-9)
        check(f"{scene}: inertia of '{name}'", np.abs(ours - theirs).max() / np.abs(theirs).max(), 1e-9)


def compare_heights(cairn, folder):
    scene = os.path.join(folder, "heights.yaml")
    with open(scene, "w") as file:
        file.write("dimension: 3\nbodies:\n  - {name: hills, kind: fixed, position: [1, 2, 3], shapes: [{type: height-field, "
                   "spacing: 2, heights: [[0.5, 1, 2], [3, 4, 7]]}]}\n")
    model, data = load(cairn, scene, folder)
    for x, y, height in ((-2, -1, 0.5), (2, -1, 2), (-2, 1, 3), (2, 1, 7)):
        start = np.array([1 + x * (1 - 1e-9), 2 + y * (1 - 1e-9), 20.0])
        way = mujoco.mj_ray(model, data, start, np.array([0.0, 0, -1]), None, 1, -1, np.zeros(1, np.int32))
        check(f"height over ({x}, {y})", abs(20 - way - 3 - height), 1e-6)


def compare_scene(cairn, scene, folder):
    model, data = load(cairn, scene, folder)
    found = json.loads(call(cairn, "import", os.path.join(folder, "robot.xml"), "--json"))
    compare_inertia(model, data, scene, {body["name"]: body for body in found["bodies"]})
    first, _ = run(cairn, scene, "--until", "0")
    for i in range(1, model.nbody):
        name = model.body(i).name
        check(f"{scene}: place of '{name}'", np.abs(data.xpos[i] - place(first[name])).max(), 1e-9)
    return model.nbody - 1


def compare_motion(cairn, scene, folder):
    model, data = load(cairn, scene, folder)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = 1e-4
    while data.time < 0.5 - 1e-9:
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    off = []
    for step in (0.004, 0.002, 0.001):
        _, last = run(cairn, scene, "--step", str(step))
        off.append(max(np.abs(data.xpos[i] - place(last[model.body(i).name])).max() for i in range(1, model.nbody)))
    print("mechanism: differences", ", ".join(f"{x:.3g}" for x in off), "at steps of 4, 2 and 1 ms")
    check("the motion at the smallest step", off[2], 1e-4)
    check("the order: the difference at half the step", off[2] / off[1], 0.35)
    check("the order: the difference at half the step", off[1] / off[0], 0.35)


def mass_matrix(model, data, joints):
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    try:
        mujoco.mj_fullM(model, data, full)
    except TypeError:  # before version 4
        mujoco.mj_fullM(model, full, data.qM)
    dofs = [model.jnt_dofadr[model.joint(name).id] for name in joints]
    return full[np.ix_(dofs, dofs)]


def compare_robot(cairn, path, folder):
    """Coordinates of what was read are counted from the pose as written, where the file's own have `ref`."""
    first = mujoco.MjModel.from_xml_path(path)
    again, data = load(cairn, path, folder)
    before = mujoco.MjData(first)
    joints = [first.joint(i).name for i in range(first.njnt) if first.jnt_type[i] in (2, 3)]
    random = np.random.default_rng(1)
    off = 0
    for _ in range(5):
        for name in joints:
            i, k, value = first.joint(name).id, again.joint(name).id, random.uniform(-1, 1)
            before.qpos[first.jnt_qposadr[i]] = first.qpos0[first.jnt_qposadr[i]] + value
            data.qpos[again.jnt_qposadr[k]] = value
        expected = mass_matrix(first, before, joints)
        off = max(off, np.abs(mass_matrix(again, data, joints) - expected).max() / np.abs(expected).max())
    print(f"{path}: {len(joints)} joints, mass matrix off by {off:.3g}")
    check(f"{path}: mass matrix", off, 1e-9)


def main():
    cairn, scenes, mechanism = sys.argv[1:4]
    bodies = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in sorted(glob.glob(os.path.join(scenes, "*.yaml"))):
            with open(scene) as file:
                if "dimension: 3" not in file.read():
                    continue
            bodies += compare_scene(cairn, scene, folder)
            count += 1
        print(f"{count} scenes with {bodies} bodies")
        compare_heights(cairn, folder)
        compare_motion(cairn, mechanism, folder)
        for robot in sys.argv[4:]:
            compare_robot(cairn, robot, folder)
    return failures > 0


sys.exit(main())
