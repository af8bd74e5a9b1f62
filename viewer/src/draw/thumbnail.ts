// A small picture of a scene at its start, drawn without a graphics card: the facets of all shapes, far ones first, shaded by one light.
import * as THREE from 'three';
import type { Frame } from '../data/frames.ts';
import type { Header, ShapeInfo } from '../data/header.ts';
import { Extent } from './bounds.ts';
import { bodyColour, fixedColour } from './palette.ts';
import { localOrientation } from './placement.ts';
import { isGround, normalOf, planShape } from './shapes.ts';
import { drawingColours, type Theme } from './theme.ts';

interface Facet {
  corners: THREE.Vector2[];
  depth: number;
  colour: string;
}

const mostShapes = 1500; // of a scene that are drawn

export function drawThumbnail(canvas: HTMLCanvasElement, header: Header, frame: Frame, theme: Theme): void {
  const pen = canvas.getContext('2d')!;
  const planar = header.dimension === 2;
  const colours = drawingColours[theme];
  pen.fillStyle = hex(planar ? colours.background : colours.sky.horizon);
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const camera = aim(header, frame, canvas);
  drawFloors(pen, header, frame, camera, hex(planar ? colours.fill : colours.floor));
  const facets = header.shapes.filter((shape) => !isGround(shape)).slice(0, mostShapes).flatMap((shape) => facetsOf(shape, header, frame, camera, canvas));
  if (!planar) facets.sort((a, b) => b.depth - a.depth);
  for (const facet of facets) fill(pen, facet.corners, facet.colour);
  drawLinks(pen, header, camera, canvas, hex(colours.ink), frame);
}

