// Round dots of so many pixels, the larger ones with a white rim.
import * as THREE from 'three';

const vertexShader = `
attribute vec3 tint;
attribute float weight;
uniform float pixels;
varying vec3 shown;
varying float rim;
void main() {
  shown = tint;
  rim = weight > 0.9 ? 0.7 : 2.0;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = pixels * weight;
}`;
const fragmentShader = `
varying vec3 shown;
varying float rim;
void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  if (r > 1.0) discard;
  gl_FragColor = vec4(r > rim ? vec3(1.0) : shown, 1.0);
  #include <colorspace_fragment>
}`;

export class Dots {
  readonly object: THREE.Points;
  private readonly pixels = { value: 8 };

  constructor() {
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, depthTest: false, transparent: true, uniforms: { pixels: this.pixels } });
    this.object = new THREE.Points(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
    this.object.visible = false;
  }

  /** Three numbers of place and of linear colour, and one of size, for each. */
  set(places: Float32Array, tints: Float32Array, weights: Float32Array, pixels: number): void {
    this.object.visible = weights.length > 0;
    if (!this.object.visible) return;
    setAttribute(this.object.geometry, 'position', places, 3);
    setAttribute(this.object.geometry, 'tint', tints, 3);
    setAttribute(this.object.geometry, 'weight', weights, 1);
    this.object.geometry.setDrawRange(0, weights.length);
    this.pixels.value = pixels * Math.min(window.devicePixelRatio, 2);
  }
}

/** Replace the values of an attribute, in place where they fit. */
export function setAttribute(geometry: THREE.BufferGeometry, name: string, values: Float32Array, width: number): void {
  const old = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
  if (old && old.array.length >= values.length) {
    (old.array as Float32Array).set(values);
    old.needsUpdate = true;
    return;
  }
  if (old) geometry.dispose();
  const room = new Float32Array(Math.ceil(values.length * 1.3 / 6) * 6);
  room.set(values);
  geometry.setAttribute(name, new THREE.BufferAttribute(room, width).setUsage(THREE.DynamicDrawUsage));
}
