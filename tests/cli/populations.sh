#!/bin/sh
# Populations from the command line: the documented drum in at most 40 lines, what its summary says, runs that resume between two
# insertions, grains that are absent in tables and queries, and scenes written out.
#   sh populations.sh CAIRN SCRATCH
set -eu
drum=$(cd "$(dirname "$0")/../.." && pwd)/examples/drum-pour.yaml
. "$(dirname "$0")/lib.sh"

[ "$(wc -l <"$drum")" -le 40 ] || fail "the drum has more than 40 lines"
expect 0 check "$drum"
says out "10001 bodies (10000 dynamic)"

# 150 grains at 1000 per second: after 0.1 s 100 have come in, those due at 0, 0.001, ... 0.099 s.
run="run $drum --set grains=150 --set rate=1000"
expect 0 $run --until 0.1 -o part.h5
says out "population    beads: 100 of 150 grains are there; 100 came in"
expect 0 $run --until 0.2 --save-state whole.state --json
says out '"inserted": 150'
says out '"removed": 0'
says out '"position": \[-*0'

# Interrupted and resumed, it ends with the same bits.
expect 3 $run --until 0.2 -o cut.h5 --wall-limit 1e-9
expect 0 run --resume cut.h5 --quiet --save-state cut.state
cmp -s whole.state cut.state || fail "a resumed pour ends elsewhere"

# Begun from a run, the grains that were there are there, and the others come in: 50 by t = 0.05 s, all 150 0.1 s later.
expect 0 $run --until 0.05 --from part.h5@0.05 --json
"$python" - out <<'END' || fail "a run begun from another one has other grains"
import json, sys
told = json.load(open(sys.argv[1]))["populations"]["beads"]
assert (told["present"], told["inserted"]) == (100, 50), told
END

# Absent grains: nan in tables, null in JSON, and no query finds them.
expect 0 export part.h5 --quiet -o part.csv
says part.csv '^0,0,beads\[149\],nan,nan,nan,'
expect 0 $run --until 0.05 --json
says out 'null'
expect 0 query part.h5 overlap ball 0 0 0 1
[ "$(grep -c beads out)" -eq 100 ] || fail "a query finds $(grep -c beads out) of 100 grains"

# A scene written out: grains become bodies, which move as before. Those that come and go stay a population.
cat >packed.yaml <<'END'
cairn: 1
dimension: 3
bodies: [{name: floor, kind: fixed, shapes: [{type: half-space}]}]
populations:
  - {name: sand, count: 20, radius: {distribution: uniform, min: 0.01, max: 0.02}, density: 2000, region: {type: box, position: [0, 0, 0.1], size: [0.2, 0.2, 0.2]}}
forces: [{name: push, body: "sand[7]", force: [0.1, 0, 0]}]
simulation: {step: 0.001, until: 0.2}
END
expect 0 export packed.yaml --scene written.yaml
grep -q populations written.yaml && fail "the scene written out has populations"
for scene in packed written; do
    expect 0 run $scene.yaml --quiet --json
    sed -n '/"bodies"/,/"energy"/p' out | grep -v populations >$scene.end
done
grep -q 'sand\[7\]' packed.end || fail "no grain in the summary"
[ "$(grep -c position packed.end)" -eq "$(grep -c position written.end)" ] || fail "the scene written out has other bodies"
grep position packed.end >a
grep position written.end >b
cmp -s a b || fail "the scene written out moves differently"
expect 0 export "$drum" --set grains=300 --scene poured.yaml
expect 0 run "$drum" --set grains=300 --until 0.08 --quiet --json
grep position out >a
expect 0 run poured.yaml --until 0.08 --quiet --json
grep position out >b
cmp -s a b || fail "what was poured from the scene written out moves differently"

# A rate that clogs the inlet is said, and the run ends.
limit=100
expect 0 run "$drum" --set grains=3000 --set rate=1e6 --until 0.01
says out "found no free place"
limit=

[ "$failures" -eq 0 ] || exit 1
echo "populations: all as promised"
