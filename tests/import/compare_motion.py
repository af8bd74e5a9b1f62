"""Compare how robots move in Cairn and in MuJoCo.

Usage: compare_motion.py CAIRN FILE...        (needs the Python package `mujoco`; without files: the robots below)

Contacts, ranges, dry friction, equality constraints, tendons and actuators are taken out of the file; masses, springs, dampers and rotors
remain. A keyframe of random positions and velocities is put in. Then

- the kinetic energy is v'M v/2 with MuJoCo's mass matrix M, to 1e-9, for random v at random poses, as many as M has entries or 25; to
  5e-6 where light bodies, of a millionth of the mass, are put between joints;
- `cairn check --inertia` gives the mass matrix along hinges and slides, with free and ball joints free, likewise;
- after free motion over 0.5 s bodies are where MuJoCo has them with steps of 1e-4 s of Runge and Kutta's method: the difference falls by 2
  as steps of `stiff` are halved, and by 4 with `stiff2`.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

ROBOTS = {
    "several joints of a body": """
<mujoco><compiler angle="radian"/><worldbody>
  <body name="a" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0" armature="0.7"/><joint name="z" type="slide" axis="0 1 1" damping="0.3"/>
    <joint name="turn" axis="0 1 0" pos="0.1 0 0" armature="0.2"/><geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0" density="300"/>
    <body name="b" pos="0.3 0.1 0" euler="0.3 0.2 0.1"><joint name="b1" axis="1 0 0"/><joint name="b2" axis="0 1 0" armature="0.05"/>
      <joint name="b3" axis="0 0 1"/><geom type="capsule" size="0.05 0.2" density="400"/></body></body>
</worldbody></mujoco>""",
    "a free base with references": """
<mujoco><compiler angle="radian"/><worldbody>
  <body name="base" pos="0 0 1" quat="1 0.2 0.1 0"><freejoint/><geom type="ellipsoid" size="0.2 0.1 0.15"/>
    <frame pos="0.2 0 0" euler="0 0.4 0"><body name="one" pos="0.1 0 0"><joint name="j1" axis="0 1 0" ref="0.4" springref="0.7" stiffness="3"
      damping="0.1" armature="0.02"/><geom type="cylinder" size="0.03 0.2" pos="0.1 0.1 0"/>
      <body name="two" pos="0.3 0 0"><joint name="j2" type="slide" axis="1 0 1" pos="0.1 0 0" ref="0.1" stiffness="20" armature="0.5"/>
        <geom size="0.08"/></body></body></frame>
    <body name="three" pos="-0.2 0 0"><joint name="j3" axis="1 0 0" armature="0.3"/><geom type="box" size="0.1 0.05 0.02" pos="-0.1 0 0"/></body>
  </body>
</worldbody></mujoco>""",
    "balls": """
<mujoco><compiler angle="radian"/><worldbody>
  <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/><geom type="capsule" size="0.04 0.2" pos="0.2 0 0" euler="0 1.57 0"/>
    <body name="hand" pos="0.45 0 0"><joint name="wrist" type="ball" pos="0 0 0"/><geom type="box" size="0.1 0.06 0.02" pos="0.1 0.02 0"/></body></body>
