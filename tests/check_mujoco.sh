#!/bin/sh
# Robots as Cairn and as MuJoCo read them, for all files below tests/import/models and CAIRN_MODELS, or ../shared/reference/models. In the long suite alone, and where there is a Python
# with the package `mujoco`: CAIRN_MUJOCO_PYTHON, or else python3.
set -eu
source=$1
cairn=$2
models=${CAIRN_MODELS:-$source/../shared/reference/models}
python=${CAIRN_MUJOCO_PYTHON:-python3}
if [ -z "${CAIRN_LONG:-}" ] || [ ! -d "$models" ] || ! "$python" -c 'import mujoco' 2>/dev/null; then
    echo "skipped: needs CAIRN_LONG, a folder of robots and the Python package mujoco"
    exit 77
fi
find "$models" "$source/tests/import/models" -name '*.xml' ! -name package.xml -exec "$python" "$source/tests/import/compare_mujoco.py" "$cairn" {} +
find "$models" -name '*.xml' ! -name package.xml -exec "$python" "$source/tests/import/compare_motion.py" "$cairn" {} +
