// The bodies: one instanced mesh for each geometry that occurs, however many bodies have it, and instanced edges on the same
// placements; thousands of spheres as points.
import * as THREE from 'three';
import type { Frame } from '../data/frames.ts';
import type { BodyInfo, ShapeInfo } from '../data/header.ts';
import { Look } from './looks.ts';
import { evenly, manyGrains, shareOf } from './pace.ts';
import { composeMatrix, localOrientation, rotate } from './placement.ts';
import { SphereCloud } from './spheres.ts';
import { detailFor, isGround, planShape, type ShapePlan } from './shapes.ts';

const mostShiny = 1500; // bodies with a highlight
const partWords = 10; // position 3, orientation 4, scale 3: of a part in its body

class Group implements Part {
  readonly mesh: THREE.InstancedMesh;
  readonly edges: THREE.LineSegments;
  private glass: THREE.InstancedMesh | null = null; // of those that are seen through; they are not in the mesh then
  private readonly all: THREE.InstancedBufferAttribute; // placements of all that are not hidden
  private readonly bodies: Int32Array;
  private readonly parts: Float32Array;
  private count: number; // that are drawn

  /** The first `always` shapes are always drawn. */
  constructor(plan: ShapePlan, shapes: ShapeInfo[], scales: [number, number, number][], private readonly always: number, planarScene: boolean, total: number, plain: boolean) {
    this.count = shapes.length;
    const detail = detailFor(total);
    this.bodies = Int32Array.from(shapes, (shape) => shape.body);
    this.parts = new Float32Array(shapes.length * partWords);
    shapes.forEach((shape, i) => {
      const at = i * partWords;
      this.parts.set(shape.position ?? [0, 0, 0], at);
      this.parts.set(localOrientation(shape.orientation, shape.angle), at + 3);
      this.parts.set(scales[i], at + 7);
    });
    const geometry = plan.build(detail);
    this.mesh = instanced(geometry, bodyMaterial(geometry, plan.flat, planarScene, plain || total > mostShiny), shapes.length);
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(shapes.length * 3), 3);
    this.mesh.castShadow = this.mesh.receiveShadow = !planarScene && total <= 3000;
    this.all = this.mesh.instanceMatrix;
    this.edges = instancedEdges(plan.outline?.(detail) ?? new THREE.EdgesGeometry(geometry, 25), this.all, planarScene);
  }

  get objects(): THREE.Object3D[] {
    return [this.mesh, this.edges];
  }

  pick(ray: THREE.Ray): { body: number; distance: number } | null {
    this.mesh.boundingSphere = null; // of where the instances were before
    const [hit] = new THREE.Raycaster(ray.origin, ray.direction).intersectObject(this.mesh, false);
    return hit?.instanceId === undefined ? null : { body: this.bodies[hit.instanceId], distance: hit.distance };
  }

  outline(body: number): number[] {
    const out: number[] = [];
    const matrix = new THREE.Matrix4();
    for (let i = this.bodies.indexOf(body); i >= 0; i = this.bodies.indexOf(body, i + 1)) {
      matrix.fromArray(this.all.array, 16 * i);
      const edges = (this.edges.geometry.getAttribute('position') as THREE.BufferAttribute).clone().applyMatrix4(matrix);
      for (const coordinate of edges.array) out.push(coordinate);
    }
    return out;
  }

  place(frame: Frame, looks: Uint8Array, share: number): void {
    this.divide(looks);
    this.count = shareOf(this.bodies.length, this.always, share);
    this.mesh.count = (this.edges.geometry as THREE.InstancedBufferGeometry).instanceCount = this.count;
    if (this.glass) this.glass.count = this.count;
    const { position: p, orientation: q } = frame;
    const out = this.all.array as Float32Array;
    const parts = this.parts;
    const at3 = [0, 0, 0];
    for (let i = 0; i < this.count; ++i) {
      const o = i * partWords;
      const b = this.bodies[i];
      if (looks[b] === Look.hidden) {
        vanish(out, i);
        continue;
      }
      const w = q[4 * b], x = q[4 * b + 1], y = q[4 * b + 2], z = q[4 * b + 3];
      const lw = parts[o + 3], lx = parts[o + 4], ly = parts[o + 5], lz = parts[o + 6];
      rotate(at3, 0, w, x, y, z, parts[o], parts[o + 1], parts[o + 2]);
      composeMatrix(out, 16 * i,
        p[3 * b] + at3[0], p[3 * b + 1] + at3[1], p[3 * b + 2] + at3[2],
        w * lw - x * lx - y * ly - z * lz,
        w * lx + x * lw + y * lz - z * ly,
        w * ly - x * lz + y * lw + z * lx,
        w * lz + x * ly - y * lx + z * lw,
        parts[o + 7], parts[o + 8], parts[o + 9]);
    }
    this.all.needsUpdate = true;
    if (this.glass) this.share(looks);
  }

  paint(colours: Float32Array): void {
    const attribute = this.mesh.instanceColor!;
    const out = attribute.array as Float32Array;
    for (let i = 0; i < this.count; ++i) {
      const b = 3 * this.bodies[i];
      out[3 * i] = colours[b];
      out[3 * i + 1] = colours[b + 1];
      out[3 * i + 2] = colours[b + 2];
    }
    attribute.needsUpdate = true;
  }

  openSides(on: boolean): void {
    const material = this.mesh.material as THREE.Material;
    material.side = on || material.userData.flat ? THREE.DoubleSide : THREE.FrontSide;
    material.needsUpdate = true;
  }

  // The second mesh is made when the first body is to be seen through.
  private divide(looks: Uint8Array): void {
    if (this.glass || !this.bodies.some((b) => looks[b] === Look.glass)) return;
    this.glass = instanced(this.mesh.geometry, glassMaterial(this.mesh.geometry), this.bodies.length);
    this.glass.instanceColor = this.mesh.instanceColor;
    this.glass.renderOrder = 4;
    this.mesh.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(this.all.array.length), 16).setUsage(THREE.DynamicDrawUsage);
    this.mesh.parent?.add(this.glass);
  }

  private share(looks: Uint8Array): void {
    const [solid, glass] = [this.mesh, this.glass!].map((mesh) => mesh.instanceMatrix.array as Float32Array);
    solid.set(this.all.array);
    glass.set(this.all.array);
    for (let i = 0; i < this.count; ++i) vanish(looks[this.bodies[i]] === Look.glass ? solid : glass, i);
    this.mesh.instanceMatrix.needsUpdate = this.glass!.instanceMatrix.needsUpdate = true;
  }
}

