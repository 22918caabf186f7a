import { maxSourceFileBytes } from '@parley/protocol/bounds';
import { expect, test, vi } from 'vitest';
import { addFile, maxFileBytes } from './add-file.ts';

const fileOf = (size: number): File =>
  Object.defineProperty(new File(['text'], 'a.txt'), 'size', { value: size });

test('a file that the service would not take is not sent', async () => {
  const sent = vi.fn(async () => Response.json({ id: 'source_1', name: 'a.txt' }));
  vi.stubGlobal('fetch', sent);
  expect(maxFileBytes).toBe(maxSourceFileBytes);
  expect(await addFile('agent_1', fileOf(500_000_000))).toBe(
    'The file is larger than 20 MB. Send it in parts.',
  );
  expect(sent).not.toHaveBeenCalled();
  expect(await addFile('agent_1', fileOf(maxFileBytes))).toMatchObject({ id: 'source_1' });
});

test.each([
  [() => Promise.reject(new TypeError('Failed to fetch')), /^It did not arrive\./],
  [async () => Response.json({ error: 'No session.' }, { status: 401 }), /^Your session had ended\./],
  [
    async () => Response.json({ issues: [{ path: ['file'], message: 'It is damaged.' }] }, { status: 400 }),
    /^It is damaged\.$/,
  ],
])('what went wrong with a file is said of the file', async (answer, sentence) => {
  vi.stubGlobal('fetch', answer);
  expect(await addFile('agent_1', fileOf(4))).toMatch(sentence);
});
