"""Scenes of tight fits and teeth: wheels, a peg in a hole."""
import math

from scene_text import GROUND_3, head, number, vector


def toothed_wheel(teeth, module, pressure_angle=math.radians(20), backlash=0.0, points=6):
    """The outline of an involute wheel about its centre: a tooth is centred on the x axis. The teeth are a fifth shorter than
    usual, so that those of a large wheel do not reach below the base circle of a small one."""
    pitch = teeth * module / 2
    base, tip, root = pitch * math.cos(pressure_angle), pitch + 0.8 * module, pitch - 1.05 * module
    half = math.pi / (2 * teeth) - backlash / (2 * pitch)  # half of a tooth at the pitch circle
    at_pitch = math.tan(pressure_angle) - pressure_angle
    start = max(base, root)
    flank = []
    for k in range(points):
        radius = start + (tip - start) * k / (points - 1)
        t = math.sqrt(max(0.0, (radius / base) ** 2 - 1))
        angle = t - math.atan(t)  # the involute's angle at this radius
        flank.append((radius, half + at_pitch - angle))
    if root < base:
        flank.insert(0, (root, flank[0][1]))
    outline = []
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        side = [(r, middle - a) for r, a in flank] + [(r, middle + a) for r, a in reversed(flank)]
        outline += [(r * math.cos(a), r * math.sin(a)) for r, a in side]
    return outline


def gears(small=12, large=20, module=0.1):
    lines = head(
        f"Two toothed wheels of {small} and {large} teeth",
        """
The small wheel is driven by a torque, the large one turns a brake: a damper to the world. Their teeth are involutes of few
straight pieces each, the wheels polygons that are not convex. Each tooth of one takes one of the other on: the angles stay in
the ratio of the teeth, whatever the load, within the play.
""",
        2,
        {"mu": "0.1", "torque": "20", "brake": "10"},
        "steel",
        "mu",
        ["gravity: [0, 0]"],
    )
    centres = (-module * (small + large) / 2, 0.0)
    # a gap of the large wheel faces the small one
    turns = (0.0, math.pi + (math.pi / large if large % 2 == 0 else 0.0))
    for name, teeth, x, turn in (("driver", small, centres[0], turns[0]), ("follower", large, centres[1], turns[1])):
        outline = toothed_wheel(teeth, module, backlash=0.002)
        lines += [
            f"  - name: {name}",
            f"    position: {vector((x, 0))}",
            f"    angle: {number(turn)}",
            "    material: steel",
            "    shapes:",
            "      - type: polygon",
            "        density: 1",
            "        vertices:",
        ]
        lines += [f"          - {vector([round(c, 7) for c in p])}" for p in outline]
    lines += ["joints:"]
    for name, x in (("driver", centres[0]), ("follower", centres[1])):
        lines.append(f"  - {{name: {name}-axle, type: revolute, bodies: [{name}, world], at: {vector((x, 0))}}}")
    lines += [
        "springs:",
        "  - {name: brake, type: angular, bodies: [follower, world], damping: brake}",
        "forces:",
        "  - {name: motor, body: driver, torque: torque}",
        "simulation: {step: 0.001, until: 2, integrator: stiff, law: cone}",
    ]
    return lines


def peg():
    """In the plane: the block with the hole is one polygon that is not convex."""
    lines = head(
        "A peg falls into a hole with a clearance of 0.1 %",
        """
The peg comes down askew and beside the middle, is set upright by the funnel and the walls of the hole, and slides to the
bottom: the hole is wider than the peg by a thousandth.
""",
        2,
        {"mu": "0.1", "w": "0.1", "clearance": "0.001", "half": "w*(1 + clearance)/2", "tilt": "0.05"},
        "steel",
        "mu",
    )
    outline = [
        ("-3*w", "-0.5*w"), ("3*w", "-0.5*w"), ("3*w", "2.5*w"), ("half + 0.4*w", "2.5*w"), ("half", "2*w"), ("half", "0"),
        ("-half", "0"), ("-half", "2*w"), ("-half - 0.4*w", "2.5*w"), ("-3*w", "2.5*w"),
    ]
    vertices = ", ".join(f"[{x}, {y}]" for x, y in outline)
    lines += [
        "  - name: block",
        "    kind: fixed",
        "    material: steel",
        f"    shapes: [{{type: polygon, vertices: [{vertices}]}}]",
        "  - name: peg",
        "    position: [0.1*w, 4.5*w]",
        "    angle: tilt",
        "    material: steel",
        "    shapes: [{type: rectangle, size: [w, 3*w], density: 7800}]",
        "simulation: {step: 0.001, until: 1, integrator: stiff, law: cone}",
    ]
    return lines


def round_peg(pieces=12):
    """In space: a cylinder, and a ring of convex pieces around a hole of as many sides."""
    lines = head(
        "A round peg falls into a hole with a clearance of 0.1 %",
        f"""
A cylinder comes down askew and beside the middle of a hole with {pieces} sides and a funnel above it, made of as many convex
pieces. The circle within the hole is wider than the peg by a thousandth.
""",
        3,
        {
            "mu": "0.1",
            "d": "0.1",
            "clearance": "0.001",
            "r": "d*(1 + clearance)/2",
            "k": f"tan(pi/{pieces})",
            "tilt": "0.02",
        },
        "steel",
        "mu",
    )
    # one sector: the wall at x = r, the funnel above it, the outside at x = 2 d
    points = [("r", "0"), ("r", "2*d"), ("r + 0.4*d", "2.5*d"), ("2*d", "2.5*d"), ("2*d", "0")]
    vertices = ", ".join(f"[{x}, {sign}k*({x}), {z}]" for x, z in points for sign in ("-", ""))
    lines += [GROUND_3 % "steel", "  - name: ring", "    kind: fixed", "    material: steel", "    shapes:"]
    for i in range(pieces):
        lines.append(
            f"      - {{type: hull, orientation: {{axis: [0, 0, 1], angle: 2*pi*{i}/{pieces}}}, "
            + (f"vertices: &sector [{vertices}]}}" if i == 0 else "vertices: *sector}")
        )
    lines += [
        "  - name: peg",
        "    position: [0.02*d, 0.01*d, 4.2*d]",
        "    orientation: {axis: [1, 2, 0], angle: tilt}",
        "    material: steel",
        "    shapes: [{type: cylinder, radius: d/2, height: 3*d, density: 7800}]",
        "simulation: {step: 0.001, until: 1, integrator: stiff, law: cone}",
    ]
    return lines