/** An instance that shrinks to a point; without the 1 its corners would lie at no place at all, and software draws that for seconds. */
function vanish(matrices: Float32Array, index: number): void {
  matrices.fill(0, 16 * index, 16 * index + 16);
  matrices[16 * index + 15] = 1;
}

function instanced(geometry: THREE.BufferGeometry, material: THREE.Material, count: number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(geometry, material, count);
  mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  mesh.frustumCulled = false;
  return mesh;
}

/** Some of the bodies' shapes that are drawn at once. */
interface Part {
  readonly objects: THREE.Object3D[];
  /** `share`: of those that move, to be drawn. */
  place(frame: Frame, looks: Uint8Array, share: number): void;
  paint(colours: Float32Array): void;
  /** The body that the ray meets first. */
  pick(ray: THREE.Ray): { body: number; distance: number } | null;
  /** Edges of a body where they are now, as pairs of points. */
  outline(body: number): number[];
}

export class Bodies {
  readonly object = new THREE.Group();
  /** So many that a share of them may be drawn. */
  readonly many: boolean;
  private readonly groups: Group[] = [];
  private readonly parts: Part[] = [];
  private readonly cloud: SphereCloud | null;

  /** `plain`: without highlights, for software that draws slowly. */
  constructor(all: ShapeInfo[], bodies: BodyInfo[], dimension: number, sceneSize: number, plain: boolean) {
    this.many = all.length > manyGrains;
    const moves = (shape: ShapeInfo): boolean => bodies[shape.body]?.kind === 'dynamic';
    const shapes = this.many ? evenly(all, moves) : all;
    const standing = (members: ShapeInfo[]): number => (this.many ? members.filter((shape) => !moves(shape)).length : members.length);
    const spheres = shapes.filter((shape) => shape.kind === 'sphere');
    const cloud = spheres.length > manyGrains;
    this.cloud = cloud ? new SphereCloud(spheres, standing(spheres)) : null;
    if (this.cloud) this.parts.push(this.cloud);
    const collected = new Map<string, { plan: ShapePlan; shapes: ShapeInfo[]; scales: [number, number, number][] }>();
    let total = 0;
    for (const shape of shapes) {
      const plan = isGround(shape) || (cloud && shape.kind === 'sphere') ? null : planShape(shape, dimension);
      if (!plan) continue;
      const entry = collected.get(plan.key) ?? { plan, shapes: [], scales: [] };
      entry.shapes.push(shape);
      // A point has no size: it is drawn as large as can be seen.
      entry.scales.push(shape.kind === 'point' ? [sceneSize * 0.012, sceneSize * 0.012, sceneSize * 0.012] : plan.scale);
      collected.set(plan.key, entry);
      ++total;
    }
    for (const { plan, shapes: members, scales } of collected.values())
      this.groups.push(new Group(plan, members, scales, standing(members), dimension === 2, total, plain));
    this.parts.push(...this.groups);
    for (const part of this.parts) this.object.add(...part.objects);
  }

