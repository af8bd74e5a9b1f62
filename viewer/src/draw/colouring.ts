// What the colours mean: by body, by contact state, by speed, by residual, by force. Each mode paints bodies and contacts
// and says what the legend shows.
import { ContactState, type Frame } from '../data/frames.ts';
import type { BodyInfo } from '../data/header.ts';
import {
  amountColour, bodyColour, fixedColour, freeColour, stateColours, toLinear, unknownColour, type Rgb,
} from './palette.ts';

export const colourModes = ['body', 'state', 'speed', 'residual', 'force'] as const;
export type ColourMode = (typeof colourModes)[number];

export const colourModeNames: Record<ColourMode, string> = {
  body: 'body',
  state: 'stick, slip, separating',
  speed: 'speed',
  residual: 'certificate residual',
  force: 'contact force',
};

/** Largest values seen so far, which set the scales; kept over frames so that colours keep their meaning. */
export interface Ranges {
  speed: number;
  slip: number;
  force: number;
  usualForce: number; // that few contacts exceed: impacts do
  residual: { low: number; high: number };
}

export const noRanges = (): Ranges => ({ speed: 0, slip: 0, force: 0, usualForce: 0, residual: { low: Infinity, high: 0 } });

export function widenRanges(ranges: Ranges, frame: Frame): void {
  const { count } = frame.contacts;
  const forces = Float64Array.from({ length: count }, (_, i) => frame.contacts.forceSize(i)).sort();
  ranges.usualForce = Math.max(ranges.usualForce, count ? forces[Math.floor(0.97 * (count - 1))] : 0);
  const v = frame.velocity;
  for (let i = 0; i < v.length; i += 3) ranges.speed = Math.max(ranges.speed, Math.hypot(v[i], v[i + 1], v[i + 2]));
  for (let i = 0; i < frame.contacts.count; ++i) {
    const slip = frame.contacts.slip(i);
    const residual = frame.contacts.residual(i);
    if (slip > ranges.slip && Number.isFinite(slip)) ranges.slip = slip;
    ranges.force = Math.max(ranges.force, frame.contacts.forceSize(i));
    if (residual > 0 && Number.isFinite(residual)) {
      ranges.residual.low = Math.min(ranges.residual.low, residual);
      ranges.residual.high = Math.max(ranges.residual.high, residual);
    }
  }
}

const mostDecades = 8;

/** 0 to 1 on a logarithmic scale of at least one decade, at most eight. */
function residualAmount(residual: number, { low, high }: { low: number; high: number }): number {
  const [bottom, top] = residualLimits({ low, high }).map(Math.log10);
  return (Math.log10(Math.max(residual, 1e-300)) - bottom) / (top - bottom);
}

export function residualLimits({ low, high }: { low: number; high: number }): [number, number] {
  const top = Math.log10(high);
  return [10 ** Math.max(Math.min(Math.log10(low), top - 1), top - mostDecades), high];
}

function share(value: number, most: number): number {
  return most > 0 ? value / most : 0;
}

/** The colour of one contact. */
export function contactColour(mode: ColourMode, frame: Frame, contact: number, ranges: Ranges): Rgb {
  const contacts = frame.contacts;
  switch (mode) {
    case 'speed': {
      const slip = contacts.slip(contact);
      return Number.isNaN(slip) ? unknownColour : amountColour(share(slip, ranges.speed));
    }
    case 'residual': {
      const residual = contacts.residual(contact);
      return Number.isNaN(residual) ? unknownColour : amountColour(residualAmount(residual, ranges.residual));
    }
    case 'force':
      return amountColour(share(contacts.forceSize(contact), ranges.usualForce)); // impacts would leave one colour for all others
    default:
      return stateColours[contacts.state(contact)] ?? unknownColour;
  }
}

/** Linear colours of all bodies, three numbers each. */
export function paintBodies(mode: ColourMode, frame: Frame, bodies: BodyInfo[], ranges: Ranges, out: Float32Array): void {
  const base = baseColours(mode);
  for (let b = 0; b < frame.bodyCount; ++b) put(out, b, base(b, bodies[b], frame, ranges));
  if (mode === 'body' || mode === 'speed') return;
  paintByContacts(mode, frame, bodies, ranges, out);
}

type Base = (index: number, body: BodyInfo | undefined, frame: Frame, ranges: Ranges) => Rgb;

function baseColours(mode: ColourMode): Base {
  const fixed = toLinear(fixedColour);
  const free = toLinear(freeColour);
  const palette = Array.from({ length: 7 }, (_, i) => toLinear(bodyColour(i)));
  const ramp = Array.from({ length: 256 }, (_, i) => toLinear(amountColour(i / 255)));
  return (index, body, frame, ranges) => {
    if (body?.kind === 'fixed') return fixed;
    if (mode === 'body') return palette[index % 7];
    if (mode !== 'speed') return free;
    const v = frame.velocity;
    const speed = Math.hypot(v[3 * index], v[3 * index + 1], v[3 * index + 2]);
    return ramp[Math.min(255, Math.round(255 * share(speed, ranges.speed)))];
  };
}

// A body takes the colour of its worst contact: slipping before sticking before separating; the largest number.
function paintByContacts(mode: ColourMode, frame: Frame, bodies: BodyInfo[], ranges: Ranges, out: Float32Array): void {
  const rank = new Float64Array(frame.bodyCount).fill(-1);
  const stateRank = [1, 2, 3, 0];
  for (let i = 0; i < frame.contacts.count; ++i) {
    const contacts = frame.contacts;
    const weight = mode === 'state' ? stateRank[contacts.state(i)] ?? 0
      : mode === 'residual' ? contacts.residual(i) : contacts.forceSize(i);
    for (const b of [contacts.bodyA(i), contacts.bodyB(i)]) {
      if (b < 0 || b >= frame.bodyCount || bodies[b]?.kind === 'fixed' || !(weight > rank[b])) continue;
      if (mode === 'state' && contacts.state(i) === ContactState.separating) continue;
      rank[b] = weight;
      put(out, b, toLinear(contactColour(mode, frame, i, ranges)));
    }
  }
}

function put(out: Float32Array, index: number, colour: Rgb): void {
  out[3 * index] = colour[0];
  out[3 * index + 1] = colour[1];
  out[3 * index + 2] = colour[2];
}
