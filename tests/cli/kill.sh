#!/bin/sh
# cairn run --resume after kill -9: the same final bits as a run that was left alone, on any number of threads. CAIRN_LONG: 130 kills in 13
# scenes instead of a few.
#   sh kill.sh CAIRN SCRATCH
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
have_python || { echo "skipped: needs Python"; exit 77; }

# survives SCENE UNTIL CHECKPOINT OPTIONS...
survives()
{
    "$python" "$here/kill_runs.py" "$cairn" "$kills" "$@" || fail "$*"
}

# Grains that come in at random places, are taken out and come in again, cohere and resist rolling; statistics that count what passed.
cat >pour.yaml <<'SCENE'
dimension: 3
materials: [{name: sand, friction: 0.4, restitution: 0.2, cohesion: 0.01, rolling_friction: 0.001}]
bodies:
  - name: bin
    kind: fixed
    material: sand
    shapes:
      - {type: half-space, normal: [0, 0, 1]}
      - {type: half-space, normal: [1, 0, 0], position: [-0.3, 0, 0]}
      - {type: half-space, normal: [-1, 0, 0], position: [0.3, 0, 0]}
      - {type: half-space, normal: [0, 1, 0], position: [0, -0.3, 0]}
      - {type: half-space, normal: [0, -1, 0], position: [0, 0.3, 0]}
populations:
  - {name: grain, count: 300, radius: {distribution: uniform, min: 0.02, max: 0.04}, density: 2500, material: sand,
     region: {type: box, position: [0, 0, 0.5], size: [0.5, 0.5, 0.8]}, seed: 3, insertion: {rate: 1500},
     removal: {region: {type: box, position: [0.2, 0.2, 0.05], size: [0.2, 0.2, 0.08]}, recycle: true}}
statistics:
  - {name: gate, plane: {point: [0, 0, 0.3], normal: [0, 0, -1]}, record: [passed, passed_bodies, flow]}
  - {name: bulk, region: {type: box, position: [0, 0, 0.2], size: [0.6, 0.6, 0.4]}, record: [coordination, stress, fraction]}
simulation: {step: 0.002, until: 0.4}
SCENE

kills=2
takes_all || kills=1
[ -z "${CAIRN_LONG:-}" ] || kills=10
survives sphere-heap 0.1 0.02                                # a heap
survives pour.yaml 0.3 0.02 --precision single --compression 3 --interval 0.01
survives six-axis-arm 0.5 0.05 --every 7 --watch J1.angle    # a mechanism with drives; frames and a watch
survives bouncing-balls 1 0.1 --integrator stiff2            # events within steps
survives shaken-block 0.5 0.1 --integrator trapezoid2        # a driven body
survives newtons-cradle 0.5 0.1                              # restitution
if [ -n "${CAIRN_LONG:-}" ]; then
    survives wrecking-ball 0.5 0.05
    survives ellipse-compliant-1e-9 0.2 0.02                 # patches
    survives geneva 1 0.05
    survives hertz-mindlin 0.2 0.01                          # springs that remember
    survives brazil-nut 0.5 0.02
    survives simple-shear 0.3 0.02                           # a periodic box that is sheared
    survives hopper 0.1 0.01
fi
[ "$failures" -eq 0 ]
