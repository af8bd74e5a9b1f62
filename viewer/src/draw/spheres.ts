// Very many spheres: each one point of the screen's size of it, shaded as a ball. One vertex a sphere instead of a mesh. What goes to the
// graphics card for a picture is 12 bytes of place per sphere; colours (4 bytes) and sizes only when they change.
import * as THREE from 'three';
import type { Frame } from '../data/frames.ts';
import type { ShapeInfo } from '../data/header.ts';
import { Look } from './looks.ts';
import { shareOf } from './pace.ts';
import { rotate } from './placement.ts';

const dot = 0.3; // of the radius, of spheres that are seen through

const vertexShader = `
attribute float radius;
attribute vec3 tint; // the square roots of linear colours: bytes are fine enough for these
uniform float viewHeight; // pixels
varying vec3 shown;
varying vec2 depthAt; // of the middle in the frame of the eye, and the radius
void main() {
  shown = tint * tint;
  vec4 middle = modelViewMatrix * vec4(position, 1.0);
  depthAt = vec2(middle.z, radius);
  gl_Position = projectionMatrix * middle;
  gl_PointSize = max(radius * projectionMatrix[1][1] * viewHeight / gl_Position.w, 1.0);
}`;
const fragmentShader = `
uniform vec3 toLight; // in the frame of the eye
uniform mat4 projectionMatrix;
varying vec3 shown;
varying vec2 depthAt;
void main() {
  vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float rest = 1.0 - dot(at, at);
  if (rest < 0.0) discard;
  vec3 normal = vec3(at, sqrt(rest));
  vec4 at4 = projectionMatrix * vec4(0.0, 0.0, depthAt.x + depthAt.y * normal.z, 1.0);
  gl_FragDepth = 0.5 * at4.z / at4.w + 0.5;
  float light = max(dot(normal, toLight), 0.0);
  gl_FragColor = vec4(shown * (0.42 + 0.68 * light) + 0.10 * pow(light, 24.0), 1.0);
  #include <colorspace_fragment>
}`;

export class SphereCloud {
  readonly objects: THREE.Object3D[];
  private readonly points: THREE.Points;
  private readonly bodies: Int32Array;
  private readonly local: Float32Array | null; // null: all lie at the origins of their bodies
  private readonly radii: Float32Array;
  private readonly drawn: THREE.BufferAttribute; // radii as drawn
  private readonly places: THREE.BufferAttribute;
  private readonly tints: THREE.BufferAttribute;
  private count: number;

