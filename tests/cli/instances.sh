#!/bin/sh
# cairn export --vtk --instances: bodies of one geometry as points. Put back together, geometry times scale, turned and moved, they are the
# surfaces that the export without --instances writes.
#   sh instances.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"
have_python numpy || { echo "skipped: needs Python with numpy"; exit 77; }

"$python" - >grains.yaml <<'END'
import random
draw = random.Random(5)
print("dimension: 3\nbodies:")
print("  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}")
for i in range(60):
    place = [1.1 * (i % 6), 1.1 * (i // 6 % 5), 1 + 1.3 * (i // 30)]
    turn = [draw.gauss(0, 1) for _ in range(4)]
    length = sum(x * x for x in turn) ** 0.5
    size = draw.uniform(0.2, 0.5)
    shape = (f"type: sphere, radius: {size}" if i % 3 else f"type: box, size: [{size}, {2 * size}, {size}]")
    if i == 7:
        shape = "type: capsule, radius: 0.2, length: 0.3"
    print(f"  - {{name: grain{i}, position: {place}, orientation: {[x / length for x in turn]}, "
          f"angular_velocity: [1, 2, 3], velocity: [0.1, 0, 0], shapes: [{{{shape}, density: 1000}}]}}")
print("simulation: {step: 0.01, until: 0.1}")
END
expect 0 run grains.yaml -o grains.h5 --quiet
expect 0 export grains.h5 --vtk full --quiet
expect 0 export grains.h5 --vtk less --instances --quiet
says out "less/instances.pvd"
[ -e less/geometry_1.vtp ] || fail "two geometries"
[ ! -e less/geometry_2.vtp ] || fail "a geometry of one capsule"

cat >compare.py <<'END'
import re
import sys
import numpy as np

KINDS = {"Float64": np.float64, "Float32": np.float32, "Int32": np.int32, "Int64": np.int64}


def read(path):
    """The arrays of a .vtp file by name, and the number of polygons."""
    data = open(path, "rb").read()
    head, appended = data.split(b'<AppendedData encoding="raw">\n_', 1)
    text, arrays = head.decode(), {}
    polygons = int(re.search(r'NumberOfPolys="(\d+)"', text)[1])
    for kind, name, parts, offset in re.findall(
            r'type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"', text):
        at = int(offset)
        size = int(np.frombuffer(appended[at:at + 8], np.uint64)[0])
        numbers = np.frombuffer(appended[at + 8:at + 8 + size], KINDS[kind])
        arrays.setdefault(name, numbers.reshape(-1, int(parts)))
    return arrays, polygons


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


frame = "000005"
full, _ = read(f"full/bodies_{frame}.vtp")
rest, _ = read(f"less/bodies_{frame}.vtp")
points, _ = read(f"less/instances_{frame}.vtp")
shapes = [read(f"less/geometry_{k}.vtp")[0] for k in range(2)]
assert len(points["body"]) == 59, len(points["body"])
assert len(full["points"]) == len(rest["points"]) + sum(len(shapes[k]["points"]) for k in points["geometry"].ravel())
for i in range(59):
    shape = shapes[points["geometry"][i, 0]]["points"]
    place = points["points"][i] + points["scale"][i] * shape @ matrix(points["orientation"][i].astype(float)).T
    own = full["points"][np.linalg.norm(full["points"] - points["points"][i], axis=1) < 1.001 * points["scale"][i]]
    near = np.linalg.norm(own[:, None, :] - place[None, :, :], axis=2).min(axis=0)
    assert near.max() < 1e-6, (i, near.max())
lines = [line for line in open("grains.yaml") if "name: grain" in line]
for i in range(59):
    line = lines[points["body"][i, 0] - 1]
    radius = re.search(r"radius: ([\d.]+)", line)
    if radius:
        r = float(radius[1])
        assert abs(points["scale"][i, 0] / r - 1) < 1e-6 and abs(points["mass"][i, 0] / (4000 * np.pi * r**3 / 3) - 1) < 1e-5
# The boxes turn freely for 0.05 s; the spheres keep their angular velocity, in the world's frame.
assert np.isfinite(points["velocity"]).all() and abs(points["velocity"][:, 0] - 0.1).max() < 1e-6
assert abs(points["velocity"][:, 2] + 9.81 * 0.05).max() < 1e-5
assert abs(np.linalg.norm(points["angular_velocity"], axis=1) - 14**0.5).max() < 0.2
END
"$python" compare.py || fail "instances differ from surfaces"
small=$(wc -c <less/instances_000005.vtp)
large=$(wc -c <full/bodies_000005.vtp)
[ $((small * 20)) -lt "$large" ] || fail "instances take $small bytes, surfaces $large"

expect 2 export grains.h5 --instances
says err "belongs to --vtk"
# A scene without bodies of one geometry has none.
expect 0 run pendulum --until 0.1 -o p.h5 --quiet
expect 0 export p.h5 --vtk plain --instances --quiet
[ ! -e plain/instances.pvd ] || fail "instances of nothing"
[ "$failures" -eq 0 ]
