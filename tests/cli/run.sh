#!/bin/sh
# cairn run: summaries, options, exit statuses, what is written and what is not.
#   sh run.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

# Text summary on standard output; nothing on standard error, which is no terminal: no progress bar.
expect 0 run two-bodies-damper-20
silent err
says out "200 steps"
says out "left"

# Lift-off of a body that slides at 20 m/s under the convex law: h mu v = 0.1 * 0.3 * 20 m. An exact law has none.
cat >slider.yaml <<'END'
dimension: 2
gravity: [0, -9.8]
parameters: {height: 0.6}
materials: [{name: m, friction: 0.3}]
bodies:
  - {name: ground, kind: fixed, material: m, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: slider, mass: 1, position: [0, 0.5 + height], velocity: [20, 0], material: m, inertia: 1000,
     shapes: [{type: rectangle, size: [1, 1]}]}
forces: [{name: push, body: slider, point: [0, -0.5], force: [0.3*9.8, 0]}]
simulation: {step: 0.1, until: 5, law: convex cone}
END
expect 0 run slider.yaml
says out "lift-off      6.00e-01 m"
if have_python; then
    for law in "convex cone" "convex pyramid(4)" "cone"; do
        case $law in cone) height=0 ;; *) height=0.6 ;; esac
        expect 0 run slider.yaml --law "$law" --set "height=$height" --json
        "$python" -c '
import json, sys
found = json.load(open("out"))["worst"]["lift_off"]
assert abs(found - float(sys.argv[1])) < 1e-7, found' "$height" || fail "lift-off under $law"
    done
fi
rm slider.yaml

# No run file unless asked for.
[ -z "$(ls | grep -v -e '^out$' -e '^err$')" ] || fail "files left behind: $(ls)"

expect 0 run two-bodies-damper-20 --quiet
silent out
silent err

# Threads: as many as asked for, within reason.
expect 0 run box-stack --until 0.02 --threads 2 --json
says out '"threads": 2'
expect 2 run box-stack --threads 0
says err "threads"
expect 2 run box-stack --threads 5000
says err "1024"

# Every setting of the table is an option of every command that simulates, and a field of the summary.
settings=$("$cairn" schema --settings | sed -n 's/^  "\([a-z_]*\)": {$/\1/p')
[ "$(echo "$settings" | wc -w)" -ge 24 ] || fail "settings: $settings"
for command in run view compare; do
    expect 0 $command --help
    for setting in $settings; do
        says out "^ *--$(echo "$setting" | tr _ -) "
    done
done
expect 0 study --help
says out "^ *--push-out-speed X .*m/s; stabilisation gap"
expect 0 run box-stack --until 0.02 --step 1/64 --push-out-speed 0.25 --event-floor 0.5 --projection-tolerance 1e-8 \
    --restitution-threshold 0.125 --contact-tolerance 1e-7 --max-iterations 5000 --mass start --json
for setting in $settings; do
    says out "^    \"$setting\": "
done
says out '"step": 0.015625,'
says out '"push_out_speed": 0.25,'
says out '"mass": "start"'
expect 2 run box-stack --event-floor 2
says err "option --event-floor: expected a number, greater than 0 and at most 1, found '2'"
expect 2 run box-stack --integrator eulr
says err "option --integrator: expected euler, .* or stiff2, found 'eulr'; did you mean 'euler'"
expect 2 study double-pendulum --law boxes
says err "option --law: expected frictionless"