  /** The first `always` of them are always drawn. */
  constructor(shapes: ShapeInfo[], private readonly always: number) {
    this.count = shapes.length;
    this.bodies = Int32Array.from(shapes, (shape) => shape.body);
    this.radii = Float32Array.from(shapes, (shape) => shape.radius ?? 0);
    this.local = shapes.some(({ position }) => position?.some((x) => x !== 0)) ? Float32Array.from(shapes.flatMap(({ position }) => position ?? [0, 0, 0])) : null;
    this.places = new THREE.BufferAttribute(new Float32Array(3 * this.count), 3).setUsage(THREE.DynamicDrawUsage);
    this.tints = new THREE.BufferAttribute(new Uint8Array(4 * this.count), 4, true).setUsage(THREE.DynamicDrawUsage);
    this.drawn = new THREE.BufferAttribute(this.radii.slice(), 1).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.places);
    geometry.setAttribute('tint', this.tints);
    geometry.setAttribute('radius', this.drawn);
    const uniforms = { viewHeight: { value: 1 }, toLight: { value: new THREE.Vector3() } };
    this.points = new THREE.Points(geometry, new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms }));
    this.points.frustumCulled = false;
    this.points.onBeforeRender = (renderer, scene, camera) => {
      uniforms.viewHeight.value = renderer.getRenderTarget()?.height ?? renderer.domElement.height;
      uniforms.toLight.value.copy(scene.userData.toLight as THREE.Vector3).transformDirection(camera.matrixWorldInverse);
    };
    this.objects = [this.points];
  }

  /** The wall that cuts; null: none. Spheres whose middle lies behind it are left out. */
  cut: THREE.Plane | null = null;

  place(frame: Frame, looks: Uint8Array, share: number): void {
    this.count = shareOf(this.bodies.length, this.always, share);
    const out = this.places.array as Float32Array;
    const { position: p } = frame;
    let resized = false;
    for (let i = 0; i < this.count; ++i) {
      const b = this.bodies[i];
      out[3 * i] = p[3 * b];
      out[3 * i + 1] = p[3 * b + 1];
      out[3 * i + 2] = p[3 * b + 2];
      if (this.local) this.displace(out, i, frame);
      const radius = this.radii[i] * (looks[b] === Look.glass ? dot : 1);
      resized ||= this.drawn.array[i] !== radius;
      this.drawn.array[i] = radius;
      if (looks[b] === Look.hidden || this.behind(out, 3 * i)) out[3 * i] = NaN; // drawn nowhere
    }
    if (resized) this.drawn.needsUpdate = true;
    this.points.geometry.setDrawRange(0, this.count);
    upload(this.places, 3 * this.count);
  }

  paint(colours: Float32Array): void {
    const out = this.tints.array as Uint8Array;
    let changed = false;
    for (let i = 0; i < this.count; ++i) {
      const b = 3 * this.bodies[i];
      for (let k = 0; k < 3; ++k) {
        const value = (255 * Math.sqrt(colours[b + k]) + 0.5) | 0;
        changed ||= out[4 * i + k] !== value;
        out[4 * i + k] = value;
      }
    }
    if (changed) upload(this.tints, 4 * this.count);
  }

  // By where the sphere is in its body.
  private displace(out: Float32Array, i: number, { orientation: q }: Frame): void {
    const b = this.bodies[i];
    const [x, y, z] = [out[3 * i], out[3 * i + 1], out[3 * i + 2]];
    rotate(out, 3 * i, q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3], this.local![3 * i], this.local![3 * i + 1], this.local![3 * i + 2]);
    out[3 * i] += x;
    out[3 * i + 1] += y;
    out[3 * i + 2] += z;
  }

  private behind(places: Float32Array, at: number): boolean {
    return this.cut !== null && this.cut.distanceToPoint(new THREE.Vector3().fromArray(places, at)) < 0;
  }

  pick(ray: THREE.Ray): { body: number; distance: number } | null {
    const sphere = new THREE.Sphere();
    const hit = new THREE.Vector3();
    let best: { body: number; distance: number } | null = null;
    for (let i = 0; i < this.count; ++i) {
      sphere.center.fromArray(this.places.array, 3 * i);
      sphere.radius = this.radii[i];
      if (!ray.intersectSphere(sphere, hit)) continue;
      const distance = hit.distanceTo(ray.origin);
      if (!best || distance < best.distance) best = { body: this.bodies[i], distance };
    }
    return best;
  }

  /** Three great circles, to mark a body. */
  outline(body: number): number[] {
    const out: number[] = [];
    for (let i = this.bodies.indexOf(body); i >= 0; i = this.bodies.indexOf(body, i + 1)) {
      const middle = new THREE.Vector3().fromArray(this.places.array, 3 * i);
      for (let axis = 0; axis < 3; ++axis)
        for (let k = 0; k < 32; ++k)
          for (const angle of [k, k + 1].map((n) => (n * Math.PI) / 16)) {
            const at = [Math.cos(angle) * this.radii[i], Math.sin(angle) * this.radii[i]];
            at.splice(axis, 0, 0);
            out.push(at[0] + middle.x, at[1] + middle.y, at[2] + middle.z);
          }
    }
    return out;
  }
}

/** So many numbers of the attribute have changed. */
function upload(attribute: THREE.BufferAttribute, count: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, count);
  attribute.needsUpdate = true;
}
