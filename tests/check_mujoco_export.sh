#!/bin/sh
# Robots as Cairn writes them and MuJoCo reads them: masses, inertias and poses of all built-in scenes of space, the motion of a mechanism of
# many joints, and mass matrices of robots below CAIRN_MODELS, or ../shared/reference/models, that were read and written again. In the
# long suite alone, and where there is a Python with the package `mujoco`: CAIRN_MUJOCO_PYTHON, or else python3.
set -eu
source=$1
cairn=$2
python=${CAIRN_MUJOCO_PYTHON:-python3}
if [ -z "${CAIRN_LONG:-}" ] || ! "$python" -c 'import mujoco' 2>/dev/null; then
    echo "skipped: needs CAIRN_LONG and the Python package mujoco"
    exit 77
fi
models=${CAIRN_MODELS:-$source/../shared/reference/models}
set --
for robot in trossen_wx250s/wx250s.xml robotiq_2f85/2f85.xml; do
    [ ! -e "$models/$robot" ] || set -- "$@" "$models/$robot"
done
exec "$python" "$source/tests/export/compare_motion.py" "$cairn" "$source/scenes" "$source/tests/export/mechanism.yaml" "$@"
