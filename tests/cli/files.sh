#!/bin/sh
# cairn check, examples, export, schema.
#   sh files.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

# Every built-in scene is listed, printed, and right, by its name and as the file that was written.
expect 0 examples
cut -d' ' -f1 out >names
[ "$(wc -l <names)" -ge 10 ] || fail "few built-in scenes"
expect 0 examples --write scenes
while read -r name; do
    "$cairn" check "$name" >out 2>err </dev/null || fail "check $name: $(cat err)"
    says out "OK"
    "$cairn" check "scenes/$name.yaml" >out 2>err </dev/null || fail "check scenes/$name.yaml: $(cat err)"
    "$cairn" examples "$name" </dev/null | cmp -s - "scenes/$name.yaml" || fail "examples $name differs from its file"
done <names

# Files that are there stay unless --force.
first=$(head -n 1 names)
echo mine >"scenes/$first.yaml"
expect 2 examples --write scenes
says err "force"
[ "$(cat "scenes/$first.yaml")" = mine ] || fail "a file was replaced without --force"
expect 0 examples --write scenes --force
"$cairn" examples "$first" | cmp -s - "scenes/$first.yaml" || fail "--force did not replace"
ls scenes | grep -q '\.part-' && fail "parts left behind"
expect 2 examples no-such-scene
expect 2 examples --write no/such/dir

# All errors at once with their places.
cat >bad.yaml <<'END'
dimension: 2
bodies:
  - {name: a, mass: -1, inertia: 1}
  - {name: a, mas: 1}
END
expect 2 check bad.yaml
says err '^bad.yaml:3:[0-9]*: .*mass'
says err "^bad.yaml:4:[0-9]*: .*'mas'"
[ ! -s out ] || fail "check prints errors on standard output"
expect 2 check bad.yaml --json
says out '"line": 3'
says out '"status": "invalid"'
if have_python; then
    "$python" -m json.tool out >/dev/null || fail "check --json is no JSON"
    "$cairn" check pendulum --json | "$python" -m json.tool >/dev/null || fail "check --json is no JSON"
    "$cairn" examples --json | "$python" -m json.tool >/dev/null || fail "examples --json is no JSON"
    "$cairn" schema | "$python" -m json.tool >/dev/null || fail "the schema is no JSON"
fi
expect 2 check missing.yaml
expect 2 check .
expect 2 check
# Names that JSON must escape.
cp bad.yaml 'b"a\d.yaml'
expect 2 check 'b"a\d.yaml' --json
if have_python; then
    "$python" -c 'import json; assert json.load(open("out"))["scene"] == "b\"a\\d.yaml"' || fail "escapes"
fi

# Export: four tables whose numbers are those of the summary.
"$cairn" run two-bodies-damper-20 --until 1 -o run.h5 --json >summary.json
expect 0 export run.h5 --csv
for table in bodies series contacts events; do
    [ -s "run-csv/$table.csv" ] || fail "no run-csv/$table.csv"
done
head -n 1 run-csv/bodies.csv | grep -q '^frame,time \[s\],body,x \[m\],' || fail "header of bodies.csv"
[ "$(wc -l <run-csv/bodies.csv)" -eq $((1 + 3 * 21)) ] || fail "lines of bodies.csv"
[ "$(wc -l <run-csv/series.csv)" -eq 22 ] || fail "lines of series.csv"
if have_python; then
    "$python" - <<'END' || fail "exported numbers"
import csv, json
d = json.load(open("summary.json"))
rows = list(csv.DictReader(open("run-csv/bodies.csv")))
last = [r for r in rows if r["body"] == "left"][-1]
assert [float(last["x [m]"]), float(last["y [m]"])] == d["bodies"]["left"]["position"]
assert float(last["vx [m/s]"]) == d["bodies"]["left"]["velocity"][0]
series = list(csv.DictReader(open("run-csv/series.csv")))
assert float(series[-1]["energy/total [J]"]) == d["energy"]["total"]
assert sum(int(float(s["contacts/count"])) for s in series) == len(list(csv.DictReader(open("run-csv/contacts.csv"))))
END
fi
expect 0 export run.h5 -o elsewhere
[ -s elsewhere/contacts.csv ] || fail "export -o DIR"
expect 0 export run.h5 -o one.csv --table contacts
cmp -s one.csv run-csv/contacts.csv || fail "export -o FILE --table"
expect 2 export run.h5 --table nothing -o one.csv
expect 2 export run.h5 --table series
expect 2 export run.h5 -o no/such/dir
expect 2 export bad.yaml
says err "not a run file"
expect 2 export
status=0
(
    ulimit -f 1
    "$cairn" export run.h5 -o small >out 2>err
) || status=$?
[ "$status" -eq 1 ] || fail "export on a full disk: status $status"
[ -z "$(ls small)" ] || fail "export on a full disk leaves $(ls small)"

[ "$failures" -eq 0 ] || exit 1
echo "all good"
