// How each body is drawn: solid, seen through, or not at all. Fixed and driven bodies that enclose what moves, such as drums and
// hoppers, are seen through from the start; ground that they move over is not.
import type { Frame } from '../data/frames.ts';
import type { BodyInfo, Header } from '../data/header.ts';
import type { Extent } from './bounds.ts';

export const Look = { solid: 0, glass: 1, hidden: 2 } as const;
export type Look = (typeof Look)[keyof typeof Look];

const enclosed = 0.3; // of the moving bodies, inside a body that is seen through

export class Looks {
  /** Of each body, as chosen. */
  readonly chosen: Uint8Array;
  private readonly start: Uint8Array;
  private readonly now: Uint8Array;

  constructor(header: Header, extent: Extent, samples: Frame[]) {
    const ground = new Set(header.shapes.filter(({ kind }) => kind === 'height-field').map(({ body }) => body));
    this.start = Uint8Array.from(header.bodies, (body, b) =>
      body.kind !== 'dynamic' && !ground.has(b) && samples.some((sample) => encloses(b, header.bodies, extent, sample)) ? Look.glass : Look.solid);
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

function encloses(body: number, bodies: BodyInfo[], extent: Extent, frame: Frame): boolean {
  const box = extent.ofBody(frame, body);
  if (!box) return false;
  const moving = bodies.map((_, b) => b).filter((b) => bodies[b].kind === 'dynamic' && isThere(frame, b));
  const inside = moving.filter((b) => [0, 1, 2].every((k) => box.low[k] <= frame.position[3 * b + k] && frame.position[3 * b + k] <= box.high[k]));
  return inside.length > 0 && inside.length >= enclosed * moving.length;
}
