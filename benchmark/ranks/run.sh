#!/bin/sh
# Weak scaling of docs/cluster.md, with ranks as threads. Usage: benchmark/ranks/run.sh LIBRARY [BODIES [RANKS...]]
set -eu
library=$(realpath "${1:?the path of libcairn_processor.so}")
bodies=${2:-4000}
[ $# -le 2 ] && set -- "$library" "$bodies" 1 2 4 8 16
shift 2
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -std=c17 -O2 -D_GNU_SOURCE -I src -I include -I tests benchmark/ranks/weak.c tests/support/thread_ranks.c src/domain/*.c \
    src/base/memory.c -o "$scratch/weak" -ldl -lm -lpthread
"$scratch/weak" "$library" "$bodies" "$@"