# Redundant contacts and joints: the summary says so, and which forces are returned.
expect 0 run table-4
says out "contact forces are not unique (null space 6): weighted minimum-norm solution returned"
expect 0 run table-4 --law frictionless
says out "contact forces are not unique (null space 1): weighted minimum-norm solution returned"
expect 0 run box-stack --until 0.1
says out "contact forces are not unique (null space 60): weighted minimum-norm solution returned"
expect 0 run sphere-heap --until 0.3
says out "steps had islands whose forces were not examined: up to [0-9]* rows"
expect 0 run nailed-table --json
says out '"null_space": 14'
says out '"rows_not_examined": 0'
expect 0 run sliding-table-max-energy --until 0.1
says out "solution of maximum energy returned"
says out "velocities are not unique either"
expect 0 run sliding-table-min-norm --until 0.1 --forces auto
says out "--forces minimum-norm chooses among them"
expect 2 run table-4 --forces least
says err "minimum-norm"
expect 0 run table-4 --law lagged --json
says out '"law": "lagged"'
expect 2 run table-4 --law lagged --integrator stiff2
says err "lagged"
expect 2 run sliding-table-soft --set k=-1
says err "stiffness"
expect 2 run sliding-table-soft --integrator stiff2
says err "stiffness"
expect 2 run table-4 --set weight=0
says err "weight"

# JSON: one object, with what was promised.
expect 0 run two-bodies-damper-20 --json -o run.h5
silent err
if have_python; then
    "$python" - out <<'END' || fail "JSON summary"
import json, math, sys
d = json.load(open(sys.argv[1]))
assert d["status"] == "done" and d["steps"] == 200 and abs(d["time"] - 10) < 1e-9, d
assert d["wall_s"] > 0 and d["run_file"] == "run.h5" and d["scene"] == "two-bodies-damper-20"
left = d["bodies"]["left"]
assert len(left["position"]) == 2 and len(left["velocity"]) == 2 and len(left["orientation"]) == 4
assert isinstance(left["angular_velocity"], (int, float)) and "angle" in left
e = d["energy"]
assert math.isclose(e["total"], e["kinetic"] + e["potential"] + e["elastic"], rel_tol=1e-12)
w = e["work"]
# The balance, recomputed: the scene starts with its bodies at rest at height 0, so the total began at 0.
work = sum(w[k] for k in ("dampers", "forces", "gyroscopic", "joints", "contact_normal", "friction", "systems", "driven"))
assert abs(e["total"] - work - e["integration"] - e["projection"]) < 1e-9 * w["forces"], e
assert abs(w["springs"]["by_name"]["damper"] - w["springs"]["total"] - w["dampers"]) < 1e-9
assert abs(e["balance_error"]) < 1e-9
assert set(d["worst"]) >= {"residual", "penetration", "joint_error", "residual_time"}
assert d["worst"]["residual"] <= d["settings"]["solver_tolerance"]
assert d["solver"]["iterations"] > 0 and d["solver"]["missed"] == 0 and d["contacts"]["max"] == 2
assert d["solver"]["islands"] == {"max": 1, "largest": 2} and d["settings"]["threads"] == 1
END
    "$python" - <<'END' || fail "h5py cannot read the run file"
import sys
try:
    import h5py
except ImportError:
    sys.exit(0)
import json
f = h5py.File("run.h5", "r")
d = json.load(open("out"))
names = [n.decode() for n in f["bodies/names"][:]]
last = f["bodies/position"][-1, names.index("left"), :2]
assert list(last) == d["bodies"]["left"]["position"]
assert f["time"].shape == (201,) and f["status"][()] == b"done"
assert f["energy/total"][-1] == d["energy"]["total"]
assert f["time"].attrs["unit"] == b"s"
assert b"two" in bytes(f["scene"][()]).lower()
END
    expect 0 run tennis-racket --until 0.1 --json
    "$python" - out <<'END' || fail "spatial JSON summary"
import json, sys
d = json.load(open(sys.argv[1]))
for b in d["bodies"].values():
    assert len(b["position"]) == 3 and len(b["velocity"]) == 3 and len(b["angular_velocity"]) == 3
    assert len(b["orientation"]) == 4 and "angle" not in b
END
fi

# The number of steps: whole when T/h is whole, otherwise a shorter last step ends at T.
expect 0 run two-bodies-damper-20 --until 0.3 --step 0.1
says out "3 steps"
expect 0 run two-bodies-damper-20 --until 0.25 --step 0.1
says out "3 steps of 0.1 s to t = 0.25 s"
expect 0 run two-bodies-damper-20 --until 0
says out "0 steps"

