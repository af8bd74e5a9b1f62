# What the tests of the tool share. A test is called as `sh NAME.sh CAIRN SCRATCH` and begins with
#   . "$(dirname "$0")/lib.sh"
# which takes it into SCRATCH/NAME, made anew. At its end a test looks at $failures. What checks returns 0, also after
# a failure, so that a test under `set -e` goes on to what it checks next.
cairn=${1:?}
scratch=${2:?}/$(basename "$0" .sh)
rm -rf "$scratch"
mkdir -p "$scratch" && cd "$scratch" || exit 1
failures=0
limit=

# The system's Python has h5py and numpy; another one that comes first in PATH may not.
python=python3
if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi

# fail WORDS...: counts a failure and tells it.
fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENTS...: the exit status of cairn, its words in out and err. Within $limit seconds where a test
# sets it.
expect()
{
    wanted=$1
    shift
    found=0
    ${limit:+timeout $limit} "$cairn" "$@" >out 2>err || found=$?
    [ "$found" -eq "$wanted" ] || fail "cairn $*: exit status $found instead of $wanted: $(cat err)"
}

# says FILE PATTERN: a line of the file (out, err) matches.
says()
{
    grep -q -e "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"
}

# silent FILE: the file (out, err) is empty.
silent()
{
    [ ! -s "$1" ] || fail "$1 should be empty: $(cat "$1")"
}

# takes_all: whether to make runs that are there to agree with another one, or for their numbers alone (TAKES_ALL in support/check.h): not
# under sanitizers, unless CAIRN_LONG is set.
takes_all()
{
    case ${CAIRN_TEST_CFLAGS:-} in
    *-fsanitize*) [ -n "${CAIRN_LONG:-}" ] ;;
    esac
}

# have_python [MODULE]...: whether there is a Python, and in it these modules.
have_python()
{
    command -v "$python" >/dev/null || return 1
    for module; do
        "$python" -c "import $module" 2>/dev/null || return 1
    done
}
