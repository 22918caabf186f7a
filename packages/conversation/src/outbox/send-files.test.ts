import type { MessageInputPart } from '@parley/client/session-input';
import type { Connection } from '@parley/client/connection';
import { sendInput } from '@parley/client/session-client';
import { expect, test } from 'vitest';
import { createMemoryFiles } from './file-storage.ts';
import { FilesRefused } from './files-error.ts';
import { sendFiles } from './send-files.ts';

const files = [
  new File(['one'], 'one.txt', { type: 'text/plain' }),
  new File(['two'], 'two.txt', { type: 'text/plain' }),
];
const parts = files.map(({ name, type }) => ({ type: 'file' as const, mediaType: type, filename: name }));
const message = { id: 'message', text: '', parts, at: Date.now(), after: 0 };
const storage = createMemoryFiles();
const session = { sessionId: 's', continuationToken: 't' };
const send = (to: Connection, said: readonly MessageInputPart[]) => sendInput(to, session, { message: said });

/** A service that answers uploads and messages with these, and the files that messages have named. */
async function serve(upload: () => Response, answer: (named: string[]) => Response) {
  await storage.keep(message, files);
  const named: string[][] = [];
  const connection = {
    baseUrl: 'http://service',
    key: 'pk',
    async fetch(...request: ConstructorParameters<typeof Request>) {
      const asked = new Request(...request);
      if (asked.url.endsWith('/session/file')) return upload();
      const { message: said } = (await asked.json()) as { message: { fileId: string }[] };
      const ids = said.map(({ fileId }) => fileId);
      named.push(ids);
      return answer(ids);
    },
  };
  return { connection, named };
}

const stored = () => {
  let count = 0;
  return () => Response.json({ fileId: `file_${++count}` }, { status: 201 });
};
const refusal = (status: number, code: string, more = {}) =>
  Response.json({ ok: false, error: code, code, ...more }, { status });
const accepted = () => Response.json({ ok: true });

test('the ids of the files are kept before the message leaves, and named each time it is tried', async () => {
  const { connection, named } = await serve(stored(), accepted);
  let kept: readonly string[] | undefined;
  await sendFiles(connection, storage, message, send, (fileIds) => {
    expect(named).toEqual([]);
    kept = fileIds;
  });
  await sendFiles(connection, storage, { ...message, fileIds: kept! }, send, () => expect.unreachable());
  expect(named).toEqual([
    ['file_1', 'file_2'],
    ['file_1', 'file_2'],
  ]);
});

test('files that were kept and are there no longer are uploaded once more', async () => {
  const { connection, named } = await serve(stored(), ([first]) =>
    first === 'gone' ? refusal(400, 'BAD_REQUEST') : accepted(),
  );
  const old = { ...message, fileIds: ['gone', 'gone'] };
  await sendFiles(connection, storage, old, send, (fileIds) => expect(fileIds).toEqual(['file_1', 'file_2']));
  expect(named).toEqual([
    ['gone', 'gone'],
    ['file_1', 'file_2'],
  ]);
});

test('a message that is wrong with files just uploaded is refused', async () => {
  const { connection, named } = await serve(stored(), () => refusal(400, 'BAD_REQUEST'));
  await expect(sendFiles(connection, storage, message, send, () => {})).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(named).toHaveLength(1);
});

test('a message that another tab has sent with its own uploads is sent', async () => {
  const { connection } = await serve(stored(), () => refusal(409, 'IDEMPOTENCY_CONFLICT'));
  await sendFiles(connection, storage, message, send, () => {});
});

test('every file that the service does not take is told', async () => {
  const violations = [{ kind: 'disallowed-media-type', mediaType: 'text/plain', allowedMediaTypes: [] }];
  const refuse = () => refusal(415, 'UNSUPPORTED_MEDIA_TYPE', { violations });
  const { connection, named } = await serve(refuse, accepted);
  const error = await sendFiles(connection, storage, message, send, () => {}).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FilesRefused);
  expect((error as FilesRefused).violations).toEqual([...violations, ...violations]);
  expect(named).toEqual([]);
});
