#!/bin/sh
# Robots as Cairn writes them and MuJoCo reads them: masses, inertias and poses of all built-in scenes of space, and the motion of a mechanism
# of many joints. In the long suite alone, and where there is a Python with the package `mujoco`: CAIRN_MUJOCO_PYTHON, or else python3.
set -eu
source=$1
cairn=$2
python=${CAIRN_MUJOCO_PYTHON:-python3}
if [ -z "${CAIRN_LONG:-}" ] || ! "$python" -c 'import mujoco' 2>/dev/null; then
    echo "skipped: needs CAIRN_LONG and the Python package mujoco"
    exit 77
fi
exec "$python" "$source/tests/export/compare_motion.py" "$cairn" "$source/scenes" "$source/tests/export/mechanism.yaml"
