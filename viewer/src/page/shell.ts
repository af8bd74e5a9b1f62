// The page's layout: title bar, drawing, side panel, foot; and sentences for the reader.
import { button, element, icon } from './dom.ts';

export class Shell {
  readonly bar = element('header', { class: 'bar' });
  readonly tools = element('div', { class: 'tools' });
  readonly viewport = element('main', { class: 'viewport' });
  readonly side = element('aside', { class: 'side' });
  readonly foot = element('div', { class: 'foot' });
  private readonly notices = element('div', { class: 'notices', role: 'status' });
  private readonly root = document.getElementById('app')!;

  constructor(title: string, subtitle: string) {
    document.title = `${title} – Cairn`;
    this.bar.append(
      element('div', { class: 'title' }, element('h1', {}, title), element('span', {}, subtitle)),
      this.tools);
    this.viewport.append(this.notices);
    this.root.replaceChildren(this.bar, this.viewport, this.side, this.foot);
  }

  /** A sentence over the drawing, said once; it stays until it is closed. */
  notice(sentence: string, kind: 'note' | 'problem' = 'note'): void {
    if ([...this.notices.children].some((child) => child.getAttribute('data-text') === sentence)) return;
    const notice = element('p', { class: kind, 'data-text': sentence }, sentence);
    notice.append(button(icon('M6 6l12 12M18 6L6 18'), 'Close', () => notice.remove()));
    this.notices.append(notice);
  }

  addTool(label: string, title: string, onClick: () => void): HTMLButtonElement {
    const tool = button(label, title, onClick);
    this.tools.append(tool);
    return tool;
  }

  /** A way back to the start page. */
  addHome(onClick: () => void): void {
    const home = button(icon('M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z'), 'All scenes', onClick);
    this.bar.prepend(home);
  }

  addSection(title: string, ...content: (Node | string)[]): HTMLDetailsElement {
    const section = element('details', { open: '' }, element('summary', {}, title), ...content);
    this.side.append(section);
    return section;
  }
}

/** The whole page is one sentence. */
export function onlySentence(sentence: string): void {
  const root = document.getElementById('app')!;
  root.replaceChildren(element('p', { class: 'only' }, sentence));
}
