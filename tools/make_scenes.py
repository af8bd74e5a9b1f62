#!/usr/bin/env python3
"""Write the scenes that are made of many equal parts: scene files have no loops.

Usage: make_scenes.py [FOLDER]      the scenes of fixed size, as they are in scenes/ (default: scenes)
       make_scenes.py --heap N      a heap of N spheres on standard output
       make_scenes.py --wall N      a wall of N courses
       make_scenes.py --pyramid N   a square pyramid of N layers
       make_scenes.py --jacks N     a pile of N jacks

Where a size can be an expression of the scene's parameters it is one, so that --set changes it.
"""
import math
import random
import sys

from scene_mechanisms import gears, pawl, peg, round_peg, round_peg_mesh, screw
from scene_terrain import rover
from scene_text import GROUND_2, GROUND_3, centroid, head, number, text, vector


def arch(count=15, depth="0.2"):
    """Voussoirs of equal shape: a trapezoid about its centre of mass, at `count` places of the half circle. All have the
    shape of the first."""
    lines = head(
        "Masonry arch of %d voussoirs" % count,
        """
A half circle of mean radius 1 made of equal stones, held together by friction alone. An arch stands if a line of
thrust fits inside it: depth above 0.1075 for infinitely many stones (Milankovitch 1907). Thinner arches form hinges
and fall: --set depth=0.06. Too little friction lets the stones slide: --set mu=0.2.
""",
        2,
        {
            "mu": "0.6",
            "depth": depth,
            "ri": "1 - depth/2",
            "ro": "1 + depth/2",
            "s": f"sin(pi/{2 * count})",
            "k": f"cos(pi/{2 * count})",
            "c": '"k*(ri + depth/3*(ri + 2*ro)/(ri + ro))"',
        },
        "stone",
        "mu",
    )
    lines.append(GROUND_2 % "stone")
    for i in range(count):
        angle = f"pi*{2 * i + 1}/{2 * count}"
        lines += [
            f"  - name: voussoir{i + 1}",
            f'    position: ["c*cos({angle})", "c*sin({angle})"]',
            f'    angle: "{angle} - pi/2"',
            "    material: stone",
        ]
        if i == 0:
            lines += [
                "    shapes: &voussoir",
                "      - type: polygon",
                "        density: 2000",
                '        vertices: [["-ri*s", "ri*k - c"], ["ri*s", "ri*k - c"], ["ro*s", "ro*k - c"], ["-ro*s", "ro*k - c"]]',
            ]
        else:
            lines.append("    shapes: *voussoir")
    lines.append("simulation: {step: 0.01, until: 1, integrator: stiff, law: pyramid(4)}")
    return lines


def polygon_body(name, points, material, density):
    """A body at the centre of mass of a polygon given in world coordinates."""
    cx, cy = centroid(points)
    vertices = "[" + ", ".join(vector((x - cx, y - cy)) for x, y in points) + "]"
    return (
        f"  - {{name: {name}, position: {vector((cx, cy))}, material: {material}, "
        f"shapes: [{{type: polygon, density: {density}, vertices: {vertices}}}]}}"
    )


def leaning_card(x, y, side, lean, height, half):
    """The left (side -1) or right (side 1) card of a pair whose ridge is at x: a strip from foot to ridge, cut level at
    the foot and at the top and upright where it meets the other card."""
    left = [
        (-lean - half, 0),
        (-lean + half, 0),
        (0, height - height * half / lean),
        (0, height),
        (-half, height),
    ]
    points = [(x - side * px, y + py) for px, py in left]
    return points if side < 0 else points[::-1]


def card_house(storeys=3):
    lean, height, half, thickness = 0.3, 1.0, 0.02, 0.04
    spacing = 2 * lean + 4 * half
    lines = head(
        f"House of cards, {storeys} storeys, planar",
        """
Pairs of cards lean against each other, horizontal cards lie across their ridges, and the next storey stands on those.
The ends of the cards are cut to lie flat. A pair spreads if friction at its feet is less than the thrust: 0.3 (1/2 +
the load in card weights)/(1 + the load). It stands with mu = 0.6 and falls with --set mu=0.1.
""",
        2,
        {"mu": "0.6"},
        "card",
        "mu",
    )
    lines.append(GROUND_2 % "card")
    for storey in range(storeys):
        pairs = storeys - storey
        base = storey * (height + thickness)
        ridges = [(i - (pairs - 1) / 2) * spacing for i in range(pairs)]
        for i, x in enumerate(ridges):
            for side, word in ((-1, "l"), (1, "r")):
                points = leaning_card(x, base, side, lean, height, half)
                lines.append(polygon_body(f"card{storey + 1}{word}{i + 1}", points, "card", 800))
        for i in range(pairs - 1):
            centre = ((ridges[i] + ridges[i + 1]) / 2, base + height + thickness / 2)
            lines.append(
                f"  - {{name: level{storey + 1}-{i + 1}, position: {vector(centre)}, material: card, "
                f"shapes: [{{type: rectangle, size: {vector((spacing - 0.002, thickness))}, density: 800}}]}}"
            )
    lines.append("simulation: {step: 0.01, until: 1, integrator: stiff, law: pyramid(4)}")
    return lines


