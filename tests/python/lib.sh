# What the tests of the Python package share. `scratch` is set by them.

# Modules are compiled once, as they are first imported: their folders are in the build directory.
unset PYTHONDONTWRITEBYTECODE

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

need_python()
{
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || skip "python3 is missing or older than 3.11"
}

# make_venv FOLDER PACKAGE...: a virtual environment with these packages and what they need, by name. It is made anew when the list
# has changed. pip compiles no modules, since most are never imported.
make_venv()
{
    folder=$1
    shift
    if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
        rm -rf "$folder"
        python3 -m venv "$folder" >"$scratch/venv.log" 2>&1 || skip "python3 -m venv does not work (Debian: python3-venv)"
        "$folder/bin/pip" install -q --no-compile "$@" >>"$scratch/venv.log" 2>&1 || skip "pip cannot install $*"
        echo "$*" >"$folder/packages"
    fi
}

# make_test_venv FOLDER: one with what the package, its tests and their optional parts need.
make_test_venv()
{
    make_venv "$1" scikit-build-core cffi numpy scipy pandas xarray matplotlib h5py gymnasium pytest mypy nbclient nbformat ipykernel distributed
}

# quietly LOG COMMAND...: what the command says is shown only when it fails.
quietly()
{
    log=$1
    shift
    "$@" >"$log" 2>&1 || { cat "$log"; fail "this failed: $*"; }
}
