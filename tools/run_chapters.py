#!/usr/bin/env python3
"""Runs the chapters of the book: what a reader would type is typed, and what the page shows must come out.

Usage: run_chapters.py SOURCE_DIR CAIRN_BINARY SCRATCH_DIR [CHAPTER...]      (default: all chapters that this machine can run)

Every chapter NAME of docs/book runs in the folder SCRATCH_DIR/NAME, from its first block to its last. The word after the fence
says what a block is:

    ```yaml title="puck.yaml"    a file: written under its title; so are c, python and all others with a title
    ```sh                        commands: run by bash, which stops at the first that fails
    ```sh status=2               the same; its exit status must be 2
    ```text                      what the commands above print, standard output and errors together
    ```... ignore                not run: for what a chapter shows but cannot do, such as opening a browser

In a text, "..." stands for any part of a line, and a line of "..." for any number of lines. Blanks count as one. Two numbers agree
within 0.1 % or one unit of the last decimal shown, since a page shows rounded ones; whole numbers are counts and agree exactly;
numbers below 1e-9 are rounding errors that agree with each other. A check that readers do not see compares with a truth:

    <!-- check 0.6796 within 0.0025: COMMAND -->        COMMAND prints one number

Inside, "cairn" is the binary given, and pkg-config finds the library beside it. Pictures stay in the folder; a page asks for one by
<!-- picture NAME: caption -->, and it is a fault if the commands have not made it. <!-- view RUN.h5: caption --> asks for a run
file in the same way; the site shows it in the viewer.

A chapter with the line <!-- modules cairn, matplotlib --> needs a python3 on the path that has these modules. Without them it is
skipped with a sentence; a chapter that was asked for by its name fails.
"""
import os
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(\w*)(.*)$")
CHECK = re.compile(r"^<!-- check (\S+) within (\S+): (.*) -->$")
PICTURE = re.compile(r"^<!-- (picture|view) ([\w.-]+): (.*) -->$")
MODULES = re.compile(r"^<!-- modules ([\w, ]+) -->$", re.M)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TIMEOUT = 120


class Fault(Exception):
    """A sentence about what is wrong with a chapter."""


def parts(path):
    """The blocks, checks and pictures of a page in order: (line, kind, rest, text)."""
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    i = 0
    while i < len(lines):
        start, fence = i, FENCE.match(lines[i])
        if fence:
            i += 1
            while i < len(lines) and lines[i] != "```":
                i += 1
            if i == len(lines):
                raise Fault(f"{path}:{start + 1}: the block does not end")
            yield start + 1, fence[1], fence[2].strip(), "\n".join(lines[start + 1 : i])
        elif check := CHECK.match(lines[i]):
            yield start + 1, "check", (check[1], check[2]), check[3]
        elif picture := PICTURE.match(lines[i]):
            yield start + 1, picture[1], picture[3], picture[2]
        elif lines[i].startswith(("<!-- check", "<!-- picture", "<!-- view")):
            raise Fault(f"{path}:{start + 1}: not understood: {lines[i]}")
        i += 1


def unit(text):
    """The unit of the last decimal of a number, 0.01 for 3.14; 0 of one that has none."""
    mantissa, _, exponent = text.lower().partition("e")
    return 0 if "." not in mantissa else 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def same_number(shown, found):
    a, b = float(shown), float(found)
    if re.fullmatch(r"[-+]?\d+", shown) and a:
        return a == b
    return abs(a - b) <= max(1e-3 * abs(a), 1.001 * unit(shown), 1e-9)


def same_line(shown, found):
    """Whether a line of output is the one shown: the words alike, the numbers close."""
    shown, found = " ".join(shown.split()), " ".join(found.split())
    pattern = ""
    for piece in re.split(r"(\.\.\.)", shown):
        if piece == "...":
            pattern += ".*"
            continue
        at = 0
        for number in NUMBER.finditer(piece):
            pattern += re.escape(piece[at : number.start()]) + f"({NUMBER.pattern})"
            at = number.end()
        pattern += re.escape(piece[at:])
    match = re.fullmatch(pattern, found)
    numbers = [n for piece in shown.split("...") for n in NUMBER.findall(piece)]
    return match is not None and all(map(same_number, numbers, match.groups()))


def same_text(shown, found):
    """Whether all lines agree; a line of dots skips as few lines as it can."""
    if not shown:
        return not found
    if shown[0].strip() == "...":
        return any(same_text(shown[1:], found[i:]) for i in range(len(found) + 1))
    return bool(found) and same_line(shown[0], found[0]) and same_text(shown[1:], found[1:])


