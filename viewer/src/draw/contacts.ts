// Contacts over the bodies: points, normals, friction cones and forces as arrows. In a pass of its own, so that what lies
// inside a body is seen.
import * as THREE from 'three';
import { contactColour, type ColourMode, type Ranges } from './colouring.ts';
import { ContactState, type Contact, type Frame } from '../data/frames.ts';
import { Dots, setAttribute } from './dots.ts';
import type { BodyInfo } from '../data/header.ts';
import { nearestImage, type PeriodicBox } from '../data/periodic.ts';
import { toLinear } from './palette.ts';
import { Pool } from './pool.ts';

export interface ContactView {
  points: boolean;
  normals: boolean;
  cones: boolean;
  forces: boolean;
  forceScale: number; // m a newton
  size: number; // m: of normals and cones
  ink: number; // of arrows, where bodies have the colours of contacts
}

const zAxis = new THREE.Vector3(0, 0, 1);

export class Contacts {
  readonly object = new THREE.Group();
  private readonly shafts: Pool;
  private readonly heads: Pool;
  private readonly cones: Pool;
  private readonly points = new Dots();
  private readonly normals: THREE.LineSegments;
  private readonly still: Uint8Array;
  private frame: Frame | null = null;

  /** Normals and cones are drawn on the side of a; where a does not move, of b. */
  constructor(bodies: BodyInfo[], private readonly box: PeriodicBox | null) {
    this.still = Uint8Array.from(bodies, (body) => (body.kind === 'dynamic' ? 0 : 1));
    const solid = new THREE.MeshLambertMaterial();
    const glass = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.3, depthWrite: false, side: THREE.DoubleSide });
    const along = (geometry: THREE.BufferGeometry): THREE.BufferGeometry => geometry.rotateX(Math.PI / 2);
    this.cones = new Pool(this.object, along(new THREE.ConeGeometry(1, 1, 20, 1, true)).rotateY(Math.PI).translate(0, 0, 0.5), glass);
    this.shafts = new Pool(this.object, along(new THREE.CylinderGeometry(1, 1, 1, 8)).translate(0, 0, 0.5), solid);
    this.heads = new Pool(this.object, along(new THREE.ConeGeometry(1, 1, 12)).translate(0, 0, 0.5), solid);
    this.normals = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));
    this.normals.frustumCulled = false;
    this.object.add(this.normals, this.points.object);
  }

  show(frame: Frame, mode: ColourMode, ranges: Ranges, view: ContactView): void {
    this.frame = frame;
    const any = view.points || view.normals || view.cones || view.forces;
    const colours = new Float32Array(frame.contacts.count * 3);
    for (let i = 0; i < frame.contacts.count && any; ++i) colours.set(toLinear(contactColour(mode, frame, i, ranges)), 3 * i);
    this.showPoints(frame, colours, view.points);
    this.showNormals(frame, colours, view);
    this.showForces(frame, mode === 'body' ? colours : null, view);
    this.showCones(frame, colours, view);
  }

  /** The contact drawn nearest to a place on the screen (normalised), within `reach` pixels. */
  pick(at: THREE.Vector2, camera: THREE.Camera, width: number, height: number, reach: number): number | null {
    if (!this.frame || !this.object.visible || !(this.points.object.visible || this.shafts.mesh.visible)) return null;
    const place = new THREE.Vector3();
    let best: number | null = null;
    let least = reach;
    for (let i = 0; i < this.frame.contacts.count; ++i) {
      place.fromArray(this.frame.contacts.reals, i * 16 + 2).project(camera);
      if (place.z > 1) continue;
      const distance = Math.hypot(((place.x - at.x) * width) / 2, ((place.y - at.y) * height) / 2);
      if (distance < least) [least, best] = [distance, i];
    }
    return best;
  }

  get arrowCount(): number {
    return this.heads.mesh.count;
  }

  private side(frame: Frame, contact: number): number {
    return this.still[frame.contacts.bodyA(contact)] === 1 ? -1 : 1;
  }

  private showPoints(frame: Frame, colours: Float32Array, on: boolean): void {
    const count = on ? frame.contacts.count : 0;
    const places = new Float32Array(count * 3);
    for (let i = 0; i < count; ++i) places.set(frame.contacts.reals.subarray(i * 16 + 2, i * 16 + 5), 3 * i);
    // What is about to touch is there, but smaller.
    const weights = Float32Array.from({ length: count }, (_, i) => (frame.contacts.state(i) === ContactState.separating ? 0.5 : 1));
    this.points.set(places, colours, weights, count > 150 ? 6 : 8.5);
  }

  private showNormals(frame: Frame, colours: Float32Array, view: ContactView): void {
    this.normals.visible = view.normals && frame.contacts.count > 0;
    if (!this.normals.visible) return;
    const count = frame.contacts.count;
    const places = new Float32Array(count * 6);
    const tints = new Float32Array(count * 6);
    for (let i = 0; i < count; ++i) {
      const r = frame.contacts.reals;
      for (let k = 0; k < 3; ++k) {
        places[6 * i + k] = r[16 * i + 2 + k];
        places[6 * i + 3 + k] = r[16 * i + 2 + k] + view.size * this.side(frame, i) * r[16 * i + 5 + k];
        tints[6 * i + k] = tints[6 * i + 3 + k] = colours[3 * i + k];
      }
    }
    setAttribute(this.normals.geometry, 'position', places, 3);
    setAttribute(this.normals.geometry, 'color', tints, 3);
    this.normals.geometry.setDrawRange(0, 2 * count);
  }

  // Each body that moves has an arrow of the force that acts on it, from the contact into the body: between two of them they point
  // both ways.
  private showForces(frame: Frame, colours: Float32Array | null, view: ContactView): void {
    const count = view.forces ? frame.contacts.count : 0;
    this.shafts.begin(2 * count);
    this.heads.begin(2 * count);
    const colour = new THREE.Color(view.ink);
    for (let i = 0; i < count; ++i) {
      const { a, b, force, point } = frame.contacts.get(i);
      const length = Math.hypot(...force) * view.forceScale;
      if (!(length > view.size * 0.02)) continue;
      if (colours) colour.fromArray(colours, 3 * i);
      const direction = new THREE.Vector3(...force).normalize();
      const beside = (body: number): THREE.Vector3 =>
        new THREE.Vector3(...nearestImage(this.box, frame.time, point, frame.position.subarray(3 * body, 3 * body + 3)));
      if (this.still[a] === 0) this.arrow(beside(a), direction, length, view.size, colour);
      if (this.still[b] === 0) this.arrow(beside(b), direction.clone().negate(), length, view.size, colour);
    }
    this.shafts.end();
    this.heads.end();
  }

  private arrow(start: THREE.Vector3, direction: THREE.Vector3, length: number, size: number, colour: THREE.Color): void {
    const turn = new THREE.Quaternion().setFromUnitVectors(zAxis, direction);
    const matrix = new THREE.Matrix4();
    const head = Math.min(0.35 * length, 0.3 * size);
    const thick = head * 0.14;
    this.shafts.add(matrix.compose(start, turn, new THREE.Vector3(thick, thick, length - head)), colour);
    const neck = start.clone().addScaledVector(direction, length - head);
    this.heads.add(matrix.compose(neck, turn, new THREE.Vector3(head * 0.38, head * 0.38, head)), colour);
  }

  private showCones(frame: Frame, colours: Float32Array, view: ContactView): void {
    const count = view.cones ? frame.contacts.count : 0;
    this.cones.begin(count);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const colour = new THREE.Color();
    for (let i = 0; i < count; ++i) {
      const contact: Contact = frame.contacts.get(i);
      if (!(contact.mu > 0) || !Number.isFinite(contact.mu)) continue;
      // Of constant slant height, so that wide cones do not cover all.
      const height = view.size / Math.hypot(1, contact.mu);
      turn.setFromUnitVectors(zAxis, new THREE.Vector3(...contact.normal).multiplyScalar(this.side(frame, i)));
      matrix.compose(new THREE.Vector3(...contact.point), turn, new THREE.Vector3(height * contact.mu, height * contact.mu, height));
      this.cones.add(matrix, colour.fromArray(colours, 3 * i));
    }
    this.cones.end();
  }
}
