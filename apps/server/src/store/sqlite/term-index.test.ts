import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../testing/test-service.ts';
import { opened, received } from '../contract/samples.ts';
import { seed } from '../contract/settings.ts';
import type { NewPage } from '../knowledge-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

function pageOf(place: string, terms: readonly string[]): NewPage {
  const about = { address: null, language: null, version: null, reading: 1 };
  const passages = [{ title: place, text: '', terms }];
  return { sourceId: 'source_1', agentId: 'agent_1', place, title: place, ...about, passages };
}

/** Whether a text stands in the database file or in its log. */
const isKept = (file: string, text: string) =>
  [file, `${file}-wal`].some((each) => readFileSync(each).includes(text));

/**
 * Bytes that the largest transaction in the log has written, be it of one write or of all that came at the same time. The
 * layout is that of https://sqlite.org/fileformat2.html#walformat.
 */
function largestCommit(log: string): number {
  const bytes = readFileSync(log);
  // It was cut: all of it is in the database.
  if (bytes.length === 0) return 0;
  const frameSize = 24 + bytes.readUInt32BE(8);
  const salts = bytes.subarray(16, 24);
  let largest = 0;
  let written = 0;
  for (let at = 32; at + frameSize <= bytes.length; at += frameSize) {
    // From here on it is what stood there before the log began again.
    if (!bytes.subarray(at + 8, at + 16).equals(salts)) break;
    written += frameSize;
    const endsCommit = bytes.readUInt32BE(at + 4) > 0;
    if (!endsCommit) continue;
    largest = Math.max(largest, written);
    written = 0;
  }
  return largest;
}

async function removeTerms(name: string, { stops }: { readonly stops: boolean }): Promise<void> {
  const file = join(testFolder(), name);
  let store = await openSqliteStore({ path: file });
  await seed(store);
  await store.knowledge.savePage(pageOf('kept', ['milk']));
  await store.knowledge.savePage(pageOf('gone', ['milk', 'confidential']));
  expect(isKept(file, 'confidential')).toBe(true);
  await store.knowledge.savePage(pageOf('gone', ['milk']));
  if (stops) {
    await store.close();
    store = await openSqliteStore({ path: file });
  }
  await expect.poll(() => isKept(file, 'confidential')).toBe(false);
  expect(await store.knowledge.countTerms('agent_1', ['milk', 'confidential'], 9)).toEqual([2, 0]);
  await store.close();
}

test('terms of what was removed leave the files, also after a stop in between', async () => {
  await Promise.all([
    removeTerms('running.db', { stops: false }),
    removeTerms('stopped.db', { stops: true }),
  ]);
});

test('words of a removed conversation leave the files', async () => {
  const file = join(testFolder(), 'messages.db');
  const store = await openSqliteStore({ path: file });
  const lease = await opened(store);
  await store.commit(lease, { events: [received('hello')] });
  const [range] = await store.listUnsearched();
  const terms = ['confidential'];
  await store.saveSearched([{ ...range!, messages: [{ index: range!.first, terms }] }]);
  expect(isKept(file, 'confidential')).toBe(true);
  await store.removeSession(lease.sessionId);
  await expect.poll(() => isKept(file, 'confidential')).toBe(false);
  await store.close();
});

test('a commit writes little of the index, however much there is, and searches find few pieces', async () => {
  // The purge that follows a start comes when the test says so, and the log is kept until then.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = join(testFolder(), 'commits.db');
  const store = await openSqliteStore({ path: file });
  await seed(store);
  const terms = (page: number) => Array.from({ length: 160 }, (_, index) => `word${page}x${index}`);
  const saveTen = async (start: number) => {
    const pages = Array.from({ length: 10 }, (_, index) => pageOf(`${start + index}`, terms(start + index)));
    await Promise.all(pages.map((page) => store.knowledge.savePage(page)));
  };
  for (let start = 0; start < 600; start += 10) await saveTen(start);
  const most = largestCommit(`${file}-wal`);
  // Ten times its terms are 50 kB; merged whenever it is due, the index would write 780 kB at once.
  expect(most).toBeGreaterThan(50_000);
  expect(most).toBeLessThan(600_000);

  const connection = new DatabaseSync(file, { readOnly: true });
  const count = connection.prepare('SELECT count(DISTINCT segid) AS pieces FROM passage_terms_idx');
  // Whoever reads keeps the checkpoints from the log.
  connection.exec('BEGIN');
  expect(count.get()?.['pieces']).toBeLessThan(30);
  vi.advanceTimersByTime(1_000);
  await saveTen(600);
  // A step of the purge shares the transaction of what is written at the same time.
  expect(largestCommit(`${file}-wal`)).toBeGreaterThanOrEqual(most);
  expect(largestCommit(`${file}-wal`)).toBeLessThan(600_000);
  connection.close();
  vi.useRealTimers();
  await store.close();
});
