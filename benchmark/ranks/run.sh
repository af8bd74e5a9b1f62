#!/bin/sh
# Weak scaling of docs/cluster.md, with ranks as threads; model.py reads what it prints. Usage: benchmark/ranks/run.sh LIBRARY [MODE BODIES SWEEPS [RANKS...]]
set -eu
library=$(realpath "${1:?the path of libcairn_processor.so}")
mode=${2:-split}
bodies=${3:-4000}
sweeps=${4:-20}
[ $# -le 4 ] && set -- "$library" "$mode" "$bodies" "$sweeps" 1 2 4 8
shift 4
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -std=c17 -O2 -D_GNU_SOURCE -I src -I include -I tests benchmark/ranks/weak.c tests/support/thread_ranks.c src/domain/*.c \
    src/base/memory.c src/base/parallel_ranges.c -o "$scratch/weak" -ldl -lm -lpthread
"$scratch/weak" "$library" "$mode" "$bodies" "$sweeps" "$@"
