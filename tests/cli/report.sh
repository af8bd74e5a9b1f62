#!/bin/sh
# cairn report: a page that parses, asks for nothing elsewhere and tells the run file's numbers; runs of no step, of one, cut
# off, damaged, from the future. Usage: report.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'SCENE'
title: Balls & <bars>
dimension: 2
parameters: {e: 0.5}
materials: [{name: hard, restitution: e, friction: 0.3}]
bodies:
  - {name: ground, kind: fixed, material: hard, shapes: [{type: half-plane, normal: [0, 1]}]}
  - {name: "ball <1>", mass: 2, inertia: 1, position: [0, 1.1], velocity: [1, 0], material: hard, shapes: [{type: circle, radius: 0.1}]}
  - {name: block, position: [2, 0.2], velocity: [1, 0], material: hard, shapes: [{type: rectangle, size: [0.4, 0.4], density: 3}]}
simulation: {step: 0.01, until: 1.27, integrator: stiff2}
SCENE
"$cairn" run scene.yaml --set e=0.4 -o run.h5 --quiet >/dev/null || fail "run"
"$cairn" run scene.yaml --until 0 -o none.h5 --quiet >/dev/null || fail "run of no step"
"$cairn" run scene.yaml --until 0.01 -o one.h5 --quiet >/dev/null || fail "run of one step"

expect 0 report run.h5 -o page
[ "$(cat out)" = page/index.html ] || fail "out: $(cat out)"
expect 0 report run.h5
[ -s run-report/index.html ] || fail "the default directory is not run-report"
cat >check.py <<'CHECK'
import glob, html.parser, os, re, sys
import xml.etree.ElementTree as tree
import h5py, numpy as np

class page(html.parser.HTMLParser):
    """Tags must nest; what is shown must be there; tables become rows of texts."""
    def __init__(self, folder):
        super().__init__()
        self.folder, self.open, self.rows, self.text = folder, [], [], ""
        self.feed(open(folder + "/index.html").read())
        assert not self.open, self.open
    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href"):
                assert os.path.getsize(self.folder + "/" + value) > 0, value
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
    def row(self, name):
        found = [r[1:] for r in self.rows if r and r[0] == name]
        assert found, (name, self.rows)
        return found[0]

def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", text)]

def near(a, b, digits):
    assert abs(a - b) <= 10.0 ** -digits * abs(b) + 1e-300, (a, b)

def quantile(values, share):
    return sorted(values)[int(np.ceil(share * len(values))) - 1]

for folder in sys.argv[1:]:
    p = page(folder)
    assert "http" not in open(folder + "/index.html").read(), "the page asks for something elsewhere"
    for file in glob.glob(folder + "/*.svg"):
        tree.parse(file)
p, f = page("page"), h5py.File("run.h5")
assert "Balls & <bars>" in p.text and p.row("--set") == ["e=0.4"] and p.row("integrator") == ["stiff2"]
assert numbers(p.row("step")[0]) == [0.01] and p.row("created")[0] == f.attrs["created"].decode()
relative = f["certificate/relative"][1:]
near(numbers(p.row("relative, median")[0])[0], quantile(relative, 0.5), 2)
near(numbers(p.row("90th percentile")[0])[0], quantile(relative, 0.9), 2)
worst = numbers(p.row("worst")[0])
near(worst[0], relative.max(), 2)
near(worst[1], f["time"][1 + relative.argmax()], 5)
for name in ("kinetic", "potential", "total"):
    energy = f["energy/" + name]
    for told, true in zip(p.row(name), (energy[0], energy[-1], energy[-1] - energy[0])):
        near(float(told), true, 5)
