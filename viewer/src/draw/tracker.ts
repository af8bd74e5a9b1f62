// Where the camera looks by itself. A recorded motion that fits into one picture is shown whole; otherwise, and live, the picture moves
// along with what moves: it waits until something leaves it, or until all has become small in it, and then glides to its new place.
// Whoever zooms or pans takes the camera; `release` gives it back.
import type { Box } from './bounds.ts';
import { diagonal } from './bounds.ts';
import type { Eye } from './camera.ts';
import type { Frame } from '../data/frames.ts';

const room = 0.12; // around what moves, of its size
const small = 0.6; // of the picture: nearer then,
const patience = 1500; // ms later
const glide = 350; // ms, time constant;
const hurry = 100; // where something has left the picture
const longest = 400; // ms from one picture to the next that are made up for

export class Tracker {
  /** A body is held by the pointer: the picture stays. */
  hold = false;
  private free = true;
  private goal: Box;
  private shown: Box;
  private placed: number[] = [];
  private smallSince = Infinity;
  private moving: Box | null = null; // what moves, as last seen
  private last = 0;

  /** `whole` holds all of the motion; null: it is not known, or too large for one picture. */
  constructor(private readonly eye: Eye, private readonly around: (frame: Frame) => Box, private readonly whole: Box | null, first: Box) {
    this.shown = this.goal = whole ?? widened(first, room);
    this.apply();
  }

  /** What the picture shows, at least. */
  get box(): Box {
    return this.shown;
  }

  /** Whether the camera goes by itself. */
  get tracking(): boolean {
    return this.free;
  }

  release(frame: Frame | null): void {
    this.free = true;
    this.moving = null;
    this.shown = this.goal = this.whole ?? (frame ? widened(this.around(frame), room) : this.shown);
    this.apply();
  }

  take(): void {
    this.free = false;
  }

  /** Another frame is shown. */
  look(frame: Frame, now: number): void {
    if (!this.free || this.whole || this.hold) return;
    const box = this.moving = this.around(frame);
    const tiny = diagonal(box) < small * diagonal(this.goal);
    this.smallSince = tiny ? Math.min(this.smallSince, now) : Infinity;
    if (contains(this.goal, box) && !(now - this.smallSince > patience)) return;
    this.goal = widened(box, tiny ? 2 * room : room);
    this.smallSince = Infinity;
  }

  /** Glide; says whether the camera moved. */
  tick(now: number): boolean {
    const elapsed = Math.min(now - this.last, longest);
    this.last = now;
    if (this.free && this.movedByHand()) this.free = false;
    if (!this.free || this.shown === this.goal) return false;
    const lost = this.moving && !contains(this.shown, this.moving);
    const part = 1 - Math.exp(-elapsed / (lost ? hurry : glide));
    this.shown = blend(this.shown, this.goal, part);
    if (apart(this.shown, this.goal) < 1e-3 * diagonal(this.goal)) this.shown = this.goal;
    this.apply();
    return true;
  }

  private apply(): void {
    this.eye.fit(this.shown);
    this.placed = this.place();
  }

  // Zooming and panning change the target, the distance or the zoom; turning does not.
  private place(): number[] {
    const { camera, controls } = this.eye;
    const distance = camera.position.distanceTo(controls.target);
    return [...controls.target.toArray().map((x) => x / distance), Math.log(distance), camera.zoom];
  }

  private movedByHand(): boolean {
    return this.place().some((x, i) => !(Math.abs(x - this.placed[i]) < 1e-4));
  }
}

function widened(box: Box, share: number): Box {
  const by = share * diagonal(box);
  return { low: box.low.map((x) => x - by) as Box['low'], high: box.high.map((x) => x + by) as Box['high'] };
}

function contains(outer: Box, inner: Box): boolean {
  return [0, 1, 2].every((k) => outer.low[k] <= inner.low[k] && inner.high[k] <= outer.high[k]);
}

function blend(from: Box, to: Box, part: number): Box {
  const mix = (a: number, b: number): number => a + part * (b - a);
  return { low: from.low.map((x, k) => mix(x, to.low[k])) as Box['low'], high: from.high.map((x, k) => mix(x, to.high[k])) as Box['high'] };
}

function apart(a: Box, b: Box): number {
  return Math.max(...[0, 1, 2].flatMap((k) => [Math.abs(a.low[k] - b.low[k]), Math.abs(a.high[k] - b.high[k])]));
}
