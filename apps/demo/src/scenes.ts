import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnail, type ThumbnailKind } from './thumbnail.ts';

interface Scene {
  readonly address: string;
  readonly title: string;
  readonly says: string;
  readonly shows: ThumbnailKind;
  /** What puts the widget there, where it is no tag of the page. */
  readonly code?: string;
}

const scenes: readonly Scene[] = [
  {
    address: '/scenes/script-tag.html',
    title: 'Script tag',
    says: 'One tag, calls before it has loaded, a launcher of the page’s own, events.',
    shows: 'bubble',
  },
  {
    address: '/scenes/inline.html',
    title: 'Inline',
    says: 'The conversation as a part of the page.',
    shows: 'inline',
  },
  {
    address: '/scenes/iframe.html',
    title: 'Iframe',
    says: 'A frame on an origin of its own, and the channel between page and frame.',
    shows: 'inline',
  },
  {
    address: '/apps/react.html',
    title: 'React',
    says: 'The typed component.',
    shows: 'inline',
    code: `import { ParleyChat } from '@parley/widget/react';

<ParleyChat service="{{service}}" publishableKey="{{fernhill}}" />`,
  },
  {
    address: '/apps/vite.html',
    title: 'npm in a Vite app',
    says: 'The custom element and the function.',
    shows: 'bubble',
    code: `import { createWidget } from '@parley/widget';

createWidget({ service: '{{service}}', key: '{{fernhill}}' });`,
  },
  {
    address: '/apps/frame.html',
    title: 'Iframe and package',
    says: 'The channel of a frame by connectFrame.',
    shows: 'inline',
    code: `import { connectFrame } from '@parley/widget';

connectFrame(iframe, { unread: (count) => badge(count), close: () => hide() });`,
  },
  {
    address: '/scenes/before-first-message.html',
    title: 'Before the first message',
    says: 'A consent and a form, which are settings of the agent.',
    shows: 'form',
  },
  {
    address: '/scenes/teaser.html',
    title: 'Teaser',
    says: 'A line beside the launcher, once.',
    shows: 'teaser',
  },
  {
    address: '/scenes/two.html',
    title: 'Two widgets',
    says: 'Two agents on one page, each with a key and a conversation of its own.',
    shows: 'two',
  },
  {
    address: '/scenes/strict.html',
    title: 'Strict policy',
    says: 'Nonce, Trusted Types, a pinned loader with hashes.',
    shows: 'bubble',
  },
  {
    address: '/scenes/spa.html',
    title: 'Single page',
    says: 'Made and destroyed with a route.',
    shows: 'bubble',
    code: `parley('init', { key: '{{fernhill}}' });
parley('destroy');`,
  },
  {
    address: '/scenes/rtl.html',
    title: 'Right to left',
    says: 'Arabic, in a page that reads from the right.',
    shows: 'rtl',
  },
  { address: '/scenes/dark.html', title: 'Dark', says: 'A dark page.', shows: 'dark' },
  {
    address: '/scenes/hostile.html',
    title: 'Hostile styles',
    says: 'A page that restyles everything; its twin without the styles is calm.html.',
    shows: 'hostile',
  },
  {
    address: '/scenes/old-page.html',
    title: 'Old page',
    says: 'Changed prototypes, replaced globals.',
    shows: 'bubble',
  },
];

const sites = join(import.meta.dirname, '../sites');

/** The list of scenes, each with a small drawing and the code that makes it. Its placeholders are the page's. */
export async function scenesHtml(): Promise<string> {
  const items = await Promise.all(
    scenes.map(async ({ address, title, says, shows, code }) => {
      const shown = code ?? tagsOf(await readFile(join(sites, address), 'utf8'));
      return `<li>
<a href="${address}" class="picture" tabindex="-1" aria-hidden="true">${thumbnail(shows)}</a>
<div><h3><a href="${address}">${title}</a></h3><p class="meta">${says}</p></div>
<pre tabindex="0"><code>${escapeHtml(shown)}</code></pre>
</li>`;
    }),
  );
  return items.join('\n');
}

/** The tags of a page that put the widget into it, without what only its policy asks for. */
function tagsOf(page: string): string {
  const tags = page.match(/<script[^>]*parley\.js[^>]*>\s*<\/script>|<iframe[^>]*>\s*<\/iframe>/g) ?? [];
  return tags
    .map((tag) =>
      tag
        .replace(/\s*nonce="\{\{nonce\}\}"/, '')
        .replace(/\s*sandbox="[^"]*"/, '')
        .replace(/<script\s+async\s+/, '<script async ')
        .replaceAll(/\s*\n\s*/g, '\n  ')
        .replace(/\s*>\s*<\//, '></'),
    )
    .join('\n');
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
