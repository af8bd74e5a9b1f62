"""Pieces of scene files as text: what the makers of scenes share."""

GROUND_2 = "  - {name: ground, kind: fixed, material: %s, shapes: [{type: half-plane, normal: [0, 1]}]}"
GROUND_3 = "  - {name: ground, kind: fixed, material: %s, shapes: [{type: half-space, normal: [0, 0, 1]}]}"


def number(x):
    """Nine digits where they say it all to within rounding, otherwise all; never -0."""
    text = f"{x:.9g}"
    text = text if abs(float(text) - x) <= 1e-14 else repr(x)
    return "0" if text in ("-0", "0") else text


def vector(values):
    return "[" + ", ".join(number(v) if not isinstance(v, str) else v for v in values) + "]"


def head(title, description, dimension, parameters, material, friction, extra=()):
    lines = [f"title: {title}", "description: |"]
    lines += ["  " + line for line in description.strip().split("\n")]
    lines += [f"dimension: {dimension}", *extra]
    lines += ["parameters: {" + ", ".join(f"{k}: {v}" for k, v in parameters.items()) + "}"]
    lines += ["materials:", f"  - {{name: {material}, friction: {friction}}}", "bodies:"]
    return lines


def centroid(points):
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
        cross = x0 * y1 - x1 * y0
        area += cross / 2
        x += (x0 + x1) * cross / 6
        y += (y0 + y1) * cross / 6
    return x / area, y / area


def text(lines):
    return "\n".join(lines) + "\n"
