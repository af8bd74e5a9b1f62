#!/bin/sh
# Run files under stress: kills, signals, full disks, cut files, readers beside the writer.
#   sh disk.sh CAIRN SCRATCH
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# Long enough to be caught in the middle: four million steps. (No function: its process would be a shell.)

wait_for() {
    tries=0
    while [ ! -s "$1" ] && [ "$tries" -lt 6000 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
}

# wait_for_rows FILE COUNT: until so many frames can be read, however long that takes.
wait_for_rows()
{
    tries=0
    rows=0
    while [ "$rows" -lt "$2" ] && [ "$tries" -lt 2000 ]; do
        "$cairn" export "$1" -o - --table series >series.csv 2>err || fail "reading while writing: $(cat err)"
        rows=$(($(wc -l <series.csv) - 1))
        tries=$((tries + 1))
        sleep 0.05
    done
}

# Kill -9 at 15 moments (5 under sanitizers): the file opens, and its frames are in order and as many for every body.
moment=1
moments=15
takes_all || moments=5
while [ "$moment" -le "$moments" ]; do
    rm -f killed.h5
    "$cairn" run pendulum --step 0.001 --until 4000 --every 20 -o killed.h5 >/dev/null 2>&1 &
    process=$!
    wait_for killed.h5
    sleep "0.$(printf '%02d' $((moment * 37 % 97)))"
    kill -9 "$process"
    wait "$process" 2>/dev/null || true
    if timeout 60 "$cairn" export killed.h5 -o bodies.csv >/dev/null 2>err; then
        awk -F, 'NR > 1 { count[$1]++; if ($1 + 0 < last) bad = 1; last = $1 + 0 }
            END { for (f in count) if (count[f] != count[0]) bad = 1; exit bad || NR < 2 }' bodies.csv ||
            fail "kill $moment: frames are not whole"
    else
        fail "kill $moment: the file does not open: $(cat err)"
    fi
    moment=$((moment + 1))
done

# Readers beside the writer.
rm -f live.h5
"$cairn" run pendulum --step 0.001 --until 4000 --every 50 -o live.h5 >/dev/null 2>&1 &
process=$!
wait_for live.h5
reads=0
while [ "$reads" -lt 10 ]; do
    timeout 60 "$cairn" export live.h5 -o - --table series >series.csv 2>err || fail "reading while writing: $(cat err)"
    reads=$((reads + 1))
    sleep 0.1
done
wait_for_rows live.h5 100
[ "$rows" -ge 100 ] || fail "the reader saw no progress"

# Ctrl-C: the step is finished, the file is complete, the summary is printed, status 130. (A shell without job control
# makes its background jobs ignore SIGINT, so SIGTERM stands in there: status 143.)
kill -9 "$process"
wait "$process" 2>/dev/null || true
rm -f term.h5
"$cairn" run pendulum --step 0.001 --until 4000 --every 20 -o term.h5 --json >summary.json 2>err &
process=$!
wait_for term.h5
wait_for_rows term.h5 3
kill -TERM "$process"
status=0
wait "$process" || status=$?
[ "$status" -eq 143 ] || fail "SIGTERM gives status $status"
grep -q '"status": "interrupted"' summary.json || fail "SIGTERM: no summary"
"$cairn" export term.h5 -o - --table series >series.csv || fail "SIGTERM: the file does not open"
if have_python; then
    PYTHONPATH=$here "$python" - "$cairn" <<'END' || fail "SIGINT"
import json, os, signal, subprocess, sys, time
command = [sys.argv[1], "run", "pendulum", "--step", "0.001", "--until", "4000", "--every", "7", "-o", "int.h5", "--json"]
p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
while not os.path.exists("int.h5"):
    time.sleep(0.02)
rows = 0
while rows < 4:  # a head, and steps made: signals are watched
    rows = len(subprocess.run([sys.argv[1], "export", "int.h5", "-o", "-", "--table", "series"],
                              stdout=subprocess.PIPE).stdout.splitlines())
p.send_signal(signal.SIGINT)
out, err = p.communicate(timeout=60)
assert p.returncode == 130, p.returncode
d = json.loads(out)
assert d["status"] == "interrupted" and d["steps"] > 0, d["status"]
assert err.count(b"\n") == 1 and b"'cairn run --resume int.h5' continues it" in err, err
try:
    import h5py
    f = h5py.File("int.h5", "r")
    assert f["status"][()] == b"interrupted" and f["step"][-1] == d["steps"]
except ImportError:
    pass

# On a terminal there is a progress bar, and it is wiped at the end.
import terminal
text = terminal.first_bar([sys.argv[1], "run", "pendulum", "--step", "0.0005", "--until", until] for until in ("1", "40", "1600"))
assert b"ETA" in text and b"step" in text and b"residual" in text, text[-300:]
assert text.endswith(b"\r\x1b[K"), text[-80:]
END
fi

# A disk that fills up during the run: status 1, the file named, what was written still opens.
status=0
(
    ulimit -f 4000
    "$cairn" run pendulum --step 0.001 --until 4000 --every 200 -o full.h5 >out 2>err
) || status=$?
[ "$status" -eq 1 ] || fail "a full disk gives status $status"
grep -q "full.h5.*remain valid" err || fail "a full disk is not explained: $(cat err)"
"$cairn" export full.h5 -o - --table series >series.csv || fail "the file of a full disk does not open"
[ "$(wc -l <series.csv)" -gt 10 ] || fail "a full disk: frames are lost"

# A disk that is full from the start: status 1, nothing left.
status=0
(
    ulimit -f 8
    "$cairn" run pendulum -o none.h5 >out 2>err
) || status=$?
[ "$status" -eq 1 ] || fail "a disk full from the start gives status $status"
ls | grep -q none.h5 && fail "something is left on a full disk: $(ls)"

# Cut and foreign files: status 2 and a sentence.
"$cairn" run pendulum --until 1 -o whole.h5 --quiet
size=$(wc -c <whole.h5)
for cut in 0 5 40 100 3000 $((size / 2)) $((size - 1)); do
    head -c "$cut" whole.h5 >cut.h5
    status=0
    "$cairn" export cut.h5 >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "cut at $cut: status $status"
    grep -q '^cairn: .*cut.h5' err || fail "cut at $cut: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || fail "cut at $cut: more than a sentence: $(cat err)"
done
status=0
"$cairn" export missing.h5 2>err || status=$?
[ "$status" -eq 2 ] || fail "a missing run: status $status"
[ ! -e missing-csv ] || fail "a directory was made for a missing run"

[ "$failures" -eq 0 ] || exit 1
echo "all good"
