#!/bin/sh
# cairn study: tables and JSON recomputed from the states, references, pictures, exit statuses, the same numbers from any
# number of threads. Usage: study.sh CAIRN SCRATCH
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# Everything but times and the number of threads.
numbers()
{
    grep -v -e '"wall_s"' -e '"jobs"' "$1"
}

# The same numbers whatever runs beside what.
for study in double-pendulum stick-slip-block pendulum; do
    expect 0 study "$study" --json --jobs 3
    numbers out >"$study-3.json"
    mv out "$study.json"
    takes_all || continue
    expect 0 study "$study" --json --jobs 1
    numbers out >"$study-1.json"
    cmp "$study-1.json" "$study-3.json" || fail "$study depends on the number of threads"
done

# A built-in study as text: every integrator has its order, rows and head are aligned.
expect 0 study double-pendulum --integrator stiff
grep -q '^  stiff$' out || fail "no block of stiff: $(cat out)"
grep -q 'order of position: [01]\.[0-9]*' out || fail "no order: $(cat out)"
[ "$(grep -c '^ *2^-' out)" -eq 7 ] || fail "not seven rows: $(cat out)"
[ "$(grep -e '^ *2^-' -e '^ *h ' out | awk '{ print length($0) }' | sort -u | wc -l)" -eq 1 ] ||
    fail "the table is not aligned: $(cat out)"

# The compliant ellipse tends to the rigid one; a parameter of the patch alone is no word of the rigid scene.
expect 0 study ellipse-compliance --vary eps=1e-10,1e-11 --until 0.05 --set n=1 --json --quiet -o compliance.svg
grep -q '"normal_rate": [01]\.[0-9]' out || fail "no rate: $(cat out)"
[ -s compliance.svg ] || fail "no picture of ellipse-compliance"
expect 2 study ellipse-compliance --vary mu=0.1
says err "varies eps alone"
expect 2 study ellipse-compliance --integrator stiff2
says err "option --integrator"
expect 2 study ellipse-compliance --vary eps=-1
expect 2 study ellipse-compliance --set rhoo=3
expect 2 study ellipse-compliance --until 0

expect 0 study hertz-mindlin --vary n=3,5 --json --quiet -o ball.svg
grep -q '"stick_radius_mindlin": 0.7368' out || fail "no radius of sticking: $(cat out)"
[ -s ball.svg ] || fail "no picture of hertz-mindlin"
expect 2 study hertz-mindlin --vary n=4
says err "odd whole numbers"
expect 2 study hertz-mindlin --vary mu=0.1
expect 2 study hertz-mindlin --set mu=0.1
says err "option --set"

# Jumps, edges and driven plates: every row as it should be, one fixed table.
expect 0 study impacts --quiet
grep -q '^  \([0-9]*\) of \1 rows as expected$' out || fail "rows are off: $(cat out)"
expect 0 study impacts --json --quiet --jobs 3
numbers out >impacts-3.json
mv out impacts.json
if takes_all; then
    expect 0 study impacts --json --quiet --jobs 1
    numbers out >impacts-1.json
    cmp impacts-1.json impacts-3.json || fail "impacts depends on the number of threads"
fi
expect 2 study impacts --steps 0.1
says err "option --steps"
expect 2 study impacts -o impacts.svg
says err "option --output"

expect 0 study --list
grep -q '^  double-pendulum ' out || fail "the list lacks double-pendulum"

# A run file as reference: nothing is between a run and itself.
"$cairn" run pendulum --until 1 --step 0.01 -o own.h5 --quiet || fail "run pendulum"
expect 0 study pendulum --reference own.h5 --steps 0.01,0.005 --integrator stiff --json --quantity position,velocity,energy
mv out file.json
expect 2 study pendulum --reference own.h5 --until 0.333
says err 'no frame at t = 0.333'
expect 2 study double-pendulum --reference own.h5 --until 1
says err "no body 'bob1'"
expect 2 study tennis-racket --reference own.h5 --until 1
says err '2 dimensions'
expect 2 study pendulum --reference missing.h5
says err 'missing.h5'

