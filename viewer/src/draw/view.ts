// All that is drawn of a run: ground, bodies, contacts, links and the mark of what is selected.
import * as THREE from 'three';
import { Bodies } from './bodies.ts';
import { diagonal, Extent, type Box } from './bounds.ts';
import { noRanges, paintBodies, widenRanges, type ColourMode } from './colouring.ts';
import { Chains } from './chains.ts';
import { Contacts } from './contacts.ts';
import { FatLines } from './fatlines.ts';
import { niceBelow } from '../data/format.ts';
import type { Frame } from '../data/frames.ts';
import { Ground } from './ground.ts';
import { isAnywhere, type Header } from '../data/header.ts';
import { Springs } from './links.ts';
import { Looks } from './looks.ts';
import { Pace } from './pace.ts';
import { worldPoint } from './placement.ts';
import { boxEdges } from '../data/periodic.ts';
import type { Selection } from '../page/selection.ts';
import { Stage } from './stage.ts';
import { Symbols } from './symbols.ts';
import { Tracker } from './tracker.ts';
import { drawingColours, type Theme } from './theme.ts';
import { dropBox, throwBall, type Throw } from './throw.ts';

const mostForShadows = 3000;
const mostForSmoothing = 20000;
const compact = 3.5; // a motion of so many times the size of the bodies at the start is shown whole

export interface Cut {
  axis: '' | 'x' | 'y' | 'z';
  share: number; // of the scene that is left, 0 to 1
}

export interface Display {
  mode: ColourMode;
  points: boolean;
  normals: boolean;
  cones: boolean;
  forces: boolean;
  chains: boolean;
  thrust: boolean;
  links: boolean;
  edges: boolean;
  through: boolean; // bodies are seen through
  cut: Cut;
  forceFactor: number;
}

export class SceneView {
  readonly stage: Stage;
  readonly ranges = noRanges();
  readonly gridSpacing: number;
  bodies!: Bodies;
  contacts!: Contacts;
  looks!: Looks;
  readonly tracker: Tracker;
  chains!: Chains;
  readonly ground: Ground;
  readonly symbols: Symbols;
  private readonly springs: Springs;
  private readonly mark = new FatLines(0xd55e00, 2.5, false);
  private readonly pull = new FatLines(0xd55e00, 2.5);
  private readonly border = new FatLines(0, 1.5); // of a periodic box
  readonly pace = new Pace();
  /** The share of grains that is drawn while something moves has changed. */
  onPace: () => void = () => undefined;
  private through = false;
  private painted: ColourMode | null = null;
  private shareShown = 1;
  private extent: Extent;
  private readonly size: number;
  private readonly up: THREE.Vector3;
  private readonly box: Box; // of the motion
  private colours!: Float32Array;
  private readonly ring: THREE.Mesh;
  private ink = 0;
  private followed = -1;
  private followedAt = new THREE.Vector3();
  private cutShown = '';
  frame: Frame | null = null;

  constructor(container: HTMLElement, private readonly header: Header, samples: Frame[]) {
    const spatial = header.dimension === 3;
    const shadows = spatial && header.shapes.length <= mostForShadows;
    const g = new THREE.Vector3(...(header.gravity as [number, number, number]));
    const up = this.up = g.length() > 0 ? g.clone().normalize().negate() : new THREE.Vector3(0, spatial ? 0 : 1, spatial ? 1 : 0);
    this.stage = new Stage(container, header.dimension, up, shadows, header.shapes.length <= mostForSmoothing);
    this.extent = new Extent(header);
    const box = this.box = this.extent.around(samples);
    const first = samples[0] ? this.extent.around([samples[0]]) : box;
    this.size = diagonal(first); // what moves may fly far: its size at the start says how large things are
    this.gridSpacing = niceBelow(this.size / 5);
    for (const sample of samples) widenRanges(this.ranges, sample);
    this.makeBodies(samples.length > 1 ? [samples[0], samples[samples.length - 1]] : samples);
    this.ground = new Ground(header, box, samples[0], this.gridSpacing, shadows);
    this.springs = new Springs(header.springs, this.size, header.periodic);
    if (header.periodic) this.border.set(boxEdges(header.periodic, header.dimension, box.low, box.high));
    this.symbols = new Symbols(header);
    const torus = new THREE.TorusGeometry(0.035 * this.size, 0.004 * this.size, 6, 32);
    this.ring = new THREE.Mesh(torus, new THREE.MeshBasicMaterial({ color: 0xd55e00, depthTest: false }));
    this.stage.world.add(this.ground.object, this.symbols.solids);
    this.stage.world.add(this.border.object);
    this.stage.overlay.add(this.springs.object, this.symbols.object, this.mark.object, this.ring, this.pull.object);
    this.stage.lightUp(box, 0.07 * this.size);
    const whole = !header.live && diagonal(box) < compact * this.size ? box : null;
    this.tracker = new Tracker(this.stage.eye, (frame) => this.extent.around([frame]), whole, first);
  }

