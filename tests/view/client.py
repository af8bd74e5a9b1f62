"""A server of `cairn view` to test, and clients that speak HTTP and WebSocket byte by byte, so that they can speak it wrong."""
import base64
import hashlib
import json
import os
import signal
import socket
import struct
import subprocess
import unittest

FRAME_MAGIC = 0x4D465243


class Server:
    """The tool with the given arguments, serving until it is stopped. The tool may be a list: a launcher before it."""

    def __init__(self, tool, *arguments):
        # A sanitized tool keeps freed memory for a while, which the tests of its size must not see.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
        self.process = subprocess.Popen([*([tool] if isinstance(tool, str) else tool), "view", *arguments, "--no-open", "--json"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, "ASAN_OPTIONS": sanitizer})
        text = b""
        while not text.rstrip().endswith(b"}"):
            line = self.process.stdout.readline()
            if not line:
                said = self.process.stderr.read().decode()
                if "built without" in said:
                    raise unittest.SkipTest(said.strip())
                raise AssertionError("no address: " + said)
            text += line
        told = json.loads(text)
        assert told["address"].startswith("http://127.0.0.1:"), told
        self.address, self.port = told["address"], told["port"]
        self.token = self.address.split("/")[3]
        self.host = "127.0.0.1:%d" % self.port

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        """End it as Ctrl-C does: exit status and what it said on standard error (sanitizers speak there)."""
        self.process.send_signal(signal.SIGINT)
        try:
            _, said = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, said.decode()

    def memory(self):
        """Bytes of resident memory."""
        with open("/proc/%d/statm" % self.process.pid) as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def connect(self, timeout=20):
        s = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def raw(self, data, timeout=20, half_close=False):
        """Send bytes as they are; everything that comes back until the server closes or is silent."""
        with self.connect(timeout) as s:
            try:
                s.sendall(data)
                if half_close:
                    s.shutdown(socket.SHUT_WR)
                return read_all(s)
            except (ConnectionError, socket.timeout):
                return b""

    def get(self, path, host=None, method="GET", headers=""):
        """(status, headers, body) of one request."""
        request = "%s %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n" % (method, path, host or self.host, headers)
        return parse(self.raw(request.encode()))

    def mine(self, name, **rest):
        return self.get("/%s/%s" % (self.token, name), **rest)


def read_all(s):
    """One response by its length, or all until the end."""
    data, whole = bytearray(), None
    while whole is None or len(data) < whole:
        piece = s.recv(1 << 16)
        if not piece:
            break
        data += piece
        end = data.find(b"\r\n\r\n") if whole is None else -1
        if end >= 0:
            lengths = [line.split(b":")[1] for line in bytes(data[:end]).split(b"\r\n")
                       if line.lower().startswith(b"content-length:")]
            whole = end + 4 + int(lengths[0]) if lengths else None
    return bytes(data)


def parse(data):
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    if not lines[0].startswith("HTTP/1"):
        return 0, {}, data
    headers = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in lines[1:] if ":" in line}
    return int(lines[0].split()[1]), headers, body


def read_frame(data, offset=0):
    """One frame of frames.bin; (frame, offset of the next)."""
    magic, length, index, bodies, contacts, flags, time = struct.unpack_from("<6Id", data, offset)
    assert magic == FRAME_MAGIC and flags == 0, (hex(magic), flags)
    assert length == 32 + 40 * bodies + 64 * contacts, (length, bodies, contacts)
    at = offset + 32
    numbers = struct.unpack_from("<%df" % (10 * bodies), data, at)
    at += 40 * bodies
    position = [numbers[3 * i:3 * i + 3] for i in range(bodies)]
    orientation = [numbers[3 * bodies + 4 * i:3 * bodies + 4 * i + 4] for i in range(bodies)]
    velocity = [numbers[7 * bodies + 3 * i:7 * bodies + 3 * i + 3] for i in range(bodies)]
    names = ("a", "b", "point", "normal", "force", "gap", "mu", "slip", "state", "residual")
    found = []
    for i in range(contacts):
        v = struct.unpack_from("<2i3f3f3f3fIf", data, at + 64 * i)
        found.append(dict(zip(names, (v[0], v[1], v[2:5], v[5:8], v[8:11], v[11], v[12], v[13], v[14], v[15]))))
    frame = {"index": index, "time": time, "position": position, "orientation": orientation, "velocity": velocity,
             "contacts": found, "bytes": data[offset:offset + length]}
    return frame, offset + length


def read_frames(data):
    frames, at = [], 0
    while at < len(data):
        frame, at = read_frame(data, at)
        frames.append(frame)
    return frames


class Socket:
    """A WebSocket client. Headers may be replaced and frames made wrong on purpose."""

    def __init__(self, server, path=None, host=None, origin=None, timeout=20, extra=""):
        self.s = server.connect(timeout)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        request = ("GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n%s%s\r\n" %
                   (path or "/%s/live" % server.token, host or server.host, key,
                    "Origin: %s\r\n" % origin if origin is not None else "", extra))
        self.s.sendall(request.encode())
        while b"\r\n\r\n" not in self.buffer:
            piece = self.s.recv(4096)
            if not piece:
                break
            self.buffer += piece
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head.startswith(b"HTTP/1") else 0
        if self.status == 101:
            accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
            assert accept in head, head

    def close(self):
        self.s.close()

    def send_raw(self, data):
        self.s.sendall(data)

    def send(self, payload, opcode=1, fin=True, masked=True, rsv=0):
        if isinstance(payload, str):
            payload = payload.encode()
        head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
        mark = 0x80 if masked else 0
        if len(payload) < 126:
            head += bytes([mark | len(payload)])
        elif len(payload) < 65536:
            head += bytes([mark | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([mark | 127]) + struct.pack(">Q", len(payload))
        mask = b"\x11\x22\x33\x44"
        if masked:
            payload = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
            head += mask
        self.s.sendall(head + payload)

    def command(self, **fields):
        self.send(json.dumps(fields))

    def take(self, size):
        while len(self.buffer) < size:
            piece = self.s.recv(1 << 16)
            if not piece:
                raise ConnectionError("closed")
            self.buffer += piece
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def receive(self):
        """One whole message: (opcode, bytes). A close is opcode 8."""
        whole, kind = b"", None
        while True:
            head = self.take(2)
            opcode, length = head[0] & 15, head[1] & 127
            assert not head[1] & 0x80, "a server must not mask"
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if opcode >= 8:
                return opcode, payload
            kind = opcode if opcode else kind
            whole += payload
            if head[0] & 0x80:
                return kind, whole

    def wait(self, kind, acknowledge=True):
        """The next message of a kind ("frame", "state", "series", "error"); frames on the way are acknowledged."""
        while True:
            opcode, data = self.receive()
            if opcode == 2:
                frame, end = read_frame(data)
                assert end == len(data)
                if acknowledge:
                    self.command(type="ack", index=frame["index"])
                if kind == "frame":
                    return frame
            elif opcode == 1:
                message = json.loads(data)
                if message["type"] == kind:
                    return message
            elif opcode == 8:
                raise ConnectionError("closed with %d" % (struct.unpack(">H", data[:2])[0] if len(data) >= 2 else 0))
