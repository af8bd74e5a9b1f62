// What is drawn, and in which colours: the controls of it.
import { colourModeNames, colourModes, type ColourMode } from '../draw/colouring.ts';
import { checkbox, element, select, slider } from './dom.ts';
import type { Cut, Display } from '../draw/view.ts';

type Switch = 'points' | 'normals' | 'cones' | 'forces' | 'chains' | 'thrust' | 'links' | 'edges' | 'through';

const switches: [Switch, string][] = [
  ['forces', 'contact forces'],
  ['chains', 'force chains'],
  ['points', 'contact points'],
  ['thrust', 'thrust lines'],
  ['normals', 'normals'],
  ['cones', 'friction cones'],
  ['links', 'joints and springs'],
  ['edges', 'edges'],
  ['through', 'see through bodies'],
];

export class Controls {
  readonly object = element('div', { class: 'controls' });
  private readonly mode: HTMLSelectElement;
  private readonly boxes = new Map<Switch, HTMLInputElement>();

  constructor(private readonly display: Display, planar: boolean, hasLinks: boolean, private readonly onChange: () => void) {
    this.mode = select('Colour by', colourModes.map((mode) => [mode, colourModeNames[mode]]), display.mode, (value) => {
      display.mode = value as ColourMode;
      onChange();
    });
    this.object.append(element('label', { class: 'field' }, 'colour by', this.mode));
    const grid = element('div', { class: 'switches' });
    for (const [key, label] of switches) {
      if (key === 'links' && !hasLinks) continue;
      const box = checkbox(label, display[key], (on) => this.set(key, on));
      this.boxes.set(key, box.querySelector('input')!);
      grid.append(box);
    }
    const scale = slider('Length of force arrows', [-2, 2, 0.05], 0, (value) => {
      display.forceFactor = 10 ** value;
      onChange();
    });
    this.object.append(grid, element('label', { class: 'field' }, 'arrow length', scale), this.cutField(planar));
  }

  toggle(key: Switch): void {
    this.set(key, !this.display[key]);
  }

  // Chains lie inside the bodies: with them bodies are seen through.
  private set(key: Switch, on: boolean): void {
    this.display[key] = on;
    if (key === 'chains') this.display.through = on;
    for (const [name, box] of this.boxes) box.checked = this.display[name];
    this.onChange();
  }

  private cutField(planar: boolean): HTMLElement {
    const { cut } = this.display;
    const where = slider('Place of the cut', [0, 1, 0.01], cut.share, (value) => {
      cut.share = value;
      this.onChange();
    });
    where.disabled = true;
    const axes: [string, string][] = [['', 'no cut'], ['x', 'cut across x'], ['y', 'cut across y'], ...(planar ? [] : [['z', 'cut across z'] as [string, string]])];
    const axis = select('Cut', axes, cut.axis, (value) => {
      cut.axis = value as Cut['axis'];
      where.disabled = value === '';
      this.onChange();
    });
    return element('div', { class: 'field' }, axis, where);
  }

  nextMode(): void {
    this.setMode(colourModes[(colourModes.indexOf(this.display.mode) + 1) % colourModes.length]);
  }

  setMode(mode: ColourMode): void {
    this.display.mode = mode;
    this.mode.value = mode;
    this.onChange();
  }
}
