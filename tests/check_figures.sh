#!/bin/sh
# `cairn figures` draws every figure that docs/figures.md and docs/structures.md show, and they show every figure that it draws.
# Usage: check_figures.sh SOURCE_DIR CAIRN_BINARY
set -eu
source=$1
cairn=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail()
{
    echo "FAILED: $*"
    exit 1
}

# The Brazil nut for two shakes is enough to see that it is drawn; under sanitizers a few figures of each kind are.
choice=--quick
case ${CAIRN_TEST_CFLAGS:-} in
*-fsanitize*) choice="--quick --only anitescu-potra-2002 --only preclik-2011-figure1 --only anitescu-2006-table1 --only song-2004-figure4d" ;;
esac
[ -z "${CAIRN_LONG:-}" ] || choice=
# shellcheck disable=SC2086 # words
"$cairn" figures -o "$out" $choice >"$out/drawn"
"$cairn" figures --list | sed 's/ .*/.svg/' >"$out/list"
count=0
for file in $(cat "$source/docs/figures.md" "$source/docs/structures.md" | grep -o 'figures/[a-z0-9-]*\.svg' | sed 's,figures/,,'); do
    grep -qx "$file" "$out/list" || fail "$file is not among the figures"
    [ -s "$source/docs/figures/$file" ] || fail "docs/figures/$file is missing"
    count=$((count + 1))
done
[ "$(wc -l <"$out/list")" -eq "$count" ] || fail "$count figures are shown and $(wc -l <"$out/list") are drawn"
[ "$choice" != "${choice%--only*}" ] || cmp -s "$out/list" "$out/drawn" || fail "not all figures are drawn"
while read -r file; do
    grep -q '</svg>' "$out/$file" || fail "$file is not drawn whole"
done <"$out/drawn"

# One of them alone, by name; a name that is none; a place that is none.
"$cairn" figures -o "$out/one" --only anitescu-potra-2002-figure3 >"$out/list"
[ "$(ls "$out/one")" = anitescu-potra-2002-figure3.svg ] || fail "--only made $(ls "$out/one")"
cmp -s "$out/one/anitescu-potra-2002-figure3.svg" "$out/anitescu-potra-2002-figure3.svg" || fail "the same figure is not the same"
status=0
"$cairn" figures -o "$out/none" --only no-such-paper 2>"$out/err" || status=$?
[ "$status" -eq 2 ] && grep -q no-such-paper "$out/err" && [ ! -e "$out/none" ] || fail "--only no-such-paper: status $status"
status=0
"$cairn" figures -o "$out/list/x" --only anitescu-potra-2002-figure3 2>"$out/err" || status=$?
[ "$status" -eq 2 ] || fail "a directory that cannot be made: status $status"
"$cairn" figures --list | grep -q 'anitescu-2006-figure6 .*10.6' || fail "--list"
echo "$count figures"