near(float(p.row("friction")[0]), f["energy/work_friction"][-1], 5)
count = f["contacts/count"][1:]
assert numbers(p.row("contacts")[0])[0] == count.max() and numbers(p.row("contacts")[0])[-1] == count[-1]
near(numbers(p.row("penetration")[0])[0], f["penetration"][1:].max(), 2) if f["penetration"][1:].max() > 0 else None
collisions = int((f["events/kind"][:] == 0).sum())
assert "%d collision" % collisions in p.text, collisions
rows = [r for r in p.rows if len(r) == 5 and r[1] == "collision"]
assert len(rows) == min(100, collisions)
first = int(np.argmax(f["events/kind"][:] == 0))
near(float(rows[0][0]), f["events/time"][first], 5)
near(float(rows[0][4]), f["events/impulse"][first], 3)
assert "ball <1>" in rows[0][2] or "block" in rows[0][2]
# what the block bears at the end: its weight, by friction at its limit while it slides
start = int(f["contacts/start"][-1])
impulse = f["contacts/impulse"][start:start + int(count[-1])]
told = sum(float(r[2]) for r in p.rows if len(r) == 4 and ", " in r[0] and "energy" not in r[0] and r[1].isdigit())
near(told, impulse[:, 0].sum() / 0.01, 3)
CHECK
expect 0 report none.h5 -o none
expect 0 report one.h5 -o one
"$python" check.py page none one || fail "a page is not what it should be"

# A writer that was killed: what it had written is there.
"$cairn" run double-pendulum --step 1e-5 --until 1000 -o killed.h5 --quiet >/dev/null 2>&1 &
writer=$!
waited=0
while [ ! -s killed.h5 ] && [ "$waited" -lt 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
sleep 1.2
kill -9 "$writer"
wait "$writer" 2>/dev/null
expect 0 report killed.h5 -o killed
grep -q 'still in progress, or its program was killed' killed/index.html || fail "the page does not say that the run did not end"
expect 0 plot killed.h5 bob1.x -o killed.svg
expect 0 export killed.h5 --apng killed.png --size 64x48 --speed 0.2 --fps 10

# A run of no step and of one can be plotted and filmed.
for run in none one; do
    expect 0 plot $run.h5 energy/total block.x --log -o x.svg
    expect 0 plot $run.h5 positions -o x.svg
    expect 0 plot $run.h5 frames -o x.svg
    expect 0 plot $run.h5 block.vy --x block.y -o x.png
    expect 0 plot $run.h5 run.h5 block.x -o x.svg
    expect 0 export $run.h5 --apng x.png --size 64x48
    expect 0 export $run.h5 --vtk x-$run
done

# Not a run file, one cut short, one from the future: a sentence, exit status 2, nothing made.
size=$(wc -c <run.h5)
head -c $((size / 2)) run.h5 >cut.h5
echo hello >hello.h5
cp run.h5 future.h5
"$python" -c 'import h5py; f = h5py.File("future.h5", "r+"); f.attrs["format_version"] = 99' || fail "h5py"
for file in cut hello future missing; do
    for command in "report $file.h5 -o bad" "plot $file.h5 block.x -o bad" "export $file.h5 --vtk bad" \
        "export $file.h5 --apng bad" "export $file.h5 -o bad"; do
        # plot takes what is no file for a quantity, and wants an ending
        # shellcheck disable=SC2086 # words
        expect 2 $command
        says err '^cairn: '
        [ "$(wc -l <err)" -eq 1 ] || fail "more than a sentence for $command: $(cat err)"
    done
done
# Of one that is cut later the first frames are shown.
"$cairn" run pendulum --step 0.001 --until 3 -o long.h5 --quiet || fail "no long run"
head -c $(($(wc -c <long.h5) * 3 / 4)) long.h5 >part.h5
if expect 0 report part.h5 -o part; then
    says err 'is truncated; its first [0-9]* frames'
    [ "$(grep -c 'is truncated' err)" -eq 1 ] || fail "told more than once: $(cat err)"
    grep -q 'is truncated' part/index.html || fail "the page does not say that the file was cut short"
fi
expect 2 plot cut.h5 block.x -o bad.svg
says err 'cut short'
expect 2 plot future.h5 block.x -o bad.svg
says err 'version'
expect 2 plot hello.h5 block.x -o bad.svg
says err 'not a run file'
ls | grep -q '^bad' && fail "something was made: $(ls)"
expect 2 report run.h5 -o run.h5
expect 2 report
expect 2 report run.h5 -o no/such/place

# A full disk: status 1, and no page that is half there.
(
    trap '' XFSZ
    ulimit -f 4
    exec "$cairn" report run.h5 -o full
) >out 2>err
[ $? -eq 1 ] || fail "a full disk did not give exit status 1"
[ -e full/index.html ] && fail "a full disk left a page"

[ "$failures" -eq 0 ] || exit 1
echo "report: all as it should be"
