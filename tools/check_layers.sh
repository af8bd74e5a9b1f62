#!/bin/sh
# Keeps the rooms apart: which folder may include which, and what library code must not do.
# Usage: tools/check_layers.sh [ROOT]         check a tree (default: the one this script lies in)
#        tools/check_layers.sh --self-test    check that violations are found
set -eu

# One file's include lines against the table of rooms, and its code against the list of forbidden calls.
check_sources()
{
    find src cli -name '*.[ch]' | LC_ALL=C sort | xargs awk '
        BEGIN {
            allowed["base"] = ""
            allowed["math"] = "base"
            allowed["linalg"] = "base math"
            allowed["model"] = "base math"
            allowed["collide"] = "base math model"
            allowed["populate"] = "base math model collide"
            allowed["formulate"] = "base math linalg model collide"
            allowed["solve"] = "base math linalg"
            # The audit knows no scheme and no solver: states, geometry and impulses alone.
            allowed["audit"] = "base math model collide"
            # The device: plain C and C++ that knows nothing of the library.
            allowed["gpu"] = ""
            # Processes that share a world of the device.
            allowed["domain"] = "base gpu"
            allowed["step"] = "base math linalg model collide populate formulate solve audit gpu domain"
            allowed["statistics"] = "base math model collide formulate step"
            allowed["quantity"] = "base math model formulate step statistics"
            allowed["scene"] = "base math model step"
            allowed["import"] = "base math linalg model scene"
            allowed["export"] = "base math model scene import"
            allowed["run"] = "base model step quantity"
            allowed["problem"] = "base linalg solve"
            # The solver side sees plain problems: no body, no shape, no file.
            public["base"] = "base.h"
            public["math"] = "base.h"
            public["linalg"] = "base.h problem.h"
            public["domain"] = "base.h ranks.h"
            public["solve"] = "base.h problem.h solver.h"
        }
        function has(list, word) { return index(" " list " ", " " word " ") > 0 }
        function report(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }
        FNR == 1 {
            in_comment = 0
            split(FILENAME, part, "/")
            in_library = part[1] == "src"
            room = in_library ? part[2] : "cli"
            if (in_library && !(room in allowed)) report("room " room " is not in the table of rooms")
        }
        # Comments and the insides of strings are prose, not code.
        function strip(line,    out, c, two, i, in_string) {
            out = ""
            for (i = 1; i <= length(line); ++i) {
                c = substr(line, i, 1)
                two = substr(line, i, 2)
                if (in_comment) { if (two == "*/") { in_comment = 0; ++i } continue }
                if (in_string) { if (c == "\\") ++i; else if (c == "\"") { in_string = 0; out = out c } continue }
                if (two == "/*") { in_comment = 1; ++i; continue }
                if (two == "//") break
                if (c == "'\''") { i += substr(line, i + 1, 1) == "\\" ? 3 : 2; continue }
                if (c == "\"") in_string = 1
                out = out c
            }
            return out
        }
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            name = $0
            sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
            quoted = substr(name, 1, 1) == "\""
            name = substr(name, 2)
            sub(/[">].*/, "", name)
            slash = index(name, "/")
            target = slash ? substr(name, 1, slash - 1) : ""
            file = substr(name, slash + 1)
            if (name ~ /\.\./) report("includes " name ": write the room, not a way to it")
            else if (target == "cairn") {
                if (room in public && !has(public[room], file))
                    report("room " room " must not include the public header " name)
            }
            else if (!quoted) next
            else if (!in_library) {
                if (slash && target != "cli") report("front ends see public headers only, not " name)
            }
            else if (!slash) report("includes " name ": write " room "/" name)
            else if (target != room && !has(allowed[room], target))
                report("room " room " must not include " name)
            next
        }
        {
            code = strip($0)
            if (!in_library) next
            if (match(code, /(^|[^A-Za-z0-9_])(v?printf|puts|putchar|perror|exit|_exit|quick_exit|abort)[ \t]*\(/))
                report("library code neither prints nor exits: " $0)
            if (match(code, /(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_]|$)/))
                report("library code leaves the standard streams alone: " $0)
        }
        END { exit bad }'
}

# Words that promise work not done, and paths of one machine.
check_words()
{
    words='(^|[^A-Za-z_])(TO''DO|FIX''ME|XX''X)([^A-Za-z_]|$)'
    paths='(^|[^A-Za-z0-9_.~$}])/(ho''me|ro''ot|wo''rk|Us''ers)/'
    found=0
    for where in include src cli tests benchmark scenes schema tools docs cmake ./*.md CMakeLists.txt demo test; do
        [ -e "$where" ] || continue
        # Pictures within drawings are letters without a meaning.
        if grep -rnIE -e "$words" -e "$paths" "$where" | grep -v ';base64,'; then
            found=1
        fi
    done
    [ "$found" -eq 0 ] || echo "check_layers.sh: unfinished work or a path of one machine, see above"
    return "$found"
}

check_tree()
{
    (
        cd "$1"
        status=0
        check_sources || status=1
        check_words || status=1
        [ "$status" -ne 0 ] || echo "layers: $(find src cli -name '*.[ch]' | wc -l) files keep to their rooms"
        exit "$status"
    )
}

# A tree with one file of the given text must be refused (or accepted, for the good ones).
expect()
{
    wanted=$1
    file=$2
    text=$3
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/cli" "$scratch/tree/$(dirname "$file")"
    mkdir -p "$scratch/tree/cli/main"
    printf '%s\n' '/* nothing */' >"$scratch/tree/cli/main/main.c"
    printf '%s\n' "$text" >"$scratch/tree/$file"
    mkdir -p "$scratch/tree/src/base"
    got=good
    check_tree "$scratch/tree" >"$scratch/log" 2>&1 || got=bad
    if [ "$got" != "$wanted" ]; then
        echo "check_layers.sh: self-test: '$text' in $file counted as $got" >&2
        exit 1
    fi
    cases=$((cases + 1))
}

self_test()
{
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cases=0
    expect good src/solve/a.c '#include "linalg/saddle.h"'
    expect good src/solve/a.c '#include "cairn/problem.h"'
    expect good src/step/a.c '#include "solve/pivot/lemke.h"'
    expect good src/base/a.c '/* printf("x"); */ int f(void) { return g("exit("); }'
    expect good src/base/a.c "if (c == '\"') { return f(\"exit(\"); }"
    expect bad src/base/a.c "if (c == '\"' || c == '\\\\') exit(1);"
    expect good src/base/a.c 'snprintf(text, sizeof text, "%d", 3);'
    expect good cli/a.c '#include <cairn/cairn.h>'
    expect good cli/a.c 'printf("fine here");'
    expect bad src/solve/a.c '#include "model/model.h"'
    expect bad src/solve/a.c '#include <cairn/model.h>'
    expect bad src/collide/a.h '#include "formulate/mass.h"'
    expect bad src/base/a.c '#include "math/vec.h"'
    expect bad src/math/a.c '  #  include "linalg/saddle.h"'
    expect bad src/step/a.c '#include "scene/scene.h"'
    expect bad src/audit/a.c '#include "formulate/layout.h"'
    expect bad src/audit/a.c '#include "step/simulation.h"'
    expect good src/step/a.c '#include "audit/audit.h"'
    expect bad src/base/a.c '#include "../math/vec.h"'
    expect bad src/base/a.c '#include "memory.h"'
    expect bad src/attic/a.c 'int x;'
    expect bad cli/a.c '#include "model/model.h"'
    expect bad src/base/a.c 'printf("hello");'
    expect bad src/base/a.c '/* so */ exit (1);'
    expect bad src/base/a.c 'if (!x) abort();'
    expect bad src/base/a.c 'fputs("x", stderr);'
    expect bad src/base/a.c "/* TO""DO */"
    expect bad cli/a.c "open(\"/ho""me/me/x\")"
    echo "layers: self-test, $cases cases"
}

case ${1:-} in
--self-test) self_test ;;
*) check_tree "${1:-$(dirname "$0")/..}" ;;
esac