  /** The header's bodies have changed: users put some in, or all of those are gone. */
  renewBodies(theme: Theme): void {
    this.stage.world.remove(this.bodies.object);
    this.stage.overlay.remove(this.contacts.object, this.chains.object);
    const { chosen } = this.looks;
    this.extent = new Extent(this.header);
    this.makeBodies([]);
    this.looks.chosen.set(chosen.subarray(0, this.looks.chosen.length));
    this.setTheme(theme);
  }

  /** A ball thrown at what is seen at a place of the view, or a box dropped there. */
  toss(kind: 'ball' | 'box', at: THREE.Vector2): Throw {
    const gravity = new THREE.Vector3(...(this.header.gravity as [number, number, number]));
    const { eye } = this.stage;
    const { ray } = eye.ray(at);
    const aim = ray.at(eye.camera.position.distanceTo(eye.controls.target), new THREE.Vector3());
    if (this.header.dimension === 2) aim.z = 0;
    const towards = this.header.dimension === 2 ? new THREE.Vector3(1, 0, 0) : ray.direction;
    const walls = this.frame ? this.ground.walls(this.frame) : [];
    return kind === 'ball' ? throwBall(aim, towards, gravity, this.size, walls) : dropBox(aim, this.up, this.size, walls);
  }

  private makeBodies(samples: Frame[]): void {
    const { header } = this;
    this.colours = new Float32Array(header.bodies.length * 3);
    this.painted = null;
    this.looks = new Looks(header, this.extent, samples);
    this.bodies = new Bodies(header.shapes, header.bodies, header.dimension, this.size, this.stage.slow);
    this.contacts = new Contacts(header.bodies, header.periodic);
    this.chains = new Chains(header.bodies, this.size, header.periodic);
    this.stage.world.add(this.bodies.object);
    this.stage.overlay.add(this.contacts.object, this.chains.object);
  }

  get jointCount(): number {
    return this.header.joints.length;
  }

  get hasGrid(): boolean {
    return this.ground.hasGrid;
  }

  /** m a newton: the largest force is a fifth of the scene at factor 1. */
  forceScale(display: Display): number {
    return this.ranges.force > 0 ? (display.forceFactor * 0.2 * this.size) / this.ranges.force : 0;
  }

  /** Length on the screen of something at the middle of the view. */
  pixelsPerMetre(): number {
    const target = this.stage.eye.controls.target;
    const side = new THREE.Vector3().setFromMatrixColumn(this.stage.eye.camera.matrixWorld, 0).multiplyScalar(this.size * 0.01);
    const [p, q] = [this.stage.toPage(target), this.stage.toPage(target.clone().add(side))];
    return Math.hypot(q.x - p.x, q.y - p.y) / (this.size * 0.01);
  }

  show(frame: Frame, display: Display, selection: Selection): void {
    this.frame = frame;
    this.through = display.through;
    if (this.header.live) this.followRanges(frame);
    this.showCut(display.cut);
    // Colours by body stay as they are.
    const fresh = display.mode !== 'body' || this.painted !== 'body';
    if (fresh) paintBodies(display.mode, frame, this.header.bodies, this.ranges, this.colours);
    this.painted = display.mode;
    this.placeBodies(frame, this.share, fresh);
    this.bodies.showEdges(display.edges);
    this.ground.place(frame);
    this.contacts.show(frame, display.mode, this.ranges, { ...display, forceScale: this.forceScale(display), size: 0.09 * this.size, ink: this.ink });
    this.chains.show(frame, this.ranges, display.chains, display.thrust);
    this.springs.show(frame, display.links);
    this.symbols.show(frame, display.links);
    this.showMark(selection);
    this.moveAlong(frame);
    this.stage.invalidate();
  }

  /** Of many grains, that are drawn while something moves. */
  get share(): number {
    return this.bodies.many ? this.pace.share : 1;
  }

  private placeBodies(frame: Frame, share: number, fresh: boolean): void {
    const more = share > this.shareShown;
    this.shareShown = share;
    this.bodies.place(frame, this.looks.of(frame, this.through), share);
    if (fresh || more) this.bodies.paint(this.colours);
  }

