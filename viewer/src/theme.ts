// Dark or light: as the system says, until the reader chooses.

export type Theme = 'light' | 'dark';

const key = 'cairn-theme';

function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null; // pages from disk may have no storage
  }
}

export class Themes {
  current: Theme;
  private readonly listeners: ((theme: Theme) => void)[] = [];

  constructor() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    this.current = remembered() ?? (system.matches ? 'dark' : 'light');
    system.addEventListener('change', () => {
      if (!remembered()) this.set(system.matches ? 'dark' : 'light');
    });
    document.documentElement.dataset.theme = this.current;
  }

  onChange(listener: (theme: Theme) => void): void {
    this.listeners.push(listener);
    listener(this.current);
  }

  toggle(): void {
    this.set(this.current === 'dark' ? 'light' : 'dark');
    try {
      localStorage.setItem(key, this.current);
    } catch {
      // not remembered, then
    }
  }

  private set(theme: Theme): void {
    this.current = theme;
    document.documentElement.dataset.theme = theme;
    for (const listener of this.listeners) listener(theme);
  }
}

/** Colours of the drawing, by theme. */
export const drawingColours: Record<Theme, { background: number; line: number; fill: number; edge: number; mark: number; ink: number }> = {
  light: { background: 0xf6f7f9, line: 0x9aa5b1, fill: 0xe6eaee, edge: 0x1d242b, mark: 0x111417, ink: 0x2b333b },
  dark: { background: 0x14181d, line: 0x56616d, fill: 0x222a32, edge: 0x05070a, mark: 0xffffff, ink: 0xf2f4f6 },
};
