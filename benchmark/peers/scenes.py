"""The scenes of the comparison with other engines, as text that every driver reads.

    scenes.py NAME [--seed N] [--yaw RAD] [--steps N] > FILE        NAME: heap-500, wall, ... (scenes.py --list)

One item per line; lengths in m, masses in kg, times in s, quaternions (w, x, y, z), everything in the world frame but the inertia:

    scene NAME | step H | steps N | size LENGTH | friction MU | gravity X Y Z | contacts all|ground|none | samples STEP...
    planar                            all lies in the plane y = 0 and turns about y alone
    plane NX NY NZ D                  the half-space n.x < D is solid
    body SHAPE A B C MASS IXX IYY IZZ  X Y Z  QW QX QY QZ  VX VY VZ  WX WY WZ
                                      sphere: A = radius; box: A B C = edges; capsule along z: A = radius, B = length
    hinge PARENT CHILD X Y Z AX AY AZ  bodies counted from 0, the world is -1

Every scene in space is turned by a yaw of 0.3 rad about the vertical through the origin, so that no engine profits from axes that
happen to be those of the world.
"""
import argparse
import math
import random
import sys

DENSITY = 1000.0
GRAVITY = 9.81
FRICTION = 0.5
YAW = 0.3
STEP = 0.005


def sphere(radius):
    mass = DENSITY * 4 / 3 * math.pi * radius**3
    return ("sphere", (radius, 0, 0), mass, [0.4 * mass * radius**2] * 3)


def box(a, b, c, mass=None):
    mass = mass or DENSITY * a * b * c
    return ("box", (a, b, c), mass, [mass / 12 * s for s in (b * b + c * c, a * a + c * c, a * a + b * b)])


def capsule(radius, length):
    cylinder = DENSITY * math.pi * radius**2 * length
    ends = DENSITY * 4 / 3 * math.pi * radius**3
    along = 0.5 * cylinder * radius**2 + 0.4 * ends * radius**2
    across = cylinder * (3 * radius**2 + length**2) / 12 + ends * (
        0.4 * radius**2 + 0.375 * radius * length + 0.25 * length**2)
    return ("capsule", (radius, length, 0), cylinder + ends, [across, across, along])


