#!/bin/sh
# Robots as Cairn and as MuJoCo read them, for all files below the folder CAIRN_MODELS. In the long suite alone, and where there is a Python
# with the package `mujoco`: CAIRN_MUJOCO_PYTHON, or else python3.
set -eu
source=$1
cairn=$2
python=${CAIRN_MUJOCO_PYTHON:-python3}
if [ -z "${CAIRN_LONG:-}" ] || [ ! -d "${CAIRN_MODELS:-}" ] || ! "$python" -c 'import mujoco' 2>/dev/null; then
    echo "skipped: needs CAIRN_LONG, robots in CAIRN_MODELS and the Python package mujoco"
    exit 77
fi
find "$CAIRN_MODELS" -name '*.xml' ! -name package.xml -exec "$python" "$source/tests/import/compare_mujoco.py" "$cairn" {} +
