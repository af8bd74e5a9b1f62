#!/bin/sh
# Statistics and force chains through the tool: watches, run files, tables, plots, reports. Usage: statistics.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# Two discs of 1000 kg/m^2 and r = 0.1 on a floor: m g = 308.19 N, forces 2 m g and m g, stress (2 r + r + r) m g / 0.4 m^2.
cat >two.yaml <<'EOT'
dimension: 2
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-plane}]}
  - {name: a, position: [0, 0.1], shapes: [{type: circle, radius: 0.1, density: 1000}]}
  - {name: b, position: [0, 0.3], shapes: [{type: circle, radius: 0.1, density: 1000}]}
statistics:
  - {name: box, region: {type: box, position: [0, 0.2], size: [1, 0.4]}, record: [coordination, stress, fraction, mean_force]}
  - {name: nothing, region: {type: ball, position: [9, 9], radius: 1}, record: [coordination]}
simulation: {step: 0.01, until: 0.1}
EOT
expect 0 run two.yaml -o two.h5 --json
if have_python; then
    "$python" - <<'EOT' || fail "the summary's numbers"
import json, math
watched = json.load(open("out"))["watched"]
mg = 1000 * math.pi * 0.01 * 9.81
near = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
assert near(watched["box.stress.yy"]["last"], 4 * 0.1 * mg / 0.4) and watched["box.stress.xy"]["last"] == 0
assert near(watched["box.mean_force"]["last"], 1.5 * mg) and watched["box.mean_force"]["unit"] == "N"
assert near(watched["box.fraction"]["last"], 2 * math.pi * 0.01 / 0.4)
assert watched["box.coordination"]["last"] == 1.5
assert watched["nothing.coordination"]["last"] is None
EOT
fi
expect 0 run two.yaml --watch grains.virial.yy,box.pressure
says out 'time.*,.*grains.virial.yy'
expect 0 export two.h5 --csv
says two-csv/sensors.csv 'box.stress.yy'
expect 0 plot two.h5 box.stress.yy -o stress.svg
expect 0 report two.h5
says two-report/index.html 'box.coordination'
expect 0 query two.yaml quantities
says out '^box.stress  *N/m'
expect 2 run two.yaml --watch grains.stress
says err "there is no quantity 'grains.stress'"

# Chains: the floor's contact is one line, the other one two; their widths are as 2 to 1.
expect 0 plot two.h5 chains -o chains.svg
says chains.svg 'normal forces: mean 462 N, largest 616 N'
if have_python; then
    "$python" - <<'EOT' || fail "the widths of chains"
import re
widths = {}
for line in open("chains.svg"):
    found = re.search(r'stroke="#([0-9a-fA-F]{6})".*stroke-width="([0-9.]+)"', line)
    if found and found[1].upper() not in ("C8C8C8", "000000"):
        widths.setdefault(found[2], []).append(found[1])
pairs = [(float(a), float(b)) for a in widths for b in widths if len(widths[a]) == 1 and len(widths[b]) == 2]
assert any(abs(a / b - 2) < 0.01 for a, b in pairs), widths
EOT
fi
expect 0 plot two.h5 chains --at 0.05,0.1 -o times.png
expect 2 plot two.h5 chains --mark a
says err 'option --mark does not apply to chains'
expect 2 plot two.h5 chains a.x
expect 0 plot two.h5 chains --at 0 -o start.svg
says start.svg 'no contact carries a force'

# Two discs that meet across the border of a periodic box: each has a line as long as its radius, and none crosses the box.
cat >border.yaml <<'EOT'
dimension: 2
gravity: [0, 0]
periodic: {size: [1, 1]}
bodies:
  - {name: a, position: [0.39, 0], velocity: [1, 0], shapes: [{type: circle, radius: 0.1, density: 1000}]}
  - {name: b, position: [-0.39, 0], velocity: [-1, 0], shapes: [{type: circle, radius: 0.1, density: 1000}]}
simulation: {step: 0.004, until: 0.04}
EOT
expect 0 run border.yaml -o border.h5
expect 0 plot border.h5 chains --at 0.012 -o border.svg
if have_python; then
    "$python" - <<'EOT' || fail "chains across the border"
import re
text = open("border.svg").read()
radius = float(re.search(r'<circle[^>]* r="([0-9.]+)"', text)[1])
lines = [[float(x) for x in found[1].replace(",", " ").split()] for found in
         re.finditer(r'<polyline points="([^"]*)" fill="none" stroke="#[0-9A-F]{6}" stroke-width="([0-9.]+)"', text) if float(found[2]) > 2]
assert len(lines) == 2 and all(abs(abs(x1 - x0) - radius) < 0.02 * radius for x0, _, x1, _ in lines), (radius, lines)
EOT
fi

[ "$failures" -eq 0 ]
