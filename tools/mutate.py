#!/usr/bin/env python3
"""Breaks the library on purpose, one small change at a time, and counts how many of the changes the fast tests notice.

The changes are kept in tests/mutations/ROOM.txt, one file a room of src/. Each is a record of `key: value` lines, records
apart by an empty line:

    breaks: what is wrong then, in a few words
    file: src/step/events/hermite.c
    after: static void some_function     the text is looked for after this one; needed where it is not unique
    old: the exact text, part of one line
    new: what stands there instead
    tests: test_events                   those expected to notice; they run first
    equivalent: why nobody can notice    such a change is listed, not run

The tree is copied below the build directory and built there once, the tests linked with a shared library, so that a change
costs one compilation and one link. The checkout is never touched. A text that is no longer found is an error: the list is
to be kept current, or the record dropped.

    tools/mutate.py --build DIR [--room step] [--only 3,7-9] [--jobs N] [--hints] [--keep-going]
    tools/mutate.py --list | --check
"""
import argparse
import concurrent.futures
import json
import os
import queue
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
LEAST = {"step": 0.90, "formulate": 0.90}  # share to be noticed
LEAST_ELSEWHERE = 0.85
COPIED = ["CMakeLists.txt", "cli", "cmake", "demo", "docs", "examples", "include", "schema", "scenes", "src", "tests", "tools", "viewer", "README.md"]
# Not for this: pages, packages, documents, and what is about time or kills of processes rather than numbers.
LEFT_OUT = re.compile(r"^(package|viewer_.*|check_.*|mutations|cli_view.*)$")


class Mutation:
    def __init__(self, room, number, fields, where):
        self.room, self.number, self.where = room, number, where
        unknown = set(fields) - {"breaks", "file", "after", "old", "new", "tests", "equivalent"}
        missing = {"breaks", "file", "old", "new"} - set(fields)
        if unknown or missing:
            sys.exit(f"{where}: unknown or missing fields: {', '.join(sorted(unknown | missing))}")
        self.breaks, self.file = fields["breaks"], fields["file"]
        self.after, self.old, self.new = fields.get("after"), fields["old"], fields["new"]
        self.tests, self.equivalent = fields.get("tests", "").split(), fields.get("equivalent")

    @property
    def name(self):
        return f"{self.room} {self.number}"

    def apply(self, text):
        """The changed text, or a sentence that says why there is none."""
        start = 0
        if self.after is not None:
            start = text.find(self.after)
            if start < 0:
                return None, f"{self.where}: {self.file} has no text '{self.after}'"
        at = text.find(self.old, start)
        if at < 0:
            return None, f"{self.where}: {self.file} has no text '{self.old}'{' after it' if self.after else ''}"
        if self.after is None and text.find(self.old, at + 1) >= 0:
            return None, f"{self.where}: '{self.old}' is not unique in {self.file}; say after which text"
        return text[:at] + self.new + text[at + len(self.old):], None


def read_records(path):
    fields, first = {}, 0
    lines = path.read_text().splitlines() + [""]
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if fields:
                yield first, fields
            fields = {}
            continue
        key, colon, value = line.partition(":")
        if not colon or key in fields:
            sys.exit(f"{path}:{number}: expected one 'key: value' a line, each key once")
        first = first if fields else number
        fields[key] = value[1:] if value.startswith(" ") else value


def read_mutations():
    found = []
    for path in sorted((SOURCE / "tests/mutations").glob("*.txt")):
        for number, (line, fields) in enumerate(read_records(path), 1):
            found.append(Mutation(path.stem, number, fields, f"tests/mutations/{path.name}:{line}"))
    return found


def check_texts(mutations):
    faults = []
    for m in mutations:
        path = SOURCE / m.file
        text = path.read_text() if path.is_file() else ""
        changed, fault = m.apply(text) if text else (None, f"{m.where}: there is no file {m.file}")
        if fault or changed == text:
            faults.append(fault or f"{m.where}: old and new are the same")
    return faults


