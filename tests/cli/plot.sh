#!/bin/sh
# cairn plot: pictures that parse, exit statuses, nothing left behind. Usage: plot.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

cat >plane.yaml <<'EOF'
dimension: 2
bodies:
  - {name: table, kind: fixed, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: block, kind: fixed, position: [2, 0.25], shapes: [{type: rectangle, size: [0.5, 0.5]}]}
  - {name: "b<all> & co", position: [-1, 1], velocity: [1, 0], shapes: [{type: circle, radius: 0.2, density: 1}]}
  - {name: bar, position: [0, 1.5], angle: 0.7, mass: 1, inertia: 1, shapes: [{type: segment, length: 1}]}
springs:
  - {name: s, type: linear, bodies: [bar, world], points: [[0, 0], [0, 3]], stiffness: 10, damping: 1, rest: 1}
simulation: {step: 0.02, until: 1}
EOF
# The shapes are those that were run: --set is part of the run.
sed 's/^bodies:/parameters: {r: 0.2}\nbodies:/; s/radius: 0.2/radius: r/' plane.yaml >sized.yaml
sed 's/{r: 0.2}/{r: 0.35}/' sized.yaml >larger.yaml
mkdir set file
"$cairn" run sized.yaml --set r=0.35 -o set/run.h5 --quiet >/dev/null || fail "run --set"
"$cairn" run larger.yaml -o file/run.h5 --quiet >/dev/null || fail "run larger"
"$cairn" run sized.yaml -o run.h5 --quiet >/dev/null || fail "run sized"
expect 0 plot set/run.h5 positions -o set.svg
expect 0 plot file/run.h5 positions -o file.svg
expect 0 plot run.h5 positions -o small.svg
cmp -s set.svg file.svg || fail "positions after --set differ from those of a file with that value"
cmp -s set.svg small.svg && fail "positions do not depend on the value of a parameter"

# Events are marked on the time axis: here four bounces, at 0.45 s, 0.9 s, 1.13 s and 1.24 s.
cat >ball.yaml <<'EOF'
dimension: 2
materials: [{name: hard, restitution: 0.5}]
bodies:
  - {name: ground, kind: fixed, material: hard, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, mass: 2, inertia: 1, position: [0, 1.1], material: hard, shapes: [{type: circle, radius: 0.1}]}
simulation: {step: 0.01, until: 1.27, integrator: stiff2, law: frictionless}
EOF
"$cairn" run ball.yaml -o ball.h5 --quiet >/dev/null || fail "run ball"
expect 0 plot ball.h5 ball.y -o ball.svg
[ "$(grep -ci 'b03a2e' ball.svg)" -eq 4 ] || fail "$(grep -ci 'b03a2e' ball.svg) events are marked instead of 4"
expect 0 plot ball.h5 ball.y --x ball.vy -o ball.svg
grep -qi 'b03a2e' ball.svg && fail "events are marked on an axis that is not time"

cat >space.yaml <<'EOF'
dimension: 3
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}
  - {name: cube, position: [0, 0, 1], angular_velocity: [1, 2, 0], shapes: [{type: box, size: [0.4, 0.5, 0.6], density: 1}]}
  - {name: ball, position: [1, 0, 1], shapes: [{type: sphere, radius: 0.2, density: 1}]}
simulation: {step: 0.02, until: 0.5}
EOF
cat >stiff.yaml <<'EOF'
dimension: 2
gravity: [0, 0]
bodies:
  - {name: a, point: true, mass: 1, velocity: [1, 0]}
  - {name: b, point: true, mass: 1, position: [3, 0]}
springs:
  - {name: d, type: linear, bodies: [a, b], damping: 100}
