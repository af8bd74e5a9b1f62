#!/bin/sh
# The chapters of the book do what they say: files, commands, outputs and pictures (tools/run_chapters.py says how), and the
# runner notices a page that is wrong. Usage: check_book.sh SOURCE_DIR CAIRN_BINARY      (runs in the current directory)
set -eu
if ! command -v python3 >/dev/null || ! command -v pkg-config >/dev/null; then
    echo "skipped: python3 or pkg-config is missing"
    exit 77
fi
if [ -n "${CAIRN_TEST_CFLAGS:-}" ]; then
    echo "skipped: the chapters only run the tool, which has tests of its own under sanitizers"
    exit 77
fi
source_dir=$(cd "$1" && pwd)
runner=$source_dir/tools/run_chapters.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail()
{
    echo "check_book: $1" >&2
    exit 1
}

# A page of one chapter, from standard input: the runner accepts it or not, with a sentence that contains the text given.
page()
{
    mkdir -p "$scratch/tree/docs/book" "$scratch/tree/include"
    cat >"$scratch/tree/docs/book/$chapter.md"
    rm -rf "$scratch/page"
    python3 "$runner" "$scratch/tree" "$2" "$scratch/page" >"$scratch/answer" 2>&1
}
accepted()
{
    page "$1" "$2" || fail "refuses $1: $(cat "$scratch/answer")"
}
refused()
{
    ! page "$1" "$2" || fail "accepts $1"
    grep -q -- "$3" "$scratch/answer" || fail "$1: no '$3' in: $(cat "$scratch/answer")"
}

chapter=page
block='```'
accepted "a right page" "$2" <<END
${block}text title="a.txt"
3
${block}
${block}sh
cat a.txt
echo "x 0.5012 of 12 s"; echo between; echo end
${block}
${block}text
3
x   0.501 of ... s
...
end
${block}
<!-- check 3 within 1e-9: cat a.txt -->
END
refused "another number" "$2" "the page shows" <<END
${block}sh
echo "x = 0.55"
${block}
${block}text
x = 0.50
${block}
END
refused "another count" "$2" "the page shows" <<END
${block}sh
echo 1000 steps
${block}
${block}text
1001 steps
${block}
END
refused "something for nothing" "$2" "the page shows" <<END
${block}sh
echo penetration 0.3 m
${block}
${block}text
penetration 0 m
${block}
END
refused "a line too many" "$2" "the page shows" <<END
${block}sh
echo one; echo two
${block}
${block}text
one
${block}
END
refused "a failing command" "$2" "page.md:1: status 1" <<END
${block}sh
false
echo not reached
${block}
END
refused "a wrong truth" "$2" "not 4 within 0.5" <<END
<!-- check 4 within 0.5: echo 3 -->
END
refused "a picture that nobody made" "$2" "no command has made a.svg" <<END
<!-- picture a.svg: nothing -->
END
refused "a view of a run that was not made" "$2" "no command has made a.h5" <<END
<!-- view a.h5: nothing -->
END
refused "a file without a title" "$2" "needs a title" <<END
${block}yaml
a: 1
${block}
END
refused "an open block" "$2" "does not end" <<END
${block}sh
END

# Modules that are missing: the chapter is skipped with a sentence, unless it was asked for by its name.
accepted "a page for another machine" "$2" <<END
<!-- modules no_such_module, json -->
${block}sh
false
${block}
END
grep -q "page: skipped, since python3 lacks the modules that it needs: no_such_module$" "$scratch/answer" || fail "skips without a sentence"
if python3 "$runner" "$scratch/tree" "$2" "$scratch/page" page >"$scratch/answer" 2>&1; then
    fail "a chapter asked for by its name is skipped"
fi

# The chapter on citing, CITATION.cff and the tool agree.
cited()
{
    sed -n "s/^$1: \"*\([^\"]*\)\"*\$/\1/p" "$source_dir/CITATION.cff"
}
for field in title version license; do
    grep -q "^  $field *= {$(cited $field)}" "$source_dir/docs/book/cite.md" || fail "CITATION.cff and the chapter on citing differ: $field"
done
"$2" --version | grep -q " $(cited version)" || fail "CITATION.cff has another version than $("$2" --version)"

# Every line that the summary of a run can have is in the glossary.
sed -n 's/.*printf("\(\\n\)*  \([a-z][a-z -]*[a-z]\)\( \[J\]\)*   *[a-z%"].*/\2/p' "$source_dir"/cli/run/summary.c "$source_dir"/cli/run/run_*.c |
    sort -u >"$scratch/labels"
[ "$(wc -l <"$scratch/labels")" -ge 12 ] || fail "few lines of a summary were found: $(cat "$scratch/labels")"
while read -r label; do
    grep -qx "### $label" "$source_dir/docs/book/glossary.md" || fail "the glossary lacks '$label', a line of the summary"
done <"$scratch/labels"

python3 "$runner" "$source_dir" "$2" "$scratch/book"

# The site itself, whose generator pip installs: needs a network, and a minute or two.
if [ -n "${CAIRN_LONG:-}" ] && command -v doxygen >/dev/null; then
    status=0
    python3 "$source_dir/tools/build_book.py" --build "$(dirname "$2")" --output "$scratch/site" || status=$?
    [ $status -eq 0 ] || [ $status -eq 77 ] || fail "the site cannot be built"
fi
echo "the book is fine"
