#!/bin/sh
# cairn run: a projection that misses its tolerance is no success.
#   sh projection.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

# Two springs that keep their stretch and a rod are three equations for a point's two coordinates.
cat >pendulum.yaml <<'END'
dimension: 2
parameters: {tolerance: 1e-12}
bodies: [{name: bob, point: true, mass: 1, position: [1, 0], velocity: [0, -1]}]
joints: [{name: rod, type: distance, bodies: [bob, world], points: [[0, 0], [0, 0]]}]
springs:
  - {name: left, type: linear, bodies: [bob, world], points: [[0, 0], [-1, 1]], stiffness: 1, rest: 1}
  - {name: right, type: linear, bodies: [bob, world], points: [[0, 0], [2, 1]], stiffness: 1, rest: 1}
simulation: {step: 0.01, until: 0.1, stabilisation: project, projection_tolerance: tolerance}
END
expect 1 run pendulum.yaml
says out "missed-tolerance"
says out "projection    missed its tolerance in"
expect 1 run pendulum.yaml --json
says out '"status": "missed-tolerance"'
says out '"projection_missed": [1-9]'
expect 0 run pendulum.yaml --set tolerance=0.1
[ "$failures" -eq 0 ]
