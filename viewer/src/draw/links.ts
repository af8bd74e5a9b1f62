// Springs: a zigzag between their ends, an angular one a spiral.
import * as THREE from 'three';
import { FatLines } from './fatlines.ts';
import type { Frame } from '../data/frames.ts';
import type { LinkInfo } from '../data/header.ts';
import { nearestImage, type PeriodicBox } from '../data/periodic.ts';
import { worldPoint } from './placement.ts';

const turns = 8;

export class Springs {
  readonly object: THREE.Object3D;
  private readonly lines = new FatLines(0xcc79a7, 2);

  constructor(private readonly springs: LinkInfo[], private readonly size: number, private readonly box: PeriodicBox | null) {
    this.object = this.lines.object;
  }

  show(frame: Frame, on: boolean): void {
    const coils: number[] = [];
    for (const spring of on ? this.springs : []) {
      const p = worldPoint(frame, spring.a.body, spring.a.point);
      const q = nearestImage(this.box, frame.time, worldPoint(frame, spring.b.body, spring.b.point), p);
      if (spring.kind === 'angular') coils.push(...spiral(p, this.size * 0.03));
      else coils.push(...zigzag(new THREE.Vector3(...p), new THREE.Vector3(...q), this.size * 0.03));
    }
    this.lines.set(coils);
  }
}

/** An angular spring: a flat spiral at its first end. */
function spiral([x, y, z]: [number, number, number], radius: number): number[] {
  const at = (i: number): number[] => {
    const angle = (i / 40) * 6 * Math.PI;
    const r = radius * (0.15 + (0.85 * i) / 40);
    return [x + r * Math.cos(angle), y + r * Math.sin(angle), z];
  };
  return Array.from({ length: 40 }, (_, i) => [...at(i), ...at(i + 1)]).flat();
}

/** Pairs of points of a coil between two points. */
export function zigzag(p: THREE.Vector3, q: THREE.Vector3, width: number): number[] {
  const along = q.clone().sub(p);
  const length = along.length();
  if (!(length > 0)) return [];
  along.divideScalar(length);
  // To the side in the plane of view of a planar scene, and across the vertical in space.
  const side = Math.abs(along.z) > 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1).cross(along);
  side.addScaledVector(along, -side.dot(along)).normalize().multiplyScalar(Math.min(width, length * 0.2));
  const path = [p.clone(), p.clone().addScaledVector(along, 0.15 * length)];
  for (let i = 0; i < 2 * turns; ++i)
    path.push(p.clone().addScaledVector(along, length * (0.15 + (0.7 * (i + 0.5)) / (2 * turns))).addScaledVector(side, i % 2 ? -1 : 1));
  path.push(p.clone().addScaledVector(along, 0.85 * length), q.clone());
  return path.slice(1).flatMap((point, i) => [...path[i].toArray(), ...point.toArray()]);
}
