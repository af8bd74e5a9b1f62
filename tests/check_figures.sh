#!/bin/sh
# tools/figures.sh draws every figure that docs/figures.md and docs/structures.md show. Usage: check_figures.sh SOURCE_DIR CAIRN_BINARY
set -eu
source=$1
cairn=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# The Brazil nut for two shakes is enough to see that it is drawn.
[ -n "${CAIRN_LONG:-}" ] || export CAIRN_NUT_UNTIL=4
"$source/tools/figures.sh" "$cairn" "$out" >/dev/null
count=0
for file in $(cat "$source/docs/figures.md" "$source/docs/structures.md" | grep -o 'figures/[a-z0-9-]*\.svg' | sed 's,figures/,,'); do
    [ -s "$out/$file" ] || { echo "FAILED: $file is not drawn"; exit 1; }
    grep -q '</svg>' "$out/$file" || { echo "FAILED: $file is cut short"; exit 1; }
    [ -s "$source/docs/figures/$file" ] || { echo "FAILED: docs/figures/$file is missing"; exit 1; }
    count=$((count + 1))
done
[ "$count" -ge 20 ] || { echo "FAILED: only $count figures"; exit 1; }
echo "$count figures"
