#!/bin/sh
# What goes wrong in a run that processes share is said once, by a sentence and an exit status; nothing hangs; and the last checkpoint is whole.
# Usage: ranks_failures.sh CAIRN SCRATCH
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
scenes=$here/../data/ranks
limit=120
if ! command -v mpirun >/dev/null || ! ldd "$cairn" | grep -q libmpi; then
    echo "without MPI: skipped"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_mpi_yield_when_idle=1

# share STATUS N COMMAND...: N processes; one sentence, unless all goes well.
share()
{
    wanted=$1
    count=$2
    shift 2
    found=0
    timeout "$limit" mpirun --oversubscribe -n "$count" "$@" >out 2>err || found=$?
    [ "$found" -eq "$wanted" ] || fail "$count processes, $*: exit status $found instead of $wanted: $(cat err)"
    [ "$wanted" -eq 0 ] || [ "$(grep -c '^cairn: ' err)" -eq 1 ] || fail "$*: not one sentence: $(cat err)"
}

# motion RUN: all bodies and contacts of a run file, with all digits.
motion()
{
    rm -rf table
    "$cairn" export "$1" --csv --output table --quiet >/dev/null || fail "'$1' cannot be exported"
    cat table/bodies.csv table/contacts.csv
}

same()
{
    motion "$1" >first.csv
    motion "$2" >second.csv
    [ "$(wc -l <first.csv)" -gt 20 ] || fail "'$1' holds too little"
    cmp first.csv second.csv || fail "'$1' and '$2' differ"
}

# on_rank RANK COMMANDS: a script that does something first on one of the processes.
on_rank()
{
    cat >wrap.sh <<SCRIPT
echo \$\$ >"pid.\$OMPI_COMM_WORLD_RANK"
if [ "\$OMPI_COMM_WORLD_RANK" = $1 ]; then $2; fi
exec "\$@"
SCRIPT
}

# Processes may outlive mpirun: one writes its checkpoint, and what is looked at next must not change any more.
await_processes()
{
    tries=0
    for pid in pid.*; do
        while kill -0 "$(cat "$pid")" 2>/dev/null && [ "$tries" -lt 1000 ]; do
            sleep 0.05
            tries=$((tries + 1))
        done
    done
    rm -f pid.*
}

run_options="run $scenes/grains.yaml --every 5 --quiet"
expect 0 $run_options --until 0.4 -o whole.h5

# A machine without the library, and one with another.
on_rank 2 "export CAIRN_PROCESSOR_LIBRARY=/nowhere/lib.so"
share 1 3 sh wrap.sh "$cairn" $run_options -o none.h5
says err "^cairn: device ranks: rank 2 cannot open the library"
[ ! -e none.h5 ] || fail "a run that could not begin has left a file"

# A process without memory.
cat >many.yaml <<'SCENE'
cairn: 1
title: Many spheres
dimension: 3
parameters: {n: 60000}
bodies: [{name: floor, kind: fixed, shapes: [{type: half-space, normal: [0, 0, 1]}]}]
populations:
  - name: sand
    count: n
    radius: 0.005
    density: 2500
    velocity: [0.1, 0.05, -0.1]
    region: {type: box, position: [0, 0, 0.10001], size: [1.2, 1.2, 0.2]}
    packing: lattice
    spacing: 0.01
simulation: {step: 0.002, until: 0.01, integrator: stiff, stabilisation: gap, device: ranks, audit: false}
SCENE
if [ "${CAIRN_SANITIZED:-0}" = 0 ]; then
    tried=0
    for room in 200000 240000 280000 320000; do
        on_rank 1 "ulimit -v $room"
        found=0
        timeout "$limit" mpirun --oversubscribe -n 2 sh wrap.sh "$cairn" run many.yaml --quiet >out 2>err || found=$?
        [ "$found" -ne 124 ] || fail "with $room kB on a process the job hangs"
        [ "$found" -eq 0 ] || ! grep -q '^cairn: ' err || tried=$((tried + 1))
    done
    [ "$tried" -gt 0 ] || fail "no limit on memory made a process say that it has none: $(cat err)"
fi

# A disk that fills up: the last checkpoint is whole, and the run goes on from it where there is room.
on_rank all ":"
sed -i 's/^if .*$/ulimit -f 2000/' wrap.sh # of 512 bytes
share 1 3 env OMPI_MCA_btl=self,tcp sh wrap.sh "$cairn" $run_options --until 0.4 --checkpoint 0.02 -o full.h5
says err "^cairn: .*full.h5"
[ -s full.h5.checkpoint ] || fail "no checkpoint is left on a full disk"
[ ! -e full.h5.checkpoint-new ] || fail "half a checkpoint is left on a full disk"
share 0 2 "$cairn" run --resume full.h5 --until 0.4 --quiet
same whole.h5 full.h5

# The whole job is told to end, by its launcher and by a batch system that tells every process.
for way in launcher processes; do
    on_rank all ":"
    timeout "$limit" mpirun --oversubscribe -n 3 sh wrap.sh "$cairn" run "$scenes/grains.yaml" --until 4 --every 5 --quiet \
        --step 0.0002 --checkpoint 0.004 -o "$way.h5" >out 2>err &
    job=$!
    tries=0
    while [ ! -s "$way.h5.checkpoint-old" ] && [ "$tries" -lt 1000 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    if [ "$way" = launcher ]; then
        kill -TERM "$job" # timeout tells mpirun
    else
        kill -TERM "$(cat pid.1)" "$(cat pid.2)" "$(cat pid.0)"
    fi
    found=0
    wait "$job" || found=$?
    await_processes
    [ "$found" -ne 0 ] && [ "$found" -ne 124 ] && [ "$found" -ne 137 ] || fail "a job that was told to end ends with $found: $(cat err)"
    [ "$way" = launcher ] || [ "$found" -eq 143 ] || fail "processes that were told to end end with $found"
    "$cairn" export "$way.h5" -o - --table series >series.csv || fail "$way: the file does not open"
    until=$(tail -n 1 series.csv | awk -F, '{ print $2 + 0.01 }')
    share 0 2 "$cairn" run --resume "$way.h5" --until "$until" --quiet
done

# A process that cannot go on in the middle of a step, as C++ ends one that has no memory, says so and takes the others along.
timeout "$limit" mpirun --oversubscribe -n 2 sh wrap.sh "$cairn" run "$scenes/grains.yaml" --until 50 --every 5 --quiet --checkpoint 0.05 -o broken.h5 \
    >out 2>err &
job=$!
tries=0
while [ ! -s broken.h5.checkpoint-old ] && [ "$tries" -lt 1000 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -ABRT "$(cat pid.1)"
found=0
wait "$job" || found=$?
[ "$found" -eq 1 ] || fail "a job with a process that gives up ends with $found"
says err "^cairn: one of the processes has no memory left"

# The summary in JSON says how the run was shared.
share 0 3 "$cairn" run "$scenes/grains.yaml" --until 0.1 --json
if have_python; then
    "$python" - <<'END' || fail "ranks in JSON"
import json
ranks = json.load(open("out"))["ranks"]
assert ranks["count"] == 3 and ranks["rebuilds"] >= 1 and 1 <= ranks["balance"] < 2, ranks
assert ranks["memory"] > 1e6 and ranks["memory_of_others"] > 1e6 and ranks["messages_per_step"] > 0, ranks
END
fi

[ "$failures" -eq 0 ]
