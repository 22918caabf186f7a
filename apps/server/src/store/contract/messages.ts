import { expect, test } from 'vitest';
import type { FoundConversationQuery } from '../conversation-store.ts';
import type { NewEvent } from '../event-store.ts';
import type { Lease } from '../lease-store.ts';
import type { UnsearchedRange } from '../message-store.ts';
import type { Store } from '../store.ts';
import { delta, enqueueRequest, opening, received, turnStarted } from './samples.ts';

const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };

function answered(message: string | null): NewEvent {
  const step = { sequence: 0, turnId: 'turn_0', stepIndex: 0, finishReason: 'stop' as const };
  return {
    event: { type: 'message.completed', data: { ...step, message }, meta },
    concealed: false,
    itemId: null,
  };
}

const everything: Omit<FoundConversationQuery, 'words'> = {
  tenantId: 'tenant_1',
  agentIds: ['agent_1', 'agent_2'],
  from: 0,
  before: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 10,
  maxLookedAt: 100,
  maxMessages: 1_000,
};

export function testMessages(store: () => Store): void {
  const begin = async (sessionId: string, messages: readonly NewEvent[], change: object = {}) => {
    const accepted = await store().enqueue(enqueueRequest({ sessionId, open: { ...opening, ...change } }));
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    const { lease } = accepted.leased;
    await store().commit(lease, { events: [turnStarted(0), delta('unsaid'), ...messages] });
    return lease;
  };
  const add = (lease: Lease, ...events: readonly NewEvent[]) => store().commit(lease, { events });
  const searched = (ranges: readonly UnsearchedRange[]) =>
    ranges.map(({ messages, ...range }) => ({
      ...range,
      messages: messages.map(({ index, text }) => ({ index, terms: text.split(' ') })),
    }));
  const catchUp = async () => {
    for (let left = await store().listUnsearched(); left.length > 0; left = await store().listUnsearched())
      await store().saveSearched(searched(left));
  };
  /** Separated by spaces; the last may go on where a star stands behind it. */
  const wordsOf = (text: string) => {
    const words = text.split(' ');
    const beginning = text.endsWith('*') ? words.pop()!.slice(0, -1) : null;
    return { terms: words, beginning };
  };
  const find = async (words: string, query: Partial<FoundConversationQuery> = {}) =>
    (await store().findConversations({ ...everything, ...query, words: wordsOf(words) })).items.map(
      ({ id }) => id,
    );

  test('what both sides say is found by its terms, of the tenant and the agents that are asked for', async () => {
    const first = await begin('first', [received('milk und käse'), answered('bread butter'), answered(null)]);
    await begin('second', [received('milk 牛乳')], { agentId: 'agent_2' });
    await begin('foreign', [received('milk')], { tenantId: 'tenant_2' });
    await begin('elsewhere', [received('milk')], { agentId: 'agent_3' });
    expect(await find('milk')).toEqual([]);
    await catchUp();
    expect(await find('milk')).toEqual(['second', 'first']);
    expect(await find('milk', { agentIds: ['agent_1'] })).toEqual(['first']);
    expect(await find('milk', { agentIds: [] })).toEqual([]);
    expect(await find('milk', { tenantId: 'tenant_2' })).toEqual(['foreign']);
    expect(await find('butter bread')).toEqual(['first']);
    expect(await find('milk bread')).toEqual([]);
    expect(await find('milk kä')).toEqual([]);
    expect(await find('milk kä*')).toEqual(['first']);
    expect(await find('kä*')).toEqual(['first']);
    expect(await find('牛乳')).toEqual(['second']);
    expect(await find('unsaid')).toEqual([]);
    await add(first, received('milk again'));
    await catchUp();
    expect(await find('milk')).toEqual(['first', 'second']);
    expect(await find('milk', { status: 'ended' })).toEqual([]);
    expect(await find('milk', { rating: 'up' })).toEqual([]);
    expect(await find('milk', { before: 1 })).toEqual([]);
  });

  test('pages have each conversation once, and end with the messages that may be looked at', async () => {
    const leases = [];
    for (const id of ['first', 'second', 'third']) leases.push(await begin(id, [received('milk')]));
    await catchUp();
    for (const lease of leases) await add(lease, received('milk bread'));
    await catchUp();
    const paged = async (query: Partial<FoundConversationQuery>) => {
      const pages: string[][] = [];
      let after: string | null = null;
      do {
        const page = await store().findConversations({
          ...everything,
          words: wordsOf('milk'),
          ...query,
          after,
        });
        pages.push(page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      return pages;
    };
    expect(await paged({ limit: 1 })).toEqual([['third'], ['second'], ['first']]);
    expect(await paged({ maxLookedAt: 2 })).toEqual([['third', 'second'], ['first'], [], []]);
    expect((await paged({ maxMessages: 4 })).flat()).toEqual(['third', 'second', 'first']);
    expect(await find('milk', { after: 'no place' })).toEqual(['third', 'second', 'first']);
  });

  test('a conversation that says more while pages are read is on one of them, also behind a cursor of the version before', async () => {
    const leases = [];
    for (const id of ['first', 'second', 'third', 'fourth']) leases.push(await begin(id, [received('milk')]));
    await catchUp();
    const page = async (after: string | null) => {
      const { items, next } = await store().findConversations({
        ...everything,
        words: wordsOf('milk'),
        limit: 1,
        after,
      });
      return { ids: items.map(({ id }) => id), next };
    };
    const newest = await page(null);
    expect(newest.ids).toEqual(['fourth']);
    for (const lease of [leases[1]!, leases[3]!]) await add(lease, received('milk again'));
    await begin('fifth', [received('milk')]);
    await catchUp();
    const rest: string[] = [];
    for (let after = newest.next; after !== null;) {
      const found = await page(after);
      rest.push(...found.ids);
      after = found.next;
    }
    expect(rest).toEqual(['third', 'second', 'first']);
    const before = newest.next!.split('.')[0]!;
    const earlier = await page(before);
    expect(earlier.ids).toEqual(['third']);
    expect((await page(earlier.next)).ids).toEqual(['first']);
  });

  test('what several make findable is found once, and what comes meanwhile is not forgotten', async () => {
    const lease = await begin('first', [received('milk')]);
    const left = await store().listUnsearched();
    await add(lease, received('bread'));
    await Promise.all([store().saveSearched(searched(left)), store().saveSearched(searched(left))]);
    await store().saveSearched(searched(left));
    expect(await find('bread')).toEqual([]);
    await catchUp();
    expect([await find('milk'), await find('bread')]).toEqual([['first'], ['first']]);
    expect(await store().listUnsearched()).toEqual([]);
  });

  test('of a long log a part is read at a time', async () => {
    const many = Array.from({ length: 130 }, (_, index) => received(`milk ${index}x`));
    await begin('long', many);
    const [part] = await store().listUnsearched();
    expect(part?.messages).toHaveLength(1);
    await catchUp();
    expect([await find('0x'), await find('129x')]).toEqual([['long'], ['long']]);
  });

  test('of a removed conversation nothing is found, and nothing is left to find', async () => {
    const lease = await begin('first', [received('milk')]);
    await catchUp();
    await add(lease, received('milk bread'));
    const left = await store().listUnsearched();
    await store().removeSession('first');
    await store().saveSearched(searched(left));
    expect(await find('milk')).toEqual([]);
    expect(await store().listUnsearched()).toEqual([]);
  });
}
