// Force chains and thrust lines. A chain leads from the middle of a body through the contact to the middle of the other one (of a body
// that does not move, only to the contact), as wide and as bright as the force. A thrust line joins, within each body that presses on
// exactly two others, the points where the resultants of its two contacts act: in an arch it must stay within the masonry.
import * as THREE from 'three';
import type { Frame } from '../data/frames.ts';
import type { BodyInfo } from '../data/header.ts';
import { nearestImage, type PeriodicBox } from '../data/periodic.ts';
import type { Ranges } from './colouring.ts';
import { FatLines } from './fatlines.ts';
import { amountColour, toLinear } from './palette.ts';
import { Pool } from './pool.ts';

const least = 0.01; // of a strong force: weaker chains are left out
const widest = 0.012; // of the scene: the radius of a strong chain

const rodAxis = new THREE.Vector3(0, 0, 1);

export class Chains {
  readonly object = new THREE.Group();
  private readonly rods: Pool;
  private readonly thrust = new FatLines(0xd1004b, 3.5, false);
  /** Pairs of points of the thrust lines that are drawn. */
  thrustEnds: number[] = [];
  private readonly still: Uint8Array;
  private readonly ramp = Array.from({ length: 64 }, (_, i) => new THREE.Color(...toLinear(amountColour(0.2 + (0.8 * i) / 63))));

  /** In a periodic box each body has its half of a chain, at the image of the contact that is nearest to it: no chain crosses the box. */
  constructor(bodies: BodyInfo[], private readonly size: number, private readonly box: PeriodicBox | null) {
    this.still = Uint8Array.from(bodies, (body) => (body.kind === 'dynamic' ? 0 : 1));
    this.rods = new Pool(this.object, new THREE.CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), new THREE.MeshLambertMaterial());
    this.object.add(this.thrust.object);
  }

  get count(): number {
    return this.rods.mesh.count;
  }

  /** m: the longest rod that is drawn; 0: none. */
  get longest(): number {
    const matrix = new THREE.Matrix4();
    const lengths = Array.from({ length: this.count }, (_, i) => {
      this.rods.mesh.getMatrixAt(i, matrix);
      return new THREE.Vector3().setFromMatrixScale(matrix).z;
    });
    return Math.max(0, ...lengths);
  }

  show(frame: Frame, ranges: Ranges, chains: boolean, thrust: boolean): void {
    this.rods.begin(chains ? 2 * frame.contacts.count : 0);
    for (let i = 0; i < frame.contacts.count && chains; ++i) {
      const share = ranges.usualForce > 0 ? Math.min(frame.contacts.forceSize(i) / ranges.usualForce, 1) : 0;
      if (!(share > least)) continue;
      const { a, b, point } = frame.contacts.get(i);
      for (const body of [a, b]) if (this.still[body] === 0) this.rod(frame, body, point, share);
    }
    this.rods.end();
    this.thrustEnds = thrust ? thrustLines(frame, this.still, this.box) : [];
    this.thrust.set(this.thrustEnds);
  }

  private rod(frame: Frame, body: number, point: [number, number, number], share: number): void {
    const middle = frame.position.subarray(3 * body, 3 * body + 3);
    const from = new THREE.Vector3(...nearestImage(this.box, frame.time, point, middle));
    const along = new THREE.Vector3(...middle).sub(from);
    const length = along.length();
    if (!(length > 0)) return;
    const radius = widest * this.size * Math.sqrt(share);
    const turn = new THREE.Quaternion().setFromUnitVectors(rodAxis, along.divideScalar(length));
    this.rods.add(new THREE.Matrix4().compose(from, turn, new THREE.Vector3(radius, radius, length)), this.ramp[Math.round(63 * share)]);
  }
}

interface Resultant {
  force: number[]; // sum of the sizes of the normal forces, and of them times their places: the centre of pressure
  weight: number;
}

/** Pairs of points: in each body with two neighbours that press, from one centre of pressure to the other. */
export function thrustLines(frame: Frame, still: Uint8Array, box: PeriodicBox | null): number[] {
  const pairs = new Map<string, Resultant & { bodies: [number, number] }>();
  for (let i = 0; i < frame.contacts.count; ++i) {
    const { a, b, point, normal, force } = frame.contacts.get(i);
    const press = Math.max(normal[0] * force[0] + normal[1] * force[1] + normal[2] * force[2], 0);
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const pair = pairs.get(key) ?? { force: [0, 0, 0], weight: 0, bodies: [a, b] };
    const beside = nearestImage(box, frame.time, point, frame.position.subarray(3 * pair.bodies[0], 3 * pair.bodies[0] + 3));
    pair.weight += press;
    beside.forEach((x, k) => (pair.force[k] += press * x));
    pairs.set(key, pair);
  }
  const most = Math.max(0, ...[...pairs.values()].map((pair) => pair.weight));
  const ofBody = new Map<number, number[][]>();
  for (const { force, weight, bodies } of pairs.values()) {
    if (!(weight > 1e-3 * most)) continue;
    const centre = force.map((x) => x / weight);
    for (const body of bodies)
      if (still[body] === 0) ofBody.set(body, [...(ofBody.get(body) ?? []), nearestImage(box, frame.time, centre, frame.position.subarray(3 * body, 3 * body + 3))]);
  }
  return [...ofBody.values()].filter((points) => points.length === 2).flatMap((points) => points.flat());
}
