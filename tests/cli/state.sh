#!/bin/sh
# cairn run --save-state and --from-state: a run in two halves ends in the bytes of one that was never interrupted.
#   sh state.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

# halves SCENE HALF END OPTIONS...: the state at END, taken at once and by way of HALF. A state holds everything that later steps
# depend on, the energy account and the last step's contacts, so that equal bytes mean equal runs.
halves()
{
    scene=$1 half=$2 end=$3
    shift 3
    expect 0 run "$scene" --until "$end" --quiet --save-state whole.state "$@"
    expect 0 run "$scene" --until "$half" --quiet --save-state half.state "$@"
    expect 0 run "$scene" --until "$end" --quiet --from-state half.state --save-state joined.state "$@"
    silent err
    cmp -s whole.state joined.state || fail "$scene $*: two halves are not the whole"
    if cmp -s half.state whole.state; then fail "$scene $*: the second half did nothing"; fi
    rm -f whole.state half.state joined.state
}

halves box-stack 0.1 0.3
halves box-stack 0.1 0.2 --threads 3
halves bouncing-balls 0.5 1.2 --integrator stiff2
halves pendulum 0.5 1.003 --integrator trapezoid
halves pendulum 0 0.5

# A state from one number of threads continues with another.
expect 0 run box-stack --until 0.2 --quiet --save-state one.state
expect 0 run box-stack --until 0.1 --quiet --threads 3 --save-state half.state
expect 0 run box-stack --until 0.2 --quiet --from-state half.state --save-state two.state
cmp -s one.state two.state || fail "threads change the continuation"

# The run file of a continued run begins where the state is, and the summary counts its own steps.
expect 0 run box-stack --until 0.2 --step 0.01 --quiet --save-state a.state
expect 0 run box-stack --until 0.3 --step 0.01 --from-state a.state -o rest.h5 --json
if have_python h5py; then
    "$python" -c '
import h5py, json
time = h5py.File("rest.h5")["time"][:]
assert abs(time[0] - 0.2) < 1e-12 and abs(time[-1] - 0.3) < 1e-12 and len(time) == 11, time
assert json.load(open("out"))["steps"] == 10' || fail "frames of a continued run"
fi

# What does not fit is refused before anything is written.
expect 2 run pendulum --until 3 --from-state a.state -o none.h5
says err "another model"
expect 2 run box-stack --until 3 --integrator euler --from-state a.state -o none.h5
says err "another integrator"
expect 2 run box-stack --until 0.1 --step 0.01 --from-state a.state -o none.h5
says err "after the end of the run"
head -c 200 a.state >cut.state
expect 2 run box-stack --from-state cut.state -o none.h5
says err "cut off"
expect 2 run box-stack --from-state rest.h5 -o none.h5
says err "do not begin like one"
expect 2 run box-stack --from-state missing.state -o none.h5
says err "'missing.state' cannot be read"
expect 2 run box-stack --from-state . -o none.h5
says err "cannot be read"
expect 2 run box-stack --save-state nowhere/x.state -o none.h5
says err "'nowhere/x.state' cannot be written"
[ ! -e none.h5 ] || fail "a refused run wrote a run file"

[ "$failures" -eq 0 ]
