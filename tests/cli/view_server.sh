#!/bin/sh
# The viewer's server: what it serves, and hostile clients. Usage: view_server.sh TOOL SCRATCH
set -eu
cd "$2"
exec python3 "$(dirname "$0")/../view/server.py" "$1"