  /** `share`: of those that move, to be drawn, if there are many. */
  place(frame: Frame, looks: Uint8Array, share: number): void {
    for (const part of this.parts) part.place(frame, looks, share);
  }

  /** Where bodies are cut open, their insides are seen; clouds leave out what lies behind the plane. */
  cut(plane: THREE.Plane | null): void {
    for (const group of this.groups) group.openSides(plane !== null);
    if (this.cloud) this.cloud.cut = plane;
  }

  paint(colours: Float32Array): void {
    for (const part of this.parts) part.paint(colours);
  }

  showEdges(on: boolean): void {
    for (const group of this.groups) group.edges.visible = on;
  }

  setEdgeColour(colour: THREE.ColorRepresentation, opacity: number): void {
    for (const group of this.groups) {
      const material = group.edges.material as THREE.ShaderMaterial;
      (material.uniforms.colour.value as THREE.Color).set(colour);
      material.uniforms.opacity.value = opacity;
    }
  }

  /** The body that the ray meets first, and where. */
  pick(ray: THREE.Raycaster): { body: number; point: THREE.Vector3 } | null {
    let best: { body: number; distance: number } | null = null;
    for (const part of this.parts) {
      const hit = part.pick(ray.ray);
      if (hit && (!best || hit.distance < best.distance)) best = hit;
    }
    return best && { body: best.body, point: ray.ray.at(best.distance, new THREE.Vector3()) };
  }

  outline(body: number): number[] {
    return this.parts.flatMap((part) => part.outline(body));
  }
}

function bodyMaterial(geometry: THREE.BufferGeometry, flat: boolean, planar: boolean, plain: boolean): THREE.Material {
  const vertexColors = geometry.hasAttribute('color');
  // Transparent by name only: so they are drawn in order, over the squared paper.
  if (planar) return new THREE.MeshBasicMaterial({ vertexColors, depthTest: false, transparent: true, side: THREE.DoubleSide, userData: { flat } });
  const look = { vertexColors, flatShading: flat, side: flat ? THREE.DoubleSide : THREE.FrontSide, userData: { flat } };
  return plain ? new THREE.MeshLambertMaterial(look) : new THREE.MeshStandardMaterial({ ...look, roughness: 0.5, metalness: 0.02 });
}

function glassMaterial(geometry: THREE.BufferGeometry): THREE.Material {
  return new THREE.MeshLambertMaterial({
    vertexColors: geometry.hasAttribute('color'), transparent: true, opacity: 0.22, depthWrite: false, side: THREE.DoubleSide,
  });
}

const edgeVertex = `
attribute mat4 placement;
#include <clipping_planes_pars_vertex>
void main() {
  vec4 mvPosition = modelViewMatrix * placement * vec4(position, 1.0);
  #include <clipping_planes_vertex>
  gl_Position = projectionMatrix * mvPosition;
  gl_Position.z -= 2e-4 * gl_Position.w;
}`;
const edgeFragment = `
uniform vec3 colour;
uniform float opacity;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  gl_FragColor = vec4(colour, opacity);
  #include <colorspace_fragment>
}`;

function instancedEdges(base: THREE.BufferGeometry, placements: THREE.InstancedBufferAttribute, planar: boolean): THREE.LineSegments {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', base.getAttribute('position'));
  geometry.setAttribute('placement', placements);
  geometry.instanceCount = placements.count;
  const material = new THREE.ShaderMaterial({
    vertexShader: edgeVertex,
    fragmentShader: edgeFragment,
    uniforms: { colour: { value: new THREE.Color(0x20262c) }, opacity: { value: 0.55 } },
    transparent: true,
    clipping: true,
    depthTest: !planar,
  });
  const edges = new THREE.LineSegments(geometry, material);
  edges.frustumCulled = false;
  edges.renderOrder = 1;
  return edges;
}
