// One run on the page: what recorded and live runs have in common. Players give it frames; it draws them and shows numbers.
import { Charts } from './charts.ts';
import { Controls } from './controls.ts';
import { button, element, icon } from './dom.ts';
import type { Frame } from '../data/frames.ts';
import { niceBelow } from '../data/format.ts';
import type { Header } from '../data/header.ts';
import { Help } from './help.ts';
import { Legend } from './legend.ts';
import { Panel } from './panel.ts';
import { Pointer, type Pull } from '../draw/picking.ts';
import { followSelection, nothing, type Selection } from './selection.ts';
import { ownText, save, writePage } from './share.ts';
import { Shell } from './shell.ts';
import type { Themes } from '../draw/theme.ts';
import { SceneView, type Display } from '../draw/view.ts';
import { Look } from '../draw/looks.ts';
import { applyOpening, opening } from './opening.ts';

const icons = {
  fit: icon('M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5'),
  follow: icon('M12 3v4M12 17v4M3 12h4M17 12h4M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6'),
  theme: icon('M12 3a9 9 0 1 0 0 18z M12 3a9 9 0 0 1 0 18'),
  share: icon('M12 3v12M8 7l4-4 4 4M5 12v8h14v-8'),
  help: icon('M9 9a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 2.2M12 17.5v.5'),
};

const mostArrows = 150; // contacts: more arrows than that hide what they tell of;
const mostBodies = 40; // live, nobody knows how many contacts will come

export class App {
  readonly shell: Shell;
  readonly display: Display;
  readonly controls: Controls;
  readonly charts: Charts;
  readonly view: SceneView | null;
  selection: Selection = nothing;
  frame: Frame | null = null;
  private readonly legend = new Legend();
  readonly panel: Panel;
  private readonly help: Help;
  readonly pointer: Pointer | null = null;
  private readonly followButton: HTMLButtonElement;
  private seriesIndex = 0;
  private readonly shownAgain = textButton('show all bodies again', 'Bodies as they were at first', () => this.showAll());

  constructor(readonly header: Header, samples: Frame[], private readonly themes: Themes, scrub: (time: number) => void, pull: Pull | null) {
    const busy = (header.live && header.bodies.length > mostBodies) || samples.some((frame) => frame.contacts.count > mostArrows);
    this.shell = new Shell(header.title, subtitle(header));
    this.display = {
      mode: 'body', points: false, normals: false, cones: false, forces: !busy, chains: false, thrust: false, links: true,
      edges: header.dimension === 2 && header.shapes.length < 5000, through: false, cut: { axis: '', share: 0.5 }, forceFactor: 1,
    };
    if (header.forces) Object.assign(this.display, { chains: true, through: true });
    const how = opening();
    applyOpening(how, this.display);
    document.documentElement.classList.toggle('bare', how.bare);
    this.help = new Help(header.dimension === 2, header.live);
    this.shownAgain.hidden = true;
    this.controls = new Controls(this.display, header.dimension === 2, header.joints.length + header.springs.length > 0, () => this.redraw());
    this.panel = new Panel(header, (index) => this.selectContact(index), (body) => this.lookButtons(body));
    this.charts = new Charts(header.series, scrub);
    this.followButton = this.addTools();
    this.shell.addSection('Selection', this.panel.object);
    this.shell.addSection('Display', this.controls.object, this.shownAgain);
    this.shell.addSection('Charts', this.charts.object);
    document.body.append(this.help.object);
    this.view = this.makeView(samples);
    if (this.view) this.view.onPace = () => this.showLegend();
    if (this.view)
      this.pointer = new Pointer(this.view, (body) => header.bodies[body]?.kind === 'dynamic', pull, (hit) => this.choose(hit),
        (joint) => this.panel.jointSentence(joint, this.frame));
    themes.onChange((theme) => {
      this.view?.setTheme(theme);
      this.charts.redraw();
      this.redraw();
    });
    if (header.note) this.shell.notice(header.note);
    this.panel.show(this.selection, null);
  }

  /** A button that saves the run as a page, from its header and frames. */
  addShare(data: () => Promise<{ header: Header; chunks: AsyncIterable<ArrayBuffer> }>): void {
    this.shell.addTool(icons.share, 'Save as a page that works everywhere', () => {
      this.share(data).catch((error: unknown) => this.shell.notice((error as Error).message, 'problem'));
    });
  }

  private async share(data: () => Promise<{ header: Header; chunks: AsyncIterable<ArrayBuffer> }>): Promise<void> {
    const { header, chunks } = await data();
    save(await writePage(await ownText(), header, chunks), `${header.scene.replace(/.*\//, '') || 'run'}.html`);
  }

  /** Show a frame; `seriesIndex` is its row in the series. */
  show(frame: Frame, seriesIndex: number): void {
    this.frame = frame;
    this.seriesIndex = seriesIndex;
    this.selection = followSelection(this.selection, frame);
    this.view?.show(frame, this.display, this.selection);
    this.pointer?.refresh();
    this.panel.row = seriesIndex;
    this.panel.show(this.selection, frame);
    this.charts.showTime(frame.time, seriesIndex);
    this.showLegend();
  }

  /** Users put bodies in, or they are gone. */
  renewBodies({ bodies, shapes }: Header): void {
    Object.assign(this.header, { bodies, shapes });
    if (this.selection.kind === 'body' && this.selection.body >= bodies.length) this.select(nothing);
    this.view?.renewBodies(this.themes.current);
    this.redraw();
  }

