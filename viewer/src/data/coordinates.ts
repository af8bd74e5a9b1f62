// Coordinates of joints from the poses of their bodies, and what a live simulation tells of them.
import type { Frame } from './frames.ts';
import type { CoordinateInfo, JointInfo, Series, SidedDirection } from './header.ts';
import { rotate, worldPoint } from '../draw/placement.ts';

/** What the tool tells of a joint: the reaction on b, and per coordinate how it moves and what acts along it. */
export interface JointState {
  force: number[];
  moment: number[];
  coordinates: { value: number; rate: number; drive: number; spring: number; friction: number; limit: number; target: number | null }[];
}

const perCoordinate = 7;

/** From the list of numbers of a message: docs/view-server.md. */
export function readJointState(numbers: (number | null)[]): JointState {
  const coordinates: JointState['coordinates'] = [];
  for (let at = 6; at + perCoordinate <= numbers.length; at += perCoordinate) {
    const [value, rate, drive, spring, friction, limit] = numbers.slice(at, at + 6).map((x) => x ?? NaN);
    coordinates.push({ value, rate, drive, spring, friction, limit, target: numbers[at + 6] });
  }
  return { force: numbers.slice(0, 3).map((x) => x ?? NaN), moment: numbers.slice(3, 6).map((x) => x ?? NaN), coordinates };
}

/** The same from the series of a recorded run, which leave out what is always zero. */
export class JointRecords {
  private readonly byName: Map<string, Series>;

  constructor(series: Series[]) {
    this.byName = new Map(series.map((one) => [one.name, one]));
  }

  /** At a row of the series; null where nothing was recorded. */
  state(joint: JointInfo, row: number): JointState | null {
    let found = false;
    const read = (name: string): number => {
      const series = this.byName.get(`${joint.name}.${name}`) ?? this.byName.get(`joint:${joint.name}.${name}`);
      found ||= series !== undefined;
      return series ? series.values[row] ?? NaN : 0;
    };
    const vector = (name: string): number[] => ['x', 'y', 'z'].map((part) => read(`${name}.${part}`));
    const state: JointState = {
      force: vector('force'),
      moment: this.byName.has(`${joint.name}.moment`) ? [0, 0, read('moment')] : vector('moment'),
      coordinates: (joint.coordinates ?? []).map(({ name }) => ({
        value: read(name), rate: read(`${name}.rate`), drive: read(`${name}.drive`), spring: read(`${name}.spring`),
        friction: read(`${name}.friction`), limit: read(`${name}.limit`), target: null,
      })),
    };
    return found ? state : null;
  }
}

function inWorld(frame: Frame, joint: JointInfo, { side, direction }: SidedDirection): number[] {
  const body = side === 0 ? joint.a.body : joint.b.body;
  if (body < 0) return direction;
  const q = frame.orientation.subarray(4 * body, 4 * body + 4);
  const out = [0, 0, 0];
  rotate(out, 0, q[0], q[1], q[2], q[3], direction[0], direction[1], direction[2]);
  return out;
}

const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: number[], b: number[]): number[] => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** An angle, within half a turn, or a position; null where the poses alone do not tell it. */
export function coordinateOf(frame: Frame, joint: JointInfo, coordinate: CoordinateInfo): number | null {
  if (!coordinate.axis) return null;
  const axis = inWorld(frame, joint, coordinate.axis);
  if (coordinate.zero && coordinate.needle) {
    const [zero, needle] = [inWorld(frame, joint, coordinate.zero), inWorld(frame, joint, coordinate.needle)];
    return Math.atan2(dot(axis, cross(zero, needle)), dot(zero, needle));
  }
  const [p, q] = [worldPoint(frame, joint.a.body, joint.a.point), worldPoint(frame, joint.b.body, joint.b.point)];
  return dot(axis, [q[0] - p[0], q[1] - p[1], q[2] - p[2]]);
}
