#!/bin/sh
# cairn view under mpirun: processes share the live simulation. A tool without MPI does the same alone. Usage: ranks_view.sh CAIRN SCRATCH
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

"$python" "$here/../view/ranks.py" "$here/../data/ranks" "$cairn" || fail "one process"

if ! command -v mpirun >/dev/null || ! ldd "$cairn" | grep -q libmpi; then
    echo "without MPI: only one process was tested"
    [ "$failures" -eq 0 ]
    exit
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_mpi_yield_when_idle=1

"$python" "$here/../view/ranks.py" "$here/../data/ranks" "$cairn" mpirun --oversubscribe -n 3 || fail "three processes"

# Only the simulation of a scene can be shared.
for what in "" truth.h5 "$here/../data/ranks/grains.yaml --device gpu"; do
    status=0
    timeout 120 mpirun --oversubscribe -n 2 "$cairn" view $what --no-open >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "two processes view '$what': $status $(cat err)"
    says err "^cairn: \(started as 2 processes, which can share the simulation of a scene\|device gpu cannot be shared\)"
done
[ "$failures" -eq 0 ]
