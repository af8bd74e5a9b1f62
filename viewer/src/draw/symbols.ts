// What is drawn of joints: pins, rails, sleeves, wheels, supports, drives, limits. The tool decides what (cli/mechanism/); here it is put
// where its bodies are. Solids of a kind and a role are one instanced mesh; they are drawn among the bodies, and pins once more, faintly,
// over them, so that those within bodies are seen. Lines lie over the bodies.
import * as THREE from 'three';
import { FatLines } from './fatlines.ts';
import type { Frame } from '../data/frames.ts';
import type { Header, SymbolInfo, SymbolRole } from '../data/header.ts';
import { zigzag } from './links.ts';
import { nearestImage } from '../data/periodic.ts';
import { worldPoint } from './placement.ts';
import type { Theme } from './theme.ts';

const colours: Record<Theme, Record<SymbolRole, number>> = {
  light: {
    joint: 0x3a3f45, rail: 0x7a8694, ground: 0x666c73, rod: 0x3a3f45, rope: 0x7a5c2e, spring: 0xa8457f,
    drive: 0xd55e00, limit: 0x0072b2, needle: 0x003f63,
  },
  dark: {
    joint: 0xc3cbd3, rail: 0x8f9ba8, ground: 0x9aa2ab, rod: 0xc3cbd3, rope: 0xc9a66b, spring: 0xcc79a7,
    drive: 0xff8a3c, limit: 0x56b4e9, needle: 0xa8dcff,
  },
};
const paper: Record<Theme, number> = { light: 0xffffff, dark: 0x14181d };
const widths: Partial<Record<SymbolRole, number>> = { rod: 4, rope: 2, drive: 3, limit: 2.5, needle: 2.5 };
const sagPoints = 24;

/** The roles that the legend explains. */
export const symbolNames: [SymbolRole, string][] = [
  ['drive', 'drive'], ['limit', 'range and value'], ['spring', 'spring'], ['rope', 'rope'], ['ground', 'support'],
];

export function symbolColour(role: SymbolRole, theme: Theme): string {
  return `#${colours[theme][role].toString(16).padStart(6, '0')}`;
}

/** The solids of one kind and role. */
class Solids {
  readonly mesh: THREE.InstancedMesh;
  readonly shine: THREE.InstancedMesh;
  private readonly local: THREE.Matrix4[];

  constructor(private readonly symbols: SymbolInfo[], geometry: THREE.BufferGeometry, planar: boolean, inset: number) {
    this.local = symbols.map((symbol) => localMatrix(symbol, inset));
    const material = planar
      ? new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, side: THREE.DoubleSide })
      : new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
    this.mesh = new THREE.InstancedMesh(geometry, material, symbols.length);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !planar;
    this.mesh.renderOrder = inset < 1 ? 4 : 3;
    this.shine = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.3 }), symbols.length);
    this.shine.instanceMatrix = this.mesh.instanceMatrix;
    this.shine.frustumCulled = false;
  }

  setColour(colour: number): void {
    for (const mesh of [this.mesh, this.shine]) (mesh.material as THREE.MeshBasicMaterial).color.set(colour);
  }

  place(frame: Frame): void {
    const pose = new THREE.Matrix4();
    this.symbols.forEach((symbol, i) => this.mesh.setMatrixAt(i, poseOf(frame, symbol.body, pose).multiply(this.local[i])));
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

function poseOf(frame: Frame, body: number, out: THREE.Matrix4): THREE.Matrix4 {
  if (body < 0) return out.identity();
  const [p, q] = [frame.position.subarray(3 * body), frame.orientation.subarray(4 * body)];
  return out.compose(new THREE.Vector3(p[0], p[1], p[2]), new THREE.Quaternion(q[1], q[2], q[3], q[0]), new THREE.Vector3(1, 1, 1));
}

function point(numbers: number[] | undefined): THREE.Vector3 {
  return new THREE.Vector3(numbers?.[0] ?? 0, numbers?.[1] ?? 0, numbers?.[2] ?? 0);
}

/** Where the unit ball, the rod of radius 1 from z = -1/2 to 1/2, or the cube from -1 to 1 goes, its sides moved inwards by 1 - inset. */
function localMatrix(symbol: SymbolInfo, inset: number): THREE.Matrix4 {
  const [at, to, side] = [point(symbol.from), point(symbol.to), point(symbol.side)];
  const r = (symbol.radius ?? 0) * inset;
  if (symbol.kind === 'ball') return new THREE.Matrix4().makeScale(r, r, r).setPosition(at);
  if (symbol.kind === 'rod') {
    const along = to.sub(at);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.clone().normalize());
    return new THREE.Matrix4().compose(at.addScaledVector(along, 0.5), turn, new THREE.Vector3(r, r, along.length()));
  }
  const rim = (1 - inset) * Math.min(to.length(), side.length());
  const third = to.clone().cross(side).setLength(r);
  return new THREE.Matrix4().makeBasis(to.setLength(to.length() - rim), side.setLength(side.length() - rim), third).setPosition(at);
}

