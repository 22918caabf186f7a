import { beforeAll, expect, test } from 'vitest';
import { buildDocs, type Docs } from './build-docs.ts';

let docs: Docs;
beforeAll(async () => {
  docs = await buildDocs({ platform: 'parley', publicUrl: 'https://chat.example' });
});

const pages = () =>
  [...docs.files]
    .filter(([, { mediaType }]) => mediaType.startsWith('text/html'))
    .map(([slug, { bodies }]) => ({
      slug,
      html: String(bodies.identity),
    }));
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

/** What the service serves beside the documentation, and what is elsewhere. */
const elsewhere =
  /^(?:\/console|\/openapi\.json|https:\/\/github\.com\/.*|https:\/\/www\.standardwebhooks\.com\/|http:\/\/localhost:8080)$/;

test('every link leads to a page that there is, and to a heading on it', () => {
  const known = new Map(pages().map(({ slug, html }) => [slug, new Set(idsOf(html))]));
  const followed = pages().flatMap(({ slug, html }) => {
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
    return links.map((link) => {
      if (elsewhere.test(link) || link === 'data:,') return null;
      const { pathname, hash } = new URL(link, `https://chat.example/docs/${slug}`);
      const target = pathname.replace(/^\/docs\/?/, '');
      expect([...docs.files.keys()], `${link} on ${slug}`).toContain(target);
      if (hash !== '') expect(known.get(target)?.has(hash.slice(1)), `${link} on ${slug}`).toBe(true);
      return link;
    });
  });
  expect(followed.filter(Boolean).length).toBeGreaterThan(1_000);
});

test('every page has a title and a summary of its own, each id once, and is reached by going on', () => {
  const titles = pages().map(({ html }) => /<title>(.*)<\/title>/.exec(html)?.[1]);
  expect(new Set(titles).size).toBe(pages().length);
  const summaries = pages().map(({ html }) => /name="description" content="([^"]+)"/.exec(html)?.[1]);
  expect(new Set(summaries).size).toBe(pages().length);
  for (const { slug, html } of pages()) {
    expect(new Set(idsOf(html)).size, slug).toBe(idsOf(html).length);
    expect(html.match(/<h1/g), slug).toHaveLength(1);
    expect(html, slug).not.toContain('{{service}}');
  }
  const walked = [];
  for (let next: string | undefined = '/docs'; next !== undefined;) {
    walked.push(next);
    const html: string = String(docs.files.get(next.replace(/^\/docs\/?/, ''))?.bodies.identity);
    next = /rel="next" href="([^"]+)"/.exec(html)?.[1];
  }
  expect(walked).toHaveLength(pages().length);
});

test('what stands on the pages is found by the search', () => {
  const index = JSON.parse(String(docs.files.get('search.json')?.bodies.identity)) as Record<
    string,
    string
  >[];
  const found = (heading: string) => index.find((section) => section['heading'] === heading)?.['url'];
  expect(found('Rotate SECRET_KEY_BASE')).toBe('/docs/secure#rotate-secret-key-base');
  expect(found('POST /api/v1/agent/chat')).toBe('/docs/reference-chat#chat');
  expect(found('QUOTA_EXCEEDED')).toBe('/docs/errors#QUOTA_EXCEEDED');
});

test('a service of another name calls headers, paths and tokens by its own', async () => {
  const { files } = await buildDocs({ platform: 'acme', publicUrl: 'https://chat.example' });
  const said = [...files]
    .filter(([slug]) => !slug.startsWith('docs.'))
    .flatMap(([slug, { bodies }]) =>
      [
        ...String(bodies.identity).matchAll(
          /x-parley-(?!console)[\w-]+|\/parley\/v1\S*|parley:…|\{\{platform\}\}/g,
        ),
      ].map(([found]) => `${slug}: ${found}`),
    );
  expect(said).toEqual([]);
});
