#!/usr/bin/env python3
"""Scenes of articulated bodies for measurements: scene_articulated.py chain N | humanoid [free]

chain N: N links of 0.2 m and 1 kg on hinges whose axes alternate, stretched out horizontally from a fixed hinge.
humanoid: 13 boxes on 12 hinges, lying 0.2 m above the ground; with `free`, upright and without ground.
"""
import sys

SIMULATION = "simulation: {step: 0.005, until: 5, integrator: stiff, law: cone}"

# name, centre, size; upright, x forward, y left, z up from the pelvis
PARTS = [("pelvis", (0, 0, 0), (0.12, 0.3, 0.16)), ("chest", (0, 0, 0.32), (0.16, 0.34, 0.36)),
         ("head", (0, 0, 0.68), (0.16, 0.16, 0.22))]
# name, first part, second part, point, axis
HINGES = [("waist", "pelvis", "chest", (0, 0, 0.11), "y"), ("neck", "chest", "head", (0, 0, 0.53), "y")]
for side, s in (("left", 1), ("right", -1)):
    PARTS += [(f"upper-arm-{side}", (0, 0.32 * s, 0.4), (0.08, 0.28, 0.08)),
              (f"forearm-{side}", (0, 0.62 * s, 0.4), (0.07, 0.26, 0.07)),
              (f"thigh-{side}", (0, 0.1 * s, -0.32), (0.12, 0.12, 0.4)),
              (f"shin-{side}", (0, 0.1 * s, -0.76), (0.1, 0.1, 0.4)),
              (f"foot-{side}", (0.06, 0.1 * s, -1.02), (0.24, 0.1, 0.06))]
    HINGES += [(f"shoulder-{side}", "chest", f"upper-arm-{side}", (0, 0.18 * s, 0.4), "y"),
               (f"elbow-{side}", f"upper-arm-{side}", f"forearm-{side}", (0, 0.47 * s, 0.4), "z"),
               (f"hip-{side}", "pelvis", f"thigh-{side}", (0, 0.1 * s, -0.1), "y"),
               (f"knee-{side}", f"thigh-{side}", f"shin-{side}", (0, 0.1 * s, -0.54), "y"),
               (f"ankle-{side}", f"shin-{side}", f"foot-{side}", (0, 0.1 * s, -0.98), "y")]
AXES = {"y": [0, 1, 0], "z": [0, 0, 1]}


def chain(links):
    yield f"title: A chain of {links} links"
    yield "dimension: 3"
    yield "bodies:"
    for i in range(links):
        yield f"  - {{name: link-{i}, position: [{0.2 * i + 0.1:.9g}, 0, 0], mass: 1, inertia: [0.0003, 0.003, 0.003]}}"
    yield "joints:"
    for i in range(links):
        first = f"link-{i - 1}" if i else "world"
        axis = AXES["z" if i % 2 else "y"]
        yield f"  - {{name: hinge-{i}, type: revolute, bodies: [{first}, link-{i}], at: [{0.2 * i:.9g}, 0, 0], axis: {axis}}}"
    yield SIMULATION


def humanoid(free):
    def place(v):  # lying, x up becomes z down
        return [v[0], v[1], v[2] + 1.4] if free else [v[2], v[1], 0.3 - v[0]]

    def turn(v):
        return list(v) if free else [v[2], v[1], v[0]]

    yield "title: A humanoid of 13 bodies"
    yield "dimension: 3"
    yield "materials: [{name: skin, friction: 0.6}]"
    yield "bodies:"
    if not free:
        yield "  - {name: ground, kind: fixed, material: skin, shapes: [{type: half-space, normal: [0, 0, 1]}]}"
    for name, centre, size in PARTS:
        shape = f"{{type: box, size: {turn(size)}, density: 900}}"
        yield f"  - {{name: {name}, material: skin, position: {place(centre)}, shapes: [{shape}]}}"
    yield "joints:"
    for name, a, b, at, axis in HINGES:
        yield f"  - {{name: {name}, type: revolute, bodies: [{a}, {b}], at: {place(at)}, axis: {turn(AXES[axis])}}}"
    yield SIMULATION


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "chain":
        print("\n".join(chain(int(sys.argv[2]))))
    elif len(sys.argv) >= 2 and sys.argv[1] == "humanoid":
        print("\n".join(humanoid(sys.argv[2:] == ["free"])))
    else:
        sys.exit(__doc__)
