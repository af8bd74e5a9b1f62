#!/bin/sh
# Messages for mistakes that people make: names of other programs, files of the wrong kind, a forgotten extension.
# Usage: messages.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

cat >swing.yaml <<'YAML'
dimension: 2
bodies:
  - {name: wheel, mass: 1, inertia: 1, angular_velocity: 1}
  - {name: lump, mass: 1, inertia: 1, position: [2, 0]}
springs:
  - {name: coil, type: angular, bodies: [world, wheel], stiffness: 10}
  - {name: band, type: linear, bodies: [world, lump], stiffness: 10, rest: 1}
simulation: {step: 0.01, until: 0.1}
YAML
expect 0 run swing.yaml -q -o swing.h5

# Files that are no scenes say what they are and which command reads them.
expect 2 run swing.h5
says err "'swing.h5' is a run file, not a scene; 'cairn view swing.h5' shows it"
cp swing.h5 renamed
expect 2 check renamed
says err "'renamed' is a run file"
for name in robot.urdf robot.xml; do
    echo '<robot/>' >$name
    expect 2 run $name
    says err "$name:1:1: the robot has no <link>"
done
echo '<sdf/>' >robot.sdf
expect 2 run robot.sdf
says err "'robot.sdf' is a robot or scene description of another program"
: >part.stl
expect 2 run part.stl
says err "{type: mesh, file: part.stl}"
expect 2 run .
says err "'.' is a directory"

# A forgotten extension, a forgotten command, a command that is not there.
expect 2 run swing
says err "did you mean 'swing.yaml'"
expect 2 swing.yaml
says err "'cairn run swing.yaml'"
expect 2 simulate swing.yaml
says err "did you mean 'run'"

# Words of other programs in a scene, and slips.
cat >others.yaml <<'YAML'
dimension: 2
bodys: []
simulation: {law: coulomb, solver: pgs, integrator: rk4}
YAML
expect 2 check others.yaml
says err "^others.yaml:2:1: .*'bodys'.*did you mean 'bodies'"
says err "'coulomb'; did you mean 'cone'"
says err "'pgs'; did you mean 'gauss-seidel'"
says err "'rk4'; did you mean 'trapezoid2'"

# A tab in the indentation: at its place, in words.
printf 'dimension: 2\nbodies:\n\t- name: a\n' >tab.yaml
expect 2 check tab.yaml
says err '^tab.yaml:3:1: tabs cannot indent in YAML; use spaces$'

# A value that was forgotten is not taken from the next option, nor a folder named after it.
expect 2 export swing.h5 --vtk --instances
says err "option '--vtk' needs a value, but '--instances' follows"
[ ! -e ./--instances ] || fail "a folder has the name of an option"

# The stretch of an angular spring is an angle.
expect 0 export swing.h5 --table series -o -
head -1 out | grep -q 'springs/stretch/coil \[rad\]' || fail "the coil's stretch is not in rad: $(head -1 out)"
head -1 out | grep -q 'springs/stretch/band \[m\]' || fail "the band's stretch is not in m: $(head -1 out)"
expect 0 plot swing.h5 springs/stretch/coil -o coil.svg
says coil.svg 'rad'

exit $((failures > 0))
