// Half-spaces and half-planes have no end: a finite piece is drawn, with a grid whose spacing the legend tells.
import * as THREE from 'three';
import type { Frame } from './frames.ts';
import type { ShapeInfo } from './header.ts';
import { composeMatrix, localOrientation, rotate } from './placement.ts';
import { isGround } from './shapes.ts';

const vertexShader = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines one pixel wide at any distance, fading towards the rim.
const gridFragment = `
uniform vec3 line; uniform vec3 fill; uniform float spacing; uniform float reach; uniform float strength;
varying vec2 place;
void main() {
  vec2 cell = place / spacing;
  vec2 width = fwidth(cell);
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  float on = (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.3, 0.8, max(width.x, width.y)));
  float fade = 1.0 - smoothstep(0.45 * reach, reach, length(place));
  gl_FragColor = vec4(mix(fill, line, on), strength * fade * mix(0.35, 0.9, on));
  #include <colorspace_fragment>
}`;

// Squared paper behind a planar scene.
const paperFragment = `
uniform vec3 line; uniform vec3 fill; uniform float spacing; uniform float reach;
varying vec2 place;
void main() {
  vec2 cell = place / spacing;
  vec2 width = fwidth(cell);
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  float on = (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.05, 0.2, max(width.x, width.y)));
  gl_FragColor = vec4(line, 0.3 * on);
  #include <colorspace_fragment>
}`;

// The body of a half-plane, hatched, darker at its surface.
const hatchFragment = `
uniform vec3 line; uniform vec3 fill; uniform float spacing; uniform float reach;
varying vec2 place;
void main() {
  float stripe = (place.x + place.y) / (0.25 * spacing);
  float width = fwidth(stripe);
  float on = 1.0 - min(abs(fract(stripe) - 0.5) / width, 1.0);
  float depth = -place.y / (0.6 * spacing);
  float fade = 1.0 - smoothstep(0.0, 1.0, depth);
  float surface = 1.0 - smoothstep(0.0, 2.0, -place.y / fwidth(place.y));
  float strength = max(mix(0.16, 0.5, on * fade * (1.0 - smoothstep(0.2, 0.6, width))), surface);
  gl_FragColor = vec4(mix(fill, line, max(on * fade, surface)), strength);
  #include <colorspace_fragment>
}`;

const wallStrength = 0.35; // of the grid of what is no floor

interface Piece {
  body: number;
  position: number[];
  orientation: THREE.Quaternion;
  object: THREE.Object3D;
}

export class Ground {
  readonly object = new THREE.Group();
  private readonly pieces: Piece[] = [];
  private readonly materials: THREE.ShaderMaterial[] = [];

  constructor(shapes: ShapeInfo[], dimension: number, gravity: THREE.Vector3, size: number, spacing: number, shadows: boolean) {
    if (dimension === 2) {
      const paper = new THREE.Mesh(new THREE.PlaneGeometry(40 * size, 40 * size), this.material(paperFragment, size, spacing));
      (paper.material as THREE.Material).depthTest = false;
      paper.renderOrder = -3;
      this.object.add(paper);
    }
    for (const shape of shapes.filter(isGround)) {
      const local = localOrientation(shape.orientation, shape.angle);
      const up = dimension === 2 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
      const normal = new THREE.Vector3(...((shape.normal ?? up.toArray()) as [number, number, number])).setComponent(2, dimension === 2 ? 0 : shape.normal?.[2] ?? 1);
      const turn = new THREE.Quaternion(local[1], local[2], local[3], local[0]);
      turn.multiply(new THREE.Quaternion().setFromUnitVectors(up, normal.normalize()));
      const object = dimension === 2 ? this.halfPlane(size, spacing) : this.halfSpace(size, spacing, shadows, normal.dot(gravity) < -0.7 * gravity.length() ? 1 : wallStrength);
      object.matrixAutoUpdate = false;
      this.pieces.push({ body: shape.body, position: shape.position ?? [0, 0, 0], orientation: turn, object });
      this.object.add(object);
    }
  }

  /** Whether a grid is seen. */
  get hasGrid(): boolean {
    return this.materials.length > 0;
  }

  place(frame: Frame): void {
    const q = frame.orientation;
    const world = new THREE.Quaternion();
    const at = [0, 0, 0];
    const matrix = new Float32Array(16);
    for (const piece of this.pieces) {
      const b = piece.body;
      rotate(at, 0, q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3], piece.position[0], piece.position[1], piece.position[2] ?? 0);
      world.set(q[4 * b + 1], q[4 * b + 2], q[4 * b + 3], q[4 * b]).multiply(piece.orientation);
      composeMatrix(matrix, 0,
        frame.position[3 * b] + at[0], frame.position[3 * b + 1] + at[1], frame.position[3 * b + 2] + at[2],
        world.w, world.x, world.y, world.z, 1, 1, 1);
      piece.object.matrix.fromArray(matrix);
      piece.object.matrixWorldNeedsUpdate = true;
    }
  }

  setColours(line: THREE.ColorRepresentation, fill: THREE.ColorRepresentation): void {
    for (const material of this.materials) {
      (material.uniforms.line.value as THREE.Color).set(line);
      (material.uniforms.fill.value as THREE.Color).set(fill);
    }
  }

  private material(fragmentShader: string, size: number, spacing: number, strength = 1): THREE.ShaderMaterial {
    const material = new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        line: { value: new THREE.Color() }, fill: { value: new THREE.Color() },
        spacing: { value: spacing }, reach: { value: size }, strength: { value: strength },
      },
      transparent: true,
      depthWrite: false,
      side: THREE.FrontSide, // a wall between us and the bodies is not drawn
    });
    this.materials.push(material);
    return material;
  }

  private halfSpace(size: number, spacing: number, shadows: boolean, strength: number): THREE.Object3D {
    const plane = new THREE.PlaneGeometry(2 * size, 2 * size);
    const grid = new THREE.Mesh(plane, this.material(gridFragment, size, spacing, strength));
    grid.renderOrder = -2;
    const object = new THREE.Group().add(grid);
    if (shadows) {
      const shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false }));
      shadow.receiveShadow = true;
      shadow.renderOrder = -1;
      object.add(shadow);
    }
    return object;
  }

  private halfPlane(size: number, spacing: number): THREE.Object3D {
    const band = new THREE.PlaneGeometry(20 * size, 10 * size).translate(0, -5 * size, 0);
    const mesh = new THREE.Mesh(band, this.material(hatchFragment, size, spacing));
    (mesh.material as THREE.Material).depthTest = false;
    mesh.renderOrder = -2;
    return new THREE.Group().add(mesh);
  }
}
