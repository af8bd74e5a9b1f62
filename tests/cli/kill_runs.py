"""Runs that are killed again and again and resumed each time end as one that was left alone.

    kill_runs.py CAIRN KILLS SCENE UNTIL CHECKPOINT [OPTIONS...]

Kills come at moments spread over the time that the undisturbed run took, drawn from a seeded generator, by SIGKILL from outside: before
the run file is there, between and within flushes and checkpoints, whatever they hit. Nothing depends on the machine's speed: a run that was
killed before its file or its first checkpoint was there begins again. The final states must be the same bytes, the summaries the same but
for wall times, and all datasets of the run files the same.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

cairn, kills, scene, until, interval, *options = sys.argv[1:]
BASE = [cairn, "run", scene, "--until", until, "--quiet", *options]
END = ["--json", "--save-state"]


def summary(command: list[str]) -> dict:
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
    found = json.loads(done.stdout)
    found.pop("wall_s")
    found.pop("run_file")
    found["settings"].pop("threads")
    return found


def remove() -> None:
    for name in os.listdir("."):
        if name.startswith("killed."):
            os.remove(name)


def start(attempt: int) -> list[str]:
    """The command that a user would type now, with another number of threads each time."""
    threads = ["--threads", str(1 + attempt % 3)]
    if os.path.exists("killed.h5.checkpoint") or os.path.exists("killed.h5.checkpoint-old"):
        return [cairn, "run", "--resume", "killed.h5", "--quiet", "--checkpoint", interval, *threads]
    remove()
    return [*BASE, "-o", "killed.h5", "--checkpoint", interval, *threads]


def kill_once(attempt: int, delay: float) -> bool:
    """Whether the run was still there to be killed."""
    process = subprocess.Popen(start(attempt), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    _, error = process.communicate()
    if process.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"{scene}, attempt {attempt}: exit status {process.returncode}: {error.decode()}")
    return process.returncode != 0


def compare_files() -> None:
    try:
        import h5py
        import numpy
    except ImportError:
        return
    with h5py.File("whole.h5") as whole, h5py.File("killed.h5") as killed:
        names: list[str] = []
        whole.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            a, b = whole[name][()], killed[name][()]
            if not numpy.array_equal(a, b, equal_nan=isinstance(a, numpy.ndarray) and a.dtype.kind == "f"):
                sys.exit(f"{scene}: dataset {name} differs")


def main() -> None:
    remove()
    began = time.monotonic()
    whole = summary([*BASE, "-o", "whole.h5", "--checkpoint", interval, *END, "whole.state"])
    length = time.monotonic() - began
    plain = summary([*BASE, "-o", "plain.h5", *END, "plain.state"])
    if plain != whole or open("plain.state", "rb").read() != open("whole.state", "rb").read():
        sys.exit(f"{scene}: checkpoints change the run")
    generator = random.Random(f"{scene} {kills}")
    hits = 0
    for attempt in range(5 * int(kills)):
        if hits == int(kills):
            break
        if kill_once(attempt, generator.uniform(0, 1.2 * length / (1 + attempt % 3))):
            hits += 1
        elif hits < int(kills):
            remove()  # the run was done: another one is to be killed
    if hits == 0:
        sys.exit(f"{scene}: no kill hit a run")
    last = [*start(0), *END, "killed.state"]
    if summary(last) != whole:
        sys.exit(f"{scene}: the summary of the resumed run differs")
    if open("killed.state", "rb").read() != open("whole.state", "rb").read():
        sys.exit(f"{scene}: the resumed run ends in another state")
    compare_files()
    print(f"{scene}: {hits} of {kills} kills hit, the same bits")


main()
