// One frame: the state of every body and the contacts of a step, as views into the bytes that came from the tool.
// Layout, little-endian: magic, length, index, bodies, contacts, flags (u32 each), time (f64); then for all bodies position
// (3 f32), orientation (4 f32: w, x, y, z), velocity (3 f32); then 16 words for each contact.

const magic = 0x4d465243; // "CRFM"
const headBytes = 32;
const bodyBytes = 40;
const contactWords = 16;

export const ContactState = { unknown: 0, stick: 1, slip: 2, separating: 3 } as const;
export const contactStateNames = ['unknown', 'stick', 'slip', 'separating'] as const;

export interface Contact {
  a: number;
  b: number;
  point: [number, number, number];
  normal: [number, number, number]; // from b to a
  force: [number, number, number]; // N, world, on a
  gap: number;
  mu: number;
  slip: number; // m/s; NaN: unknown
  state: number;
  residual: number; // NaN: unknown
}

export class ContactTable {
  readonly count: number;
  readonly reals: Float32Array;
  readonly words: Int32Array;

  constructor(buffer: ArrayBuffer, offset: number, count: number) {
    this.count = count;
    this.reals = new Float32Array(buffer, offset, count * contactWords);
    this.words = new Int32Array(buffer, offset, count * contactWords);
  }

  get(index: number): Contact {
    const o = index * contactWords;
    const r = this.reals;
    return {
      a: this.words[o],
      b: this.words[o + 1],
      point: [r[o + 2], r[o + 3], r[o + 4]],
      normal: [r[o + 5], r[o + 6], r[o + 7]],
      force: [r[o + 8], r[o + 9], r[o + 10]],
      gap: r[o + 11],
      mu: r[o + 12],
      slip: r[o + 13],
      state: this.words[o + 14],
      residual: r[o + 15],
    };
  }

  bodyA(index: number): number {
    return this.words[index * contactWords];
  }

  bodyB(index: number): number {
    return this.words[index * contactWords + 1];
  }

  state(index: number): number {
    return this.words[index * contactWords + 14];
  }

  slip(index: number): number {
    return this.reals[index * contactWords + 13];
  }

  residual(index: number): number {
    return this.reals[index * contactWords + 15];
  }

  forceSize(index: number): number {
    const o = index * contactWords + 8;
    return Math.hypot(this.reals[o], this.reals[o + 1], this.reals[o + 2]);
  }
}

export interface Frame {
  index: number;
  time: number;
  bodyCount: number;
  bytes: number;
  position: Float32Array;
  orientation: Float32Array;
  velocity: Float32Array;
  contacts: ContactTable;
}

/** The frame that starts at `offset`; throws a sentence where the bytes are not one. */
export function readFrame(buffer: ArrayBuffer, offset: number): Frame {
  const left = buffer.byteLength - offset;
  if (left < headBytes) throw new Error('The data end in the middle of a frame.');
  const view = new DataView(buffer, offset);
  if (view.getUint32(0, true) !== magic) throw new Error('The data of a frame are damaged: it does not begin as one.');
  const bytes = view.getUint32(4, true);
  const bodyCount = view.getUint32(12, true);
  const contactCount = view.getUint32(16, true);
  if (bytes !== headBytes + bodyCount * bodyBytes + contactCount * contactWords * 4)
    throw new Error('The data of a frame are damaged: its length does not fit what it holds.');
  if (bytes > left) throw new Error('The data end in the middle of a frame.');
  let at = offset + headBytes;
  const take = (width: number): Float32Array => {
    const array = new Float32Array(buffer, at, bodyCount * width);
    at += bodyCount * width * 4;
    return array;
  };
  return {
    index: view.getUint32(8, true),
    time: view.getFloat64(24, true),
    bodyCount,
    bytes,
    position: take(3),
    orientation: take(4),
    velocity: take(3),
    contacts: new ContactTable(buffer, at, contactCount),
  };
}

export interface FrameRun {
  frames: Frame[];
  problem: string | null; // a sentence when the bytes end early or are damaged; the frames before are good
}

/** All frames of some bytes, as far as they are good. */
export function readFrames(buffer: ArrayBuffer): FrameRun {
  const frames: Frame[] = [];
  let offset = 0;
  while (offset < buffer.byteLength) {
    try {
      const frame = readFrame(buffer, offset);
      frames.push(frame);
      offset += frame.bytes;
    } catch (error) {
      return { frames, problem: (error as Error).message };
    }
  }
  return { frames, problem: null };
}
