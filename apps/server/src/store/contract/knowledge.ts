import { expect, test } from 'vitest';
import type { NewPage } from '../knowledge-store.ts';
import type { Store } from '../store.ts';
import type { TestClock } from './samples.ts';
import { seed } from './settings.ts';

const createdAt = '2026-01-01T00:00:00.000Z';

function page(place: string, passages: readonly (readonly string[])[], more: Partial<NewPage> = {}): NewPage {
  return {
    sourceId: 'source_1',
    agentId: 'agent_1',
    place,
    title: `Of ${place}`,
    address: `https://a.example/${place}`,
    language: 'en',
    version: `"${place}"`,
    reading: 1,
    passages: passages.map((terms) => ({ title: place, text: terms.join(' '), terms })),
    ...more,
  };
}

/** The texts of what is found, in their order. */
async function found(store: Store, terms: Record<string, number>, { agentId = 'agent_1', limit = 9 } = {}) {
  const weighted = Object.entries(terms).map(([term, weight]) => ({ term, weight, leads: true }));
  const keys = (await store.knowledge.findPassages(agentId, weighted, limit)).map(({ key }) => key);
  const texts = new Map((await store.knowledge.getPassages(keys)).map(({ key, text }) => [key, text]));
  return keys.map((key) => texts.get(key));
}