def box(name, centre, size, material):
    return (
        f"  - {{name: {name}, position: {vector(centre)}, material: {material}, "
        f"shapes: [{{type: box, size: {vector(size)}, density: 2000}}]}}"
    )


def wall(courses=5, length=4):
    """Running bond: every other course is shifted by half a brick and closed with half bricks."""
    a, b, c, joint = 0.2, 0.1, 0.1, 0.002
    lines = head(
        f"Wall of {courses} courses of bricks",
        """
A dry wall in running bond: every other course is shifted by half a brick. There are more contact points than degrees
of freedom, so the forces are not unique.
""",
        3,
        {"mu": "0.6"},
        "brick",
        "mu",
    )
    lines.append(GROUND_3 % "brick")
    for course in range(courses):
        z = (course + 0.5) * c
        shift = course % 2
        edges = [0.0] + [(k + (0.5 if shift else 1.0)) * a for k in range(length if shift else length - 1)] + [length * a]
        for k, (x0, x1) in enumerate(zip(edges, edges[1:])):
            centre = ((x0 + x1 - length * a) / 2, 0, z)
            lines.append(box(f"brick{course + 1}-{k + 1}", centre, (x1 - x0 - joint, b, c), "brick"))
    lines.append("simulation: {step: 0.01, until: 0.5, integrator: stiff, law: cone}")
    return lines


def stack(count=100):
    lines = head(
        f"Stack of {count} boxes",
        """
Stacked cubes: the lowest contacts carry a hundred times the load of the highest.
""",
        3,
        {"mu": "0.5"},
        "stone",
        "mu",
    )
    lines.append(GROUND_3 % "stone")
    for i in range(count):
        lines.append(box(f"box{i + 1}", (0, 0, i + 0.5), (1, 1, 1), "stone"))
    lines.append("simulation: {step: 0.01, until: 1, integrator: stiff, law: cone}")
    return lines


def hull_about_centre(points):
    """The corners of a prism between two faces of equally many corners in order, about its centre of mass."""
    n = len(points) // 2
    faces = [list(range(n))[::-1], list(range(n, 2 * n))]
    faces += [[k, (k + 1) % n, n + (k + 1) % n, n + k] for k in range(n)]
    volume, moment = 0.0, [0.0, 0.0, 0.0]
    for face in faces:
        for j, k in zip(face[1:], face[2:]):
            a, b, c = points[face[0]], points[j], points[k]
            six = (
                a[0] * (b[1] * c[2] - b[2] * c[1])
                - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
            )
            volume += six / 6
            for axis in range(3):
                moment[axis] += six / 24 * (a[axis] + b[axis] + c[axis])
    centre = [m / volume for m in moment]
    return centre, [[p[axis] - centre[axis] for axis in range(3)] for p in points]


