"""`cairn view SCENE`: what commands over the WebSocket do to the motion. Usage: live.py TOOL [a test's name]"""
import json
import math
import sys
import unittest

from client import Server, Socket

TOOL = sys.argv[1]

SLIDE = """
title: A block on a table
dimension: 3
simulation: {step: 0.01, until: 1, integrator: stiff, law: cone}
materials: [{name: wood, friction: 0.3}]
bodies:
  - name: ground
    kind: fixed
    shapes: [{type: half-space, normal: [0, 0, 1], material: wood}]
  - name: block
    mass: 2
    position: [0, 0, 0.25]
    velocity: [4, 0, 0]
    shapes: [{type: box, size: [0.5, 0.5, 0.5], material: wood}]
  - name: bird
    mass: 3
    position: [5, 5, 20]
    shapes: [{type: sphere, radius: 0.2, material: wood}]
"""


class Live(unittest.TestCase):
    def setUp(self):
        with open("slide.yaml", "w") as file:
            file.write(SLIDE)
        self.server = Server(TOOL, "slide.yaml")
        self.page = Socket(self.server, origin="http://" + self.server.host)
        self.assertEqual(self.page.status, 101)
        self.page.command(type="pause")
        self.page.command(type="reset")
        self.wait_step(0)

    def tearDown(self):
        self.page.close()
        status, said = self.server.stop()
        self.assertEqual((status, said), (0, ""))

    def wait_step(self, step):
        while True:
            frame = self.page.wait("frame")
            if frame["index"] == step:
                return frame

    def steps(self, count, first):
        """The frame after `count` single steps, from step number `first` on."""
        for i in range(count):
            self.page.command(type="step")
            frame = self.wait_step(first + i + 1)
        return frame

    def test_header(self):
        status, headers, body = self.server.mine("run.json")
        header = json.loads(body)
        self.assertEqual(status, 200)
        self.assertEqual((header["format"], header["live"], header["dimension"]), (1, True, 3))
        self.assertEqual([b["name"] for b in header["bodies"]], ["ground", "block", "bird"])
        self.assertEqual([b["kind"] for b in header["bodies"]], ["fixed", "dynamic", "dynamic"])
        self.assertEqual(header["shapes"][1]["size"], [0.5, 0.5, 0.5])
        self.assertEqual(header["friction"]["default"], 0.3)
        self.assertIn("energy/total", [s["name"] for s in header["series"]])
        self.assertEqual(self.server.mine("frames.bin")[0], 404)

    def test_motion_is_that_of_physics(self):
        """Free fall at g, a sliding block slows by mu g; both before and after they are changed."""
        frame = self.steps(10, 0)
        self.assertAlmostEqual(frame["velocity"][2][2], -0.1 * 9.81, places=5)
        self.assertAlmostEqual(frame["velocity"][1][0], 4 - 0.1 * 0.3 * 9.81, places=5)
        block = [c for c in frame["contacts"] if c["a"] == 1 or c["b"] == 1]
        self.assertEqual({c["state"] for c in block}, {2})  # slips
        self.assertAlmostEqual(sum(abs(c["force"][2]) for c in block), 2 * 9.81, places=4)
        self.page.command(type="gravity", value=[0, 0, -2])
        self.page.command(type="friction", value=0.8)
        after = self.steps(10, 10)
        self.assertAlmostEqual(after["velocity"][2][2] - frame["velocity"][2][2], -0.1 * 2, places=5)
        self.assertAlmostEqual(after["velocity"][1][0] - frame["velocity"][1][0], -0.1 * 0.8 * 2, places=5)
        state = self.page.wait("state")
        self.assertEqual((state["gravity"], state["friction"], state["playing"]), ([0, 0, -2], 0.8, False))

    def test_reset_is_exact(self):
        first = self.steps(3, 0)
        self.page.command(type="gravity", value=[1, 2, 3])
        self.page.command(type="friction", value=0)
        self.page.command(type="grab", body=1, point=[0, 0, 0], target=[0, 0, 5])
        self.steps(20, 3)
        self.page.command(type="reset")
        again = self.wait_step(0)
        self.assertEqual(again["time"], 0)
        self.assertEqual(again["position"][1], (0, 0, 0.25))
        self.assertEqual(self.steps(3, 0)["bytes"], first["bytes"])

    def test_drag(self):
        """A pulled body comes to rest m g / k under the target, well within the scene; then it falls."""
        target = [1.0, -1.0, 4.0]
        self.page.command(type="grab", body=2, point=[0, 0, 0], target=[5, 5, 20])
        self.page.command(type="drag", target=target)
        self.page.command(type="speed", value=1000)
        self.page.command(type="play")
        frame = self.page.wait("frame")
        while frame["time"] < 20:
            frame = self.page.wait("frame")
        off = [frame["position"][2][k] - target[k] for k in range(3)]
        self.assertLess(math.hypot(off[0], off[1]), 1e-3)
        self.assertTrue(-1 < off[2] < 0, off)
        self.page.command(type="pause")
        self.page.command(type="release")
        while self.page.wait("state")["playing"]:
            pass
        self.page.command(type="step")
        before = self.page.wait("frame")
        after = self.steps(10, before["index"])
        self.assertAlmostEqual(after["velocity"][2][2] - before["velocity"][2][2], -0.1 * 9.81, places=5)

    def test_thrown_bodies(self):
        """A ball flies freely, has the mean mass of the others, and is gone after a restart, which is exact; a box needs room."""
        first = self.steps(3, 0)
        self.page.command(type="reset")
        self.wait_step(0)
        self.page.command(type="ball", value=0.2, point=[-5, 0, 30], target=[2, 1, 3])
        frame = self.steps(10, 0)
        self.assertEqual(len(frame["position"]), 4)
        for found, wanted in zip(frame["velocity"][3], (2, 1, 3 - 0.1 * 9.81)):
            self.assertAlmostEqual(found, wanted, places=5)
        self.assertAlmostEqual(frame["position"][3][0], -5 + 0.1 * 2, places=4)
        header = json.loads(self.server.mine("run.json")[2])
        self.assertEqual(header["bodies"][3]["name"], "thrown ball 1")
        self.assertAlmostEqual(header["bodies"][3]["mass"], (2 + 3) / 2, places=9)
        state = self.page.wait("state")
        while state["bodies"] != 4:
            state = self.page.wait("state")
        block = frame["position"][1]
        self.page.command(type="box", value=0.3, point=list(block), target=[0, 0, 0])
        self.assertIn("no room for the box", self.page.wait("error")["text"])
        self.assertEqual(len(self.steps(1, 10)["position"]), 4)
        for wrong in ({"value": -1}, {"value": 1, "point": [0, 0]}, {"value": 1, "point": [0, 0, 50]}):
            self.page.command(type="ball", **wrong)
            self.assertIn("needs", self.page.wait("error")["text"])
        self.page.command(type="reset")
        self.wait_step(0)
        self.assertEqual(self.steps(3, 0)["bytes"], first["bytes"])

    def test_thrown_bodies_have_a_number(self):
        for i in range(61):
            self.page.command(type="ball", value=0.1, point=[i, -30, 30], target=[0, 0, 0])
        self.assertIn("60 bodies were put in", self.page.wait("error")["text"])
        self.assertEqual(len(self.steps(1, 0)["position"]), 63)

    def test_a_page_that_is_gone_lets_go(self):
        other = Socket(self.server)
        other.command(type="grab", body=2, point=[0, 0, 0], target=[5, 5, 30])
        state = self.page.wait("state")
        while state["grabbed"] != 2:
            state = self.page.wait("state")
        other.close()
        while state["grabbed"] != -1:
            state = self.page.wait("state")
        frame = self.steps(10, 0)
        self.assertAlmostEqual(frame["velocity"][2][2], -0.1 * 9.81, places=5)

    def test_play_and_pause(self):
        self.page.command(type="play")
        frames = [self.page.wait("frame") for _ in range(20)]
        self.assertTrue(all(b["index"] > a["index"] for a, b in zip(frames, frames[1:])))
        self.page.command(type="pause")
        state = self.page.wait("state")
        while state["playing"]:
            state = self.page.wait("state")
        self.page.command(type="step")
        self.assertEqual(self.wait_step(state["step"] + 1)["index"], state["step"] + 1)

    def test_wrong_commands_get_sentences(self):
        wrong = ["", "{", "[]", "null", "{}", '{"type":7}', '{"type":"fly"}', '{"type":"speed"}',
                 '{"type":"speed","value":-1}', '{"type":"speed","value":1e999}', '{"type":"speed","value":nan}',
                 '{"type":"gravity","value":[1,2]}', '{"type":"gravity","value":[1,2,3,4]}',
                 '{"type":"friction","value":"much"}', '{"type":"grab","body":0,"point":[0,0,0],"target":[0,0,0]}',
                 '{"type":"grab","body":99,"point":[0,0,0],"target":[0,0,0]}', '{"type":"grab","body":1.5}',
                 '{"type":"drag"}', '{"type":"ack"}', '{"type":"play"}x', '{"type":"play",}', '{"type":{"a":1}}',
                 "\x00\x01", '{"type":"' + "x" * 4000 + '"}', "[" * 4000]
        for text in wrong:
            self.page.send(text)
            message = self.page.wait("error")
            self.assertTrue(len(message["text"]) > 10, text)
        self.page.send(b"\xff\xfe\x00", opcode=2)
        self.page.wait("error")
        self.steps(1, 0)  # and all goes on

    def test_unacknowledged_frames_stop(self):
        """A page that acknowledges nothing gets two frames and no more; one that does goes on."""
        self.page.command(type="play")
        silent = Socket(self.server)
        kinds = []
        silent.s.settimeout(60)
        while kinds.count(2) < 2:
            kinds.append(silent.receive()[0])
        silent.s.settimeout(1.5)
        try:
            while True:
                kinds.append(silent.receive()[0])
        except OSError:
            pass
        self.assertEqual(kinds.count(2), 2)
        silent.close()
        self.page.wait("frame")

    def test_several_pages(self):
        others = [Socket(self.server) for _ in range(9)]
        refused = 0
        for other in others:
            try:
                other.wait("frame")
            except ConnectionError:
                refused += 1
            other.close()
        self.assertEqual(refused, 2)  # eight pages may look
        self.steps(1, 0)


