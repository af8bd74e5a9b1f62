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
      const distance = this.distanceFor(low.sub(middle), high.sub(middle), direction.normalize(), camera);
      camera.near = distance / 60;
      camera.far = distance * 60;
      camera.position.copy(middle).addScaledVector(direction, distance);
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

  // So far away that every corner of the box is within the angles of view, with a little room around.
  private distanceFor(low: THREE.Vector3, high: THREE.Vector3, towards: THREE.Vector3, camera: THREE.PerspectiveCamera): number {
    const right = camera.up.clone().cross(towards).normalize();
    const over = towards.clone().cross(right);
    const slope = Math.tan((camera.fov * Math.PI) / 360) / 1.12;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const at = new THREE.Vector3(corner & 1 ? low.x : high.x, corner & 2 ? low.y : high.y, corner & 4 ? low.z : high.z);
      const across = Math.max(Math.abs(at.dot(over)), (Math.abs(at.dot(right)) * this.height) / this.width);
      distance = Math.max(distance, at.dot(towards) + across / slope);
    }
    return distance;
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
