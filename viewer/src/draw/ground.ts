// Half-spaces and half-planes have no end. In space the floor reaches to the horizon, with a grid whose spacing the legend tells, and
// walls are panes of glass; in the plane the body of a half-plane is hatched.
import * as THREE from 'three';
import type { Frame } from '../data/frames.ts';
import type { Header } from '../data/header.ts';
import { diagonal, type Box } from './bounds.ts';
import { Pane, panesOf, type Wall } from './panes.ts';
import { composeMatrix, rotate, worldPoint } from './placement.ts';
import { isGround, normalOf } from './shapes.ts';
import type { DrawingColours } from './theme.ts';

const vertexShader = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines one pixel wide at any distance; all fades into the horizon.
const floorFragment = `
uniform vec3 line; uniform vec3 fill; uniform vec3 horizon; uniform float spacing; uniform float reach; uniform vec2 middle;
varying vec2 place;
float lines(vec2 cell) {
  vec2 width = fwidth(cell);
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.15, 0.6, max(width.x, width.y)));
}
void main() {
  float away = length(place - middle) / reach;
  float on = max(0.45 * lines(place / spacing), lines(place / (5.0 * spacing))) * exp(-0.5 * away * away);
  vec3 colour = mix(mix(fill, line, 0.6 * on), horizon, 1.0 - exp(-0.06 * away * away));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

// Squared paper behind a planar scene.
const paperFragment = `
uniform vec3 line; uniform float spacing;
varying vec2 place;
float lines(vec2 cell) {
  vec2 width = fwidth(cell);
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.05, 0.2, max(width.x, width.y)));
}
void main() {
  gl_FragColor = vec4(line, max(0.10 * lines(place / spacing), 0.18 * lines(place / (5.0 * spacing))));
  #include <colorspace_fragment>
}`;

// The body of a half-plane as draughtsmen draw it: its surface as a line of two pixels, strokes below it, and no more.
const hatchFragment = `
uniform vec3 line; uniform vec3 fill; uniform float spacing;
varying vec2 place;
void main() {
  float stripe = (place.x + place.y) / (0.3 * spacing);
  float width = fwidth(stripe);
  float on = (1.0 - min(abs(fract(stripe) - 0.5) / width, 1.0)) * (1.0 - smoothstep(0.2, 0.6, width));
  float depth = -place.y / (0.8 * spacing);
  float fade = 1.0 - smoothstep(0.0, 1.0, depth);
  float surface = 1.0 - smoothstep(1.0, 2.2, -place.y / fwidth(place.y));
  gl_FragColor = vec4(mix(fill, line, max(on * fade, surface)), max(mix(0.55, 0.75, on * fade), surface));
  #include <colorspace_fragment>
}`;

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
  private readonly panes: Pane[] = [];
  private readonly size: number;

  constructor(private readonly header: Header, box: Box, first: Frame | undefined, private readonly spacing: number, private readonly shadows: boolean) {
    this.size = diagonal(box);
    const planar = header.dimension === 2;
    if (planar) this.addPaper(box);
    const gravity = new THREE.Vector3(...(header.gravity as [number, number, number]));
    const up = planar ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
    const walls: Piece[] = [];
    const alone = header.shapes.filter(isGround).length === 1; // without gravity, several are walls
    for (const shape of header.shapes.filter(isGround)) {
      const normal = new THREE.Vector3(...normalOf(shape, header.dimension));
      const piece: Piece = {
        body: shape.body, position: shape.position ?? [0, 0, 0], object: new THREE.Group(),
        orientation: new THREE.Quaternion().setFromUnitVectors(up, normal),
      };
      this.pieces.push(piece);
      if (planar) piece.object.add(this.halfPlane());
      else if ((gravity.length() === 0 && alone) || normal.dot(gravity) < -0.5 * gravity.length()) this.addFloor(piece, box, first);
      else walls.push(piece);
      piece.object.matrixAutoUpdate = false;
      this.object.add(piece.object);
    }
    if (first) this.addPanes(walls, box, first);
  }

  /** Where the half-spaces are in a frame. */
  walls(frame: Frame): Wall[] {
    return this.header.shapes.filter(isGround).map((shape) => {
      const at = (point: ArrayLike<number>): THREE.Vector3 => new THREE.Vector3(...worldPoint(frame, shape.body, point));
      const [point, normal] = [shape.position ?? [0, 0, 0], normalOf(shape, this.header.dimension)];
      const tip = normal.map((x, k) => x + (point[k] ?? 0));
      return { point: at(point), normal: at(tip).sub(at(point)) };
    });
  }

  /** Whether a grid is seen. */
  get hasGrid(): boolean {
    return this.materials.length > 0;
  }

  get counts(): { panes: number; floors: number } {
    return { panes: this.panes.length, floors: this.materials.length };
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

  setColours(colours: DrawingColours): void {
    for (const { uniforms } of this.materials) {
      (uniforms.line.value as THREE.Color).set(colours.line);
      (uniforms.fill.value as THREE.Color).set(this.header.dimension === 2 ? colours.fill : colours.floor);
      (uniforms.horizon.value as THREE.Color).set(colours.sky.horizon);
    }
    for (const pane of this.panes) pane.setColours(colours.glass, colours.line);
  }

  private addPaper(box: Box): void {
    const paper = new THREE.Mesh(new THREE.PlaneGeometry(60 * this.size, 60 * this.size), this.material(paperFragment, true));
    const snap = (k: number): number => 5 * this.spacing * Math.round((box.low[k] + box.high[k]) / (10 * this.spacing));
    paper.geometry.translate(snap(0), snap(1), 0);
    (paper.material as THREE.Material).depthTest = false;
    paper.renderOrder = -3;
    this.object.add(paper);
  }

  private material(fragmentShader: string, transparent: boolean): THREE.ShaderMaterial {
    const material = new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {
        line: { value: new THREE.Color() }, fill: { value: new THREE.Color() }, horizon: { value: new THREE.Color() },
        spacing: { value: this.spacing }, reach: { value: this.size }, middle: { value: new THREE.Vector2() },
      },
      transparent,
      depthWrite: !transparent,
      side: THREE.FrontSide, // from below one looks through the floor
      polygonOffset: !transparent,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    this.materials.push(material);
    return material;
  }

  private addFloor(piece: Piece, box: Box, first: Frame | undefined): void {
    const middle = new THREE.Vector3(...box.low).add(new THREE.Vector3(...box.high)).multiplyScalar(0.5);
    if (first) middle.sub(new THREE.Vector3(...worldPoint(first, piece.body, piece.position)));
    middle.applyQuaternion(piece.orientation.clone().invert());
    const plane = (size: number): THREE.PlaneGeometry => new THREE.PlaneGeometry(size, size).translate(middle.x, middle.y, 0) as THREE.PlaneGeometry;
    const material = this.material(floorFragment, false);
    (material.uniforms.middle.value as THREE.Vector2).set(middle.x, middle.y);
    const floor = new THREE.Mesh(plane(80 * this.size), material);
    floor.renderOrder = -2;
    piece.object.add(floor);
    if (!this.shadows) return;
    const shadow = new THREE.Mesh(plane(12 * this.size), new THREE.ShadowMaterial({ opacity: 0.36, depthWrite: false }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    piece.object.add(shadow);
  }

  private addPanes(walls: Piece[], box: Box, first: Frame): void {
    this.place(first);
    const order = [...walls, ...this.pieces.filter((piece) => !walls.includes(piece))]; // floors bound panes too
    const planes = order.map(({ object: { matrix } }) => ({
      normal: new THREE.Vector3(0, 0, 1).transformDirection(matrix), point: new THREE.Vector3().setFromMatrixPosition(matrix),
    }));
    panesOf(planes, box).slice(0, walls.length).forEach((corners, i) => {
      if (corners.length < 3) return;
      const back = walls[i].object.matrix.clone().invert();
      const pane = new Pane(corners.map((corner) => corner.clone().applyMatrix4(back)));
      this.panes.push(pane);
      walls[i].object.add(pane.object);
    });
  }

  private halfPlane(): THREE.Object3D {
    const band = new THREE.PlaneGeometry(40 * this.size, 20 * this.size).translate(0, -10 * this.size, 0);
    const mesh = new THREE.Mesh(band, this.material(hatchFragment, true));
    (mesh.material as THREE.Material).depthTest = false;
    mesh.renderOrder = -2;
    return mesh;
  }
}
