import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { Extracted } from './extracted.ts';
import { markdownOf } from './markdown-of.ts';
import { languageTag, type PageDocument, parsePage, tidy } from './parse-page.ts';

type PageElement = ReturnType<PageDocument['createElement']>;

const maxTitle = 300;
const maxLinks = 2_000;
/** Of all that a page says, what an article must have for the rest to be left out as decoration. */
const articleShare = 0.4;
/** Of all that a page says, what a form must have of its own to be more than a form: some systems put the whole page into one. */
const formShare = 0.5;
const fields = 'label, legend, select, button, textarea';
/** What opens a part of a page, such as an answer below its question, and what shows one of several. */
const openers = '[aria-expanded][aria-controls]:not([aria-haspopup]), [role="tab"][aria-controls]';
/** Never what a page has to say. */
const decoration =
  'script, style, noscript, template, svg, canvas, iframe, nav, header nav, footer, aside, [role="navigation"], [role="banner"], [role="search"]';

/** The text of a page without what stands around it, and where the page leads. */
export function htmlText(markup: string, address: string | null): Extracted {
  const document = parsePage(markup);
  const heading = document.querySelector('h1')?.textContent ?? '';
  const title = tidy(document.querySelector('title')?.textContent ?? '') || tidy(heading);
  const language = languageTag(document.documentElement?.getAttribute('lang'));
  const links = linksIn(document, address);
  for (const element of document.querySelectorAll(decoration)) element.remove();
  openParts(document);
  removeForms(document);
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

/** What a visitor opens is text like any other; what else is hidden says nothing. */
function openParts(document: PageDocument): void {
  const opened = new Set<string | null>();
  for (const opener of document.querySelectorAll(openers)) {
    opened.add(opener.getAttribute('aria-controls'));
    // Readability takes buttons out, and with them the questions that they are.
    if (opener.localName === 'button') opener.replaceWith(textInPlaceOf(opener));
  }
  for (const element of document.querySelectorAll('[hidden], [aria-hidden="true"]')) {
    const id = element.getAttribute('id');
    if (id !== null && opened.has(id))
      for (const name of ['hidden', 'aria-hidden']) element.removeAttribute(name);
    else element.remove();
  }
}

function textInPlaceOf(button: PageElement) {
  const document = button.ownerDocument;
  const text = document.createTextNode(button.textContent ?? '');
  if (button.closest('h1, h2, h3, h4, h5, h6, dt, summary') !== null) return text;
  const paragraph = document.createElement('p');
  paragraph.append(text);
  return paragraph;
}

function removeForms(document: PageDocument): void {
  const whole = ownLength(document.body);
  for (const form of document.querySelectorAll('form')) {
    const own = ownLength(form);
    if (own === 0 || own < whole * formShare) form.remove();
  }
}

/** Characters that an element says beside its fields and what may be chosen in them. */
function ownLength(element: PageElement): number {
  const lengthOf = (part: PageElement) => tidy(part.textContent ?? '').length;
  // A field in another one, as the choices in their label, is measured with that.
  const outer = [...element.querySelectorAll(fields)].filter(
    (field) => !field.parentElement?.closest(fields),
  );
  return lengthOf(element) - outer.reduce((sum, field) => sum + lengthOf(field), 0);
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
