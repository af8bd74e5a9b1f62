#!/usr/bin/env python3
"""Write docs/scene-file.md from schema/scene.schema.json. Standard library only.

Usage: tools/schema_to_markdown.py SCHEMA > docs/scene-file.md
"""
import json
import sys

INTRODUCTION = """\
# Scene files

<!-- Made by tools/schema_to_markdown.py from schema/scene.schema.json; change that file instead. -->

A scene file is YAML or JSON in UTF-8. All units are SI. `cairn check FILE` validates it and lists all errors at
once, each as `file:line:column: message`. `cairn schema` prints the JSON Schema from which this page is generated.

## Example

```yaml
{example}```

## Numbers, expressions, vectors

- A **number** is a finite number, or text with a constant expression such as `pi/3`, `2*mu` or `sqrt(2)`.
- An **expression** may also use the time `t` (s): `20*cos(t)`.
- A **vector** is a list of 2 numbers in the plane, 3 in space.
- An **orientation** (space) is a quaternion as a list w, x, y, z, or a [turn](#turn): `{axis: [0, 0, 1], angle: pi/2}`.
- Names in expressions: `pi`, the scene's `parameters`, and `t` where an expression is allowed.
- Operators: `+ - * / ^` and parentheses. `^` binds tightest and associates to the right: `-2^2` is -4, `2^3^2` is 512.
- Functions: `sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log sqrt abs floor ceil min(a, b) max(a, b)
  pow(a, b)`, `step(x)` (0 below 0, otherwise 1) and `if(x, a, b)` (`a` if x > 0, otherwise `b`).
- Anchors (`&name`) and aliases (`*name`) work; tags and several documents in one file do not.
- A field given twice, an unknown field and a value out of range are errors.
"""

ORDER = ["scene", "periodic", "material", "patch", "pair", "body", "motion", "turn", "shape", "population", "sizes", "region", "insertion", "removal", "robot", "joint", "coordinate", "drive", "coupling", "term", "spring", "force", "statistic", "zone", "plane", "sensor", "recording", "simulation"]


def scalar(value):
    """A value as YAML, in quotes where it would otherwise be read as something else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return json.dumps(value)
    plain = value and all(c.isalnum() or c in " _-./*()" for c in value) and value[0].isalnum()
    return value if plain else json.dumps(value)


def flow(value):
    """A value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def block(value, indent=""):
    """A mapping as YAML lines; what fits on a line stays on one."""
    text = ""
    for key, item in value.items():
        line = f"{indent}{key}: {flow(item)}"
        if isinstance(item, list) and item and isinstance(item[0], dict):
            text += f"{indent}{key}:\n"
            for element in item:
                text += element_lines(element, indent + "  ")
        elif isinstance(item, dict) and len(line) > 100:
            text += f"{indent}{key}:\n" + block(item, indent + "  ")
        else:
            text += line + "\n"
    return text


def element_lines(element, indent):
    line = f"{indent}- {flow(element)}\n"
    if len(line) <= 110:
        return line
    lines = block(element, indent + "  ")
    return f"{indent}- {lines[len(indent) + 2:]}"


def kind_of(field, definitions):
    """What a field holds, in words that link to where it is explained."""
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        if name in ORDER:
            return f"[{name}](#{anchor(definitions[name]['title'])})"
        return definitions[name]["title"].lower()
    if "enum" in field:
        return " \\| ".join(f"`{word}`" for word in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if "anyOf" in field:
        return " or ".join(kind_of(option, definitions) for option in field["anyOf"])
    kind = field.get("type")
    if kind == "array":
        return f"list of {kind_of(field['items'], definitions)}"
    if kind == "object" and "$ref" in field["additionalProperties"] and "properties" in definitions[field["additionalProperties"]["$ref"].rsplit("/", 1)[1]]:
        return f"mapping of names to {kind_of(field['additionalProperties'], definitions)}"
    if kind == "object":
        texts = field["additionalProperties"].get("type") == "string"
        return f"mapping of names to {'texts' if texts else 'numbers'}"
    words = {"string": "text", "boolean": "true or false"}
    return words[kind]


def anchor(title):
    return title.lower().replace(" ", "-")


def section(definition, definitions):
    required = definition.get("required", [])
    lines = [f"## {definition['title']}", ""]
    if "description" in definition:
        lines += [definition["description"], ""]
    lines += ["| Field | Value | Meaning |", "|---|---|---|"]
    for name, field in definition["properties"].items():
        mark = " (required)" if name in required else ""
        if "description" not in field:
            sys.exit(f"the schema's field '{name}' of '{definition['title']}' has no description")
        lines.append(f"| `{name}`{mark} | {kind_of(field, definitions)} | {field['description']} |")
    return "\n".join(lines) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        schema = json.load(stream)
    definitions = schema["$defs"]
    pages = [INTRODUCTION.replace("{example}", block(schema["examples"][0]))]
    pages += [section(definitions[name], definitions) for name in ORDER]
    with_fields = {name for name, definition in definitions.items() if "properties" in definition}
    if with_fields != set(ORDER):
        sys.exit(f"the schema's objects and the page's sections differ: {sorted(with_fields ^ set(ORDER))}")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write("\n".join(pages))


if __name__ == "__main__":
    main()