# A parameter instead of steps, and both; a run that fails leaves the others alone.
expect 0 study two-bodies-damper-20 --vary gamma=20,100,2*10 --integrator stiff --json
mv out vary.json
expect 0 study two-bodies --vary gamma=20,100 --steps 0.05,0.025 --integrator stiff --json
mv out both.json
expect 1 study two-bodies --vary gamma=20,1e6 --integrator euler --json
says err 'euler, gamma=1e6.*failed'
mv out failed.json

# Fine runs by another integrator; a scene of one's own; the end time; a sum of squares by hand.
cat >fall.yaml <<'EOF'
dimension: 2
bodies: [{name: ball, point: true, mass: 1, position: [0, 0], velocity: [1, 0]}]
simulation: {step: 0.1, until: 1, integrator: stiff}
EOF
expect 0 study fall.yaml --steps 0.1,0.05,0.025 --json --reference fine:euler --quantity position,ball.y,ball.vx
mv out fall.json
expect 0 study fall.yaml --json
mv out default.json

if have_python; then
    "$python" - <<'EOF' || fail "a number is wrong"
import json, math

def near(a, b, slack=1e-12):
    assert abs(a - b) <= slack * max(1, abs(b)), (a, b)

# Errors from the positions and the known end of the motion; ratios from the errors; order as a slope.
truth = {"bob1": (0.021946257563808046, -0.99975915188556444), "bob2": (0.023851309509372675, -1.9997573372724603)}
d = json.load(open("double-pendulum.json"))
assert d["study"] == d["scene"] == "double-pendulum" and d["reference"]["kind"] == "truth" and d["until"] == 2.5
last = {}
for row in d["rows"]:
    q = row["positions"]
    e = math.sqrt(sum((a - b) ** 2 for n in truth for a, b in zip(q[n], truth[n])))
    near(row["error"], e)
    x1, y1 = q["bob1"]
    x2, y2 = q["bob2"]
    near(row["quantities"]["theta(world,bob1,1)"]["error"], x1 * x1 + y1 * y1 - 1)
    near(row["quantities"]["theta(bob1,bob2,1)"]["error"], (x1 - x2) ** 2 + (y1 - y2) ** 2 - 1)
    if row["integrator"] in last:
        near(row["ratio"], last[row["integrator"]] / e)
    else:
        assert row["ratio"] is None
    last[row["integrator"]] = e
    assert row["status"] == "done" and row["lcps"] >= row["steps"] > 0
    if row["integrator"] == "trapezoid2":
        assert row["paper"]["error"] > 0
    if row["integrator"] == "stiff":
        assert row["paper"] is None
rows = [r for r in d["rows"] if r["integrator"] == "stiff"]
assert [r["h"] for r in rows] == [2.0 ** -k for k in range(5, 12)]
order = [o for o in d["orders"] if o["integrator"] == "stiff"][0]["position"]
used = [r for r in rows if order["to"] <= r["h"] <= order["from"]]
x = [math.log(r["h"]) for r in used]
y = [math.log(r["error"]) for r in used]
mx, my = sum(x) / len(x), sum(y) / len(y)
near(order["order"], sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x), 1e-9)
near(order["order"], 1, 0.15)
assert isinstance(d["order"], float)

# Impacts: errors from the numbers, closed forms by hand, no violation anywhere.
d = json.load(open("impacts.json"))
assert d["study"] == "impacts" and d["off"] == 0 and len(d["rows"]) > 70
found = {}
for row in d["rows"]:
    assert not row["off"] and row["violations"] == 0 and row["message"] == "", row
    if row["kind"] == "value":
        assert len(row["truth"]) == len(row["value"]) > 0
        e = max(abs(a - b) for a, b in zip(row["truth"], row["value"]))
        near(row["error"], e)
        assert e <= row["tolerance"] <= 1e-6, row
    else:
        assert row["value"][0] >= row["truth"][0] - row["tolerance"] and row["truth"][0] in (1, 2), row
    found[row["case"], row["integrator"]] = row
