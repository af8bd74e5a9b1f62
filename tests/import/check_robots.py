"""Robots at work, from files of other programs: scenes in tests/import/robots.

Usage: check_robots.py CAIRN FOLDER

Every run is certified: no step misses its tolerance, and the audit finds nothing. MuJoCo's humanoid falls; held upright by servos, its feet
creep by less than 1e-6 m in 10 s. An arm and a gripper with closed loops hold a box by friction; while the arm rests, the box does not move
in its hand.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

CAIRN, FOLDER = sys.argv[1], sys.argv[2]
CREEP = 1e-6  # m
failures = 0


def check(what, right):
    global failures
    if not right:
        failures += 1
        print(f"FAILED: {what}")


def run(scene, folder):
    """The poses of all bodies by name, each a list of (t, x, q)."""
    path = os.path.join(folder, "run.h5")
    command = [CAIRN, "run", os.path.join(FOLDER, scene), "-o", path, "--json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    check(f"{scene} is done", told["status"] == "done")
    check(f"{scene} misses no tolerance", told["solver"]["missed"] == 0 and told["solver"]["limited"] == 0)
    check(f"{scene} has no violations", told["physics"]["violations"] == 0)
    text = subprocess.run([CAIRN, "export", path, "--csv", "-o", "-"], check=True, capture_output=True, text=True).stdout
    poses = {}
    for row in csv.reader(io.StringIO(text)):
        if row[0] != "frame":
            numbers = [float(x) for x in (row[1], *row[3:10])]
            poses.setdefault(row[2], []).append((numbers[0], numbers[1:4], numbers[4:8]))
    return poses


def at(poses, name, t):
    return min(poses[name], key=lambda pose: abs(pose[0] - t))


def turn_back(q, v):
    """v in the frame of a body with the orientation q."""
    w, x, y, z = q[0], -q[1], -q[2], -q[3]
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


def seen_from(poses, name, frame, t):
    """Where a body is in the frame of another; None: the world."""
    x = at(poses, name, t)[1]
    if not frame:
        return x
    _, origin, q = at(poses, frame, t)
    return turn_back(q, [a - b for a, b in zip(x, origin)])


def creep(poses, name, frame, begin, end):
    a, b = seen_from(poses, name, frame, begin), seen_from(poses, name, frame, end)
    return max(abs(x - y) for x, y in zip(a, b))


def main():
    with tempfile.TemporaryDirectory() as folder:
        poses = run("humanoid-falls.yaml", folder)
        check("the humanoid has fallen", at(poses, "torso", 5)[1][2] < 0.5)
        poses = run("humanoid-stands.yaml", folder)
        check("the humanoid stands", at(poses, "torso", 10)[1][2] > 1.2)
        for foot in "foot_left", "foot_right":
            crept = creep(poses, foot, None, 0, 10)
            print(f"{foot} creeps by {crept:.2g} m in 10 s")
            check(f"{foot} does not creep", crept < CREEP)
        poses = run("arm-lifts-a-box.yaml", folder)
        check("the box is lifted", at(poses, "box", 10)[1][2] > at(poses, "box", 0)[1][2] + 0.1)
        crept = creep(poses, "box", "wx250s/gripper_link", 4.5, 10)
        print(f"the box in the hand creeps by {crept:.2g} m in 5.5 s")
        check("the grasp of the arm does not creep", crept < CREEP)
        poses = run("gripper-holds-a-box.yaml", folder)
        check("the table is gone", at(poses, "table", 10)[1][2] < 0.001)
        crept = creep(poses, "box", None, 3.5, 10)
        print(f"the box in the gripper creeps by {crept:.2g} m in 6.5 s")
        check("the grasp of the gripper does not creep", crept < CREEP)
    return failures > 0


sys.exit(main())
