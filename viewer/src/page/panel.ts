// The numbers of what is selected: a body, a joint or a contact.
import { coordinateOf, JointRecords, readJointState, type JointState } from '../data/coordinates.ts';
import { button, element } from './dom.ts';
import { contactStateNames, type Contact, type Frame } from '../data/frames.ts';
import { vector, withUnit } from '../data/format.ts';
import type { CoordinateInfo, Header } from '../data/header.ts';
import type { Selection } from './selection.ts';

const mostListed = 6; // contacts of a body

type Row = [name: string, value: string];

export class Panel {
  readonly object = element('section', { class: 'selection' });
  /** Of a live simulation: a list of numbers per joint. */
  jointStates: (number | null)[][] = [];
  /** The row of the series that is shown. */
  row = 0;
  private readonly records: JointRecords;

  constructor(private readonly header: Header, private readonly selectContact: (index: number) => void,
    private readonly lookButtons: (body: number) => HTMLElement) {
    this.records = new JointRecords(header.live ? [] : header.series);
  }

  show(selection: Selection, frame: Frame | null): void {
    this.object.replaceChildren();
    if (selection.kind === 'none' || !frame) {
      this.object.append(element('p', { class: 'hint' }, 'Click a body, a joint or a contact to see its numbers.'));
    } else if (selection.kind === 'body') {
      this.showBody(selection.body, frame);
    } else if (selection.kind === 'joint') {
      this.showJoint(selection.joint, frame);
    } else {
      this.showContact(selection.contact, frame);
    }
  }

  private name(body: number): string {
    return body < 0 ? 'the world' : this.header.bodies[body]?.name ?? `body ${body}`;
  }

  private rows(title: string, kind: string, rows: Row[]): void {
    const list = element('dl');
    for (const [name, value] of rows) list.append(element('dt', {}, name), element('dd', {}, value));
    this.object.append(element('h3', {}, title, element('span', {}, ` ${kind}`)), list);
  }

  /** A joint in a line: its name, type, and where it is. */
  jointSentence(index: number, frame: Frame | null): string {
    const joint = this.header.joints[index];
    if (!joint || !frame) return '';
    const values = (joint.coordinates ?? []).map((coordinate, k) => {
      const value = this.stateOf(index)?.coordinates[k]?.value ?? coordinateOf(frame, joint, coordinate);
      return value === null ? '' : `, ${coordinate.name} ${withUnit(value, coordinate.unit)}`;
    });
    return `${joint.name} (${joint.kind})${values.join('')}`;
  }

  private stateOf(index: number): JointState | null {
    const numbers = this.jointStates[index];
    return numbers ? readJointState(numbers) : this.records.state(this.header.joints[index], this.row);
  }

  private showJoint(index: number, frame: Frame): void {
    const joint = this.header.joints[index];
    const state = this.stateOf(index);
    const d = this.header.dimension;
    const rows: Row[] = [['bodies', `${this.name(joint.a.body)} – ${this.name(joint.b.body)}`]];
    joint.coordinates?.forEach((coordinate, k) => {
      const now = state?.coordinates[k];
      rows.push([coordinate.name, withUnit(now?.value ?? coordinateOf(frame, joint, coordinate), coordinate.unit)]);
      rows.push(...coordinateRows(coordinate, now));
    });
    if (state) {
      rows.push(['reaction', `${vector(state.force, d)} N`]);
      rows.push(['moment', d === 2 ? withUnit(state.moment[2], 'N\u202fm') : `${vector(state.moment, 3)} N\u202fm`]);
    }
    this.rows(joint.name, joint.kind, rows);
  }

