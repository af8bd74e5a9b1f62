// The legend: what the colours and the lengths mean.
import { colourModeNames, residualLimits, type ColourMode, type Ranges } from '../draw/colouring.ts';
import { element } from './dom.ts';
import { round, withUnit } from '../data/format.ts';
import type { SymbolRole } from '../data/header.ts';
import { symbolColour, symbolNames } from '../draw/symbols.ts';
import type { Theme } from '../draw/theme.ts';
import { amountGradient, css, fixedColour, freeColour, stateColours, unknownColour } from '../draw/palette.ts';

export interface LegendContent {
  mode: ColourMode;
  ranges: Ranges;
  contacts: boolean; // whether any are drawn
  force: { newtons: number; pixels: number } | null; // an arrow of that length
  chains: number; // N, of the brightest chain; 0: none are drawn
  grid: number; // m, 0: none
  symbols: Set<SymbolRole>; // of joints, that are drawn
  theme: Theme;
  share: number; // of the grains, drawn while something moves
  wholeStep: number | null; // residual of the step, where single contacts have none
}

export class Legend {
  readonly object = element('aside', { class: 'legend', 'aria-label': 'Legend' });
  private shown = '';

  show(content: LegendContent): void {
    const rows = [...colourRows(content), ...symbolRows(content), ...scaleRows(content)];
    const html = rows.map((row) => row.outerHTML).join('');
    if (html === this.shown) return;
    this.shown = html;
    this.object.innerHTML = html;
  }
}

function swatch(colour: string, text: string): HTMLElement {
  return element('span', { class: 'swatch' }, element('i', { style: `background:${colour}` }), text);
}

function ramp(title: string, low: string, high: string): HTMLElement {
  return element('div', { class: 'ramp' }, title, element('span', {}, low, element('i', { style: `background:${amountGradient()}` }), high));
}

function colourRows({ mode, ranges, contacts, wholeStep }: LegendContent): HTMLElement[] {
  const states = element('div', {}, swatch(css(stateColours[1]), 'stick'), swatch(css(stateColours[2]), 'slip'), swatch(css(stateColours[3]), 'separating'));
  switch (mode) {
    case 'body':
      return contacts ? [states] : [];
    case 'state':
      states.append(swatch(css(freeColour), 'free'), swatch(css(fixedColour), 'fixed'));
      return [states];
    case 'speed':
      return [ramp('speed', '0', withUnit(ranges.speed, 'm/s'))];
    case 'force':
      return [ramp(colourModeNames.force, '0', `${withUnit(ranges.usualForce, 'N')} or more`)];
    case 'residual': {
      if (!(ranges.residual.high > 0))
        return [element('div', {}, swatch(css(unknownColour), wholeStep === null ? 'no residual recorded' : `step ${withUnit(wholeStep, '')}`))];
      const [low, high] = residualLimits(ranges.residual);
      return [ramp('residual', withUnit(low, ''), withUnit(high, ''))];
    }
  }
}

function symbolRows({ symbols, theme }: LegendContent): HTMLElement[] {
  const shown = symbolNames.filter(([role]) => symbols.has(role));
  return shown.length ? [element('div', { class: 'symbols' }, ...shown.map(([role, name]) => swatch(symbolColour(role, theme), name)))] : [];
}

function scaleRows({ force, chains, grid, share }: LegendContent): HTMLElement[] {
  const rows: HTMLElement[] = [];
  if (chains > 0) rows.push(ramp('chains', '0', `${withUnit(chains, 'N')} or more`));
  if (force) rows.push(element('div', { class: 'arrow' }, element('i', { style: `width:${force.pixels.toFixed(0)}px` }), round(force.newtons, 'N')));
  if (share < 1) rows.push(element('div', {}, `in motion, 1 of ${Math.round(1 / share)} grains is drawn`));
  if (grid > 0) rows.push(element('div', { class: 'grid' }, `grid ${round(grid, 'm')}`));
  return rows;
}