# Options override the scene.
expect 0 run two-bodies-damper-20 --integrator euler --law 'pyramid(6)' --stabilisation none --solver lemke
says out "integrator euler, law pyramid(6), stabilisation none, solver lemke"
expect 0 run two-bodies-damper-20 --set mu=0 --json --until 1
says out '"friction": -*0'

# --every thins the run file and keeps the end.
expect 0 run two-bodies-damper-20 --until 0.5 --every 4 -o thin.h5
expect 0 export thin.h5 -o - --table series
[ "$(wc -l <out)" -eq 5 ] || fail "--every 4 of 10 steps: 0, 4, 8, 10 and a header expected"

# A second-order run: events in the summary, the run file and the table, none lost to --every.
cat >ball.yaml <<'END'
dimension: 2
parameters: {r: 0.1}
materials: [{name: hard, restitution: 0.5}]
bodies:
  - {name: ground, kind: fixed, material: hard, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: ball, mass: 2, inertia: 1, position: [0, 1 + r], material: hard, shapes: [{type: circle, radius: r}]}
simulation: {step: 0.01, until: 2, integrator: stiff2, law: frictionless}
END
expect 0 run ball.yaml -o ball.h5 --every 7
says out "integrator stiff2"
says out "events  .* collision"
says out "problems"
expect 0 run ball.yaml --events off --allow energy,restitution,penetration
says out "events  *not looked for"
expect 0 run ball.yaml --until 0.1 --integrator trapezoid --impact newton --jacobian linear --json
says out '"impact": "newton"'
says out '"jacobian": "linear"'
expect 0 run ball.yaml --integrator stiff
grep -q "  events" out && fail "a first-order run speaks of events"
if have_python; then
    "$cairn" run ball.yaml --json >summary.json
    "$cairn" export ball.h5 -o events.csv --table events
    "$python" - <<'END' || fail "events"
import csv, json, math
d = json.load(open("summary.json"))
e = d["events"]
# Free fall through 1 m, then bounces with half the speed: times and impulses in closed form.
g, m, restitution = 9.81, 2.0, 0.5
t, v = math.sqrt(2 / g), math.sqrt(2 * g)
for event in e["list"][:5]:
    assert event["kind"] == "collision" and sorted(event["bodies"]) == ["ball", "ground"], event
    assert abs(event["time"] - t) < 1e-4 and abs(event["speed"] + v) < 1e-3, (event, t, v)
    assert abs(event["impulse"] - m * v * (1 + restitution)) < 2e-3, event
    v *= restitution
    t += 2 * v / g
kinds = ("collision", "stick", "slip", "take_off", "turn", "storm")
assert 5 < e["count"] == len(e["list"]) == sum(e[k] for k in kinds)
for kind in kinds:
    assert e[kind] == sum(x["kind"] == kind.replace("_", "-") for x in e["list"])
assert e["energy_grew"] == 0 and d["solver"]["problems"] >= d["steps"]
rows = list(csv.DictReader(open("events.csv")))
assert len(rows) == e["count"]
for row, event in zip(rows, e["list"]):
    assert float(row["time [s]"]) == event["time"] and row["kind"] == event["kind"]
    assert int(row["contact"]) == event["contact"] and float(row["impulse [N s]"]) == event["impulse"]
END
fi

# An initial state that is inconsistent: refused with its size, or projected.
sed 's/position: .0, 1 + r./position: [0, 0.07]/' ball.yaml >deep.yaml
expect 2 run deep.yaml -o no.h5
says err "'ball'.*penetrates by 0.03 m"
says err "initial: project"
[ ! -e no.h5 ] || fail "a run file was made for an inconsistent state"
expect 2 check deep.yaml
expect 0 run deep.yaml --initial project --until 0 --json
if have_python; then
    "$python" - out <<'END' || fail "projected state"
