#!/bin/sh
# The tool starts fast: it loads the C library, the mathematics library and OpenMP's, and (sanitized) the sanitizers', but
# none of the libraries that a command may need later. Loaded objects are counted because milliseconds depend on the machine.
#   sh start.sh CAIRN SCRATCH
set -eu
. "$(dirname "$0")/lib.sh"

cache=${CAIRN_BUILD_DIR:?}/CMakeCache.txt
if ! grep -q '^CAIRN_ARCHIVES:BOOL=ON' "$cache" || ! grep -q '^CAIRN_ARCHIVES_LINK:INTERNAL=1' "$cache"; then
    echo "skipped: the tool is linked with shared libraries (CAIRN_ARCHIVES, cmake/tool_archives.cmake)"
    exit 77
fi

# The loader of the C library prints what it would load, one object per line, and stops.
LD_TRACE_LOADED_OBJECTS=1 "$cairn" --version >objects
says objects 'libc\.so'
grep -v -E 'linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|gomp|omp|asan|ubsan|tsan|lsan)\.so' objects >extra || true
[ ! -s extra ] || fail "loaded at start without need: $(cat extra)"

# What was linked in still works: each of the commands that need it.
expect 0 check pendulum
expect 0 run pendulum --until 0.01 -o run.h5
expect 0 plot run.h5 energy/total -o plot.png
[ "$(head -c 4 plot.png | tail -c 3)" = PNG ] || fail "plot.png is no PNG"

[ "$failures" -eq 0 ] || exit 1
echo "all good"