# ------------------------------------------------------------------------------------------------------------ the tree


class Tree:
    """A copy of the project, built once, in which one change at a time is tried."""

    def __init__(self, root):
        self.source, self.build = root / "source", root / "build"
        self.tests = {}

    def prepare(self):
        self.source.mkdir(parents=True, exist_ok=True)
        for name in COPIED:
            copy_newer(SOURCE / name, self.source / name)
        environment = dict(os.environ, CCACHE_NOHASHDIR="1", CCACHE_BASEDIR=str(self.source.parent))
        command = ["cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                   "-DCAIRN_SHARED_TESTS=ON", "-DCAIRN_VIEWER=OFF", "-DCAIRN_BENCH=OFF", "-DCAIRN_WERROR=OFF"]
        if shutil.which("ccache"):
            command.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
        run_or_die(command, environment)
        run_or_die(["cmake", "--build", str(self.build)], environment)
        shown = subprocess.run(["ctest", "--test-dir", str(self.build), "--show-only=json-v1"], capture_output=True,
                               text=True, check=True)
        for test in json.loads(shown.stdout)["tests"]:
            if not LEFT_OUT.match(test["name"]):
                self.tests[test["name"]] = Test(test)

    def build_library(self):
        return subprocess.run(["cmake", "--build", str(self.build), "--target", "cairn_static"], capture_output=True,
                              text=True).returncode == 0

    def try_one(self, m, order):
        """'killed by X', 'survived', or 'does not compile'."""
        path = self.source / m.file
        original = path.read_text()
        try:
            path.write_text(m.apply(original)[0])
            if not self.build_library():
                return "does not compile"
            for name in order:
                if not self.tests[name].passes():
                    return f"killed by {name}"
            return "survived"
        finally:
            path.write_text(original)


class Test:
    def __init__(self, shown):
        properties = {p["name"]: p["value"] for p in shown.get("properties", [])}
        self.name, self.command = shown["name"], shown["command"]
        self.directory = properties.get("WORKING_DIRECTORY", ".")
        self.environment = {k: v for k, v in os.environ.items() if k != "CAIRN_LONG"}
        self.environment.update(dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", [])))
        self.seconds = 60.0

    def passes(self):
        try:
            done = subprocess.run(self.command, cwd=self.directory, env=self.environment, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=30 + 10 * self.seconds)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode in (0, 77)

    def measure(self):
        """Whether it passes as it is; its processor time, which does not depend on what else the machine does."""
        start = processor_time()
        passed = self.passes()
        self.seconds = processor_time() - start
        return passed


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def copy_newer(source, target):
    if source.is_dir():
        for path in source.rglob("*"):
            if path.is_file() and "node_modules" not in path.parts:
                copy_newer(path, target / path.relative_to(source))
        for path in target.rglob("*") if target.is_dir() else []:
            if path.is_file() and not (source / path.relative_to(target)).exists():
                path.unlink()
    elif source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def run_or_die(command, environment):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


# --------------------------------------------------------------------------------------------------------- the score


def usable_tests(tree, longest, wanted=None):
    """Names in order of their time; those that fail as it is, or take too long, are told and left out."""
    names = []
    for name, test in tree.tests.items():
        if wanted is not None and name not in wanted:
            continue
        if not test.measure():
            print(f"left out, fails without any change: {name}", flush=True)
        elif test.seconds > longest:
            print(f"left out, takes {test.seconds:.0f} s: {name}", flush=True)
        else:
            names.append(name)
    return sorted(names, key=lambda n: tree.tests[n].seconds)


class Order:
    """Which tests first: those of the record, those that noticed something in this room before, then by time."""

    def __init__(self, names):
        self.names, self.luck = names, {}

    def of(self, m):
        known = self.luck.setdefault(m.room, {})
        first = [n for n in m.tests if n in self.names]
        return first + sorted((n for n in self.names if n not in first), key=lambda n: -known.get(n, 0))

    def note(self, m, outcome):
        if outcome.startswith("killed by "):
            known = self.luck.setdefault(m.room, {})
            known[outcome[10:]] = known.get(outcome[10:], 0) + 1


def run_all(mutations, trees, order):
    free = queue.Queue()
    for tree in trees:
        free.put(tree)

    def one(m):
        tree = free.get()
        try:
            outcome = "equivalent" if m.equivalent else tree.try_one(m, order.of(m))
        finally:
            free.put(tree)
        order.note(m, outcome)
        print(f"{m.name:14} {outcome:34} {m.file}: {m.breaks}", flush=True)
        return outcome

    with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(one, mutations))


def print_table(mutations, outcomes):
    """The score by room; whether all reach their least share."""
    good = True
    print(f"\n{'room':12} {'killed':>7} {'survived':>9} {'equivalent':>11} {'share':>7} {'least':>7}")
    for room in sorted({m.room for m in mutations}):
        mine = [o for m, o in zip(mutations, outcomes) if m.room == room]
        killed = sum(o.startswith("killed") for o in mine)
        survived, equivalent = mine.count("survived"), mine.count("equivalent")
        share = killed / (killed + survived) if killed + survived else 1.0
        least = LEAST.get(room, LEAST_ELSEWHERE)
        good = good and share >= least and "does not compile" not in mine
        print(f"{room:12} {killed:7} {survived:9} {equivalent:11} {share:7.0%} {least:7.0%}")
    killed = sum(o.startswith("killed") for o in outcomes)
    print(f"{killed} of {killed + outcomes.count('survived')} changes noticed, {outcomes.count('equivalent')} equivalent, "
          f"{outcomes.count('does not compile')} that do not compile")
    return good


def wanted(text):
    numbers = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def main():
    parser = argparse.ArgumentParser(description="How many small mistakes in src/ the fast tests notice.")
    parser.add_argument("--build", type=Path, help="directory for the copies of the tree and their builds")
    parser.add_argument("--room", help="mutations of these rooms alone, apart by commas")
    parser.add_argument("--only", help="these numbers alone, as 3,7-9")
    parser.add_argument("--jobs", type=int, default=1, help="how many copies work at the same time")
    parser.add_argument("--longest", type=float, default=6, help="s of processor time: tests that take longer are left out")
    parser.add_argument("--hints", action="store_true", help="only the tests that the records name")
    parser.add_argument("--keep-going", action="store_true", help="leave out those whose text is not found; fails all the same")
    parser.add_argument("--list", action="store_true", help="print the mutations and end")
    parser.add_argument("--check", action="store_true", help="only check that every text is found")
    options = parser.parse_args()
    mutations = read_mutations()
    if options.room:
        mutations = [m for m in mutations if m.room in options.room.split(",")]
    if options.only:
        mutations = [m for m in mutations if m.number in wanted(options.only)]
    faults = check_texts(mutations)
    print(*faults, sep="\n", end="\n" if faults else "")
    if options.list:
        for m in mutations:
            print(f"{m.name:14} {m.file}: {m.breaks}{' (equivalent: ' + m.equivalent + ')' if m.equivalent else ''}")
    if options.list or options.check or (faults and not options.keep_going):
        return 1 if faults else 0
    mutations = [m for m in mutations if not check_texts([m])]
    if not options.build:
        sys.exit("--build: where the copies of the tree may be built is missing")
    trees = [Tree(options.build.resolve() / f"tree{i}") for i in range(max(1, options.jobs))]
    for tree in trees:
        tree.prepare()
    named = {n for m in mutations for n in m.tests} if options.hints else None
    names = usable_tests(trees[0], options.longest, named)
    for tree in trees[1:]:
        for name, test in tree.tests.items():
            test.seconds = trees[0].tests[name].seconds
    outcomes = run_all(mutations, trees, Order(names))
    return 0 if print_table(mutations, outcomes) and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
