// A little help with elements.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function button(label: string, title: string, onClick: () => void): HTMLButtonElement {
  const node = element('button', { type: 'button' });
  name(node, title);
  node.innerHTML = label;
  node.addEventListener('click', onClick);
  return node;
}

/** What a control does, to those who point at it and those who hear it. */
export function name(node: HTMLElement, title: string): void {
  node.title = title;
  node.setAttribute('aria-label', title);
}

export function select(
  label: string,
  options: [value: string, text: string][],
  value: string,
  onChange: (value: string) => void,
): HTMLSelectElement {
  const node = element('select');
  name(node, label);
  for (const [key, text] of options) node.append(element('option', { value: key }, text));
  node.value = value;
  node.addEventListener('change', () => {
    onChange(node.value);
    node.blur(); // keys are for the page again
  });
  return node;
}

export function checkbox(label: string, checked: boolean, onChange: (on: boolean) => void): HTMLLabelElement {
  const box = element('input', { type: 'checkbox' });
  box.checked = checked;
  box.addEventListener('change', () => onChange(box.checked));
  return element('label', { class: 'check' }, box, label);
}

export function slider(
  label: string,
  [low, high, step]: [number, number, number],
  value: number,
  onInput: (value: number) => void,
): HTMLInputElement {
  const node = element('input', { type: 'range', min: `${low}`, max: `${high}`, step: `${step}`, 'aria-label': label });
  node.value = `${value}`;
  node.addEventListener('input', () => onInput(Number(node.value)));
  node.addEventListener('pointerup', () => node.blur()); // keys are for the page again
  return node;
}

export function icon(path: string): string {
  return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
}
