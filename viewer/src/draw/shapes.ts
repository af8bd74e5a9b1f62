// Geometry of shapes. Shapes that differ only by stretching share one geometry, so that any number of spheres, boxes or
// circles is drawn at once: a shape is a key of its geometry, how to build it, and a scale.
import * as THREE from 'three';
import type { ShapeInfo } from '../data/header.ts';
import { localOrientation } from './placement.ts';

export interface ShapePlan {
  key: string;
  scale: [number, number, number];
  build(detail: Detail): THREE.BufferGeometry;
  /** Edges as pairs of points; null: those of the geometry that are sharp. */
  outline: ((detail: Detail) => THREE.BufferGeometry) | null;
  flat: boolean; // facets are to be seen as such
}

/** How finely round shapes are cut: fewer facets where there are many. */
export interface Detail {
  round: number; // facets around
}

export function detailFor(count: number): Detail {
  return { round: count > 20000 ? 6 : count > 4000 ? 10 : count > 500 ? 14 : count > 40 ? 20 : 32 };
}

const spatial: Record<string, (shape: ShapeInfo) => ShapePlan> = {
  sphere: (s) => sphere(s, [s.radius ?? 0, s.radius ?? 0, s.radius ?? 0]),
  ellipsoid: (s) => sphere(s, [s.radii?.[0] ?? 0, s.radii?.[1] ?? 0, s.radii?.[2] ?? 0]),
  box: (s) => solid('box', [s.size?.[0] ?? 0, s.size?.[1] ?? 0, s.size?.[2] ?? 0], () => new THREE.BoxGeometry(1, 1, 1), true),
  cylinder: (s) =>
    solid('cylinder', [s.radius ?? 0, s.radius ?? 0, s.height ?? 0], (d) =>
      new THREE.CylinderGeometry(1, 1, 1, d.round).rotateX(Math.PI / 2)),
  cone: (s) =>
    solid('cone', [s.radius ?? 0, s.radius ?? 0, s.height ?? 0], (d) =>
      new THREE.ConeGeometry(1, 1, d.round).rotateX(Math.PI / 2).translate(0, 0, 0.25)),
  capsule: (s) => {
    const ratio = (s.length ?? 0) / (s.radius || 1);
    const r = s.radius ?? 0;
    const plan = solid(`capsule ${ratio.toPrecision(6)}`, [r, r, r], (d) =>
      new THREE.CapsuleGeometry(1, ratio, Math.max(3, d.round / 4), d.round).rotateX(Math.PI / 2));
    return { ...plan, outline: (d) => lines(capsuleRims(ratio / 2, d.round)) };
  },
  hull: polyhedron,
  mesh: polyhedron,
  'height-field': polyhedron,
  point: () => solid('point', [1, 1, 1], () => new THREE.OctahedronGeometry(1), true),
};

const planar: Record<string, (shape: ShapeInfo) => ShapePlan> = {
  circle: (s) => ellipse('circle', s.radius ?? 0, s.radius ?? 0),
  ellipse: (s) => ellipse('circle', s.radii?.[0] ?? 0, s.radii?.[1] ?? 0),
  capsule: stadium,
  polygon: (s) => outlined('polygon', ring(points(s, 2)), true),
  segment: (s) => outlined('segment', points(s, 2), false),
  chain: (s) => outlined('chain', points(s, 2), false),
  point: () => ellipse('point', 1, 1),
};

/** How to draw a shape: kinds that this page does not know by their faces; null for half-planes and half-spaces, which have no end. */
export function planShape(shape: ShapeInfo, dimension: number): ShapePlan | null {
  const plan = (dimension === 2 ? planar : spatial)[shape.kind] ?? (shape.faces ? polyhedron : null);
  return plan?.(shape) ?? null;
}

export function isGround(shape: ShapeInfo): boolean {
  return shape.kind === 'half-space' || shape.kind === 'half-plane';
}

