#!/bin/sh
# cairn export: ParaView files and moving pictures against the run file, exit statuses, nothing left behind.
# Usage: export.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

cat >plane.yaml <<'SCENE'
dimension: 2
bodies:
  - {name: table, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, position: [-1, 0.2], velocity: [1, 0], shapes: [{type: circle, radius: 0.2, density: 1}]}
  - {name: bar, position: [0, 1.5], angle: 0.7, mass: 1, inertia: 1, shapes: [{type: segment, length: 1}]}
  - {name: dot, point: true, mass: 1, position: [1, 1]}
  - {name: plate, position: [2, 0.5], angle: 0.3, shapes: [{type: capsule, length: 0.3, radius: 0.1, density: 1}, {type: rectangle, size: [0.1, 0.5], density: 1}]}
joints:
  - {name: rod, type: distance, bodies: [bar, dot], points: [[0.5, 0], [0, 0]]}
springs:
  - {name: s, type: linear, bodies: [bar, world], points: [[0, 0], [0, 3]], stiffness: 10, damping: 1, rest: 1}
simulation: {step: 0.02, until: 0.4}
SCENE
cat >space.yaml <<'SCENE'
dimension: 3
materials: [{name: rough, friction: 0.4}]
bodies:
  - {name: floor, kind: fixed, material: rough, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: box, position: [0, 0, 0.3], velocity: [1, 0, 0], material: rough, shapes: [{type: box, size: [0.4, 0.5, 0.6], density: 1}]}
  - {name: ball, position: [1, 0, 0.2], angular_velocity: [0, 3, 0], material: rough, shapes: [{type: sphere, radius: 0.2, density: 1}]}
  - {name: can, position: [2, 0, 0.25], material: rough, shapes: [{type: cylinder, radius: 0.2, height: 0.5, density: 1}]}
  - {name: hat, position: [3, 0, 0.1], material: rough, shapes: [{type: cone, radius: 0.2, height: 0.4, density: 1}]}
  - {name: pill, position: [0, 2, 0.45], material: rough, shapes: [{type: capsule, radius: 0.2, length: 0.5, density: 1}]}
  - {name: egg, position: [1, 2, 0.3], material: rough, shapes: [{type: ellipsoid, radii: [0.1, 0.2, 0.3], density: 1}]}
  - {name: stone, position: [2, 2, 0.5], material: rough, shapes: [{type: hull, vertices: [[0.325, 0, -0.125], [-0.175, 0.2, -0.125], [-0.175, -0.2, -0.125], [0.025, 0, 0.375]], density: 1}]}
simulation: {step: 0.01, until: 0.2}
SCENE
"$cairn" run plane.yaml -o plane.h5 --quiet >/dev/null || fail "run plane"
"$cairn" run space.yaml -o space.h5 --quiet >/dev/null || fail "run space"
"$cairn" run space.yaml --until 0 -o start.h5 --quiet >/dev/null || fail "run of no step"

# ParaView's files, read by an XML parser and compared with the run file: places of bodies by the volumes and centres of
# their closed surfaces, velocities as those of rigid bodies, contact forces as impulses over the step.
expect 0 export plane.h5 --vtk plane
expect 0 export space.h5 --vtk space --every 10
expect 0 export start.h5 --vtk start
[ "$(cat out | tr '\n' ' ')" = "start/bodies.pvd start/contacts.pvd start/links.pvd " ] || fail "out: $(cat out)"
expect 0 export space.h5 --vtk late --from 0.1 --to 0.12
[ "$(ls late/bodies_*.vtp | wc -l)" -eq 3 ] || fail "not three frames from 0.1 s to 0.12 s"
cat >check.py <<'CHECK'
import struct, sys, math
import xml.etree.ElementTree as tree
import h5py, numpy as np

TYPES = {"Float64": "<f8", "Int32": "<i4", "Int64": "<i8"}

