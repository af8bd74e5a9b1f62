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

export interface SkyColours {
  horizon: number;
  zenith: number;
  nadir: number;
}

export interface DrawingColours {
  background: number; // of planar scenes
  line: number;
  fill: number;
  floor: number;
  glass: number;
  edge: number;
  mark: number;
  ink: number;
  sky: SkyColours;
}

/** Colours of the drawing, by theme. */
export const drawingColours: Record<Theme, DrawingColours> = {
  light: {
    background: 0xfbfcfd, line: 0x8895a3, fill: 0xe9edf1, floor: 0xdfe4ea, glass: 0x7fa6c9, edge: 0x1d242b, mark: 0x111417, ink: 0x2b333b,
    sky: { horizon: 0xf4f6f9, zenith: 0xc3d3e4, nadir: 0xd3d9e0 },
  },
  dark: {
    background: 0x14181d, line: 0x6c7988, fill: 0x1e252c, floor: 0x262d35, glass: 0x7fa6c9, edge: 0x05070a, mark: 0xffffff, ink: 0xf2f4f6,
    sky: { horizon: 0x303a45, zenith: 0x0c1015, nadir: 0x171c22 },
  },
};
