#!/bin/sh
# Builds the wheel of the Python package with the library of a build directory, installs it into a virtual environment, and runs
# its tests and the type checker there. Skipped (77) where Python is older than 3.11 or pip cannot get the packages it needs.
# The environment, the compiled module and the type checker's cache are kept in the build directory.
# Usage: run.sh SOURCE_DIR BUILD_DIR
set -eu
source_dir=$1
build_dir=$2
kept=$build_dir/python
scratch=$kept/scratch
. "$source_dir/tests/python/lib.sh"
need_python
rm -rf "$scratch"
mkdir -p "$scratch"

make_test_venv "$kept/venv"
bin=$kept/venv/bin

quietly "$scratch/install.log" cmake --install "$build_dir" --prefix "$kept/prefix"
launcher=$(sed -n 's/^CMAKE_C_COMPILER_LAUNCHER:[A-Z]*=//p' "$build_dir/CMakeCache.txt")
CMAKE_GENERATOR=Ninja CMAKE_PREFIX_PATH=$kept/prefix quietly "$scratch/wheel.log" "$bin/pip" wheel -q --no-deps \
    --no-build-isolation -w "$scratch/dist" -C build-dir="$kept/wheel" -C cmake.define.CAIRN_INSTALLED=ON \
    -C cmake.define.CMAKE_C_COMPILER_LAUNCHER="$launcher" "$source_dir/python"
quietly "$scratch/install.log" "$bin/pip" install -q --no-deps --no-compile --force-reinstall "$scratch"/dist/cairn-*.whl

cp -R "$source_dir/python/tests" "$source_dir/python/pyproject.toml" "$scratch"
cd "$scratch"
twin=$build_dir/libcairn_gpu_twin.so
[ ! -e "$twin" ] || export CAIRN_GPU_LIBRARY="$twin"
CAIRN_SOURCE_DIR=$source_dir "$bin/python" -m pytest -q -p no:cacheprovider tests
# The chapters of the book that use the package.
PATH=$bin:$PATH python3 "$source_dir/tools/run_chapters.py" "$source_dir" "$build_dir/cairn" "$scratch/book" python
"$bin/mypy" --cache-dir "$kept/mypy" --config-file pyproject.toml
"$bin/mypy" --cache-dir "$kept/mypy" --strict tests/typed_use.py
