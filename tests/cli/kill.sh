#!/bin/sh
# cairn run --resume after kill -9: the same final bits as a run that was left alone, on any number of threads. CAIRN_LONG: 100 kills in 10
# scenes instead of a few.
#   sh kill.sh CAIRN SCRATCH
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
have_python || { echo "skipped: needs Python"; exit 77; }

# survives SCENE UNTIL CHECKPOINT OPTIONS...
survives()
{
    "$python" "$here/kill_runs.py" "$cairn" "$kills" "$@" || fail "$*"
}

kills=3
[ -z "${CAIRN_LONG:-}" ] || kills=10
survives sphere-heap 0.1 0.02                                # a heap
survives six-axis-arm 0.5 0.05 --every 7 --watch J1.angle    # a mechanism with drives; frames and a watch
survives bouncing-balls 1 0.1 --integrator stiff2            # events within steps
survives shaken-block 0.5 0.1 --integrator trapezoid2        # a driven body
survives newtons-cradle 0.5 0.1                              # restitution
if [ -n "${CAIRN_LONG:-}" ]; then
    survives wrecking-ball 0.5 0.05
    survives ellipse-compliant-1e-9 0.2 0.02                 # patches
    survives geneva 1 0.05
    survives hertz-mindlin 0.2 0.01                          # springs that remember
    survives brazil-nut 0.5 0.02
fi
[ "$failures" -eq 0 ]
