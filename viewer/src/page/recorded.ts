// A recorded run: frames come from the source as the play head needs them.
import { App } from './app.ts';
import { FrameCache } from '../data/cache.ts';
import { readFrames, type Frame } from '../data/frames.ts';
import type { Header } from '../data/header.ts';
import { isForPage } from './keys.ts';
import { firstWithContacts, opening, wantsMotion } from './opening.ts';
import { Playback } from '../data/playback.ts';
import { ServedSource, type Source } from '../data/source.ts';
import { framesOf } from './share.ts';
import { Timeline } from './timeline.ts';
import type { Themes } from '../draw/theme.ts';

const growthPause = 2000; // ms between looks at a run that is still being written
const growthPatience = 15; // looks without news before we stop

export class RecordedRun {
  readonly app: App;
  readonly playback: Playback;
  readonly cache: FrameCache;
  private readonly timeline: Timeline;
  private shownIndex = -1;
  private waiting = false;

  constructor(private readonly source: Source, private header: Header, samples: Frame[], themes: Themes) {
    this.app = new App(header, samples, themes, (time) => this.scrub(time), null);
    header.shapes = []; // drawn by now; of 100,000 they take as much room as the frames
    if (source instanceof ServedSource) this.addShare(source, Math.max(...samples.map((frame) => frame.bytes), 1));
    const times = timesOf(header);
    this.playback = new Playback(times);
    const frameBytes = Math.max(...samples.map((frame) => frame.bytes), 1);
    this.cache = new FrameCache(source, times.length, frameBytes, () => this.update(), (sentence) => this.app.shell.notice(sentence, 'problem'));
    this.timeline = new Timeline({
      toggle: () => this.toggle(),
      step: (by) => this.step(by),
      start: () => this.goTo(0),
      scrub: (time) => this.scrub(time),
      setSpeed: (speed) => (this.playback.speed = speed),
      setLoop: (on) => (this.playback.loop = on),
    }, header.bodies, header.events, times[0] ?? 0, times[times.length - 1] ?? 0, this.playback.speed);
    this.app.shell.foot.append(this.timeline.object);
    document.addEventListener('keydown', (event) => this.key(event));
    requestAnimationFrame((now) => this.loop(now));
    if (header.status === 'running') void this.watchGrowth();
    this.open();
  }

  // A run that is still being written opens at its start, and grows.
  private open(): void {
    const { time } = opening();
    if (time !== null) return this.scrub(time);
    this.goTo(firstWithContacts(this.header));
    if (wantsMotion() && this.header.status !== 'running') this.toggle();
  }

  // The header is asked for again: the shapes of this one are gone.
  private addShare(source: ServedSource, frameBytes: number): void {
    this.app.addShare(async () => {
      const header = await source.header();
      return { header, chunks: framesOf(source, header.frame_count, frameBytes) };
    });
  }

  toggle(): void {
    this.playback.toggle();
    this.update();
  }

  step(by: number): void {
    this.playback.playing = false;
    this.goTo(this.playback.index + by);
  }

  goTo(index: number): void {
    this.playback.goTo(index);
    this.update();
  }

  scrub(time: number): void {
    this.playback.scrub(time);
    this.update();
  }

  /** Whether the frame at the play head is the one that is drawn. */
  get settled(): boolean {
    return this.shownIndex === this.playback.index;
  }

  private update(): void {
    const { playback } = this;
    this.cache.want(playback.index, playback.playing ? 1 : 0);
    const frame = this.cache.get(playback.index);
    this.waiting = frame === null;
    if (frame && this.shownIndex !== playback.index) {
      this.shownIndex = playback.index;
      this.app.show(frame, playback.index);
    }
    this.timeline.show(playback.time, playback.index, playback.count, playback.playing);
  }

  private loop(now: number): void {
    if (this.playback.tick(now, this.waiting) || this.waiting) this.update();
    this.app.view?.draw(now);
    requestAnimationFrame((next) => this.loop(next));
  }

  private key(event: KeyboardEvent): void {
    if (!isForPage(event)) return;
    const far = event.shiftKey ? 10 : 1;
    switch (event.key) {
      case ' ': this.toggle(); break;
      case 'ArrowLeft': this.step(-far); break;
      case 'ArrowRight': this.step(far); break;
      case 'Home': this.goTo(0); break;
      case 'l': this.timeline.toggleLoop(); break;
      case 'End': this.goTo(this.playback.count - 1); break;
      default: if (!this.app.key(event.key)) return;
    }
    event.preventDefault();
  }

  // A file whose writer was killed says "running" for ever: after a while without news we stop asking.
  private async watchGrowth(): Promise<void> {
    for (let quiet = 0; quiet < growthPatience; ++quiet) {
      await new Promise((resolve) => setTimeout(resolve, growthPause));
      const header = await this.source.refresh().catch(() => null);
      if (!header) return;
      if (header.frame_count > this.playback.count) {
        quiet = 0;
        this.grow(header);
      }
      if (header.status !== 'running') return;
    }
  }

  private grow(header: Header): void {
    const atEnd = this.playback.index === this.playback.count - 1;
    for (const series of this.header.series) {
      const values = header.series.find((other) => other.name === series.name)?.values ?? [];
      for (let i = series.values.length; i < values.length; ++i) series.values.push(values[i]);
    }
    const times = timesOf(this.header);
    this.cache.grow(times.length);
    this.playback.grow(times);
    this.timeline.grow(header.events, times[times.length - 1] ?? 0);
    this.app.charts.refresh();
    if (atEnd) this.goTo(times.length - 1);
    else this.update();
  }
}

function timesOf(header: Header): number[] {
  const values = header.series.find((series) => series.name === 'time')?.values ?? [];
  return Array.from({ length: values.length || header.frame_count }, (_, i) => values[i] ?? i);
}

/** Some frames of the run, to learn how large its scene, forces and speeds are. */
export async function sampleFrames(source: Source, header: Header): Promise<Frame[]> {
  const last = header.frame_count - 1;
  const samples: Frame[] = [];
  for (const share of [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1]) {
    const { frames } = readFrames(await source.frames(Math.round(share * last), 1));
    if (frames[0]) samples.push(frames[0]);
    // Of large frames two must do.
    if (share > 0 && samples.length > 1 && samples[0].bytes > 1 << 20) break;
  }
  return samples;
}
