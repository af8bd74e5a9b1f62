#!/usr/bin/env python3
"""Makes the site: the chapters of the book with their pictures, all other pages, and the C interface.

Usage: tools/build_book.py [--cairn BINARY] [--output DIR] [--mkdocs PROGRAM]
       (default: build/cairn, build-book and an mkdocs that pip installs into DIR/venv; the site is DIR/site)

1. The chapters run (tools/run_chapters.py); this checks them and makes their pictures.
2. The pages are copied to DIR/pages, laid out as in the tree, together with the files that they link to. Each heading gets the
   name that GitHub gives it, so that links to headings work on both; pictures stand where a chapter asks for them.
3. MkDocs with the theme Material makes the site. The list of pages is that of docs/README.md.
4. Doxygen adds the C interface, from the comments of the headers.
5. Every link of the site is followed (tools/check_site.py).

`tools/install_packages.sh book` installs Doxygen and what else comes from Debian.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

import run_chapters

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
ROOT_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
ROW = re.compile(r"^\| \[(.+?)\]\(([\w/.-]+\.md)\) \|")
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


def staged_page(text):
    """A page for MkDocs: named headings, pictures in place of their comments."""
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
            line = f"![{picture[2]}]({picture[1]})\n\n*{picture[2]}*"
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


def copy_pictures(chapter, scratch, folder):
    for _, kind, _, name in run_chapters.parts(chapter):
        if kind == "picture":
            shutil.copyfile(os.path.join(scratch, os.path.basename(chapter)[:-3], name), os.path.join(folder, name))


def stage(pages, scratch):
    shutil.rmtree(pages, ignore_errors=True)
    write(os.path.join(pages, "docs", "book", "extra.css"), read(os.path.join(SOURCE, "docs", "book", "extra.css")))
    for page in page_paths():
        text = read(os.path.join(SOURCE, page))
        write(os.path.join(pages, page), staged_page(text))
        copy_linked_files(page, text, pages)
        if page.startswith("docs/book/"):
            copy_pictures(os.path.join(SOURCE, page), scratch, os.path.join(pages, "docs", "book"))


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
            {"C interface": "interface.md"}, {"Project": [{"Contributing": "CONTRIBUTING.md"}, {"Changes": "CHANGELOG.md"}]}]


def yaml_list(items, depth=0):
    """Nested lists of {title: page or list} as YAML."""
    text = ""
    for item in items:
        (title, value), = item.items()
        title = title[0].upper() + title[1:]
        quoted = "'" + title.replace("'", "''") + "'"
        text += "  " * depth + f"- {quoted}:" + (f" {value}\n" if isinstance(value, str) else "\n" + yaml_list(value, depth + 1))
    return text


def mkdocs_command(output):
    """MkDocs of the versions in docs/book/requirements.txt, installed by pip where it is not there yet."""
    venv = os.path.join(output, "venv")
    program = os.path.join(venv, "bin", "mkdocs")
    if not os.path.exists(program):
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        requirements = os.path.join(SOURCE, "docs", "book", "requirements.txt")
        subprocess.run([os.path.join(venv, "bin", "pip"), "install", "-q", "-r", requirements], check=True)
    return program


def build_pages(output, program):
    write(os.path.join(output, "pages", "interface.md"),
          "# The C interface\n\n[Functions, types and files](api/index.html), from the comments of the headers.\n")
    write(os.path.join(output, "pages", "api", "index.html"), "replaced by Doxygen\n")
    config = read(os.path.join(SOURCE, "docs", "book", "mkdocs.yml"))
    config += f"docs_dir: pages\nsite_dir: site\nnav:\n{yaml_list(navigation(), 1)}"
    write(os.path.join(output, "mkdocs.yml"), config)
    subprocess.run([program, "build", "--strict", "--quiet", "-f", os.path.join(output, "mkdocs.yml")], check=True)


def marked_comments(path):
    """A header with its plain comments marked for Doxygen: /** before a declaration, /**< behind one; cairn.h is the main page."""
    command = "@mainpage" if os.path.basename(path) == "cairn.h" else "@file"
    text = re.sub(r"\A/\*", f"/** {command}\n *", read(path))
    text = re.sub(r"^( *)/\*(?=\s)(?! *-{4})", r"\1/**", text, flags=re.M)
    return re.sub(r"^(.*\S.*?)/\* (?!@)", lambda match: match[0] if "*/" in match[1] else match[1] + "/**< ", text, flags=re.M)


def build_interface(output):
    program = shutil.which("doxygen")
    if not program:
        sys.exit("build_book.py: doxygen is missing; 'tools/install_packages.sh book' installs it")
    api = os.path.join(output, "site", "api")
    shutil.rmtree(api, ignore_errors=True)
    config = read(os.path.join(SOURCE, "docs", "book", "Doxyfile"))
    headers = os.path.join(SOURCE, "include", "cairn")
    config += (f'INPUT = "{headers}"\nSTRIP_FROM_PATH = "{os.path.dirname(headers)}"\nOUTPUT_DIRECTORY = "{api}"\n'
               f'INPUT_FILTER = "{sys.executable} {os.path.abspath(__file__)} --filter"\n')
    os.makedirs(api)
    subprocess.run([program, "-"], input=config, text=True, check=True)


def main():
    if sys.argv[1:2] == ["--filter"]:
        sys.stdout.write(marked_comments(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cairn", default=os.path.join(SOURCE, "build", "cairn"))
    parser.add_argument("--output", default=os.path.join(SOURCE, "build-book"))
    parser.add_argument("--mkdocs", help="another mkdocs, with the theme Material of version 9")
    options = parser.parse_args()
    output = os.path.abspath(options.output)
    if not os.path.exists(options.cairn):
        sys.exit(f"build_book.py: there is no program {options.cairn}; build it, or name it by --cairn")
    scratch = os.path.join(output, "scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    runner = os.path.join(SOURCE, "tools", "run_chapters.py")
    subprocess.run([sys.executable, runner, SOURCE, options.cairn, scratch], check=True)
    stage(os.path.join(output, "pages"), scratch)
    build_pages(output, options.mkdocs or mkdocs_command(output))
    build_interface(output)
    check_headings(output)
    subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "check_site.py"), os.path.join(output, "site")], check=True)
    print(f"the site is {output}/site; 'python3 -m http.server -d {output}/site' shows it, with search")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"build_book.py: '{' '.join(error.cmd)}' ended with status {error.returncode}")