simulation: {step: 0.05, until: 10, integrator: euler}
EOF
"$cairn" run plane.yaml -o plane.h5 --quiet >/dev/null || fail "run plane"
"$cairn" run space.yaml -o space.h5 --quiet >/dev/null || fail "run space"
"$cairn" run stiff.yaml -o blown.h5 --quiet >/dev/null 2>&1
"$cairn" run stiff.yaml -o tame.h5 --integrator stiff --quiet >/dev/null || fail "run stiff"
[ -s blown.h5 ] || fail "the explicit run left no file"

# Every kind of picture, both formats; under sanitizers those bitmaps alone that are decoded below.
decoded='1 9 11 16'
n=0
draw()
{
    n=$((n + 1))
    expect 0 plot "$@" -o "p$n.svg"
    case " $decoded " in
    *" $n "*) ;;
    *) takes_all || return 0 ;;
    esac
    expect 0 plot "$@" -o "p$n.png"
}
draw plane.h5 bar.x bar.y --title 'A <title> & "more"'
draw plane.h5 'b<all> & co.y'
draw plane.h5 'distance(bar,b<all> & co)' --from 0.2 --to 0.8 --every 3
draw plane.h5 bar.vy --x bar.y
draw plane.h5 energy/total energy/kinetic penetration
# Legends and axes speak in words.
grep -q '>kinetic energy<' p$n.svg || fail "the legend does not say kinetic energy"
grep -q 'energy/' p$n.svg && fail "a legend says the name of a series"
expect 0 plot plane.h5 bar.vy bar.omega solver/iterations -o words.svg
for words in 'velocity in y of bar' 'angular velocity of bar' 'iterations of the solver'; do
    grep -q ">$words<" words.svg || fail "the legend does not say '$words'"
done
draw plane.h5 certificate/relative --log
draw plane.h5 bar.x --from 5
draw plane.h5 bar.x --from 0 --to 0
draw plane.h5 positions
draw plane.h5 plane.h5 positions --every 10 --legend one,two
draw plane.h5 'point(bar,0.5,0).y' 'point(bar,-0.5,0).y'
draw plane.h5 'force(bar,table).y' --to 0.9
cat >soft.yaml <<'SOFT'
dimension: 3
materials: [{name: soft, friction: 0.3, patch: {elements: 3, spacing: 0.01, young: 1e6}}]
bodies:
  - {name: floor, kind: fixed, material: soft, shapes: [{type: half-space}]}
  - {name: egg, position: [0, 0, 0.2], velocity: [0.1, 0, 0], material: soft, shapes: [{type: ellipsoid, radii: [0.3, 0.25, 0.2], density: 1000}]}
simulation: {step: 0.01, until: 0.1}
SOFT
"$cairn" run soft.yaml -o soft.h5 --quiet >/dev/null || fail "run soft"
"$cairn" run ellipse-compliant-1e-9 --until 0.01 -o flat.h5 --quiet >/dev/null || fail "run ellipse"
draw soft.h5 patch --title 'Elements'
draw flat.h5 patch --at 0.001,0.01
draw soft.h5 positions
draw soft.h5 'element(egg,floor,5).share' 'element(egg,floor,5).normal' 'force(egg,floor).z'
expect 2 plot plane.h5 patch -o none.svg
grep -q 'no compliant contact' err || fail "no sentence: $(cat err)"
expect 2 plot soft.h5 patch --log -o none.svg
expect 2 plot soft.h5 patch egg.x -o none.svg
expect 2 plot soft.h5 'element(egg,floor).x' -o none.svg
expect 2 plot soft.h5 'force(egg,floor).normal' -o none.svg
grep -q 'take two bodies' err || fail "no sentence: $(cat err)"
draw plane.h5 frames
draw plane.h5 frames --at 0,0.31,1 --mark bar --title 'Three times'
draw plane.h5 set/run.h5 frames --at 0,1 --from 0.1
draw plane.h5 frames --from 5
draw space.h5 frames --at 0,0.5 --view xz --mark cube,ball
draw plane.h5 positions --mark 'b<all> & co'
draw space.h5 positions
draw space.h5 positions --view xz
draw space.h5 positions --view xy
draw space.h5 positions --view yz
draw space.h5 cube.z ball.z cube.omega_x cube.speed
draw tame.h5 blown.h5 a.x b.x --ylim -5:5 --legend 'linearly implicit,explicit'
draw blown.h5 a.x
draw blown.h5 a.speed --log
draw blown.h5 positions

