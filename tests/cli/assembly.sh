#!/bin/sh
# Mechanisms given loosely or by coordinates: run, check, JSON, the closest assembly, degrees of freedom.
# Usage: assembly.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

cat >loop.yaml <<END
dimension: 2
parameters: {turn: 0, l: 2}
bodies:
  - {name: crank, mass: 1, inertia: 0.1, position: [0.5, 0], hold: true}
  - {name: coupler, mass: 2, inertia: 0.5, position: [2.1, 0.1], angle: 0.05}
  - {name: rocker, mass: 1.5, inertia: 0.3, position: [2.8, -1], angle: 1.4}
joints:
  - {name: A, type: revolute, bodies: [world, crank], points: [[0, 0], [-0.5, 0]]}
  - {name: B, type: revolute, bodies: [crank, coupler], points: [[0.5, 0], [-l/2, 0]]}
  - {name: C, type: revolute, bodies: [coupler, rocker], points: [[l/2, 0], [1, 0]]}
  - {name: D, type: revolute, bodies: [world, rocker], points: [[3, -2], [-1, 0]]}
simulation: {step: 0.01, until: 0.05}
END

expect 2 check loop.yaml
says err "joint 'C' is violated by"
says err "initial: assemble"
expect 0 run loop.yaml --initial assemble
says out 'assembly      done in [0-9]* iterations, joint error [0-9.e+-]* ([0-9.e-]* before)'
says out "'rocker' turned most"
sed 's/simulation: {/simulation: {initial: assemble, /' loop.yaml >loose.yaml
# The mass matrix: a bar of 1 kg about its end with a rotor, 0.3 + 0.25 + 2. Coordinates of a loop depend on each other.
cat >bar.yaml <<END
dimension: 2
bodies: [{name: bar, mass: 1, inertia: 0.3, position: [0.5, 0]}]
joints: [{name: hinge, type: revolute, bodies: [world, bar], at: [0, 0], coordinates: {angle: {rotor_inertia: 2}}}]
END
expect 0 check bar.yaml --inertia
says out 'inertia       hinge.angle  *2.55$'
expect 0 check bar.yaml --inertia --json
"$python" -c 'import json; d = json.load(open("out"))["inertia"]; assert d["coordinates"] == ["hinge.angle"] and abs(d["matrix"][0][0] - 2.55) < 1e-12' || fail 'inertia in JSON'

expect 2 check loose.yaml --inertia
says err 'the coordinates depend on each other'
expect 0 check loose.yaml
says out 'freedom       1 degree of freedom: 9 of the bodies less 8 equations$'
says out "'coupler' moved"
expect 0 check loose.yaml --json
if have_python; then
    "$python" - out <<'END' || fail "assembly as JSON"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["status"] == "ok" and d["freedoms"]["degrees"] == 1 and d["freedoms"]["redundant_by_joint"] == {}, d
a = d["assembly"]
assert a["assembled"] and a["consistent"] and a["error"] < 1e-12 < a["error_before"] and a["branch_changes"] == 0, a
# coupler from (1, 0) to (3, 0), rocker from (3, -2) to (3, 0)
assert max(abs(x - y) for x, y in zip(a["bodies"]["coupler"]["position"], [2, 0])) < 1e-10, a
assert max(abs(x - y) for x, y in zip(a["bodies"]["rocker"]["position"], [3, -1])) < 1e-10, a
assert a["bodies"]["crank"]["moved"] == 0 and set(a["joints"]) == set("ABCD"), a
END
fi

# links too short: the closest assembly is listed, and can be recorded and drawn, but not stepped
expect 2 check loose.yaml --set l=0.2
says err 'the mechanism cannot be assembled'
says err "stays open by"
says out 'assembly      impossible; closest in'
expect 2 check loose.yaml --set l=0.2 --json
says out '"assembled": false'
expect 2 run loose.yaml --set l=0.2 -o no.h5
[ ! -e no.h5 ] || fail "a run file was made for a mechanism that cannot be assembled"
expect 0 run loose.yaml --set l=0.2 --initial closest --until 0 -o closest.h5
says out 'impossible; closest in'
expect 0 plot closest.h5 positions -o closest.svg
expect 2 run loose.yaml --set l=0.2 --initial closest
says err 'the mechanism is not assembled'

# a pendulum by its angle and rate; a range
cat >arm.yaml <<END
dimension: 2
parameters: {angle: 0.5}
bodies: [{name: arm, mass: 1, inertia: 0.1, position: [1, 0]}]
joints:
  - {name: pin, type: revolute, bodies: [world, arm], at: [0, 0],
     coordinates: {angle: {initial: angle, initial_rate: 2, lower: -1, upper: 1}}}
simulation: {step: 0.01, until: 1}
END
expect 0 run arm.yaml --until 0 --json
if have_python; then
    "$python" - out <<'END' || fail "initial values"
import json, math, sys
d = json.load(open(sys.argv[1]))
b = d["bodies"]["arm"]
assert abs(b["position"][0] - math.cos(0.5)) < 1e-12 and abs(b["velocity"][1] - 2 * math.cos(0.5)) < 1e-12, b
assert d["assembly"]["assembled"], d
END
fi
expect 2 check arm.yaml --set angle=1.5
says err "arm.yaml:6:.*joint 'pin': angle: initial: 1.5 is outside its range, -1 to 1"

# a loop in space with redundant equations
expect 0 check four-bar
says out '1 degree of freedom: 18 of the bodies less 20 equations, of which 3 are redundant (joint'

exit $((failures > 0))
