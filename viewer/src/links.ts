// Joints and springs: a spring as a zigzag between its ends, a joint as a line with its ends marked.
import * as THREE from 'three';
import { setAttribute } from './contacts.ts';
import type { Frame } from './frames.ts';
import type { LinkInfo } from './header.ts';
import { worldPoint } from './placement.ts';

const turns = 8;

export class Links {
  readonly object = new THREE.Group();
  private readonly springs: THREE.LineSegments;
  private readonly joints: THREE.LineSegments;
  private readonly pins: THREE.Points;

  constructor(private readonly jointInfo: LinkInfo[], private readonly springInfo: LinkInfo[], private readonly size: number) {
    const line = (colour: number): THREE.LineSegments =>
      new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: colour }));
    this.springs = line(0xcc79a7);
    this.joints = line(0x009e73);
    this.pins = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ size: 7, sizeAttenuation: false, color: 0x009e73, depthTest: false }));
    for (const object of [this.springs, this.joints, this.pins]) {
      object.frustumCulled = false;
      this.object.add(object);
    }
  }

  show(frame: Frame): void {
    const pins: number[] = [];
    const bars: number[] = [];
    for (const { a, b } of this.jointInfo) {
      const [p, q] = [worldPoint(frame, a.body, a.point), worldPoint(frame, b.body, b.point)];
      pins.push(...p, ...q);
      bars.push(...p, ...q);
    }
    const coils: number[] = [];
    for (const spring of this.springInfo) {
      const [p, q] = [worldPoint(frame, spring.a.body, spring.a.point), worldPoint(frame, spring.b.body, spring.b.point)];
      coils.push(...zigzag(new THREE.Vector3(...p), new THREE.Vector3(...q), this.size * 0.03));
    }
    fill(this.joints, bars);
    fill(this.pins, pins);
    fill(this.springs, coils);
  }
}

function fill(object: THREE.LineSegments | THREE.Points, coordinates: number[]): void {
  object.visible = coordinates.length > 0;
  if (!object.visible) return;
  setAttribute(object.geometry, 'position', Float32Array.from(coordinates));
  object.geometry.setDrawRange(0, coordinates.length / 3);
}

function zigzag(p: THREE.Vector3, q: THREE.Vector3, width: number): number[] {
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