# shellcheck disable=SC2086 # words
"$python" - "$n" $decoded <<'EOF' || fail "a picture is not what it should be"
import struct, sys, zlib
import xml.etree.ElementTree as tree

def unfilter(kind, row, before, step):
    for i in range(len(row)):
        a, b, c = (row[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[kind]) & 255

def colours(path):
    """The size of a PNG (8 bits a channel) and the colours of its first 160 rows, decoded by hand."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    place, body = 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        chunk = data[place + 8:place + 8 + size]
        assert zlib.crc32(kind + chunk) == struct.unpack(">I", data[place + 8 + size:place + 12 + size])[0], path
        if kind == b"IHDR":
            width, height, depth, channels = struct.unpack(">IIBB", chunk[:10])
        elif kind == b"IDAT":
            body += chunk
        place += size + 12
    assert depth == 8 and channels in (2, 6), path
    step = 3 if channels == 2 else 4
    length, raw, seen = width * step, zlib.decompress(body), set()
    assert len(raw) == height * (length + 1), path
    before = bytearray(length)
    for y in range(min(height, 160)):
        line = raw[y * (length + 1):(y + 1) * (length + 1)]
        row = bytearray(line[1:])
        unfilter(line[0], row, before, step)
        seen.update(bytes(row[i:i + 3]) for i in range(0, length, step))
        before = row
    return width, height, seen

for k in range(1, int(sys.argv[1]) + 1):
    root = tree.parse("p%d.svg" % k).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg", k
    assert [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")], k
    for e in root.iter():
        for name, value in e.attrib.items():
            assert name == "href" or ("nan" not in value and "inf" not in value), (k, name, value)
        for pair in e.attrib.get("points", "").split():
            assert all(abs(float(v)) <= 1e6 for v in pair.split(",")), (k, pair)
    size = float(root.attrib["width"]), float(root.attrib["height"])
    if str(k) in sys.argv[2:]:
        width, height, seen = colours("p%d.png" % k)
        assert (width, height) == (2 * size[0], 2 * size[1]), k
        assert len(seen) > 10 and b"\xff\xff\xff" in seen, k
titles = [e.text for e in tree.parse("p1.svg").getroot().iter("{http://www.w3.org/2000/svg}text")]
assert 'A <title> & "more"' in titles and "time t (s)" in titles and "x, y (m)" in titles, titles
EOF

# Frames: one panel a time, the nearest frame; a marked body has a colour of its own, the others have none.
expect 0 plot plane.h5 frames --at 0,0.313,1 --mark bar -o frames.svg
for t in 0 0.32 1; do
    grep -q "t = $t s<" frames.svg || fail "no frame at $t s: $(grep -o 't = [^<]*' frames.svg | tr '\n' ' ')"
done
[ "$(grep -c 't = [0-9.]* s<' frames.svg)" -eq 3 ] || fail "not three frames"
grep -qi 'd55e00' frames.svg || fail "the marked body is not to be seen"
grep -qi '0072b2' frames.svg && fail "a body that is not marked is in colour"
expect 0 plot plane.h5 frames -o frames.svg
[ "$(grep -c 't = [0-9.]* s<' frames.svg)" -eq 4 ] || fail "not four frames"
rm -f frames.svg
expect 2 plot plane.h5 frames bar.x
says err "cannot be combined with other"
expect 2 plot plane.h5 frames --mark bra
says err "no body 'bra'"
expect 2 plot plane.h5 frames --at 0,x
says err "times in seconds"
expect 2 plot plane.h5 frames --at ''
says err "times in seconds"
expect 2 plot plane.h5 positions --at 0
says err "does not apply to positions"
expect 2 plot plane.h5 bar.x --mark bar
says err "does not apply to curves"
expect 2 plot plane.h5 'point(bra,0,0).x'
says err "takes a body of the run"

# The default name, the given size.
expect 0 plot plane.h5 bar.x --size 500x300
grep -q 'width="500" height="300"' plot.svg || fail "the size is not as given"
rm -f plot.svg
expect 0 plot plane.h5 --list
grep -q 'energy/total' out && grep -q '\.omega' out && grep -q 'b<all> & co' out || fail "--list is not complete"
expect 0 plot plane.h5 space.h5 --list --json
"$python" - <<'EOF' || fail "the list is not as it should be"
import json
runs = json.load(open("out"))["runs"]
assert [r["run"] for r in runs] == ["plane.h5", "space.h5"]
assert runs[0]["series"]["energy/total"] == "J" and runs[0]["components"]["angle"] == "rad"
assert runs[0]["bodies"] == ["table", "block", "b<all> & co", "bar"] and "z" not in runs[0]["components"]
EOF
expect 0 plot plane.h5 bar.x --json
"$python" -c 'import json; r = json.load(open("out")); assert r["output"] == "plot.svg" and r["quantities"] == ["bar.x"]' ||
    fail "--json is not as it should be"
rm -f plot.svg
expect 0 plot --help
grep -q -- '--ylim' out || fail "--help does not name --ylim"

# Wrong input: a sentence, exit status 2, no picture.
expect 2 plot plane.h5 bra.x
says err "did you mean 'bar.x'"
expect 2 plot plane.h5 energy/totl
says err "'energy/total'"
expect 2 plot plane.h5 bar.z
expect 2 plot plane.h5 'distance(bar,nobody)'
says err 'two bodies'
expect 2 plot missing.h5 bar.x
says err "missing.h5"
expect 2 plot plane.yaml bar.x
expect 2 plot
expect 2 plot plane.h5
says err 'no quantity'
expect 2 plot plane.h5 bar.x -o picture.pdf
says err '.svg or .png'
expect 2 plot plane.h5 bar.x --ylim 1:0
expect 2 plot plane.h5 bar.x --ylim -1:1 --log
expect 2 plot plane.h5 bar.x --size 5x5
expect 2 plot plane.h5 bar.x --every 0
expect 2 plot plane.h5 bar.x --from later
expect 2 plot plane.h5 bar.x --from 2 --to 1
expect 2 plot plane.h5 bar.x --legend a,b
expect 2 plot plane.h5 bar.x positions
expect 2 plot plane.h5 space.h5 positions
expect 2 plot space.h5 positions --view up
expect 2 plot plane.h5 bar.x --no-such-option
expect 2 plot plane.h5 bar.x -o no/such/folder/p.svg
[ -e plot.svg ] && fail "a wrong call left a picture"

# A full disk: exit status 1, the old picture stays, nothing else is left. The shell's file size limit stands for it.
echo old >full.svg
for name in full.svg new.png; do
    (
        trap '' XFSZ
        ulimit -f 1
        exec "$cairn" plot plane.h5 positions -o "$name"
    ) >out 2>err
    [ $? -eq 1 ] || fail "a full disk did not give exit status 1 for $name"
    says err "$name"
done
[ "$(cat full.svg)" = old ] || fail "a failed write replaced the old picture"
[ -e new.png ] && fail "a failed write left a picture"
ls | grep -q 'svg\.\|png\.' && fail "a temporary file was left: $(ls)"

# Full standard output.
if [ -w /dev/full ]; then
    "$cairn" plot plane.h5 --list >/dev/full 2>err
    [ $? -eq 1 ] || fail "a full standard output did not give exit status 1"
fi

[ "$failures" -eq 0 ] || exit 1
echo "plot: $n pictures in two formats, all as they should be"
