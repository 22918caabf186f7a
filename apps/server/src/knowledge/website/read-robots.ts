import type { FetchedPage } from './fetch-page.ts';
import { parseRobots, type Robots } from './robots.ts';

/** A website without a robots.txt is often an application that answers every address with its page. */
const looksLikeHtml = /^\s*<(?:!doctype|html|head|body|!--|\?xml)/i;

/**
 * What the website of an address asks of those who read it (RFC 9309, 2.3.1): none at all asks nothing, and one that cannot
 * be reached asks that nothing be read. `load` follows redirects, to another host too.
 */
export async function readRobots(
  address: string,
  load: (url: string) => Promise<FetchedPage>,
): Promise<Robots | { readonly problem: string }> {
  const url = new URL('/robots.txt', address).href;
  const page = await load(url);
  if (page.outcome === 'page') return parseRobots(url, looksLikeHtml.test(page.text) ? '' : page.text);
  const status = page.outcome === 'problem' ? page.status : null;
  if (status !== null && status < 500) return parseRobots(url, '');
  const reason = page.outcome === 'problem' ? page.message : 'The address answered 304.';
  return { problem: `Its robots.txt could not be read, so its pages are left alone until it can. ${reason}` };
}