/** The outer normal of a half-space or half-plane in its body's frame. */
export function normalOf(shape: ShapeInfo, dimension: number): [number, number, number] {
  const given = shape.normal ?? (dimension === 2 ? [0, 1, 0] : [0, 0, 1]);
  const normal = new THREE.Vector3(given[0], given[1], dimension === 2 ? 0 : given[2] ?? 0).normalize();
  const q = localOrientation(shape.orientation, shape.angle);
  return normal.applyQuaternion(new THREE.Quaternion(q[1], q[2], q[3], q[0])).toArray();
}

/** Low and high corner of a box that holds the shape, in its own frame. */
export function boxOf(shape: ShapeInfo, dimension: number): { low: number[]; high: number[] } {
  const flat = flatten(shape.vertices);
  if (flat.length) {
    const low = [Infinity, Infinity, dimension === 2 ? 0 : Infinity];
    const high = [-Infinity, -Infinity, dimension === 2 ? 0 : -Infinity];
    flat.forEach((value, i) => {
      low[i % dimension] = Math.min(low[i % dimension], value);
      high[i % dimension] = Math.max(high[i % dimension], value);
    });
    return { low, high };
  }
  const r = shape.radius ?? 0;
  const half = shape.size?.map((x) => x / 2) ?? shape.radii ?? [r, r, dimension === 2 ? 0 : r];
  const long = (shape.length ?? 0) / 2;
  const tall = shape.height ? 0.75 * shape.height : half[2] ?? 0;
  const high = dimension === 2 ? [half[0] + long, half[1], 0] : [half[0], half[1], tall + long];
  return { low: high.map((x) => -x), high };
}

// ------------------------------------------------------------------------------------------------------------ space

function solid(
  key: string,
  scale: [number, number, number],
  build: (detail: Detail) => THREE.BufferGeometry,
  flat = false,
): ShapePlan {
  return { key, scale, build, outline: null, flat };
}

// Every second octant is darker, so that rolling is seen.
function sphere(_shape: ShapeInfo, scale: [number, number, number]): ShapePlan {
  return {
    key: 'sphere',
    scale,
    flat: false,
    build: (detail) => {
      if (detail.round <= 6) return new THREE.IcosahedronGeometry(1, 0);
      const geometry = new THREE.SphereGeometry(1, detail.round, detail.round / 2).toNonIndexed();
      return shade(geometry, (x, y, z) => (x * y * z < 0 ? 0.72 : 1));
    },
    outline: (detail) => {
      const turns: number[] = [];
      for (let axis = 0; axis < 3; ++axis) turns.push(...greatCircle(axis, detail.round));
      return lines(turns);
    },
  };
}

function greatCircle(axis: number, round: number): number[] {
  const out: number[] = [];
  const at = (i: number): number[] => {
    const angle = (2 * Math.PI * i) / round;
    const point = [Math.cos(angle), Math.sin(angle)];
    point.splice(axis, 0, 0);
    return point;
  };
  for (let i = 0; i < round; ++i) out.push(...at(i), ...at(i + 1));
  return out;
}

// The two rims where the round ends begin, and two outlines along the axis.
function capsuleRims(half: number, round: number): number[] {
  const raised = (circle: number[], height: (z: number) => number): number[] =>
    circle.map((x, i) => (i % 3 === 2 ? x + height(x) : x));
  const rim = greatCircle(2, round);
  const along = [...greatCircle(0, round), ...greatCircle(1, round)];
  return [...raised(rim, () => half), ...raised(rim, () => -half), ...raised(along, (z) => Math.sign(Math.round(z * 1e6)) * half)];
}

/** Colour each facet by its middle. */
function shade(geometry: THREE.BufferGeometry, tone: (x: number, y: number, z: number) => number): THREE.BufferGeometry {
  const p = geometry.getAttribute('position');
  const colours = new Float32Array(p.count * 3);
  for (let i = 0; i < p.count; i += 3) {
    const middle = (get: (k: number) => number): number => (get(i) + get(i + 1) + get(i + 2)) / 3;
    const value = tone(middle((k) => p.getX(k)), middle((k) => p.getY(k)), middle((k) => p.getZ(k)));
    colours.fill(value, i * 3, i * 3 + 9);
  }
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  return geometry;
}

