#!/bin/sh
# cairn run: checkpoints, signals, limits and --resume; --from. tests/cli/kill.sh has the kills.
#   sh resume.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

run="run bouncing-balls --step 0.001 --quiet"
expect 0 $run --until 1 --save-state whole.state -o whole.h5

# A run that a limit or a signal ends leaves a checkpoint and says how to go on.
expect 3 $run --until 1 -o a.h5 --wall-limit 1e-9
says err "limit on wall time ended the run at t = 0.001 s; 'cairn run --resume a.h5' continues"
expect 3 run --resume a.h5 --quiet --memory-limit 1k
says err "limit on memory ended the run at t = 0.002 s"
expect 0 run --resume a.h5 --quiet --save-state a.state
silent err
cmp -s whole.state a.state || fail "limits change the result"
expect 3 $run --until 1 --wall-limit 1e-9
says err "limit on wall time ended the run at t = 0.001 s$"

# wait_for FILE: until a background run has written it.
wait_for()
{
    for i in $(seq 3000); do
        [ ! -e "$1" ] || return 0
        sleep 0.02
    done
    fail "no $1"
}

# SIGUSR1 asks for a checkpoint, SIGTERM and SIGINT end the run with one. A background process of a shell ignores SIGINT.
for signal in TERM HUP; do
    "$cairn" run bouncing-balls --step 0.00001 --quiet --until 1000 -o b.h5 2>err &
    child=$!
    wait_for b.h5
    sleep 0.1 # signals may come before they are watched: then the run ends without a checkpoint
    kill -USR1 $child
    wait_for b.h5.checkpoint
    kill -$signal $child
    found=0
    wait $child || found=$?
    [ "$found" -gt 128 ] || fail "SIG$signal: exit status $found"
    says err "a signal ended the run at t = .* 'cairn run --resume b.h5' continues"
    expect 3 run --resume b.h5 --quiet --json --wall-limit 1e-9
    says out '"status": "interrupted"'
    rm -f b.h5*
done

# A run that ended is continued to a later time, and then is the longer run.
expect 0 $run --until 0.4 -o c.h5 --checkpoint 0.15
expect 0 run --resume c.h5 --quiet
expect 0 run --resume c.h5 --quiet --until 1 --save-state c.state --threads 2
cmp -s whole.state c.state || fail "a longer run in two parts"
expect 2 run --resume c.h5 --until 0.5
says err "the run is at t = 1 s already"

# Nothing but what leaves the results as they are may be given.
expect 2 run --resume c.h5 --step 0.1
says err "setting 'step': a resumed run keeps its settings"
expect 2 run --resume c.h5 --set a=1
says err "option --set: a resumed run goes on as it began"
expect 2 run --resume c.h5 -o d.h5
says err "option --output"
expect 2 run bouncing-balls --resume c.h5
says err "the run file holds its scene"
expect 2 run
says err "a scene, or a run file with --resume"
expect 2 run --resume whole.h5
says err "run file 'whole.h5' has no checkpoint"
expect 2 run --resume nowhere.h5
says err "nowhere.h5"
expect 2 run bouncing-balls --checkpoint 1
says err "name one with -o"
expect 2 run bouncing-balls -o d.h5 --checkpoint 0
says err "option --checkpoint: expected a time above 0 s"
expect 2 run bouncing-balls -o d.h5 --memory-limit 5Q
says err "such as 500M or 8G"

# Damage is refused with the last good checkpoint named; when the damaged one is removed, the run continues from that.
expect 0 $run --until 0.4 -o e.h5 --checkpoint 0.15
cp e.h5.checkpoint good
for change in "head -c 1000 good" "sed s/cairnsta/cairnstb/ good" "cat good good" "echo nonsense" "true"; do
    $change >e.h5.checkpoint
    expect 2 run --resume e.h5 --until 1
    says err "checkpoint 'e.h5.checkpoint' is of no use: .*; the last good one is 'e.h5.checkpoint-old', at t = 0.3 s"
done
rm e.h5.checkpoint
expect 0 run --resume e.h5 --quiet --until 1 --save-state e.state
cmp -s whole.state e.state || fail "from the checkpoint before the last"
: >e.h5.checkpoint
: >e.h5.checkpoint-old
expect 2 run --resume e.h5
says err "there is no good one before it"
cp c.h5.checkpoint e.h5.checkpoint
expect 2 run --resume e.h5
says err "belongs to another run"

