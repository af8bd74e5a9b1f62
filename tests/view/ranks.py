"""`cairn view SCENE` by several processes: the page shows the motion that `cairn run` records. Usage: ranks.py SCENES TOOL [LAUNCHER...]"""
import json
import subprocess
import sys
import unittest

import h5py

from client import Server, Socket

SCENE, TOOL, LAUNCHER = sys.argv[1] + "/grains.yaml", sys.argv[2], sys.argv[3:]
STEPS = 12


def recorded():
    """Names, and positions per step, of a run by one process."""
    subprocess.run([TOOL, "run", SCENE, "--until", "0.06", "--quiet", "-o", "truth.h5"], check=True)
    with h5py.File("truth.h5") as file:
        return [name.decode() for name in file["bodies/names"][:]], file["bodies/position"][:]


class Ranks(unittest.TestCase):
    NAMES, POSITION = recorded()

    def open(self, *arguments):
        self.server = Server([*LAUNCHER, TOOL], SCENE, *arguments)
        self.page = Socket(self.server, timeout=60)
        self.assertEqual(self.page.status, 101)
        self.page.command(type="pause")
        self.reset()

    def tearDown(self):
        self.page.close()
        status, said = self.server.stop()
        if not LAUNCHER:  # one that is told to end has a status and words of its own
            self.assertEqual((status, said), (0, ""))

    def wait_step(self, step):
        frame = self.page.wait("frame")
        while frame["index"] != step:
            frame = self.page.wait("frame")
        return frame

    def reset(self):
        self.page.command(type="reset")
        return self.wait_step(0)

    def steps(self, count, first=0):
        for i in range(count):
            self.page.command(type="step")
            frame = self.wait_step(first + i + 1)
        return frame

    def shown(self):
        return [body["name"] for body in json.loads(self.server.mine("run.json")[2])["bodies"]]

    def compare(self, frame, step):
        for name, found in zip(self.shown(), frame["position"], strict=True):
            for x, wanted in zip(found, self.POSITION[step][self.NAMES.index(name)]):
                self.assertLessEqual(abs(x - wanted), 1e-7 * (1 + abs(wanted)), (name, step))

    def test_all_bodies(self):
        self.open()
        frame = self.steps(STEPS)
        self.assertEqual(len(frame["position"]), len(self.NAMES))
        self.compare(frame, STEPS)
        self.assertGreater(len(frame["contacts"]), 0)

    def test_some_bodies(self):
        self.open("--bodies", "40")
        frame = self.steps(STEPS)
        self.assertLess(len(frame["position"]), 50)
        self.assertEqual(frame["contacts"], [])
        self.compare(frame, STEPS)

    def test_reset_is_exact(self):
        self.open()
        first = self.steps(5)
        self.page.command(type="gravity", value=[1, 0, 3])
        self.page.command(type="friction", value=0)
        moved = self.steps(5, 5)
        self.assertNotEqual(moved["bytes"], first["bytes"])
        self.reset()
        self.assertEqual(self.steps(5)["bytes"], first["bytes"])

    def test_thrown_ball(self):
        self.open()
        first = self.steps(3)
        self.page.command(type="ball", value=0.05, point=[0, 0, 3], target=[0.5, 0, 0])
        frame = self.steps(10, 3)
        self.assertEqual(len(frame["position"]), len(self.NAMES) + 1)
        self.assertAlmostEqual(frame["velocity"][-1][0], 0.5, places=5)
        self.assertAlmostEqual(frame["velocity"][-1][2], -0.04 * 9.81, places=5)
        self.reset()
        self.assertEqual(self.steps(3)["bytes"], first["bytes"])

    def test_play(self):
        self.open()
        self.page.command(type="play")
        frames = [self.page.wait("frame") for _ in range(8)]
        self.assertTrue(all(b["index"] > a["index"] for a, b in zip(frames, frames[1:])))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
