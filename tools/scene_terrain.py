"""The rover: four wheels, a rear axle that rolls with the ground, and an arm, over a height field."""
from scene_text import head, vector


def body(name, position, material, shapes, more=()):
    lines = [f"  - name: {name}", f"    position: {vector(position)}", f"    material: {material}"]
    return lines + [f"    {line}" for line in more] + ["    shapes:"] + [f"      - {shape}" for shape in shapes]


def hinge(name, one, two, at, axis):
    return f"  - {{name: {name}, type: revolute, bodies: [{one}, {two}], at: {vector(at)}, axis: {vector(axis)}}}"


def rover():
    start = 0.2  # height of the axles: the wheels stand on the level ground in front of the hills
    lines = head(
        "A rover with a robot arm drives over hills (Potra et al. 2006, section 10.4)",
        """
Four driven wheels; the rear axle can roll about the longitudinal axis, so that all wheels stay on the ground. Each
motor is a torque between frame and wheel, with a damper that limits the speed to torque/drag. The arm is held by
springs and dampers in its three joints; a torque swings its turret. The ground is a height field, level where the
rover starts.
""",
        3,
        {
            "mu": "0.9",
            "torque": "25",
            "drag": "4",
            "hills": "0.25",
        },
        "rubber",
        "mu",
    )
    lines += [
        "  - name: ground",
        "    kind: fixed",
        "    material: rubber",
        "    position: [3.25, 0, 0]",
        "    shapes:",
        "      - type: height-field",
        "        points: [37, 19]",
        "        spacing: 0.25",
        '        heights: "hills*min(1, max(0, 0.5*(x + 3)))*(sin(1.3*x + 0.4*y)*cos(1.1*y - 0.5*x) + 0.3*sin(2.9*x)*sin(2.3*y))"',
    ]
    x0 = -0.6
    lines += body("frame", (x0, 0, start + 0.08), "rubber", ["{type: box, size: [1.1, 0.5, 0.14], density: 250}"])
    lines += body(
        "axle", (x0 - 0.4, 0, start), "rubber", ["{type: box, size: [0.1, 0.64, 0.08], density: 600}"]
    )
    wheel = "{type: cylinder, radius: 0.2, height: 0.16, density: 300, orientation: {axis: [1, 0, 0], angle: pi/2}}"
    wheels = [
        (f"wheel-{end}-{side}", (x0 + dx, dy, start), "frame" if end == "front" else "axle")
        for end, dx in (("front", 0.4), ("rear", -0.4))
        for side, dy in (("left", 0.45), ("right", -0.45))
    ]
    for name, place, _ in wheels:
        lines += body(name, place, "rubber", [wheel])
    shoulder = (x0 + 0.3, 0, start + 0.31)
    lines += body("turret", (x0 + 0.3, 0, start + 0.24), "rubber", ["{type: cylinder, radius: 0.1, height: 0.16, density: 500}"])
    lines += body("upper-arm", (x0 + 0.3, 0, start + 0.56), "rubber", ["{type: box, size: [0.07, 0.07, 0.48], density: 300}"])
    lines += body("forearm", (x0 + 0.55, 0, start + 0.80), "rubber", ["{type: box, size: [0.5, 0.06, 0.06], density: 300}"])
    lines += ["joints:", hinge("roll", "frame", "axle", (x0 - 0.4, 0, start), (1, 0, 0))]
    for name, place, carrier in wheels:
        lines.append(hinge("hub-" + name[6:], carrier, name, place, (0, 1, 0)))
    lines += [
        hinge("turn", "frame", "turret", (x0 + 0.3, 0, start + 0.16), (0, 0, 1)),
        hinge("shoulder", "turret", "upper-arm", shoulder, (0, 1, 0)),
        hinge("elbow", "upper-arm", "forearm", (x0 + 0.3, 0, start + 0.80), (0, 1, 0)),
        "springs:",
        "  - {name: turn, type: angular, bodies: [frame, turret], axis: [0, 0, 1], stiffness: 40, damping: 8}",
        "  - {name: shoulder, type: angular, bodies: [turret, upper-arm], axis: [0, 1, 0], stiffness: 2000, damping: 60}",
        "  - {name: elbow, type: angular, bodies: [upper-arm, forearm], axis: [0, 1, 0], stiffness: 1000, damping: 30}",
    ]
    for name, _, carrier in wheels:
        lines.append(f"  - {{name: drag-{name[6:]}, type: angular, bodies: [{carrier}, {name}], axis: [0, 1, 0], damping: drag}}")
    lines.append("forces:")
    for name, _, carrier in wheels:
        lines.append(f"  - {{name: motor-{name[6:]}, body: {name}, frame: body, torque: [0, torque, 0]}}")
        lines.append(f"  - {{name: mount-{name[6:]}, body: {carrier}, frame: body, torque: [0, -torque, 0]}}")
    lines += [
        "  - {name: swing, body: turret, frame: body, torque: [0, 0, 30*sin(2*t)]}",
        "  - {name: swing-mount, body: frame, frame: body, torque: [0, 0, -30*sin(2*t)]}",
        "ignore:",
        "  - [frame, wheel-rear-left]",
        "  - [frame, wheel-rear-right]",
        "  - [upper-arm, frame]",
        "simulation: {step: 0.004, until: 6, integrator: stiff, law: cone, solver_tolerance: 1e-8}",
    ]
    return lines
