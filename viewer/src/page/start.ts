// The start page: all built-in scenes with a picture of each, drawn when it comes into view. A click simulates the scene.
import { ContactTable, type Frame } from '../data/frames.ts';
import { checkHeader } from '../data/header.ts';
import type { ServedSource } from '../data/source.ts';
import { drawThumbnail } from '../draw/thumbnail.ts';
import type { Themes } from '../draw/theme.ts';
import { button, element, icon } from './dom.ts';

interface Scene {
  name: string;
  title: string;
}

// These come first.
const lively = ['card-house', 'wrecking-ball', 'shapes', 'six-axis-arm', 'arch', 'sphere-heap', 'slider-crank', 'dry-stone-wall', 'walking-toy', 'rover', 'brazil-nut', 'jacks'];

/** Shows the scenes and returns true; false where one was chosen. */
export async function showStart(source: ServedSource, themes: Themes): Promise<boolean> {
  const { simulated, scenes } = (await source.json('scenes.json')) as { simulated: boolean; scenes: Scene[] };
  if (simulated) return false;
  const rank = ({ name }: Scene): number => (lively.indexOf(name) + 1 || lively.length + 1);
  scenes.sort((a, b) => rank(a) - rank(b));
  const find = element('input', { type: 'search', placeholder: 'Find a scene', 'aria-label': 'Find a scene' });
  const grid = element('div', { class: 'scenes' });
  const cards = scenes.map((scene) => card(scene, source));
  grid.append(...cards);
  find.addEventListener('input', () => cards.forEach((one, i) => (one.hidden = !matches(scenes[i], find.value))));
  const theme = button(icon('M12 3a9 9 0 1 0 0 18z M12 3a9 9 0 0 1 0 18'), 'Dark or light', () => themes.toggle());
  document.title = 'Cairn';
  document.getElementById('app')!.replaceChildren(element('div', { class: 'start' },
    element('header', {}, element('h1', {}, 'Cairn'),
      element('p', {}, `Choose one of ${scenes.length} scenes to simulate it: drag bodies, throw balls, change gravity and friction. cairn view FILE shows a scene or a run of your own.`),
      element('div', { class: 'find' }, find, theme)),
    grid));
  const draw = drawWhenSeen(source, themes);
  cards.forEach((one, i) => draw(one, scenes[i].name));
  return true;
}

function matches({ name, title }: Scene, words: string): boolean {
  const text = `${name} ${title}`.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function card(scene: Scene, source: ServedSource): HTMLElement {
  const one = button('', scene.title, () => void choose(source, scene.name));
  one.className = 'scene';
  one.append(element('canvas', { width: '480', height: '300' }), element('b', {}, scene.name), element('span', {}, scene.title));
  return one;
}

/** Simulate a scene, or none: the page starts anew. */
export async function choose(source: ServedSource, name: string): Promise<void> {
  await source.json(`choose?name=${encodeURIComponent(name)}`);
  location.reload();
}

// One after the other, so that the tool answers other questions in between.
function drawWhenSeen(source: ServedSource, themes: Themes): (card: HTMLElement, name: string) => void {
  const names = new Map<Element, string>();
  const drawn: (() => void)[] = [];
  let queue = Promise.resolve();
  const draw = async (card: Element): Promise<void> => {
    const found = (await source.json(`scene.json?name=${encodeURIComponent(names.get(card)!)}`).catch(() => null)) as { header: unknown; start: number[] } | null;
    if (!found) return;
    const header = checkHeader(found.header);
    const paint = (): void => drawThumbnail(card.querySelector('canvas')!, header, startFrame(found.start), themes.current);
    drawn.push(paint);
    paint();
    card.classList.add('drawn');
  };
  themes.onChange(() => drawn.forEach((paint) => paint()));
  const watcher = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
      watcher.unobserve(target);
      queue = queue.then(() => draw(target));
    }
  }, { rootMargin: '200px' });
  return (one, name) => {
    names.set(one, name);
    watcher.observe(one);
  };
}

/** A frame of poses alone: x y z, w x y z of each body. */
function startFrame(poses: number[]): Frame {
  const bodyCount = poses.length / 7;
  const pick = (from: number, count: number): Float32Array =>
    Float32Array.from({ length: bodyCount * count }, (_, i) => poses[7 * Math.floor(i / count) + from + (i % count)]);
  return {
    index: 0, time: 0, bodyCount, bytes: 0, position: pick(0, 3), orientation: pick(3, 4), velocity: new Float32Array(3 * bodyCount),
    contacts: new ContactTable(new ArrayBuffer(0), 0, 0),
  };
}
