#!/bin/sh
# The README's program compiles without a warning and its scene is valid; both stop where Coulomb's law says:
# x = v^2 / (2 mu g) = 0.6796 m, up to the step's error h v / 2 = 0.001.
# Usage: check_readme.sh SOURCE_DIR CAIRN_BINARY      (runs in the current directory)
set -eu
source_dir=$1
cairn=$2
build_dir=$(dirname "$cairn")

fail()
{
    echo "check_readme: $1" >&2
    exit 1
}

# The first fenced block of a language.
extract()
{
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } inside && /^```/ { exit } inside' "$source_dir/README.md"
}

near_stop()
{
    awk -v x="$1" 'BEGIN { exit !(x > 0.6796 - 0.0025 && x < 0.6796 + 0.0025) }' || fail "$2 stops at '$1'"
}

extract c >puck.c
lines=$(wc -l <puck.c)
[ "$lines" -ge 20 ] && [ "$lines" -le 40 ] || fail "the program has $lines lines"
# CAIRN_TEST_CFLAGS: the sanitizers of the library, where it has any; word splitting is meant.
"${CC:-cc}" -std=c17 -Wall -Wextra -Wpedantic -Werror ${CAIRN_TEST_CFLAGS:-} -I"$source_dir/include" puck.c -o puck \
    -L"$build_dir" -lcairn -Wl,-rpath,"$build_dir"
answer=$(./puck)
echo "$answer"
near_stop "$(echo "$answer" | sed -n 's/^stopped at x = \([0-9.]*\) m$/\1/p')" "the program"

extract yaml >puck.yaml
[ -s puck.yaml ] || fail "there is no scene"
"$cairn" check puck.yaml
"$cairn" run puck.yaml --json >puck.json
near_stop "$(tr -d ' \n' <puck.json | sed 's/.*"puck":{"position":\[\([^],]*\).*/\1/')" "the scene"

echo "README is fine"
