"""Compare `cairn import --json` with MuJoCo's own reading of the same file.

Usage: compare_mujoco.py CAIRN FILE...        (needs the Python package `mujoco`)

Of every body that moves: mass, centre of mass and inertia in the world, summed over the bodies that are welded to it. Of every joint: its
anchor, axis, range, damping, friction, armature and stiffness, and the gains of its actuators. Of every geometry that collides: how many
there are, and the place of those that are no meshes, whose frames MuJoCo moves. All to 1e-9, relative or absolute.
"""
import json
import subprocess
import sys

import mujoco
import numpy as np

TOLERANCE = 1e-9
failures = 0


def same(what, found, expected):
    global failures
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    off = float(np.abs(found - expected).max(initial=0))
    if not off <= TOLERANCE * scale:
        failures += 1
        print(f"FAILED: {what}: {found} instead of {expected}, off by {off:g}")


def composite(model, data, root):
    """Mass, centre and inertia in the world of all bodies welded to `root`."""
    parts = [i for i in range(model.nbody) if model.body_weldid[i] == root]
    mass = sum(model.body_mass[i] for i in parts)
    centre = sum(model.body_mass[i] * data.xipos[i] for i in parts) / mass
    inertia = np.zeros((3, 3))
    for i in parts:
        R, d = data.ximat[i].reshape(3, 3), data.xipos[i] - centre
        inertia += R @ np.diag(model.body_inertia[i]) @ R.T
        inertia += model.body_mass[i] * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, centre, inertia


def name_of(model, i):
    return model.body(i).name or f"body {i}"


def compare_bodies(model, data, ours):
    moving = [i for i in range(1, model.nbody) if model.body_weldid[i] == i and model.body_mocapid[i] < 0]
    for i in moving:
        name = name_of(model, i)
        if name not in ours:
            same(f"body '{name}' is there", 0, 1)
            continue
        mass, centre, inertia = composite(model, data, i)
        body = ours[name]
        R = np.reshape(body["rotation"], (3, 3))
        same(f"mass of '{name}'", body["mass"], mass)
        same(f"centre of '{name}'", body["position"], centre)
        I = R @ np.reshape(body["inertia"], (3, 3)) @ R.T
        same(f"inertia of '{name}'", I / np.abs(inertia).max(), inertia / np.abs(inertia).max())
    extra = [n for n, b in ours.items() if not b["fixed"] and " (after " not in n]
    same("number of bodies that move", len(extra), len(moving))


def compare_joints(model, data, joints):
    coordinates, gains = {}, drives_of(model)
    for j in joints:
        hinges = [c for c in j["coordinates"] if j["type"] not in ("ball", "coupling")]
        if j["type"] == "gimbal":  # its second axis is fixed in neither body: at the start it is across the others, either way
            across = np.cross(hinges[2]["axis"], hinges[0]["axis"])
            for axis in (across, -across):
                coordinates[(j["b"], False, tuple(np.round(axis, 6) + 0.0))] = (j, hinges[1] | {"axis": axis})
            hinges = hinges[::2]
        for k, c in enumerate(hinges):
            coordinates[(j["b"].split(" (after ")[0], c["name"] == "position", tuple(np.round(c["axis"], 6) + 0.0))] = (j, c)
    for i in range(model.njnt):
        if model.jnt_type[i] not in (2, 3):
            continue
        key = (name_of(model, model.jnt_bodyid[i]), model.jnt_type[i] == 2, tuple(np.round(data.xaxis[i], 6) + 0.0))
        what = f"joint '{model.joint(i).name}'"
        if key not in coordinates:
            same(f"{what} is there", 0, 1)
            continue
        joint, c = coordinates[key]
        if ("joint", i) in gains:
            compare_gains(what, c, gains[("joint", i)])
        dof, zero = model.jnt_dofadr[i], model.qpos0[model.jnt_qposadr[i]]
        same(f"axis of {what}", c["axis"], data.xaxis[i])
        if joint["type"] in ("revolute", "universal", "gimbal"):
            same(f"anchor of {what}", joint["at"], data.xanchor[i])
        if model.jnt_limited[i]:
            same(f"range of {what}", [c["lower"], c["upper"]], model.jnt_range[i] - zero)
        else:
            same(f"{what} has no range", c["lower"] is None and c["upper"] is None, True)
        same(f"friction of {what}", c["friction"], model.dof_frictionloss[dof])
        same(f"damping of {what}", c["damping"], np.ravel(model.dof_damping[dof])[0])
        same(f"armature of {what}", c["rotor_inertia"], model.dof_armature[dof])
        same(f"stiffness of {what}", c["stiffness"], np.ravel(model.jnt_stiffness[i])[0])