for scheme in ("trapezoid", "trapezoid2", "stiff2"):
    for e in (0, 0.5, 1):
        assert abs(found["aligned impact, e = %g" % e, scheme]["value"][0] - e) <= 1e-9
    assert all(abs(a - b) <= 1e-9 for a, b in zip(found["cradle, gaps of 0.001 m", scheme]["value"], (0, 0, 1)))
    assert abs(found["driven jump, t0 = 0.0537", scheme]["value"][0] - 1) <= 1e-9
    t = (0.8 - 0.513 / 1.3)
    x, z, vx, vz = found["point over an edge", scheme]["value"]
    assert abs(x - 1.3 * t) + abs(z + 9.81 * t * t / 2) + abs(vx - 1.3) + abs(vz + 9.81 * t) < 1e-7

d = json.load(open("file.json"))
assert d["reference"]["kind"] == "file"
assert [d["rows"][0]["quantities"][q]["error"] for q in ("position", "velocity", "energy")] == [0, 0, 0]
assert d["rows"][1]["error"] > 1e-3

d = json.load(open("vary.json"))
assert d["parameter"] == "gamma" and d["reference"]["kind"] == "fine" and d["order"] is None
assert [r["value"] for r in d["rows"]] == ["20", "100", "2*10"]
assert d["rows"][0]["positions"] == d["rows"][2]["positions"] != d["rows"][1]["positions"]

d = json.load(open("both.json"))
assert [(r["value"], r["h"]) for r in d["rows"]] == [("20", 0.05), ("20", 0.025), ("100", 0.05), ("100", 0.025)]
assert [o["value"] for o in d["orders"]] == ["20", "100"]

d = json.load(open("failed.json"))
assert [r["status"] for r in d["rows"]] == ["done", "failed"]
assert d["rows"][0]["error"] is not None and d["rows"][1]["error"] is None and d["rows"][1]["message"]

# Euler's fall by hand: y(1) = -g (1 + h)/2, so the error against step H is g (h - H)/2; the speed along x is exact.
d = json.load(open("fall.json"))
for row in d["rows"]:
    wanted = 9.81 * (row["h"] - 0.025 / 8) / 2
    near(row["error"], wanted)
    near(row["quantities"]["ball.y"]["error"], wanted)
    near(row["quantities"]["ball.y"]["value"], -9.81 * (1 + row["h"]) / 2)
    assert row["quantities"]["ball.vx"] == {"value": 1, "error": 0, "ratio": None}
d = json.load(open("default.json"))
assert d["study"] is None and len(d["rows"]) == 6 and d["rows"][5]["h"] == 0.1 / 32
EOF
fi

# Pictures, of all integrators or of one.
which=
takes_all || which="--integrator stiff2"
for picture in steps.svg steps.png; do
    expect 0 study double-pendulum -o "$picture" $which
done
expect 0 study double-pendulum --work --at-error 1e-4 -o work.svg $which
grep -q 'to reach an error of 0.0001' out || fail "no costs"
expect 0 study double-pendulum --time -o time.svg $which
expect 0 study two-bodies --vary gamma=20,100 --integrator stiff -o vary.svg
expect 0 study lintel --steps 0.01 --until 0.1 --quantity energy,velocity -o few.svg
if have_python; then
    "$python" - <<'EOF' || fail "a picture is not what it should be"
import xml.etree.ElementTree as tree

def words(path):
    return [e.text for e in tree.parse(path).iter() if e.tag.endswith("text")]

def circles(path):
    return sum(e.tag.endswith("circle") for e in tree.parse(path).iter())

