#!/bin/sh
# cairn examples --gallery: a page with a moving picture of each scene, whole and self-contained. Usage: gallery.sh CAIRN SCRATCH
# CAIRN_LONG=1 films all scenes.
. "$(dirname "$0")/lib.sh"

names="bouncing-balls double-pendulum two-bodies-damper-20 hinge-in-space four-bar"
[ -z "${CAIRN_LONG:-}" ] || names=
expect 0 examples $names --gallery page --seconds 0.3
[ "$(cat out)" = page/index.html ] || fail "out: $(cat out)"
[ -n "$names" ] || names=$("$cairn" examples | awk '{print $1}')
cat >check.py <<'CHECK'
import html.parser, os, struct, sys

class page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.images, self.open, self.text = [], [], ""
    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            assert not (name in ("src", "href") and ("//" in value or value.startswith("/"))), value
        if tag == "img":
            self.images.append(dict(attributes))
        elif tag not in ("meta", "br"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        self.text += data

text = open("page/index.html").read()
assert "http" not in text.replace("http-equiv", ""), "the page asks for something elsewhere"
p = page()
p.feed(text)
assert not p.open, p.open
names = sys.argv[1:]
assert [i["src"] for i in p.images] == [n + ".png" for n in names], p.images
assert sorted(os.listdir("page")) == sorted(["index.html"] + [n + ".png" for n in names]), os.listdir("page")
for name in names:
    assert "cairn run %s -o %s.h5" % (name, name) in p.text, name
    data = open("page/%s.png" % name, "rb").read()
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (300, 200) and data[37:41] == b"acTL" and data[-8:-4] == b"IEND", name
    assert struct.unpack(">I", data[41:45])[0] == data.count(b"fcTL") >= 2, name
CHECK
# shellcheck disable=SC2086 # a list of names
"$python" check.py $names || fail "the page is not what it should be"

expect 2 examples no-such-scene --gallery none
grep -q no-such-scene err || fail "no sentence: $(cat err)"
[ -e none ] && fail "a wrong call left a directory"
expect 2 examples --gallery page/index.html
expect 2 examples arch wall

# Interrupted: the children end, their run files go, and there is no page.
"$cairn" examples --gallery broken -q >out 2>err &
maker=$!
sleep 1
kill -TERM "$maker"
wait "$maker"
found=$?
[ "$found" -eq 143 ] || fail "an interrupted gallery: exit status $found instead of 143"
[ -e broken/index.html ] && fail "an interrupted gallery left a page"
ls broken | grep -q 'run$\|part' && fail "an interrupted gallery left $(ls broken)"
echo "gallery: $failures failures"
[ "$failures" -eq 0 ]
