#!/bin/sh
# Final states of every built-in scene, as hashes: proof that a change of the code left all results unchanged to the bit.
#
# Usage: tests/golden_states.sh CAIRN [SECONDS]      print "scene hash" for each built-in scene, simulated that long (0.5)
#        tests/golden_states.sh --compare OLD NEW    run two programs and list the scenes in which they differ
#        tests/golden_states.sh --against REVISION CAIRN   the same, with OLD built from a revision of this repository
#
# A hash covers all bodies' positions and velocities, contacts with their impulses and events, of every tenth step, with 17
# significant digits. Hashes depend on compiler and processor, so none are stored: build both programs on one machine.
set -eu

hashes()
{
    program=$1
    seconds=${2:-0.5}
    scratch=$(mktemp -d)
    for scene in $("$program" examples | awk '{ print $1 }'); do
        status=0
        "$program" run "$scene" --until "$seconds" --every 10 --output "$scratch/run.h5" --quiet >"$scratch/log" 2>&1 || status=$?
        hash=$("$program" export "$scratch/run.h5" --csv --output "$scratch/csv" --quiet >/dev/null 2>&1 &&
            for table in bodies contacts events; do tail -n +2 "$scratch/csv/$table.csv"; done |
            sha256sum | cut -c 1-16) || hash=none
        echo "$scene $status $hash"
        rm -rf "$scratch/run.h5" "$scratch/csv"
    done
    rm -rf "$scratch"
}

compare()
{
    files=$(mktemp -d)
    hashes "$1" >"$files/old" &
    hashes "$2" >"$files/new"
    wait
    status=0
    diff "$files/old" "$files/new" || status=$?
    [ "$status" -ne 0 ] || echo "golden states: $(wc -l <"$files/new") scenes, all equal to the bit"
    rm -rf "$files"
    return "$status"
}

case ${1:-} in
--compare) compare "$2" "$3" ;;
--against)
    root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
    tree=$(mktemp -d)
    trap 'git -C "$root" worktree remove --force "$tree/source"; rm -rf "$tree"' EXIT
    git -C "$root" worktree add --quiet --detach "$tree/source" "$2"
    cmake -S "$tree/source" -B "$tree/build" -G Ninja -DCAIRN_TESTS=OFF -DCAIRN_VIEWER=OFF >/dev/null
    cmake --build "$tree/build" --target cairn >/dev/null
    compare "$tree/build/cairn" "$3"
    ;;
"") sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
*) hashes "$@" ;;
esac
