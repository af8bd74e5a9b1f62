#!/bin/sh
# ./bench --smoke writes well-formed files about every engine that is there, names those that are not, and refuses what it does not
# know. Usage: check_smoke.sh SOURCE_DIR PROGRAMS_DIR      (writes into the current directory)
set -eu
source=$1
export CAIRN_BENCH_PROGRAMS=$2
export CAIRN_BENCH_BUILD=$PWD/build

fail()
{
    echo "FAILED: $*"
    exit 1
}

if ! command -v python3 >/dev/null; then
    echo "skipped: python3 is missing"
    exit 77
fi
rm -rf smoke
"$source/bench" --smoke --output smoke >report.md 2>messages || fail "the smoke form ended with an error: $(cat messages)"
python3 - "$CAIRN_BENCH_PROGRAMS" <<'END'
import csv
import json
import os
import sys

with open("smoke/peers.json", encoding="utf-8") as stream:
    document = json.load(stream)
with open("smoke/peers.csv", encoding="utf-8", newline="") as stream:
    rows = list(csv.DictReader(stream))
with open("report.md", encoding="utf-8") as stream:
    report = stream.read()
ALL = {"cairn": "Cairn", "ode": "ODE", "bullet": "Bullet", "mujoco": "MuJoCo", "box2d": "Box2D"}
built = {e for e in ALL if os.path.exists(os.path.join(sys.argv[1], "peer-" + e))}
assert set(document["engines"]) == built and "cairn" in built, document["engines"]
assert set(document["skipped"]) == set(ALL) - built
# Four scenes in space, one in the plane for Cairn and Box2D, and the chain once more for Bullet, in minimal coordinates.
count = 4 * len(built - {"box2d"}) + 1 + ("box2d" in built) + ("bullet" in built)
assert len(rows) == len(document["results"]) == count, len(rows)
for result, row in zip(document["results"], rows):
    assert result["outcome"] == "done" and result["taken"] == 40, result
    assert 0 < result["median_ms"] <= result["worst_ms"] or result["worst_ms"] > 0, result
    assert result["engine"] == row["engine"] and float(row["median_ms"]) == result["median_ms"], row
    assert result["penetration"] < 0.5 and result["worst_penetration"] >= result["penetration"], result
    # Every engine has the scene's masses, inertias and hinges: walls stand, and a chain swings as it must.
    assert result["drift"] is None or result["drift"] < 0.1, result
    assert result["energy"] is None or result["energy"] < 0.1, result
    assert result["joint"] is None or result["joint"] < 1, result
cairn = {r["scene"]: r for r in document["results"] if r["engine"] == "cairn"}
# Cairn at its defaults holds a cube on a slope, and spheres to far below a thousandth of a radius.
assert cairn["incline"]["drift"] < 1e-9 and cairn["planar-incline"]["drift"] < 1e-9 and cairn["loose"]["penetration"] < 1e-4, cairn
for row in report.splitlines():
    if row.startswith("|"):
        assert row.endswith("|"), row
for engine in document["skipped"]:
    assert ALL[engine] in report, engine
END
# Goals are judged by the numbers: a made-up run whose verdicts are known.
PYTHONPATH=$source/benchmark/peers python3 -B - <<'END'
import goals
import plan


def run(scene, engine, settings="", ms=1.0, **more):
    made = {"scene": scene, "engine": engine, "settings": settings, "median_ms": ms, "late_ms": ms, "early_ms": ms,
            "worst_ms": 2 * ms, "outcome": "done", "taken": 2, "penetration": 1e-3, "drift": 0.0, "contacts": 100, "kb_per_body": 1.5,
            "bodies": int(scene.split("-")[1]) if "heap" in scene else 1,
            "times_ms": [ms, ms], "step": plan.step_of(settings) or 0.005}
    return dict(made, **more)


def verdicts(results, cold=None):
    return {(goal.split(":")[0], scene): met for goal, scene, _, met in goals.check(results, cold)}


EXACT, DEFAULT = "as exact as the faster of ODE and Bullet, 8 times faster", "default"
heap = [run("heap-500", "ode", ms=9), run("heap-500", "bullet", ms=20, penetration=1e-2),
        run("heap-500", "cairn", ms=2, penetration=1e-5), run("heap-500", "cairn", "accuracy=fast", ms=1, penetration=9e-4)]
