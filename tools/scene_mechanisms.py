"""Scenes of tight fits and teeth: wheels, pegs in holes, a pawl, a screw."""
import math

from scene_meshes import Mesh, divided, ears, grown, plate, twisted
from scene_text import GROUND_3, centroid, head, number, vector


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
        f"Two gears with {small} and {large} teeth",
        """
The small wheel is driven by a torque, the large one turns a brake: a damper to the world. Their teeth are involutes
made of a few straight pieces, and the wheels are non-convex polygons. The angles stay in the ratio of the teeth to
within the backlash, whatever the load.
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
The peg enters tilted and off-centre, is straightened by the funnel and the walls of the hole, and slides to the
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


def falling_peg():
    return [
        "  - name: peg",
        "    position: [0.02*d, 0.01*d, 4.2*d]",
        "    orientation: {axis: [1, 2, 0], angle: tilt}",
        "    material: steel",
        "    shapes: [{type: cylinder, radius: d/2, height: 3*d, density: 7800}]",
        "simulation: {step: 0.001, until: 1, integrator: stiff, law: cone}",
    ]


def round_peg(pieces=12):
    """In space: a cylinder, and a ring of convex pieces around a hole of as many sides."""
    lines = head(
        "A round peg falls into a hole with a clearance of 0.1 %",
        f"""
A cylinder enters, tilted and off-centre, a hole with {pieces} sides and a funnel above it, made of as many convex pieces.
The circle inscribed in the hole is wider than the peg by a thousandth.
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
    return lines + falling_peg()


def bushing(pieces, wall, outside, mouth, height, funnel):
    """A ring around a hole with flat walls, `wall` from the axis up to `mouth` and wider by `funnel` at its upper end."""
    def ring(distance, z):
        k = distance / math.cos(math.pi / pieces)
        return [(k * math.cos(a), k * math.sin(a), z) for a in (2 * math.pi * (i + 0.5) / pieces for i in range(pieces))]

    # from the foot of the outside up, over the top and down through the hole
    profile = [ring(outside, 0), ring(outside, height), ring(wall + funnel, height), ring(wall, mouth), ring(wall, 0)]
    mesh = Mesh()
    for lower, upper in zip(profile, profile[1:] + profile[:1]):
        for i in range(pieces):
            j = (i + 1) % pieces
            mesh.quad(lower[i], lower[j], upper[j], upper[i])
    return mesh


def round_peg_mesh(pieces=12):
    """As round_peg, with the hole in one mesh."""
    d = 0.1
    lines = head(
        "A round peg falls into a hole in a mesh, with a clearance of 0.1 %",
        f"""
The hole of the scene round-peg as one surface of triangles: {pieces} walls and a funnel, wider than the peg by a thousandth.
""",
        3,
        {"mu": "0.1", "d": number(d), "tilt": "0.02"},
        "steel",
        "mu",
    )
    lines += [GROUND_3 % "steel", "  - name: ring", "    kind: fixed", "    material: steel", "    shapes:"]
    lines += bushing(pieces, 1.001 * d / 2, 2 * d, 2 * d, 2.5 * d, 0.4 * d).lines(6)
    return lines + falling_peg()


PAWL = [  # m, the outline of the pawl: a bar with a hook and a shoulder, counter-clockwise
    (-0.115, -0.03), (-0.02, -0.03), (0.0, -0.05), (0.05, -0.05), (0.07, -0.025), (0.115, -0.015), (0.115, 0.02),
    (0.06, 0.03), (0.045, 0.055), (0.02, 0.055), (0.015, 0.025), (-0.06, 0.025), (-0.075, 0.045), (-0.115, 0.045),
]


def shifted(outline, by):
    return [(x + by[0], y + by[1]) for x, y in outline]


