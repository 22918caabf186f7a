import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { prepareEvents } from './events.ts';

test('a page of events is handed out once all of it is on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-events-'));
  const { connection } = await openDatabase(join(folder, 'parley.db'));
  const onDisk = Promise.withResolvers<void>();
  const { readEvents } = prepareEvents(connection, {
    onDisk: async (page) => {
      await onDisk.promise;
      return page;
    },
  });
  try {
    let isRead = false;
    const page = readEvents('ses_of_nobody', 0, 10).finally(() => (isRead = true));
    await new Promise(setImmediate);
    expect(isRead).toBe(false);
    onDisk.resolve();
    expect(await page).toEqual({ events: [], next: null });
  } finally {
    connection.close();
    rmSync(folder, { recursive: true });
  }
});
