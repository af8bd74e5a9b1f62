"""`cairn view RUN`: what it serves against the run file read by h5py, and hostile clients. Usage: server.py TOOL [a test's name]"""
import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import time
import unittest

import h5py
import numpy

from client import Server, Socket, parse, read_all, read_frames

TOOL = sys.argv[1]
TIMEOUT = 5  # s: CLI_TIMEOUT of the server
PATIENCE = 60  # s: by then what is waited for has come, also on a machine with much to do


def record(name, *options):
    path = name + ".h5"
    subprocess.run([TOOL, "run", *options, "-o", path, "-q"], check=True)
    return path


class Content(unittest.TestCase):
    """The right answers."""

    def serve(self, path):
        server = Server(TOOL, path)
        self.addCleanup(lambda: self.assertEqual(server.stop(), (0, "")))
        return server

    def check_run(self, server, path, dimension):
        status, headers, body = server.mine("run.json")
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        header = json.loads(body)
        with h5py.File(path) as run:
            count = len(run["time"])
            self.assertEqual((header["frame_count"], header["dimension"]), (count, dimension))
            names = [n.decode().rstrip("\0") if isinstance(n, bytes) else n for n in run["bodies/names"][:]]
            self.assertEqual([b["name"] for b in header["bodies"]], names)
            for series in header["series"]:
                self.assertEqual(len(series["values"]), count)
                if series["name"] in run:
                    numpy.testing.assert_allclose(series["values"], run[series["name"]][:], rtol=1e-8)
            frames = read_frames(server.mine("frames.bin")[2])
            self.assertEqual([f["index"] for f in frames], list(range(count)))
            for i, frame in enumerate(frames):
                self.check_frame(run, i, frame)
        return header, frames

    def check_frame(self, run, i, frame):
        self.assertEqual(frame["time"], run["time"][i])
        for name in ("position", "orientation", "velocity"):
            numpy.testing.assert_array_equal(numpy.float32(frame[name]), numpy.float32(run["bodies/" + name][i]))
        start, count = int(run["contacts/start"][i]), int(run["contacts/count"][i])
        self.assertEqual(len(frame["contacts"]), count)
        if count == 0:
            return
        rows = slice(start, start + count)
        h = run["time"][i] - run["time"][i - 1]
        impulse, tangent = run["contacts/impulse"][rows], run["contacts/tangent"][rows]
        force = (impulse[:, :1] * run["contacts/normal"][rows] + impulse[:, 1:2] * tangent[:, 0] +
                 impulse[:, 2:3] * tangent[:, 1]) / h
        found = frame["contacts"]
        numpy.testing.assert_array_equal([c["a"] for c in found], run["contacts/body_a"][rows])
        numpy.testing.assert_array_equal([c["b"] for c in found], run["contacts/body_b"][rows])
        numpy.testing.assert_allclose([c["force"] for c in found], force, rtol=1e-5, atol=1e-6 * abs(force).max())
        numpy.testing.assert_array_equal(numpy.float32([c["point"] for c in found]),
                                         numpy.float32(run["contacts/point"][rows]))
        numpy.testing.assert_array_equal(numpy.float32([c["gap"] for c in found]),
                                         numpy.float32(run["contacts/gap"][rows]))

    def test_spatial_run(self):
        path = record("stack", "box-stack", "--until", "0.2")
        server = self.serve(path)
        header, frames = self.check_run(server, path, 3)
        weight = 10 * 1000 * 9.81
        ground = [c for c in frames[-1]["contacts"] if 0 in (c["a"], c["b"])]
        self.assertAlmostEqual(sum(abs(c["force"][2]) for c in ground) / weight, 1, places=5)
        self.assertEqual({c["state"] for c in frames[-1]["contacts"] if abs(c["force"][2]) > 1}, {1})  # sticks

    def test_planar_run_with_links_and_events(self):
        path = record("bars", "two-bars-mu-0.2", "--until", "0.5")
        header, _ = self.check_run(self.serve(path), path, 2)
        self.assertEqual(len(header["gravity"]), 3)
        path = record("bars2", "four-bar", "--until", "0.1")
        header, _ = self.check_run(self.serve(path), path, 3)
        self.assertTrue(header["joints"] and all(j["kind"] == "revolute" for j in header["joints"]))

    def test_short_runs(self):
        for name, until, frames in (("none", "0", 1), ("one", "0.01", 2)):
            path = record(name, "box-stack", "--until", until)
            header, found = self.check_run(self.serve(path), path, 3)
            self.assertEqual(len(found), frames)

    def test_ranges(self):
        path = record("ranges", "pendulum", "--until", "0.2")
        server = self.serve(path)
        whole = server.mine("frames.bin")[2]
        count = json.loads(server.mine("run.json")[2])["frame_count"]
        part = server.mine("frames.bin?from=3&count=2")[2]
        self.assertEqual([f["index"] for f in read_frames(part)], [3, 4])
        self.assertIn(part, whole)
        self.assertEqual(server.mine("frames.bin?from=%d&count=5" % count)[::2], (200, b""))
        self.assertEqual(len(read_frames(server.mine("frames.bin?from=2&count=999999999999")[2])), count - 2)
        for wrong in ("from=-1", "from=x", "from=", "from=%d" % (count + 1), "count=-3", "from=1e3", "from=" + "9" * 40):
            self.assertEqual(server.mine("frames.bin?" + wrong)[0], 400, wrong)

    def test_a_run_that_is_cut_short_shows_what_is_there(self):
        """Its writer killed: the frames that reached the file, and a note."""
        if os.path.exists("killed.h5"):
            os.unlink("killed.h5")
        process = subprocess.Popen([TOOL, "run", "box-stack", "--until", "1000", "-o", "killed.h5", "-q"])
        while not os.path.exists("killed.h5") or os.path.getsize("killed.h5") < 300000:
            time.sleep(0.05)
        server = self.serve("killed.h5")
        before = after = json.loads(server.mine("run.json")[2])
        deadline = time.time() + 60
        while after["frame_count"] == before["frame_count"] and time.time() < deadline:
            time.sleep(0.1)
            after = json.loads(server.mine("run.json?again")[2])
        process.kill()
        process.wait()
        self.assertGreater(after["frame_count"], before["frame_count"])
        self.assertTrue(after["truncated"] and "still in progress" in after["note"])
        self.check_run(server, "killed.h5", 3)

    def test_a_file_that_is_cut_short_shows_what_is_there(self):
        """Half of a copy: the first frames, a note, and a sentence."""
        path = record("long", "box-stack", "--until", "6")
        with open(path, "rb") as whole, open("half.h5", "wb") as half:
            half.write(whole.read(os.path.getsize(path) // 2))
        server = Server(TOOL, "half.h5")
        self.addCleanup(lambda: server.alive() and server.stop())
        header = json.loads(server.mine("run.json")[2])
        frames = read_frames(server.mine("frames.bin")[2])
        self.assertEqual(header["frame_count"], len(frames))
        self.assertTrue(1 <= len(frames) < 601, len(frames))  # how many depends on when the file was flushed
        self.assertTrue(header["truncated"] and "is truncated" in header["note"])
        with h5py.File(path) as run:
            for i in range(0, len(frames), 7):
                self.check_frame(run, i, frames[i])
        status, said = server.stop()
        self.assertEqual(status, 0)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("half.h5' is truncated", said)

    def test_wrong_files(self):
        shutil.copy(record("whole", "pendulum", "--until", "0.1"), "newer.h5")
        with h5py.File("newer.h5", "r+") as run:
            run.attrs["format_version"] = numpy.int32(99)
        with open("whole.h5", "rb") as file:
            data = file.read()
        for name, content in (("cut.h5", data[:3000]), ("empty.h5", b""), ("text.h5", b"hello"),
                              ("noise.h5", random.Random(5).randbytes(5000)), ("head.h5", data[:8])):
            with open(name, "wb") as file:
                file.write(content)
        for name in ("newer.h5", "cut.h5", "empty.h5", "text.h5", "noise.h5", "head.h5", "nowhere.h5", "."):
            for more in ([], ["--html", "wrong.html"]):
                done = subprocess.run([TOOL, "view", name, "--no-open", *more], capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 2, (name, more, done.stderr))
                self.assertIn(name.encode(), done.stderr)
                self.assertFalse(os.path.exists("wrong.html"))

    def test_wrong_options(self):
        for options in (["--port", "70000"], ["--port", "1.5"], ["--address", "localhost"], ["--address", "1.2.3"],
                        ["--nonsense"], ["--address", "192.0.2.1"]):
            done = subprocess.run([TOOL, "view", "pendulum", "--no-open", *options], capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 2, options)
            self.assertTrue(done.stderr.startswith(b"cairn: "), done.stderr)
        done = subprocess.run([TOOL, "view", "pendulum", "--html", "x.html"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)

    def test_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            done = subprocess.run([TOOL, "view", "pendulum", "--no-open", "--port", str(port)], capture_output=True,
                                  timeout=60)
        if b"built without" in done.stderr:
            self.skipTest("no viewer")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.decode(), "cairn: cannot listen on 127.0.0.1, port %d: Address already in use\n" % port)


class Hostile(unittest.TestCase):
    """Requests that should not be: no answer but a refusal, no crash, no leak, and others are served meanwhile."""

    @classmethod
    def setUpClass(cls):
        cls.file = record("hostile", "box-stack", "--until", "0.3")
        cls.server = Server(TOOL, cls.file)
        cls.live = Server(TOOL, "box-stack")

    @classmethod
    def tearDownClass(cls):
        for server in (cls.server, cls.live):
            status, said = server.stop()
            if (status, said) != (0, ""):
                raise AssertionError((status, said))

    def tearDown(self):
        for server in (self.server, self.live):
            self.assertTrue(server.alive())
            self.assertEqual(server.mine("run.json")[0], 200)

    def test_headers(self):
        for name in ("", "run.json", "frames.bin", "nothing"):
            _, headers, _ = self.server.mine(name)
            self.assertEqual(headers["cache-control"], "no-store")
            self.assertIn("default-src 'none'", headers["content-security-policy"])
            self.assertNotIn("access-control-allow-origin", headers)
        self.assertIn('"kind":"served"', self.server.mine("")[2].decode())
        self.assertIn('"kind":"live"', self.live.mine("")[2].decode())

    def test_paths(self):
        t = self.server.token
        plain = self.server.get("/nothing")
        self.assertEqual(plain[0], 404)
        wrong = ["/", "/run.json", "/" + t, "/" + t[:-1] + "/run.json", "/" + t + "0/run.json", "/" + t.upper() + "//",
                 "//" + t + "/x", "/x/../../../etc/passwd", "/%s/../../../etc/passwd" % t, "/%s/%%2e%%2e/%%2e%%2e/etc/passwd" % t,
                 "/%s/..%%2f..%%2fetc/passwd" % t, "/%s/%s" % (t, self.file), "/%s/frames.bin/" % t, "/%s/run.json%%00" % t,
                 "/%s/run.json/../x" % t, "/" + "A" * 3000, "/%s/live" % t, "/%s/run.jso" % t, "/" + "0" * 32 + "/",
                 "*", "http://elsewhere/" + t + "/x"]
        for path in wrong:
            status, headers, body = self.server.get(path)
            self.assertIn(status, (0, 400, 403, 404), path)  # 0: closed without a word
            self.assertNotIn(b"root:", body)
            self.assertNotIn(b"CRFM", body)
            self.assertFalse(body.startswith(b"\x89HDF"))
            if status == 404:
                self.assertEqual(body, plain[2])

    def test_methods(self):
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "CONNECT", "TRACE", "BREW", ""):
            status, _, body = self.server.mine("run.json", method=method, headers="Content-Length: 0\r\n")
            self.assertIn(status, (0, 400, 403, 404, 405), method)
            self.assertNotIn(b'"bodies"', body)
        self.assertEqual(self.server.mine("run.json", method="POST", headers="Content-Length: 0\r\n")[0], 405)
        big = "POST /%s/ HTTP/1.1\r\nHost: %s\r\nContent-Length: 99999999\r\n\r\n" % (self.server.token, self.server.host)
        self.server.raw(big.encode() + b"x" * 300000, timeout=PATIENCE)

    def test_hosts(self):
        for host in ("evil.example", "evil.example:%d" % self.server.port, "127.0.0.1", "127.0.0.1:1", "x" * 600,
                     "127.0.0.1.evil.example:%d" % self.server.port, "10.0.0.1:%d" % self.server.port):
            self.assertIn(self.server.mine("run.json", host=host)[0], (0, 400, 404), host)
        self.assertEqual(self.server.mine("run.json", host="localhost:%d" % self.server.port)[0], 200)
        bare = "GET /%s/run.json HTTP/1.1\r\n\r\n" % self.server.token
        self.assertNotIn(b"bodies", self.server.raw(bare.encode(), timeout=3))

    def test_huge_requests(self):
        t = self.server.token
        for head in ("GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % ("a" * 200000),
                     "GET /%s/run.json HTTP/1.1\r\nHost: %s\r\nX: %s\r\n\r\n" % (t, self.server.host, "b" * 1000000),
                     "GET /%s/run.json HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (t, self.server.host, "Y: z\r\n" * 50000),
                     "GET /%s/run.json?%s HTTP/1.1\r\nHost: %s\r\n\r\n" % (t, "q=1&" * 30000, self.server.host),
                     "GET " + "/" * 500000):
            self.server.raw(head.encode(), timeout=1)
            self.assertTrue(self.server.alive())

    def test_half_closed(self):
        request = "GET /%s/run.json HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (self.server.token, self.server.host)
        answer = self.server.raw(request.encode(), half_close=True)
        self.assertIn(parse(answer)[0], (0, 200))
        for cut in range(0, len(request), 7):
            self.server.raw(request[:cut].encode(), timeout=0.5, half_close=True)

    def test_pipelined(self):
        one = "GET /%s/run.json HTTP/1.1\r\nHost: %s\r\n\r\n" % (self.server.token, self.server.host)
        with self.server.connect(timeout=PATIENCE) as s:
            s.sendall(one.encode() * 3)
            self.assertEqual(parse(read_all(s))[0], 200)

    def test_slow_and_many(self):
        """Forty that send a byte now and then and never end: others are answered, and they are dropped."""
        slow = [self.server.connect() for _ in range(40)]
        began = time.time()
        head = b"GET /%s/ HTTP/1.1\r\nX: " % self.server.token.encode()
        gone = set()
        while len(gone) < len(slow) and time.time() < began + 2 * PATIENCE:
            for i, s in enumerate(slow):
                at = int((time.time() - began) * 4)
                try:
                    s.sendall(head[at:at + 1] or b"y")
                    s.setblocking(False)
                    if s.recv(100) == b"":
                        gone.add(i)
                except BlockingIOError:
                    pass
                except OSError:
                    gone.add(i)
            self.assertEqual(self.server.mine("run.json")[0], 200)
            time.sleep(0.25)
        for s in slow:
            s.close()
        self.assertEqual(len(gone), len(slow))

    def test_very_many(self):
        crowd = []
        for _ in range(200):
            try:
                crowd.append(self.server.connect(timeout=1))
            except OSError:
                break
        for s in crowd:
            s.close()
        deadline = time.time() + PATIENCE
        status = 0
        while status != 200 and time.time() < deadline:
            try:
                status = self.server.mine("run.json")[0]
            except OSError:
                time.sleep(0.2)
        self.assertEqual(status, 200)

    def ask_in_a_crowd(self):
        """Seconds that an answer takes while 200 connections stand open and ask for nothing."""
        crowd = [self.server.connect() for _ in range(200)]
        began = time.time()
        status = self.server.mine("run.json")[0]
        took = time.time() - began
        for s in crowd:
            s.close()
        self.assertEqual(status, 200)
        return took

    def test_idle_crowd(self):
        """Who asks does not wait until those are dropped who do not, three times TIMEOUT. Once in three tries will do."""
        self.assertTrue(any(self.ask_in_a_crowd() < 2 * TIMEOUT for _ in range(3)))

    def test_nobody_reads(self):
        """Twenty that ask for everything and read nothing: memory stays, and they are dropped in the end."""
        before = self.server.memory()
        deaf = []
        for _ in range(20):
            s = self.server.connect()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one = "GET /%s/frames.bin HTTP/1.1\r\nHost: %s\r\n\r\n" % (self.server.token, self.server.host)
            s.sendall(one.encode() * 20)
            deaf.append(s)
        time.sleep(0.5)
        self.assertEqual(self.server.mine("run.json")[0], 200)
        self.assertLess(self.server.memory() - before, 40e6)
        for s in deaf:
            s.close()

    def test_random_bytes(self):
        source = random.Random(7)
        good = ("GET /%s/frames.bin?from=1&count=2 HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n" %
                (self.server.token, self.server.host)).encode()
        for i in range(250):
            data = bytearray(good if i % 2 else source.randbytes(source.randrange(1, 600)))
            for _ in range(source.randrange(1, 12)):
                data[source.randrange(len(data))] = source.randrange(256)
            server = self.live if i % 4 == 1 else self.server
            server.raw(bytes(data), timeout=0.02, half_close=i % 3 == 0)
        self.assertTrue(self.server.alive() and self.live.alive())


class HostileSockets(unittest.TestCase):
    """WebSockets that should not be."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(TOOL, "box-stack")

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.stop()
        if (status, said) != (0, ""):
            raise AssertionError((status, said))

    def tearDown(self):
        page = Socket(self.server)
        page.wait("frame")
        page.close()

    def closes(self, page, codes=None):
        """The server ends the connection, with one of the codes if it says one."""
        deadline = time.time() + PATIENCE
        try:
            while time.time() < deadline:
                opcode, data = page.receive()
                if opcode == 8:
                    if codes and len(data) >= 2:
                        self.assertIn(struct.unpack(">H", data[:2])[0], codes)
                    return
        except (ConnectionError, ConnectionResetError):
            return
        finally:
            page.close()
        self.fail("the connection stayed open")

    def test_who_may(self):
        port, token = self.server.port, self.server.token
        for wrong in ({"origin": "http://evil.example"}, {"origin": "null"}, {"origin": ""}, {"origin": " "}, {"origin": "https://127.0.0.1:%d" % port},
                      {"origin": "http://127.0.0.1:1"}, {"host": "evil.example:%d" % port}, {"path": "/live"},
                      {"path": "/%s/live" % ("0" * 32)}, {"path": "/%s/" % token}, {"path": "/%s/run.json" % token},
                      {"path": "/%s/../%s/live/x" % (token, token)}):
            page = Socket(self.server, **wrong)
            self.assertNotEqual(page.status, 101, wrong)
            page.close()
        for right in ({}, {"origin": "http://127.0.0.1:%d" % port},
                      {"origin": "http://localhost:%d" % port, "host": "localhost:%d" % port}):
            page = Socket(self.server, **right)
            self.assertEqual(page.status, 101, right)
            page.close()

    def test_other_upgrades(self):
        for extra in ("h2c", "websocket, h2c", "TLS/1.0", "raw"):
            request = ("GET /%s/live HTTP/1.1\r\nHost: %s\r\nUpgrade: %s\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                       "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n" % (self.server.token, self.server.host, extra))
            self.assertNotIn(b" 101 ", self.server.raw(request.encode(), timeout=2)[:20])

    def test_long_messages(self):
        page = Socket(self.server)
        page.send('{"type":"' + "x" * 5000 + '"}')
        self.closes(page, (1009,))
        page = Socket(self.server)
        page.send(b"y" * 2000000)
        self.closes(page, (1009,))

    def test_announced_lengths(self):
        for length in (2 ** 31, 2 ** 40, 2 ** 63 - 1, 2 ** 64 - 1):
            page = Socket(self.server)
            page.send_raw(b"\x81\xff" + struct.pack(">Q", length) + b"\0\0\0\0" + b"z" * 10000)
            self.closes(page, (1002, 1009))

    def test_fragments(self):
        page = Socket(self.server)
        page.send('{"type":', fin=False)
        page.send('"pau', opcode=0, fin=False)
        page.send("ping!", opcode=9)  # a ping between the fragments
        page.send('se"}', opcode=0)
        kinds = set()
        state = None
        while not (state and not state["playing"] and 10 in kinds):
            opcode, data = page.receive()
            kinds.add(opcode)
            if opcode == 1 and json.loads(data)["type"] == "state":
                state = json.loads(data)
        page.close()
        page = Socket(self.server)
        page.send("a", fin=False)
        for _ in range(60):
            try:
                page.send("b" * 100, opcode=0, fin=False)
            except OSError:
                break
        self.closes(page, (1009,))

    def test_bad_frames(self):
        page = Socket(self.server)
        page.send('{"type":"pause"}', masked=False)  # libwebsockets takes it; nothing depends on the mask here
        page.wait("state")
        page.close()
        for bad in ({"opcode": 3}, {"opcode": 11}, {"rsv": 4}, {"rsv": 2}, {"opcode": 0},
                    {"opcode": 9, "fin": False}):
            page = Socket(self.server)
            page.send('{"type":"pause"}', **bad)
            self.closes(page)
        page = Socket(self.server)
        page.send(b"p" * 200, opcode=9)
        self.closes(page)

    def test_random_frames(self):
        source = random.Random(11)
        for i in range(60):
            page = Socket(self.server)
            try:
                page.send_raw(source.randbytes(source.randrange(1, 3000)))
                if i % 3 == 0:
                    page.s.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            page.close()

    def test_cut_frames(self):
        for cut in range(1, 22):
            page = Socket(self.server)
            page.send_raw((b"\x81\x90\x00\x00\x00\x00" + b'{"type":"pause"}')[:cut])
            page.close()

    def test_no_leak(self):
        """Connections that come and go leave no memory behind."""
        for _ in range(30):
            Socket(self.server).close()
        before = self.server.memory()
        for _ in range(300):
            page = Socket(self.server)
            page.command(type="step")
            page.close()
        self.assertLess(self.server.memory() - before, 8e6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[1:2] + sys.argv[2:], verbosity=1)
