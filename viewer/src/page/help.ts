// The help that "?" opens.
import { button, element, icon } from './dom.ts';

const keys: [string, string][] = [
  ['space', 'play, pause'],
  ['← →', 'one frame back, on (with shift: ten)'],
  ['Home, End', 'to the start, to the end'],
  ['l', 'play over and over, or once'],
  ['f', 'fit all into view; the camera follows by itself again'],
  ['g', 'follow the selected body, or stop'],
  ['h', 'hide the selected body'],
  ['x', 'see through bodies, or not'],
  ['c', 'next colouring'],
  ['t', 'dark, light'],
  ['Esc', 'select nothing'],
  ['?', 'this help'],
];

const liveKeys: [string, string][] = [
  ['space', 'go on, pause'],
  ['→', 'one step'],
  ['Home', 'back to the start'],
  ['b, v', 'throw a ball at the pointer, drop a box there'],
  ...keys.slice(4),
];

export class Help {
  readonly object: HTMLDialogElement;

  constructor(planar: boolean, live: boolean) {
    const list = element('dl');
    for (const [key, meaning] of live ? liveKeys : keys) list.append(element('dt', {}, key), element('dd', {}, meaning));
    const mouse = planar ? 'Drag to move the view, turn the wheel or pinch to zoom.'
      : 'Drag to turn the view, drag with the right button or two fingers to move it, turn the wheel or pinch to zoom.';
    const pull = live ? ' Drag a body to pull it by a spring.' : ' Click in a chart or on the time line to go to a time.';
    this.object = element('dialog', { class: 'help', 'aria-label': 'Help' },
      element('header', {}, element('h2', {}, 'Help'), button(icon('M6 6l12 12M18 6L6 18'), 'Close', () => this.toggle())),
      element('p', {}, `${mouse}${pull} Click a body, a joint or a contact to see its numbers.`),
      list);
    this.object.addEventListener('click', (event) => {
      if (event.target === this.object) this.toggle();
    });
  }

  toggle(): void {
    if (this.object.open) this.object.close();
    else this.object.showModal();
  }
}
