import { languageTag, type PageDocument, parsePage, tidy } from './parse-page.ts';

const maxText = 500;
const maxTopics = 60;
const maxSheets = 4;
/** Characters of the styles that stand in the page itself. */
const maxInlineCss = 300_000;

/** What a home page says of the website, and what it looks like. */
export interface WebsiteFace {
  readonly title: string;
  readonly siteName: string;
  readonly description: string;
  readonly language: string | null;
  /** Colours that the page declares for the browser to take on. */
  readonly declared: readonly string[];
  readonly manifest: string | null;
  readonly styleSheets: readonly string[];
  readonly css: string;
  /** Its headings, then the words of its navigation. */
  readonly topics: readonly string[];
}

export function websiteFace({
  html,
  address,
}: {
  readonly html: string;
  readonly address: string;
}): WebsiteFace {
  const document = parsePage(html);
  const content = (selector: string) => said(document.querySelector(selector)?.getAttribute('content'));
  const base =
    URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', address)?.href ?? address;
  const linked = (selector: string) =>
    [...document.querySelectorAll(selector)].flatMap((link) => {
      const url = URL.parse(link.getAttribute('href') ?? '', base);
      return url && /^https?:$/.test(url.protocol) ? [url.href] : [];
    });
  return {
    title: said(document.querySelector('title')?.textContent),
    siteName:
      content('meta[property="og:site_name"]') ||
      content('meta[name="application-name"]') ||
      content('meta[name="apple-mobile-web-app-title"]'),
    description: content('meta[name="description"]') || content('meta[property="og:description"]'),
    language: languageOf(document, content('meta[property="og:locale"]')),
    declared: [
      ...document.querySelectorAll('meta[name="theme-color"], meta[name="msapplication-TileColor"]'),
    ].map((meta) => said(meta.getAttribute('content'))),
    manifest: linked('link[rel~="manifest"]')[0] ?? null,
    styleSheets: linked('link[rel~="stylesheet"]').slice(0, maxSheets),
    css: inlineCss(document),
    topics: topicsOf(document),
  };
}

const said = (text: string | null | undefined) =>
  tidy(text ?? '')
    .slice(0, maxText)
    .toWellFormed();

function languageOf(document: PageDocument, locale: string): string | null {
  return languageTag(document.documentElement?.getAttribute('lang')?.trim() || locale);
}

function inlineCss(document: PageDocument): string {
  const sheets = [...document.querySelectorAll('style')].map((style) => style.textContent ?? '');
  const attributes = [...document.querySelectorAll('[style]')].map(
    (each) => each.getAttribute('style') ?? '',
  );
  return [...sheets, ...attributes].join('\n').slice(0, maxInlineCss);
}

function topicsOf(document: PageDocument): string[] {
  const texts = [
    ...document.querySelectorAll('h1, h2, h3, summary'),
    ...document.querySelectorAll('nav a'),
  ].map((element) => said(element.textContent));
  return [...new Set(texts.filter(Boolean))].slice(0, maxTopics);
}
