import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from './tenant.ts';

const pages = join(import.meta.dirname, '../../server/docs');

/** Explains Parley on the front page, in the words of its documentation: no key and no network are needed. */
export const guide: Tenant = {
  slug: 'guide',
  name: 'Parley',
  agent: {
    name: 'Parley',
    instructions: 'You explain Parley to developers, in the words of its documentation.',
    widget: {
      name: 'Ask about Parley',
      greeting: 'Hello! I have read the documentation. What would you like to build?',
      prompts: [
        'How do I put it on my page?',
        'Can it use my own model?',
        'How long is a conversation kept?',
        'What happens after a crash?',
      ],
      accent: '#3450a3',
    },
    model: { provider: 'quoting' },
    files: { types: [] },
  },
  tools: () => [],
  async sources(service) {
    const names = (await readdir(pages)).filter((name) => name.endsWith('.md') && name !== '404.md');
    return Promise.all(
      names.map(async (name) => {
        const markdown = await readFile(join(pages, name), 'utf8');
        const slug = name.slice(0, -'.md'.length);
        const title = /^# (.*)$/m.exec(markdown)?.[1] ?? slug;
        const url = slug === 'index' ? `${service}/docs` : `${service}/docs/${slug}`;
        return { kind: 'text', name: title, url, text: proseOf(markdown) };
      }),
    );
  },
  answer: () => Promise.resolve(undefined),
};

/** What can be quoted: neither code to copy, nor tables, nor links that lead nowhere from a chat. */
const proseOf = (markdown: string) =>
  markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/^\|.*\|$\n?/gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('{{platform}}', 'parley')
    .replaceAll(/\n{3,}/g, '\n\n');
