// What is selected. A contact is told by its two bodies and its place, since its number changes from frame to frame.
import type { Contact, Frame } from '../data/frames.ts';

export type Selection = { kind: 'none' } | { kind: 'body'; body: number } | { kind: 'joint'; joint: number } | { kind: 'contact'; contact: Contact | null; last: Contact };

export const nothing: Selection = { kind: 'none' };

/** The same selection in another frame. */
export function followSelection(selection: Selection, frame: Frame): Selection {
  if (selection.kind !== 'contact') return selection;
  const { a, b, point } = selection.last;
  let best: Contact | null = null;
  let least = Infinity;
  for (let i = 0; i < frame.contacts.count; ++i) {
    if (frame.contacts.bodyA(i) !== a || frame.contacts.bodyB(i) !== b) continue;
    const contact = frame.contacts.get(i);
    const distance = Math.hypot(contact.point[0] - point[0], contact.point[1] - point[1], contact.point[2] - point[2]);
    if (distance < least) [least, best] = [distance, contact];
  }
  return { kind: 'contact', contact: best, last: best ?? selection.last };
}
