#!/bin/sh
# Installs the Debian packages that are missing, and only those.
# Usage: tools/install_packages.sh [build|test|book|package|bench|mpi]...      (default: build; test includes build)
set -eu

build="gcc cmake ninja-build pkg-config libc6-dev libsuitesparse-dev libyaml-dev libhdf5-dev libcairo2-dev zlib1g-dev
    libwebsockets-dev libqhull-dev libexpat1-dev fonts-dejavu-core"
test="libcmocka-dev libopenblas-dev liblapacke-dev clang clang-format libclang-rt-14-dev python3 python3-dev python3-venv python3-h5py
    python3-yaml python3-jsonschema hdf5-tools libccd-dev libassimp-dev chromium ffmpeg git"
# The viewer's page is built by Node; another Node than Debian's, with its npm, will do as well.
command -v npm >/dev/null || build="$build nodejs npm"
book="doxygen python3 python3-venv"
package="debhelper dpkg-dev fakeroot lintian man-db"
bench="libsiconos-numerics-dev g++ libbullet-dev libode-dev libbox2d-dev python3 python3-venv"

mpi="libopenmpi-dev openmpi-bin valgrind valgrind-mpi clang-tidy"

wanted=
[ $# -gt 0 ] || set -- build
for set_name in "$@"; do
    case $set_name in
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $build $test" ;;
    book) wanted="$wanted $build $book" ;;
    package) wanted="$wanted $build $package" ;;
    bench) wanted="$wanted $build $bench" ;;
    mpi) wanted="$wanted $mpi" ;;
    *)
        echo "install_packages.sh: unknown set '$set_name'; known: build, test, book, package, bench, mpi" >&2
        exit 2
        ;;
    esac
done

is_installed()
{
    dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null | grep -q 'ok installed'
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "install_packages.sh: this is not a Debian system; install the equivalents of these yourself:" >&2
    echo $wanted >&2
    exit 0
fi

missing=
for package in $wanted; do
    is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "install_packages.sh: these packages are missing, and installing them needs root or sudo:" >&2
        echo "   $missing" >&2
        exit 1
    fi
    as_root=sudo
fi

install()
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The package lists may be absent or out of date: fetch them only when an install without fails.
if ! install >"$log" 2>&1; then
    if ! { $as_root apt-get update -q && install; } >"$log" 2>&1; then
        cat "$log" >&2
        echo "install_packages.sh: apt-get could not install:$missing" >&2
        exit 1
    fi
fi
