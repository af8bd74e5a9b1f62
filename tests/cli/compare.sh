#!/bin/sh
# cairn compare and the studies of two laws: differences recomputed from the final states, lift-off against its closed
# form, pictures, exit statuses. Usage: compare.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# check SCRIPT WORDS: Python's checks of the last output; skipped where there is no Python.
check()
{
    have_python || return 0
    "$python" -c "import json, math
out = json.load(open('out'))
runs = out.get('runs', [])
$1" || fail "$2"
}

expect 0 compare two-bodies-damper-20 --with "law=pyramid(4)" --with law=box --with integrator=euler --with step=0.01 --json
check "
first = {b['name']: b for b in runs[0]['bodies']}
assert [r['with'] for r in runs] == ['law=pyramid(4)', 'law=box', 'integrator=euler', 'step=0.01']
assert runs[0]['difference']['position'] == 0 and runs[0]['difference']['largest'] == 0
for r in runs:
    d = r['difference']
    far = max(math.dist(b['position'], first[b['name']]['position']) for b in r['bodies'])
    assert abs(far - d['position']) <= 1e-12 + 1e-9 * far, (far, d['position'])
    assert d['largest'] >= d['position'] and len(d['time']) == len(d['distance'])
    assert abs(max(d['distance']) - d['largest']) <= 1e-9 * d['largest'] and d['time'][-1] == out['until']
    assert r['residual'] < 1e-9 and r['missed'] == 0
assert runs[2]['settings']['integrator'] == 'euler' and runs[3]['settings']['step'] == 0.01
assert runs[3]['steps'] == round(out['until'] / 0.01)
assert runs[1]['difference']['position'] < 1e-9 < runs[2]['difference']['position']
" "the differences of two-bodies-damper-20"

# One setting alone is measured against the scene's own.
expect 0 compare stick-slip-block --with integrator=stiff2
grep -q '^  scene ' out || fail "the scene's own settings are not in: $(cat out)"

# The exact law keeps a sliding particle on its line; the convex one opens a gap of h mu |u_t| in its first step, where
# u_t = (3 - mu g h)/(1 + mu^2).
expect 0 compare particle-2 --with "law=pyramid(4)" --with "law=convex pyramid(4)" --json
check "
h, mu, g = 0.001, 0.3, 9.8
assert runs[0]['lift_off'] < 1e-15
assert abs(runs[1]['lift_off'] - h * mu * (3 - mu * g * h) / (1 + mu * mu)) < 1e-13
" "the lift-off of particle-2"

# The tables of two laws.
expect 0 study particle-qp-lcp --json
check "
for row in out['blocks'][0]['rows']:
    assert abs(row['norm'] - row['paper']) < 2e-6 * row['paper'], row
gap = [[row['largest'] for row in block['rows']] for block in out['blocks']]
assert gap[0][-1] < gap[0][0] / 50 and gap[1][-1] > 0.98 * gap[1][-2] > 0.035, gap
" "Table 10.1"
expect 0 study bar-qp-lcp --json
check "
table = [1.5736018, 7.2176724e-1, 1.4580267e-1, 9.2969637e-2, 5.5543025e-3, 4.3982975e-3, 3.7537593e-3, 3.7007014e-4]
assert [row['paper'] for row in out['blocks'][0]['rows']] == table
gap = [[row['largest'] for row in block['rows']] for block in out['blocks']]
assert gap[0][-1] < gap[0][0] / 50 and gap[1][-1] > gap[1][-2] > 0.005, gap
" "Table 10.2"
expect 0 study bar-qp-lcp -o bar.svg
grep -q '</svg>' bar.svg || fail "bar.svg is no picture"
expect 2 study particle-qp-lcp --steps 0.1
says err "one fixed table"
expect 0 study --list
grep -q particle-qp-lcp out || fail "particle-qp-lcp is not listed"

# Pictures, also where nothing differs.
expect 0 compare stick-slip-block --with "law=pyramid(4)" --with law=box --with step=0.02 -o differ.svg
grep -q '</svg>' differ.svg || fail "differ.svg is no picture"
expect 0 compare stick-slip-block --with "law=pyramid(4)" --with "law=pyramid(4)" -o same.svg
grep -q '</svg>' same.svg || fail "same.svg is no picture"
expect 2 compare stick-slip-block --with law=box -o picture.txt
says err "neither in .svg nor in .png"
expect 2 compare stick-slip-block --with law=box -o no/such/folder.svg

# What is wrong is said before anything runs.
expect 2 compare
says err "an argument is missing"
expect 2 compare stick-slip-block
says err "nothing to compare"
expect 2 compare stick-slip-block --with lae=box
says err "did you mean 'law'"
expect 2 compare stick-slip-block --with law=boxes
says err "law: expected frictionless"
expect 2 compare stick-slip-block --with law=
says err "expected name=value"
expect 2 compare stick-slip-block --with threads=0
says err "threads: expected a whole number"
expect 2 compare stick-slip-block --with step=-1
says err "expected a time"
expect 2 compare stick-slip-block --with step=1e-12 --with step=0.01
says err "steps"
expect 2 compare no-such-scene --with law=box
says err "no-such-scene"
expect 2 compare stick-slip-block --with law=box --until -1
says err "until"
expect 0 compare --help
grep -q -- '--with' out || fail "--help says nothing of --with"


[ "$failures" -eq 0 ]