def read(path):
    """A .vtp file: its arrays by section and name, and its time."""
    raw = open(path, "rb").read()
    head, rest = raw.split(b'<AppendedData encoding="raw">\n_', 1)
    root = tree.fromstring(head + b"</VTKFile>")
    assert root.attrib["type"] == "PolyData" and root.attrib["header_type"] == "UInt64", path
    assert rest.endswith(b"\n</AppendedData>\n</VTKFile>\n"), path
    found, end = {}, 0
    for section in root.find("PolyData/Piece"):
        for array in section:
            offset = int(array.attrib["offset"])
            size = struct.unpack_from("<Q", rest, offset)[0]
            kind = np.dtype(TYPES[array.attrib["type"]])
            values = np.frombuffer(rest, kind, size // kind.itemsize, offset + 8)
            parts = int(array.attrib["NumberOfComponents"])
            found[section.tag, array.attrib["Name"]] = values.reshape(-1, parts) if parts > 1 else values
            end = max(end, offset + 8 + size)
    assert end == len(rest) - len(b"\n</AppendedData>\n</VTKFile>\n"), path
    piece = root.find("PolyData/Piece").attrib
    assert int(piece["NumberOfPoints"]) == len(found["Points", "points"]), path
    for kind in ("Verts", "Lines", "Polys"):
        ends = found[kind, "offsets"]
        assert int(piece["NumberOf" + kind]) == len(ends), path
        corners = found[kind, "connectivity"]
        assert len(corners) == (ends[-1] if len(ends) else 0), path
        assert len(corners) == 0 or 0 <= corners.min() <= corners.max() < len(found["Points", "points"]), path
    found["time"] = float(root.find("PolyData/FieldData/DataArray").text)
    return found

def rotation(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

def cells(data, kind):
    start = 0
    for end in data[kind, "offsets"]:
        yield data[kind, "connectivity"][start:end]
        start = end

def closed_volume(data, polygons):
    """Volume and centre by the divergence theorem, and whether every edge is shared by two faces."""
    points, volume, moment, edges = data["Points", "points"], 0, np.zeros(3), {}
    for corners in polygons:
        p = points[corners]
        for a, b in zip(p, np.roll(p, -1, axis=0)):
            if (a != b).any():
                edges[a.tobytes(), b.tobytes()] = edges.get((a.tobytes(), b.tobytes()), 0) + 1
        for i in range(1, len(p) - 1):
            part = np.dot(p[0], np.cross(p[i], p[i + 1])) / 6
            volume, moment = volume + part, moment + part * (p[0] + p[i] + p[i + 1]) / 4
    assert all(count == 1 and edges.get((b, a)) == 1 for (a, b), count in edges.items()), "the surface is not closed"
    return volume, moment / volume

def check(folder, run, every):
    f = h5py.File(run)
    names = [n.decode() for n in f["bodies/names"]]
    series = tree.parse(folder + "/bodies.pvd").getroot().findall("Collection/DataSet")
    assert len(series) == len(range(0, len(f["time"]), every)), folder
    for k, entry in enumerate(series):
        frame, data = k * every, read(folder + "/" + entry.attrib["file"])
        assert data["time"] == float(entry.attrib["timestep"]) == f["time"][frame]
        body_of = data["CellData", "body"]
        polygons, count = {}, len(data["Verts", "offsets"]) + len(data["Lines", "offsets"])
        for i, corners in enumerate(cells(data, "Polys")):
            polygons.setdefault(int(body_of[count + i]), []).append(corners)
        owner = np.zeros(len(data["Points", "points"]), int)
        for kind, first in (("Verts", 0), ("Lines", len(data["Verts", "offsets"])), ("Polys", count)):
            sizes = np.diff(data[kind, "offsets"], prepend=0)
            owner[data[kind, "connectivity"]] = np.repeat(body_of[first:first + len(sizes)], sizes)
        for b in range(len(names)):
            r = data["Points", "points"][owner == b] - f["bodies/position"][frame, b]
            omega = rotation(f["bodies/orientation"][frame, b]) @ f["bodies/angular_velocity"][frame, b]
            expected = f["bodies/velocity"][frame, b] + np.cross(omega, r)
            assert np.abs(data["PointData", "velocity"][owner == b] - expected).max() < 1e-12, (folder, frame, names[b])
        if f.attrs["dimension"] == 3:
            n = 32
            round = n / (2 * math.pi) * math.sin(2 * math.pi / n)
            exact = {"box": 0.12, "can": round * math.pi * 0.02, "hat": round * math.pi * 0.016 / 3}
            about = {"ball": 4 / 3 * math.pi * 0.008, "egg": 4 / 3 * math.pi * 0.006,
                     "pill": math.pi * (4 / 3 * 0.008 + 0.02), "stone": 0.25 * 0.2 * 0.5 * 4 / 6}
            for b, faces in polygons.items():
                if names[b] == "floor":
                    continue
                volume, centre = closed_volume(data, faces)
                if names[b] in exact:
                    assert abs(volume - exact[names[b]]) < 1e-12, (names[b], volume)
                else:
                    assert 0.97 * about[names[b]] < volume <= about[names[b]] * (1 + 1e-12), (names[b], volume)
                off = np.abs(centre - f["bodies/position"][frame, b]).max()
                assert off < 1e-9, (names[b], off)
        contacts(f, read("%s/contacts_%06d.vtp" % (folder, k)), frame)

def contacts(f, data, frame):
    start, count = int(f["contacts/start"][frame]), int(f["contacts/count"][frame])
    rows = slice(start, start + count)
    assert len(data["Points", "points"]) == count
    if count == 0:
        return
    impulse, normal, tangent = f["contacts/impulse"][rows], f["contacts/normal"][rows], f["contacts/tangent"][rows]
    force = (impulse[:, :1] * normal + np.einsum("ik,ikj->ij", impulse[:, 1:], tangent)) / f.attrs["step"]
    assert np.abs(data["PointData", "force"] - force).max() <= 1e-9 * np.abs(force).max() + 1e-300
    both = data["PointData", "normal_force"] + data["PointData", "friction_force"]
    assert np.abs(both - data["PointData", "force"]).max() <= 1e-12 * np.abs(force).max() + 1e-300
    assert (data["Points", "points"] == f["contacts/point"][rows]).all()
    assert (data["PointData", "gap"] == f["contacts/gap"][rows]).all()
    assert (data["PointData", "body_a"] == f["contacts/body_a"][rows]).all()
    assert (data["PointData", "body_b"] == f["contacts/body_b"][rows]).all()
    state, slip = data["PointData", "state"], np.hypot(*f["contacts/velocity"][rows].T[1:])
    assert set(state) <= {1, 2, 3}
    assert (state[impulse[:, 0] == 0] == 3).all()
    # the sliding box: friction at its limit against the motion
    at = (state == 2) & (slip > 1e-3)
    friction = np.hypot(impulse[:, 1], impulse[:, 2])
    assert np.abs(friction[at] - f["contacts/friction"][rows][at] * impulse[at, 0]).max(initial=0) < 1e-6 * impulse.max()

check("plane", "plane.h5", 1)
check("space", "space.h5", 10)
check("start", "start.h5", 1)
first, last = read("plane/links_000000.vtp"), read("plane/links_000020.vtp")
assert list(first["CellData", "joint"]) == [0, 1]
p = last["Points", "points"]
assert (p[1] == [0, 3, 0]).all()
f = h5py.File("plane.h5")
assert abs(np.linalg.norm(p[0] - p[1]) - 1 - f["springs/stretch"][20, 0]) < 1e-12
assert abs(np.linalg.norm(p[2] - p[3]) - np.linalg.norm(first["Points", "points"][2] - first["Points", "points"][3])) < 1e-3
plane = read("plane/bodies_000000.vtp")
assert len(plane["Verts", "offsets"]) == 1 and len(plane["Lines", "offsets"]) == 2 and len(plane["Polys", "offsets"]) == 3
CHECK
"$python" check.py || fail "a ParaView file is not what it should be"

# Moving pictures. An animated PNG is decoded by hand: its chunks are whole, its pictures counted, and they differ.
expect 0 export plane.h5 --apng plane.png --fps 10 --size 121x80 --forces
expect 0 export space.h5 --apng space.png --fps 20 --size 96x64
expect 0 export start.h5 --apng start.png --size 64x64
cat >pictures.py <<'CHECK'
import struct, sys, zlib

def unfilter(rows, width, height, step=3):
    out, before = [], bytearray(width * step)
    for y in range(height):
        kind, row = rows[y * (width * step + 1)], bytearray(rows[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(row)):
            a, b, c = (row[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[kind]) & 255
        out.append(row)
        before = row
    return out

def pictures(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, all, sequence, canvas, box, body = 8, [], 0, None, None, b""

    def finish():
        nonlocal canvas
        if box is None:
            return
        rows = unfilter(zlib.decompress(body), box[0], box[1])
        canvas = [bytearray(r) for r in canvas] if canvas else [bytearray(3 * width) for _ in range(height)]
        for y, row in enumerate(rows):
            canvas[box[3] + y][3 * box[2]:3 * (box[2] + box[0])] = row
        all.append(canvas)
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        chunk = data[place + 8:place + 8 + size]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", data[place + 8 + size:place + 12 + size])[0], (path, kind)
        if kind == b"IHDR":
            width, height = struct.unpack(">II", chunk[:8])
        elif kind == b"acTL":
            count = struct.unpack(">I", chunk[:4])[0]
        elif kind in (b"fcTL", b"fdAT"):
            assert struct.unpack(">I", chunk[:4])[0] == sequence, (path, "sequence")
            sequence += 1
        if kind == b"fcTL":
            finish()
            box, body = struct.unpack(">IIII", chunk[4:20]), b""
            assert box[0] + box[2] <= width and box[1] + box[3] <= height
        elif kind == b"IDAT":
            body += chunk
        elif kind == b"fdAT":
            body += chunk[4:]
        place += 12 + size
    finish()
    assert kind == b"IEND" and len(all) == count, (path, len(all), count)
    return width, height, all

width, height, all = pictures("plane.png")
assert (width, height, len(all)) == (120, 80, 5), (width, height, len(all))
width, height, all = pictures("start.png")
assert (width, height, len(all)) == (64, 64, 1)
width, height, all = pictures("space.png")
assert (width, height, len(all)) == (96, 64, 5)
assert len({bytes(p) for p in all[0]}) > 10 and all[0] != all[-1]
CHECK
"$python" pictures.py || fail "an animated PNG is not what it should be"

# A video where ffmpeg is there; without it a sentence, and nothing is left either way.
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    expect 0 export plane.h5 --mp4 plane.mp4 --fps 25 --speed 0.5 --size 320x200
    probe=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=codec_name,width,height,nb_read_frames,r_frame_rate \
        -of csv=p=0 plane.mp4)
    [ "$probe" = "h264,320,200,25/1,21" ] || fail "the video is $probe"
    "$cairn" export plane.h5 --mp4 slow.mp4 --speed 0.0001 --size 1280x720 -q >out 2>err &
    film=$!
    sleep 1
    kill -TERM "$film"
    wait "$film"
    found=$?
    [ "$found" -eq 143 ] || fail "an interrupted film: exit status $found instead of 143"
    ls | grep -q slow && fail "an interrupted film left something: $(ls)"
    mkdir fake && printf '#!/bin/sh\necho "no such codec" >&2\nexit 1\n' >fake/ffmpeg && chmod +x fake/ffmpeg
    PATH=$PWD/fake:$PATH expect 1 export plane.h5 --mp4 broken.mp4
    says err 'broken.mp4.*no such codec'
fi
(PATH=$PWD/empty && "$cairn" export plane.h5 --mp4 none.mp4 >out 2>err)
says err 'none.mp4.*ffmpeg.*not installed'
ls | grep -q 'part\|broken.mp4\|none.mp4' && fail "something was left: $(ls)"

# Wrong input.
expect 2 export missing.h5 --vtk x
expect 2 export plane.yaml --vtk x
expect 2 export plane.h5 --mp4 no/such/folder/x.mp4
says err 'no/such/folder/x.mp4'
expect 2 export plane.h5 --apng no/such/folder/x.png
expect 2 export plane.h5 --apng x.png --size 10
says err '960x540'
expect 2 export plane.h5 --apng x.png --view up
expect 2 export plane.h5 --apng x.png --fps 0
expect 2 export plane.h5 --apng x.png --speed 0
expect 2 export plane.h5 --vtk plane.h5
says err "plane.h5"
expect 2 export plane.h5 --vtk x --from 2 --to 1
expect 2 export plane.h5 --table bodies
expect 2 export plane.h5 --apng x.png --speed 1e-9
says err 'pictures'
[ -e x ] && fail "a wrong call left x"
[ -e x.png ] && fail "a wrong call left x.png"

# Tables beside another format; alone they are the default.
expect 0 export plane.h5 --csv --vtk both -o tables
[ -s tables/bodies.csv ] && [ -s both/bodies.pvd ] || fail "tables and ParaView files together"
expect 0 export plane.h5
[ -s plane-csv/events.csv ] || fail "the default is not tables"

# A full disk: exit status 1, no part left.
(
    trap '' XFSZ
    ulimit -f 4
    exec "$cairn" export space.h5 --apng full.png --size 600x400
) >out 2>err
[ $? -eq 1 ] || fail "a full disk did not give exit status 1"
says err 'full.png'
ls | grep -q full && fail "a full disk left something: $(ls)"

[ "$failures" -eq 0 ] || exit 1
echo "export: all as it should be"
