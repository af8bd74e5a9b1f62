#!/bin/sh
# Domains by different methods, of the last frame of a run (docs/cluster.md). Needs mpicc and the Debian packages libtrilinos-zoltan-dev and libscotch-dev,
# h5py to read the run. Usage: benchmark/ranks/partition.sh RUN [PARTS...]
set -eu
run=$(realpath "${1:?a run file}")
shift
[ $# -gt 0 ] || set -- 8 64 512
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=python3
if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
"$python" - "$run" "$scratch/pile" <<'END'
import sys

import h5py
import numpy

with h5py.File(sys.argv[1]) as run, open(sys.argv[2], "w") as out:
    position = run["bodies/position"][-1]
    count = int(run["contacts/count"][-1])
    pair = numpy.stack([run["contacts/body_a"][-count:], run["contacts/body_b"][-count:]], axis=1) if count else []
    moves = run["bodies/mass"][:] > 0 if "bodies/mass" in run else numpy.arange(len(position)) > 0
    number = numpy.cumsum(moves) - 1
    pair = [(number[a], number[b]) for a, b in pair if a >= 0 and b >= 0 and moves[a] and moves[b]]
    print(moves.sum(), len(pair), file=out)
    numpy.savetxt(out, position[moves], fmt="%.9g")
    numpy.savetxt(out, numpy.array(pair), fmt="%d")
END
mpicc -std=c17 -O2 -D_GNU_SOURCE -I src -I include -I /usr/include/trilinos -I /usr/include/scotch benchmark/ranks/partition.c src/domain/curve.c \
    -o "$scratch/partition" -ltrilinos_zoltan -lscotch -lscotcherr -lm
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$scratch/partition" "$scratch/pile" "$@"
