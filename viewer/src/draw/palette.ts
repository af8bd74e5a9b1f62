// Colours that colour-blind readers can tell apart: Okabe and Ito's set, and viridis for amounts.

export type Rgb = [number, number, number]; // 0 to 1, sRGB

export function rgb(hex: number): Rgb {
  return [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)})`;
}

const okabeIto = [0x56b4e9, 0xe69f00, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7].map(rgb);

export function bodyColour(index: number): Rgb {
  return okabeIto[index % okabeIto.length];
}

export const fixedColour: Rgb = rgb(0x9aa4ae);
export const freeColour: Rgb = rgb(0xb9c2ca);
export const unknownColour: Rgb = rgb(0xf0e442);
/** By ContactState: unknown, stick, slip, separating. */
export const stateColours: Rgb[] = [rgb(0xf0e442), rgb(0x0072b2), rgb(0xd55e00), rgb(0x9aa4ae)];

const viridis = [0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725].map(rgb);

/** Colour of an amount between 0 and 1. */
export function amountColour(amount: number): Rgb {
  const at = Math.min(Math.max(amount, 0), 1) * (viridis.length - 1);
  const low = Math.min(Math.floor(at), viridis.length - 2);
  const part = at - low;
  const [p, q] = [viridis[low], viridis[low + 1]];
  return [p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1]), p[2] + part * (q[2] - p[2])];
}

export function amountGradient(): string {
  return `linear-gradient(to right, ${viridis.map(css).join(', ')})`;
}

function linearChannel(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** For the drawing library, which computes light in linear colours. */
export function toLinear([r, g, b]: Rgb): Rgb {
  return [linearChannel(r), linearChannel(g), linearChannel(b)];
}
