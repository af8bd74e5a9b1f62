#!/bin/sh
# Installs the build into a scratch prefix, moves that prefix, and uses it from outside: by find_package, by pkg-config
# (shared and static), header by header, and looks at the symbols of both libraries.
# Usage: run.sh SOURCE_DIR BUILD_DIR      (runs in the current directory)
set -eu
source_dir=$1
build_dir=$2
compiler=${CC:-cc}
scratch=$(pwd)/package
rm -rf "$scratch"
mkdir -p "$scratch"

fail()
{
    echo "package: $1" >&2
    exit 1
}

cmake --install "$build_dir" --prefix "$scratch/first" >"$scratch/install.log"
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix
pc_file=$(find "$prefix" -name cairn.pc)
[ -n "$pc_file" ] || fail "cairn.pc is not installed"
lib_dir=$(dirname "$(dirname "$pc_file")")
LD_LIBRARY_PATH=$lib_dir
export LD_LIBRARY_PATH

echo "what comes with the tool"
for file in man/man1/cairn.1 cairn/scenes/pendulum.yaml cairn/schema/scene.schema.json doc/cairn/CITATION.cff \
    doc/cairn/joints.md bash-completion/completions/cairn zsh/site-functions/_cairn fish/vendor_completions.d/cairn.fish; do
    [ -s "$prefix/share/$file" ] || fail "share/$file is not installed"
done
env -u LD_LIBRARY_PATH "$prefix/bin/cairn" check "$prefix/share/cairn/scenes/pendulum.yaml" >"$scratch/check.log" ||
    fail "the installed tool does not read an installed scene"

if command -v man >/dev/null && man -l "$prefix/share/man/man1/cairn.1" >"$scratch/man.txt" 2>"$scratch/man.err" && [ -s "$scratch/man.txt" ]; then
    grep -q 'cairn export' "$scratch/man.txt" || fail "the manual page does not name cairn export"
    [ ! -s "$scratch/man.err" ] || fail "the manual page: $(cat "$scratch/man.err")"
fi
bash -n "$prefix/share/bash-completion/completions/cairn" || fail "the completion for bash is wrong"

# A packager's copy: under DESTDIR, to be put at the prefix of the build later. Built-in scenes come with the tool.
echo "by DESTDIR"
DESTDIR="$scratch/stage" cmake --install "$build_dir" >>"$scratch/install.log"
staged=$(find "$scratch/stage" -path '*/bin/cairn')
[ -x "$staged" ] || fail "nothing is installed under DESTDIR"
(cd "$scratch" && env -u LD_LIBRARY_PATH "$staged" run pendulum --until 0.1 --quiet) || fail "the staged tool does not run"

echo "by find_package"
cmake -S "$source_dir/tests/package" -B "$scratch/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$compiler" >"$scratch/cmake.log" 2>&1 || { cat "$scratch/cmake.log"; fail "configure failed"; }
cmake --build "$scratch/cmake" >>"$scratch/cmake.log" 2>&1 || { cat "$scratch/cmake.log"; fail "build failed"; }
"$scratch/cmake/fall_shared"
"$scratch/cmake/fall_static"
if ldd "$scratch/cmake/fall_static" | grep -q libcairn; then
    fail "the static target links the shared library"
fi

echo "by pkg-config"
PKG_CONFIG_PATH=$(dirname "$pc_file")
export PKG_CONFIG_PATH
main=$source_dir/tests/package/main.c
# pkg-config writes its flags for a shell to read (spaces in paths are escaped), so a shell reads them.
eval "$compiler -o \"\$scratch/pc_shared\" \"\$main\" $(pkg-config --cflags --libs cairn) -lm"
"$scratch/pc_shared"
static_flags=$(pkg-config --static --libs cairn | sed 's/-lcairn/-l:libcairn.a/')
eval "$compiler -o \"\$scratch/pc_static\" \"\$main\" $(pkg-config --cflags cairn) $static_flags"
"$scratch/pc_static"
if ldd "$scratch/pc_static" | grep -q libcairn; then
    fail "the static flags link the shared library"
fi

echo "header by header"
for header in "$prefix"/include/cairn/*.h; do
    printf '#include <cairn/%s>\nint main(void) { return 0; }\n' "$(basename "$header")" >"$scratch/alone.c"
    $compiler -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$scratch/alone.c"
    if command -v clang >/dev/null; then
        clang -x c++ -std=c++11 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only "$scratch/alone.c"
    fi
done

echo "symbols"
strays=$(nm -D --defined-only "$lib_dir/libcairn.so" | awk '$3 !~ /^cairn_/ { print $3 }')
[ -z "$strays" ] || fail "libcairn.so exports $strays"
strays=$(nm -g --defined-only "$lib_dir/libcairn.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(cairn|crn|CRN)_/ { print $3 }')
[ -z "$strays" ] || fail "libcairn.a defines $strays"
strays=$(nm -u "$lib_dir/libcairn.a" 2>/dev/null | awk '/ U (printf|vprintf|__printf_chk|puts|putchar|perror|exit|_exit|abort|stdout|stderr)$/ { print $2 }')
[ -z "$strays" ] || fail "the library calls $strays"
# State that outlives a call would lie in .data or .bss; constant tables lie in .rodata and .data.rel.ro. The one exception is the pool
# of threads (src/base/parallel_ranges.c), on which no result depends.
strays=$(objdump -t "$lib_dir/libcairn.a" 2>/dev/null |
    awk '($0 ~ / O \.(data|bss)[ \t]/ || $0 ~ / O \*COM\*/) && $NF != "pool" { print $NF }')
[ -z "$strays" ] || fail "the library keeps mutable state in $strays"
echo "package is fine"
