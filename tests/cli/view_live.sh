#!/bin/sh
# Live simulations in the viewer: what commands over the WebSocket do. Usage: view_live.sh TOOL SCRATCH
. "$(dirname "$0")/lib.sh"
exec "$python" "$(dirname "$0")/../view/live.py" "$cairn"
