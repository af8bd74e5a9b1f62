// The drawing surface: renderer, lights, two passes (the bodies, then contacts and links over them), drawn when something
// changed.
import * as THREE from 'three';
import type { Box } from './bounds.ts';
import { Eye } from './camera.ts';

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly world = new THREE.Scene();
  readonly overlay = new THREE.Scene();
  readonly eye: Eye;
  framesDrawn = 0;
  drawMilliseconds = 0;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  private dirty = true;

  /** Throws where the browser cannot draw. */
  constructor(private readonly container: HTMLElement, dimension: number, private readonly up: THREE.Vector3, shadows: boolean, smooth: boolean) {
    this.renderer = new THREE.WebGLRenderer({ antialias: smooth, powerPreference: 'high-performance' });
    this.canvas = this.renderer.domElement;
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = shadows;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    container.append(this.canvas);
    this.eye = new Eye(dimension, up, this.canvas, () => this.invalidate());
    this.sun.castShadow = shadows;
    this.world.add(new THREE.HemisphereLight(0xffffff, 0x8a8f96, 1.6), this.sun, this.sun.target);
    this.overlay.add(new THREE.HemisphereLight(0xffffff, 0xb0b4b8, 3));
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  invalidate(): void {
    this.dirty = true;
  }

  setBackground(colour: THREE.ColorRepresentation): void {
    this.renderer.setClearColor(colour);
    this.invalidate();
  }

  /** The light comes from above and casts its shadow over the whole box. */
  lightUp(box: Box): void {
    const middle = new THREE.Vector3(...box.low).add(new THREE.Vector3(...box.high)).multiplyScalar(0.5);
    const radius = new THREE.Vector3(...box.high).sub(middle).length() * 1.3;
    const side = Math.abs(this.up.z) > 0.5 ? new THREE.Vector3(0.5, -0.35, 0) : new THREE.Vector3(0.5, 0, 0.35);
    this.sun.position.copy(middle).addScaledVector(this.up.clone().add(side).normalize(), 3 * radius);
    this.sun.target.position.copy(middle);
    const shadow = this.sun.shadow;
    shadow.mapSize.set(1024, 1024);
    Object.assign(shadow.camera, { left: -radius, right: radius, bottom: -radius, top: radius, near: 0.1 * radius, far: 8 * radius });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = radius * 0.004;
    shadow.bias = -0.0008;
  }

  /** Draw if anything changed since; says whether it did. */
  draw(): boolean {
    if (!this.dirty) return false;
    this.dirty = false;
    const start = performance.now();
    this.renderer.clear();
    this.renderer.render(this.world, this.eye.camera);
    this.renderer.clearDepth();
    this.renderer.render(this.overlay, this.eye.camera);
    this.drawMilliseconds = performance.now() - start;
    ++this.framesDrawn;
    return true;
  }

  get size(): { width: number; height: number } {
    return { width: this.container.clientWidth, height: this.container.clientHeight };
  }

  /** A place on the page in the normalised coordinates of the view. */
  toView(clientX: number, clientY: number): THREE.Vector2 {
    const box = this.canvas.getBoundingClientRect();
    return new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
  }

  /** Where a place of the world is on the page. */
  toPage(place: THREE.Vector3): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    this.eye.camera.updateMatrixWorld();
    const at = place.clone().project(this.eye.camera);
    return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
  }

  private resize(): void {
    const { width, height } = this.size;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.eye.resize(width, height);
    this.invalidate();
  }
}
