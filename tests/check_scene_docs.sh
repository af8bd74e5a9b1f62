#!/bin/sh
# The settings of the schema are those of the library's table; docs/scene-file.md is what the schema gives; its example is a
# scene the tool accepts; the schema accepts every built-in scene. Usage: check_scene_docs.sh SOURCE_DIR CAIRN_BINARY
set -eu
source=$1
cairn=$2
python=python3
if [ -x /usr/bin/python3 ]; then
    python=/usr/bin/python3
fi
if ! command -v "$python" >/dev/null; then
    echo "skipped: python3 is missing"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$cairn" schema --settings >"$scratch/settings.json"
"$python" "$source/tools/settings_to_schema.py" "$source/schema/scene.schema.json" <"$scratch/settings.json" >"$scratch/schema.json"
if ! diff -u "$source/schema/scene.schema.json" "$scratch/schema.json"; then
    echo "schema/scene.schema.json is not what tools/settings_to_schema.py makes of the table of settings; make it again" >&2
    exit 1
fi

"$python" "$source/tools/schema_to_markdown.py" "$source/schema/scene.schema.json" >"$scratch/scene-file.md"
if ! diff -u "$source/docs/scene-file.md" "$scratch/scene-file.md"; then
    echo "docs/scene-file.md is not what tools/schema_to_markdown.py makes of the schema; make it again" >&2
    exit 1
fi

awk '/^```yaml$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/scene-file.md" >"$scratch/example.yaml"
test -s "$scratch/example.yaml"
"$cairn" check "$scratch/example.yaml"

# The same words accepted and refused by the schema and by the tool.
if ! "$python" -c 'import jsonschema, yaml' 2>/dev/null; then
    echo "the schema itself is not tried: python3-jsonschema or python3-yaml is missing"
    exit 0
fi
"$python" - "$source" "$scratch/example.yaml" <<'END'
import glob
import json
import os
import sys

import jsonschema
import yaml

source = sys.argv[1]
with open(f"{source}/schema/scene.schema.json", encoding="utf-8") as stream:
    schema = json.load(stream)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
good = sorted(glob.glob(f"{source}/scenes/*.yaml")) + [sys.argv[2]]
assert len(good) > 1
for path in good:
    with open(path, encoding="utf-8") as stream:
        validator.validate(yaml.safe_load(stream))
bad = sorted(glob.glob(f"{source}/tests/data/bad-scenes/schema-*.yaml"))
assert len(bad) > 5
for path in bad:
    with open(path, encoding="utf-8") as stream:
        if validator.is_valid(yaml.safe_load(stream)):
            sys.exit(f"the schema accepts {os.path.basename(path)}")
print(f"the schema accepts {len(good)} good scenes and refuses {len(bad)} bad ones")
END
