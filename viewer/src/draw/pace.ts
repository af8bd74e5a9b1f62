// How many of very many grains are drawn. Where pictures take too long, one grain of two is drawn while something moves, one of four,
// and so on, until they come fast enough; all of them once the picture stands still.

export const manyGrains = 5000; // fewer are always drawn all
const slow = 80; // ms from one picture to the next: fewer grains then
const fast = 30; // and more
const fewest = 1 / 64;

/** In an order in which the first ones are spread evenly over all; shapes of bodies that do not move come before the others. */
export function evenly<T extends { body: number }>(shapes: T[], moves: (shape: T) => boolean): T[] {
  const golden = 2654435769; // 2^32 divided by the golden ratio
  const rank = (shape: T): number => (moves(shape) ? Math.imul(shape.body, golden) >>> 0 : -1);
  return shapes.map((shape): [number, T] => [rank(shape), shape]).sort((a, b) => a[0] - b[0]).map(([, shape]) => shape);
}

/** How many of `count` are drawn, of which the first ones always are. */
export function shareOf(count: number, always: number, share: number): number {
  return always + Math.ceil(share * (count - always));
}

export class Pace {
  /** Of the grains, that are drawn while something moves: 1, 1/2, 1/4 ... */
  share = 1;
  /** ms from one picture to the next above which fewer grains are drawn. */
  budget = slow;
  private last = 0;
  private usual = 0;
  private drew = false;

  /** At each picture of the screen, before anything is drawn; `drew`: whether something was drawn in the one before. */
  tick(now: number): void {
    const took = now - this.last;
    this.last = now;
    if (!this.drew) return;
    this.usual = this.usual ? 0.5 * this.usual + 0.5 * took : took;
    if (this.usual > this.budget && this.share > fewest) this.set(this.share / 2);
    else if (this.usual < Math.min(fast, this.budget) && this.share < 1) this.set(this.share * 2);
  }

  drawn(moving: boolean): void {
    this.drew = moving;
    if (!moving) this.usual = 0;
  }

  // The next pictures are measured anew.
  private set(share: number): void {
    this.share = share;
    this.usual = 0;
  }
}
