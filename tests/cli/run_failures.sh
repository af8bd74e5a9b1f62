#!/bin/sh
# cairn run that fails: every failure is told by the exit status, by one sentence, also under --quiet, and by the object
# of --json.
#   sh run_failures.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

# object STATUS WORDS: out is one JSON object with this status; its error has these words and stands on standard error.
object()
{
    have_python || return 0
    "$python" - "$1" "$2" <<'END' || fail "the object of '$1'"
import json, sys
d = json.load(open("out"))
assert d["status"] == sys.argv[1], d["status"]
assert sys.argv[2] in (d["error"] or ""), d["error"]
assert (d["error"] or "") in open("err").read()
END
}

# Explicit Euler with h^2 k / m = 1e6 multiplies the motion by a million in each step; doubles end at 1e308.
cat >runaway.yaml <<'END'
dimension: 2
gravity: [0, 0]
bodies:
  - {name: calm, point: true, mass: 1, position: [5, 0]}
  - {name: runaway, point: true, mass: 1, position: [1, 0]}
springs: [{name: s, type: linear, bodies: [runaway, world], rest: 0.5, stiffness: 1e10}]
simulation: {step: 0.01, until: 1, integrator: euler}
END
expect 1 run runaway.yaml --quiet
says err "step [0-9]*: .*'runaway'"
silent out
expect 1 run runaway.yaml
says out "failed"
expect 1 run runaway.yaml --json -o runaway.h5
object failed "'runaway'"
if have_python; then
    "$python" -c 'import json; d = json.load(open("out")); assert 0 < d["steps"] < 60, d["steps"]' || fail "steps"
fi
# Stable at the same step, the same spring runs to its end.
expect 0 run runaway.yaml --integrator stiff --json
object done ""

# A tolerance that cannot be met is told under --quiet, too.
expect 1 run box-stack --until 0.05 --solver-tolerance 1e-30 --quiet
says err "steps missed the solver's tolerance of 1e-30: the worst residual is"
silent out
expect 1 run box-stack --until 0.05 --solver-tolerance 1e-30 --json
object missed-tolerance "missed the solver's tolerance"

# What fails while it is prepared has an object, too.
printf 'dimension: 2\nbodies:\n  - {name: a, mass: -1, inertia: 1}\n' >bad.yaml
expect 2 run bad.yaml --json
object invalid "mass"
expect 2 run no-such-scene --json
object invalid "no-such-scene"
expect 2 run pendulum --set nothing=1 --json
object invalid "nothing"
expect 2 run pendulum --set nothing --json
object invalid "name=value"
expect 2 run pendulum --law x --json
object invalid "law"
expect 2 run pendulum --step 0 --json
object invalid "step"
expect 2 run pendulum --until 1e300 --json
object invalid "1e15 steps"
expect 2 run pendulum -o no/such/dir/run.h5 --json
object invalid "cannot be written"
expect 2 run pendulum --save-problems 1 --problems-layout x --json
object invalid "problems-layout"
if have_python; then
    "$python" -c 'import json; assert json.load(open("out"))["run_file"] is None' || fail "a run file that was never made"
fi

if [ "$failures" -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
