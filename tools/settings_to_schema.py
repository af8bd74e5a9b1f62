#!/usr/bin/env python3
"""Put the library's table of settings into the JSON Schema of scene files. Standard library only.

Usage: cairn schema --settings | tools/settings_to_schema.py SCHEMA > NEW_SCHEMA

Only the properties of `simulation` change, but for `until`, which is no setting; all other lines stay as they are.
"""
import json
import sys


def text(value):
    """A value on one line, in the style of the schema."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)}: {text(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(text(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def properties_at(source):
    """Start and end, in the text of the schema, of the object with the properties of `simulation`."""
    start = source.index('"properties": {', source.index('"title": "Simulation"')) + len('"properties": ')
    return start, start + json.JSONDecoder().raw_decode(source[start:])[1]


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        source = stream.read()
    settings = json.load(sys.stdin)
    start, end = properties_at(source)
    until = json.loads(source[start:end])["until"]
    settings = {"step": settings.pop("step"), "until": until, **settings}
    lines = [f"        {json.dumps(name)}: {text(value)}" for name, value in settings.items()]
    sys.stdout.write(source[:start] + "{\n" + ",\n".join(lines) + "\n      }" + source[end:])


main()
