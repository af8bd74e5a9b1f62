// The drawing surface: renderer, lights, two passes (the bodies, then contacts and links over them), drawn when something changed.
// Spatial scenes get ambient occlusion: always where a graphics card draws, and where software does, once the picture stands still;
// software that is too slow draws coarser pictures as long as something moves.
import * as THREE from 'three';
import type { Box } from './bounds.ts';
import { Eye } from './camera.ts';
import { Occlusion } from './occlusion.ts';
import { Sky } from './sky.ts';
import type { DrawingColours } from './theme.ts';

const stillness = 250; // ms without a change before software takes its time
const patience = 60; // ms for a picture, before what moves is drawn coarser
const coarse = 0.5; // of the pixels in each direction

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly world = new THREE.Scene();
  readonly overlay = new THREE.Scene();
  readonly eye: Eye;
  /** Drawn without a graphics card. */
  readonly slow: boolean;
  /** Not all grains are drawn while something moves. */
  thinned = false;
  framesDrawn = 0;
  drawMilliseconds = 0;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly sun = new THREE.DirectionalLight(0xfff6ea, 2.3);
  private readonly sky: Sky | null;
  private readonly occlusion: Occlusion | null;
  dirty = true; // something is to be drawn
  private fine = true;
  private changed = 0;
  private reach = 1; // m: of occlusion

  /** Throws where the browser cannot draw. */
  constructor(private readonly container: HTMLElement, dimension: number, private readonly up: THREE.Vector3, shadows: boolean, smooth: boolean) {
    this.renderer = new THREE.WebGLRenderer({ antialias: smooth, powerPreference: 'high-performance' });
    this.canvas = this.renderer.domElement;
    this.slow = isSoftware(this.renderer);
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = shadows;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    container.append(this.canvas);
    this.eye = new Eye(dimension, up, this.canvas, () => this.invalidate());
    this.sky = dimension === 3 ? new Sky(up) : null;
    this.occlusion = dimension === 3 && smooth && Occlusion.possible(this.renderer) ? new Occlusion(this.renderer, () => this.reach, this.slow ? 2 : 4) : null;
    this.addLights(shadows);
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  invalidate(): void {
    this.dirty = true;
  }

  setColours(colours: DrawingColours): void {
    this.renderer.setClearColor(colours.background);
    this.sky?.setColours(colours.sky);
    this.invalidate();
  }

  /** Only what lies on the plane's positive side is drawn; null: all. */
  cut(plane: THREE.Plane | null): void {
    this.renderer.clippingPlanes = plane ? [plane] : [];
  }

  /** The light comes from above and casts its shadow over the whole box; corners of this size are darkened. */
  lightUp(box: Box, corner: number): void {
    const middle = new THREE.Vector3(...box.low).add(new THREE.Vector3(...box.high)).multiplyScalar(0.5);
    const radius = new THREE.Vector3(...box.high).sub(middle).length() * 1.3;
    const side = Math.abs(this.up.z) > 0.5 ? new THREE.Vector3(-0.5, -0.55, 0) : new THREE.Vector3(-0.5, 0, 0.55);
    this.sun.position.copy(middle).addScaledVector(this.up.clone().add(side).normalize(), 3 * radius);
    this.world.userData.toLight = this.sun.position.clone().sub(middle).normalize();
    this.sun.target.position.copy(middle);
    this.sun.target.updateMatrixWorld();
    const shadow = this.sun.shadow;
    Object.assign(shadow.camera, { left: -radius, right: radius, bottom: -radius, top: radius, near: 0.1 * radius, far: 8 * radius });
    shadow.camera.updateProjectionMatrix();
    shadow.normalBias = radius * 0.004;
    this.reach = corner;
  }

  /** What stands still is about to be drawn as well as it can be. */
  get resting(): boolean {
    return !this.dirty && !this.fine && performance.now() - this.changed > stillness;
  }

  /** Draw if anything changed since; says whether it did. */
  draw(): boolean {
    const now = performance.now();
    if (!this.dirty && !this.resting) return false;
    if (this.dirty) this.changed = now;
    this.fine = !(this.slow || this.thinned) || !this.dirty;
    this.dirty = false;
    this.resolve(this.fine || this.drawMilliseconds < patience ? 1 : coarse);
    this.drawWorld();
    const planes = this.renderer.clippingPlanes;
    this.renderer.clippingPlanes = [];
    this.renderer.clearDepth();
    this.renderer.render(this.overlay, this.eye.camera);
    this.renderer.clippingPlanes = planes;
    if (!this.fine || !this.slow) this.drawMilliseconds = Math.max(performance.now() - now, 0.7 * this.drawMilliseconds);
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

  /** The picture is as good as it gets. */
  get settled(): boolean {
    return !this.dirty && this.fine;
  }

  private resolve(share: number): void {
    const ratio = share * Math.min(window.devicePixelRatio, 2);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }

  private drawWorld(): void {
    const { camera } = this.eye;
    if (this.fine && this.occlusion && camera instanceof THREE.PerspectiveCamera) return this.occlusion.draw(this.world, camera);
    this.renderer.clear();
    this.renderer.render(this.world, camera);
  }

  private addLights(shadows: boolean): void {
    this.sun.castShadow = shadows;
    this.sun.shadow.mapSize.setScalar(this.slow ? 1024 : 2048);
    this.sun.shadow.radius = this.slow ? 1.5 : 3;
    this.sun.shadow.bias = -0.0006;
    const sky = new THREE.HemisphereLight(0xf2f7ff, 0x8d8780, 1.7);
    sky.position.copy(this.up);
    this.world.add(sky, this.sun, this.sun.target);
    if (this.sky) this.world.add(this.sky.object);
    this.overlay.add(new THREE.HemisphereLight(0xffffff, 0xb0b4b8, 3));
  }

  private resize(): void {
    const { width, height } = this.size;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.eye.resize(width, height);
    this.invalidate();
  }
}

function isSoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const words = gl.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|software|basic render/i.test(words ? String(gl.getParameter(words.UNMASKED_RENDERER_WEBGL)) : '');
}