def shell(command, folder, environment):
    done = subprocess.run(["bash", "-euc", "set -o pipefail; " + command], cwd=folder, env=environment, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def run_commands(rest, text, folder, environment):
    wanted = re.fullmatch(r"(?:status=(\d+))?", rest)
    if not wanted:
        raise Fault(f"the block's words '{rest}' are not understood")
    status, output = shell(text, folder, environment)
    if status != int(wanted[1] or 0):
        raise Fault(f"status {status} of\n{text}\n{output}")
    return output


def check_number(truth, command, folder, environment):
    status, output = shell(command, folder, environment)
    if status or not NUMBER.fullmatch(output.strip()):
        raise Fault(f"'{command}' does not print one number, but\n{output}")
    if not abs(float(output) - float(truth[0])) <= float(truth[1]):
        raise Fault(f"'{command}' prints {output.strip()}, not {truth[0]} within {truth[1]}")


def write_file(rest, text, folder):
    title = re.search(r'title="([\w.-]+)"', rest)
    if not title:
        raise Fault("a block that is neither sh nor text needs a title or the word 'ignore'")
    with open(os.path.join(folder, title[1]), "w", encoding="utf-8") as stream:
        stream.write(text + "\n")


def run_part(kind, rest, text, folder, environment, output):
    """Does what one part of a page says; returns what was printed and not yet shown."""
    if kind == "check":
        check_number(rest, text, folder, environment)
    elif kind in ("picture", "view"):
        if not os.path.exists(os.path.join(folder, text)):
            raise Fault(f"no command has made {text}")
    elif kind == "sh":
        return run_commands(rest, text, folder, environment)
    elif kind == "text" and "title=" not in rest:
        if output is None:
            raise Fault("there is no command whose output this is")
        if not same_text(text.split("\n"), output.rstrip("\n").split("\n")):
            raise Fault(f"the page shows\n{text}\n----- but the commands print\n{output}")
        return None
    else:
        write_file(rest, text, folder)
    return output


def run_chapter(path, folder, environment):
    os.makedirs(folder, exist_ok=True)
    output, count = None, 0
    for line, kind, rest, text in parts(path):
        if kind not in ("check", "picture", "view") and rest.split()[-1:] == ["ignore"]:
            continue
        try:
            output = run_part(kind, rest, text, folder, environment, output)
        except (Fault, subprocess.TimeoutExpired) as fault:
            raise Fault(f"{path}:{line}: {fault}") from None
        count += 1
    return count


def reader_environment(source, cairn, scratch):
    """The environment of a reader who has installed the library: cairn and the compiler CC, as cc, on the path, cairn.pc where
    pkg-config looks."""
    build, tools = os.path.dirname(cairn), os.path.join(scratch, "reader")
    os.makedirs(tools, exist_ok=True)
    for name, program in (("cairn", cairn), ("cc", shutil.which(os.environ.get("CC", "cc")))):
        link = os.path.join(tools, name)
        if os.path.lexists(link):
            os.remove(link)
        if program:
            os.symlink(program, link)
    flags = os.environ.get("CAIRN_TEST_CFLAGS", "")
    with open(os.path.join(tools, "cairn.pc"), "w", encoding="utf-8") as stream:
        stream.write(f"Name: cairn\nDescription: the library of this tree\nVersion: 0\nCflags: -I{source}/include {flags}\n"
                     f"Libs: -L{build} -Wl,-rpath,{build} -lcairn {flags}\n")
    return dict(os.environ, PATH=tools + ":" + os.environ["PATH"], PKG_CONFIG_PATH=tools, LC_ALL="C.UTF-8", COLUMNS="120")


def chapter_names(source):
    return sorted(name[:-3] for name in os.listdir(os.path.join(source, "docs", "book")) if name.endswith(".md"))


def missing_modules(path, environment):
    """The Python modules that a chapter needs and python3 does not have."""
    with open(path, encoding="utf-8") as stream:
        wanted = MODULES.search(stream.read())
    names = re.findall(r"\w+", wanted[1]) if wanted else []
    find = "import importlib.util as u, sys; print(*(name for name in sys.argv[1:] if not u.find_spec(name)))"
    return subprocess.check_output(["python3", "-c", find, *names], env=environment, text=True).strip() if names else ""


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    source, cairn, scratch = (os.path.abspath(path) for path in sys.argv[1:4])
    environment = reader_environment(source, cairn, scratch)
    faults = 0
    for name in sys.argv[4:] or chapter_names(source):
        path = os.path.join(source, "docs", "book", name + ".md")
        try:
            missing = missing_modules(path, environment)
            if missing and sys.argv[4:]:
                raise Fault(f"{path}: python3 lacks the modules that this chapter needs: {missing}")
            if missing:
                print(f"{name}: skipped, since python3 lacks the modules that it needs: {missing}")
                continue
            count = run_chapter(path, os.path.join(scratch, name), environment)
            print(f"{name}: {count} parts", flush=True)
        except Fault as fault:
            print(fault, file=sys.stderr)
            faults += 1
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
