import { parseHTML } from 'linkedom';
import type { MarkupNode } from './markdown-of.ts';

const maxNesting = 500;

export type PageDocument = ReturnType<typeof parseHTML>['document'];

/** Throws `RangeError` for what is nested without end: all that is done with a document takes time with the square of its depth. */
export function parsePage(markup: string): PageDocument {
  // A parser of HTML drops it, and no store of text keeps it.
  const html = markup.replaceAll('\0', '');
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  rejectTooDeep(document.documentElement);
  addBody(document);
  return document;
}

/** HTML may leave out the tags of its body, which this parser does not add. */
function addBody(document: PageDocument): void {
  const root = document.documentElement;
  const children = [...root.children];
  if (children.some(({ localName }) => localName === 'body' || localName === 'frameset')) return;
  const body = document.createElement('body');
  const others = root.childNodes.filter((child: object) => child !== document.head);
  for (const child of others) body.append(child);
  root.append(body);
}

function rejectTooDeep(root: MarkupNode | null): void {
  let level = root ? [root] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxNesting) throw new RangeError('nested too deeply');
    level = level.flatMap((node) => [...node.childNodes]);
  }
}

/** A language as BCP 47 names it; null for anything else, which may be of any length. */
export function languageTag(text: string | null | undefined): string | null {
  const tag = text?.trim().replaceAll('_', '-') ?? '';
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(tag) ? tag : null;
}

export const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
