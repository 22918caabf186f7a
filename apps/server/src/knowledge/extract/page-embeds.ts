import { parsePage } from './parse-page.ts';

const maxEmbeds = 10;
const maxPolicies = 5;
const maxLength = 4_000;

/** One widget that a page asks for. */
export interface PageEmbed {
  readonly kind: 'script' | 'element' | 'frame';
  /** Of the service that it is loaded from; null where the page does not say. */
  readonly origin: string | null;
  readonly key: string | null;
  readonly nonce: string | null;
}

export interface PageEmbeds {
  readonly embeds: readonly PageEmbed[];
  /** What the page itself says of what it may load. */
  readonly policies: readonly string[];
}

interface Tag {
  getAttribute(name: string): string | null;
}

export function pageEmbeds({
  html,
  address,
}: {
  readonly html: string;
  readonly address: string;
}): PageEmbeds {
  const document = parsePage(html);
  const attribute = (element: Tag, name: string) =>
    element.getAttribute(name)?.trim().slice(0, maxLength) || null;
  const loaded = (element: Tag, kind: PageEmbed['kind'], file: RegExp): PageEmbed[] => {
    const url = URL.parse(attribute(element, 'src') ?? '', address);
    if (url === null || !file.test(url.pathname)) return [];
    const key = url.searchParams.get('key') ?? attribute(element, 'data-key');
    return [{ kind, origin: url.origin, key, nonce: attribute(element, 'nonce') }];
  };
  const all = (selector: string): Tag[] => [...document.querySelectorAll(selector)];
  const embeds = [
    ...all('script[src]').flatMap((script) => loaded(script, 'script', /\/v[\d.]+\/parley\.js$/)),
    ...all('iframe[src]').flatMap((frame) => loaded(frame, 'frame', /\/v1\/frame$/)),
    ...all('parley-chat').map((element): PageEmbed => {
      const origin = URL.parse(attribute(element, 'service') ?? '')?.origin ?? null;
      return { kind: 'element', origin, key: attribute(element, 'publishable-key'), nonce: null };
    }),
  ];
  const policies = all('meta[http-equiv]')
    .filter((meta) => /^content-security-policy$/i.test(attribute(meta, 'http-equiv') ?? ''))
    .flatMap((meta) => attribute(meta, 'content') ?? []);
  return { embeds: embeds.slice(0, maxEmbeds), policies: policies.slice(0, maxPolicies) };
}