  redraw(): void {
    if (this.frame) this.show(this.frame, this.seriesIndex);
  }

  select(selection: Selection): void {
    this.selection = selection;
    if (selection.kind !== 'body' && this.view) this.view.follow(-1);
    this.redraw();
    this.followButton.toggleAttribute('disabled', selection.kind !== 'body');
    this.followButton.classList.toggle('on', (this.view?.following ?? -1) >= 0);
  }

  /** Keys that mean the same for recorded and live runs; says whether it was one. */
  key(key: string): boolean {
    switch (key) {
      case 'f': this.fit(); break;
      case 'g': this.toggleFollow(); break;
      case 'c': this.controls.nextMode(); break;
      case 'x': this.controls.toggle('through'); break;
      case 'h': if (this.selection.kind === 'body') this.setLook(this.selection.body, Look.hidden); break;
      case 't': this.themes.toggle(); break;
      case '?': this.help.toggle(); break;
      case 'Escape': this.select(nothing); break;
      default: return false;
    }
    return true;
  }

  private makeView(samples: Frame[]): SceneView | null {
    this.shell.viewport.append(this.legend.object);
    try {
      return new SceneView(this.shell.viewport, this.header, samples);
    } catch (error) {
      console.info((error as Error).message);
      this.shell.viewport.append(element('p', { class: 'only' },
        'This browser cannot draw in three dimensions: WebGL is missing or turned off. Charts, time line and events work all the same.'));
      return null;
    }
  }

  private addTools(): HTMLButtonElement {
    const { shell } = this;
    shell.addTool(icons.fit, 'Fit all into view (f)', () => this.fit());
    const follow = shell.addTool(icons.follow, 'Follow the selected body (g)', () => this.toggleFollow());
    follow.disabled = true;
    shell.addTool(icons.theme, 'Dark or light (t)', () => this.themes.toggle());
    shell.addTool(icons.help, 'Help (?)', () => this.help.toggle());
    return follow;
  }

  private fit(): void {
    this.view?.fit();
    this.followButton.classList.remove('on');
  }

  private toggleFollow(): void {
    if (!this.view || this.selection.kind !== 'body') return;
    this.view.follow(this.view.following >= 0 ? -1 : this.selection.body);
    this.followButton.classList.toggle('on', this.view.following >= 0);
  }

  private lookButtons(body: number): HTMLElement {
    const look = this.view?.looks.chosen[body] ?? Look.solid;
    const through = look === Look.glass ? textButton('solid', 'Draw this body solid', () => this.setLook(body, Look.solid))
      : textButton('see through', 'See through this body', () => this.setLook(body, Look.glass));
    return element('p', { class: 'looks' }, through, textButton('hide', 'Hide this body (h)', () => this.setLook(body, Look.hidden)));
  }

  private setLook(body: number, look: Look): void {
    this.view?.looks.set(body, look);
    this.shownAgain.hidden = !this.view?.looks.changed;
    if (look === Look.hidden) this.select(nothing);
    else this.redraw();
  }

  private showAll(): void {
    this.view?.looks.reset();
    this.shownAgain.hidden = true;
    this.redraw();
  }

  private choose(hit: { body: number } | { contact: number } | { joint: number } | null): void {
    if (!hit) this.select(nothing);
    else if ('body' in hit) this.select({ kind: 'body', body: hit.body });
    else if ('joint' in hit) this.select({ kind: 'joint', joint: hit.joint });
    else this.selectContact(hit.contact);
  }

  private selectContact(index: number): void {
    const contact = this.frame?.contacts.get(index);
    if (contact) this.select({ kind: 'contact', contact, last: contact });
  }

  private showLegend(): void {
    if (!this.view || !this.frame) return;
    const anyContacts = this.display.points || this.display.forces || this.display.normals || this.display.cones;
    this.legend.show({
      mode: this.display.mode,
      ranges: this.view.ranges,
      contacts: anyContacts && this.view.ranges.force > 0,
      force: this.forceKey(),
      chains: this.display.chains ? this.view.ranges.usualForce : 0,
      symbols: this.display.links ? this.view.symbols.roles : new Set(),
      theme: this.themes.current,
      share: this.view.share,
      grid: this.view.hasGrid ? this.view.gridSpacing : 0,
      wholeStep: this.header.series.find((s) => s.name === 'certificate/relative')?.values[this.seriesIndex] ?? null,
    });
  }

  // A round number of newtons whose arrow is at most 90 pixels long.
  private forceKey(): { newtons: number; pixels: number } | null {
    const scale = this.view!.forceScale(this.display) * this.view!.pixelsPerMetre();
    if (!this.display.forces || !(scale > 0)) return null;
    const newtons = niceBelow(90 / scale);
    return { newtons, pixels: newtons * scale };
  }
}

function textButton(label: string, title: string, onClick: () => void): HTMLButtonElement {
  const node = button(label, title, onClick);
  node.className = 'link';
  return node;
}

function subtitle(header: Header): string {
  const shown = header.bodies.length < header.body_count ? `${header.bodies.length.toLocaleString('en')} of ` : '';
  const bodies = `${shown}${header.body_count.toLocaleString('en')} ${header.body_count === 1 ? 'body' : 'bodies'}`;
  return [header.scene === header.title ? '' : header.scene.replace(/.*\//, ''), bodies, header.live ? 'live' : header.status].filter((part) => part).join(' · ');
}
