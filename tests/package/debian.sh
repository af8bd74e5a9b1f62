#!/bin/sh
# Builds the Debian packages from a copy of the tree, and runs the tool from the package. A build from nothing takes minutes, so this belongs to
# the long suite; it is skipped where debhelper is not installed.
# Usage: debian.sh SOURCE_DIR      (runs in the current directory)
set -eu
source_dir=$1
[ -n "${CAIRN_LONG:-}" ] || { echo "debian: only with CAIRN_LONG"; exit 77; }
for tool in dpkg-buildpackage dh git; do
    command -v $tool >/dev/null || { echo "debian: $tool is not installed"; exit 77; }
done
git -C "$source_dir" rev-parse --git-dir >/dev/null 2>&1 || { echo "debian: not a repository"; exit 77; }
scratch=$(pwd)/debian-packages
rm -rf "$scratch"
mkdir -p "$scratch/cairn"

fail()
{
    echo "debian: $1" >&2
    exit 1
}

# tracked files as they are now, and new ones
git -C "$source_dir" ls-files -co --exclude-standard -z | tar -C "$source_dir" --null -T - -c | tar -C "$scratch/cairn" -x
(cd "$scratch/cairn" && DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -b -us -uc) >"$scratch/log" 2>&1 ||
    { tail -30 "$scratch/log"; fail "dpkg-buildpackage failed"; }
for package in cairn libcairn0.1 libcairn-dev; do
    dpkg-deb -x "$scratch/$package"_*.deb "$scratch/root" || fail "there is no package $package"
done
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning "$scratch"/*.changes >"$scratch/lintian.log" 2>&1 ||
        { cat "$scratch/lintian.log"; fail "lintian has something to say"; }
fi
root=$scratch/root/usr
"$root/bin/cairn" check "$root/share/cairn/scenes/arch.yaml" || fail "the packaged tool does not read a packaged scene"
(cd "$scratch" && "$root/bin/cairn" run pendulum --until 0.1 -o pendulum.h5 --quiet) || fail "the packaged tool does not run"
if "$root/bin/cairn" view "$scratch/pendulum.h5" --html "$scratch/pendulum.html" 2>"$scratch/view.log"; then
    echo "debian: the viewer's page is included"
else
    grep -q 'does not include the viewer' "$scratch/view.log" || fail "cairn view: $(cat "$scratch/view.log")"
    echo "debian: without the viewer's page: $(cat "$scratch/view.log")"
fi
[ -s "$root/share/man/man1/cairn.1.gz" ] || fail "the manual page is missing"
[ -e "$root/include/cairn/cairn.h" ] || fail "the headers are missing"
ls "$root"/lib/*/libcairn.so.0.1 >/dev/null || fail "the shared library is missing"
