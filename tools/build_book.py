#!/usr/bin/env python3
"""Makes the site: the chapters of the book with their pictures, all other pages, and the interfaces of C and Python.

Usage: tools/build_book.py [--build BUILD_DIR] [--output DIR]
       (default: DIR is build-book, and BUILD_DIR is DIR/build, which is made; the site is DIR/site)

1. The library, the tool and the Python package are built and installed into DIR/prefix and DIR/venv.
2. The chapters run there (tools/run_chapters.py); this checks them and makes their pictures.
3. The pages are copied to DIR/pages, laid out as in the tree, together with the files that they link to. Each heading gets the
   name that GitHub gives it, so that links to headings work on both; pictures stand where a chapter asks for them.
4. MkDocs with the theme Material makes the site. The list of pages is that of docs/README.md.
5. Doxygen and mkdocstrings add the interfaces (tools/book_interfaces.py).
6. Every link of the site is followed (tools/check_site.py).

./book installs what comes from Debian and calls this program; pip gets the rest (docs/book/requirements.txt).
"""
import argparse
import html
import os
import re
import shutil
import subprocess
import sys

import book_interfaces
import run_chapters

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
ROW = re.compile(r"^\| \[(.+?)\]\(([\w/.-]+\.md)\) \|")
VIEWS = set() # pages of the viewer that were made
GROUP = re.compile(r"^\| \*\*(.+?)\*\* \|")


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def outside_fences(text):
    """The lines of a page, each with whether it is outside of fenced code."""
    outside = True
    for line in text.split("\n"):
        fence = line.startswith("```")
        yield line, outside and not fence
        outside ^= fence


def heading_name(heading, taken):
    """GitHub's name of a heading: lower case, no punctuation, blanks become dashes, repeated ones are numbered."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").lower()
    name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
    count = taken.get(name, 0)
    taken[name] = count + 1
    return f"{name}-{count}" if count else name


def shown(kind, name, caption, chapter):
    """What stands in the place of a comment that asks for a picture or a view; nothing for a view that could not be made."""
    if kind == "picture":
        return f"![{caption}](pictures/{chapter}-{name})\n\n*{caption}*\n"
    page = view_page(chapter, name)
    return f'<iframe src="{page}" title="{html.escape(caption)}" loading="lazy"></iframe>\n\n*{caption}*\n' if page in VIEWS else ""


def staged_page(text, chapter=""):
    """A page for MkDocs: named headings, pictures and views in place of their comments."""
    lines, taken = [], {}
    for line, outside in outside_fences(text):
        heading = outside and re.fullmatch(r"(#+) +(.*?) *", line)
        picture = outside and run_chapters.PICTURE.match(line)
        fence = run_chapters.FENCE.match(line)
        if fence and fence[2]: # MkDocs knows no word but the title
            line = f"```{fence[1]} " + "".join(re.findall(r'title="[^"]*"', fence[2]))
        elif heading:
            line = f"{line} {{#{heading_name(heading[2], taken)}}}"
        elif picture:
            line = shown(*picture.groups(), chapter)
        lines.append(line)
    return "\n".join(lines)


def check_headings(output):
    """Every heading of every page is one in the site: none was swallowed by what stands above it."""
    for page in page_paths():
        name = re.sub(r"README\.md$", "index.md", page)[:-3] + ".html"
        made = read(os.path.join(output, "site", name))
        for heading in re.findall(r"^#+ .*\{#(.*)\}$", read(os.path.join(output, "pages", page)), flags=re.M):
            if not re.search(rf'<h\d id="?{re.escape(heading)}"?[ >]', made):
                sys.exit(f"build_book.py: the site's {name} lacks the heading #{heading} of {page}")


def page_paths():
    """All pages of the tree, relative to it."""
    found = list(ROOT_PAGES)
    for folder, _, names in os.walk(os.path.join(SOURCE, "docs")):
        found += [os.path.relpath(os.path.join(folder, name), SOURCE) for name in names if name.endswith(".md")]
    return sorted(found)


def copy_linked_files(page, text, pages):
    """Files other than pages that a page links to: pictures, headers, sources."""
    for target in LINK.findall(text):
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        source = os.path.join(SOURCE, path)
        if not re.match(r"[a-z]+:", target) and not path.endswith(".md") and os.path.isfile(source):
            os.makedirs(os.path.dirname(os.path.join(pages, path)), exist_ok=True)
            shutil.copyfile(source, os.path.join(pages, path))


def view_page(chapter, name):
    return f"views/{chapter}-{name[:-3]}.html"


def make_view(cairn, run, page):
    """The viewer's page of a run, if this build of the tool has the viewer."""
    os.makedirs(os.path.dirname(page), exist_ok=True)
    done = subprocess.run([cairn, "view", run, "--html", page], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"build_book.py: no view of {os.path.basename(run)}: {done.stderr.strip()}")
    return done.returncode == 0


def make_pictures(chapter, cairn, scratch, folder):
    """Copies the pictures of a chapter, and makes the pages of its views."""
    name = os.path.basename(chapter)[:-3]
    for _, kind, _, file in run_chapters.parts(chapter):
        source = os.path.join(scratch, name, str(file))
        if kind == "picture":
            os.makedirs(os.path.join(folder, "pictures"), exist_ok=True)
            shutil.copyfile(source, os.path.join(folder, "pictures", f"{name}-{file}"))
        elif kind == "view" and make_view(cairn, source, os.path.join(folder, view_page(name, file))):
            VIEWS.add(view_page(name, file))