import json, sys
d = json.load(open(sys.argv[1]))
assert abs(d["bodies"]["ball"]["position"][1] - 0.1) < 1e-8, d["bodies"]
assert d["settings"]["initial"] == "project"
END
fi
expect 2 run deep.yaml --integrator stiff
says err "'ball'.*penetrates by 0.03 m"
says err "initial: keep"
expect 0 run deep.yaml --integrator stiff --initial keep --json -o kept.h5
if have_python; then
    "$python" - out <<'END' || fail "kept overlap"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["physics"]["violations"] == 1 and d["physics"]["forbidden"] == 0, d["physics"]
del d["physics"]
text = json.dumps(d)
def find(o, k):
    if isinstance(o, dict):
        for a, b in o.items():
            if a == k and isinstance(b, (int, float)):
                yield b
            else:
                yield from find(b, k)
# the depth of the start is the worst of the run, and it is pushed out no faster than the default
assert abs(max(find(d, "penetration")) - 0.03) < 1e-12, text
speeds = list(find(d, "push_out_speed"))
assert len(speeds) == 2 and max(speeds) <= 1 + 1e-9 and min(speeds) > 0, speeds
assert max(find(d, "push_out")) > 0
END
fi
expect 0 export kept.h5 -o kept.csv --table series
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ /^penetration/) column = i }
    NR == 2 { exit !($column > 0.0299999 && $column < 0.0300001) }' kept.csv || fail "penetration of the initial frame"

# The physics: a plate that is set into a ball by its motion is told by name, fails the run, is in its file, and may be allowed.
cat >shove.yaml <<'END'
dimension: 2
bodies:
  - {name: plate, kind: driven, motion: {position: [0, "0.03*step(t - 0.055)"]}, shapes: [{type: half-plane}]}
  - {name: ball, mass: 1, position: [0, 0.1], shapes: [{type: circle, radius: 0.1, density: 1}]}
simulation: {step: 0.01, until: 0.1, integrator: stiff2}
END
expect 1 run shove.yaml --until 0.1 -o shove.h5
says out "violated-physics"
says out "physics       1 violation, worst: penetration 0.03 m at t = 0.06 s, 'plate' and 'ball'"
says err "the physics of the run is violated"
"$cairn" export shove.h5 --table violations -o - >violations.csv
says violations.csv "^0.06[0-9]*,penetration,.*,plate,ball,0.0[23].*,m$"
expect 0 report shove.h5 -o shove-report
says shove-report/index.html "<td>penetration</td><td>plate, ball</td><td class=.n.>0.03</td>"
grep -qi "e67e22" shove-report/energy.svg || fail "no mark in the picture of the energy"
expect 1 run shove.yaml --until 0.1 -q
silent out
says err "penetration 0.03 m"
expect 1 run shove.yaml --until 0.1 --json
says out '"penetration": 1'
expect 0 run shove.yaml --until 0.1 --allow penetration
says out "1 violation of kinds that are allowed"
expect 0 run shove.yaml --until 0.1 --audit off
says out "physics       not checked"
expect 2 run shove.yaml --allow penetration,entropy
says err "option --allow: expected kinds of violations .*, found 'entropy'"
expect 0 run ball.yaml --until 0.5
says out "physics       no violation"
rm -rf shove.h5 shove-report violations.csv

# A file wins over a built-in scene of the same name.
"$cairn" examples pendulum >two-bodies-damper-20
expect 0 run two-bodies-damper-20 --until 0.1
says out "pendulum"
rm two-bodies-damper-20

