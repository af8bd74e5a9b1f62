#!/bin/sh
# The studies of grains at rest, small: a packing that is isostatic, a silo whose walls carry. Usage: study_packing.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# Without friction a jammed packing has exactly as many contacts as degrees of freedom.
expect 0 study compression --set count=40 --set side=5 --vary mu=1e-6 --until 15 --json
if have_python; then
    "$python" - <<'EOT' || fail "compression: numbers"
import json
row = json.load(open("out"))["rows"][0]
assert abs(row["contacts_per_freedom"] - 1) < 1e-9, row
assert row["motion"] < 1e-6 and 0.4 < row["fraction"] < 0.74, row
EOT
fi
expect 2 study compression --vary count=10
says err 'the friction alone'

# In a short silo the floor carries less than the weight, and the ratio of stresses is that of grains.
expect 0 study silo --set count=100 --set D=4 --vary wall=0.5 --until 1.5 --json -o silo.svg
if have_python; then
    "$python" - <<'EOT' || fail "silo: numbers"
import json
row = json.load(open("out"))["rows"][0]
assert row["lowest_stress"] < 0.8 * row["weight_stress"] and 0.3 < row["stress_ratio"] < 1.5, row
assert 0.7 < row["fraction"] < 0.9, row
EOT
fi
[ -s silo.svg ] || fail "no picture of silo"
expect 2 study silo --vary D=3
says err 'the friction of the walls alone'

[ "$failures" -eq 0 ]
