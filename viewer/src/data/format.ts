// Numbers as people read them.

/** Four significant digits, plain where that is short. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(3) : value.toPrecision(4);
  return text.replace('-', '−').replace('e+', 'e').replace('e-', 'e−');
}

export function withUnit(value: number | null | undefined, unit: string): string {
  const text = number(value);
  return text === '–' || unit === '' || unit === '1' ? text : `${text}\u202f${unit}`;
}

/** A round number without the zeros that follow it. */
export function round(value: number, unit: string): string {
  const text = number(value);
  const [digits, power] = text.split('e');
  const short = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return `${short}${power === undefined ? '' : `e${power}`}${unit ? `\u202f${unit}` : ''}`;
}

export function vector(values: ArrayLike<number>, dimension: number): string {
  return Array.from({ length: dimension }, (_, i) => number(values[i])).join(', ');
}

/** The nearest of 1, 2, 5 times a power of ten, not above. */
export function niceBelow(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