def drives_of(model):
    """Stiffness and damping of what acts on each joint and tendon, as MuJoCo's compiler made them of damping ratios."""
    found = {}
    for i in range(model.nu):
        kind, target, gear = model.actuator_trntype[i], model.actuator_trnid[i, 0], model.actuator_gear[i, 0]
        if kind not in (0, 3) or model.actuator_dyntype[i] != 0 or model.actuator_biastype[i] > 1:
            continue
        key = ("joint" if kind == 0 else "tendon", target)
        bias = model.actuator_biasprm[i, 1:3] if model.actuator_biastype[i] == 1 else np.zeros(2)
        found[key] = found.get(key, np.zeros(2)) - gear**2 * bias
    return found


def compare_tendon_drives(model, joints):
    ours = {j["name"]: j["coordinates"][0] for j in joints if j["type"] == "coupling"}
    gains = drives_of(model)
    for i in range(model.ntendon):
        if ("tendon", i) in gains:
            compare_gains(f"tendon '{model.tendon(i).name}'", ours.get(model.tendon(i).name, {}), gains[("tendon", i)])


def compare_gains(what, coordinate, expected):
    if not np.any(expected) and "drive_stiffness" not in coordinate:
        return
    same(f"gains on {what}", [coordinate.get("drive_stiffness", -1), coordinate.get("drive_damping", -1)], expected)


def compare_shapes(model, data, shapes):
    words = {0: "half-space", 1: "height-field", 2: "sphere", 3: "capsule", 4: "ellipsoid", 5: "cylinder", 6: "box", 7: "hull"}
    expected = [(words[model.geom_type[i]], data.geom_xpos[i]) for i in range(model.ngeom)
                if model.geom_contype[i] or model.geom_conaffinity[i] or i in model.pair_geom1 or i in model.pair_geom2]
    same("number of shapes", len(shapes), len(expected))
    for kind in words.values():
        a = sorted((tuple(np.round(s["at"], 6)), tuple(s["at"])) for s in shapes if s["kind"] == kind)
        b = sorted((tuple(np.round(x, 6)), tuple(x)) for k, x in expected if k == kind)
        same(f"number of shapes '{kind}'", len(a), len(b))
        if kind != "hull" and len(a) == len(b):
            for (_, x), (_, y) in zip(a, b):
                same(f"place of a {kind}", x, y)


def load(path):
    """Without actuators where MuJoCo cannot find the range of lengths of muscles, and what refers to them."""
    spec = mujoco.MjSpec.from_file(path)
    try:
        return spec.compile()
    except ValueError:
        spec = mujoco.MjSpec.from_file(path)
    for part in list(spec.actuators) + list(spec.keys) + list(spec.sensors):
        spec.delete(part)
    return spec.compile()


def main():
    for path in sys.argv[2:]:
        model = load(path)
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        found = json.loads(subprocess.run([sys.argv[1], "import", path, "--json"], check=True, capture_output=True).stdout)
        before = failures
        compare_bodies(model, data, {b["name"]: b for b in found["bodies"]})
        compare_joints(model, data, found["joints"])
        compare_tendon_drives(model, found["joints"])
        compare_shapes(model, data, found["shapes"])
        print(f"{path}: {model.nbody} bodies, {model.njnt} joints, {model.ngeom} geometries:",
              "agrees" if failures == before else "differs")
    return failures > 0


sys.exit(main())
