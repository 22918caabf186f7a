import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Forms with nothing in them that a reload could lose, and why. */
const others: Readonly<Record<string, string>> = {
  'channel/first-request.tsx': 'asks with a key that is on the screen once',
  'conversations/filter-form.tsx': 'keeps what is looked for by itself',
  'usage/usage.tsx': 'chooses a period, which is looked at at once',
  'inbox/key-help.tsx': 'closes what it shows',
};

test('every form of the console keeps its entries', async () => {
  const root = join(import.meta.dirname, '../src');
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  const sources = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(root, name), 'utf8') })),
  );
  const forms = sources.filter(({ text }) => text.includes('<form'));
  expect(forms.length).toBeGreaterThan(20);
  const keepsNone = forms.filter(({ text }) => !/\buseForm[<(]/.test(text)).map(({ name }) => name);
  expect(keepsNone.toSorted()).toEqual(Object.keys(others).toSorted());
});
