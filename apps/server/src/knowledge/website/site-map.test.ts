import { expect, test } from 'vitest';
import { readSiteMap } from './site-map.ts';

test('addresses are found between spaces and in CDATA, and beside what is built to take for ever', () => {
  const spaces = ' '.repeat(1_000_000);
  const xml = `<urlset><loc>${spaces}</loc><loc>\n https://a.example/1?a&amp;b </loc><loc> <![CDATA[ https://a.example/2 ]]></loc></urlset>`;
  expect(readSiteMap(xml)).toEqual({ maps: [], pages: ['https://a.example/1?a&b', 'https://a.example/2'] });
});
