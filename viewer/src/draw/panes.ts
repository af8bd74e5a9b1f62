// Half-spaces that bound what moves without carrying it, such as the walls of a bin, as panes of glass: the part of each plane that lies
// near the motion and within the other walls.
import * as THREE from 'three';
import type { Box } from './bounds.ts';

export interface Wall {
  normal: THREE.Vector3; // in the world, towards what it bounds
  point: THREE.Vector3;
}

const near = 0.6; // of the motion's size: walls farther away bound nothing
const rim = 0.06; // by which a pane reaches over the motion

/** The corners, in the world, of each wall's pane; none for a wall that is far away. */
export function panesOf(walls: Wall[], box: Box): THREE.Vector3[][] {
  const corners = Array.from({ length: 8 }, (_, i) => new THREE.Vector3(...[0, 1, 2].map((k) => (i & (1 << k) ? box.high : box.low)[k]) as [number, number, number]));
  const size = corners[0].distanceTo(corners[7]);
  const gap = (wall: Wall): number => Math.min(...corners.map((corner) => corner.clone().sub(wall.point).dot(wall.normal)));
  const bounding = walls.filter((wall) => Math.abs(gap(wall)) < near * size);
  const hull = [...bounding, ...frameOf(box, bounding, gap, rim * size)];
  return walls.map((wall) => {
    if (!bounding.includes(wall)) return [];
    return hull.filter((other) => other !== wall && Math.abs(other.normal.dot(wall.normal)) < 0.999)
      .reduce(clip, square(wall, corners[0].clone().add(corners[7]).multiplyScalar(0.5), 10 * size));
  });
}

// The motion's box as six walls, moved outwards to the planes that bound it, and a little more where none does.
function frameOf(box: Box, bounding: Wall[], gap: (wall: Wall) => number, more: number): Wall[] {
  return [0, 1, 2].flatMap((k) => [1, -1].map((sign) => {
    const normal = new THREE.Vector3().setComponent(k, sign);
    const behind = bounding.filter((wall) => wall.normal.dot(normal) > 0.3).map((wall) => Math.max(gap(wall), 0) + more);
    const point = new THREE.Vector3(...(sign > 0 ? box.low : box.high)).addScaledVector(normal, -Math.max(more, ...behind));
    return { normal, point };
  }));
}

function square(wall: Wall, middle: THREE.Vector3, half: number): THREE.Vector3[] {
  const along = new THREE.Vector3(Math.abs(wall.normal.x) < 0.7 ? 1 : 0, Math.abs(wall.normal.x) < 0.7 ? 0 : 1, 0).cross(wall.normal).setLength(half);
  const across = wall.normal.clone().cross(along);
  const at = middle.clone().addScaledVector(wall.normal, -middle.clone().sub(wall.point).dot(wall.normal));
  return [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([a, b]) => at.clone().addScaledVector(along, a).addScaledVector(across, b));
}

/** The part of a polygon on the free side of a wall (Sutherland and Hodgman). */
function clip(polygon: THREE.Vector3[], wall: Wall): THREE.Vector3[] {
  const height = (p: THREE.Vector3): number => p.clone().sub(wall.point).dot(wall.normal);
  return polygon.flatMap((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [hp, hq] = [height(p), height(q)];
    const kept = hp >= 0 ? [p] : [];
    return hp >= 0 !== hq >= 0 ? [...kept, p.clone().lerp(q, hp / (hp - hq))] : kept;
  });
}

const vertexShader = `
varying vec3 normal_; varying vec3 toEye;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  normal_ = normalMatrix * normal;
  toEye = -at.xyz;
  gl_Position = projectionMatrix * at;
}`;
// Clear from the front, and more of a mirror the flatter one looks at it.
const fragmentShader = `
uniform vec3 tint;
varying vec3 normal_; varying vec3 toEye;
void main() {
  float facing = abs(dot(normalize(normal_), normalize(toEye)));
  gl_FragColor = vec4(tint, mix(0.26, 0.045, smoothstep(0.0, 0.7, facing)));
  #include <colorspace_fragment>
}`;

/** A pane with its rim, in the frame of its body. */
export class Pane {
  readonly object = new THREE.Group();
  private readonly glass: THREE.ShaderMaterial;
  private readonly edge: THREE.LineBasicMaterial;

  constructor(corners: THREE.Vector3[]) {
    const flat = new THREE.BufferGeometry().setFromPoints(corners);
    flat.setIndex(corners.slice(2).flatMap((_, i) => [0, i + 1, i + 2]));
    flat.computeVertexNormals();
    this.glass = new THREE.ShaderMaterial({
      vertexShader, fragmentShader, uniforms: { tint: { value: new THREE.Color() } }, transparent: true, depthWrite: false, side: THREE.DoubleSide,
    });
    this.edge = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 });
    const mesh = new THREE.Mesh(flat, this.glass);
    mesh.renderOrder = 5;
    this.object.add(mesh, new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(corners), this.edge));
  }

  setColours(tint: THREE.ColorRepresentation, edge: THREE.ColorRepresentation): void {
    (this.glass.uniforms.tint.value as THREE.Color).set(tint);
    this.edge.color.set(edge);
  }
}
