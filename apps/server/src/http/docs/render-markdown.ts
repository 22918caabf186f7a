import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape-html.ts';
import { exampleHtml } from './example-html.ts';
import type { Page, Section } from './page.ts';

const captions: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  background: 'A terminal of its own; Ctrl+C ends it',
  html: 'HTML',
  json: 'JSON',
  js: 'JavaScript',
  tsx: 'TypeScript',
  python: 'Python',
  text: 'Output',
};

/**
 * A page written in Markdown: one `#` heading, then sections. A code block is called `language title`, the title being
 * the file that it goes into, or `background`. A test runs them all, but those that end with `shown:` and the reason.
 */
export function renderMarkdown(slug: string, markdown: string): Page {
  const ids = new Map<Token, string>();
  const marked = new Marked({
    renderer: {
      heading(token) {
        const id = ids.get(token);
        const name = id === undefined ? '' : ` id="${id}"`;
        return `<h${token.depth}${name}>${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [language = '', title = ''] = lang.replace(/ shown:.*/, '').split(' ');
        return exampleHtml(text, captions[title] ?? (title || (captions[language] ?? language)));
      },
      table(token) {
        const cell = (tag: string, { tokens }: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const head = token.header.some(({ text }) => text !== '')
          ? `<thead><tr>${token.header.map((each) => cell('th', each)).join('')}</tr></thead>`
          : '';
        const rows = token.rows.map((row) => `<tr>${row.map((each) => cell('td', each)).join('')}</tr>`);
        return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>`;
      },
      // A page is made of Markdown: what looks like HTML is shown as it is.
      html: ({ text }) => escapeHtml(text),
    },
  });
  const tokens = marked.lexer(markdown);
  const [title, ...rest] = tokens;
  if (title?.type !== 'heading' || title.depth !== 1)
    throw new Error(`${slug}.md does not begin with a title.`);
  const sections = sectionsOf(rest, ids);
  const summary = plainText(rest.find(({ type }) => type === 'paragraph'));
  return { slug, title: plainText(title), summary, html: marked.parser(tokens), sections };
}

/** Gives each heading an id that is its own, and collects what stands under it. */
function sectionsOf(tokens: readonly Token[], ids: Map<Token, string>): Section[] {
  const sections: Section[] = [{ id: '', heading: '', listed: false, text: '' }];
  for (const token of tokens) {
    const current = sections.at(-1);
    if (token.type === 'heading' && token['depth'] <= 3) {
      const heading = plainText(token);
      const id = heading
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
      if (sections.some((section) => section.id === id))
        throw new Error(`Two headings are called ${heading}.`);
      ids.set(token, id);
      sections.push({ id, heading, listed: token['depth'] === 2, text: '' });
    } else if (current)
      sections[sections.length - 1] = { ...current, text: `${current.text} ${plainText(token)}`.trim() };
  }
  return sections;
}

function plainText(token: Token | undefined): string {
  if (!token) return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flat()
      .map((cell) => cell.tokens.map(plainText).join(''))
      .join(' ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => item.tokens.map(plainText).join(' ')).join(' ');
  if (token.type === 'code') return '';
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? String(token['text']) : '';
}