def dry_stone_wall(courses=6, length=2.0):
    """Stones between bed joints that lean this way and that; the heads of the stones lean, too, and the faces of the wall
    draw in as they rise."""
    rng = random.Random(3)
    joint, foot, batter = 0.004, 0.5, 0.1
    lines = head(
        f"Dry-stone wall of {courses} courses",
        """
Stones of all widths, no two alike, without mortar. The beds between the courses are not level, and the faces of the
wall taper towards the top. Friction holds it up: with --set mu=0.03 the stones slide off their beds.
""",
        3,
        {"mu": "0.6"},
        "stone",
        "mu",
    )
    lines.append(GROUND_3 % "stone")
    beds = [(0.0, 0.0)]  # height in the middle, slope
    for course in range(courses):
        level = beds[-1][0] + round(rng.uniform(0.16, 0.24), 3)
        beds.append((level, 0.0 if course == courses - 1 else round(rng.uniform(-0.05, 0.05), 3)))

    def corner(x, lean, bed, depth_side):
        """Where the head at x with a lean meets the bed, on one face of the wall."""
        height, slope = bed
        z = (height + slope * x) / (1 - slope * lean)
        return (x + lean * z, depth_side * (foot / 2 - batter * z), z)

    for course in range(courses):
        low, high = beds[course], beds[course + 1]
        edges, x = [-length / 2], -length / 2
        while True:
            x += rng.uniform(0.22, 0.5)
            if x > length / 2 - 0.22:
                break
            edges.append(x)
        edges.append(length / 2)
        leans = [0.0] + [rng.uniform(-0.08, 0.08) for _ in edges[1:-1]] + [0.0]
        middle = (low[0] + high[0]) / 2
        for k in range(len(edges) - 1):
            ends = (
                (edges[k] + joint / 2 - leans[k] * middle, leans[k]),
                (edges[k + 1] - joint / 2 - leans[k + 1] * middle, leans[k + 1]),
            )
            bottom, top = (
                [corner(*ends[0], bed, -1), corner(*ends[1], bed, -1), corner(*ends[1], bed, 1), corner(*ends[0], bed, 1)]
                for bed in (low, high)
            )
            centre, points = hull_about_centre(bottom + top)
            vertices = "[" + ", ".join(vector(p) for p in points) + "]"
            lines.append(
                f"  - {{name: stone{course + 1}-{k + 1}, position: {vector(centre)}, material: stone, "
                f"shapes: [{{type: hull, density: 2500, vertices: {vertices}}}]}}"
            )
    lines.append("simulation: {step: 0.01, until: 1, integrator: stiff, law: cone}")
    return lines


def pyramid(layers=4):
    side, joint = 1.0, 0.02
    lines = head(
        f"Square pyramid of {sum(k * k for k in range(1, layers + 1))} boxes",
        """
Layers of n x n boxes, each box on the corners of the four below it, with four contact points per corner.
""",
        3,
        {"mu": "0.5"},
        "stone",
        "mu",
    )
    lines.append(GROUND_3 % "stone")
    for layer in range(layers):
        n = layers - layer
        for i in range(n):
            for j in range(n):
                centre = ((i - (n - 1) / 2) * side, (j - (n - 1) / 2) * side, (layer + 0.5) * side)
                lines.append(box(f"box{layer + 1}-{i + 1}-{j + 1}", centre, (side - joint, side - joint, side), "stone"))
    lines.append("simulation: {step: 0.01, until: 0.5, integrator: stiff, law: cone}")
    return lines


def heap(count=100, radius=0.05):
    """Spheres in jittered layers above a square bin: half-spaces for its floor and sides."""
    across = max(2, round((count / 2) ** (1 / 3)))
    pitch = 2.2 * radius
    half = across * pitch / 2 + 0.1 * radius
    rng = random.Random(4)
    lines = head(
        f"Heap of {count} spheres in a bin",
        """
Equal spheres fall from jittered layers into a square bin and come to rest. tools/make_scenes.py --heap N writes heaps
of other sizes.
""",
        3,
        {"mu": "0.3"},
        "glass",
        "mu",
    )
    lines += ["  - name: bin", "    kind: fixed", "    material: glass", "    shapes:"]
    lines.append("      - {type: half-space, normal: [0, 0, 1]}")
    for axis in range(2):
        for sign in (-1, 1):
            normal, place = [0, 0, 0], [0, 0, 0]
            normal[axis], place[axis] = -sign, sign * half
            lines.append(f"      - {{type: half-space, normal: {vector(normal)}, position: {vector(place)}}}")
    for k in range(count):
        layer, rest = divmod(k, across * across)
        i, j = divmod(rest, across)
        jitter = [rng.uniform(-0.08, 0.08) * radius for _ in range(3)]
        centre = (
            (i - (across - 1) / 2) * pitch + jitter[0],
            (j - (across - 1) / 2) * pitch + jitter[1],
            radius * 1.1 + layer * pitch + jitter[2],
        )
        lines.append(
            f"  - {{name: ball{k + 1}, position: {vector([round(x, 6) for x in centre])}, material: glass, "
            f"shapes: [{{type: sphere, radius: {number(radius)}, density: 2500}}]}}"
        )
    lines.append("simulation: {step: 0.005, until: 1, integrator: stiff, law: convex cone, solver_tolerance: 1e-6}")
    return lines


