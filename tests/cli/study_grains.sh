#!/bin/sh
# cairn study repose and drum, on few grains: tables, JSON, pictures, and what they refuse. Usage: study_grains.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# A heap is the steeper the less grains roll and the more they cling.
expect 0 study repose --vary rolling=0,0.4 --set count=150 --set lift=0.2 --until 1.2 --json -o repose.svg
grep -q 'cohesion of 4 weights' repose.svg || fail "the picture of repose has no legend"
cp out repose.json
# A bed that does not slide turns along with its drum: from 0.4 s on, by omega.
expect 0 study drum --vary omega=0.3 --set count=120 --set R=0.05 --set mu=0.9 --until 1 --json -o drum.png
cp out drum.json
if have_python; then
    "$python" - <<'EOF' || fail "study --json of grains"
import json
d = json.load(open("repose.json"))
rows = d["rows"]
assert d["study"] == "repose" and [row["rolling"] for row in rows] == [0, 0.4, 0, 0.4]
assert rows[1]["height"] > 1.1 * rows[0]["height"] and rows[2]["height"] > 1.1 * rows[0]["height"], rows
assert rows[3]["height"] > rows[1]["height"], rows
d = json.load(open("drum.json"))
# the mean from 0.5 s to 1 s of 0.3 (t - 0.4) is 0.105 rad = 6 degrees
assert 3.5 < d["rows"][1]["angle"] < 8.5, d["rows"]
EOF
fi
expect 0 study drum --vary omega=0.5 --set count=40 --until 0.6
says out 'omega \[rad/s\]'
expect 2 study repose --vary mu=0.1,0.2
says err 'rolling alone'
expect 2 study drum --quantity position
expect 2 study drum --set nosuch=1
expect 2 study drum --vary omega=0,0.1

[ "$failures" -eq 0 ] && echo "study_grains: all fine"