def pawl(clearance=0.002, way=0.06, thickness=0.02):
    """Pawl and disk are plates; their level faces are cut into some hundred triangles each."""
    outline = shifted(PAWL, [-c for c in centroid(PAWL)])
    part = plate(divided(outline, 0.008), -thickness / 2, thickness / 2)
    rim = [(0.24 * math.cos(2 * math.pi * k / 24), 0.24 * math.sin(2 * math.pi * k / 24)) for k in range(24)]
    disk = plate(rim, -0.03, 0, divided(grown(outline, clearance), 0.01))
    lines = head(
        "A pawl is pushed over a disk into its hole (Potra et al. 2006, section 10.4)",
        """
A flat pawl slides on a flat disk, pushed by a spring, until it is over a hole of its own shape and falls in, onto a
beam on a hinge with a spring below. Both are meshes; the sliding faces are divided into about a hundred triangles
each, so that edges and corners meet everywhere: hundreds of pairs of features are within reach, of which few matter.
The pawl of the paper is 2.3 mm long; this is a hundred times its size.
""",
        3,
        {"mu": "0", "push": "200", "drag": "40"},
        "silicon",
        "mu",
    )
    lines += ["  - name: disk", "    kind: fixed", "    material: silicon", "    shapes:"]
    lines += disk.lines(6)
    lines += ["  - name: pawl", f"    position: {vector((-way, 0, thickness / 2))}", "    material: silicon", "    shapes:"]
    lines += part.lines(6, "density: 2300\nrecentre: true")
    lines += [
        "  - name: beam",
        f"    position: [0, 0, -0.037]",
        "    material: silicon",
        "    shapes: [{type: box, size: [0.21, 0.04, 0.01], density: 2300}]",
        "joints:",
        "  - {name: root, type: revolute, bodies: [beam, world], at: [-0.105, 0, -0.037], axis: [0, 1, 0]}",
        "springs:",
        f"  - {{name: plunger, type: linear, bodies: [pawl, world], points: [[0, 0, 0], [-2, 0, {number(thickness / 2)}]], rest: 2, "
        "stiffness: push, damping: drag}",
        "  - {name: beam, type: angular, bodies: [beam, world], axis: [0, 1, 0], stiffness: 50, damping: 0.5, rest: 0}",
        "ignore:",
        "  - [beam, disk]",
        "simulation: {step: 0.001, until: 1, integrator: stiff, law: cone}",
    ]
    return lines


def lobed(radius, lobes, depth, count):
    """A round section with waves: points on it, counter-clockwise."""
    out = []
    for k in range(count):
        angle = 2 * math.pi * k / count
        r = radius * (1 + depth * math.cos(lobes * angle))
        out.append((r * math.cos(angle), r * math.sin(angle)))
    return out


def screw(lead=0.48, clearance=0.0008):
    """A twisted bar, and a nut with a bore that is twisted alike and a little wider."""
    section = lobed(0.04, 3, 0.2, 24)
    wide = grown(section, clearance)
    bar, rings = twisted(section, 0.0, 0.36, 30, lead)
    for ring, order in ((rings[0], -1), (rings[-1], 1)):
        points = [p[:2] for p in ring]
        for t in ears(points):
            bar.triangle(*(ring[k] for k in t[::order]))
    nut, bore = twisted(wide, -0.03, 0.03, 5, lead, inward=True)
    outside = [(0.08 * math.cos(2 * math.pi * k / 24), 0.08 * math.sin(2 * math.pi * k / 24)) for k in range(24)]
    for ring, z, order in ((bore[0], -0.03, -1), (bore[-1], 0.03, 1)):
        n = len(ring)
        turn = math.atan2(ring[0][1], ring[0][0])
        # the outside turned so that its points face those of the bore as well as they can
        first = round(turn / (2 * math.pi / 24))
        around = [(*outside[(first + k) % 24], z) for k in range(24)]
        for i in range(n):
            quad = (around[i], around[(i + 1) % n], ring[(i + 1) % n], ring[i])
            nut.quad(*quad[::order])
    for p, q in zip(outside, outside[1:] + outside[:1]):
        nut.quad((*p, -0.03), (*q, -0.03), (*q, 0.03), (*p, 0.03))
    lines = head(
        "A nut runs down a steep screw",
        f"""
Screw and nut are meshes: a bar with three lobes that makes one turn over its lead of {number(lead)} m, and a ring with a
matching bore, wider by {number(clearance * 1000)} mm all round. Without friction the nut accelerates downwards at g/(1 + I (2 pi/lead)^2/m),
its rotation and travel in the ratio of the lead.
""",
        3,
        {"mu": "0"},
        "steel",
        "mu",
    )
    lines += ["  - name: screw", "    kind: fixed", "    material: steel", "    shapes:"]
    lines += bar.lines(6)
    height = 0.3
    lines += [
        "  - name: nut",
        f"    position: [0, 0, {number(height)}]",
        f"    orientation: {{axis: [0, 0, 1], angle: {number(2 * math.pi * height / lead)}}}",
        "    material: steel",
        "    shapes:",
    ]
    lines += nut.lines(6, "density: 7800\nrecentre: true")
    lines.append("simulation: {step: 0.001, until: 0.25, integrator: stiff, law: cone}")
    return lines
