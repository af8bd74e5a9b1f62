// How large the scene is and where: what moves, and what is fixed near it.
import type { Frame } from '../data/frames.ts';
import { isAnywhere, type Header, type ShapeInfo } from '../data/header.ts';
import { localOrientation, rotate, worldPoint } from './placement.ts';
import { boxOf, isGround, normalOf } from './shapes.ts';

export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

const mostLookedAt = 4000; // bodies of a frame

const emptyBox = (): Box => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
const isEmpty = (box: Box): boolean => !(box.low[0] <= box.high[0]);

export class Extent {
  private readonly boxes: Float32Array; // of each body in its own frame, middle and half sizes: 6 numbers
  private readonly seen: Uint8Array; // bodies that have a shape
  private readonly moves: Uint8Array;
  private readonly anchors: number[][]; // of joints in the world
  private readonly springAnchors: number[][]; // of springs: some stand for forces from afar
  private readonly floors: { shape: ShapeInfo; normal: number[] }[];

  constructor(header: Header) {
    const count = header.bodies.length;
    this.boxes = new Float32Array(6 * count);
    this.seen = new Uint8Array(count);
    this.moves = Uint8Array.from(header.bodies, (body) => (body.kind === 'fixed' ? 0 : 1));
    const ends = (links: Header['joints'] | Header['springs']): number[][] =>
      links.flatMap((link) => [link.a, link.b]).filter((end) => end.body < 0).map((end) => end.point);
    this.anchors = ends(header.joints.filter((joint) => !isAnywhere(joint)));
    this.springAnchors = ends(header.springs);
    const g = header.gravity;
    this.floors = header.shapes.filter(isGround).map((shape) => ({ shape, normal: normalOf(shape, header.dimension) }))
      .filter(({ normal }) => dot(normal, g) < -0.7 * Math.hypot(...g));
    for (const shape of header.shapes) if (!isGround(shape)) this.include(shape, header.dimension);
  }

  /** The box around all that moves in these frames, and around what is fixed and not much larger. */
  around(frames: Frame[]): Box {
    const box = emptyBox();
    for (const frame of frames) this.add(box, frame, 1, Infinity);
    if (frames[0] && !isEmpty(box)) this.addFloors(box, frames[0]);
    for (const [x, y, z] of this.anchors) widen(box, [x, y, z ?? 0], [0, 0, 0]);
    if (frames[0]) this.add(box, frames[0], 0, isEmpty(box) ? Infinity : 2 * diagonal(box));
    const far = isEmpty(box) ? Infinity : 2 * diagonal(box);
    for (const [x, y, z] of this.springAnchors)
      if (distance(box, [x, y, z ?? 0]) <= far) widen(box, [x, y, z ?? 0], [0, 0, 0]);
    if (isEmpty(box)) return { low: [-1, -1, -1], high: [1, 1, 1] };
    if (!(diagonal(box) > 0)) widen(box, box.low, [1, 1, 1]);
    return box;
  }

  /** The box around one body; null where it has no shape. */
  ofBody(frame: Frame, body: number): Box | null {
    if (!this.seen[body]) return null;
    const box = emptyBox();
    this.widenBy(box, frame, body);
    return box;
  }

  // The shape's box, turned and moved to its place in the body, joins that of the body.
  private include(shape: ShapeInfo, dimension: number): void {
    const own = boxOf(shape, dimension);
    const half = [0, 1, 2].map((k) => (own.high[k] - own.low[k]) / 2);
    const q = localOrientation(shape.orientation, shape.angle);
    const at = [0, 0, 0];
    rotate(at, 0, ...q, own.low[0] + half[0], own.low[1] + half[1], own.low[2] + half[2]);
    const middle = at.map((x, k) => x + (shape.position?.[k] ?? 0));
    const box = emptyBox();
    const o = 6 * shape.body;
    if (this.seen[shape.body]) widen(box, this.boxes.subarray(o, o + 3), this.boxes.subarray(o + 3, o + 6));
    widen(box, middle, turned(q, half));
    for (let k = 0; k < 3; ++k) {
      this.boxes[o + k] = (box.low[k] + box.high[k]) / 2;
      this.boxes[o + 3 + k] = (box.high[k] - box.low[k]) / 2;
    }
    this.seen[shape.body] = 1;
  }