def any_turn(rng):
    """A random axis and angle, in a few digits."""
    axis = [round(rng.uniform(-1, 1), 2) for _ in range(3)]
    axis = axis if any(axis) else [0, 0, 1]
    return f"{{axis: {vector(axis)}, angle: {number(round(rng.uniform(0, 3), 2))}}}"


def in_column(k, across, pitch, lowest, rng):
    """Place k of jittered layers of across x across."""
    layer, rest = divmod(k, across * across)
    i, j = divmod(rest, across)
    place = ((i - (across - 1) / 2) * pitch, (j - (across - 1) / 2) * pitch, lowest + layer * pitch)
    return vector([round(x + rng.uniform(-0.02, 0.02) * pitch, 5) for x in place])


def jacks(count=50, across=3):
    """Three crossing capsules make the six arms of a jack. All have the shapes of the first."""
    lines = head(
        f"A pile of {count} jacks",
        """
Six-armed jacks, each made of three crossing capsules, fall in a column, interlock and come to rest as a pile.
tools/make_scenes.py --jacks N writes piles of other sizes.
""",
        3,
        {"mu": "0.5", "arm": "0.06", "r": "0.01"},
        "steel",
        "mu",
    )
    lines.append(GROUND_3 % "steel")
    arms = ["      - {type: capsule, radius: r, length: arm, density: 7800}"]
    for axis in ("[1, 0, 0]", "[0, 1, 0]"):
        arms.append(
            f"      - {{type: capsule, radius: r, length: arm, density: 7800, "
            f'orientation: {{axis: {axis}, angle: "pi/2"}}}}'
        )
    rng = random.Random(7)
    for k in range(count):
        where = f"position: {in_column(k, across, 0.085, 0.06, rng)}, orientation: {any_turn(rng)}"
        if k == 0:
            lines += ["  - name: jack1", "    " + where.split(", orientation")[0]]
            lines += ["    orientation" + where.split(", orientation")[1], "    material: steel", "    shapes: &arms"]
            lines += arms
        else:
            lines.append(f"  - {{name: jack{k + 1}, {where}, material: steel, shapes: *arms}}")
    lines.append("simulation: {step: 0.002, until: 2, integrator: stiff, law: convex cone, solver_tolerance: 1e-6}")
    return lines


def shapes(count=36, across=3):
    """One of every solid in turn, in a bin."""
    lines = head(
        "Solids of every shape in a bin",
        """
Cylinders, cones, hulls, capsules, boxes and ellipsoids fall into a square bin and come to rest: every kind meets
every other. The hull is that of ten points, opposite in pairs, so its centre of mass is the origin.
""",
        3,
        {"mu": "0.4"},
        "wood",
        "mu",
    )
    lines += ["  - name: bin", "    kind: fixed", "    material: wood", "    shapes:"]
    lines.append("      - {type: half-space, normal: [0, 0, 1]}")
    for normal, place in (("[1, 0, 0]", "[-0.2, 0, 0]"), ("[-1, 0, 0]", "[0.2, 0, 0]"),
                          ("[0, 1, 0]", "[0, -0.2, 0]"), ("[0, -1, 0]", "[0, 0.2, 0]")):
        lines.append(f"      - {{type: half-space, normal: {normal}, position: {place}}}")
    half = [(0.05, 0.01, 0.02), (-0.02, 0.04, 0.03), (0.01, -0.045, 0.03), (-0.03, -0.02, 0.045), (0.02, 0.03, -0.045)]
    points = [vector(p) for p in half] + [vector([-x for x in p]) for p in half]
    kinds = [
        ("cylinder", "{type: cylinder, radius: 0.04, height: 0.07, density: 700}"),
        ("cone", "{type: cone, radius: 0.045, height: 0.09, density: 700}"),
        ("hull", "{type: hull, density: 700, vertices: [" + ", ".join(points) + "]}"),
        ("capsule", "{type: capsule, radius: 0.025, length: 0.06, density: 700}"),
        ("box", "{type: box, size: [0.08, 0.06, 0.04], density: 700}"),
        ("ellipsoid", "{type: ellipsoid, radii: [0.05, 0.035, 0.025], density: 700}"),
    ]
    rng = random.Random(11)
    for k in range(count):
        name, shape = kinds[k % len(kinds)]
        number_of = k // len(kinds) + 1
        anchor = f"&{name} [{shape}]" if number_of == 1 else f"*{name}"
        where = f"position: {in_column(k, across, 0.125, 0.08, rng)}, orientation: {any_turn(rng)}"
        lines.append(f"  - {{name: {name}{number_of}, {where}, material: wood, shapes: {anchor}}}")
    lines.append("simulation: {step: 0.002, until: 2, integrator: stiff, law: convex cone, solver_tolerance: 1e-6}")
    return lines


