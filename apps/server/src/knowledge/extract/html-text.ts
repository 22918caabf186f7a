import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { Extracted } from './extracted.ts';
import { markdownOf } from './markdown-of.ts';
import { type PageDocument, parsePage, tidy } from './parse-page.ts';

const maxTitle = 300;
const maxLinks = 2_000;
/** Of all that a page says, what an article must have for the rest to be left out as decoration. */
const articleShare = 0.4;
/** Never what a page has to say. */
const decoration =
  'script, style, noscript, template, svg, canvas, iframe, form, nav, header nav, footer, aside, [hidden], [aria-hidden="true"], [role="navigation"], [role="banner"], [role="search"]';

/** The text of a page without what stands around it, and where the page leads. */
export function htmlText(markup: string, address: string | null): Extracted {
  const document = parsePage(markup);
  const heading = document.querySelector('h1')?.textContent ?? '';
  const title = tidy(document.querySelector('title')?.textContent ?? '') || tidy(heading);
  const language = document.documentElement?.getAttribute('lang')?.trim() || null;
  const links = linksIn(document, address);
  for (const element of document.querySelectorAll(decoration)) element.remove();
  const main = document.querySelector('main, article, [role="main"]') ?? document.body;
  const whole = markdownOf(main);
  // Readability takes its document apart, so it is given the last turn.
  const article = new Readability(document as never, { charThreshold: 200 }).parse();
  const text =
    article?.content && (article.textContent ?? '').length > whole.length * articleShare
      ? markdownOf(parseHTML(`<html><body>${article.content}</body></html>`).document.body)
      : whole;
  return { title: title.slice(0, maxTitle).toWellFormed(), language, text, links };
}

function linksIn(document: PageDocument, address: string | null): string[] {
  const base = document.querySelector('base[href]')?.getAttribute('href');
  const root = base && address ? (URL.parse(base, address)?.href ?? address) : address;
  const links = new Set<string>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    if (links.size >= maxLinks) break;
    const url = URL.parse(anchor.getAttribute('href') ?? '', root ?? undefined);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    url.hash = '';
    links.add(url.href);
  }
  return [...links];
}
