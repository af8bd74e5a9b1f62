#!/bin/sh
# Runs the tests of the Python package with a module whose own code, what cffi generates included, is compiled with AddressSanitizer,
# which also watches what NumPy and cffi read: memory of the library that is used after its end. In the long suite.
# Usage: sanitize.sh SOURCE_DIR BUILD_DIR
set -eu
source_dir=$1
build_dir=$2
kept=$build_dir/python
scratch=$kept/scratch-sanitize
. "$source_dir/tests/python/lib.sh"
need_python
runtime=$(gcc -print-file-name=libasan.so 2>/dev/null) || skip "gcc is missing"
[ -e "$runtime" ] || skip "gcc has no AddressSanitizer"
rm -rf "$scratch"
mkdir -p "$scratch"

make_test_venv "$kept/venv"
quietly "$scratch/install.log" cmake --install "$build_dir" --prefix "$kept/prefix"
CC=gcc CMAKE_PREFIX_PATH=$kept/prefix quietly "$scratch/configure.log" cmake -S "$source_dir/python" -B "$scratch/module" -G Ninja \
    -DCAIRN_INSTALLED=ON -DCAIRN_PACKAGE_TOOL=OFF -DPython_EXECUTABLE="$kept/venv/bin/python" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS="-fsanitize=address -O1" -DCMAKE_MODULE_LINKER_FLAGS=-fsanitize=address
quietly "$scratch/build.log" cmake --build "$scratch/module"
cp -R "$source_dir/python/src/cairn" "$source_dir/python/tests" "$source_dir/python/pyproject.toml" "$scratch"
cp "$scratch/module/_native.abi3.so" "$scratch/cairn"

cd "$scratch"
# Matplotlib throws C++ exceptions, whose library must be there before. Python itself leaks at its end. The notebook's kernel is another
# process, and reads what the others read.
LD_PRELOAD="$runtime $(gcc -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$scratch CAIRN_SOURCE_DIR=$source_dir \
    "$kept/venv/bin/python" -m pytest -q -s -p no:cacheprovider --ignore=tests/test_notebook.py tests
