#!/bin/sh
# Studies of granular flows, made small: numbers within wide bounds of theory, JSON, pictures, and what is refused.
. "$(dirname "$0")/lib.sh"
set -e

expect 0 study simple-shear --set count=60 --vary fraction=0.68,0.74 --until 4 --json -o shear.svg
$python - out <<'PYTHON' || fail "simple-shear: numbers"
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert len(rows) == 2 and rows[0]["inertial_number"] > rows[1]["inertial_number"] > 0.02
for row in rows:
    assert abs(row["profile"] - 1) < 0.15, row
    assert abs(row["fraction"] - row["fraction_fit"]) < 0.05, row
    assert 0.25 < row["friction"] < 0.9, row
PYTHON
[ -s shear.svg ] || fail "no picture of simple-shear"
expect 2 study simple-shear --set rate=0
says err "rate other than 0"
expect 2 study simple-shear --vary mu=0.1
says err "the fraction alone"

expect 0 study hopper --set count=300 --set d=0.02 --vary opening=0.1,0.14 --steps 0.002 --json
$python - out <<'PYTHON' || fail "hopper: numbers"
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert rows[1]["flow"] > rows[0]["flow"] > 0, rows
assert 1.2 < rows[1]["exponent"] < 4, rows
PYTHON
expect 2 study hopper --vary d=0.1
says err "the opening alone"

[ "$failures" -eq 0 ]