</worldbody></mujoco>""",
}

failures = 0
rng = np.random.default_rng(7)


def check(what, right):
    global failures
    if not right:
        failures += 1
        print(f"FAILED: {what}")


def plain(spec, folder):
    """What moves freely, of a model."""
    for part in list(spec.actuators) + list(spec.keys) + list(spec.sensors) + list(spec.equalities) + list(spec.tendons):
        spec.delete(part)
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
    for pair in list(spec.pairs) + list(spec.excludes):
        spec.delete(pair)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep = 1e-4
    spec.option.density = spec.option.viscosity = 0
    if folder:
        spec.meshdir = os.path.join(folder, spec.meshdir)
        spec.texturedir = os.path.join(folder, spec.texturedir)
    # ranges and dry friction come from joints and classes in many ways
    free = re.sub(r'\s(range|actuatorfrcrange|frictionloss|limited)="[^"]*"', "", spec.to_xml())
    # Three crossing hinges are one joint where the second has a range. Energies and masses are compared within it.
    model = mujoco.MjModel.from_xml_string(free)
    for joint in spec.joints:
        joint.limited = 0
        if joint.type == mujoco.mjtJoint.mjJNT_HINGE:
            zero = model.qpos0[model.jnt_qposadr[model.joint(joint.name).id]] if joint.name else 0
            unit = 1 if not spec.compiler.degree else 180 / np.pi
            joint.limited, joint.range = 1, [unit * (zero - 1.49), unit * (zero + 1.49)]
    return free, re.sub(r'\s(actuatorfrcrange|frictionloss)="[^"]*"', "", spec.to_xml())


def begin(text, model):
    """The text with a keyframe of random positions and velocities."""
    data = mujoco.MjData(model)
    q, v = data.qpos.copy(), np.zeros(model.nv)
    for i in range(model.njnt):
        a, d, kind = model.jnt_qposadr[i], model.jnt_dofadr[i], model.jnt_type[i]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            q[a:a + 3] += rng.uniform(-0.5, 0.5, 3)
            q[a + 3:a + 7] = rng.normal(size=4)
            q[a + 3:a + 7] /= np.linalg.norm(q[a + 3:a + 7])
            v[d:d + 6] = rng.uniform(-1, 1, 6)
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            q[a:a + 4] = rng.normal(size=4)
            q[a:a + 4] /= np.linalg.norm(q[a:a + 4])
            v[d:d + 3] = rng.uniform(-1, 1, 3)
        else:
            size = 0.1 if kind == mujoco.mjtJoint.mjJNT_SLIDE else 0.8
            q[a] += rng.uniform(-size, size)
            v[d] = rng.uniform(-1.5, 1.5)
    numbers = lambda x: " ".join(repr(float(y)) for y in x)
    key = f'<keyframe><key name="random" qpos="{numbers(q)}" qvel="{numbers(v)}"/></keyframe>'
    return text.replace("</mujoco>", key + "</mujoco>"), q, v


def write_scene(folder, step, integrator):
    scene = os.path.join(folder, "scene.yaml")
    with open(scene, "w") as file:
        file.write(f"cairn: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nrobots: [{{file: robot.xml, keyframe: random}}]\n"
                   f"simulation: {{step: {step}, integrator: {integrator}, accuracy: exact}}\n")
    return scene


def run(cairn, folder, until, step, integrator):
    scene = write_scene(folder, step, integrator)
    done = subprocess.run([cairn, "run", scene, "--json", "--until", str(until)], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr)
    return json.loads(done.stdout)


def centres(model, data):
    """The centres of mass of what moves, by name."""
    out = {}
    for i in range(1, model.nbody):
        if model.body_weldid[i] != i:
            continue
        parts = [k for k in range(model.nbody) if model.body_weldid[k] == i]
        mass = sum(model.body_mass[k] for k in parts)
        out[model.body(i).name or f"body {i}"] = sum(model.body_mass[k] * data.xipos[k] for k in parts) / mass
    return out


def off(told, expected):
    return max(np.abs(np.array(told["bodies"][name]["position"]) - x).max() for name, x in expected.items())


def compare_energy(cairn, folder, text, model):
    worst = 0
    count = min(model.nv * (model.nv + 1) // 2, 25)
    for _ in range(count):
        keyed, q, v = begin(text, model)
        with open(os.path.join(folder, "robot.xml"), "w") as file:
            file.write(keyed)
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        momentum = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, momentum, v)
        told = run(cairn, folder, 0, 0.01, "stiff")
        expected = 0.5 * v @ momentum
        worst = max(worst, abs(told["energy"]["kinetic"] - expected) / expected)
    light = any(" (after " in name for name in told["bodies"])
    check(f"kinetic energies differ by {worst:.2g}", worst < (5e-6 if light else 1e-9))
    return worst, light


def compare_inertia(cairn, folder, text, model, light):
    """The mass matrix along hinges and slides, with free and ball joints free, at random poses."""
    dofs = [model.jnt_dofadr[i] for i in range(model.njnt) if model.jnt_type[i] in (2, 3)]
    worst = 0
    for _ in range(5):
        keyed, q, _ = begin(text, model)
        with open(os.path.join(folder, "robot.xml"), "w") as file:
            file.write(keyed)
        data = mujoco.MjData(model)
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        inverse = np.zeros((model.nv, model.nv))
        mujoco.mj_solveM(model, data, inverse, np.eye(model.nv))
        expected = np.linalg.inv(inverse[np.ix_(dofs, dofs)])
        write_scene(folder, 0.01, "stiff")
        command = [cairn, "check", os.path.join(folder, "scene.yaml"), "--inertia", "--json"]
        found = np.array(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["inertia"]["matrix"])
        scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
        worst = max(worst, np.abs((found - expected) / scale).max() if found.shape == expected.shape else np.inf)
    check(f"mass matrices differ by {worst:.2g}", worst < (5e-6 if light else 1e-9))
    return worst


def compare_motion(cairn, folder, text, model):
    keyed, q, v = begin(text, model)
    with open(os.path.join(folder, "robot.xml"), "w") as file:
        file.write(keyed)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    while data.time < 0.5 - 5e-5:
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    expected = centres(model, data)
    out = []
    for integrator, step, ratio in ("stiff", 1e-3, 2), ("stiff2", 4e-3, 4):
        told = [run(cairn, folder, 0.5, h, integrator) for h in (step, step / 2)]
        coarse, fine = (off(one, expected) for one in told)
        light = any(" (after " in body for body in told[0]["bodies"])
        out.append((coarse, fine))
        check(f"{integrator}: {coarse:.2g} and {fine:.2g} m off, by a ratio of {coarse / fine:.3g}",
              fine < (1e-7 if light else 1e-10) or (abs(coarse / fine - ratio) < 0.15 * ratio and fine < 0.01))
    return out


def compare(cairn, name, spec, folder):
    with tempfile.TemporaryDirectory() as scratch:
        text, ranged = plain(spec, folder)
        model = mujoco.MjModel.from_xml_string(text)
        before = failures
        energy, light = compare_energy(cairn, scratch, ranged, model)
        matrix = compare_inertia(cairn, scratch, ranged, model, light)
        motion = compare_motion(cairn, scratch, text, model)
        errors = ", ".join(f"{a:.1e} and {b:.1e}" for a, b in motion)
        print(f"{name}: {model.nv} freedoms, kinetic energy to {energy:.1e}, mass matrix to {matrix:.1e}, off by {errors} m:",
              "agrees" if failures == before else "differs")


def main():
    for name, text in ROBOTS.items():
        compare(sys.argv[1], name, mujoco.MjSpec.from_string(text), None)
    for path in sys.argv[2:]:
        compare(sys.argv[1], path, mujoco.MjSpec.from_file(path), os.path.dirname(os.path.abspath(path)))
    return failures > 0


sys.exit(main())
