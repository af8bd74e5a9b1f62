#!/bin/sh
# Joints in pictures: how many of each symbol a picture holds, and that rails and bars lie where the scene says.
. "$(dirname "$0")/lib.sh"

# A slider on a rail that climbs by 3 in 4, a bar on a pin, a rod; at the start the picture is plain geometry.
cat >slide.yaml <<'END'
dimension: 2
gravity: [0, 0]
simulation: {step: 0.01, until: 0.02, integrator: stiff}
bodies:
  - {name: slider, mass: 1, inertia: 0.1, position: [1, 1]}
  - {name: bar, mass: 1, inertia: 0.1, position: [3, 0]}
  - {name: weight, mass: 1, inertia: 0.1, position: [5, 0]}
joints:
  - {name: rail, type: prismatic, bodies: [world, slider], at: [1, 1], axis: [4, 3], coordinates: {position: {lower: -1, upper: 1}}}
  - {name: pin, type: revolute, bodies: [world, bar], at: [2.5, 0], coordinates: {angle: {drive: {type: force, target: 0}}}}
  - {name: rod, type: distance, bodies: [world, weight], points: [[5, 1], [0, 0]]}
END
expect 0 run slide.yaml -o slide.h5
expect 0 plot slide.h5 frames --at 0 -o slide.svg
"$python" - slide.svg <<'END' || fail "the picture of a slider"
import math, re, sys
import xml.etree.ElementTree as tree

items = [(e.tag.split("}")[1], e.attrib) for e in tree.parse(sys.argv[1]).iter()]


def points(attributes):
    text = attributes.get("d") or attributes.get("points") or ""
    return [tuple(map(float, p)) for p in re.findall(r"(-?[\d.]+)[ ,](-?[\d.]+)", text)]


def stroked(colour):
    return [points(a) for _, a in items if a.get("stroke", "").lower() == colour]


assert not any("NaN" in str(a) or "nan" in str(a) for _, a in items)
rails, stops, drives, rods = stroked("#7a8694"), stroked("#0072b2"), stroked("#d55e00"), stroked("#3a3f45")
long = [p for p in rails if len(p) == 2]
assert len(long) == 1, rails
(x0, y0), (x1, y1) = long[0]
assert abs((y1 - y0) / (x1 - x0) + 0.75) < 0.01, long  # y grows downwards on paper
# The stops cross the rail at a right angle, and are 2 m apart; the rail is as long and a little more.
across = [p for p in stops if len(p) == 2 and abs((p[1][0] - p[0][0]) * (x1 - x0) + (p[1][1] - p[0][1]) * (y1 - y0)) < 1e-2 * math.dist(*p) * math.dist(*long[0])]
assert len(across) == 2, stops
middle = [((p[0][0] + p[1][0]) / 2, (p[0][1] + p[1][1]) / 2) for p in across]
metre = math.dist(*middle) / 2
assert 1 < math.dist(*long[0]) / (2 * metre) < 1.3
# The rod hangs from its support, 1 m long and upright, 4 m to the right of the middle of the rail.
rod = [p for p in rods if len(p) == 2 and abs(p[0][0] - p[1][0]) < 0.02 and abs(math.dist(*p) - metre) < 0.02 * metre]
assert len(rod) == 1, (rods, metre)
centre = ((middle[0][0] + middle[1][0]) / 2, (middle[0][1] + middle[1][1]) / 2)
assert abs(rod[0][0][0] - centre[0] - 4 * metre) < 0.02 * metre
# The pin and the upper end of the rod are rings (its lower end is the centre of a body); the drive has an arc and a head.
rings = [a for tag, a in items if tag == "circle" and a.get("stroke", "").lower() == "#3a3f45"]
assert len(rings) == 2, rings
assert len([p for p in drives if len(p) > 2]) >= 2, drives
assert abs(float(rings[0]["cx"]) - centre[0] - 1.5 * metre) < 0.02 * metre, rings[0]
END

# In space: seen along y, a bar of the first colour of the palette lies between two dark pins; with `xy` a rail is level.
cat >space.yaml <<'END'
dimension: 3
gravity: [0, 0, 0]
simulation: {step: 0.01, until: 0.02, integrator: stiff}
bodies:
  - {name: bar, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  - {name: fork, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, -0.5]}
joints:
  - {name: left, type: revolute, bodies: [world, bar], at: [0, 0, 0], axis: [0, 1, 0]}
  - {name: right, type: revolute, bodies: [bar, fork], at: [1, 0, 0], axis: [0, 1, 0]}
END
expect 0 run space.yaml -o space.h5
expect 0 plot space.h5 frames --at 0 --view xz --size 400x400 -o space.png
expect 0 export space.h5 --apng space.apng --size 320x240 --fps 100
[ "$(head -c 4 space.apng | tail -c 3)" = PNG ] || fail "no movie of a bar"
"$python" - space.png <<'END' || fail "the picture of a bar in space"
import struct, sys, zlib
import numpy

data, at, packed = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
    at += size + 12
count = {2: 3, 6: 4}[colour]
raw, image = zlib.decompress(packed), numpy.zeros((height, width * count), int)
for y in range(height):  # filters of PNG: none, left, above, mean, Paeth
    line = numpy.frombuffer(raw[y * (width * count + 1):(y + 1) * (width * count + 1)], numpy.uint8).astype(int)
    kind, line = line[0], line[1:]
    above = image[y - 1] if y else numpy.zeros_like(line)
    if kind in (0, 2):
        image[y] = (line + (above if kind == 2 else 0)) % 256
        continue
    for x in range(len(line)):
        a, b, c = (image[y, x - count] if x >= count else 0), above[x], (above[x - count] if x >= count else 0)
        p = a + b - c
        nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        image[y, x] = (line[x] + {1: a, 3: (a + b) // 2, 4: nearest}[kind]) % 256
r, g, b = (image[:, k::count] for k in range(3))
blue = (b > r + 60) & (b > g + 20)  # the bar; above it is the legend
blue[:60] = False
dark = (r < 130) & (abs(r - b) < 24) & (abs(r - g) < 24) & (r > 40)
ys, xs = numpy.nonzero(blue)
assert len(xs) > 200, len(xs)
left, right, level = xs.min(), xs.max(), (ys.min() + ys.max()) / 2
assert right - left > 8 * (ys.max() - ys.min()), "the bar is level"
for end in (left, right):  # a pin at each end of the bar
    box = dark[int(level) - 8:int(level) + 9, max(end - 12, 0):end + 13]
    assert box.sum() > 60, (end, box.sum())
between = dark[int(level) - 2:int(level) + 3, left + 40:right - 40]
assert between.sum() == 0, "nothing dark between them"
END
[ "$failures" -eq 0 ]
