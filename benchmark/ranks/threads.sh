#!/bin/sh
# Threads of one process with `device: ranks`, without MPI (docs/cluster.md): wall time per step of a heap on 1, 2, 4, 8 and 16 threads, and how much
# faster they are than one. Fails if their results are not the same to the bit. Usage: benchmark/ranks/threads.sh CAIRN [SPHERES [THREADS...]]
#
# The heap falls for half a second first. From where it is then, every number of threads takes SHORT and LONG steps, in turns, and what the LONG ones take
# longer is divided by how many more they are: reading the scene and writing the run count for nothing. Of each, the least of the turns counts.
set -eu
export LC_ALL=C
cairn=$(realpath "${1:?the path of cairn}")
spheres=${2:-16000}
[ $# -gt 2 ] && shift 2 || set -- 1 2 4 8 16
step=0.005 short=10 long=50 turns=3
tools=$(realpath "$(dirname "$0")/../../tools")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

number() # of a summary in JSON
{
    sed -n "s/^ *\"$1\": \([0-9.e+-]*\),*$/\1/p" "$2" | head -1
}

least() # of two numbers, of which the first may be missing
{
    echo "$1 $2" | awk '{ print NF < 2 || $2 < $1 ? $NF : $1 }'
}

run() # threads, steps, then options: a summary in summary.json and the last frame in last.h5
{
    threads=$1 until=$(awk "BEGIN { print $2 * $step }")
    shift 2
    "$cairn" run heap.yaml --device ranks --step $step --threads "$threads" --until "$until" --interval "$until" -o last.h5 --json "$@" > summary.json
}

python3 "$tools/make_scenes.py" --heap "$spheres" > heap.yaml
run "$(nproc)" 100
mv last.h5 begin.h5
for turn in $(seq $turns); do
    for threads in "$@"; do
        for steps in $short $long; do
            run "$threads" $steps --from begin.h5
            touch "wall_${threads}_$steps"
            least "$(cat "wall_${threads}_$steps")" "$(number wall_s summary.json)" > new
            mv new "wall_${threads}_$steps"
        done
        "$cairn" export last.h5 --table bodies -o - -q | sha256sum > "state_$threads"
    done
done
first=
for threads in "$@"; do
    one=$(awk '{ getline other < "'"wall_${threads}_$short"'"; print 1000 * ($1 - other) / ('$long' - '$short') }' "wall_${threads}_$long")
    first=${first:-$one}
    echo "$threads $one $first" | awk '{ printf "'"$spheres"' spheres, %2d threads: %.2f ms per step, %.2f times\n", $1, $2, $3 / $2 }'
    cmp -s "state_$1" "state_$threads" || { echo "the state on $threads threads differs from that on $1"; exit 1; }
done
echo "the same states, to the bit"
