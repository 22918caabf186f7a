import { beforeEach, expect, test, vi } from 'vitest';
import { loseField, noticeLostField } from '../ui/lost-field.ts';
import { roomKey } from './room-key.ts';

/** Stands in for what a page has. */
class Place {
  readonly isField: boolean;
  constructor(isField: boolean) {
    this.isField = isField;
  }
  closest = () => (this.isField ? this : null);
}

beforeEach(() => void vi.stubGlobal('Element', Place));

const pressed = (key: string, more: Partial<KeyboardEvent> & { readonly hasCapsLock?: boolean } = {}) =>
  roomKey({
    key,
    target: new Place(false),
    shiftKey: false,
    timeStamp: 0,
    getModifierState: () => more.hasCapsLock ?? false,
    ...more,
  } as unknown as KeyboardEvent);

test('a key is meant for the room unless somebody writes, or asks something of the browser', () => {
  expect([pressed('a'), pressed('/'), pressed('?', { shiftKey: true })]).toEqual(['a', '/', '?']);
  expect(pressed('a', { target: new Place(true) as unknown as Element })).toBeNull();
  expect(pressed('a', { ctrlKey: true })).toBeNull();
});

test('a capital is one that Shift has made, and Caps Lock makes no key do what another does', () => {
  expect(pressed('A', { shiftKey: true })).toBe('A');
  expect([pressed('A'), pressed('a', { shiftKey: true })]).toEqual([null, null]);
  const hasCapsLock = true;
  expect(pressed('A', { hasCapsLock })).toBeNull();
  expect(pressed('A', { hasCapsLock, shiftKey: true })).toBeNull();
  expect(pressed('a', { hasCapsLock, shiftKey: true })).toBeNull();
  expect(pressed('/', { hasCapsLock })).toBe('/');
});

test('what is typed on when a field has gone is meant for it', () => {
  loseField(0);
  expect(pressed('n', { timeStamp: 500 })).toBeNull();
  noticeLostField();
  expect(pressed('n', { timeStamp: 600 })).toBe('n');
});
