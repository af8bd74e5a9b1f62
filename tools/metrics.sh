#!/bin/sh
# Measures the tree for the table in CONTRIBUTING.md. Reads only; prints a Markdown table.
# Usage: tools/metrics.sh [ROOT]
set -eu
exec python3 - "${1:-$(dirname "$0")/..}" <<'END'
import glob
import os
import re
import statistics
import sys

os.chdir(sys.argv[1])


def files(*patterns):
    return sorted({path for pattern in patterns for path in glob.glob(pattern, recursive=True) if os.path.isfile(path)})


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def split(text):
    """The code without comments and string contents, and the comments without the code; lines keep their numbers."""
    blank = lambda piece: re.sub(r"[^\n]", " ", piece)
    code, comments, end = [], [], 0
    for match in TOKEN.finditer(text):
        before, piece = text[end : match.start()], match.group()
        comment = piece.startswith("/")
        code += [before, blank(piece) if comment else re.sub(r"[^\n\"']", "_", piece)]
        comments += [blank(before), piece if comment else blank(piece)]
        end = match.end()
    return "".join(code) + text[end:], "".join(comments) + blank(text[end:])


def filled(text):
    return sum(1 for line in text.split("\n") if line.strip())


def comment_share(paths):
    """Lines that hold a comment and no code, as a share of the lines that are not blank."""
    comment = total = 0
    for path in paths:
        code, words = split(read(path))
        for c, w in zip(code.split("\n"), words.split("\n")):
            total += bool(c.strip() or w.strip())
            comment += bool(w.strip() and not c.strip())
    return comment / max(total, 1)


def function_lengths(paths):
    """Lines from a brace at the margin that follows a parameter list to the brace that closes it."""
    lengths = []
    for path in paths:
        lines = split(read(path))[0].split("\n")
        start = None
        for number, line in enumerate(lines):
            if line == "{" and number and lines[number - 1].rstrip().endswith(")"):
                start = number
            elif line.startswith("}") and start is not None:
                lengths.append(number - start + 1)
                start = None
    return sorted(lengths)


def count(pattern, paths):
    return sum(len(re.findall(pattern, split(read(path))[0])) for path in paths)


def crowded(*roots):
    folders = [folder for root in roots for folder, _, _ in os.walk(root)]
    sizes = [(len([n for n in os.listdir(f) if os.path.isfile(os.path.join(f, n))]), f) for f in folders]
    return "%d (%s)" % max(sizes, key=lambda item: (item[0], item[1]))


source, tool = files("src/**/*.[ch]"), files("cli/**/*.[ch]")
headers, tests = files("include/**/*.h"), files("tests/**/*.[ch]")
lines = lambda paths: sum(filled(read(path)) for path in paths)
lengths = function_lengths([path for path in source + tool if path.endswith(".c")])
percentile = lambda share: lengths[min(len(lengths) - 1, int(share * len(lengths)))]
sizes = sorted(read(path).count("\n") for path in source + tool if path.endswith(".c"))
asserts = count(r"(?<![\w])assert\s*\(", source)
rows = [
    ("files per folder, largest of src", crowded("src"), "at most 40"),
    ("files per folder, largest of cli", crowded("cli"), "at most 40"),
    ("files per folder, largest of tests, without data", crowded(*[d for d in glob.glob("tests/*") if d != "tests/data"]), "at most 40"),
    ("pages per folder, largest of docs", str(max(len(files("docs/*.md")), len(files("docs/methods/*.md")))), "at most 40"),
    ("lines of src + cli, without blank ones", f"{lines(source)} + {lines(tool)}", "fewer"),
    ("lines of tests, without blank ones", str(lines(tests)), "half of src + cli or more"),
    ("lines per .c file, median / largest", f"{statistics.median(sizes):.0f} / {sizes[-1]}", "near 250"),
    ("lines per function, median / p99 / largest",
     f"{statistics.median(lengths):.0f} / {percentile(0.99)} / {lengths[-1]}", "12 / 60 / 100"),
    ("assertions per 1000 lines of src", f"{1000 * asserts / lines(source):.1f}", "20"),
    ("comment share of public headers", f"{comment_share(headers):.0%}", "45 %"),
    ("comment share of src and cli", f"{comment_share(source + tool):.1%}", "10 % or more"),
    ("`crn_reserve` calls in src", str(count(r"\bcrn_reserve\w*\s*\(", source)), "fewer"),
    ("`free` calls in src", str(count(r"(?<![\w])free\s*\(", source)), "fewer"),
]
print("| measure | now | aim |\n|---|---|---|")
for row in rows:
    print("| %s | %s | %s |" % tuple(cell.replace("%", " %").replace("  %", " %") for cell in row))
END