assert any("order" in w for w in words("steps.svg")) and "step h (s)" in words("steps.svg")
assert circles("steps.svg") >= 7
assert "LCPs solved" in words("work.svg") and "wall time (s)" in words("time.svg") and "gamma" in words("vary.svg")
words("few.svg")
assert open("steps.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n"
EOF
fi

# On a terminal there is a progress bar, and it is wiped at the end; otherwise nothing.
if have_python; then
    PYTHONPATH=$here "$python" - "$cairn" <<'EOF' || fail "the progress bar"
import subprocess, sys, terminal
command = [sys.argv[1], "study", "pendulum", "--integrator", "stiff", "--steps"]
text = terminal.first_bar(command + [step] for step in ("2^-11", "2^-16", "2^-20"))
assert b"ETA" in text and b"runs" in text and text.endswith(b"\r\x1b[K"), text[-200:]
p = subprocess.run(command[:3] + ["--steps", "0.01"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
assert p.returncode == 0 and p.stderr == b"", p.stderr
EOF
fi

# The Brazil nut: two shakes of 2 s, each with the box highest after 1 s; the same numbers from any number of threads.
expect 0 study brazil-nut --vary seed=1,3 --until 4 --json -o nut.svg --jobs 2
numbers out >nut-2.json
cp out nut.json
if takes_all; then
    expect 0 study brazil-nut --vary seed=1,3 --until 4 --json -o nut.svg --jobs 1
    numbers out >nut-1.json
    cmp nut-1.json nut-2.json || fail "brazil-nut depends on the number of threads"
fi
[ "$(grep -c 't = [0-9.]* s<' nut.svg)" -eq 3 ] || fail "the picture has not three frames"
if have_python; then
    "$python" - <<'EOF' || fail "brazil-nut --json"
import json
d = json.load(open("nut.json"))
assert d["study"] == "brazil-nut" and d["on_top"] == 0 and d["mean_shakes"] is None and d["output"] == "nut.svg"
assert [r["seed"] for r in d["runs"]] == [1, 3]
for r in d["runs"]:
    assert r["status"] == "done" and r["steps"] == 40 and r["shakes"] is None and r["penetration"] < 1e-3, r
    assert [c["shake"] for c in r["course"]] == [1, 2]
    for c, time in zip(r["course"], (1, 3)):
        assert abs(c["time"] - time) < 1e-9 and 0 < c["passed"] < 0.5 and c["height"] > 3.99, c
assert d["runs"][0]["course"] != d["runs"][1]["course"]
EOF
fi
expect 0 study brazil-nut --vary seed=2 --until 2 --set a=3
grep -q 'on top in 0 of 1 runs' out || fail "no verdict: $(cat out)"
expect 0 study --list
grep -q brazil-nut out || fail "brazil-nut is not listed"
expect 2 study brazil-nut --vary mu=1,2
says err 'the seed alone'
expect 2 study brazil-nut --steps 0.1,0.05
says err 'takes one step'
expect 2 study brazil-nut --quantity position
says err 'counts shakes'
expect 2 study brazil-nut --set nosuch=1
says err 'nosuch'
expect 2 study brazil-nut --until 0
says err 'at least one step'

# What is wrong is said, with status 2, before anything runs.
expect 2 study
says err 'missing'
expect 2 study nosuch-thing-at-all
says err 'no built-in study'
expect 2 study pendlum
says err "did you mean 'pendulum'"
expect 2 study pendulum --steps 0.1,-1
says err "found '-1'"
expect 2 study pendulum --steps 1e-13
says err '1e12 steps'
expect 2 study pendulum --integrator stiff,nosuch
says err "no integrator 'nosuch'"
expect 2 study pendulum --reference fine:nosuch
says err "no integrator 'nosuch'"
expect 2 study pendulum --quantity uper.x
says err "did you mean 'upper.x'"
expect 2 study pendulum --reference truth --until 2
says err 'no true solution'
expect 2 study two-bodies --reference truth --set gamma=21
says err 'other parameters'
expect 2 study pendulum --quantity energy
says err "does not hold 'energy'"
expect 2 study two-bodies --vary gamma
says err 'name=value'
expect 2 study two-bodies --vary gama=1,2
says err "'gama'"
expect 2 study two-bodies --vary gamma=1,-1
says err 'damp'
expect 2 study pendulum --until 0
says err 'above 0'
expect 2 study pendulum --events maybe
says err 'on, off or on,off'
expect 2 study pendulum --stabilisation none,gap
says err 'expected none, gap or project'
expect 2 study pendulum -o x.pdf
says err 'neither in .svg nor in .png'
expect 2 study pendulum --work
says err 'needs -o'
expect 2 study pendulum --at-error -1
says err 'above 0'
expect 2 study pendulum -o nowhere/x.svg --steps 0.01
says err 'nowhere/x.svg'
expect 2 study pendulum -j 0
says err 'at least 1'
echo 'dimension: 4' >wrong.yaml
expect 2 study wrong.yaml
says err '^wrong.yaml:1'

[ "$failures" -eq 0 ] && echo "study: all fine"
[ "$failures" -eq 0 ]