  // What falls will land: the floor below the middle is seen too, unless it is far away.
  private addFloors(box: Box, frame: Frame): void {
    const middle = box.low.map((x, k) => (x + box.high[k]) / 2);
    for (const { shape, normal } of this.floors) {
      const height = dot(normal, middle) - dot(normal, worldPoint(frame, shape.body, shape.position ?? []));
      if (height > 0 && height < 3 * diagonal(box)) widen(box, middle.map((x, k) => x - height * normal[k]), [0, 0, 0]);
    }
  }

  private add(box: Box, frame: Frame, moving: number, largest: number): void {
    const count = Math.min(frame.bodyCount, this.moves.length);
    const stride = Math.max(1, Math.floor(count / mostLookedAt));
    const lost = moving ? farAway(frame, this.moves) : () => false;
    for (let b = 0; b < count; b += stride) {
      if (this.moves[b] !== moving || (!moving && !this.seen[b]) || lost(b)) continue;
      if (2 * Math.hypot(...this.boxes.subarray(6 * b + 3, 6 * b + 6)) <= largest) this.widenBy(box, frame, b);
    }
  }

  private widenBy(box: Box, frame: Frame, b: number): void {
    const q = frame.orientation;
    const middle = worldPoint(frame, b, this.boxes.subarray(6 * b, 6 * b + 3));
    widen(box, middle, turned([q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3]], this.boxes.subarray(6 * b + 3, 6 * b + 6)));
  }
}

/** Among twenty bodies or more, those much farther from the middle than nine tenths of them are: they fell off, and are let go. */
function farAway(frame: Frame, moves: Uint8Array): (body: number) => boolean {
  const stride = Math.max(1, Math.floor(frame.bodyCount / mostLookedAt));
  const bodies: number[] = [];
  for (let b = 0; b < Math.min(frame.bodyCount, moves.length); b += stride) if (moves[b] && Number.isFinite(frame.position[3 * b])) bodies.push(b);
  if (bodies.length < 20) return () => false;
  const p = frame.position;
  const middle = [0, 1, 2].map((k) => bodies.map((b) => p[3 * b + k]).sort((x, y) => x - y)[bodies.length >> 1]);
  const away = (b: number): number => Math.hypot(p[3 * b] - middle[0], p[3 * b + 1] - middle[1], p[3 * b + 2] - middle[2]);
  const usual = bodies.map(away).sort((x, y) => x - y)[Math.floor(0.9 * bodies.length)];
  return (body) => !(away(body) <= 2.5 * usual);
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + (a[2] ?? 0) * (b[2] ?? 0);

/** How far a point lies outside a box. */
function distance(box: Box, point: number[]): number {
  return Math.hypot(...point.map((x, k) => Math.max(box.low[k] - x, 0, x - box.high[k])));
}

/** Half sizes of the upright box around a turned one. */
function turned(q: [number, number, number, number], half: ArrayLike<number>): number[] {
  const out = [0, 0, 0];
  const column = [0, 0, 0];
  for (let k = 0; k < 3; ++k) {
    rotate(column, 0, ...q, k === 0 ? half[0] : 0, k === 1 ? half[1] : 0, k === 2 ? half[2] : 0);
    for (let i = 0; i < 3; ++i) out[i] += Math.abs(column[i]);
  }
  return out;
}

function widen(box: Box, middle: ArrayLike<number>, half: ArrayLike<number>): void {
  for (let k = 0; k < 3; ++k) {
    if (!Number.isFinite(middle[k])) continue;
    box.low[k] = Math.min(box.low[k], middle[k] - half[k]);
    box.high[k] = Math.max(box.high[k], middle[k] + half[k]);
  }
}

export function diagonal(box: Box): number {
  return Math.hypot(box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]);
}
