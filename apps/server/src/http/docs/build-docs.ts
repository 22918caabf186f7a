import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { referencePages } from '../reference/reference-pages.ts';
import { staticFile, type StaticFile } from '../static-file.ts';
import { contents, docsUrl } from './contents.ts';
import type { Page } from './page.ts';
import { pageHtml } from './page-html.ts';
import { renderMarkdown } from './render-markdown.ts';

export interface Docs {
  /** By what stands behind `/docs/`; empty for the first page. */
  readonly files: ReadonlyMap<string, StaticFile>;
  /** What is sent in place of a page that there is not. */
  readonly missing: StaticFile;
}

const folder = join(import.meta.dirname, '../../../docs');

interface Served {
  readonly platform: string;
  readonly publicUrl: string;
}

/** Every page, style, script and the index of the search. */
export async function buildDocs(served: Served): Promise<Docs> {
  const generated = new Map(referencePages(served).map((page) => [page.slug, page]));
  const slugs = contents.flatMap((group): readonly string[] => group.slugs);
  const pages = new Map<string, Page>();
  for (const slug of slugs) pages.set(slug, generated.get(slug) ?? (await readPage(slug, served)));
  const nothing = renderMarkdown('404', await readFile(join(folder, '404.md'), 'utf8'));
  const html = 'text/html; charset=utf-8';
  const made: [string, string, string | Buffer][] = [
    ...[...pages].map(([slug, page]): [string, string, string] => [slug, html, pageHtml(page, pages)]),
    ['docs.css', 'text/css; charset=utf-8', await readFile(join(folder, 'assets/docs.css'))],
    ['docs.js', 'text/javascript; charset=utf-8', await readFile(join(folder, 'assets/docs.js'))],
    ['search.json', 'application/json', JSON.stringify(searchIndex([...pages.values()]))],
  ];
  const files = await Promise.all(
    made.map(async ([id, type, body]) => [id, await compressed(type, body)] as const),
  );
  return { files: new Map(files), missing: await compressed(html, pageHtml(nothing, pages)) };
}

async function readPage(slug: string, { platform, publicUrl }: Served): Promise<Page> {
  const text = await readFile(join(folder, `${slug || 'index'}.md`), 'utf8');
  return renderMarkdown(slug, text.replaceAll('{{service}}', publicUrl).replaceAll('{{platform}}', platform));
}

/** Longer sections are found by how they begin. */
const longestText = 1_500;

function searchIndex(pages: readonly Page[]) {
  return pages.flatMap(({ slug, title, sections }) =>
    sections.map(({ id, heading, text }) => ({
      url: docsUrl(slug) + (id && `#${id}`),
      title,
      heading,
      text: text.slice(0, longestText),
    })),
  );
}

async function compressed(mediaType: string, body: string | Buffer): Promise<StaticFile> {
  const identity = Buffer.from(body);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(identity),
  ]);
  return staticFile(mediaType, { identity, br, gzip: gz });
}
