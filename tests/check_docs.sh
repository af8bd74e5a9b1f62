#!/bin/sh
# Links in the documents resolve, to files and to headings within them; docs/README.md lists every page; documents name only
# source files that exist, and sources and messages only pages that exist. Usage: check_docs.sh SOURCE_DIR [CAIRN_BINARY]
set -eu
if ! command -v python3 >/dev/null; then
    echo "skipped: python3 is missing"
    exit 77
fi
python3 - "$1" <<'END'
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
pages = sorted(glob.glob("*.md") + glob.glob("docs/**/*.md", recursive=True))
faults = []


def prose(path):
    """The text of a page without its fenced and indented code."""
    with open(path, encoding="utf-8") as stream:
        text = re.sub(r"^```.*?^```", "", stream.read(), flags=re.M | re.S)
    return "\n".join(line for line in text.split("\n") if not line.startswith("    "))


def anchors(path):
    """The explicit anchors of a page and the names that GitHub gives to its headings."""
    names = set(re.findall(r'<a id="([^"]+)"', prose(path)))
    for heading in re.findall(r"^#+ +(.*?) *$", prose(path), flags=re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = sum(re.fullmatch(re.escape(name) + r"(-\d+)?", other) is not None for other in names)
        names.add(f"{name}-{count}" if count else name)
    return names


links = {}
for page in pages:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        links.setdefault(page, set()).add(path)
        if not os.path.exists(path):
            faults.append(f"{page} links to {target}, which does not exist")
        elif anchor and path.endswith(".md") and anchor not in anchors(path):
            faults.append(f"{page} links to {target}, but {path} has no such heading")

FOLDERS = "src|cli|include|tests|tools|cmake|schema|viewer|benchmark"
NAMED = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})/[\w/-]+\.(?:c|h|py|sh|ts|mjs|cmake))(?!\w)")
for page in pages:
    if page != "CHANGELOG.md":
        for path in NAMED.findall(prose(page)):
            if not os.path.exists(path):
                faults.append(f"{page} names {path}, which does not exist")

for page in pages:
    if page.startswith("docs/") and page != "docs/README.md" and page not in links["docs/README.md"]:
        faults.append(f"docs/README.md does not list {page}")

for folder in ("include", "src", "cli", "tests", "scenes", "schema", "tools", "benchmark"):
    for path in glob.glob(folder + "/**/*", recursive=True):
        if path.endswith((".c", ".h", ".sh", ".py", ".yaml", ".json")):
            with open(path, encoding="utf-8", errors="replace") as stream:
                for page in re.findall(r"docs/[\w/-]+\.md", stream.read()):
                    if not os.path.exists(page):
                        faults.append(f"{path} names {page}, which does not exist")

if faults:
    sys.exit("\n".join(sorted(set(faults))))
assert len(pages) > 10
print(f"{len(pages)} pages, {sum(map(len, links.values()))} links")
END
