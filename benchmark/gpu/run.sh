#!/bin/sh
# The heaps of docs/gpu.md on the device: time per step, penetration, residual, and whether five runs agree to the bit.
# Usage: benchmark/gpu/run.sh LIBRARY     build/libcairn_gpu.so, or the twin, which takes only the smallest heap
set -eu
library=$(realpath "${1:?the path of libcairn_gpu.so}")
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -O2 -D_GNU_SOURCE -I src benchmark/gpu/heap.c -o "$scratch/heap" -ldl -lm
"$scratch/heap" "$library" 8000 20 2 20 -1 10 5
${CC:-cc} -O2 -D_GNU_SOURCE -I src benchmark/gpu/shapes.c -o "$scratch/shapes" -ldl -lm
"$scratch/shapes" "$library" mixed 500 20 2 2
case $library in *twin*) exit 0 ;; esac
"$scratch/shapes" "$library" mixed 8000 20 2.5 5
"$scratch/shapes" "$library" mixed 100000 20 2.5 5
"$scratch/shapes" "$library" mixed 100000 50 2.5
"$scratch/shapes" "$library" drum 20000 20 4 5
"$scratch/shapes" "$library" land 100000 20 2.5
"$scratch/heap" "$library" 100000 20 2 100 -1 10 5
"$scratch/heap" "$library" 1000000 20 3 250 -1 10 5
"$scratch/heap" "$library" 1000000 50 2 250 -1 10
"$scratch/heap" "$library" 10000000 20 1.5 800 -1 10 2
${CC:-cc} -O2 -D_GNU_SOURCE -I src benchmark/gpu/rover.c -o "$scratch/rover" -ldl -lm
"$scratch/rover" "$library" 10000 20 3 2
"$scratch/rover" "$library" 200000 20 3 2