const hex = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`;

function aim(header: Header, frame: Frame, canvas: HTMLCanvasElement): THREE.OrthographicCamera {
  const box = new Extent(header).around([frame]);
  const middle = new THREE.Vector3(...box.low).add(new THREE.Vector3(...box.high)).multiplyScalar(0.5);
  const towards = header.dimension === 2 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0.42, -0.85, 0.38);
  const camera = new THREE.OrthographicCamera();
  camera.up.set(0, header.dimension === 2 ? 1 : 0, header.dimension === 2 ? 0 : 1);
  camera.position.copy(middle).addScaledVector(towards.normalize(), 10);
  camera.lookAt(middle);
  camera.updateMatrixWorld();
  const half = new THREE.Vector2();
  for (let corner = 0; corner < 8; ++corner) {
    const at = new THREE.Vector3(...[0, 1, 2].map((k) => (corner & (1 << k) ? box.high : box.low)[k]) as [number, number, number]).applyMatrix4(camera.matrixWorldInverse);
    half.max(new THREE.Vector2(Math.abs(at.x), Math.abs(at.y)));
  }
  const reach = 1.15 * Math.max(half.y, (half.x * canvas.height) / canvas.width, 1e-9);
  Object.assign(camera, { top: reach, bottom: -reach, right: (reach * canvas.width) / canvas.height, left: (-reach * canvas.width) / canvas.height, near: -1e6, far: 1e6 });
  camera.updateProjectionMatrix();
  return camera;
}

function onPaper(at: THREE.Vector3, camera: THREE.Camera, canvas: HTMLCanvasElement): THREE.Vector2 {
  const seen = at.clone().project(camera);
  return new THREE.Vector2(((seen.x + 1) / 2) * canvas.width, ((1 - seen.y) / 2) * canvas.height);
}

function poseOf(frame: Frame, body: number): THREE.Matrix4 {
  const [p, q] = [frame.position.subarray(3 * body), frame.orientation.subarray(4 * body)];
  return new THREE.Matrix4().compose(new THREE.Vector3(p[0], p[1], p[2]), new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));
}

function facetsOf(shape: ShapeInfo, header: Header, frame: Frame, camera: THREE.OrthographicCamera, canvas: HTMLCanvasElement): Facet[] {
  const plan = planShape(shape, header.dimension);
  if (!plan) return [];
  const built = plan.build({ round: 16 });
  const geometry = built.index ? built.toNonIndexed() : built;
  const q = localOrientation(shape.orientation, shape.angle);
  const size = shape.kind === 'point' ? 0.02 * (camera.top - camera.bottom) : 1;
  const local = new THREE.Matrix4().compose(new THREE.Vector3(...((shape.position ?? [0, 0, 0]) as [number, number, number])),
    new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(...plan.scale).multiplyScalar(size));
  const places = (geometry.getAttribute('position') as THREE.BufferAttribute).clone().applyMatrix4(poseOf(frame, shape.body).multiply(local));
  const base = header.bodies[shape.body]?.kind === 'fixed' ? fixedColour : bodyColour(shape.body);
  const light = new THREE.Vector3(-0.35, -0.45, 0.82);
  const eye = camera.getWorldDirection(new THREE.Vector3());
  const facets: Facet[] = [];
  for (let i = 0; i + 2 < places.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new THREE.Vector3().fromBufferAttribute(places, i + k));
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    if (header.dimension === 3 && normal.dot(eye) > 0) continue;
    const tone = header.dimension === 2 ? 1 : 0.55 + 0.5 * Math.max(normal.dot(light), 0);
    facets.push({
      corners: [a, b, c].map((corner) => onPaper(corner, camera, canvas)),
      depth: a.add(b).add(c).dot(eye) / 3,
      colour: `rgb(${base.map((x) => Math.round(255 * Math.min(x * tone, 1))).join(' ')})`,
    });
  }
  return facets;
}

function fill(pen: CanvasRenderingContext2D, corners: THREE.Vector2[], colour: string): void {
  pen.fillStyle = pen.strokeStyle = colour; // the stroke closes the seams between facets
  pen.lineWidth = 0.7;
  pen.beginPath();
  corners.forEach((at) => pen.lineTo(at.x, at.y));
  pen.closePath();
  pen.fill();
  pen.stroke();
}

// In the plane all half-planes; in space what carries.
function drawFloors(pen: CanvasRenderingContext2D, header: Header, frame: Frame, camera: THREE.OrthographicCamera, colour: string): void {
  const planar = header.dimension === 2;
  const far = 40 * (camera.top - camera.bottom);
  for (const shape of header.shapes.filter(isGround)) {
    const pose = poseOf(frame, shape.body);
    const normal = new THREE.Vector3(...normalOf(shape, header.dimension)).transformDirection(pose);
    const at = new THREE.Vector3(...((shape.position ?? [0, 0, 0]) as [number, number, number])).applyMatrix4(pose);
    if (!planar && normal.z < 0.5) continue;
    const along = planar ? new THREE.Vector3(normal.y, -normal.x, 0) : new THREE.Vector3(1, 0, 0).cross(normal);
    const across = planar ? normal.clone().negate() : normal.clone().cross(along);
    const corner = (s: number, t: number): THREE.Vector3 => at.clone().addScaledVector(along, s * far).addScaledVector(across, t * far);
    const ends: [number, number][] = planar ? [[-1, 0], [1, 0], [1, 1], [-1, 1]] : [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    fill(pen, ends.map(([s, t]) => onPaper(corner(s, t), camera, pen.canvas)), colour);
  }
}

function drawLinks(pen: CanvasRenderingContext2D, header: Header, camera: THREE.Camera, canvas: HTMLCanvasElement, colour: string, frame: Frame): void {
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1.5;
  for (const link of [...header.joints, ...header.springs]) {
    const [a, b] = [link.a, link.b].map(({ body, point }) => {
      const at = new THREE.Vector3(point[0] ?? 0, point[1] ?? 0, point[2] ?? 0);
      return onPaper(body < 0 ? at : at.applyMatrix4(poseOf(frame, body)), camera, canvas);
    });
    pen.beginPath();
    if (['distance', 'rope', 'linear'].includes(link.kind)) {
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
      pen.stroke();
    } else if (link.kind !== 'coupling') {
      pen.arc(b.x, b.y, 2, 0, 7);
      pen.fill();
    }
  }
}
