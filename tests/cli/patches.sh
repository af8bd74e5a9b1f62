#!/bin/sh
# Compliant patches by the tool: parameters reach them, forces of elements add up to the weight, what has no meaning is refused.
# Usage: patches.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

check()
{
    have_python || return 0
    "$python" -c "import csv, math
rows = list(csv.DictReader(open('csv/contacts.csv')))
last = [r for r in rows if r['frame'] == rows[-1]['frame']]
def value(row, name): return float(row[next(k for k in row if k.split(' ')[0] == name)])
$1" || fail "$2"
}

cat >ball.yaml <<'SCENE'
dimension: 3
parameters: {eps: 1e-7, n: 5}
materials:
  - {name: rubber, friction: 0.3, patch: {elements: n, spacing: 0.01/n, compliance: eps, poisson: 0.4, damping: 0.3}}
bodies:
  - {name: ground, kind: fixed, shapes: [{type: half-space}]}
  - {name: ball, mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.1], material: rubber, shapes: [{type: sphere, radius: 0.1}]}
simulation: {step: 1e-3, until: 0.4}
SCENE

expect 0 check ball.yaml
for n in 1 5; do
    expect 0 run ball.yaml --set "n=$n" -o run.h5
    expect 0 export run.h5 -o csv
    check "
assert len(last) == $n**2 and all(r['patch'] == '0' for r in last)
assert sorted(int(r['element']) for r in last) == list(range($n**2))
force = sum(value(r, 'impulse_n') for r in last) / 1e-3
assert abs(force - 2 * 9.81) < 1e-3, force
middle = max(last, key=lambda r: value(r, 'impulse_n'))
assert value(middle, 'offset_t1') == 0 and value(middle, 'offset_t2') == 0
assert abs(value(middle, 'deformation_n') + value(middle, 'gap')) < 1e-8
" "contacts of $n x $n elements"
done

# n = 1 is a spring: depth = weight times the mean displacement of a loaded square
expect 0 run ball.yaml --set n=1 --set eps=2e-7 -o run.h5
expect 0 export run.h5 -o csv
check "
mean = 4 / math.pi * (math.log(1 + math.sqrt(2)) - (math.sqrt(2) - 1) / 3)
depth = 2 * 9.81 * mean * (1 - 0.4**2) * 2e-7 / 0.01
assert abs(value(last[0], 'deformation_n') / depth - 1) < 1e-4, (value(last[0], 'deformation_n'), depth)
" "the lumped model's depth"

expect 2 run ball.yaml --integrator stiff2
says err "use euler or stiff with them"
expect 2 run ball.yaml --set n=4
says err "material 'rubber': elements: must be an odd number"
expect 2 run ball.yaml --set eps=0
says err "compliance: expected a number greater than 0"

[ "$failures" -eq 0 ] && echo "patches: all fine"
exit "$failures"
