#!/bin/sh
# The viewer's server: what it serves, and hostile clients. Usage: view_server.sh TOOL SCRATCH
. "$(dirname "$0")/lib.sh"
exec "$python" "$(dirname "$0")/../view/server.py" "$cairn"
