import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './common.ts';
import { customElements } from './custom-elements.ts';

test('editors are told every attribute that the element observes', async () => {
  const { ParleyChat } = (await import(join(root, 'src/entries/parley-chat.ts'))) as {
    ParleyChat: { observedAttributes: string[] };
  };
  const told = customElements.modules[0]!.declarations[0]!.attributes.map(({ name }) => name);
  expect(told.toSorted((one, other) => one.localeCompare(other))).toEqual(
    ParleyChat.observedAttributes.toSorted((one, other) => one.localeCompare(other)),
  );
});