def brazil_nut():
    """200 small disks around and above a large one: hexagonal rows, with room for the largest radius anywhere."""
    half, nut, largest = 6.0, 2.0, 0.6
    lines = head(
        "Brazil nut, a large disk among 200 small ones in a shaken box (Anitescu 2006, section 10.2)",
        """
201 disks in a box that is shaken vertically, friction 0.5 everywhere, steps of 0.1 s for 75 s. The large disk starts
on the floor and rises to the top. The paper gives neither sizes nor motion: here the box is 12 wide, the small disks
have radii of 0.4 to 0.6 and the large one 2. The box moves as a (1 - |cos(pi t/period)|): it accelerates upwards and
reverses instantly, so that the disks fly on; as they land, the small ones fill the space below the large one. Another
seed gives the small disks other radii: --set seed=2. cairn study brazil-nut counts the shakes until the large disk is
on top.
""",
        2,
        {"mu": "0.5", "a": "5", "period": "2", "seed": "1", "nut": number(nut)},
        "grain",
        "mu",
        ["gravity: [0, -9.81]"],
    )
    lines += ["  - name: box", "    kind: driven", "    material: grain"]
    lines.append('    motion: {position: [0, "a*(1 - abs(cos(pi*t/period)))"]}')
    lines += ["    shapes:", "      - {type: half-plane, normal: [0, 1]}"]
    for sign in (-1, 1):
        lines.append(f"      - {{type: half-plane, normal: [{-sign}, 0], position: [{number(sign * half)}, 0]}}")
    lines.append(disk("large", "0", '"nut + 0.01"', "nut"))
    rng = random.Random(10)
    pitch = 2.04 * largest
    columns = int(2 * half / pitch - 0.5)
    row = placed = 0
    while placed < 200:
        y = 1.02 * largest + row * pitch * math.sqrt(0.75)
        for column in range(columns):
            x = (column - (columns - 1) / 2 + (0.25 if row % 2 else -0.25)) * pitch
            if math.hypot(x, y - nut) > nut + 1.02 * largest and placed < 200:
                placed += 1
                radius = f'"0.5 + 0.1*sin({rng.randrange(1000, 10000)}*seed)"'
                lines.append(disk(f"small{placed}", number(round(x, 4)), number(round(y, 4)), radius))
        row += 1
    lines.append("simulation: {step: 0.1, until: 75, integrator: stiff, law: convex cone, solver_tolerance: 1e-6}")
    return lines


def disk(name, x, y, radius):
    return (
        f"  - {{name: {name}, position: [{x}, {y}], material: grain, "
        f"shapes: [{{type: circle, radius: {radius}, density: 1}}]}}"
    )


def main():
    makers = {"--heap": heap, "--wall": wall, "--pyramid": pyramid, "--jacks": jacks}
    if len(sys.argv) == 3 and sys.argv[1] in makers:
        sys.stdout.write(text(makers[sys.argv[1]](int(sys.argv[2]))))
        return
    folder = sys.argv[1] if len(sys.argv) > 1 else "scenes"
    scenes = {
        "arch": arch(),
        "arch-25": arch(25, "0.12"),
        "arch-101": arch(101, "0.12"),
        "brazil-nut": brazil_nut(),
        "card-house": card_house(),
        "dry-stone-wall": dry_stone_wall(),
        "gears": gears(),
        "jacks": jacks(),
        "pawl": pawl(),
        "peg": peg(),
        "pyramid": pyramid(),
        "round-peg": round_peg(),
        "round-peg-mesh": round_peg_mesh(),
        "rover": rover(),
        "screw": screw(),
        "shapes": shapes(),
        "sphere-heap": heap(),
        "tall-stack": stack(),
        "wall": wall(),
    }
    for name, lines in scenes.items():
        with open(f"{folder}/{name}.yaml", "w", encoding="utf-8") as stream:
            stream.write(text(lines))


if __name__ == "__main__":
    main()
