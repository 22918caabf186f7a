import { openapiDocument } from '@parley/protocol/openapi';
import { type ProblemCode, problemStatus } from '@parley/protocol/problem';
import type { Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { docsUrl } from '../docs/contents.ts';
import type { Page, Section } from '../docs/page.ts';
import { escapeHtml } from '../docs/escape-html.ts';
import type { Schemas } from './json-schema.ts';
import { operationHtml } from './operation-html.ts';
import { problemHelp } from './problem-help.ts';
import { prose } from './prose.ts';
import { namesOf, schemaHtml } from './schema-html.ts';

interface Chapter {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly Route['tag'][];
}

const chapters: readonly Chapter[] = [
  {
    slug: 'reference-chat',
    title: 'Chat, call by call',
    summary: 'One request, one reply. The service keeps the conversation under an id of your choice.',
    tags: ['Chat'],
  },
  {
    slug: 'reference-sessions',
    title: 'Sessions, call by call',
    summary: 'A conversation as a log of events, which can be followed, left and taken up again.',
    tags: ['Sessions'],
  },
  {
    slug: 'reference-settings',
    title: 'Settings, call by call',
    summary: 'Tenants, agents, keys, tools and what agents know: whatever the console does.',
    tags: ['Settings'],
  },
  {
    slug: 'reference-service',
    title: 'Widget and service',
    summary: 'What pages load, and what operators and machines ask.',
    tags: ['Widget', 'Service'],
  },
];

/** The pages that the route table and its schemas make. */
export function referencePages({
  platform,
  publicUrl,
}: {
  readonly platform: string;
  readonly publicUrl: string;
}): Page[] {
  const table: readonly Route[] = routes(platform);
  const { schemas } = openapiDocument(platform)['components'] as { schemas: Schemas };
  const named = (text: string) => text.replaceAll('{{platform}}', platform);
  return [...chapters.map((chapter) => chapterPage(chapter, { table, schemas, publicUrl })), errorPage()].map(
    (page) => ({
      ...page,
      html: named(page.html),
      sections: page.sections.map((section) => ({ ...section, text: named(section.text) })),
    }),
  );
}

function chapterPage(
  { slug, title, summary, tags }: Chapter,
  {
    table,
    schemas,
    publicUrl,
  }: { readonly table: readonly Route[]; readonly schemas: Schemas; readonly publicUrl: string },
): Page {
  const own = table.filter(({ tag }) => tags.includes(tag));
  const names = namesOf(own, schemas);
  const link = (name: string) => `#schema-${name}`;
  const operations = own.map((route) => operationHtml(route, { schemas, publicUrl, link }));
  const described = names.map((name) => schemaHtml(name, schemas, link));
  const machine = '<p>The same for machines: <a href="/openapi.json">openapi.json</a>.</p>';
  const sections: Section[] = [
    { id: '', heading: '', listed: false, text: summary },
    ...own.map(({ name, method, path, summary: text }) => ({
      id: name,
      heading: `${method.toUpperCase()} ${path}`,
      label: text.replace(/[.,:;].*/, ''),
      listed: true,
      text,
    })),
    { id: 'schemas', heading: 'What is said', listed: names.length > 0, text: '' },
    ...names.map((name) => ({ id: `schema-${name}`, heading: name, listed: false, text: '' })),
  ];
  return {
    slug,
    title,
    summary,
    sections,
    html: `<h1>${title}</h1><p>${summary}</p>${machine}${operations.join('')}${names.length > 0 ? `<h2 id="schemas">What is said</h2>${described.join('')}` : ''}`,
  };
}

function errorPage(): Page {
  const title = 'Errors';
  const summary = 'Every error is JSON of one form. Its code says what happened, and this page what to do.';
  const codes = Object.keys(problemStatus) as ProblemCode[];
  const rows = codes.map((code) => {
    const { when, whatToDo } = problemHelp[code];
    return `<section id="${code}"><h2><code>${code}</code> <small>${problemStatus[code]}</small></h2><p>${prose(when)}</p><p><b>What to do:</b> ${prose(whatToDo)}</p></section>`;
  });
  const form = `<p><code>error</code> is a sentence, <code>requestId</code> finds the request in the log of the service, <code>retryAfter</code> is how many seconds to wait. The other fields are in the <a href="${docsUrl('reference-chat')}#schema-Problem">reference</a>.</p>`;
  return {
    slug: 'errors',
    title,
    summary,
    html: `<h1>${title}</h1><p>${escapeHtml(summary)}</p>${form}${rows.join('')}`,
    sections: [
      { id: '', heading: '', listed: false, text: summary },
      ...codes.map((code) => ({
        id: code,
        heading: code,
        listed: true,
        text: `${problemStatus[code]} ${problemHelp[code].when} ${problemHelp[code].whatToDo}`,
      })),
    ],
  };
}
