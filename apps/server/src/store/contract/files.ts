import { expect, test } from 'vitest';
import { fileChunkBytes } from '../file-store.ts';
import type { Store } from '../store.ts';
import {
  enqueueRequest,
  naming,
  opened,
  opening,
  start,
  textFile,
  uploaded,
  type TestClock,
} from './samples.ts';

const hourMs = 3_600_000;
const open = { quotas: [], ttlMs: hourMs };
const bytes = (size: number) => new Uint8Array(size).fill(7);

export function testFiles(store: () => Store, clock: TestClock): void {
  const files = () => store().files;
  const none = { quotas: [] };

  test('gives a file back chunk by chunk, and what it is', async () => {
    const chunks = [bytes(fileChunkBytes), bytes(fileChunkBytes), new Uint8Array([0, 255])];
    await uploaded(store(), {}, chunks);
    expect(await files().get('file_1')).toEqual({
      ...textFile,
      sessionId: null,
      size: 2 * fileChunkBytes + 2,
    });
    for (const [number, chunk] of chunks.entries()) {
      expect(Buffer.compare((await files().chunk('file_1', number))!, chunk)).toBe(0);
    }
    expect(await files().chunk('file_1', 3)).toBeNull();
    expect(await files().chunk('file_2', 0)).toBeNull();
  });

  test('takes no second file of an id, no chunk that is too large, and none after a short one', async () => {
    expect(await files().begin(textFile, open)).toEqual({ outcome: 'begun' });
    await expect(files().begin(textFile, open)).rejects.toThrow();
    await expect(files().append('file_1', bytes(fileChunkBytes + 1), none)).rejects.toThrow();
    expect(await files().append('file_1', bytes(1), none)).toEqual({ outcome: 'appended' });
    await expect(files().append('file_1', bytes(1), none)).rejects.toThrow();
    await files().complete('file_1', open);
    expect(await files().get('file_1')).toMatchObject({ size: 1 });
  });

  test('a file that is not complete cannot be had, and a complete one not be added to', async () => {
    await files().begin(textFile, open);
    await files().append('file_1', bytes(fileChunkBytes), none);
    expect(await files().get('file_1')).toBeNull();
    expect(await store().enqueue(enqueueRequest({ files: naming('file_1') }))).toEqual({
      outcome: 'file-missing',
    });
    expect(await files().complete('file_1', open)).toBe(start + hourMs);
    expect(await files().complete('file_1', open)).toBeNull();
    expect(await files().append('file_1', bytes(1), none)).toEqual({ outcome: 'missing' });
    expect(await files().append('file_2', bytes(1), none)).toEqual({ outcome: 'missing' });
  });

  test('a file and its bytes are counted, or rejected and not stored', async () => {
    const uploads = { scope: 'uploads', limit: 1, windowMs: 60_000, amount: 1 };
    const stored = { scope: 'bytes', limit: 10, windowMs: 60_000 };
    expect(await files().begin(textFile, { ...open, quotas: [uploads] })).toEqual({ outcome: 'begun' });
    expect(await files().begin({ ...textFile, id: 'file_2' }, { ...open, quotas: [uploads] })).toEqual({
      outcome: 'limited',
      scope: 'uploads',
      windowMs: 60_000,
      retryAfterMs: 60_000,
    });
    expect(await files().complete('file_2', open)).toBeNull();
    const append = () =>
      files().append('file_1', bytes(fileChunkBytes), {
        quotas: [{ ...stored, amount: fileChunkBytes }],
      });
    expect(await append()).toEqual({ outcome: 'appended' });
    expect(await append()).toEqual({
      outcome: 'limited',
      scope: 'bytes',
      windowMs: 60_000,
      retryAfterMs: 60_000,
    });
    await files().complete('file_1', open);
    expect(await files().get('file_1')).toMatchObject({ size: fileChunkBytes });
  });

  test('a file is bound to the session of the message that names it first', async () => {
    await uploaded(store());
    expect(await store().enqueue(enqueueRequest({ files: naming('file_1') }))).toMatchObject({
      outcome: 'accepted',
    });
    clock.now = start + 2 * hourMs;
    expect(await files().get('file_1')).toMatchObject({ sessionId: 'session_1' });
    const { open: _, ...again } = enqueueRequest({ files: naming('file_1') });
    expect(await store().enqueue(again)).toEqual({ outcome: 'file-missing' });
    const elsewhere = enqueueRequest({ sessionId: 'session_2', files: naming('file_1') });
    expect(await store().enqueue(elsewhere)).toEqual({ outcome: 'file-missing' });
    expect(await store().listQueue('session_1')).toHaveLength(1);
  });

  test('of parallel messages that name a file one is accepted', async () => {
    await uploaded(store());
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        store().enqueue(enqueueRequest({ sessionId: `session_${n}`, files: naming('file_1') })),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      'accepted',
      ...Array.from({ length: 4 }, () => 'file-missing'),
    ]);
  });

  test('a repeat that names its file again gets the first answer', async () => {
    await uploaded(store());
    const idempotency = { scope: 'scope', request: 'hash', result: 'first', ttlMs: 1000 };
    const message = enqueueRequest({ files: naming('file_1'), idempotency });
    expect(await store().enqueue(message)).toMatchObject({ outcome: 'accepted' });
    expect(await store().enqueue(message)).toEqual({ outcome: 'repeated', result: 'first' });
  });

  test('a message that is accepted once more has its files already, and they count once', async () => {
    await uploaded(store(), {}, [bytes(100)]);
    const files_ = { ...naming('file_1'), maxSessionBytes: 100 };
    await store().enqueue(enqueueRequest({ files: files_ }));
    const again = enqueueRequest({ files: { ...files_, again: true } });
    expect(await store().enqueue(again)).toMatchObject({ outcome: 'accepted' });
    expect(await store().enqueue({ ...again, sessionId: 'session_2' })).toEqual({ outcome: 'file-missing' });
  });

  test.each([
    ['another tenant', { tenantId: 'tenant_2' }],
    ['another agent', { agentId: 'agent_2' }],
    ['a visitor', { visitor: 'alice' }],
  ])('a file of %s is as missing as one that never was', async (_name, owner) => {
    await uploaded(store(), owner);
    await opened(store(), 'session_2');
    for (const id of ['file_1', 'file_0']) {
      expect(await store().enqueue(enqueueRequest({ files: naming(id) }))).toEqual({
        outcome: 'file-missing',
      });
      const { open: _, ...followUp } = enqueueRequest({ sessionId: 'session_2', files: naming(id) });
      expect(await store().enqueue(followUp)).toEqual({ outcome: 'file-missing' });
    }
    expect(await files().get('file_1')).toMatchObject({ sessionId: null });
  });

  test('nobody in particular cannot name the file of a visitor, nor two visitors each other’s', async () => {
    await uploaded(store(), { visitor: 'alice' });
    for (const visitor of [null, 'bob']) {
      const files_ = { ...naming('file_1'), visitor };
      expect(await store().enqueue(enqueueRequest({ files: files_ }))).toEqual({ outcome: 'file-missing' });
    }
    const own = { ...naming('file_1'), visitor: 'alice' };
    const accepted = enqueueRequest({ open: { ...opening, visitor: 'alice' }, files: own });
    expect(await store().enqueue(accepted)).toMatchObject({ outcome: 'accepted' });
  });

  test('a file named twice in one message is rejected', async () => {
    await uploaded(store());
    expect(await store().enqueue(enqueueRequest({ files: naming('file_1', 'file_1') }))).toEqual({
      outcome: 'file-missing',
    });
  });

  test('the files of a session have together what it may have, and not a byte more', async () => {
    for (const id of ['file_1', 'file_2', 'file_3']) await uploaded(store(), { id }, [bytes(100)]);
    const within = (...ids: string[]) =>
      store().enqueue(enqueueRequest({ files: { ...naming(...ids), maxSessionBytes: 200 } }));
    expect(await within('file_1', 'file_2', 'file_3')).toEqual({ outcome: 'files-full' });
    expect(await within('file_1', 'file_2')).toMatchObject({ outcome: 'accepted' });
    expect(await within('file_3')).toEqual({ outcome: 'files-full' });
    expect(await files().get('file_3')).toMatchObject({ sessionId: null });
  });

  test('an unused file is over when its time is, complete or not; a bound one is not', async () => {
    await uploaded(store());
    await uploaded(store(), { id: 'file_2' });
    await files().begin({ ...textFile, id: 'file_3' }, open);
    await store().enqueue(enqueueRequest({ files: naming('file_2') }));
    clock.now = start + hourMs - 1;
    expect(await files().get('file_1')).not.toBeNull();
    await files().expire();
    expect(await files().chunk('file_1', 0)).not.toBeNull();
    clock.now = start + hourMs;
    expect(await files().get('file_1')).toBeNull();
    expect(await files().append('file_3', bytes(1), none)).toEqual({ outcome: 'missing' });
    expect(await files().complete('file_3', open)).toBeNull();
    expect(await store().enqueue(enqueueRequest({ files: naming('file_1') }))).toEqual({
      outcome: 'file-missing',
    });
    await files().expire();
    expect(await files().chunk('file_1', 0)).toBeNull();
    expect(await files().chunk('file_2', 0)).not.toBeNull();
  });

  test('what is discarded is gone, unless a session has it', async () => {
    await uploaded(store());
    await uploaded(store(), { id: 'file_2' });
    await store().enqueue(enqueueRequest({ files: naming('file_2') }));
    await files().discard(['file_1', 'file_2', 'file_0']);
    expect(await files().get('file_1')).toBeNull();
    expect(await files().chunk('file_1', 0)).toBeNull();
    expect(await files().get('file_2')).toMatchObject({ sessionId: 'session_1' });
    expect(await files().chunk('file_2', 0)).not.toBeNull();
  });

  test('a file goes with its session, however many chunks it has', async () => {
    const chunks = Array.from({ length: 20 }, () => bytes(fileChunkBytes));
    await uploaded(store(), {}, chunks);
    await store().enqueue(enqueueRequest({ files: naming('file_1') }));
    expect(await store().removeSession('session_1')).toBe(true);
    expect(await files().get('file_1')).toBeNull();
    for (const number of [0, 10, 19]) expect(await files().chunk('file_1', number)).toBeNull();
    const taken = enqueueRequest({ sessionId: 'session_2', files: naming('file_1') });
    expect(await store().enqueue(taken)).toEqual({ outcome: 'file-missing' });
  });
}
