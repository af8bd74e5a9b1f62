#!/bin/sh
# cairn export --urdf and --mjcf: files and standard output, notes on standard error, one format to the other, what is refused.
# Usage: export_robot.sh CAIRN SCRATCH
. "$(dirname "$0")/lib.sh"

expect 0 export six-axis-arm --urdf arm.urdf
says out '^arm.urdf$'
says err "joint 'J1': its drive has no counterpart in URDF: not written"
says err 'notes on what was changed or left out'
notes=$(grep -c . err)
tail -1 err | grep -q "$((notes - 1)) notes" || fail "the notes are counted wrong: $(tail -1 err)"

# What was written is read, by name, and runs.
expect 0 import arm.urdf
says out 'J6: revolute'
expect 0 run arm.urdf --until 0.01 --step 0.005 --quiet

# From one format to the other, through standard output.
expect 0 export arm.urdf --mjcf -
says out '<joint name="J6" type="hinge"'
cp out arm.xml
expect 0 import arm.xml
says out 'J6: revolute'

# Parameters, and the scene of a run.
expect 0 export tennis-racket --mjcf racket.xml
silent err
says racket.xml '<key name="initial"'
expect 0 run box-stack --until 0.01 -o stack.h5 --quiet
expect 0 export stack.h5 --mjcf -
says out '<mujoco model='

# Files that cannot be written, scenes of the plane, options that do not fit.
expect 2 export pendulum --urdf flat.urdf
says err 'the model is planar; URDF describes robots in space alone'
[ ! -e flat.urdf ] || fail "a file was left behind"
expect 2 export box-stack --mjcf no-such-folder/a.xml
says err 'no-such-folder'
expect 2 export stack.h5 --set a=1
says err '--set belongs to --scene, --urdf and --mjcf'

[ "$failures" -eq 0 ]