def stage(pages, cairn, scratch):
    shutil.rmtree(pages, ignore_errors=True)
    write(os.path.join(pages, "docs", "book", "extra.css"), read(os.path.join(SOURCE, "docs", "book", "extra.css")))
    for page in page_paths():
        text = read(os.path.join(SOURCE, page))
        if page.startswith("docs/book/"):
            make_pictures(os.path.join(SOURCE, page), cairn, scratch, os.path.join(pages, "docs", "book"))
        write(os.path.join(pages, page), staged_page(text, os.path.basename(page)[:-3]))
        copy_linked_files(page, text, pages)


def navigation():
    """The list of pages, from the tables of docs/README.md: the book first, then the reference by groups."""
    book, groups = [], []
    for line in read(os.path.join(SOURCE, "docs", "README.md")).split("\n"):
        row, group = ROW.match(line), GROUP.match(line)
        if row and row[2].startswith("book/"):
            book.append({row[1]: "docs/" + row[2]})
        elif row:
            groups[-1][1].append({row[1]: "docs/" + row[2]})
        elif group and line.endswith("| |") and line.count("|") == 3:
            groups.append((group[1], []))
    reference = [{name: entries} for name, entries in groups if entries]
    return [{"Home": "README.md"}, {"Book": book}, {"Reference": [{"All pages": "docs/README.md"}] + reference},
            {"Interfaces": [{"C": "interface.md"}, {"Python": "python-interface.md"}]},
            {"Project": [{"Contributing": "CONTRIBUTING.md"}, {"Changes": "CHANGELOG.md"}]}]


def yaml_list(items, depth=0):
    """Nested lists of {title: page or list} as YAML."""
    text = ""
    for item in items:
        (title, value), = item.items()
        title = title[0].upper() + title[1:]
        quoted = "'" + title.replace("'", "''") + "'"
        text += "  " * depth + f"- {quoted}:" + (f" {value}\n" if isinstance(value, str) else "\n" + yaml_list(value, depth + 1))
    return text


def build_program(build):
    """Cairn, built into a directory of its own, without tests; with the viewer if Node is there."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCAIRN_TESTS=OFF", "-DCAIRN_VIEWER=AUTO"]
    subprocess.run(["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", *options], stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cmake", "--build", build, "--", "--quiet"], check=True)


def install_requirements(venv):
    """A virtual environment with MkDocs and what the chapters on Python need; made anew when the list has changed."""
    requirements, complete = os.path.join(SOURCE, "docs", "book", "requirements.txt"), os.path.join(venv, "complete.txt")
    if os.path.exists(complete) and read(complete) == read(requirements):
        return
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    if subprocess.run([os.path.join(venv, "bin", "pip"), "install", "-q", "-r", requirements], check=False).returncode:
        print("build_book.py: pip cannot install what the site needs (docs/book/requirements.txt)", file=sys.stderr)
        sys.exit(77) # for tests, which cannot mend it
    shutil.copyfile(requirements, complete)


def install_package(build, output):
    """The Python package in the virtual environment, linked with the library that was built."""
    prefix = os.path.join(output, "prefix")
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], stdout=subprocess.DEVNULL, check=True)
    environment = dict(os.environ, CMAKE_GENERATOR="Ninja", CMAKE_PREFIX_PATH=prefix)
    settings = ["-C", "cmake.define.CAIRN_INSTALLED=ON", "-C", "build-dir=" + os.path.join(output, "package")]
    subprocess.run([os.path.join(output, "venv", "bin", "pip"), "install", "-q", "--no-deps", "--no-build-isolation",
                    "--force-reinstall", *settings, os.path.join(SOURCE, "python")], env=environment, check=True)


def run_all_chapters(build, output):
    scratch, tools = os.path.join(output, "scratch"), os.path.join(output, "venv", "bin")
    shutil.rmtree(scratch, ignore_errors=True)
    subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "run_chapters.py"), SOURCE, os.path.join(build, "cairn"), scratch,
                    *run_chapters.chapter_names(SOURCE)], env=dict(os.environ, PATH=tools + ":" + os.environ["PATH"]), check=True)
    return scratch


def build_pages(output):
    pages = os.path.join(output, "pages")
    write(os.path.join(pages, "interface.md"), book_interfaces.c_page())
    for target in re.findall(r"\((api/[\w.]+)\)", book_interfaces.c_page()):
        write(os.path.join(pages, target), "replaced by Doxygen\n")
    write(os.path.join(pages, "python-interface.md"), book_interfaces.python_page())
    config = read(os.path.join(SOURCE, "docs", "book", "mkdocs.yml"))
    config = config.replace("PYTHON_PATH", os.path.dirname(book_interfaces.PACKAGE))
    config += f"docs_dir: pages\nsite_dir: site\nnav:\n{yaml_list(navigation(), 1)}"
    write(os.path.join(output, "mkdocs.yml"), config)
    subprocess.run([os.path.join(output, "venv", "bin", "mkdocs"), "build", "--strict", "--quiet", "-f",
                    os.path.join(output, "mkdocs.yml")], env=dict(os.environ, NO_MKDOCS_2_WARNING="1"), check=True)
    book_interfaces.build_c_interface(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="a build directory of Cairn, with everything built")
    parser.add_argument("--output", default=os.path.join(SOURCE, "build-book"))
    options = parser.parse_args()
    output = os.path.abspath(options.output)
    build = os.path.abspath(options.build or os.path.join(output, "build"))
    if not options.build:
        build_program(build)
    install_requirements(os.path.join(output, "venv"))
    install_package(build, output)
    stage(os.path.join(output, "pages"), os.path.join(build, "cairn"), run_all_chapters(build, output))
    build_pages(output)
    check_headings(output)
    subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "check_site.py"), os.path.join(output, "site")], check=True)
    print(f"the site is {output}/site; 'python3 -m http.server -d {output}/site' shows it, with search")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"build_book.py: '{' '.join(error.cmd)}' ended with status {error.returncode}")
