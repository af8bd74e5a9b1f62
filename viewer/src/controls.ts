// What is drawn, and in which colours: the controls of it.
import { colourModeNames, colourModes, type ColourMode } from './colouring.ts';
import { checkbox, element, select, slider } from './dom.ts';
import type { Display } from './view.ts';

type Switch = 'points' | 'normals' | 'cones' | 'forces' | 'links' | 'edges';

const switches: [Switch, string][] = [
  ['points', 'contact points'],
  ['forces', 'contact forces'],
  ['normals', 'normals'],
  ['cones', 'friction cones'],
  ['links', 'joints and springs'],
  ['edges', 'edges'],
];

export class Controls {
  readonly object = element('div', { class: 'controls' });
  private readonly mode: HTMLSelectElement;

  constructor(private readonly display: Display, hasLinks: boolean, private readonly onChange: () => void) {
    this.mode = select('Colour by', colourModes.map((mode) => [mode, colourModeNames[mode]]), display.mode, (value) => {
      display.mode = value as ColourMode;
      onChange();
    });
    this.object.append(element('label', { class: 'field' }, 'colour by', this.mode));
    const grid = element('div', { class: 'switches' });
    for (const [key, label] of switches) {
      if (key === 'links' && !hasLinks) continue;
      grid.append(checkbox(label, display[key], (on) => {
        display[key] = on;
        onChange();
      }));
    }
    const scale = slider('Length of force arrows', [-2, 2, 0.05], 0, (value) => {
      display.forceFactor = 10 ** value;
      onChange();
    });
    this.object.append(grid, element('label', { class: 'field' }, 'arrow length', scale));
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
