// How large the scene is and where: what moves, and what is fixed near it.
import type { Frame } from './frames.ts';
import type { Header } from './header.ts';
import { isGround, reachOf } from './shapes.ts';

export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

export class Extent {
  private readonly reach: Float64Array; // of each body; -1: nothing to see of it
  private readonly moves: Uint8Array;
  private readonly anchors: number[][] = []; // of joints and springs in the world

  constructor(header: Header) {
    this.reach = new Float64Array(header.bodies.length).fill(-1);
    this.moves = Uint8Array.from(header.bodies, (body) => (body.kind === 'fixed' ? 0 : 1));
    for (const link of [...header.joints, ...header.springs])
      for (const end of [link.a, link.b]) if (end.body < 0) this.anchors.push(end.point);
    for (const shape of header.shapes) {
      if (isGround(shape)) continue;
      const reach = Math.hypot(...(shape.position ?? [0])) + reachOf(shape);
      this.reach[shape.body] = Math.max(this.reach[shape.body], reach);
    }
  }

  reachOfBody(body: number): number {
    return Math.max(this.reach[body] ?? 0, 0);
  }

  /** The box around all that moves in these frames, and around what is fixed and not much larger. */
  around(frames: Frame[]): Box {
    const box: Box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
    for (const frame of frames) this.add(box, frame, 1, Infinity);
    for (const [x, y, z] of this.anchors) widen(box, [x, y, z ?? 0], 0);
    const first = frames[0];
    if (first) this.add(box, first, 0, box.low[0] <= box.high[0] ? 2 * diagonal(box) : Infinity);
    if (!(box.low[0] <= box.high[0])) return { low: [-1, -1, -1], high: [1, 1, 1] };
    return diagonal(box) > 0 ? box : { low: box.low.map((x) => x - 1) as Box['low'], high: box.high.map((x) => x + 1) as Box['low'] };
  }

  private add(box: Box, frame: Frame, moving: number, largest: number): void {
    const p = frame.position;
    for (let b = 0; b < Math.min(frame.bodyCount, this.moves.length); ++b) {
      const reach = this.reach[b];
      if (this.moves[b] !== moving || reach > largest || (reach < 0 && !moving)) continue;
      widen(box, p.subarray(3 * b, 3 * b + 3), Math.max(reach, 0));
    }
  }
}

function widen(box: Box, at: ArrayLike<number>, reach: number): void {
  for (let k = 0; k < 3; ++k) {
    if (!Number.isFinite(at[k])) continue;
    box.low[k] = Math.min(box.low[k], at[k] - reach);
    box.high[k] = Math.max(box.high[k], at[k] + reach);
  }
}

export function diagonal(box: Box): number {
  return Math.hypot(box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]);
}
