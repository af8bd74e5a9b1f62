// How each body is drawn: solid, seen through, or not at all. Fixed and driven bodies that enclose what moves, such as drums and
// hoppers, are seen through from the start, and so are large plates beside or above many small bodies, such as the walls of a press;
// ground that they move over is not.
import type { Frame } from '../data/frames.ts';
import type { BodyInfo, Header } from '../data/header.ts';
import type { Box, Extent } from './bounds.ts';

export const Look = { solid: 0, glass: 1, hidden: 2 } as const;
export type Look = (typeof Look)[keyof typeof Look];

const enclosed = 0.3; // of the moving bodies, inside a body that is seen through
const many = 20; // bodies that move, before large plates beside them are seen through
const plate = 4; // times as large as they are
const mostLookedAt = 2000;

export class Looks {
  /** Of each body, as chosen. */
  readonly chosen: Uint8Array;
  private readonly start: Uint8Array;
  private readonly now: Uint8Array;

  constructor(header: Header, extent: Extent, samples: Frame[]) {
    const ground = new Set(header.shapes.filter(({ kind }) => kind === 'height-field').map(({ body }) => body));
    this.start = new Uint8Array(header.bodies.length);
    const g = Math.hypot(...header.gravity);
    const up = header.gravity.map((x) => (g > 0 ? -x / g : 0));
    for (const sample of samples) {
      const moving = movingBodies(header.bodies, extent, sample);
      header.bodies.forEach((body, b) => {
        const box = ground.has(b) || !isThere(sample, b) || (body.kind === 'dynamic' && header.bodies.length > mostLookedAt) ? null : extent.ofBody(sample, b);
        if (!box) return;
        const wall = header.dimension === 3 && isWall(box, moving, up);
        if (wall || (body.kind !== 'dynamic' && encloses(b, moving, box))) this.start[b] = Look.glass;
      });
    }
    this.chosen = this.start.slice();
    this.now = this.start.slice();
  }

  set(body: number, look: Look): void {
    this.chosen[body] = look;
  }

  /** As they were at first. */
  reset(): void {
    this.chosen.set(this.start);
  }

  get changed(): boolean {
    return this.chosen.some((look, b) => look !== this.start[b]);
  }

  /** For a frame: bodies that are not there in it are hidden; `through`: all others are seen through. */
  of(frame: Frame, through: boolean): Uint8Array {
    for (let b = 0; b < this.now.length; ++b)
      this.now[b] = !isThere(frame, b) ? Look.hidden : through ? Math.max(this.chosen[b], Look.glass) : this.chosen[b];
    return this.now;
  }
}

/** Bodies that have not been put in yet, or were taken out, have no position. */
export function isThere(frame: Frame, body: number): boolean {
  return body < frame.bodyCount && Number.isFinite(frame.position[3 * body]);
}

/** Whether enough of what moves is inside of the body's box, with its own box smaller. */
function encloses(body: number, moving: Seen[], box: Box): boolean {
  const inside = moving.filter((one) => one.body !== body && [0, 1, 2].every((k) => box.low[k] <= one.middle[k] && one.middle[k] <= box.high[k] && one.size[k] <= box.high[k] - box.low[k]));
  return inside.length > 0 && inside.length >= enclosed * moving.length;
}

/** A large upright plate beside many small bodies, or one above them: a wall that presses on them, or the side of a box. */
function isWall(box: Box, moving: Seen[], up: number[]): boolean {
  if (moving.length < many) return false;
  const size = [0, 1, 2].map((k) => box.high[k] - box.low[k]);
  const thin = size.indexOf(Math.min(...size));
  const [usual, middle] = [median(moving.map((one) => Math.max(...one.size))), [0, 1, 2].map((k) => median(moving.map((one) => one.middle[k])))];
  if (!(size.every((length, k) => k === thin || (length > plate * usual && length > 4 * size[thin])))) return false;
  return !(Math.abs(up[thin]) > 0.5 && up[thin] * ((box.low[thin] + box.high[thin]) / 2 - middle[thin]) < 0); // a floor
}

interface Seen {
  body: number;
  middle: number[];
  size: number[];
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** Some of the bodies that move, where they are. */
function movingBodies(bodies: BodyInfo[], extent: Extent, frame: Frame): Seen[] {
  const stride = Math.max(1, Math.floor(bodies.length / mostLookedAt));
  const out: Seen[] = [];
  for (let b = 0; b < bodies.length; b += stride) {
    const box = bodies[b].kind === 'dynamic' && isThere(frame, b) ? extent.ofBody(frame, b) : null;
    if (box) out.push({ body: b, middle: Array.from(frame.position.subarray(3 * b, 3 * b + 3)), size: [0, 1, 2].map((k) => box.high[k] - box.low[k]) });
  }
  return out;
}
