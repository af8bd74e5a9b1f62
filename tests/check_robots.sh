#!/bin/sh
# Robots at work: a humanoid, an arm and a gripper from files in ../shared/reference/models. In the long suite alone.
set -eu
source=$1
cairn=$2
if [ -z "${CAIRN_LONG:-}" ] || [ ! -d "$source/../shared/reference/models" ]; then
    echo "skipped: needs CAIRN_LONG and a folder of robots"
    exit 77
fi
python3 "$source/tests/import/check_robots.py" "$cairn" "$source/tests/import/robots"
