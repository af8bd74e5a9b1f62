// Where a thrown ball starts and how fast: from the eye's side, so that it passes the aim after some flight under gravity; in the plane,
// from the left. A box starts at rest above the aim.
import * as THREE from 'three';

export interface Throw {
  point: number[];
  target: number[]; // velocity, m/s
  value: number; // radius or side, m
}

const reach = 1.1; // of the scene's size: how far the ball flies to its aim
const lift = 0.45; // of the scene's size: height of a box over the aim

export function throwBall(aim: THREE.Vector3, towards: THREE.Vector3, gravity: THREE.Vector3, size: number): Throw {
  const speed = 1.6 * Math.sqrt(Math.max(gravity.length(), 9.81) * size);
  const time = (reach * size) / speed;
  const start = aim.clone().addScaledVector(towards, -reach * size);
  const velocity = towards.clone().multiplyScalar(speed).addScaledVector(gravity, -0.5 * time); // against the fall on the way
  return { point: start.toArray(), target: velocity.toArray(), value: 0.05 * size };
}

export function dropBox(aim: THREE.Vector3, up: THREE.Vector3, size: number): Throw {
  return { point: aim.clone().addScaledVector(up, lift * size).toArray(), target: [0, 0, 0], value: 0.1 * size };
}
