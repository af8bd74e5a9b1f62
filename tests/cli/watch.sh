#!/bin/sh
# cairn run --watch, sensors in scenes, quantities in plots, tables and summaries; wrong names.
# Usage: watch.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

# A wheel of 0.5 kg m^2 turned by 2 N m: angle 2 t^2, power 8 t; a box of 3 kg at rest.
cat >wheel.yaml <<END
dimension: 2
gravity: [0, -10]
bodies:
  - {name: floor, kind: fixed, shapes: [{type: half-plane}]}
  - {name: wheel, mass: 1, inertia: 0.5, position: [0, 5]}
  - {name: box, mass: 3, position: [3, 0.5], shapes: [{type: rectangle, size: [1, 1]}]}
joints:
  - {name: hub, type: revolute, bodies: [world, wheel], at: [0, 5],
     coordinates: {angle: {drive: {type: force, target: 2}}}}
sensors:
  - {name: load, type: contact-force, body: box, from: floor}
  - {name: imu, type: accelerometer, body: wheel}
simulation: {step: 0.125, until: 1, integrator: stiff2}
END

# the table on standard output, in place of the summary: start and eight steps, with the units
expect 0 run wheel.yaml --watch hub.angle,hub.angle.power --watch 'force(box,floor).y'
[ "$(wc -l <out)" -eq 10 ] || fail "ten lines: $(cat out)"
[ "$(head -1 out)" = 'time [s],load.x [N],load.y [N],imu.x [m/s^2],imu.y [m/s^2],hub.angle [rad],hub.angle.power [W],"force(box,floor).y [N]"' ] ||
    fail "titles: $(head -1 out)"
tail -1 out | awk -F, 'function near(a, b) { return (a - b) ^ 2 < 1e-12 }
    { exit !(near($1, 1) && near($3, 30) && near($6, 2) && near($7, 2 * 4 * 0.9375) && near($8, 30)) }' ||
    fail "the last line: $(tail -1 out)"
silent err

# the same table in a file, in the run file and as JSON; the summary names joints and columns
cp out table.csv
expect 0 run wheel.yaml -w hub.angle,hub.angle.power -w 'force(box,floor).y' --watch-file file.csv -o run.h5 --every 3
cmp table.csv file.csv || fail "the file differs from the table"
says out '^  hub .*angle 2, from 0 to 2; drive up to 2, work 4 J'
says out '^  hub.angle.power  *7.5 '
expect 0 export run.h5 --csv -o - --table sensors
cmp table.csv out || fail "the table of the run file differs"
expect 0 export run.h5 --csv -o tables
cmp table.csv tables/sensors.csv || fail "sensors.csv differs"
head -1 tables/series.csv | grep -q 'hub.angle \[rad\],hub.angle.rate \[rad/s\],hub.angle.drive \[N m\]' || fail "series.csv: $(head -1 tables/series.csv)"
[ "$(wc -l <tables/series.csv)" -eq 5 ] || fail "four frames"
expect 0 run wheel.yaml --watch hub.angle --json
if have_python; then
    "$python" - <<END || fail "JSON: $(cat out)"
import json
s = json.load(open("out"))
assert abs(s["watched"]["hub.angle"]["most"] - 2) < 1e-9 and s["watched"]["load.y"]["unit"] == "N", s["watched"]
hub = s["joints"]["hub"]
assert abs(hub["coordinates"]["angle"]["work"]["drive"] - 4) < 1e-9 and abs(hub["force"] - 10) < 1e-9, hub
END
fi

# plots: recorded quantities of joints, sensors by their names, energies with a dot
expect 0 plot run.h5 hub.angle hub.angle.drive hub.force.magnitude load.y sensors/imu.y energy.total -o plot.svg
expect 0 plot run.h5 box.contact_force.y box.contact_force.magnitude 'force(box,floor).magnitude' -o weight.svg
expect 0 plot run.h5 wheel.position.x wheel.velocity.magnitude -o moves.svg
expect 2 plot run.h5 box.contact_force.z
expect 2 plot run.h5 box.position.z
expect 0 plot run.h5 --list
says out '^  hub.angle.rate  *rad/s'
says out '^  sensors/load.y  *N'
expect 2 plot run.h5 hub.angel
says err "did you mean 'hub.angle'"

# studies: the reaction is exact, the angle of a first order scheme is not
expect 0 study wheel.yaml --integrator stiff --steps 0.25,0.125,0.0625 --quantity hub.angle,hub.force.y --reference run.h5
says out 'hub.angle'
expect 2 study wheel.yaml --steps 0.25,0.125 --quantity hub.angel
says err "did you mean 'hub.angle'"
expect 2 study wheel.yaml --steps 0.25,0.125 --quantity hub.force

# the report names joints and sensors
expect 0 report run.h5 -o page
says page/index.html '<td>hub.angle</td><td class="n">0.28125</td><td class="n">2</td><td class="n">2</td><td>rad</td>'
says page/index.html '<td>load.y</td><td class="n">30</td>'

# a run without sensors has no table of them, and nothing to write
grep -v 'sensors\|load\|imu' wheel.yaml >plain.yaml
expect 0 run plain.yaml -o plain.h5 -q
expect 0 export plain.h5 --csv -o plain
[ ! -e plain/sensors.csv ] || fail "sensors.csv of a run without sensors"
expect 2 run plain.yaml --watch-file x.csv
says err 'nothing to watch'
[ ! -e x.csv ] || fail "x.csv was written"

# names: listed, suggested, refused before anything is written
expect 0 query wheel.yaml quantities
says out '^hub.angle.drive  *N m'
says out '^box.contact_force  *N  (vector)'
expect 0 query run.h5 quantities --json
says out '"hub.angle": *"rad"'
expect 2 query wheel.yaml quantities all
expect 2 run wheel.yaml --watch hub.angl -o none.h5
says err "there is no quantity 'hub.angl'; did you mean 'hub.angle'?"
[ ! -e none.h5 ] || fail "a run file of a run that was refused"
expect 2 run wheel.yaml --watch hub.angle,hub.angle
says err "two columns would be called 'hub.angle'"
expect 2 run wheel.yaml --watch hub.angle --watch-file no/such/place.csv
sed 's/body: wheel}/body: weel}/' wheel.yaml >wrong.yaml
expect 2 check wrong.yaml
says err "sensor 'imu': body: there is no body 'weel'; did you mean 'wheel'?"

exit "$failures"
