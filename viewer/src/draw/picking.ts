// The pointer on the drawing: a click selects; in a live simulation a drag that starts on a body pulls it.
import * as THREE from 'three';
import { bodyPoint, worldPoint } from './placement.ts';
import type { SceneView } from './view.ts';

export interface Pull {
  grab(body: number, point: number[], target: number[]): void;
  drag(target: number[]): void;
  release(): void;
}

const clickReach = 5; // pixels the pointer may move within a click
const contactReach = 9;
const jointReach = 10;
const mostDescribed = 1000; // joints that are looked for under a pointer that moves

export class Pointer {
  /** Where the pointer was last, in the view's coordinates. */
  readonly at = new THREE.Vector2();
  private start: { x: number; y: number } | null = null;
  private held: { body: number; point: [number, number, number]; plane: THREE.Plane; target: THREE.Vector3 } | null = null;

  constructor(
    private readonly view: SceneView,
    private readonly canPull: (body: number) => boolean,
    private readonly pull: Pull | null,
    private readonly select: (hit: { body: number } | { contact: number } | { joint: number } | null) => void,
    private readonly describe: (joint: number) => string,
  ) {
    const canvas = view.stage.canvas;
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', () => this.letGo());
    canvas.addEventListener('pointerleave', () => this.at.set(0, 0));
  }

  /** Draw the spring again after the body moved. */
  refresh(): void {
    if (!this.held || !this.view.frame) return;
    const at = worldPoint(this.view.frame, this.held.body, this.held.point);
    this.view.showPull([new THREE.Vector3(...at), this.held.target]);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.start = { x: event.clientX, y: event.clientY };
    if (!this.pull || !this.view.frame) return;
    const hit = this.view.bodies.pick(this.ray(event));
    if (!hit || !this.canPull(hit.body)) return;
    this.view.stage.eye.controls.enabled = false;
    this.view.tracker.hold = true;
    const facing = this.view.stage.eye.camera.getWorldDirection(new THREE.Vector3());
    this.held = {
      body: hit.body,
      point: bodyPoint(this.view.frame, hit.body, hit.point.toArray()),
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      target: hit.point.clone(),
    };
    this.view.stage.canvas.setPointerCapture(event.pointerId);
    this.pull.grab(hit.body, this.held.point, hit.point.toArray());
  }

  private move(event: PointerEvent): void {
    this.at.copy(this.view.stage.toView(event.clientX, event.clientY));
    if (!this.held) this.view.stage.canvas.title = event.buttons === 0 && this.view.jointCount <= mostDescribed ? this.describe(this.jointAt(event)) : '';
    if (!this.held || !this.pull) return;
    const target = this.ray(event).ray.intersectPlane(this.held.plane, new THREE.Vector3());
    if (!target) return;
    this.held.target.copy(target);
    this.pull.drag(target.toArray());
    this.refresh();
  }

  private up(event: PointerEvent): void {
    this.letGo();
    const start = this.start;
    this.start = null;
    if (!start || Math.hypot(event.clientX - start.x, event.clientY - start.y) > clickReach) return;
    const { width, height } = this.view.stage.size;
    const at = this.view.stage.toView(event.clientX, event.clientY);
    const contact = this.view.contacts.pick(at, this.view.stage.eye.camera, width, height, contactReach);
    if (contact !== null) return this.select({ contact });
    const joint = this.jointAt(event);
    if (joint >= 0) return this.select({ joint });
    const hit = this.view.bodies.pick(this.ray(event));
    this.select(hit ? { body: hit.body } : null);
  }

  private letGo(): void {
    if (!this.held) return;
    this.held = null;
    this.view.stage.eye.controls.enabled = true;
    this.view.tracker.hold = false;
    this.view.showPull(null);
    this.pull?.release();
  }

  private jointAt(event: PointerEvent): number {
    return this.view.symbols.object.visible ? this.view.pickJoint(event.clientX, event.clientY, jointReach) : -1;
  }

  private ray(event: PointerEvent): THREE.Raycaster {
    return this.view.stage.eye.ray(this.view.stage.toView(event.clientX, event.clientY));
  }
}