class Start(unittest.TestCase):
    def test_scenes_are_chosen(self):
        server = Server(TOOL)
        listed = json.loads(server.mine("scenes.json")[2])
        names = [scene["name"] for scene in listed["scenes"]]
        self.assertFalse(listed["simulated"])
        self.assertIn("arch", names)
        self.assertEqual(server.mine("run.json")[0], 404)
        scene = json.loads(server.mine("scene.json?name=box-stack")[2])
        self.assertEqual(len(scene["start"]), 7 * len(scene["header"]["bodies"]))
        for name in ("choose?name=nothing", "scene.json?name=nothing", "scene.json", "choose?name=/etc/passwd",
                     "choose?name=" + "x" * 200):
            self.assertEqual(server.mine(name)[0], 404, name)
        self.assertEqual(server.mine("choose?name=box-stack")[0], 200)
        page = Socket(server)
        page.wait("frame")
        self.assertEqual(json.loads(server.mine("run.json")[2])["scene"], "box-stack")
        self.assertTrue(json.loads(server.mine("scenes.json")[2])["simulated"])
        page.command(type="grab", body=1, point=[0, 0, 0], target=[0, 0, 5])
        page.wait("frame")
        self.assertEqual(server.mine("choose?name=arch")[0], 200)
        with self.assertRaises((ConnectionError, OSError)):  # the other simulation is gone
            for _ in range(1000):
                page.wait("frame")
        other = Socket(server)
        self.assertEqual(len(other.wait("frame")["position"]), 16)
        other.close()
        self.assertEqual(server.mine("choose?name=")[0], 200)
        self.assertEqual(server.mine("run.json")[0], 404)
        self.assertEqual(server.stop(), (0, ""))

    def test_files_are_not_served(self):
        server = Server(TOOL, "arch")
        for name in ("scenes.json", "scene.json?name=arch", "choose?name=arch"):
            self.assertEqual(server.mine(name)[0], 404, name)
        self.assertEqual(server.stop(), (0, ""))


