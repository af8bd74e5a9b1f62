#!/bin/sh
# cairn study under mpirun: the same numbers from any number of processes, one voice, no process that waits for ever.
# A tool without MPI says so. Usage: ranks.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# Everything but times and the number of processes.
numbers()
{
    grep -v -e '"wall_s"' -e '"jobs"' "$1"
}

# What every launcher tells its processes is enough to refuse what cannot be shared.
for launcher in OMPI_COMM_WORLD PMI; do
    status=0
    env "${launcher}_SIZE=3" "${launcher}_RANK=0" "$cairn" check pendulum >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "three processes check a scene: $status"
    says err "^cairn: started as 3 processes, "
    env "${launcher}_SIZE=3" "${launcher}_RANK=1" "$cairn" check pendulum >out 2>err || fail "a helper fails"
    silent out
    silent err
done

if ! command -v mpirun >/dev/null || ! ldd "$cairn" | grep -q libmpi; then
    echo "without MPI: only the refusals were tested"
    [ "$failures" -eq 0 ]
    exit
fi

# share N ARGUMENTS...: like expect 0, with N processes.
share()
{
    count=$1
    shift
    status=0
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp \
        timeout 120 mpirun --oversubscribe -n "$count" "$cairn" "$@" >out 2>err || status=$?
}

for study in double-pendulum particle-qp-lcp impacts; do
    expect 0 study "$study" --json --quiet
    numbers out >alone.json
    for count in 1 2 3 4 8; do
        share "$count" study "$study" --json --quiet
        [ "$status" -eq 0 ] || fail "$study with $count processes: $status $(cat err)"
        numbers out | cmp alone.json - || fail "$study depends on the number of processes"
    done
done

# Blocks of numbers travel too, and files of the first run stay with process 0.
expect 0 study ellipse-compliance --vary eps=1e-9,1e-10,1e-11 --until 0.05 --set n=1 --json --quiet
numbers out >alone.json
share 3 study ellipse-compliance --vary eps=1e-9,1e-10,1e-11 --until 0.05 --set n=1 --json --quiet
numbers out | cmp alone.json - || fail "ellipse-compliance depends on the number of processes"
share 3 study brazil-nut --until 0.2 --json --quiet -o nut.svg
[ "$status" -eq 0 ] && [ -s nut.svg ] || fail "no picture of the nut: $status $(cat err)"

# More processes than runs; mistakes are said once.
share 6 study pendulum --steps 0.1 --integrator stiff --quiet --json
[ "$status" -eq 0 ] || fail "idle processes: $status $(cat err)"
share 4 study no-such-thing
[ "$status" -eq 2 ] || fail "a wrong name ends with $status"
[ "$(grep -c '^cairn: ' err)" -eq 1 ] || fail "not one sentence: $(cat err)"

# A helper that is killed ends the job; nobody hangs.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe -n 3 \
    sh -c 'if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then (sleep 1; kill -9 $$) & fi; exec "$@"' sh \
    "$cairn" study brazil-nut --quiet >out 2>err
status=$?
[ "$status" -ne 0 ] && [ "$status" -ne 124 ] || fail "a killed helper ends with $status"

[ "$failures" -eq 0 ]
