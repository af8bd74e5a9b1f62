// Where a thrown ball starts and how fast: from the eye's side, so that it passes the aim after some flight under gravity; in the plane,
// from the left. A box starts at rest above the aim. Both start on the free side of walls and floors: a ball at a bin starts within it.
import * as THREE from 'three';
import type { Wall } from './panes.ts';

export interface Throw {
  point: number[];
  target: number[]; // velocity, m/s
  value: number; // radius or side, m
}

const reach = 1.1; // of the scene's size: how far the ball flies to its aim
const lift = 0.45; // of the scene's size: height of a box over the aim

export function throwBall(aim: THREE.Vector3, towards: THREE.Vector3, gravity: THREE.Vector3, size: number, walls: Wall[]): Throw {
  const [radius, speed] = [0.05 * size, 1.6 * Math.sqrt(Math.max(gravity.length(), 9.81) * size)];
  const start = clear(aim.clone().addScaledVector(towards, -reach * size), 1.1 * radius, walls);
  const time = start.distanceTo(aim) / speed;
  const velocity = aim.clone().sub(start).normalize().multiplyScalar(speed).addScaledVector(gravity, -0.5 * time); // against the fall on the way
  return { point: start.toArray(), target: velocity.toArray(), value: radius };
}

export function dropBox(aim: THREE.Vector3, up: THREE.Vector3, size: number, walls: Wall[]): Throw {
  const side = 0.1 * size;
  return { point: clear(aim.clone().addScaledVector(up, lift * size), side, walls).toArray(), target: [0, 0, 0], value: side };
}

/** Moved so far that it has so much room to every wall; in corners a few times. */
function clear(place: THREE.Vector3, room: number, walls: Wall[]): THREE.Vector3 {
  for (let times = 0; times < 3; ++times)
    for (const { normal, point } of walls) {
      const distance = normal.dot(place) - normal.dot(point);
      if (distance < room) place.addScaledVector(normal, room - distance);
    }
  return place;
}
