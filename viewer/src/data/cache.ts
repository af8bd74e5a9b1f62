// Frames near the play head, in chunks of a few megabytes. The least recently used chunks go first, so that a run of any
// length fits in a bounded memory.
import { readFrames, type Frame } from './frames.ts';
import type { Source } from './source.ts';

const budget = 96 * 1024 * 1024;
const chunkTarget = 2 * 1024 * 1024;
const mostInFlight = 2;

interface Chunk {
  from: number;
  frames: Frame[];
  bytes: number;
}

export class FrameCache {
  bytes = 0;
  private chunks = new Map<number, Chunk>(); // in order of use
  private loading = new Map<number, Promise<void>>();
  private readonly chunkFrames: number;

  /** `onLoad` is called when frames arrived, `onProblem` with a sentence when they are not what they should be. */
  constructor(
    private readonly source: Source,
    private count: number,
    frameBytes: number,
    private readonly onLoad: () => void,
    private readonly onProblem: (sentence: string) => void,
  ) {
    this.chunkFrames = Math.max(1, Math.min(512, Math.floor(chunkTarget / Math.max(frameBytes, 1))));
  }

  /** The run has grown. */
  grow(count: number): void {
    const partial = Math.floor(this.count / this.chunkFrames);
    this.count = count;
    this.drop(partial);
  }

  get(index: number): Frame | null {
    const key = Math.floor(index / this.chunkFrames);
    const chunk = this.chunks.get(key);
    if (!chunk) return null;
    this.chunks.delete(key);
    this.chunks.set(key, chunk);
    return chunk.frames[index - chunk.from] ?? null;
  }

  /** Ask for the frame and, when `ahead` is not zero, for what comes next in that direction. */
  want(index: number, ahead: number): void {
    const key = Math.floor(index / this.chunkFrames);
    this.load(key);
    if (ahead !== 0) for (let i = 1; i <= mostInFlight; ++i) this.load(key + Math.sign(ahead) * i);
  }

  async fetch(index: number): Promise<Frame | null> {
    const key = Math.floor(index / this.chunkFrames);
    while (!this.chunks.has(key) && this.loading.size >= mostInFlight) await Promise.race(this.loading.values());
    this.load(key);
    await this.loading.get(key);
    return this.get(index);
  }

  private load(key: number): void {
    const from = key * this.chunkFrames;
    if (key < 0 || from >= this.count || this.chunks.has(key) || this.loading.has(key)) return;
    if (this.loading.size >= mostInFlight) return;
    const request = this.read(key, from).finally(() => {
      this.loading.delete(key);
      this.onLoad();
    });
    this.loading.set(key, request);
  }

  private async read(key: number, from: number): Promise<void> {
    const wanted = Math.min(this.chunkFrames, this.count - from);
    const frames: Frame[] = [];
    try {
      while (frames.length < wanted) {
        const part = readFrames(await this.source.frames(from + frames.length, wanted - frames.length));
        frames.push(...part.frames);
        if (part.problem) this.onProblem(`Frame ${from + frames.length}: ${part.problem}`);
        if (part.problem || part.frames.length === 0) break;
      }
      if (frames.length < wanted && frames.length === 0) this.onProblem(`There are no data for frame ${from}.`);
    } catch (error) {
      this.onProblem((error as Error).message);
    }
    this.keep(key, { from, frames, bytes: frames.reduce((sum, frame) => sum + frame.bytes, 0) });
  }

  private keep(key: number, chunk: Chunk): void {
    this.chunks.set(key, chunk);
    this.bytes += chunk.bytes;
    for (const old of this.chunks.keys()) {
      if (this.bytes <= budget || old === key) break;
      this.drop(old);
    }
  }

  private drop(key: number): void {
    const chunk = this.chunks.get(key);
    if (!chunk) return;
    this.chunks.delete(key);
    this.bytes -= chunk.bytes;
  }
}
