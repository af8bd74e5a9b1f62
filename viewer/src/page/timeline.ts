// The time line: transport buttons, a track to scrub on, the events of the run marked on it.
import { button, element, icon, name, select } from './dom.ts';
import { number, withUnit } from '../data/format.ts';
import type { BodyInfo, RunEvent } from '../data/header.ts';
import { speeds } from '../data/playback.ts';

const icons = {
  play: icon('M8 5v14l11-7z'),
  pause: icon('M7 5h4v14H7zm6 0h4v14h-4z'),
  back: icon('M15 6v12l-8-6zM5 6h2v12H5z'),
  forward: icon('M9 6v12l8-6zm8 0h2v12h-2z'),
  loop: icon('M7 7h9a4 4 0 0 1 4 4v1h-2v-1a2 2 0 0 0-2-2H7v3L2.5 8 7 4zm10 10H8a4 4 0 0 1-4-4v-1h2v1a2 2 0 0 0 2 2h9v-3l4.5 4-4.5 4z'),
  start: icon('M6 5h2v14H6zm13 0v14l-10-7z'),
};

const eventColours: Record<string, string> = {
  collision: '#d55e00', stick: '#0072b2', slip: '#e69f00', 'take-off': '#56b4e9', turn: '#009e73', storm: '#cc79a7',
  edge: '#f0e442', jump: '#b3401a',
};

export interface Transport {
  toggle(): void;
  step(by: number): void;
  start(): void;
  scrub(time: number): void;
  setSpeed(speed: number): void;
  setLoop(on: boolean): void;
}

export class Timeline {
  readonly object = element('footer', { class: 'timeline' });
  private readonly playButton: HTMLButtonElement;
  private readonly track = element('div', { class: 'track', role: 'slider', tabindex: '0', 'aria-label': 'Time' });
  private readonly marks = element('canvas');
  private readonly head = element('div', { class: 'head' });
  private readonly done = element('div', { class: 'done' });
  private readonly tip = element('div', { class: 'tip', hidden: '' });
  private readonly clock = element('output', { class: 'clock' });
  private readonly speed: HTMLSelectElement;
  private readonly loopButton: HTMLButtonElement;

  constructor(
    private readonly transport: Transport,
    private readonly bodies: BodyInfo[],
    private events: RunEvent[],
    private begin: number,
    private end: number,
    speed: number,
  ) {
    this.playButton = button(icons.play, 'Play (space)', () => transport.toggle());
    this.playButton.className = 'primary';
    const options = speeds.map((s): [string, string] => [`${s}`, `×${s}`]);
    this.speed = select('Speed: simulated seconds per second', options, `${speed}`, (value) => transport.setSpeed(Number(value)));
    this.loopButton = button(icons.loop, 'Play over and over (l)', () => this.toggleLoop());
    this.loopButton.classList.add('on');
    this.track.append(this.done, this.marks, this.head, this.tip);
    this.object.append(
      element('div', { class: 'buttons' },
        button(icons.start, 'To the start (Home)', () => transport.start()),
        button(icons.back, 'One frame back (←)', () => transport.step(-1)),
        this.playButton,
        button(icons.forward, 'One frame on (→)', () => transport.step(1)),
        this.loopButton,
        this.speed),
      this.track, this.clock);
    this.listen();
    new ResizeObserver(() => this.drawMarks()).observe(this.track);
  }

  show(time: number, index: number, count: number, playing: boolean): void {
    const share = this.end > this.begin ? (time - this.begin) / (this.end - this.begin) : 0;
    this.head.style.left = this.done.style.width = `${100 * Math.min(Math.max(share, 0), 1)}%`;
    this.clock.innerHTML = `<b>${time.toFixed(this.decimals)}</b> s <span><i>frame </i>${index} of ${Math.max(count - 1, 0)}</span>`;
    this.track.setAttribute('aria-valuenow', number(time));
    this.track.setAttribute('aria-valuetext', `${number(time)} seconds`);
    this.playButton.innerHTML = playing ? icons.pause : icons.play;
    name(this.playButton, playing ? 'Pause (space)' : 'Play (space)');
  }

  toggleLoop(): void {
    this.transport.setLoop(this.loopButton.classList.toggle('on'));
  }

  grow(events: RunEvent[], end: number): void {
    this.events = events;
    this.end = end;
    this.drawMarks();
  }

  private get decimals(): number {
    const duration = this.end - this.begin;
    return duration > 0 ? Math.min(Math.max(3 - Math.floor(Math.log10(duration)), 0), 8) : 3;
  }

  private listen(): void {
    const scrub = (event: PointerEvent): void => {
      const box = this.track.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      this.transport.scrub(this.begin + share * (this.end - this.begin));
    };
    this.track.addEventListener('pointerdown', (event) => {
      this.track.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.track.addEventListener('pointermove', (event) => {
      if (this.track.hasPointerCapture(event.pointerId)) scrub(event);
      this.showTip(event);
    });
    this.track.addEventListener('pointerleave', () => (this.tip.hidden = true));
  }

  private drawMarks(): void {
    const { clientWidth: width, clientHeight: height } = this.track;
    const scale = window.devicePixelRatio;
    this.marks.width = width * scale;
    this.marks.height = height * scale;
    const pen = this.marks.getContext('2d');
    if (!pen || !(this.end > this.begin)) return;
    pen.scale(scale, scale);
    for (const event of this.events) {
      const x = ((event.time - this.begin) / (this.end - this.begin)) * width;
      pen.fillStyle = eventColours[event.kind] ?? '#8c8c8c';
      pen.fillRect(Math.round(x) - 1, 0, 2, 9);
    }
  }

  private showTip(event: PointerEvent): void {
    const box = this.track.getBoundingClientRect();
    const place = (time: number): number => ((time - this.begin) / (this.end - this.begin)) * box.width;
    const near = this.events
      .map((e) => ({ event: e, distance: Math.abs(place(e.time) - (event.clientX - box.left)) }))
      .filter(({ distance }) => distance < 6)
      .sort((a, b) => a.distance - b.distance);
    this.tip.hidden = near.length === 0;
    if (!near[0]) return;
    const more = near.length > 1 ? ` (and ${near.length - 1} more here)` : '';
    this.tip.textContent = describeEvent(near[0].event, this.bodies) + more;
    this.tip.style.left = `${Math.min(Math.max(place(near[0].event.time), 110), box.width - 110)}px`;
  }
}

export function describeEvent(event: RunEvent, bodies: BodyInfo[]): string {
  const names = event.bodies.filter((b) => b >= 0).map((b) => bodies[b]?.name ?? `${b}`);
  const parts = [`${event.kind} at ${withUnit(event.time, 's')}`];
  if (names.length) parts.push(names.join(' and '));
  if (event.speed) parts.push(withUnit(Math.abs(event.speed), 'm/s'));
  if (event.impulse) parts.push(withUnit(event.impulse, 'N s'));
  return parts.join(', ');
}