# --from: bodies by name, at a time of another run, with another integrator and another end.
cat >drop.yaml <<'SCENE'
cairn: 1
dimension: 2
gravity: [0, -10]
bodies:
  - {name: ball, mass: 1, inertia: 1, position: [0, 5], velocity: [1, 0]}
  - {name: other, mass: 1, inertia: 1, position: [3, 5]}
simulation: {step: 0.01, until: 1, integrator: trapezoid2}
SCENE
sed 's/other/stone/; s/-10/0/' drop.yaml >weightless.yaml
expect 0 run drop.yaml -o drop.h5 --quiet
expect 0 run weightless.yaml --from drop.h5@0.5 --until 0.1 --step 0.1 --json
if have_python; then
    # After 0.5 s of free fall the ball is at (0.5, 5 - 1.25) with velocity (1, -5), and goes on straight.
    "$python" -c '
import json
bodies = json.load(open("out"))["bodies"]
near = lambda a, b: all(abs(x - y) < 1e-12 for x, y in zip(a, b))
ball, stone = bodies["ball"], bodies["stone"]
assert near(ball["position"], (0.6, 3.75 - 0.5)) and near(ball["velocity"], (1, -5)), ball
assert near(stone["position"], (3, 5)), stone' || fail "--from: $(cat out)"
fi
expect 0 run weightless.yaml --from drop.h5 --until 0.1 --quiet
expect 2 run weightless.yaml --from drop.h5@7
says err "goes from t = 0 s to 1 s, and has no frame at 7 s"
expect 2 run box-stack --from drop.h5
says err "dimensions"
expect 2 run pendulum --from drop.h5
says err "no body with a name of this scene"
expect 2 run weightless.yaml --from nowhere.h5@1
says err "nowhere.h5"

# The scene says what its run files hold; the command line comes before it; a scene written out says it again.
cat >recorded.yaml <<'SCENE'
cairn: 1
dimension: 2
bodies: [{name: ball, mass: 1, inertia: 1, position: [0, 5], shapes: [{type: circle, radius: 0.1}]}]
recording: {interval: 0.25, leave_out: [contacts, velocities], precision: single, compression: 3, checkpoint: 0.5, checkpoint_wall: 100}
simulation: {step: 0.01, until: 1}
SCENE
expect 0 run recorded.yaml -o f.h5 --quiet
[ -e f.h5.checkpoint-old ] || fail "checkpoints of the scene"
expect 0 export f.h5 --scene written.yaml
expect 0 run written.yaml -o g.h5 --quiet
expect 0 run recorded.yaml -o h.h5 --quiet --every 10 --leave-out joints --precision double --compression 0
if have_python h5py; then
    "$python" -c '
import h5py
for name, every, interval, left, precision, compression, frames in (
        ("f", 1, 0.25, "contacts,velocities", "single", 3, 5), ("g", 1, 0.25, "contacts,velocities", "single", 3, 5),
        ("h", 10, 0, "joints", "double", 0, 11)):
    f = h5py.File(name + ".h5")
    text = lambda key: f.attrs[key].decode() if isinstance(f.attrs[key], bytes) else f.attrs[key]
    assert (f.attrs["every"], f.attrs["frame_interval"], f.attrs["compression"]) == (every, interval, compression), name
    assert text("left_out") == left and text("precision") == precision, name
    assert len(f["time"]) == frames and ("velocity" in f["bodies"]) == (name == "h"), name
    assert f["bodies/position"].dtype.itemsize == (8 if precision == "double" else 4), name
' || fail "recording"
fi
sed 's/interval: 0.25/interval: 0.25, every: 2/' recorded.yaml >bad.yaml
expect 2 run bad.yaml
says err "bad.yaml:4:.*every says already"
sed 's/velocities/speeds/' recorded.yaml >bad.yaml
expect 2 run bad.yaml
says err "expected contacts, velocities or joints, found 'speeds'"
sed 's/compression: 3/compression: 30/' recorded.yaml >bad.yaml
expect 2 run bad.yaml
says err "from 0 to 9, found 30"
expect 2 run recorded.yaml --leave-out speeds
says err "option --leave-out: expected contacts, velocities or joints"
expect 2 run recorded.yaml --precision half
says err "expected single or double"
expect 2 run bouncing-balls --compression 4
says err "name one with -o"

[ "$failures" -eq 0 ]
