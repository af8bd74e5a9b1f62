#!/bin/sh
# Builds the wheel of the Python package with the library of a build directory, installs it into a virtual environment, and runs
# its tests and the type checker there. Skipped (77) where Python is older than 3.11 or pip cannot get the packages it needs.
# Usage: run.sh SOURCE_DIR BUILD_DIR      (runs in the current directory)
set -eu
source_dir=$1
build_dir=$2
scratch=$(pwd)/python
venv=$build_dir/python-venv
rm -rf "$scratch"
mkdir -p "$scratch"

skip()
{
    echo "python: skipped: $1"
    exit 77
}

fail()
{
    echo "python: $1" >&2
    exit 1
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || skip "python3 is missing or older than 3.11"
# Made anew when this script, and with it the list of packages, has changed.
if [ ! -f "$venv/complete" ] || [ "$source_dir/tests/python/run.sh" -nt "$venv/complete" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv" >"$scratch/venv.log" 2>&1 || skip "python3 -m venv does not work (Debian: python3-venv)"
    "$venv/bin/pip" install -q scikit-build-core cffi numpy scipy pandas xarray matplotlib h5py gymnasium pytest mypy \
        >>"$scratch/venv.log" 2>&1 || skip "pip cannot install what the package needs"
    touch "$venv/complete"
fi

cmake --install "$build_dir" --prefix "$scratch/prefix" >"$scratch/install.log"
CMAKE_GENERATOR=Ninja CMAKE_PREFIX_PATH=$scratch/prefix "$venv/bin/pip" wheel -q --no-deps --no-build-isolation \
    -w "$scratch/dist" -C build-dir="$scratch/build" -C cmake.define.CAIRN_INSTALLED=ON "$source_dir/python" \
    >"$scratch/wheel.log" 2>&1 || { cat "$scratch/wheel.log"; fail "the wheel cannot be built"; }
"$venv/bin/pip" install -q --no-deps --force-reinstall "$scratch"/dist/cairn-*.whl

cp -R "$source_dir/python/tests" "$source_dir/python/pyproject.toml" "$scratch"
cd "$scratch"
CAIRN_SOURCE_DIR=$source_dir CAIRN_TOOL=$build_dir/cairn "$venv/bin/python" -m pytest -q -p no:cacheprovider tests
# The chapters of the book that use the package.
PATH=$venv/bin:$PATH python3 "$source_dir/tools/run_chapters.py" "$source_dir" "$build_dir/cairn" "$scratch/book" python
"$venv/bin/mypy" --config-file pyproject.toml
"$venv/bin/mypy" --strict tests/typed_use.py
