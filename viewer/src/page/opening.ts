// How a page opens. The part of its address after # may say so, with parts joined by &:
//   t=1.5       at this time, standing still
//   bare        the drawing alone, for pages that show several
//   show=a,b    with these displays on, and hide=a,b off: points, forces, chains, thrust, normals, cones, links, edges, through
//   colour=speed
// Otherwise a recorded run opens on its first frame with contacts, and plays over and over; it stands still for readers whose system
// asks for less motion.
import { colourModes } from '../draw/colouring.ts';
import type { Header } from '../data/header.ts';
import type { Display } from '../draw/view.ts';

export interface Opening {
  time: number | null;
  bare: boolean;
  show: string[];
  hide: string[];
  colour: string | null;
}

export function opening(): Opening {
  const parts = new URLSearchParams(location.hash.slice(1));
  const time = parts.get('t');
  return {
    time: time !== null && Number.isFinite(Number(time)) ? Number(time) : null,
    bare: parts.has('bare'),
    show: parts.get('show')?.split(',') ?? [],
    hide: parts.get('hide')?.split(',') ?? [],
    colour: parts.get('colour'),
  };
}

const switches = ['points', 'forces', 'chains', 'thrust', 'normals', 'cones', 'links', 'edges', 'through'] as const;

export function applyOpening({ show, hide, colour }: Opening, display: Display): void {
  for (const name of switches) {
    if (show.includes(name)) display[name] = true;
    if (hide.includes(name)) display[name] = false;
  }
  if (show.includes('chains')) display.through = true; // they lie inside the bodies
  const mode = colourModes.find((known) => known === colour);
  if (mode) display.mode = mode;
}

/** The first frame with contacts; the first one where none has. */
export function firstWithContacts(header: Header): number {
  const counts = header.series.find((series) => series.name === 'contacts/count')?.values ?? [];
  return Math.max(counts.findIndex((count) => (count ?? 0) > 0), 0);
}

export function wantsMotion(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