  private showBody(body: number, frame: Frame): void {
    const info = this.header.bodies[body];
    const d = this.header.dimension;
    const p = frame.position.subarray(3 * body, 3 * body + 3);
    const v = frame.velocity.subarray(3 * body, 3 * body + 3);
    const q = frame.orientation.subarray(4 * body, 4 * body + 4);
    const touching: number[] = [];
    const force = [0, 0, 0];
    for (let i = 0; i < frame.contacts.count; ++i) {
      const sign = frame.contacts.bodyA(i) === body ? 1 : frame.contacts.bodyB(i) === body ? -1 : 0;
      if (sign === 0) continue;
      touching.push(i);
      frame.contacts.get(i).force.forEach((f, k) => (force[k] += sign * f));
    }
    const rows: Row[] = [];
    if (info?.kind === 'dynamic') rows.push(['mass', withUnit(info.mass, 'kg')]);
    rows.push(['position', `${vector(p, d)} m`]);
    rows.push(d === 2 ? ['angle', withUnit(2 * Math.atan2(q[3], q[0]), 'rad')] : ['orientation', vector(q, 4)]);
    rows.push(['velocity', `${vector(v, d)} m/s`], ['speed', withUnit(Math.hypot(...v), 'm/s')]);
    rows.push(['contact force', `${vector(force, d)} N`], ['contacts', `${touching.length}`]);
    this.rows(this.name(body), info?.kind ?? '', rows);
    this.listContacts(body, touching, frame);
    this.object.append(this.lookButtons(body));
  }

  private listContacts(body: number, touching: number[], frame: Frame): void {
    const list = element('ul');
    for (const i of touching.slice(0, mostListed)) {
      const contact = frame.contacts.get(i);
      const other = this.name(contact.a === body ? contact.b : contact.a);
      const link = button('', `The contact with ${other}`, () => this.selectContact(i));
      link.className = 'link';
      link.textContent = other;
      list.append(element('li', {}, link, ` ${contactStateNames[contact.state] ?? ''}, ${withUnit(Math.hypot(...contact.force), 'N')}`));
    }
    if (touching.length > mostListed) list.append(element('li', {}, `and ${touching.length - mostListed} more`));
    this.object.append(list);
  }

  private showContact(contact: Contact | null, frame: Frame): void {
    if (!contact) {
      this.object.append(element('p', { class: 'hint' }, `The selected contact is not there at ${withUnit(frame.time, 's')}.`));
      return;
    }
    const d = this.header.dimension;
    const normal = contact.force[0] * contact.normal[0] + contact.force[1] * contact.normal[1] + contact.force[2] * contact.normal[2];
    const friction = Math.sqrt(Math.max(Math.hypot(...contact.force) ** 2 - normal ** 2, 0));
    const rows: Row[] = [
      ['state', contactStateNames[contact.state] ?? 'unknown'],
      ['point', `${vector(contact.point, d)} m`],
      ['normal', vector(contact.normal, d)],
      ['gap', withUnit(contact.gap, 'm')],
      ['normal force', withUnit(normal, 'N')],
      ['friction force', withUnit(friction, 'N')],
      ['friction μ', withUnit(contact.mu, '')],
      ['of the cone used', normal > 0 && contact.mu > 0 ? `${((100 * friction) / (contact.mu * normal)).toFixed(1)} %` : '–'],
      ['slip speed', withUnit(contact.slip, 'm/s')],
      ['residual', withUnit(contact.residual, '')],
    ];
    this.rows(`${this.name(contact.a)} on ${this.name(contact.b)}`, 'contact', rows);
  }
}

/** The range of a coordinate and, where it is known, its rate and the forces along it. */
function coordinateRows(coordinate: CoordinateInfo, now: JointState['coordinates'][number] | undefined): Row[] {
  const { unit, lower, upper, drive } = coordinate;
  const force = unit === 'rad' ? 'N\u202fm' : 'N';
  const ranged = lower !== undefined || upper !== undefined;
  const rows: Row[] = [];
  if (ranged) rows.push(['range', `${withUnit(lower ?? -Infinity, '')} to ${withUnit(upper ?? Infinity, unit)}`]);
  if (!now) return rows;
  rows.push(['rate', withUnit(now.rate, `${unit}/s`)]);
  if (drive) rows.push([`${drive} drive`, withUnit(now.drive, force)], ['power', withUnit(now.drive * now.rate, 'W')]);
  if (coordinate.stiffness || coordinate.damping) rows.push(['spring', withUnit(now.spring, force)]);
  if (coordinate.friction) rows.push(['friction', withUnit(now.friction, force)]);
  if (ranged) rows.push(['end of the range', withUnit(now.limit, force)]);
  return rows;
}