class Failing(unittest.TestCase):
    def test_a_failed_step_is_told(self):
        """A force beyond all numbers: the step fails, the page is told, and a reset brings it back."""
        with open("bad.yaml", "w") as file:
            file.write(SLIDE + "forces: [{name: far, body: bird, force: [\"1/(0.095-t)^0.5\", 0, 0]}]\n")
        server = Server(TOOL, "bad.yaml")
        page = Socket(server)
        page.command(type="play")
        state = page.wait("state")
        while state["error"] is None:
            state = page.wait("state")
        self.assertFalse(state["playing"])
        self.assertIn("failed", state["error"])
        page.command(type="reset")
        while state["step"] != 0:
            state = page.wait("state")
        self.assertIsNone(state["error"])
        page.close()
        self.assertEqual(server.stop(), (0, ""))


MACHINE = """
title: Drives
dimension: 2
gravity: [0, 0]
simulation: {step: 0.01, until: 1, integrator: stiff}
bodies:
  - {name: cart, mass: 2, inertia: 1, position: [1, 0]}
  - {name: rotor, mass: 1, inertia: 0.5, position: [4, 0]}
joints:
  - {name: rail, type: prismatic, bodies: [world, cart], at: [1, 0], axis: [3, 4],
     coordinates: {position: {lower: -2, upper: 5, drive: {type: force, target: 4}}}}
  - {name: axle, type: revolute, bodies: [world, rotor], at: [4, 0], coordinates: {angle: {drive: {type: position, target: "0"}}}}
  - {name: stop, type: rope, bodies: [world, cart], points: [[0, 0], [0, 0]], length: 50}
"""


