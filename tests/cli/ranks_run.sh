#!/bin/sh
# cairn run by several processes: the same bits from any number of them, also after one was killed and the run resumed by fewer or more.
# A tool without MPI does the same alone. Usage: ranks_run.sh CAIRN SCRATCH
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
scenes=$here/../data/ranks
limit=300

# motion RUN: all bodies and contacts of a run file, with all digits.
motion()
{
    rm -rf table
    "$cairn" export "$1" --csv --output table --quiet >/dev/null || fail "'$1' cannot be exported"
    cat table/bodies.csv table/contacts.csv
}

# same RUN OTHER: both hold the same motion.
same()
{
    motion "$1" >first.csv
    motion "$2" >second.csv
    [ "$(wc -l <first.csv)" -gt 20 ] || fail "'$1' holds too little"
    cmp first.csv second.csv || fail "'$1' and '$2' differ"
}

# What cannot be shared is refused with its own sentence.
expect 2 run pendulum --device ranks
says err "^cairn: device ranks: .* not supported"
env CAIRN_PROCESSOR_LIBRARY=/nowhere/lib.so "$cairn" run sphere-heap --device ranks >out 2>err
[ "$?" -eq 1 ] || fail "a missing library is no failure"
says err "device ranks: the library '/nowhere/lib.so' cannot be opened"

# What is asked of a scene before its first step.
for scene in grains lattice chains; do
    expect 0 check "$scenes/$scene.yaml"
done

# One process: a run that is ended and resumed goes on to the same bits.
for scene in grains chains; do
    expect 0 run "$scenes/$scene.yaml" --every 5 --quiet -o "$scene-whole.h5"
    expect 0 run "$scenes/$scene.yaml" --every 5 --until 0.1 --checkpoint 0.06 --quiet -o "$scene-part.h5"
    expect 0 run --resume "$scene-part.h5" --until 0.4 --quiet
    same "$scene-whole.h5" "$scene-part.h5"
done

if ! command -v mpirun >/dev/null || ! ldd "$cairn" | grep -q libmpi; then
    echo "without MPI: only one process was tested"
    [ "$failures" -eq 0 ]
    exit
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_mpi_yield_when_idle=1

# share STATUS N ARGUMENTS...: like expect, with N processes.
share()
{
    wanted=$1
    count=$2
    shift 2
    found=0
    timeout "$limit" mpirun --oversubscribe -n "$count" "$cairn" "$@" >out 2>err || found=$?
    [ "$found" -eq "$wanted" ] || fail "$count processes, cairn $*: exit status $found instead of $wanted: $(cat err)"
}

# Any number of processes, also more than there is work for.
for scene in grains lattice mixed drum chains giant springs break laws islands terrain convex periodic crystal bin; do
    expect 0 run "$scenes/$scene.yaml" --until 0.28 --every 5 --quiet -o alone.h5
    for count in 2 3 4 8; do
        share 0 "$count" run "$scenes/$scene.yaml" --until 0.28 --every 5 --quiet -o shared.h5
        same alone.h5 shared.h5
    done
done
for scene in box-stack pyramid wall jacks sphere-heap gripper; do
    options="--reproducible on --integrator stiff --stabilisation gap --until 0.1 --every 5 --quiet"
    expect 0 run "$scene" --device ranks $options -o alone.h5
    share 0 3 run "$scene" $options -o shared.h5
    same alone.h5 shared.h5
done
# Grains that process 0 never has: a run file and a checkpoint are written without them, and the run is resumed by others, twice.
for scene in lattice bin; do
    expect 0 run "$scenes/$scene.yaml" --until 0.28 --every 5 --quiet -o alone.h5
    share 0 3 run "$scenes/$scene.yaml" --until 0.14 --every 5 --checkpoint 0.1 --quiet -o part.h5
    share 0 4 run --resume part.h5 --until 0.2 --checkpoint 0.04 --quiet
    share 0 2 run --resume part.h5 --until 0.28 --quiet
    same alone.h5 part.h5
done
# Without `reproducible`: the same bits from the same number of processes, and from one process those of the other mode.
for scene in mixed chains; do
    options="--reproducible off --until 0.2 --every 5 --quiet"
    share 0 3 run "$scenes/$scene.yaml" $options -o shared.h5
    share 0 3 run "$scenes/$scene.yaml" $options -o again.h5
    same shared.h5 again.h5
done
expect 0 run "$scenes/mixed.yaml" --until 0.2 --every 5 --quiet -o alone.h5
expect 0 run "$scenes/mixed.yaml" $options -o split.h5
same alone.h5 split.h5
share 0 8 run rolling-balls --integrator stiff --until 0.05 --quiet -o few.h5 # fewer bodies than processes

# Mistakes are said once; what only one process can do is refused.
share 2 3 run no-such-scene
[ "$(grep -c '^cairn: ' err)" -eq 1 ] || fail "not one sentence: $(cat err)"
share 2 3 run pendulum
says err "^cairn: device ranks: "
share 2 2 run sphere-heap --device gpu
says err "^cairn: device gpu cannot be shared"

# A rank that is killed ends the job; the run is resumed by fewer and by more.
cat >note.sh <<'SCRIPT'
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
SCRIPT
expect 0 run "$scenes/mixed.yaml" --until 0.5 --every 5 --quiet -o whole.h5
timeout "$limit" mpirun --oversubscribe -n 3 sh note.sh "$cairn" run "$scenes/mixed.yaml" --until 0.5 --every 5 --quiet \
    --checkpoint 0.08 -o killed.h5 >out 2>err &
job=$!
while [ ! -s killed.h5.checkpoint-old ] && kill -0 $job 2>/dev/null; do sleep 0.05; done
kill -9 "$(cat pid.2)" || fail "the run was over before a rank could be killed"
found=0
wait $job || found=$?
[ "$found" -ne 0 ] && [ "$found" -ne 124 ] || fail "a job with a killed rank ends with $found"
for count in 1 2 5; do
    for file in killed.h5 killed.h5.checkpoint killed.h5.checkpoint-old; do
        [ ! -e $file ] || cp $file "again${file#killed}"
    done
    share 0 "$count" run --resume again.h5 --quiet
    same whole.h5 again.h5
done

# A signal ends the run with a checkpoint.
timeout "$limit" mpirun --oversubscribe -n 2 sh note.sh "$cairn" run "$scenes/grains.yaml" --until 20 --every 5 --quiet \
    --checkpoint 0.2 -o ended.h5 >out 2>err &
job=$!
while [ ! -s ended.h5.checkpoint-old ] && kill -0 $job 2>/dev/null; do sleep 0.05; done
kill -TERM "$(cat pid.0)"
found=0
wait $job || found=$?
[ "$found" -eq 143 ] || fail "a run that was told to end ends with $found"
[ -s ended.h5.checkpoint ] || fail "no checkpoint after a signal"

[ "$failures" -eq 0 ]
