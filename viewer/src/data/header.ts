// The header of a run, as the tool writes it (run.json). Units are SI; numbers that were not finite are null.
import type { PeriodicBox } from './periodic.ts';

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number]; // w, x, y, z: body to world

export interface BodyInfo {
  name: string;
  kind: 'dynamic' | 'fixed' | 'driven';
  mass: number | null;
}

export interface ShapeInfo {
  body: number;
  kind: string;
  radius?: number;
  length?: number;
  height?: number;
  radii?: number[];
  size?: number[];
  normal?: number[];
  vertices?: number[] | number[][];
  faces?: number[][];
  position?: number[];
  orientation?: number[];
  angle?: number;
  link?: boolean; // not a shape of the scene: what is seen of a body between its joints
}

export interface Attachment {
  body: number; // -1: the world
  point: number[];
}

export interface LinkInfo {
  name: string;
  kind: string;
  a: Attachment;
  b: Attachment;
}

/** A direction in the frame of joint's body a (side 0) or b (side 1). */
export interface SidedDirection {
  side: 0 | 1;
  direction: number[];
}

export interface CoordinateInfo {
  name: string;
  unit: 'rad' | 'm';
  axis?: SidedDirection;
  zero?: SidedDirection; // of angles: from here
  needle?: SidedDirection; // to here
  lower?: number;
  upper?: number;
  friction?: number;
  stiffness?: number;
  damping?: number;
  drive?: 'position' | 'speed' | 'force';
  target?: number | null; // at the start
  limit?: number; // of the drive's force
}

export interface JointInfo extends LinkInfo {
  coordinates?: CoordinateInfo[];
}

/** A coupling of coordinates has no place. */
export function isAnywhere({ kind, a, b }: LinkInfo): boolean {
  return kind === 'coupling' && a.body < 0 && b.body < 0;
}

export type SymbolRole = 'joint' | 'rail' | 'ground' | 'rod' | 'rope' | 'spring' | 'drive' | 'limit' | 'needle';

/** A part of what is drawn of a joint, in the frame of a body (-1: the world). */
export interface SymbolInfo {
  kind: 'ball' | 'rod' | 'block' | 'line' | 'tie';
  role: SymbolRole;
  joint: number;
  body: number;
  other?: number; // body at the other end of a tie
  from?: number[];
  to?: number[];
  side?: number[];
  radius?: number;
  length?: number;
  points?: number[];
  closed?: boolean;
}

export interface Series {
  name: string;
  label: string; // in words
  unit: string;
  values: (number | null)[];
}

export interface RunEvent {
  time: number;
  kind: string;
  bodies: number[];
  speed: number | null;
  impulse: number | null;
}

export interface Header {
  format: number;
  title: string;
  scene: string;
  status: string;
  dimension: 2 | 3;
  gravity: number[];
  live: boolean;
  frame_count: number;
  truncated: boolean;
  note: string | null;
  forces: boolean; // shown from the start
  periodic: PeriodicBox | null;
  body_count: number; // in all; the page has some of them
  bodies: BodyInfo[];
  shapes: ShapeInfo[];
  joints: JointInfo[];
  symbols: SymbolInfo[];
  symbol_unit: number; // m
  springs: LinkInfo[];
  friction?: { default?: number | null };
  series: Series[];
  events: RunEvent[];
  frames: { compression: 'none' | 'deflate' };
}

const newestFormat = 1;

/** The header with what is missing filled in, or an error that says why it cannot be shown. */
export function checkHeader(value: unknown): Header {
  if (typeof value !== 'object' || value === null) throw new Error('The description of the run is not an object.');
  const header = value as Partial<Header>;
  if (typeof header.format !== 'number' || header.format > newestFormat)
    throw new Error(`The run is described in format ${String(header.format)}, which this page does not know.`);
  return {
    format: header.format,
    title: header.title || header.scene || 'Untitled',
    scene: header.scene ?? '',
    status: header.status ?? '',
    dimension: header.dimension === 2 ? 2 : 3,
    gravity: header.gravity ?? [0, 0, 0],
    live: header.live ?? false,
    frame_count: header.frame_count ?? 0,
    truncated: header.truncated ?? false,
    note: header.note ?? null,
    forces: header.forces ?? false,
    periodic: header.periodic ?? null,
    body_count: header.body_count ?? header.bodies?.length ?? 0,
    bodies: header.bodies ?? [],
    shapes: header.shapes ?? [],
    joints: header.joints ?? [],
    symbols: header.symbols ?? [],
    symbol_unit: header.symbol_unit ?? 0,
    springs: header.springs ?? [],
    friction: header.friction ?? {},
    series: (header.series ?? []).map((one) => ({ ...one, label: one.label ?? one.name.replaceAll('_', ' ') })),
    events: header.events ?? [],
    frames: header.frames ?? { compression: 'none' },
  };
}
