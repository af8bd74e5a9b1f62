// Where a part of a body is in the world: the pose of the body times the part's own pose in it.
import type { Frame } from '../data/frames.ts';

/** x' = p + q x q*, with q = (w, x, y, z). */
export function rotate(
  out: Float32Array | number[], at: number,
  w: number, x: number, y: number, z: number,
  a: number, b: number, c: number,
): void {
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  out[at] = a + w * tx + y * tz - z * ty;
  out[at + 1] = b + w * ty + z * tx - x * tz;
  out[at + 2] = c + w * tz + x * ty - y * tx;
}

/** The world's place of a point of a body; body -1 is the world itself. */
export function worldPoint(frame: Frame, body: number, point: ArrayLike<number>): [number, number, number] {
  const local: [number, number, number] = [point[0] ?? 0, point[1] ?? 0, point[2] ?? 0];
  if (body < 0 || body >= frame.bodyCount) return local;
  const q = frame.orientation;
  const p = frame.position;
  const out: [number, number, number] = [0, 0, 0];
  rotate(out, 0, q[4 * body], q[4 * body + 1], q[4 * body + 2], q[4 * body + 3], ...local);
  return [out[0] + p[3 * body], out[1] + p[3 * body + 1], out[2] + p[3 * body + 2]];
}

/** The point of the body that is now at a place of the world. */
export function bodyPoint(frame: Frame, body: number, world: ArrayLike<number>): [number, number, number] {
  const q = frame.orientation;
  const p = frame.position;
  const out: [number, number, number] = [0, 0, 0];
  rotate(out, 0, q[4 * body], -q[4 * body + 1], -q[4 * body + 2], -q[4 * body + 3],
    world[0] - p[3 * body], world[1] - p[3 * body + 1], world[2] - p[3 * body + 2]);
  return out;
}

/** Column-major matrix of pose and scale at `at`. */
export function composeMatrix(
  out: Float32Array, at: number,
  px: number, py: number, pz: number,
  w: number, x: number, y: number, z: number,
  sx: number, sy: number, sz: number,
): void {
  out[at] = (1 - 2 * (y * y + z * z)) * sx;
  out[at + 1] = 2 * (x * y + w * z) * sx;
  out[at + 2] = 2 * (x * z - w * y) * sx;
  out[at + 3] = 0;
  out[at + 4] = 2 * (x * y - w * z) * sy;
  out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[at + 6] = 2 * (y * z + w * x) * sy;
  out[at + 7] = 0;
  out[at + 8] = 2 * (x * z + w * y) * sz;
  out[at + 9] = 2 * (y * z - w * x) * sz;
  out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[at + 11] = 0;
  out[at + 12] = px;
  out[at + 13] = py;
  out[at + 14] = pz;
  out[at + 15] = 1;
}

/** The pose of a shape in its body, as a quaternion. */
export function localOrientation(orientation: number[] | undefined, angle: number | undefined): [number, number, number, number] {
  if (orientation && orientation.length === 4) return orientation as [number, number, number, number];
  const half = (angle ?? 0) / 2;
  return [Math.cos(half), 0, 0, Math.sin(half)];
}
