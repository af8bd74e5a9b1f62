// The eye: orbits in space; pans and zooms, seen straight from above, in the plane. Fits a box, follows a body.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { diagonal, type Box } from './bounds.ts';

export class Eye {
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly controls: OrbitControls;
  private width = 1;
  private height = 1;
  private halfHeight = 1; // m, of the planar view at zoom 1

  constructor(dimension: number, up: THREE.Vector3, canvas: HTMLElement, onChange: () => void) {
    this.camera = dimension === 2 ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(38);
    this.camera.up.copy(dimension === 2 ? new THREE.Vector3(0, 1, 0) : up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', onChange);
    if (dimension === 2) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
  }

  resize(width: number, height: number): void {
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.project();
  }

  fit(box: Box): void {
    const low = new THREE.Vector3(...box.low);
    const high = new THREE.Vector3(...box.high);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const radius = Math.max(diagonal(box) / 2, 1e-9);
    const camera = this.camera;
    if (camera instanceof THREE.OrthographicCamera) {
      const aspect = this.width / this.height;
      this.halfHeight = 0.56 * Math.max(high.y - low.y, (high.x - low.x) / aspect, radius * 0.1);
      camera.zoom = 1;
      camera.near = 0;
      camera.far = 1000 * radius;
      camera.position.set(middle.x, middle.y, 500 * radius);
    } else {
      const direction = camera.position.clone().sub(this.controls.target);
      if (!(direction.length() > 0) || camera.userData.placed !== true) direction.copy(firstDirection(camera.up));
      camera.userData.placed = true;
      const narrow = Math.min(1, this.width / this.height);
      const distance = (1.02 * radius) / Math.sin((camera.fov * Math.PI) / 360) / narrow;
      camera.near = distance / 500;
      camera.far = distance * 60;
      camera.position.copy(middle).addScaledVector(direction.normalize(), distance);
    }
    this.controls.target.copy(middle);
    this.project();
    this.controls.update();
  }

  /** Move along with a body. */
  shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  ray(at: THREE.Vector2): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  private project(): void {
    const camera = this.camera;
    const aspect = this.width / this.height;
    if (camera instanceof THREE.PerspectiveCamera) {
      camera.aspect = aspect;
    } else {
      camera.top = this.halfHeight;
      camera.bottom = -this.halfHeight;
      camera.right = this.halfHeight * aspect;
      camera.left = -camera.right;
    }
    camera.updateProjectionMatrix();
  }
}

// From the front, a little to the side and from above, whichever way is up.
function firstDirection(up: THREE.Vector3): THREE.Vector3 {
  const front = Math.abs(up.z) > 0.5 ? new THREE.Vector3(0.45, -1, 0) : new THREE.Vector3(0.45, 0, 1);
  front.addScaledVector(up, -front.dot(up)).normalize();
  return front.addScaledVector(up, 0.42);
}
