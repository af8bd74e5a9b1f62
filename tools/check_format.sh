#!/bin/sh
# Every C file is formatted as .clang-format says. Usage: tools/check_format.sh [--fix]
set -eu
cd "$(dirname "$0")/.."

# Formatting differs between versions of the tool; Debian 12 has 14.
format=clang-format
if command -v clang-format-14 >/dev/null; then
    format=clang-format-14
fi

list_files()
{
    find include src cli tests benchmark -name '*.[ch]' -not -path '*/build*' | LC_ALL=C sort
}

if [ "${1:-}" = --fix ]; then
    list_files | xargs "$format" -i
    exit 0
fi
if ! list_files | xargs "$format" --dry-run --Werror; then
    echo "check_format.sh: run tools/check_format.sh --fix" >&2
    exit 1
fi
echo "format: $(list_files | wc -l) files are as .clang-format says"