export function testKnowledge(store: () => Store, clock: TestClock): void {
  test('passages have vectors of one model, which go with them', async () => {
    await seed(store());
    await store().knowledge.savePage(page('a', [['milk'], ['bread'], ['salt']]));
    const unembedded = async (model: string) =>
      (await store().knowledge.listUnembedded('source_1', { model, after: '', pages: 9 })).passages;
    const [milk, bread, salt] = await unembedded('one');
    expect([milk, bread, salt].map((each) => each?.text)).toEqual(['milk', 'bread', 'salt']);
    const vector = (...bytes: number[]) => new Uint8Array([9, ...bytes]).subarray(1);
    const keys = [milk!.key, bread!.key, salt!.key] as const;
    await store().knowledge.saveVectors('one', [
      { key: keys[0], vector: vector(0, 1, 255) },
      { key: keys[1], vector: vector(2) },
      { key: 0, vector: vector(3) },
    ]);
    await store().knowledge.saveVectors('other', [{ key: keys[1], vector: vector(4) }]);
    expect((await unembedded('one')).map(({ key }) => key)).toEqual([keys[1], keys[2]]);
    const vectors = async (model: string, after = 0, agentId = 'agent_1') =>
      (await store().knowledge.listVectors({ agentId, model }, { after, limit: 9 })).map((each) => [
        each.key,
        [...each.vector],
      ]);
    expect(await vectors('one')).toEqual([[keys[0], [0, 1, 255]]]);
    expect(await vectors('other')).toEqual([[keys[1], [4]]]);
    expect([await vectors('other', keys[1]), await vectors('other', 0, 'agent_2')]).toEqual([[], []]);
    await store().knowledge.savePage(page('a', [['milk']]));
    expect([await vectors('one'), await vectors('other')]).toEqual([[], []]);
  });

  test('passages without a vector are looked for in some pages after the other, in the order of their places', async () => {
    await seed(store());
    for (const place of ['d', 'b', 'a', 'c', 'b 2'])
      await store().knowledge.savePage(
        page(place, [
          [place, '1'],
          [place, '2'],
        ]),
      );
    const unembedded = async (after: string, pages: number) => {
      const found = await store().knowledge.listUnembedded('source_1', { model: 'one', after, pages });
      return { ...found, passages: found.passages.map(({ text }) => text) };
    };
    const { passages } = await store().knowledge.listUnembedded('source_1', {
      model: 'one',
      after: '',
      pages: 9,
    });
    expect(passages.map(({ text }) => text)).toEqual(
      ['a', 'b', 'b 2', 'c', 'd'].flatMap((place) => [`${place} 1`, `${place} 2`]),
    );
    const [vector, of] = [new Uint8Array(4), (index: number) => passages[index]!.key];
    await store().knowledge.saveVectors(
      'one',
      [0, 1, 2, 6].map((index) => ({ key: of(index), vector })),
    );
    expect(await unembedded('', 1)).toEqual({ passages: [], next: 'a' });
    expect(await unembedded('a', 2)).toEqual({ passages: ['b 2', 'b 2 1', 'b 2 2'], next: 'b 2' });
    expect(await unembedded('b 2', 2)).toEqual({ passages: ['c 2', 'd 1', 'd 2'], next: 'd' });
    expect(await unembedded('b 2', 3)).toEqual({ passages: ['c 2', 'd 1', 'd 2'], next: null });
    expect(await unembedded('d', 1)).toEqual({ passages: [], next: null });
  });

  test('one owner at a time reads a source, until it lets go or its time is over', async () => {
    await seed(store());
    const claim = (owner: string) => store().knowledge.claimSource('source_1', { owner, ttlMs: 1_000 });
    expect(await claim('one')).toBe(true);
    expect(await claim('other')).toBe(false);
    clock.now += 900;
    expect(await claim('one')).toBe(true);
    clock.now += 900;
    expect(await claim('other')).toBe(false);
    clock.now += 101;
    expect(await claim('other')).toBe(true);
    await store().knowledge.releaseSource('source_1', 'one');
    expect(await claim('one')).toBe(false);
    await store().knowledge.releaseSource('source_1', 'other');
    expect(await claim('one')).toBe(true);
    expect(await store().knowledge.claimSource('source_0', { owner: 'one', ttlMs: 1_000 })).toBe(false);
  });

  test('of a page that several save at once the passages of one of them stay, and of no other', async () => {
    await seed(store());
    await store().knowledge.savePage(page('a', [['old'], ['old']]));
    const passagesOf = (saved: number) => Array.from({ length: saved }, () => [`saved${saved}`]);
    for (let round = 0; round < 5; round += 1) {
      const saving = [1, 2, 3, 4].map((saved) => store().knowledge.savePage(page('a', passagesOf(saved))));
      expect(await Promise.all(saving)).toEqual([true, true, true, true]);
      const kept = await Promise.all(
        [1, 2, 3, 4].map(async (saved) => (await found(store(), { [`saved${saved}`]: 1 })).length),
      );
      expect(kept.filter((count) => count > 0)).toEqual([kept.findIndex((count) => count > 0) + 1]);
    }
  });

  test('lists what was read of a source, in pages, and the titles of its passages', async () => {
    await seed(store());
    const further = page('a 2', [['tea'], ['salt']], { title: 'Of a', address: 'https://a.example/a' });
    for (const each of [page('b', [['milk'], ['bread']]), page('a', [['milk']]), further, page('a2', [])])
      await store().knowledge.savePage(each);
    const list = (after: string) => store().knowledge.listPages('source_1', { after, limit: 1 });
    const of = (place: string, passages: number) => {
      const { title, address, language } = page(place, []);
      return { place, title, address, language, passages };
    };
    const lists = await Promise.all(['', 'a', 'a2', 'b'].map(list));
    expect(lists).toEqual([[of('a', 3)], [of('a2', 0)], [of('b', 2)], []]);
    expect(await store().knowledge.countSource('source_1')).toEqual({ pages: 3, passages: 5 });
    expect(await store().knowledge.listTitles('source_1', 2)).toEqual([
      { place: 'b', title: 'b' },
      { place: 'b', title: 'b' },
    ]);
    expect(await store().knowledge.listTitles('source_0', 2)).toEqual([]);
  });

  test('finds the passages whose terms weigh most, the oldest of equal ones first', async () => {
    await seed(store());
    const pages = [
      page('first', [
        ['milk', 'milk', 'cheese'],
        ['bread', 'butter'],
      ]),
      page('second', [['milk', 'bread']]),
    ];
    for (const each of pages) expect(await store().knowledge.savePage(each)).toBe(true);
    expect(await found(store(), { milk: 3, bread: 2 })).toEqual([
      'milk bread',
      'milk milk cheese',
      'bread butter',
    ]);
    expect(await found(store(), { milk: 1, bread: 1 }, { limit: 2 })).toEqual([
      'milk bread',
      'milk milk cheese',
    ]);
    expect(await found(store(), { mil: 1 })).toEqual([]);
    expect(await store().knowledge.findPassages('agent_1', [], 9)).toEqual([]);
    expect(await store().knowledge.countKnowledge('agent_1')).toEqual({ passages: 3, terms: 7 });
    expect(await store().knowledge.countSource('source_1')).toEqual({ pages: 2, passages: 3 });
    expect(await store().knowledge.countTerms('agent_1', ['milk', 'tea', 'bread'], 9)).toEqual([2, 0, 2]);
    expect(await store().knowledge.countTerms('agent_1', ['milk'], 1)).toEqual([1]);
    const looked = [
      { term: 'cheese', weight: 1, leads: true },
      { term: 'milk', weight: 9, leads: false },
      { term: 'mil', weight: 9, leads: true },
    ];
    const [best, ...others] = await store().knowledge.findPassages('agent_1', looked, 9);
    expect(best).toMatchObject({ length: 3, counts: [1, 2, 0] });
    expect(others).toEqual([]);
    const weightless = looked.map((each) => ({ ...each, leads: false }));
    expect(await store().knowledge.findPassages('agent_1', weightless, 9)).toEqual([]);
    expect(await store().knowledge.getPassages([best!.key, 999_999])).toEqual([
      {
        key: best!.key,
        title: 'first',
        text: 'milk milk cheese',
        address: 'https://a.example/first',
        language: 'en',
      },
    ]);
    expect(await store().knowledge.getPassages([])).toEqual([]);
  });

  test('finds terms of every script, and each as a whole', async () => {
    await seed(store());
    const terms = ['東京', 'パス', 'รหัส', 'пароль', 'strasse', 'कुंजी', '2026'];
    await store().knowledge.savePage(page('words', [terms]));
    for (const term of terms) expect(await found(store(), { [term]: 1 })).toEqual([terms.join(' ')]);
    for (const part of ['東', 'ス', 'ราหัส', 'парол', 'stras'])
      expect(await found(store(), { [part]: 1 })).toEqual([]);
  });

  test('puts a page in place of what was there, and finds no more of it', async () => {
    await seed(store());
    await store().knowledge.savePage(page('first', [['old', 'words'], ['gone']]));
    await store().knowledge.savePage(page('first', [['new', 'words']], { title: 'Renamed', reading: 2 }));
    expect(await found(store(), { old: 1, gone: 1 })).toEqual([]);
    expect(await found(store(), { words: 1 })).toEqual(['new words']);
    expect(await store().knowledge.countKnowledge('agent_1')).toEqual({ passages: 1, terms: 2 });
  });

  test('removes what a reading has not found again, some pages at a time', async () => {
    await seed(store());
    const counted = () => store().knowledge.countTerms('agent_1', ['word'], 9);
    expect(await counted()).toEqual([0]);
    expect(await store().knowledge.getLastReading('source_1')).toBeNull();
    for (const place of ['a', 'b', 'c', 'd'])
      await store().knowledge.savePage(page(place, [['word', place]]));
    expect(await counted()).toEqual([4]);
    expect(await store().knowledge.getLastReading('source_1')).toBe(1);
    expect(await store().knowledge.keepPage('source_1', 'b', 2)).toBe(true);
    expect(await store().knowledge.keepPage('source_1', 'none', 2)).toBe(false);
    expect(await store().knowledge.getLastReading('source_1')).toBe(2);
    expect(await store().knowledge.removePages('source_1', { reading: 2, limit: 2 })).toBe(2);
    expect(await store().knowledge.removePages('source_1', { reading: 2, limit: 2 })).toBe(1);
    expect(await store().knowledge.removePages('source_1', { reading: 2, limit: 2 })).toBe(0);
    expect(await counted()).toEqual([1]);
    expect(await found(store(), { word: 1 })).toEqual(['word b']);
  });

  test('a page that is as it was keeps its further parts, but for those that its last saving has left behind', async () => {
    await seed(store());
    const save = (place: string, reading: number) =>
      store().knowledge.savePage(page(place, [['word', place]], { reading }));
    for (const place of ['a', 'a 2', 'a 3', 'a 10', 'a/b', 'a-b', 'A 2', 'b 2']) await save(place, 1);
    const places = async () =>
      (await store().knowledge.listPlaces('source_1', { after: '', limit: 9 })).map(({ place }) => place);
    const endReading = (reading: number) => store().knowledge.removePages('source_1', { reading, limit: 9 });
    expect(await store().knowledge.keepPage('source_1', 'b', 2)).toBe(false);
    expect(await store().knowledge.keepPage('source_1', 'a', 2)).toBe(true);
    expect(await endReading(2)).toBe(4);
    expect(await places()).toEqual(['a', 'a 10', 'a 2', 'a 3']);
    // It has become shorter, in a reading that was not ended.
    for (const place of ['a 2', 'a']) await save(place, 3);
    expect(await store().knowledge.keepPage('source_1', 'a', 4)).toBe(true);
    await endReading(4);
    expect(await places()).toEqual(['a', 'a 2']);
  });

  test('lists the places of a source in their order, with their versions', async () => {
    await seed(store());
    for (const place of ['b', 'c', 'a']) await store().knowledge.savePage(page(place, []));
    expect(await store().knowledge.listPlaces('source_1', { after: '', limit: 2 })).toEqual([
      { place: 'a', version: '"a"' },
      { place: 'b', version: '"b"' },
    ]);
    expect(await store().knowledge.listPlaces('source_1', { after: 'b', limit: 2 })).toEqual([
      { place: 'c', version: '"c"' },
    ]);
  });

  test('shows no agent what another knows, and counts nothing of it', async () => {
    await seed(store());
    const { agents, sources } = store().settings;
    const first = (await agents.get('agent_1'))!;
    await agents.insert({ ...first, id: 'agent_2' });
    const record = (await sources.get('source_1'))!;
    await sources.insert({ ...record, id: 'source_2', agentId: 'agent_2' });
    await store().knowledge.savePage(page('first', [['secret', 'word']]));
    await store().knowledge.savePage(page('first', [['word']], { sourceId: 'source_2', agentId: 'agent_2' }));
    expect(await found(store(), { word: 1 }, { agentId: 'agent_2' })).toEqual(['word']);
    expect(await found(store(), { secret: 1 }, { agentId: 'agent_2' })).toEqual([]);
    expect(await store().knowledge.countTerms('agent_2', ['word', 'secret'], 9)).toEqual([1, 0]);
    expect(await store().knowledge.countKnowledge('agent_2')).toEqual({ passages: 1, terms: 1 });
  });

  test('keeps two agents apart whose terms have one mark', async () => {
    await seed(store());
    const { agents, sources } = store().settings;
    const first = (await agents.get('agent_1'))!;
    const record = (await sources.get('source_1'))!;
    // The first six digits of the SHA-256 of both are bda3a7.
    const ids = ['agent_482', 'agent_2764'] as const;
    for (const id of ids) {
      await agents.insert({ ...first, id });
      await sources.insert({ ...record, id: `source_of_${id}`, agentId: id });
    }
    const [one, other] = ids;
    await store().knowledge.savePage(
      page('a', [['word', 'secret']], { sourceId: `source_of_${one}`, agentId: one }),
    );
    expect(await store().knowledge.countTerms(other, ['secret'], 9)).toEqual([1]);
    expect(await found(store(), { word: 1, secret: 1 }, { agentId: other })).toEqual([]);
    expect(await found(store(), { word: 1 }, { agentId: one })).toEqual(['word secret']);
  });

  test('keeps nothing of a source that is gone, and saves nothing for it', async () => {
    await seed(store());
    await store().knowledge.savePage(page('first', [['word']]));
    expect(await store().settings.sources.remove('source_1')).toBe(true);
    expect(await found(store(), { word: 1 })).toEqual([]);
    expect(await store().knowledge.countKnowledge('agent_1')).toEqual({ passages: 0, terms: 0 });
    expect(await store().knowledge.savePage(page('first', [['word']]))).toBe(false);
    const again = {
      id: 'source_1',
      tenantId: 'tenant_1',
      agentId: 'agent_1',
      name: 'Again',
      kind: 'faq',
      createdAt,
    };
    await store().settings.sources.insert({ ...again, config: {}, reading: {}, unreadPages: null });
    expect(await store().settings.agents.remove('agent_1')).toBe(true);
    expect(await store().settings.sources.get('source_1')).toBeNull();
  });
}
