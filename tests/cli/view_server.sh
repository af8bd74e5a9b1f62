#!/bin/sh
# The viewer's server: what it serves, and hostile clients. Usage: view_server.sh TOOL SCRATCH
rm -rf "$2/view"
mkdir -p "$2/view" && cd "$2/view" || exit 1
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
exec "$python" "$(dirname "$0")/../view/server.py" "$1"