class Driven(unittest.TestCase):
    def setUp(self):
        with open("machine.yaml", "w") as file:
            file.write(MACHINE)
        self.server = Server(TOOL, "machine.yaml")
        self.page = Socket(self.server)
        self.page.command(type="pause")
        self.page.command(type="reset")
        self.wait_step(0)

    def tearDown(self):
        self.page.close()
        self.assertEqual(self.server.stop(), (0, ""))

    wait_step = Live.wait_step
    steps = Live.steps

    def test_header(self):
        header = json.loads(self.server.mine("run.json")[2])
        rail, axle, stop = header["joints"]
        self.assertEqual((rail["name"], rail["kind"], rail["a"]["body"], rail["b"]["body"]), ("rail", "prismatic", -1, 0))
        position = rail["coordinates"][0]
        self.assertEqual((position["name"], position["unit"], position["drive"]), ("position", "m", "force"))
        self.assertEqual((position["lower"], position["upper"], position["target"]), (-2, 5, 4))
        self.assertEqual([round(x, 12) for x in position["axis"]["direction"]], [0.6, 0.8, 0])
        self.assertEqual((axle["coordinates"][0]["unit"], axle["coordinates"][0]["drive"]), ("rad", "position"))
        self.assertNotIn("lower", axle["coordinates"][0])
        self.assertEqual(stop["coordinates"], [])
        roles = {(s["kind"], s["role"], s["joint"]) for s in header["symbols"]}
        self.assertTrue({("line", "rail", 0), ("block", "joint", 0), ("line", "drive", 0), ("line", "limit", 0), ("ball", "joint", 1),
                         ("line", "drive", 1), ("tie", "rope", 2)} <= roles, roles)
        rod = next(s for s in header["symbols"] if (s["kind"], s["role"]) == ("line", "rail"))
        x, y = rod["points"][3] - rod["points"][0], rod["points"][4] - rod["points"][1]
        self.assertAlmostEqual(y / x, 4 / 3, places=5)
        self.assertGreater(header["symbol_unit"], 0)

    def test_force(self):
        """v = F t / m along the rail, before and after; null brings the scene's own force back."""
        speed = lambda frame: 0.6 * frame["velocity"][0][0] + 0.8 * frame["velocity"][0][1]
        self.assertAlmostEqual(speed(self.steps(10, 0)), 0.1 * 4 / 2, places=6)
        self.page.command(type="drive", joint=0, coordinate=0, value=-10)
        self.assertAlmostEqual(speed(self.steps(10, 10)), 0.2 - 0.1 * 10 / 2, places=6)
        self.page.command(type="drive", joint=0, coordinate=0, value=None)
        self.assertAlmostEqual(speed(self.steps(10, 20)), 0.2 - 0.5 + 0.2, places=6)
        state = self.page.wait("state")
        self.assertEqual(state["logged"], 2)
        self.assertIn("rail, position as in the scene", state["log"])

    def test_position(self):
        """A rigid drive is at its new target after the ramp, and the numbers beside the frame say so."""
        self.page.command(type="drive", joint=1, coordinate=0, value=0.75)
        self.steps(30, 0)
        joints = self.page.wait("series")["joints"]
        value, rate, force, spring, friction, limit, target = joints[1][6:13]
        self.assertAlmostEqual(value, 0.75, places=6)
        self.assertAlmostEqual(target, 0.75, places=9)
        self.assertAlmostEqual(rate, 0, places=6)
        self.assertEqual((spring, friction, limit), (0, 0, 0))
        self.assertEqual([len(j) for j in joints], [13, 13, 6])
        self.assertAlmostEqual(joints[0][6 + 2], 4, places=6)  # the force on the rail is what it was

    def test_reset_restores_targets(self):
        first = self.steps(5, 0)["bytes"]
        self.page.command(type="drive", joint=0, coordinate=0, value=77)
        self.page.command(type="drive", joint=1, coordinate=0, value=1)
        self.steps(5, 5)
        self.page.command(type="reset")
        self.wait_step(0)
        self.assertEqual(self.steps(5, 0)["bytes"], first)

    def test_wrong_drives_get_sentences(self):
        for wrong in [dict(joint=2, coordinate=0, value=1), dict(joint=9, coordinate=0, value=1), dict(joint=0, coordinate=1, value=1),
                      dict(joint=0, coordinate=3, value=1), dict(joint=-1, coordinate=0, value=1), dict(joint=0.5, coordinate=0, value=1),
                      dict(joint=0, coordinate=0), dict(joint=0, coordinate=0, value="much"), dict(joint=0, coordinate=0, value=1e10),
                      dict(joint=0, coordinate=0, value=True), dict(joint=0, value=1), dict(coordinate=0, value=1)]:
            self.page.command(type="drive", **wrong)
            self.assertGreater(len(self.page.wait("error")["text"]), 20, wrong)
        frame = self.steps(1, 0)
        self.assertAlmostEqual(math.hypot(*frame["velocity"][0]), 0.01 * 4 / 2, places=7)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[1:2] + sys.argv[2:], verbosity=1)
