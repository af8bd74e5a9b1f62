// The play head over the recorded frames: playing, speed, stepping. Frames are shown as they were recorded, never in between.

const pause = 0.8; // s at the end

export class Playback {
  playing = false;
  loop = true; // from the end to the start again, after a moment
  speed = 1; // simulated seconds a second
  time = 0;
  index = 0;
  private lastTick = 0;
  private rest = 0; // s at the end, before it starts again

  constructor(private times: number[]) {
    this.speed = defaultSpeed(this.duration);
    this.time = times[0] ?? 0;
  }

  get duration(): number {
    return this.times.length ? this.times[this.times.length - 1] - this.times[0] : 0;
  }

  get count(): number {
    return this.times.length;
  }

  timeOf(index: number): number {
    return this.times[index] ?? 0;
  }

  grow(times: number[]): void {
    this.times = times;
  }

  /** The last frame that is not after a time. */
  indexAt(time: number): number {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  scrub(time: number): void {
    this.index = this.indexAt(time);
    this.time = Math.min(Math.max(time, this.times[0] ?? 0), this.times[this.times.length - 1] ?? 0);
  }

  goTo(index: number): void {
    this.index = Math.min(Math.max(Math.round(index), 0), Math.max(this.times.length - 1, 0));
    this.time = this.timeOf(this.index);
  }

  toggle(): void {
    this.playing = !this.playing && this.count > 1;
    if (this.playing && this.index >= this.count - 1) this.goTo(0);
    this.lastTick = performance.now();
  }

  /** Advance by the wall clock; `waiting` holds it while the frame to show is still on its way. */
  tick(now: number, waiting: boolean): boolean {
    const elapsed = Math.min(Math.max(now - this.lastTick, 0) / 1000, 1); // a frame may have begun before somebody pressed play
    this.lastTick = now;
    if (!this.playing || waiting) return false;
    const end = this.times[this.times.length - 1];
    if (this.time >= end) return this.turn(elapsed);
    this.time = Math.min(this.time + elapsed * this.speed, end);
    this.index = this.indexAt(this.time);
    return true;
  }

  private turn(elapsed: number): boolean {
    this.rest += elapsed;
    this.playing = this.loop;
    if (this.loop && this.rest < pause) return false;
    this.rest = 0;
    if (this.loop) this.goTo(0);
    return true;
  }
}

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];

// Real time, unless that would be over in a moment or take very long.
function defaultSpeed(duration: number): number {
  if (duration >= 1.5 && duration <= 90) return 1;
  const wanted = duration / (duration < 1.5 ? 4 : 30);
  return speeds.reduce((best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best), 1);
}
