#!/bin/sh
# cairn query: answers against values by hand, a scene at a time beside the run file of the same run, wrong questions.
# Usage: query.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<END
dimension: 3
gravity: [0, 0, 0]
bodies:
  - {name: ground, kind: fixed, shapes: [{type: half-space}]}
  - {name: ball, position: [0, 0, 5], velocity: [0, 0, -1], shapes: [{type: sphere, radius: 1, density: 1}]}
  - {name: crate, position: [4, 0, 1], shapes: [{type: box, size: [2, 2, 2], density: 1}]}
simulation: {step: 0.01, until: 1}
END
cat >plane.yaml <<END
dimension: 2
bodies:
  - {name: ground, kind: fixed, shapes: [{type: half-plane}]}
  - {name: disc, position: [-2, 3], shapes: [{type: circle, radius: 0.5, density: 1}]}
END

expect 0 query scene.yaml distance ball ground
says out 'apart by 4 m'
expect 0 query scene.yaml ray 0 0 10 0 0 -2
says out '^ball at 4 m'
[ "$(grep -c ' m$' out)" -eq 1 ] || fail "one hit was asked for: $(cat out)"
expect 0 query scene.yaml ray 0 0 10 0 0 -2 --all
says out '^ground at 10 m'
expect 0 query scene.yaml ray 0 0 10 0 0 1
says out 'nothing is hit'
expect 0 query scene.yaml ray 0 0 10 0 0 -1 --most 3
says out 'nothing is hit'
expect 0 query scene.yaml closest crate 7 0 1
says out 'apart by 2 m'
expect 0 query scene.yaml overlap ball 2 0 3 1.5
[ "$(tr '\n' ' ' <out)" = "crate " ] || fail "overlap ball: $(cat out)"
expect 0 query scene.yaml overlap box 0 0 0 1 1 1
[ "$(cat out)" = ground ] || fail "overlap box: $(cat out)"
expect 0 query plane.yaml ray -2 10 0 -1
says out '^disc at 6.5 m'
expect 0 query plane.yaml closest disc -2 -1.5
says out 'apart by 4 m'

# a time: simulated, and read from a run
expect 0 query scene.yaml distance ball ground --at 0.255
says out 'at t = 0.255 s: apart by 3.745 m'
expect 0 run scene.yaml -o run.h5 --quiet
expect 0 query run.h5 distance ball ground
says out 'at t = 1 s: apart by 3 m'
expect 0 query run.h5 distance ball ground --at 0.5
says out 'at t = 0.5 s: apart by 3.5 m'
expect 0 query run.h5 ray 0 0 10 0 0 -1 --json --at 0.5
if have_python; then
    "$python" -c "import json
out = json.load(open('out'))
assert out['time'] == 0.5 and len(out['hits']) == 1, out
assert out['hits'][0]['body'] == 'ball' and abs(out['hits'][0]['distance'] - 4.5) < 1e-9, out" || fail "ray as JSON"
fi

# A run file whose scene has more bodies than its rows is refused before they are read.
if have_python h5py numpy; then
    cp run.h5 forged.h5
    "$python" - <<'END'
import h5py, numpy
with h5py.File("forged.h5", "r+") as f:
    text = bytes(f["scene"][()]).rstrip(b"\0")
    more = text.replace(b"bodies:\n", b"bodies:\n" + b"".join(b"  - {name: m%d, point: true, mass: 1}\n" % i for i in range(500)))
    assert more != text, text
    del f["scene"]
    f.create_dataset("scene", data=numpy.bytes_(more))
END
    expect 2 query forged.h5 distance ball ground
    says err "does not fit its own scene: the scene has 50[0-9] bodies, the recorded data"
fi

# wrong questions
expect 2 query scene.yaml
expect 2 query scene.yaml rays 0 0 0 0 0 1
says err "did you mean 'ray'"
expect 2 query scene.yaml distance ball grund
says err "there is no body 'grund'; did you mean 'ground'"
expect 2 query scene.yaml distance ball
says err 'takes 2 arguments (BODY BODY), found 1'
expect 2 query scene.yaml ray 0 0 10 0 0 0
says err 'must be finite and not zero'
expect 2 query scene.yaml ray 0 0 nan 0 0 1
says err "expected a finite number, found 'nan'"
expect 2 query scene.yaml ray 0 0 1 0 0 1x
says err "expected a finite number, found '1x'"
expect 2 query plane.yaml ray 0 0 1 0 0 1
says err 'ray takes 4 arguments (X Y DX DY), found 6'
expect 2 query scene.yaml overlap egg 0 0 0 1
says err "takes 'ball' or 'box'"
expect 2 query scene.yaml overlap ball 0 0 0 -1
says err 'greater than 0'
expect 2 query scene.yaml distance ball ground --at -1
says err 'must be 0 or more'
expect 2 query nowhere.yaml distance a b

if [ "$failures" -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
