// Charts of the recorded series over time, with a line at the play head; a click or a drag in one scrubs.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { button, element, icon } from './dom.ts';
import { number, round } from '../data/format.ts';
import type { Series } from '../data/header.ts';

interface ChartPlan {
  title: string;
  names: string[];
  log: boolean;
}

const usual: ChartPlan[] = [
  { title: 'Energy', names: ['energy/kinetic', 'energy/potential', 'energy/elastic', 'energy/total'], log: false },
  { title: 'Relative residual', names: ['certificate/relative'], log: true },
  { title: 'Number of contacts', names: ['contacts/count', 'contacts'], log: false },
  { title: 'Penetration', names: ['penetration'], log: false },
];

const height = 132;

class Chart {
  readonly object = element('section', { class: 'chart' });
  private readonly readout: HTMLElement[];
  private plot: uPlot | null = null;
  private now = 0;
  private readonly head = element('div', { class: 'now' });
  private readonly plotArea = element('div', { class: 'plot' });

  constructor(
    private readonly title: string,
    private readonly series: Series[],
    private readonly time: Series,
    private readonly log: boolean,
    private readonly scrub: (time: number) => void,
    onRemove: () => void,
  ) {
    this.readout = series.map(() => element('b'));
    const unit = series[0]?.unit;
    const heading = element('h3', {}, title, element('span', {}, unit && unit !== '1' ? ` ${unit}` : ''));
    const keys = series.map((s, i) =>
      element('span', { class: 'key', title: s.name },
        element('i', { style: `background:var(--line-${i % 7})` }), `${shortLabel(s.label, this.title)} `, this.readout[i]));
    this.object.append(
      element('header', {}, heading, button(icon('M6 6l12 12M18 6L6 18'), `Remove the chart ${title}`, onRemove)),
      element('div', { class: 'keys' }, ...keys), this.plotArea);
  }

  draw(): void {
    const width = this.plotArea.clientWidth;
    if (width < 40) return;
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--soft').trim();
    const grid = style.getPropertyValue('--rule').trim();
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '11px system-ui, sans-serif' };
    this.plot = new uPlot({
      width,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: { x: { time: false }, y: this.log ? { distr: 3 } : {} },
      axes: [
        { ...axis, size: 26, values: (_plot, ticks) => ticks.map((t) => round(t, '')) },
        { ...axis, size: 52, space: 26, ...(this.log ? { splits: (_plot: uPlot, _axis: number, low: number, high: number) => decades(low, high), filter: (_plot: uPlot, splits: number[]) => splits } : {}), values: (_plot, ticks) => ticks.map((t) => (t === null ? '' : tick(t))) },
      ],
      series: [{}, ...this.series.map((_, i) => ({ stroke: style.getPropertyValue(`--line-${i % 7}`).trim(), width: 1.5, spanGaps: false, points: { show: () => this.time.values.length < 3 } }))],
      hooks: { draw: [() => this.placeHead()] },
    }, this.data(), this.plotArea);
    this.plot.over.append(this.head);
    this.placeHead();
    this.listen(this.plot.over);
  }

  refresh(): void {
    this.plot?.setData(this.data());
  }

  showTime(time: number, index: number): void {
    this.now = time;
    this.series.forEach((s, i) => (this.readout[i].textContent = readout(s.values[index] ?? null, s.unit)));
    this.placeHead();
  }

  private data(): uPlot.AlignedData {
    // A logarithm has no place for zero.
    const clean = (values: (number | null)[]): (number | null)[] =>
      this.log ? values.map((v) => (v !== null && v > 0 ? v : null)) : values;
    return [this.time.values as number[], ...this.series.map((s) => clean(s.values))] as uPlot.AlignedData;
  }

  // An element over the plot, so that playing does not draw every chart again.
  private placeHead(): void {
    const x = this.plot?.valToPos(this.now, 'x') ?? NaN;
    this.head.hidden = !(x >= 0 && x <= (this.plot?.over.clientWidth ?? 0) + 1);
    if (!this.head.hidden) this.head.style.transform = `translateX(${x - 1}px)`;
  }

  private listen(over: HTMLElement): void {
    const scrub = (event: PointerEvent): void => {
      if (this.plot) this.scrub(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      scrub(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId)) scrub(event);
    });
  }
}

/** "kinetic" instead of "kinetic energy" in the chart "Energy"; nothing where the label is the title. */
function shortLabel(label: string, title: string): string {
  const [words, all] = [label.toLowerCase(), title.toLowerCase()];
  return words === all ? '' : words.endsWith(` ${all}`) ? label.slice(0, -all.length - 1) : label;
}

/** Counts without decimals. */
function readout(value: number | null, unit: string): string {
  return unit === '1' && value !== null && Number.isInteger(value) ? `${value}` : number(value);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Powers of ten between two numbers, at most six of them. */
function decades(low: number, high: number): number[] {
  const [from, to] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const stride = Math.max(1, Math.ceil((to - from) / 5));
  const out: number[] = [];
  for (let power = from; power <= to; power += stride) out.push(10 ** power);
  return out;
}

function tick(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  return (size >= 1e4 || size < 1e-3 ? value.toExponential(0) : `${Number(value.toPrecision(6))}`).replace('-', '−').replace('e-', 'e−').replace('e+', 'e');
}

export class Charts {
  readonly object = element('div', { class: 'charts' });
  private readonly list = element('div');
  private readonly charts: Chart[] = [];
  private readonly time: Series;

  constructor(private readonly all: Series[], private readonly scrub: (time: number) => void) {
    this.time = all.find((s) => s.name === 'time') ?? { name: 'time', label: 'time', unit: 's', values: [] };
    for (const plan of usual) {
      const chosen = plan.names.flatMap((name) => all.filter((s) => s.name === name && (this.hasValues(s) || s.name.startsWith('contacts'))));
      if (chosen.length) this.add(plan.title, chosen, plan.log);
    }
    this.object.append(this.list, this.chooser());
    new ResizeObserver(() => this.redraw()).observe(this.object);
  }

  redraw(): void {
    for (const chart of this.charts) chart.draw();
  }

  /** The values of the series have grown. */
  refresh(): void {
    for (const chart of this.charts) chart.refresh();
  }

  showTime(time: number, index: number): void {
    for (const chart of this.charts) chart.showTime(time, index);
  }

  private hasValues(series: Series): boolean {
    return series.values.length === 0 || series.values.some((v) => v !== null && v !== 0);
  }

  private add(title: string, series: Series[], log: boolean): void {
    const chart = new Chart(title, series, this.time, log, this.scrub, () => {
      this.charts.splice(this.charts.indexOf(chart), 1);
      chart.object.remove();
    });
    this.charts.push(chart);
    this.list.append(chart.object);
    chart.draw();
  }

  private chooser(): HTMLElement {
    const choice = element('select', { 'aria-label': 'Add a chart' }, element('option', { value: '' }, 'Add a chart …'));
    const others = this.all.filter((series) => series !== this.time).sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
    for (const series of others) choice.append(element('option', { value: series.name }, series.label));
    choice.addEventListener('change', () => {
      const series = this.all.find((s) => s.name === choice.value);
      if (series) this.add(capital(series.label), [series], series.name.startsWith('certificate/') && series.name !== 'certificate/worst_contact');
      choice.value = '';
    });
    return choice;
  }
}
