// A box in which everything repeats along some axes of the world, centred at the origin; bodies are shown in it. In a sheared box
// (Lees and Edwards 1972) the images above are displaced along x by shear times height times time.

export interface PeriodicBox {
  size: number[]; // m; 0: open along that axis
  shear: number; // 1/s
}

/** The image of `point` that is nearest to `to`. */
export function nearestImage(box: PeriodicBox | null, time: number, point: ArrayLike<number>, to: ArrayLike<number>): [number, number, number] {
  const out: [number, number, number] = [point[0], point[1], point[2]];
  if (!box) return out;
  for (const k of [2, 1, 0]) { // x last: it depends on y
    const cells = box.size[k] > 0 ? Math.round((out[k] - to[k]) / box.size[k]) : 0;
    out[k] -= cells * box.size[k];
    if (k === 1) out[0] -= cells * ((box.shear * box.size[1] * time) % (box.size[0] || 1));
  }
  return out;
}

/** Pairs of points: the edges of the box; along open axes it is as long as what it holds. */
export function boxEdges({ size }: PeriodicBox, dimension: number, low: number[], high: number[]): number[] {
  const ends = [0, 1, 2].map((k) => (k >= dimension ? [0, 0] : size[k] > 0 ? [-size[k] / 2, size[k] / 2] : [low[k], high[k]]));
  const corner = (i: number): number[] => [0, 1, 2].map((k) => ends[k][(i >> k) & 1]);
  const out: number[] = [];
  for (let i = 0; i < 1 << dimension; ++i)
    for (let k = 0; k < dimension; ++k) if (!(i & (1 << k))) out.push(...corner(i), ...corner(i | (1 << k)));
  return out;
}
