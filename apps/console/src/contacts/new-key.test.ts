import { expect, test } from 'vitest';
import { newKey } from './new-key.ts';

test('the id of a name is what the settings take, and nobody else’s', () => {
  expect(newKey('Won back!', [])).toBe('won-back');
  expect(newKey('Übergabe', [])).toBe('ubergabe');
  expect(newKey('3. Angebot', [])).toBe('angebot');
  expect(newKey('商談', [])).toBe('entry');
  expect(newKey('New', [{ id: 'new' }, { id: 'new-2' }])).toBe('new-3');
});
