#!/bin/sh
# Small scenes under mpirun and three checkers: clang-tidy's for calls of MPI, Valgrind's for the memory that is sent and received, and the address and
# undefined-behaviour sanitizers. Open MPI's own faults are left out (leaks.supp, valgrind.supp).
# Usage: tests/mpi/check.sh CAIRN SANITIZED_CAIRN
set -u
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
root=$here/../..
cairn=$(realpath "$1")
sanitized=$(realpath "$2")
scenes=$root/tests/data/ranks
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_mpi_yield_when_idle=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Calls of MPI: buffers of the type that is named, no pointer in place of what it points to, no request without its wait.
for file in "$root"/cli/ranks/*.c; do
    clang-tidy --quiet --warnings-as-errors='*' --checks='-*,mpi-*,clang-analyzer-optin.mpi.*' "$file" -- \
        -std=c17 -D_GNU_SOURCE -DCAIRN_WITH_MPI -I "$root" -I "$root/include" $(mpicc --showme:compile) >tidy 2>&1 ||
        fail "clang-tidy, $(basename "$file"): $(cat tidy)"
done

# share N LIMIT COMMAND...: N processes, each of which must end well.
share()
{
    count=$1
    limit=$2
    shift 2
    timeout "$limit" mpirun --oversubscribe -n "$count" "$@" >out 2>err || fail "$count processes, $*: exit status $?: $(tail -n 40 out err report.* 2>/dev/null)"
}

# Bytes that are sent are set, and bytes that are received have a place.
wrapper=$(ls /usr/lib/*/valgrind/libmpiwrap-*.so | head -n 1)
library=$(ldd "$cairn" | awk '/libmpi\.so/ { print $3 }')
for scene in grains chains; do
    share 3 600 valgrind --quiet --trace-children=yes --error-exitcode=9 --suppressions="$here/valgrind.supp" \
        --suppressions=/usr/share/openmpi/openmpi-valgrind.supp --log-file="report.%q{OMPI_COMM_WORLD_RANK}" \
        env LD_PRELOAD="$library:$wrapper" MPIWRAP_DEBUG=quiet "$cairn" run "$scenes/$scene.yaml" --until 0.06 --quiet -o run.h5
done
rm -f report.*

# Memory and undefined behaviour, leaks included. Plugins of MPI stay loaded, so that their leaks have a name and can be left out.
echo 'int dlclose(void *library) { return library ? 0 : 1; }' | cc -shared -fPIC -x c - -o stay.so || fail "no compiler"
preload=$(cc -print-file-name=libasan.so):$PWD/stay.so
export LSAN_OPTIONS="suppressions=$here/leaks.supp:print_suppressions=0" ASAN_OPTIONS="detect_leaks=1:fast_unwind_on_malloc=0:log_path=$scratch/report" \
    UBSAN_OPTIONS="print_stacktrace=1:log_path=$scratch/report"
for scene in grains mixed drum chains giant break; do
    share 3 600 env LD_PRELOAD="$preload" "$sanitized" run "$scenes/$scene.yaml" --until 0.1 --every 5 --checkpoint 0.05 --quiet \
        -o run.h5
    share 2 600 env LD_PRELOAD="$preload" "$sanitized" run --resume run.h5 --until 0.12 --quiet
done
share 2 600 env LD_PRELOAD="$preload" "$sanitized" study impacts --quiet

[ "$failures" -eq 0 ] && echo "clang-tidy, Valgrind and the sanitizers find nothing"