# Wrong input: status 2, a sentence, no output file.
expect 2
expect 2 rnu
says err "did you mean 'run'"
expect 2 run
expect 2 run a b
expect 2 run two-bodies-damper-2 -o no.h5
says err "did you mean 'two-bodies-damper-20'"
expect 2 run two-bodies-damper-20 --stpe 1
says err "did you mean '--step'"
expect 2 run two-bodies-damper-20 --dt 1
says err "did you mean '--step'"
expect 2 run two-bodies-damper-20 --duration 1
says err "did you mean '--until'"
for wrong in "--step 0" "--step -1" "--step nan" "--step inf" "--step 1x" "--until -1" "--until nan" "--every 0" \
    "--integrator newton" "--law pyramid(5)" "--law pyramid" "--stabilisation x" "--solver x" "--solver-tolerance 0" "--time-limit -1" "--time-limit nan" \
    "--tolerance 1" "--events yes" "--reduction x" "--impact x" "--jacobian x" "--initial x" \
    "--set nothing=1" "--set mu" "--set =1" "--set mu=" "--set mu=1/" "--step" "-x" "--until 1e300"; do
    # shellcheck disable=SC2086
    expect 2 run two-bodies-damper-20 -o no.h5 $wrong
    says err .
    silent out
done
printf 'dimension: 2\nbodies:\n  - {name: a, mass: -1, inertia: 1}\n' >bad.yaml
expect 2 run bad.yaml -o no.h5
says err '^bad.yaml:3:[0-9]*: '
[ ! -e no.h5 ] || fail "a run file was made for wrong input"

# A run file that cannot be: status 2 before the first step.
for path in no/such/dir/run.h5 . /dev/null; do
    expect 2 run two-bodies-damper-20 -o "$path"
    says err "cannot be written"
    silent out
done
if [ "$(id -u)" -ne 0 ]; then
    mkdir shut && chmod 555 shut
    expect 2 run two-bodies-damper-20 -o shut/run.h5
fi

# A tolerance that cannot be met: status 1, and the word for it.
expect 1 run two-bodies-damper-20 --solver-tolerance 1e-300 --json
says out '"status": "missed-tolerance"'

# A wall whose problem has thousands of variables under polygons: sweeps solve it.
for law in 'pyramid(6)' box; do
    expect 0 run dry-stone-wall --law "$law" --accuracy exact --until 0.02 --json
    says out '"status": "done"'
done

# A solver that cannot solve the law: wrong input, found in the first step.
expect 2 run box-stack --solver interior-point --until 0.02 --json
says err 'the solver interior-point does not solve this law'
says out '"status": "invalid"'

# A time that no solver keeps: the run goes on with the best answers, and counts them; one that is ample is told among the settings.
expect 1 run sphere-heap --time-limit 1e-9 --until 1
says err "of 200 steps missed the solver's tolerance"
says out "time limit    ended the search in [1-9][0-9]* steps"
expect 0 run two-bodies-damper-20 --time-limit 50 --json
says out '"time_limit": 50'
says out '"out_of_time": 0'

# Standard output that is full.
if [ -w /dev/full ]; then
    status=0
    "$cairn" run two-bodies-damper-20 >/dev/full 2>err || status=$?
    [ "$status" -eq 1 ] || fail "full standard output gives $status"
    says err "standard output"
fi

# step control: a tighter tolerance costs more problems; only stiff2 has it
expect 0 run double-pendulum --step 0.1 --tolerance 1e-5 --json
loose=$("$python" -c 'import json,sys; print(json.load(open("out"))["solver"]["problems"])')
expect 0 run double-pendulum --step 0.1 --tolerance 1e-8 --json
tight=$("$python" -c 'import json,sys; print(json.load(open("out"))["solver"]["problems"])')
[ "$tight" -gt "$loose" ] || fail "tolerance 1e-8 took $tight problems, 1e-5 took $loose"
expect 2 run double-pendulum --integrator stiff --tolerance 1e-6
says err "stiff2"

expect 0 --version
says out "cairn [0-9]"
expect 0 --help
for command in run check examples export schema plot; do
    says out "$command"
    "$cairn" help "$command" >help.txt 2>err || fail "help $command"
    says help.txt "[Uu]sage"
    grep -nE '\b([a-z]+) \1\b' help.txt && fail "help $command says a word twice"
done

[ "$failures" -eq 0 ] || exit 1
echo "all good"
