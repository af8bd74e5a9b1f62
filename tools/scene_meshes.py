"""Closed meshes for scenes: plates with an outline and perhaps a hole, and bars that are twisted about their axis."""
import math

from scene_text import vector


class Mesh:
    def __init__(self):
        self.vertices, self.triangles, self.index = [], [], {}

    def vertex(self, point):
        key = tuple(round(c, 9) + 0.0 for c in point)
        if key not in self.index:
            self.index[key] = len(self.vertices)
            self.vertices.append(key)
        return self.index[key]

    def triangle(self, a, b, c):
        self.triangles.append((self.vertex(a), self.vertex(b), self.vertex(c)))

    def quad(self, a, b, c, d):
        self.triangle(a, b, c)
        self.triangle(a, c, d)

    def lines(self, indent, more=""):
        """The shape as lines of a list in a scene file."""
        pad = " " * indent
        rows = [f"{pad}- type: mesh"] + [f"{pad}  {line}" for line in more.split("\n") if line]
        rows.append(f"{pad}  vertices:")
        rows += wrapped([vector(p) for p in self.vertices], indent + 4)
        rows.append(f"{pad}  triangles:")
        rows += wrapped(["[" + ", ".join(map(str, t)) + "]" for t in self.triangles], indent + 4)
        return rows


def wrapped(items, indent, width=116):
    """A list of small lists, several to a line."""
    rows, row = [], ""
    for item in items:
        if row and indent + len(row) + len(item) + 2 > width:
            rows.append(row)
            row = ""
        row += item + ", "
    rows.append(row.rstrip(", "))
    return [" " * indent + ("[" if i == 0 else " ") + r.rstrip() + ("]" if i == len(rows) - 1 else "") for i, r in enumerate(rows)]


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def ears(polygon):
    """Triangles of a simple polygon, counter-clockwise, by cutting off ears: the fattest first, so that none is needlessly thin."""
    rest, out = list(range(len(polygon))), []
    while len(rest) > 3:
        best, where = -1.0, None
        for i in range(len(rest)):
            a, b, c = (polygon[rest[(i + k) % len(rest)]] for k in (-1, 0, 1))
            area = cross(a, b, c)
            if area <= 1e-12 or any(within(polygon[k], a, b, c) for k in rest if polygon[k] not in (a, b, c)):
                continue
            sides = [math.dist(a, b), math.dist(b, c), math.dist(c, a)]
            quality = area / max(sides) ** 2
            if quality > best:
                best, where = quality, i
        out.append(tuple(rest[(where + k) % len(rest)] for k in (-1, 0, 1)))
        del rest[where]
    return out + [tuple(rest)]


def within(p, a, b, c):
    return cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0


def divided(outline, length):
    """The outline with its sides cut into pieces no longer than this."""
    points = []
    for a, b in zip(outline, outline[1:] + outline[:1]):
        n = max(1, math.ceil(math.dist(a, b) / length - 1e-9))
        points += [(a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n) for k in range(n)]
    return points


def grown(outline, by):
    """A counter-clockwise outline with every side moved out by a distance."""
    out = []
    n = len(outline)
    for i in range(n):
        before, here, after = outline[i - 1], outline[i], outline[(i + 1) % n]
        n1, n2 = normal(before, here), normal(here, after)
        k = by / (1 + n1[0] * n2[0] + n1[1] * n2[1])
        out.append((here[0] + k * (n1[0] + n2[0]), here[1] + k * (n1[1] + n2[1])))
    return out


def normal(a, b):
    length = math.dist(a, b)
    return (b[1] - a[1]) / length, (a[0] - b[0]) / length


def bridged(outer, hole):
    """One polygon, counter-clockwise, of a counter-clockwise outline and a hole in it, joined by a cut there and back."""
    i, j = min(((i, j) for i in range(len(outer)) for j in range(len(hole))), key=lambda ij: math.dist(outer[ij[0]], hole[ij[1]]))
    around = hole[::-1]
    start = around.index(hole[j])
    return outer[: i + 1] + around[start:] + around[: start + 1] + outer[i:]


def plate(outline, low, high, hole=None):
    """A plate between two heights, its faces cut into triangles between the points of the outline (and of the hole)."""
    mesh = Mesh()
    face = bridged(outline, hole) if hole else outline
    for a, b, c in ears(face):
        mesh.triangle(*((*face[k], high) for k in (a, b, c)))
        mesh.triangle(*((*face[k], low) for k in (c, b, a)))
    for ring in [outline] + ([hole[::-1]] if hole else []):
        for p, q in zip(ring, ring[1:] + ring[:1]):
            mesh.quad((*p, low), (*q, low), (*q, high), (*p, high))
    return mesh


def twisted(section, low, high, layers, lead, inward=False):
    """The side of a bar of some cross-section that turns once over the lead; rings of points from the lowest to the highest."""
    rings = []
    for k in range(layers + 1):
        z = low + (high - low) * k / layers
        turn = 2 * math.pi * z / lead
        c, s = math.cos(turn), math.sin(turn)
        rings.append([(c * x - s * y, s * x + c * y, z) for x, y in section])
    mesh = Mesh()
    n = len(section)
    for lower, upper in zip(rings, rings[1:]):
        for i in range(n):
            a, b, c, d = lower[i], lower[(i + 1) % n], upper[(i + 1) % n], upper[i]
            # of the two diagonals the one along which the surface bends outwards for a bar, inwards for a bore
            corners = (a, b, c, d) if not inward else (d, c, b, a)
            mesh.quad(*corners)
    return mesh, rings
