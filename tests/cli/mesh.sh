#!/bin/sh
# Scenes with mesh files: checked, run, and drawn and asked from the run alone when the files are gone.
#   sh mesh.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

mkdir parts
cat >parts/wedge.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
END
printf '0 0 0\n0 0.2 0\n0 0 0\n' >parts/hill.txt
cat >scene.yaml <<'END'
dimension: 3
bodies:
  - {name: hill, kind: fixed, position: [0, 0, -9], shapes: [{type: height-field, file: parts/hill.txt, spacing: 2}]}
  - {name: wedge, shapes: [{type: mesh, file: parts/wedge.obj, scale: 0.5, recentre: true, density: 600}]}
  - {name: rock, position: [2, 0, 0], shapes: [{type: hull, file: parts/wedge.obj, recentre: true, density: 600}]}
simulation: {step: 0.01, until: 0.05}
END
expect 0 check scene.yaml
says out "3 shapes"
expect 0 run scene.yaml -o run.h5

# Elsewhere, and without the files.
mkdir elsewhere
mv run.h5 elsewhere
mv parts kept
cd elsewhere
expect 0 plot run.h5 positions -o positions.svg
[ ! -s err ] || { fail "plot of a run whose files are gone complains"; cat err; }
[ "$(grep '<image' positions.svg | wc -c)" -gt 10000 ] || fail "the parts are not drawn"
cd ..

# The scene itself needs them.
expect 2 check scene.yaml
says err '^scene.yaml:3:.*body .hill., shape 1: file: .*parts/hill.txt: cannot be read: No such file'
says err '^scene.yaml:4:.*body .wedge., shape 1: file: .*parts/wedge.obj: cannot be read: No such file'
expect 2 run scene.yaml -o no.h5
[ ! -e no.h5 ] || fail "a run of a wrong scene left a file"

# A bad file is named with its line.
mv kept parts
sed 's/^f 2 3 4$/f 2 3 3/' parts/wedge.obj >parts/bad.obj
sed 's/wedge.obj/bad.obj/' scene.yaml >bad.yaml
expect 2 check bad.yaml
says err "body 'wedge': mesh: line 8 of parts/bad.obj has no area"

[ "$failures" -eq 0 ] || exit 1
