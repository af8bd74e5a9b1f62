// One run on the page: what recorded and live runs have in common. Players give it frames; it draws them and shows numbers.
import { Charts } from './charts.ts';
import { Controls } from './controls.ts';
import { element, icon } from './dom.ts';
import type { Frame } from './frames.ts';
import { niceBelow } from './format.ts';
import type { Header } from './header.ts';
import { Help } from './help.ts';
import { Legend } from './legend.ts';
import { Panel } from './panel.ts';
import { Pointer, type Pull } from './picking.ts';
import { followSelection, nothing, type Selection } from './selection.ts';
import { Shell } from './shell.ts';
import type { Themes } from './theme.ts';
import { SceneView, type Display } from './view.ts';

const icons = {
  fit: icon('M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5'),
  follow: icon('M12 3v4M12 17v4M3 12h4M17 12h4M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6'),
  theme: icon('M12 3a9 9 0 1 0 0 18z M12 3a9 9 0 0 1 0 18'),
  help: icon('M9 9a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 2.2M12 17.5v.5'),
};

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
  private readonly pointer: Pointer | null = null;
  private readonly followButton: HTMLButtonElement;
  private seriesIndex = 0;

  constructor(readonly header: Header, samples: Frame[], private readonly themes: Themes, scrub: (time: number) => void, pull: Pull | null) {
    const busy = samples.some((frame) => frame.contacts.count > 3000);
    this.shell = new Shell(header.title, subtitle(header));
    this.display = {
      mode: 'body', points: !busy, normals: false, cones: false, forces: !busy, links: true,
      edges: header.dimension === 2 && header.shapes.length < 5000, forceFactor: 1,
    };
    this.help = new Help(header.dimension === 2, header.live);
    this.controls = new Controls(this.display, header.joints.length + header.springs.length > 0, () => this.redraw());
    this.panel = new Panel(header, (index) => this.selectContact(index));
    this.charts = new Charts(header.series, scrub);
    this.followButton = this.addTools();
    this.shell.addSection('Selection', this.panel.object);
    this.shell.addSection('Display', this.controls.object);
    this.shell.addSection('Charts', this.charts.object);
    document.body.append(this.help.object);
    this.view = this.makeView(samples);
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
      case 'f': this.view?.fit(); break;
      case 'g': this.toggleFollow(); break;
      case 'c': this.controls.nextMode(); break;
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
    shell.addTool(icons.fit, 'Fit all into view (f)', () => this.view?.fit());
    const follow = shell.addTool(icons.follow, 'Follow the selected body (g)', () => this.toggleFollow());
    follow.disabled = true;
    shell.addTool(icons.theme, 'Dark or light (t)', () => this.themes.toggle());
    shell.addTool(icons.help, 'Help (?)', () => this.help.toggle());
    return follow;
  }

  private toggleFollow(): void {
    if (!this.view || this.selection.kind !== 'body') return;
    this.view.follow(this.view.following >= 0 ? -1 : this.selection.body);
    this.followButton.classList.toggle('on', this.view.following >= 0);
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
      symbols: this.display.links ? this.view.symbols.roles : new Set(),
      theme: this.themes.current,
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

function subtitle(header: Header): string {
  const bodies = `${header.bodies.length.toLocaleString('en')} ${header.bodies.length === 1 ? 'body' : 'bodies'}`;
  return [header.scene === header.title ? '' : header.scene, bodies, header.live ? 'live' : header.status].filter((part) => part).join(' · ');
}