const solidGeometry: Record<'ball' | 'rod' | 'block', (planar: boolean) => THREE.BufferGeometry> = {
  ball: (planar) => (planar ? new THREE.CircleGeometry(1, 24) : new THREE.SphereGeometry(1, 18, 12)),
  rod: () => new THREE.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2),
  block: (planar) => (planar ? new THREE.PlaneGeometry(2, 2) : new THREE.BoxGeometry(2, 2, 2)),
};

export class Symbols {
  /** Among the bodies. */
  readonly solids = new THREE.Group();
  /** Over them. */
  readonly object = new THREE.Group();
  readonly roles: Set<SymbolRole>;
  private readonly groups: { solids: Solids; role: SymbolRole; white: boolean }[] = [];
  private readonly lines = new Map<SymbolRole, { lines: FatLines; symbols: SymbolInfo[] }>();
  private readonly down: THREE.Vector3;

  constructor(private readonly header: Header) {
    const planar = header.dimension === 2;
    const g = point(header.gravity);
    this.down = g.length() > 0 ? g.normalize() : new THREE.Vector3(0, planar ? -1 : 0, planar ? 0 : -1);
    this.roles = new Set(header.symbols.map((symbol) => symbol.role));
    for (const role of this.roles) {
      const members = header.symbols.filter((symbol) => symbol.role === role);
      for (const kind of ['ball', 'rod', 'block'] as const) this.addSolids(members.filter((symbol) => symbol.kind === kind), role, kind, planar);
      this.addLines(members.filter((symbol) => symbol.kind === 'line' || symbol.kind === 'tie'), role);
    }
  }

  setTheme(theme: Theme): void {
    for (const { solids, role, white } of this.groups) solids.setColour(white ? paper[theme] : colours[theme][role]);
    for (const [role, { lines }] of this.lines) lines.setColour(colours[theme][role]);
  }

  show(frame: Frame, on: boolean): void {
    this.solids.visible = this.object.visible = on;
    if (!on) return;
    for (const { solids } of this.groups) solids.place(frame);
    for (const { lines, symbols } of this.lines.values()) {
      const out: number[] = [];
      for (const symbol of symbols) (symbol.kind === 'tie' ? this.tie(frame, symbol, out) : path(frame, symbol, out));
      lines.set(out);
    }
  }

  // In the plane a pin is a white disc with a rim.
  private addSolids(members: SymbolInfo[], role: SymbolRole, kind: 'ball' | 'rod' | 'block', planar: boolean): void {
    if (!members.length) return;
    for (const inset of planar ? [1, 0.66] : [1]) {
      const solids = new Solids(members, solidGeometry[kind](planar), planar, inset);
      this.groups.push({ solids, role, white: inset < 1 });
      (planar ? this.object : this.solids).add(solids.mesh);
      if (!planar && role === 'joint') this.object.add(solids.shine);
    }
  }

  private addLines(members: SymbolInfo[], role: SymbolRole): void {
    if (!members.length) return;
    const lines = new FatLines(0, widths[role] ?? 2);
    this.lines.set(role, { lines, symbols: members });
    this.object.add(lines.object);
  }

  private tie(frame: Frame, symbol: SymbolInfo, out: number[]): void {
    const p = new THREE.Vector3(...worldPoint(frame, symbol.body, symbol.from ?? []));
    const q = new THREE.Vector3(...nearestImage(this.header.periodic, frame.time, worldPoint(frame, symbol.other ?? -1, symbol.to ?? []), p.toArray()));
    const length = symbol.length ?? 0;
    if (symbol.role === 'spring') out.push(...zigzag(p, q, 1.3 * this.header.symbol_unit));
    else if (symbol.role === 'rope' && length > (1 + 1e-5) * p.distanceTo(q)) out.push(...sag(p, q, length, this.down));
    else out.push(...p.toArray(), ...q.toArray());
  }
}

function path(frame: Frame, symbol: SymbolInfo, out: number[]): void {
  const flat = symbol.points ?? [];
  const count = flat.length / 3;
  const at = (i: number): [number, number, number] => worldPoint(frame, symbol.body, flat.slice(3 * (i % count), 3 * (i % count) + 3));
  let last = at(0);
  for (let i = 1; i < count + (symbol.closed ? 1 : 0); ++i) {
    const next = at(i);
    out.push(...last, ...next);
    last = next;
  }
}

// A slack rope as a parabola of its length: see cli/mechanism/tie_path.c.
function sag(p: THREE.Vector3, q: THREE.Vector3, length: number, down: THREE.Vector3): number[] {
  const hang = (depth: number): THREE.Vector3[] => Array.from({ length: sagPoints + 1 }, (_, i) => {
    const s = i / sagPoints;
    return p.clone().lerp(q, s).addScaledVector(down, 4 * s * (1 - s) * depth);
  });
  let [low, high] = [0, length];
  for (let i = 0; i < 30; ++i) {
    const middle = (low + high) / 2;
    const line = hang(middle);
    if (line.slice(1).reduce((sum, at, k) => sum + at.distanceTo(line[k]), 0) < length) low = middle;
    else high = middle;
  }
  const line = hang(low);
  return line.slice(1).flatMap((at, k) => [...line[k].toArray(), ...at.toArray()]);
}