def product(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return (a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e)


def about(axis, angle):
    length = math.sqrt(sum(x * x for x in axis))
    return (math.cos(angle / 2),) + tuple(math.sin(angle / 2) * x / length for x in axis)


def turned(q, v):
    return product(product(q, (0,) + tuple(v)), (q[0], -q[1], -q[2], -q[3]))[1:]


def to_axis(axis):
    """A rotation that takes z to a unit vector."""
    x, y, z = axis
    if z > 1 - 1e-12:
        return (1, 0, 0, 0)
    return about((-y, x, 0) if x or y else (1, 0, 0), math.acos(max(-1, min(1, z))))


class Scene:
    def __init__(self, name, steps, size, contacts="all", planar=False):
        self.name, self.steps, self.size, self.contacts, self.planar = name, steps, size, contacts, planar
        self.planes, self.bodies, self.hinges = [], [], []
        self.step = STEP

    def plane(self, normal, offset):
        self.planes.append((normal, offset))

    def body(self, shape, position, orientation=(1, 0, 0, 0), velocity=(0, 0, 0)):
        self.bodies.append((shape, position, orientation, velocity))
        return len(self.bodies) - 1

    def hinge(self, parent, child, point, axis):
        self.hinges.append((parent, child, point, axis))

    def take_steps_of(self, step):
        """The same motion in steps of another length."""
        self.steps, self.step = max(1, round(self.steps * self.step / step)), step

    def samples(self):
        """The start, the end of the first sixth (drift counts from there), and ten steps of the last fifth."""
        late = {self.steps - (self.steps // 5) * k // 10 for k in range(10)}
        return sorted({1, max(1, self.steps // 6)} | {max(1, s) for s in late})

    def write(self, out, yaw):
        turn = about((0, 0, 1), 0 if self.planar else yaw)

        def line(*words):
            print(*[w if isinstance(w, str) else repr(w) if isinstance(w, int) else f"{w:.17g}" for w in words], file=out)

        line("scene", self.name)
        if self.planar:
            line("planar")
        line("step", self.step)
        line("steps", self.steps)
        line("size", self.size)
        line("friction", FRICTION)
        line("gravity", 0, 0, -GRAVITY)
        line("contacts", self.contacts)
        line("samples", *self.samples())
        for normal, offset in self.planes:
            line("plane", *turned(turn, normal), offset)
        for (shape, size, mass, inertia), position, orientation, velocity in self.bodies:
            line("body", shape, *size, mass, *inertia, *turned(turn, position), *product(turn, orientation),
                 *turned(turn, velocity), 0, 0, 0)
        for parent, child, point, axis in self.hinges:
            line("hinge", parent, child, *turned(turn, point), *turned(turn, axis))


def bin_of_five(scene, width):
    scene.plane((0, 0, 1), 0)
    for normal, offset in (((1, 0, 0), 0), ((-1, 0, 0), -width), ((0, 1, 0), 0), ((0, -1, 0), -width)):
        scene.plane(normal, offset)


def grid(count, spacing, jitter, chance):
    """Positions in a cube, layer by layer from the floor, each moved a little."""
    side = math.ceil(count**(1 / 3) - 1e-9)
    for i in range(count):
        cell = (i % side, i // side % side, i // side // side)
        yield [(k + 0.5) * spacing + jitter * chance.uniform(-1, 1) for k in cell]


def heap(name, count, chance):
    """Spheres that fall into a box of five planes and come to rest within 2 s."""
    scene = Scene(name, 400, 0.05)
    bin_of_five(scene, 0.12 * math.ceil(count**(1 / 3) - 1e-9))
    for position in grid(count, 0.12, 0.009, chance):
        scene.body(sphere(0.05), position)
    return scene


def mixed(name, count, chance):
    """Spheres, boxes and capsules in equal numbers, turned at random."""
    scene = Scene(name, 400, 0.05)
    bin_of_five(scene, 0.15 * math.ceil(count**(1 / 3) - 1e-9))
    shapes = (sphere(0.05), box(0.09, 0.08, 0.07), capsule(0.035, 0.06))
    for i, position in enumerate(grid(count, 0.15, 0.004, chance)):
        axis = [chance.gauss(0, 1) for _ in range(3)]
        scene.body(shapes[i % 3], position, about(axis, chance.uniform(0, 3)))
    return scene


def resting(name):
    scene = Scene(name, 2400, 0.2)
    scene.plane((0, 0, 1), 0)
    return scene


def pyramid(name, rows, _chance):
    """Cubes in a triangle: each row is one shorter than the row below, and lies across its gaps."""
    scene = resting(name)
    for row in range(rows):
        for k in range(rows - row):
            scene.body(box(0.2, 0.2, 0.2), ((k + 0.5 * row - 0.5 * (rows - 1)) * 0.22, 0, 0.1 + 0.2 * row))
    return scene


def wall(name, rows, _chance):
    """Ten bricks per row, gaps of 5 mm between neighbours; every other row is shifted by a quarter of a brick."""
    scene = resting(name)
    for row in range(rows):
        for k in range(10):
            scene.body(box(0.4, 0.2, 0.2), ((k + 0.25 * (row % 2)) * 0.405, 0, 0.1 + 0.2 * row))
    return scene


def stack(name, count, _chance):
    scene = resting(name)
    for k in range(count):
        scene.body(box(0.2, 0.2, 0.2), (0, 0, 0.1 + 0.2 * k))
    return scene


def mass_ratio(name, ratio, _chance):
    """A heavy cube on a light one of the same size."""
    scene = resting(name)
    scene.body(box(0.2, 0.2, 0.2, 1.0), (0, 0, 0.1))
    scene.body(box(0.2, 0.2, 0.2, float(ratio)), (0, 0, 0.3))
    return scene


def incline(name, _count, _chance):
    """A cube on a slope of 0.4, less than the friction of 0.5: it must not creep."""
    scene = Scene(name, 2400, 0.2)
    angle = math.atan(0.4)
    normal = (math.sin(angle), 0, math.cos(angle))
    scene.plane(normal, 0)
    scene.body(box(0.2, 0.2, 0.2), tuple(0.1 * x for x in normal), about((0, 1, 0), angle))
    return scene


def chain(name, count, _chance):
    """Capsules hinged end to end about axes that alternate between the two across the chain; it hangs from the world by its
    first end and is let go 45 degrees from the vertical. Nothing touches, so the energy must stay."""
    scene = Scene(name, 400, 0.1, "none")
    down = (math.sqrt(0.5), 0, -math.sqrt(0.5))
    across = ((0, 1, 0), (math.sqrt(0.5), 0, math.sqrt(0.5)))
    orientation = to_axis(down)
    link = capsule(0.02, 0.06)
    for k in range(count):
        scene.body(link, tuple((k + 0.5) * 0.1 * x for x in down), orientation)
        scene.hinge(k - 1, k, tuple(k * 0.1 * x for x in down), across[k % 2])
    return scene


def humanoid(name, _count, _chance):
    """Thirteen bodies joined by twelve hinges, let fall from 0.1 m; only the floor touches."""
    scene = Scene(name, 400, 0.1, "ground")
    scene.plane((0, 0, 1), 0)
    lift = 0.1

    def add(shape, x, y, z):
        return scene.body(shape, (x, y, z + lift))

    def join(parent, child, x, y, z, axis):
        scene.hinge(parent, child, (x, y, z + lift), axis)

    side, front, oblique = (0, 1, 0), (1, 0, 0), (0.6, 0.8, 0)
    pelvis = add(box(0.18, 0.30, 0.16), 0, 0, 1.00)
    torso = add(box(0.20, 0.34, 0.42), 0, 0, 1.32)
    head = add(sphere(0.11), 0, 0, 1.70)
    join(pelvis, torso, 0, 0, 1.09, side)
    join(torso, head, 0, 0, 1.56, side)
    for sign in (1, -1):
        upper = add(capsule(0.045, 0.22), 0, sign * 0.24, 1.33)
        lower = add(capsule(0.040, 0.20), 0, sign * 0.24, 1.02)
        join(torso, upper, 0, sign * 0.24, 1.48, oblique)
        join(upper, lower, 0, sign * 0.24, 1.17, side)
        thigh = add(capsule(0.07, 0.30), 0, sign * 0.10, 0.72)
        shin = add(capsule(0.05, 0.30), 0.01, sign * 0.10, 0.30)
        foot = add(box(0.24, 0.10, 0.06), 0.05, sign * 0.10, 0.03)
        join(pelvis, thigh, 0, sign * 0.10, 0.92, front if sign > 0 else side)
        join(thigh, shin, 0, sign * 0.10, 0.51, side)
        join(shin, foot, 0, sign * 0.10, 0.08, side)
    return scene


def planar(build):
    """The same structure in the plane."""

    def made(name, count, chance):
        scene = build(name, count, chance)
        scene.planar = True
        return scene

    return made


def discs(name, count, chance):
    """Discs that fall between two walls and come to rest within 2 s."""
    scene = Scene(name, 400, 0.05, planar=True)
    side = math.ceil(count**0.5 - 1e-9)
    for normal, offset in (((0, 0, 1), 0), ((1, 0, 0), 0), ((-1, 0, 0), -0.12 * side)):
        scene.plane(normal, offset)
    for i in range(count):
        x, z = ((k + 0.5) * 0.12 + 0.009 * chance.uniform(-1, 1) for k in (i % side, i // side))
        scene.body(sphere(0.05), (x, 0, z))
    return scene


def loose(name, count, chance):
    """A few spheres over a floor: the scene of the short test."""
    scene = Scene(name, 40, 0.05)
    bin_of_five(scene, 0.12 * math.ceil(count**(1 / 3) - 1e-9))
    for position in grid(count, 0.12, 0.009, chance):
        scene.body(sphere(0.05), position)
    return scene


SCENES = {
    "heap-500": (heap, 500), "heap-2000": (heap, 2000), "heap-8000": (heap, 8000), "heap-32000": (heap, 32000),
    "mixed-500": (mixed, 500), "mixed-2000": (mixed, 2000),
    "pyramid": (pyramid, 20), "wall": (wall, 10), "tall-wall": (wall, 30), "stack": (stack, 10),
    "mass-ratio": (mass_ratio, 1000), "incline": (incline, 1),
    "humanoid": (humanoid, 13), "chain-10": (chain, 10), "chain-100": (chain, 100), "chain-1000": (chain, 1000),
    "chain-10000": (chain, 10000),
    "planar-pyramid": (planar(pyramid), 20), "planar-wall": (planar(wall), 10), "planar-stack": (planar(stack), 10),
    "planar-incline": (planar(incline), 1), "planar-heap": (discs, 500),
    "loose": (loose, 27),
}


def make(name, seed=1, steps=None):
    build, count = SCENES[name]
    scene = build(name, count, random.Random(seed))
    scene.steps = steps or scene.steps
    return scene


def main():
    parser = argparse.ArgumentParser(description="Write a scene of the comparison with other engines as text.")
    parser.add_argument("name", nargs="?", choices=sorted(SCENES))
    parser.add_argument("--list", action="store_true", help="names of all scenes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--yaw", type=float, default=YAW, help="rad about the vertical; default 0.3")
    parser.add_argument("--steps", type=int, help="instead of the scene's own number")
    given = parser.parse_args()
    if given.list or not given.name:
        print("\n".join(SCENES))
    else:
        make(given.name, given.seed, given.steps).write(sys.stdout, given.yaw)


if __name__ == "__main__":
    main()
