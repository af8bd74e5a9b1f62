#!/bin/sh
# cairn export --scene: a scene with a parameter, and the scene of a run, written out; what runs from the file is the same; wrong input.
# Usage: scene.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<END
title: A puck slides
dimension: 2
parameters: {mu: 0.3, v: 2*mu}
materials: [{name: ice, friction: mu}]
bodies:
  - {name: ground, kind: fixed, material: ice, shapes: [{type: half-plane}]}
  - {name: puck, position: [0, 0.1], velocity: [v, 0], material: ice, shapes: [{type: rectangle, size: [0.4, 0.2], density: 5}]}
sensors: [{name: load, type: contact-force, body: puck, every: 2}]
simulation: {step: 0.01, until: 0.2}
END

# same A B: two runs have the same bodies and contacts, in 17 digits
same()
{
    for run in "$1" "$2"; do expect 0 export "$run.h5" -o "$run" -q; done
    cmp -s "$1/bodies.csv" "$2/bodies.csv" && cmp -s "$1/contacts.csv" "$2/contacts.csv" || fail "$1 and $2 differ"
}

expect 0 export scene.yaml --scene out.yaml --set mu=0.4
says out '^out.yaml$'
silent err
says out.yaml 'friction: 0.4'
says out.yaml 'velocity: \[0.8, 0\]'
says out.yaml 'type: rectangle, size: \[0.4, 0.2\]'
says out.yaml 'every: 2'
! grep -q parameters out.yaml || fail "parameters are left"
expect 0 check out.yaml
expect 0 run scene.yaml --set mu=0.4 -o given.h5 -q
expect 0 run out.yaml -o saved.h5 -q
same given saved

# from the run, with the parameters that it was run with
expect 0 export given.h5 --scene again.yaml
cmp out.yaml again.yaml || fail "the scene of the run is another"
expect 0 export scene.yaml --scene - --set mu=0.4
cmp out out.yaml || fail "standard output is another"
expect 2 export given.h5 --scene x.yaml --set mu=0.4
says err 'has the parameters'
expect 0 export arch --scene arch.yaml
expect 0 check arch.yaml

# a German program writes commas between digits; the file has points
if locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8$'; then
    LC_ALL=de_DE.UTF-8 "$cairn" export scene.yaml --scene german.yaml --set mu=0.4 >out
    cmp out.yaml german.yaml || fail "the locale changes the file"
fi

expect 2 export nothing.yaml --scene x.yaml
expect 2 export given.h5 --set mu=1
says err '--set belongs to --scene'
expect 2 export scene.yaml --scene x.yaml --set nu=1
says err "no parameter 'nu'"
echo kept >old.yaml
expect 2 export scene.yaml --scene missing/x.yaml
[ ! -e x.yaml ] && [ "$(cat old.yaml)" = kept ] || fail "a failure leaves files"
head -c 100 given.h5 >cut.h5
expect 2 export cut.h5 --scene x.yaml
exit $failures
