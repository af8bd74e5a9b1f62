#!/bin/sh
# Live simulations in the viewer: what commands over the WebSocket do. Usage: view_live.sh TOOL SCRATCH
set -eu
cd "$2"
exec python3 "$(dirname "$0")/../view/live.py" "$1"