  /** Before each picture of the screen: the camera goes on, and what changed is drawn. */
  draw(now: number): void {
    if (!this.frame) return; // nothing is placed yet
    if (this.followed < 0) this.tracker.look(this.frame, now);
    if (this.tracker.tick(now)) {
      this.stage.lightUp(this.tracker.box, 0.07 * this.size); // shadows fall where the camera goes
      this.stage.invalidate();
    }
    this.keepPace(now);
    const resting = this.stage.resting;
    const share = resting ? 1 : this.share;
    if ((this.stage.dirty || resting) && share !== this.shareShown) this.placeBodies(this.frame, share, false);
    this.pace.drawn(this.stage.draw() && !resting);
  }

  private keepPace(now: number): void {
    const before = this.share;
    if (this.bodies.many) this.pace.tick(now);
    this.stage.thinned = this.share < 1;
    if (this.share !== before) this.onPace();
  }

  /** All into view, and the camera by itself again. */
  fit(): void {
    this.follow(-1);
    this.tracker.release(this.frame);
    this.stage.invalidate();
  }

  follow(body: number): void {
    this.followed = body;
    if (body >= 0) this.tracker.take();
    if (this.frame && body >= 0) this.followedAt.fromArray(this.frame.position, 3 * body);
  }

  get following(): number {
    return this.followed;
  }

  /** The spring by which a body is pulled; null: none. */
  showPull(ends: [THREE.Vector3, THREE.Vector3] | null): void {
    this.pull.set(ends ? [...ends[0].toArray(), ...ends[1].toArray()] : []);
    this.stage.invalidate();
  }

  setTheme(theme: Theme): void {
    const colours = drawingColours[theme];
    this.stage.setColours(colours);
    this.ink = colours.ink;
    this.mark.setColour(colours.mark);
    (this.ring.material as THREE.MeshBasicMaterial).color.set(colours.mark);
    this.symbols.setTheme(theme);
    this.ground.setColours(colours);
    this.border.setColour(colours.line);
    this.bodies.setEdgeColour(colours.edge, this.header.dimension === 2 ? 0.8 : 0.45);
    this.stage.invalidate();
  }

  /** Where a joint is: b's point, or the middle of a tie. */
  jointPlace(index: number): [number, number, number] | null {
    const joint = this.header.joints[index];
    if (!joint || !this.frame || isAnywhere(joint)) return null;
    const [p, q] = [worldPoint(this.frame, joint.a.body, joint.a.point), worldPoint(this.frame, joint.b.body, joint.b.point)];
    const tied = ['distance', 'rope', 'coupling'].includes(joint.kind);
    return tied ? [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2] : q;
  }

  /** The joint nearest to a place on the page, within so many pixels; -1: none. */
  pickJoint(x: number, y: number, reach: number): number {
    let [best, least] = [-1, reach];
    for (let i = 0; i < this.header.joints.length; ++i) {
      const place = this.jointPlace(i);
      if (!place) continue;
      const at = this.stage.toPage(new THREE.Vector3(...place));
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < least) [best, least] = [i, distance];
    }
    return best;
  }

  // Live, nobody knows what will come: the scales follow the largest values, which fade from memory within some seconds.
  private followRanges(frame: Frame): void {
    this.ranges.force *= 0.99;
    this.ranges.usualForce *= 0.99;
    this.ranges.speed *= 0.99;
    widenRanges(this.ranges, frame);
  }

  private showCut({ axis, share }: Cut): void {
    const now = `${axis} ${share}`;
    if (now === this.cutShown) return;
    this.cutShown = now;
    const k = ['x', 'y', 'z'].indexOf(axis);
    const at = k < 0 ? 0 : this.box.low[k] + share * (this.box.high[k] - this.box.low[k]);
    // From the front: what is nearer to the eye than the plane goes.
    const sign = k === 1 && this.header.dimension === 3 ? 1 : -1;
    const plane = k < 0 ? null : new THREE.Plane(new THREE.Vector3().setComponent(k, sign), -sign * at);
    this.stage.cut(plane);
    this.bodies.cut(plane);
  }

  private moveAlong(frame: Frame): void {
    if (this.followed < 0) return;
    const now = new THREE.Vector3().fromArray(frame.position, 3 * this.followed);
    this.stage.eye.shift(now.clone().sub(this.followedAt));
    this.followedAt.copy(now);
  }

  private showMark(selection: Selection): void {
    this.mark.set(selection.kind === 'body' ? this.bodies.outline(selection.body) : []);
    const at = selection.kind === 'contact' ? selection.contact?.point : selection.kind === 'joint' ? this.jointPlace(selection.joint) : null;
    this.ring.visible = !!at;
    if (at) this.ring.position.set(...at);
    this.ring.quaternion.copy(this.stage.eye.camera.quaternion);
  }
}