found = verdicts(heap)
assert found[EXACT, "heap-500"] and found[DEFAULT, "heap-500"], found
# A fast run that penetrates more than the peer does not count; nor does one that was cut.
heap[3]["penetration"] = 2e-3
assert verdicts(heap)[EXACT, "heap-500"] is False
heap[2]["outcome"] = "cut"
assert verdicts(heap)[DEFAULT, "heap-500"] is False
assert verdicts(heap[2:])[EXACT, "heap-500"] is None
# Longer steps count per second of motion alone, those of peers as well as ours, and only where they are as exact.
longer = heap + [run("heap-500", "cairn", "step=0.015", ms=2, penetration=9e-4)]
ANY = "as exact, 8 times faster per second of motion, steps of any length"
longer[2]["outcome"] = "done"
found = verdicts(longer)
assert found[EXACT, "heap-500"] is False and found[ANY, "heap-500"], found
assert not verdicts(longer + [run("heap-500", "ode", "step=0.01", ms=9)])[ANY, "heap-500"]
assert verdicts(longer + [run("heap-500", "ode", "step=0.01", ms=9, penetration=2e-3)])[ANY, "heap-500"]
longer[4]["penetration"] = 2e-3
assert not verdicts(longer)[ANY, "heap-500"]
assert plan.step_of("audit_every=3 step=0.01") == 0.01 and plan.of_engine("audit_every=3 step=0.01") == ["audit_every=3"]
# Small heaps are not judged by their memory.
large = [run("heap-8000", "cairn", kb_per_body=2.1), run("heap-500", "cairn", kb_per_body=2.1)]
SMALL = "at most 2 kB per sphere from 8,000 on"
found = verdicts(large)
assert found[SMALL, "heap-8000"] is False and (SMALL, "heap-500") not in found, found
# A peer whose wall has fallen is not the fastest; growing times and drift are noticed.
wall = [run("wall", "cairn", ms=1.4), run("wall", "ode", ms=1), run("wall", "bullet", ms=0.1, drift=7.0)]
assert verdicts(wall)[DEFAULT, "wall"]
wall[0].update(late_ms=3.0, drift=1e-8, worst_ms=8.0)
found = verdicts(wall)
assert not found["no slowing at rest", "wall"] and not found["drift below 1e-9 of the size", "wall"], found
assert not found["no step over 5 times the median", "wall"], found
times = [run("wall", "cairn", f"solver_tolerance=1e-{k}", times_ms=[t, t]) for k, t in ((1, 1.0), (2, 1.05), (3, 1.0))]
assert verdicts(times)["a looser tolerance is at most 10 % slower", "wall"]
times[0]["times_ms"] = [1.2, 1.2]
assert not verdicts(times)["a looser tolerance is at most 10 % slower", "wall"]
assert verdicts(wall, {"ratio": 31.0})["cold start of a settled heap within 30 steady steps", "heap-2000"] is False
END
# The same scene twice gives the same text, another seed another one.
python3 -B "$source/benchmark/peers/scenes.py" loose >a.scene
python3 -B "$source/benchmark/peers/scenes.py" loose >b.scene
python3 -B "$source/benchmark/peers/scenes.py" loose --seed 2 >c.scene
cmp -s a.scene b.scene || fail "the same seed made two scenes"
! cmp -s a.scene c.scene || fail "two seeds made the same scene"
# A limit that is reached cuts the run, with the poses so far.
python3 -B "$source/benchmark/peers/scenes.py" loose --steps 200000 >long.scene
"$CAIRN_BENCH_PROGRAMS/peer-cairn" long.scene cut.result cut.frames 0.00001
grep -qx cut cut.result || fail "a run beyond its limit was not cut"
"$CAIRN_BENCH_PROGRAMS/peer-judge" a.scene cut.frames | grep -q '"step"' || fail "a run that was cut left no poses"
# What is unknown or broken is refused.
! "$CAIRN_BENCH_PROGRAMS/peer-cairn" a.scene x.result x.frames 1 no_such=1 2>messages || fail "an unknown setting was accepted"
grep -q no_such messages || fail "the message does not name the setting: $(cat messages)"
echo "body sphere 1" >broken.scene
! "$CAIRN_BENCH_PROGRAMS/peer-judge" broken.scene cut.frames 2>messages || fail "a broken scene was accepted"
grep -q "line 1" messages || fail "the message does not name the line: $(cat messages)"
! "$source/bench" --no-such-option 2>messages || fail "an unknown option was accepted"
grep -q "no-such-option" messages || fail "the message does not name the option: $(cat messages)"
"$source/bench" --help | grep -q -- --quick || fail "the help does not name --quick"
