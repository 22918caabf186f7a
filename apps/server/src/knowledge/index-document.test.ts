import { expect, test } from 'vitest';
import type { NewPage } from '../store/knowledge-store.ts';
import { indexDocument } from './index-document.ts';

const sections = Array.from({ length: 50 }, (_, section) => `# Section ${section}\n\nText.`).join('\n\n');
const page = { place: 'a', title: 'A', address: null, language: null, version: '"v1"', text: sections };
const source = { sourceId: 'source_1', agentId: 'agent_1', reading: 1 };

test('the version of a long document is stored once all of its parts are', async () => {
  const saved: NewPage[] = [];
  const indexed = await indexDocument({ savePage: async (each) => saved.push(each) > 0 }, source, page);
  expect(indexed).toEqual({ passages: 50, gone: false });
  expect(saved.map(({ place, passages }) => [place, passages.length, passages[0]?.title])).toEqual([
    ['a 2', 20, 'A › Section 20'],
    ['a 3', 10, 'A › Section 40'],
    ['a', 20, 'A › Section 0'],
  ]);
});
