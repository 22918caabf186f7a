/** Addresses that wait to be read, beyond which more are not looked at. */
export const maxKnown = 20_000;
/** Characters of an address: every one that is known is kept, and a place of the store. */
const maxAddressLength = 2_000;
/** What is never a page to read. */
const otherFiles =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|json|map|woff2?|ttf|mp[34]|webm|ogg|wav|mov|avi|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|iso|deb|rpm|apk|jar|pdf|docx?|xlsx?|pptx?|csv|rss|atom)$/i;

/** The pages of one website in the order in which they are to be read, each once. */
export class Frontier {
  #site: URL;
  readonly #known = new Set<string>();
  readonly #waiting: string[] = [];
  #isBeyond = false;

  constructor(site: URL) {
    this.#site = site;
  }

  /** Whether an address is one of this website, the same host with or without `www.`, and short enough to be kept. */
  isOfSite(url: URL): boolean {
    return (
      url.href.length <= maxAddressLength &&
      /^https?:$/.test(url.protocol) &&
      bareHost(url) === bareHost(this.#site)
    );
  }

  /** `listed`: the website itself names it as a page. */
  add(address: string, listed = false): void {
    if (this.#isBeyond || address.length > maxAddressLength) return;
    const url = URL.parse(address, this.#site.href);
    if (url === null || !this.isOfSite(url) || otherFiles.test(url.pathname)) return;
    // A page behind a query is often one of endlessly many.
    if (url.search !== '' && !listed) return;
    url.hash = '';
    url.protocol = this.#site.protocol;
    url.host = this.#site.host;
    if (this.#known.has(url.href)) return;
    if (this.#known.size >= maxKnown) {
      this.#isBeyond = true;
      return;
    }
    this.#known.add(url.href);
    this.#waiting.push(url.href);
  }

  /** Says that an address has been read under another one; false: it had been before. */
  reached(address: string): boolean {
    if (this.#known.has(address)) return false;
    this.#known.add(address);
    return true;
  }

  /** From now on the website is at the scheme and host of this address, to which its first page has redirected. */
  moveTo(address: URL): void {
    this.#site = address;
  }

  /** Whether there are more addresses than are looked at. */
  isBeyond(): boolean {
    return this.#isBeyond;
  }

  /** What nobody has taken. */
  waiting(): readonly string[] {
    return this.#waiting;
  }

  take(): string | null {
    return this.#waiting.shift() ?? null;
  }
}

const bareHost = ({ host }: URL) => host.replace(/^www\./, '');