function polyhedron(shape: ShapeInfo): ShapePlan {
  const vertices = flatten(shape.vertices);
  const faces = shape.faces ?? [];
  return {
    key: `${shape.kind} ${hash(vertices)} ${faces.length}`,
    scale: [1, 1, 1],
    flat: true,
    outline: null,
    build: () => {
      const corners: number[] = [];
      for (const face of faces)
        for (let i = 2; i < face.length; ++i) corners.push(face[0], face[i - 1], face[i]);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(vertices, 3));
      geometry.setIndex(corners);
      const facets = geometry.toNonIndexed();
      facets.computeVertexNormals();
      return facets;
    },
  };
}

// ------------------------------------------------------------------------------------------------------------ plane

// A disk with one dark quarter, so that turning is seen.
function ellipse(key: string, a: number, b: number): ShapePlan {
  return {
    key,
    scale: [a, b, 1],
    flat: true,
    build: (detail) => {
      const geometry = new THREE.CircleGeometry(1, Math.max(12, detail.round)).toNonIndexed();
      return shade(geometry, (x, y) => (x > 0 && y > 0 && key !== 'point' ? 0.62 : 1));
    },
    outline: (detail) => {
      const round = Math.max(12, detail.round);
      return lines(greatCircle(2, round));
    },
  };
}

function stadium(shape: ShapeInfo): ShapePlan {
  const half = (shape.length ?? 0) / 2;
  const r = shape.radius ?? 0;
  const corners: THREE.Vector2[] = [];
  for (let i = 0; i <= 32; ++i) {
    const angle = -Math.PI / 2 + (2 * Math.PI * i) / 32;
    corners.push(new THREE.Vector2((i < 17 ? half : -half) + r * Math.cos(angle), r * Math.sin(angle)));
  }
  return outlined(`stadium ${half} ${r}`, corners, true);
}

function outlined(kind: string, corners: THREE.Vector2[], filled: boolean): ShapePlan {
  return {
    key: `${kind} ${hash(corners.flatMap((c) => [c.x, c.y]))}`,
    scale: [1, 1, 1],
    flat: true,
    build: () => (filled ? new THREE.ShapeGeometry(new THREE.Shape(corners)) : ribbon(corners)),
    outline: () => lines(corners.slice(1).flatMap((c, i) => [corners[i].x, corners[i].y, 0, c.x, c.y, 0])),
  };
}

// A bar without thickness is given a little, so that it can be seen and clicked.
function ribbon(corners: THREE.Vector2[]): THREE.BufferGeometry {
  const box = new THREE.Box2().setFromPoints(corners);
  const half = box.getSize(new THREE.Vector2()).length() * 0.006;
  const triangles: number[] = [];
  for (let i = 1; i < corners.length; ++i) {
    const [p, q] = [corners[i - 1], corners[i]];
    const n = q.clone().sub(p).normalize().multiplyScalar(half);
    const side = new THREE.Vector2(-n.y, n.x);
    const at = (c: THREE.Vector2, s: number, e: number): number[] => [c.x + s * side.x + e * n.x, c.y + s * side.y + e * n.y, 0];
    const quad = [at(p, 1, -1), at(p, -1, -1), at(q, -1, 1), at(q, 1, 1)];
    for (const k of [0, 1, 2, 0, 2, 3]) triangles.push(...quad[k]);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(triangles, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// ---------------------------------------------------------------------------------------------------------- helpers

export function lines(coordinates: number[]): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(coordinates, 3));
  return geometry;
}

function ring(corners: THREE.Vector2[]): THREE.Vector2[] {
  return corners.length ? [...corners, corners[0]] : corners;
}

function points(shape: ShapeInfo, width: number): THREE.Vector2[] {
  const flat = flatten(shape.vertices);
  const out: THREE.Vector2[] = [];
  for (let i = 0; i + 1 < flat.length; i += width) out.push(new THREE.Vector2(flat[i], flat[i + 1]));
  return out;
}

function flatten(vertices: number[] | number[][] | undefined): number[] {
  return vertices ? (vertices as (number | number[])[]).flat() : [];
}

function hash(values: number[]): string {
  let h = 2166136261;
  for (const value of values) h = Math.imul(h ^ Math.round(value * 1e7), 16777619);
  return `${values.length} ${h >>> 0}`;
}
