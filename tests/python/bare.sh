#!/bin/sh
# The way of a stranger: the source distribution is packed, a wheel is built from it elsewhere, and a virtual environment that has
# nothing else runs the first tutorial of docs/python.md with it. In the long suite, since it compiles the library once more.
# Usage: bare.sh SOURCE_DIR BUILD_DIR
set -eu
source_dir=$1
build_dir=$2
kept=$build_dir/python-bare
scratch=$kept/scratch
. "$source_dir/tests/python/lib.sh"
need_python
rm -rf "$scratch" "$kept/bare"
mkdir -p "$scratch/empty"

make_venv "$kept/tools" build
launcher=$(sed -n 's/^CMAKE_C_COMPILER_LAUNCHER:[A-Z]*=//p' "$build_dir/CMakeCache.txt")
quietly "$scratch/sdist.log" "$kept/tools/bin/python" -m build -q --sdist -o "$scratch/dist" "$source_dir/python"
(cd "$scratch" && CMAKE_GENERATOR=Ninja quietly "$scratch/wheel.log" "$kept/tools/bin/pip" wheel -q --no-deps -w "$scratch/dist" \
    -C cmake.define.CMAKE_C_COMPILER_LAUNCHER="$launcher" -C cmake.define.CAIRN_VIEWER=OFF "$scratch"/dist/cairn-*.tar.gz)
wheel=$(echo "$scratch"/dist/cairn-*.whl)

python3 -m zipfile -l "$wheel" >"$scratch/contents"
for file in cairn/_native.abi3.so cairn/bin/cairn cairn/py.typed licenses/LICENSE; do
    grep -q "$file" "$scratch/contents" || fail "the wheel lacks $file"
done

python3 -m venv "$kept/bare"
quietly "$scratch/bare.log" "$kept/bare/bin/pip" install -q --no-compile "$wheel"
sed -n '/^## A first simulation/,/^A model also/p' "$source_dir/docs/python.md" | sed '1,/^```python$/d; /^```$/,$d' >"$scratch/first.py"
cd "$scratch/empty"
env -i PATH=/usr/bin:/bin "$kept/bare/bin/python" "$scratch/first.py" >"$scratch/first.out" || fail "the first tutorial fails"
cat "$scratch/first.out"
# The box falls 0.4 m, moves at 1 m/s until it lands after sqrt(2 0.4/g) = 0.286 s, and is stopped by friction as it does.
grep -Eq '^\[ *(0\.28|2\.8[0-9]*e-01)' "$scratch/first.out" || fail "the first tutorial does not end where friction stops the box"
[ -s box.h5 ] || fail "the first tutorial has written no run"
env -i PATH=/usr/bin:/bin "$kept/bare/bin/python" -m cairn --version
