import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { maxSiteMapBytes, readSiteMap } from './site-map.ts';

async function* piecesOf(bytes: Buffer, size = 65_536) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function addressesIn(body: AsyncIterable<Buffer>, wanted = Infinity) {
  const found: { address: string; isMap: boolean }[] = [];
  await readSiteMap(body, 'application/xml', async (located) => found.push(located) < wanted);
  return found;
}
const page = (address: string) => ({ address, isMap: false });

test('addresses are found in CDATA, and beside spaces that are built to take for ever', async () => {
  const spaces = ' '.repeat(1_000_000);
  const xml = `<urlset><loc>${spaces}</loc><loc>\n https://a.example/1?a&amp;b </loc><loc> <![CDATA[ https://a.example/2 ]]></loc></urlset>`;
  expect(await addressesIn(piecesOf(Buffer.from(xml)))).toEqual([
    page('https://a.example/1?a&b'),
    page('https://a.example/2'),
  ]);
});

test.each([1, 2, 7, 30])('addresses are whole that come in pieces of %s bytes', async (size) => {
  const xml =
    '<sitemapindex><loc>https://a.example/1.xml</loc><loc>https://a.example/2.xml</loc></sitemapindex>';
  const maps = ['https://a.example/1.xml', 'https://a.example/2.xml'];
  const expected = maps.map((address) => ({ address, isMap: true }));
  expect(await addressesIn(piecesOf(Buffer.from(xml), size))).toEqual(expected);
});

test('a file that is packed is read until nobody wants more', async () => {
  const addresses = Array.from({ length: 60_000 }, (_, index) => `https://a.example/pages/${index}`);
  const packed = gzipSync(
    `<urlset>${addresses.map((each) => `<url><loc>${each}</loc></url>`).join('')}</urlset>`,
  );
  expect(await addressesIn(piecesOf(packed))).toEqual(addresses.map(page));
  expect(await addressesIn(piecesOf(packed), 3)).toEqual(addresses.slice(0, 3).map(page));
});

test('what unpacks to more than a sitemap may have is refused, after what stands before', async () => {
  const bomb = gzipSync(`<loc>https://a.example/1</loc>${' '.repeat(maxSiteMapBytes)}`);
  expect(bomb.length).toBeLessThan(100_000);
  const found: string[] = [];
  const read = readSiteMap(piecesOf(bomb), '', async ({ address }) => found.push(address) > 0);
  await expect(read).rejects.toThrow();
  expect(found).toEqual(['https://a.example/1']);
});
