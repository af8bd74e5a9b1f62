#!/bin/sh
# The studies of grains at rest, small: a packing that is isostatic, a silo. Usage: study_packing.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# Without friction a jammed packing has exactly as many contacts as degrees of freedom. With friction it stands on fewer, at least 2/3 of
# them, and looser. It rests only after thousands of steps: sanitizers see some of the same with fewer grains.
packing="--set count=40 --set side=5 --until 15"
silo_until=1
takes_all || { packing="--set count=12 --set side=4 --until 0.5" silo_until=0.1; }
# shellcheck disable=SC2086 # words
expect 0 study compression $packing --vary mu=0,0.6 --json -o packing.svg
if takes_all && have_python; then
    # Densities of 40 grains scatter by 0.03 from packing to packing.
    for seed in 1 2 3; do
        # shellcheck disable=SC2086 # words
        expect 0 study compression $packing --set seed=$seed --vary mu=0,0.6 --json
        cp out "packing$seed"
    done
    "$python" - <<'EOT' || fail "compression: numbers"
import json
packings = [json.load(open(f"packing{seed}"))["rows"] for seed in (1, 2, 3)]
for smooth, rough in packings:
    assert abs(smooth["contacts_per_freedom"] - 1) < 1e-9, smooth
    assert smooth["motion"] < 1e-6 and 0.4 < smooth["fraction"] < 0.74, smooth
    assert 2 / 3 < rough["contacts_per_freedom"] < 1, rough
    assert rough["motion"] < 1e-3 and 0.35 < rough["fraction"] < 0.74, rough
assert sum(rough["fraction"] - smooth["fraction"] for smooth, rough in packings) < 3 * 0.02, packings
EOT
fi
[ -s packing.svg ] || fail "no picture of compression"
expect 2 study compression --vary count=10
says err 'the friction alone'

# A silo too short for its law: the table, the picture, and Janssen's depth from the ratio of stresses that was measured.
expect 0 study silo --set count=60 --set D=5 --vary wall=0.5 --until $silo_until --json -o silo.svg
if have_python; then
    "$python" - <<'EOT' || fail "silo: numbers"
import json
row = json.load(open("out"))["rows"][0]
assert abs(row["janssen_depth"] - 5 / (2 * 0.5 * row["stress_ratio"])) < 1e-9, row
assert 0.6 < row["fraction"] < 0.9 and row["janssen_stress"] < row["weight_stress"], row
EOT
fi
[ -s silo.svg ] || fail "no picture of silo"
expect 2 study silo --vary D=3
says err 'the friction of the walls alone'

[ "$failures" -eq 0 ]
