// Sliders for the drives of a live simulation: each sets the target of one.
import { readJointState } from '../data/coordinates.ts';
import { button, element, icon, slider } from './dom.ts';
import { withUnit } from '../data/format.ts';
import type { CoordinateInfo, Header } from '../data/header.ts';

export type SetDrive = (joint: number, coordinate: number, value: number | null) => void;

const logged = 5; // commands that are shown
const steps = 400; // of a slider

/** The unit of a drive's target. */
export function targetUnit({ unit, drive }: CoordinateInfo): string {
  if (drive === 'force') return unit === 'rad' ? 'N\u202fm' : 'N';
  return drive === 'speed' ? `${unit}/s` : unit;
}

/** From where to where a slider goes: the range of the coordinate or of the force, or a sensible one around the target. */
export function driveRange({ drive, unit, target, lower, upper, limit }: CoordinateInfo, sceneSize: number): [number, number] {
  const now = target ?? 0;
  if (drive === 'position') {
    const reach = unit === 'rad' ? Math.PI : 0.5 * sceneSize;
    return [lower ?? Math.min(now, 0) - reach, upper ?? Math.max(now, 0) + reach];
  }
  const usual = drive === 'force' || unit === 'rad' ? 10 : sceneSize;
  const reach = drive === 'force' && limit !== undefined ? limit : 2 * Math.abs(now) || usual;
  return [-reach, reach];
}

interface Control {
  joint: number;
  coordinate: number;
  info: CoordinateInfo;
  slider: HTMLInputElement;
  text: HTMLElement;
  own: HTMLButtonElement;
  held: boolean; // a user has set it: the slider stays where it is
}

export class Drives {
  readonly object = element('details', { open: '', class: 'drives' }, element('summary', {}, 'Drives'));
  private readonly controls: Control[] = [];
  private readonly log = element('ol', { class: 'log', 'aria-label': 'Commands' });
  private seen = 0;

  constructor(header: Header, private readonly set: SetDrive) {
    const size = header.symbol_unit / 0.012;
    header.joints.forEach((joint, j) => joint.coordinates?.forEach((info, k) => {
      if (info.drive) this.add(`${joint.name}, ${info.name}`, j, k, info, driveRange(info, size));
    }));
    const all = button('all as in the scene', 'Let all drives follow the targets of the scene again', () => this.freeAll());
    all.className = 'link';
    this.object.append(all, this.log);
  }

  get count(): number {
    return this.controls.length;
  }

  /** The targets as they are now, from the lists that go with a frame. */
  show(states: (number | null)[][]): void {
    for (const control of this.controls) {
      const target = states[control.joint] && readJointState(states[control.joint]).coordinates[control.coordinate]?.target;
      if (target === undefined || target === null) continue;
      control.text.textContent = withUnit(target, targetUnit(control.info));
      if (!control.held) control.slider.value = `${target}`;
    }
  }

  /** The tool's own record of the last command. */
  showLog(count: number, sentence: string | null): void {
    if (count > this.seen && sentence) this.log.prepend(element('li', {}, sentence));
    while (this.log.children.length > logged) this.log.lastChild?.remove();
    this.seen = count;
  }

  /** After a restart the drives follow their own targets. */
  free(): void {
    for (const control of this.controls) hold(control, false);
  }

  private add(name: string, joint: number, coordinate: number, info: CoordinateInfo, [low, high]: [number, number]): void {
    const control: Control = {
      joint, coordinate, info, held: false,
      text: element('b', {}, withUnit(info.target, targetUnit(info))),
      slider: slider(name, [low, high, (high - low) / steps], info.target ?? 0, (value) => {
        hold(control, true);
        this.set(joint, coordinate, value);
      }),
      own: button(icon('M5 5v5h5M5.5 10a7 7 0 1 1-.6 5'), `${name}: as in the scene`, () => {
        hold(control, false);
        this.set(joint, coordinate, null);
      }),
    };
    control.own.disabled = true;
    this.controls.push(control);
    this.object.append(element('div', { class: 'field drive' },
      element('span', { title: `${name}: ${info.drive ?? ''} drive` }, name), control.slider, control.text, control.own));
  }

  private freeAll(): void {
    for (const control of this.controls.filter((one) => one.held)) {
      hold(control, false);
      this.set(control.joint, control.coordinate, null);
    }
  }
}

function hold(control: Control, on: boolean): void {
  control.held = on;
  control.own.disabled = !on;
}
