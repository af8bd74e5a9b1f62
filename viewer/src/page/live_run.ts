// A live simulation: its frames as they come, and the controls that act on it.
import { App } from './app.ts';
import { button, element, icon, select, slider } from './dom.ts';
import { Drives } from './drives.ts';
import { number, withUnit } from '../data/format.ts';
import type { Frame } from '../data/frames.ts';
import type { Header } from '../data/header.ts';
import { isForPage } from './keys.ts';
import type { Source } from '../data/source.ts';
import { Live, type LiveCommand, type LiveState } from '../data/live.ts';
import { Memory } from './share.ts';
import type { Themes } from '../draw/theme.ts';

const mostPoints = 20000; // of each series, before the oldest half is forgotten
const chartPause = 120; // ms between redrawings of the charts

export class LiveRun {
  readonly app: App;
  readonly live: Live;
  state: LiveState | null = null;
  private pending: Frame | null = null;
  private readonly playButton: HTMLButtonElement;
  private readonly clock = element('output', { class: 'clock' });
  private lastChart = 0;
  private gravityChosen = false;
  private renewing = false;
  private readonly memory = new Memory();
  private readonly drives: Drives;

  constructor(private readonly header: Header, first: Frame, socket: (run: LiveRun) => Live, themes: Themes,
    private readonly refresh: () => Promise<Header | null>) {
    const send = (command: LiveCommand): void => this.live.send(command);
    this.app = new App(header, [first], themes, () => undefined, {
      grab: (body, point, target) => send({ type: 'grab', body, point, target }),
      drag: (target) => send({ type: 'drag', target }),
      release: () => send({ type: 'release' }),
    });
    this.playButton = button('', 'Pause or go on (space)', () => this.toggle());
    this.playButton.className = 'primary';
    this.addFoot();
    this.drives = new Drives(header, (joint, coordinate, value) => send({ type: 'drive', joint, coordinate, value }));
    if (this.drives.count > 0) this.app.shell.side.prepend(this.drives.object);
    this.addControls(send);
    this.live = socket(this);
    this.app.addShare(async () => ({ header: this.memory.header(this.header), chunks: this.memory.chunks() }));
    document.addEventListener('keydown', (event) => this.key(event));
    requestAnimationFrame(() => this.loop());
    this.onFrame(first);
    this.showState();
  }

  onFrame(frame: Frame): void {
    // Frames that come faster than the screen is drawn replace each other.
    this.memory.add(frame);
    if (this.pending) this.live.acknowledge(this.pending);
    this.pending = frame;
  }

  onState(state: LiveState): void {
    if (state.error && state.error !== this.state?.error) this.app.shell.notice(state.error, 'problem');
    this.state = state;
    if (state.bodies !== undefined && state.bodies !== this.header.bodies.length) void this.renew();
    this.drives.showLog(state.logged ?? 0, state.log);
    this.showState();
  }

  onSeries(names: string[], values: (number | null)[], joints: (number | null)[][]): void {
    this.app.panel.jointStates = joints;
    this.drives.show(joints);
    const time = this.header.series.find((series) => series.name === 'time');
    const now = values[names.indexOf('time')] ?? null;
    const last = time?.values[time.values.length - 1];
    const restarted = now !== null && last !== undefined && last !== null && now < last;
    if (restarted) this.drives.free();
    for (const series of this.header.series) {
      if (restarted) series.values.length = 0;
      if (series.values.length >= mostPoints) series.values.splice(0, mostPoints / 2);
      series.values.push(values[names.indexOf(series.name)] ?? null);
    }
  }

  onProblem(sentence: string): void {
    this.app.shell.notice(sentence, 'problem');
  }

  onClosed(): void {
    this.app.shell.notice('The connection to the tool is lost; the last state stays on the page. Start cairn view again.', 'problem');
    this.clock.classList.add('lost');
  }

  toggle(): void {
    this.live.send({ type: this.state?.playing ? 'pause' : 'play' });
  }

  /** Throw a ball at the pointer, or drop a box there. */
  toss(kind: 'ball' | 'box'): void {
    const { view, pointer } = this.app;
    if (view && pointer) this.live.send({ type: kind, ...view.toss(kind, pointer.at) });
  }

  private async renew(): Promise<void> {
    if (this.renewing) return;
    this.renewing = true;
    const header = await this.refresh().catch(() => null);
    this.renewing = false;
    if (header && header.bodies.length !== this.header.bodies.length) this.app.renewBodies(header);
  }

