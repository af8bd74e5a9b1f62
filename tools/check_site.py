#!/usr/bin/env python3
"""Links and pictures of a site resolve within it, headings included; nothing is loaded from elsewhere; search knows every page.

Usage: check_site.py SITE_DIR      (pages of Doxygen, in api/, and of the viewer, in views/, may be linked to, but are not examined)
"""
import html
import json
import os
import re
import sys
from urllib.parse import unquote

TAG = re.compile(r'<(\w+)\b[^>]*?\s(href|src)="?([^"\s>]+)')
NAME = re.compile(r'\s(?:id|name)="?([^"\s>]+)')


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def pages(site):
    for folder, folders, names in os.walk(site):
        folders[:] = [name for name in folders if name not in ("api", "views")]
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".html") and name != "404.html")


def fault(page, tag, target, names):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z]+:|//", target):
        return None if tag == "a" or target.startswith("data:") else f"loads {target} from elsewhere"
    path, _, heading = target.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if os.path.isdir(file):
        file = os.path.join(file, "index.html")
    if not os.path.exists(file):
        return f"links to {target}, which does not exist"
    if heading and file.endswith(".html"):
        if file not in names:
            names[file] = set(NAME.findall(read(file)))
        if heading not in names[file]:
            return f"links to {target}, which has no such heading"
    return None


def unsearchable(site):
    """The pages that are not in the index of the search."""
    index = json.loads(read(os.path.join(site, "search", "search_index.json")))
    known = {entry["location"].partition("#")[0] or "index.html" for entry in index["docs"]}
    return [page for page in (os.path.relpath(path, site) for path in pages(site)) if page not in known]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site, names, faults, count = os.path.abspath(sys.argv[1]), {}, [], 0
    for page in pages(site):
        for tag, _, target in TAG.findall(read(page)):
            count += 1
            text = fault(page, tag, unquote(html.unescape(target)), names)
            if text:
                faults.append(f"{os.path.relpath(page, site)} {text}")
    faults += [f"{page} is unknown to the search" for page in unsearchable(site)]
    if faults or not count:
        sys.exit("\n".join(sorted(set(faults))) or f"check_site.py: there are no pages in {site}")
    print(f"{count} links of the site resolve, and search knows its pages")


if __name__ == "__main__":
    main()
