#!/bin/sh
# Same input, same build: same bits. Every built-in scene runs twice, the second time in another place, with fresh memory
# filled with other bytes, and by four threads; all numbers of the summaries and all frames must agree. Under sanitizers every scene runs
# once, by four threads, unless CAIRN_LONG is set.
# Usage: check_determinism.sh SOURCE_DIR CAIRN_BINARY      (runs in the current directory)
set -eu
cairn=$2
rm -rf first second
mkdir -p first second/elsewhere

# s; the long suite runs further; under sanitizers, ten times as slow, not as far. Every tenth frame: what differs once differs
# from then on.
until=${CAIRN_LONG:+1}
until=${until:-0.3}
takes_all=1
case ${CAIRN_TEST_CFLAGS:-} in
*-fsanitize*)
    until=0.1
    takes_all=${CAIRN_LONG:-}
    ;;
esac

# Everything that is printed but the wall time, the threads and the name of the run file.
summary()
{
    grep -v -e '"wall_s"' -e '"threads"' -e '"run_file"' "$1"
}

count=0
for scene in $("$cairn" examples --json | tr ',' '\n' | sed -n 's/.*"name": *"\([^"]*\)".*/\1/p'); do
    again=0
    (
        cd second/elsewhere
        MALLOC_PERTURB_=165 OMP_NUM_THREADS=1 \
            "$cairn" run "$scene" --until "$until" --every 10 --threads 4 --json -o "../$scene.h5" >"../$scene.json"
    ) || again=$?
    count=$((count + 1))
    if [ -z "$takes_all" ]; then
        [ "$again" -le 1 ] && [ -s "second/$scene.json" ] || { echo "check_determinism: $scene: exit status $again" >&2; exit 1; }
        continue
    fi
    # A scene that misses its tolerance must do so twice.
    status=0
    "$cairn" run "$scene" --until "$until" --every 10 --json -o "first/$scene.h5" >"first/$scene.json" || status=$?
    if [ "$status" -ne "$again" ]; then
        echo "check_determinism: $scene: exit status $status, then $again" >&2
        exit 1
    fi
    summary "first/$scene.json" >first/summary
    summary "second/$scene.json" >second/summary
    cmp first/summary second/summary
    "$cairn" export "first/$scene.h5" --csv -o "first/$scene" >/dev/null
    "$cairn" export "second/$scene.h5" --csv -o "second/$scene" >/dev/null
    diff -r "first/$scene" "second/$scene" >/dev/null || {
        echo "check_determinism: $scene: the run files differ" >&2
        exit 1
    }
done
rm -rf first second
[ "$count" -gt 0 ] || { echo "check_determinism: no scenes" >&2; exit 1; }
if [ -n "$takes_all" ]; then
    echo "$count scenes ran twice with the same bits"
else
    echo "$count scenes ran"
fi
