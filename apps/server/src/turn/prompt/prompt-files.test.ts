import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Message } from '../../model/message.ts';
import { enqueueRequest, naming, uploaded } from '../../store/contract/samples.ts';
import { fileChunkBytes } from '../../store/file-store.ts';
import { testStore } from '../../testing/test-store.ts';
import { nameOldFiles, withFiles } from './prompt-files.ts';
import { storedFileName } from './stored-file.ts';

/** The prompt of a conversation with one message for each of these files, given in chunks. */
async function promptWith(...files: Uint8Array[][]): Promise<Message[]> {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  for (const [n, chunks] of files.entries()) await uploaded(store, { id: `file_${n}` }, chunks);
  await store.enqueue(enqueueRequest({ files: naming(...files.map((_, n) => `file_${n}`)) }));
  const history = files.map((chunks, n) => {
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    const data = storedFileName({ id: `file_${n}`, size });
    const content = [{ type: 'file' as const, mediaType: 'image/png', data }];
    return { turn: n, message: { role: 'user' as const, content } };
  });
  const entries = nameOldFiles(history, history.length - 1);
  return withFiles(
    store,
    entries.map(({ message }) => message),
  );
}

test('a file of several chunks is in the prompt as it was sent', async () => {
  const chunks = [randomBytes(fileChunkBytes), randomBytes(fileChunkBytes), randomBytes(2)];
  const [message] = await promptWith(chunks);
  const data = Buffer.concat(chunks).toString('base64');
  expect(message?.content).toEqual([{ type: 'file', mediaType: 'image/png', data }]);
});

test('of more files than a prompt holds the newest are in it, and the others are named', async () => {
  const chunk = Buffer.alloc(fileChunkBytes);
  const large = Array.from({ length: 40 }, () => chunk);
  const prompt = await promptWith(large, [chunk], large);
  expect(prompt.map(({ content }) => content)).toMatchObject([
    [{ type: 'text', text: '[file: image/png (image/png)]' }],
    [{ type: 'file' }],
    [{ type: 'file' }],
  ]);
});
