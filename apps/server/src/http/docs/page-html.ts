import { contents, docsUrl } from './contents.ts';
import { escapeHtml } from './escape-html.ts';
import type { Page } from './page.ts';

/** A page in its frame: search, all pages, what is on this one, and the pages before and after it. */
export function pageHtml(page: Page, pages: ReadonlyMap<string, Page>): string {
  const { slug, title, summary, html } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${slug === '' ? 'Parley documentation' : `${escapeHtml(title)} · Parley`}</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="/docs"><span aria-hidden="true"></span>Parley</a>
<search id="search" hidden><label for="query" class="hidden">Search the documentation</label><input id="query" type="search" placeholder="Search" autocomplete="off"><p class="hidden" role="status"></p><ul></ul></search>
<nav aria-label="Service"><a class="narrow" href="#pages">Pages</a><a href="/console">Console</a></nav>
</header>
<div class="frame">
<main id="content" tabindex="-1">
${onThisPage(page)}
<article>${html}</article>
${neighbours(slug, pages)}
</main>
<nav id="pages" aria-label="Pages">${contents.map((group) => groupHtml(group, slug, pages)).join('')}</nav>
</div>
</body>
</html>
`;
}

function groupHtml(
  { group, slugs }: (typeof contents)[number],
  current: string,
  pages: ReadonlyMap<string, Page>,
): string {
  const links = slugs.map((slug) => {
    const here = slug === current ? ' aria-current="page"' : '';
    return `<li><a href="${docsUrl(slug)}"${here}>${escapeHtml(pages.get(slug)?.title ?? '')}</a></li>`;
  });
  return `<h2>${group}</h2><ul>${links.join('')}</ul>`;
}

function onThisPage({ sections }: Page): string {
  const listed = sections.filter((section) => section.listed);
  if (listed.length < 2) return '';
  const links = listed.map(
    ({ id, heading, label = heading }) => `<li><a href="#${id}">${escapeHtml(label)}</a></li>`,
  );
  return `<details class="here"><summary>On this page</summary><nav aria-label="On this page"><ul>${links.join('')}</ul></nav></details>`;
}

function neighbours(slug: string, pages: ReadonlyMap<string, Page>): string {
  const all = [...pages.keys()];
  const index = all.indexOf(slug);
  const link = (relation: 'prev' | 'next', says: string, to: string | undefined) => {
    const page = to === undefined ? undefined : pages.get(to);
    return page
      ? `<a rel="${relation}" href="${docsUrl(page.slug)}"><span>${says}</span> ${escapeHtml(page.title)}</a>`
      : '';
  };
  if (index < 0) return '';
  return `<nav class="neighbours" aria-label="Before and after">${link('prev', 'Before', all[index - 1])}${link('next', 'Next', all[index + 1])}</nav>`;
}