  private addFoot(): void {
    const speed = select('Speed: simulated seconds per second', [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].map((s): [string, string] => [`${s}`, `×${s}`]), '1',
      (value) => this.live.send({ type: 'speed', value: Number(value) }));
    this.app.shell.foot.append(element('footer', { class: 'timeline live' },
      element('div', { class: 'buttons' },
        button(icon('M6 5h2v14H6zm13 0v14l-10-7z'), 'Back to the start (Home)', () => this.live.send({ type: 'reset' })),
        this.playButton,
        button(icon('M9 6v12l8-6zm8 0h2v12h-2z'), 'One step (→)', () => this.live.send({ type: 'step' })),
        speed),
      this.clock));
  }

  private addControls(send: (command: LiveCommand) => void): void {
    const g = this.header.gravity;
    const vertical = this.header.dimension === 2 ? 1 : 2;
    const direction = Math.hypot(...g) > 0 ? g.map((x) => x / Math.hypot(...g)) : [0, 0, 0].map((_, i) => (i === vertical ? -1 : 0));
    const gravityText = element('b', {}, withUnit(Math.hypot(...g), 'm/s²'));
    const strength = slider('Gravity', [-20, 20, 0.1], Math.hypot(...g), (value) => {
      this.gravityChosen = true;
      gravityText.textContent = withUnit(value, 'm/s²');
      send({ type: 'gravity', value: direction.map((x) => x * value) });
    });
    const mu = this.header.friction?.default ?? 0.5;
    const muText = element('b', {}, this.header.friction?.default === undefined ? 'as in the scene' : number(mu));
    const friction = slider('Friction', [0, 1.5, 0.01], mu, (value) => {
      muText.textContent = number(value);
      send({ type: 'friction', value });
    });
    this.app.shell.side.prepend(element('details', { open: '' }, element('summary', {}, 'Live'),
      element('label', { class: 'field' }, 'gravity', strength, gravityText),
      element('label', { class: 'field' }, 'friction μ', friction, muText),
      element('div', { class: 'tosses' },
        button('throw a ball', 'Throw a ball at the pointer (b)', () => this.toss('ball')),
        button('add a box', 'Drop a box at the pointer (v)', () => this.toss('box')))));
  }

  private showState(): void {
    const state = this.state;
    this.playButton.innerHTML = state?.playing ? icon('M7 5h4v14H7zm6 0h4v14h-4z') : icon('M8 5v14l11-7z');
    if (!state) return;
    const wall = state.wall_per_step > 0 ? `, ${Number((state.wall_per_step * 1000).toPrecision(2))} ms per step` : '';
    this.clock.innerHTML = `<b>${state.time.toFixed(3)}</b> s <span>step ${state.step}${wall}</span>`;
    if (!this.gravityChosen) this.header.gravity = state.gravity ?? this.header.gravity;
  }

  private loop(): void {
    const frame = this.pending;
    this.pending = null;
    if (frame) {
      this.app.show(frame, this.header.series[0] ? this.header.series[0].values.length - 1 : 0);
      this.live.acknowledge(frame);
    }
    const now = performance.now();
    if (frame && now - this.lastChart > chartPause) {
      this.lastChart = now;
      this.app.charts.refresh();
    }
    this.app.view?.draw(now);
    requestAnimationFrame(() => this.loop());
  }

  private key(event: KeyboardEvent): void {
    if (!isForPage(event)) return;
    switch (event.key) {
      case ' ': this.toggle(); break;
      case 'ArrowRight': this.live.send({ type: 'step' }); break;
      case 'Home': this.live.send({ type: 'reset' }); break;
      case 'b': this.toss('ball'); break;
      case 'v': this.toss('box'); break;
      default: if (!this.app.key(event.key)) return;
    }
    event.preventDefault();
  }
}

/** Connect, and make the page when the first frame is there. */
export function startLive(source: Source, header: Header, path: string, themes: Themes, onReady: (run: LiveRun) => void, onFailure: (sentence: string) => void): void {
  let run: LiveRun | null = null;
  let early: LiveState | null = null; // told before the first frame
  const live: Live = new Live(path, {
    onFrame: (frame) => {
      if (run) run.onFrame(frame);
      else onReady((run = new LiveRun({ ...header, live: true }, frame, () => live, themes, () => source.refresh())));
      if (early) run.onState(early);
      early = null;
    },
    onState: (state) => (run ? run.onState(state) : (early = state)),
    onSeries: (names, values, joints) => run?.onSeries(names, values, joints),
    onProblem: (sentence) => (run ? run.onProblem(sentence) : onFailure(sentence)),
    onClosed: () => (run ? run.onClosed() : onFailure('The tool that serves this page does not answer; start cairn view again.')),
  });
}
