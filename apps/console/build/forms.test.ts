import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Forms that lose nothing with a reload though they keep nothing, and why. */
const others: Readonly<Record<string, string>> = {
  'channel/first-request.tsx': 'asks with a key that is on the screen once',
  'conversations/filter-form.tsx': 'keeps what is looked for by itself',
  'inbox/key-help.tsx': 'closes what it shows',
  'tools/tool-form.tsx': 'is handed what new-tool.tsx and edit-tool.tsx keep',
};

// Whether its controls are bound to it, and what comes back, is seen in a browser: console-entries.spec.ts.
test('every form of the console is one that keeps its entries', async () => {
  const root = join(import.meta.dirname, '../src');
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  const sources = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(root, name), 'utf8') })),
  );
  const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
  const forms = sources.map(({ name, text }) => ({
    name,
    drawn: count(text, /<form\b/g),
    kept: count(text, /\buseForm[<(]/g),
  }));
  expect(forms.reduce((sum, { drawn }) => sum + drawn, 0)).toBeGreaterThan(40);
  const keepsNone = forms.filter(({ drawn, kept }) => drawn > kept).map(({ name }) => name);
  expect(keepsNone.toSorted()).toEqual(Object.keys(others).toSorted());
});
