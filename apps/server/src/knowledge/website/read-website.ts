import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SourceReading, SourceSettings } from '@parley/protocol/settings/source';
import type { Egress } from '../../egress/egress.ts';
import { moreProblems } from '../../settings/problem-count.ts';
import type { KnowledgeStore } from '../../store/knowledge-store.ts';
import type { Extractor } from '../extract/extractor.ts';
import { indexDocument, isFurtherPart } from '../index-document.ts';
import { nextReading, removePages } from '../read-source.ts';
import { type FetchedPage, fetchPage, userAgent } from './fetch-page.ts';
import { Frontier, maxKnown } from './frontier.ts';
import { isGarbled } from './is-garbled.ts';
import { readRobots } from './read-robots.ts';
import type { Robots } from './robots.ts';
import { maxSiteMapBytes, readSiteMap } from './site-map.ts';

/** Pages of one website that are read at once. */
const atOnce = 3;
const maxSiteMaps = 20;
/** Sitemaps that are named, of which the first are read. */
const maxNamedSiteMaps = 1_000;
/** A sitemap may be a thousand times as large as a page. */
const siteMapTimeoutMs = 60_000;
/** Addresses of a sitemap that are looked at before other work runs. */
const listedAtOnce = 1_000;
const maxProblems = 50;
const maxProblemLength = 500;
/** Addresses that one reading leaves for the next one, and their characters: every look at what is due reads them. */
const maxUnread = 500;
const maxUnreadLength = 50_000;
/** Places of the reading before that are asked for at once. */
const placesPage = 500;
/** What one reading takes at most: a slow website is not read for days. What is left stays as it was. */
const maxReadingMs = 60 * 60 * 1_000;
/** Between two looks at whether the reading is still wanted. */
const progressMs = 1_000;

export type Website = Extract<SourceSettings, { kind: 'website' }>;

interface ReadWebsiteDeps {
  readonly store: KnowledgeStore;
  readonly egress: Pick<Egress, 'request'>;
  readonly extractor: Pick<Extractor, 'extract'>;
  readonly tenantId: string;
  /**
   * What is done with a page that has not changed: `keep` asks for none, `follow` reads its links, which may lead to pages
   * that the reading before did not have, `index` indexes it, which another version of the service may have done otherwise.
   */
  readonly unchanged: 'keep' | 'follow' | 'index';
  /** What the reading before knew of and could not read: what leads there may not have changed. */
  readonly unread: readonly string[];
  readonly signal: AbortSignal;
  /** Told now and then; false: nobody wants this reading any more. */
  readonly progress: (reading: SourceReading) => Promise<boolean>;
}

export interface ReadingOfWebsite {
  readonly reading: SourceReading;
  /** What could not be read; null: too much to be kept. */
  readonly unread: readonly string[] | null;
}

/** Reads a website page by page, from its start, its sitemaps and its links. Null when it is not wanted any more. */
export async function readWebsite(site: Website, deps: ReadWebsiteDeps): Promise<ReadingOfWebsite | null> {
  const website = new WebsiteReading(site, deps);
  const reading = await website.run();
  return reading && { reading, unread: website.unread() };
}

class WebsiteReading {
  readonly #site: Website;
  readonly #deps: ReadWebsiteDeps;
  readonly #readAt = new Date(Date.now()).toISOString();
  #reading = 0;
  readonly #start: URL;
  readonly #frontier: Frontier;
  /** What each origin of the website asks of its readers: it may lead to another one than it was named by. */
  readonly #rules = new Map<string, Awaited<ReturnType<typeof readRobots>>>();
  readonly #versions = new Map<string, string | null>();
  readonly #problems: string[] = [];
  readonly #unread = new Set<string>();
  #problemCount = 0;
  #pages = 0;
  #begun = 0;
  #passages = 0;
  #wanted = true;
  #toldAt = performance.now();
  readonly #endsAt = performance.now() + maxReadingMs;
  #isCutShort = false;

  constructor(site: Website, deps: ReadWebsiteDeps) {
    this.#site = site;
    this.#deps = deps;
    this.#start = new URL(site.url);
    this.#frontier = new Frontier(this.#start);
  }

  async run(): Promise<SourceReading | null> {
    const { store } = this.#deps;
    const { id } = this.#site;
    this.#reading = await nextReading(store, id);
    const robots = await this.#rulesOf(this.#start.href);
    if (this.#isUnwanted()) return null;
    if ('problem' in robots) {
      this.#problem(this.#site.url, robots.problem);
      return this.#state('failed', await store.countSource(id));
    }
    this.#frontier.add(this.#site.url, true);
    await this.#loadPlaces();
    // The first page is read alone: where it leads may be all that there is, and it says where the website really is.
    const first = this.#frontier.take();
    if (first === null)
      this.#problem(this.#site.url, 'It is a file, and no page with links. Save it, and add the file.');
    await this.#read(first);
    if (this.#isUnwanted()) return null;
    const siteMaps: string[] = [];
    for (const rules of this.#rules.values()) {
      // Where it leads, nothing is read either.
      if ('problem' in rules) return this.#state('failed', await store.countSource(id));
      siteMaps.push(...rules.getSitemaps());
    }
    await this.#addSiteMaps(siteMaps);
    for (const address of [...this.#versions.keys(), ...this.#deps.unread]) this.#frontier.add(address, true);
    const readers = Array.from({ length: atOnce }, async () => {
      for (let next = this.#take(); next !== null; next = this.#take()) await this.#read(next);
    });
    await Promise.all(readers);
    if (this.#isUnwanted()) return null;
    if (this.#pages === 0) {
      const { pages, passages } = await store.countSource(id);
      return this.#state('failed', { pages, passages });
    }
    if (this.#frontier.isBeyond())
      this.#remark(this.#site.url, `Of its addresses, ${maxKnown.toLocaleString('en')} are looked at.`);
    if (!this.#isCutShort) await removePages(store, id, this.#reading);
    return this.#state('read', await store.countSource(id));
  }

  /** What the next reading has to ask for itself, since what leads there may not have changed by then. */
  unread(): readonly string[] | null {
    const addresses = [...this.#unread, ...(this.#isCutShort ? this.#frontier.waiting() : [])];
    const length = addresses.reduce((sum, address) => sum + address.length, 0);
    return addresses.length <= maxUnread && length <= maxUnreadLength ? addresses : null;
  }

  #isUnwanted(): boolean {
    return !this.#wanted || this.#deps.signal.aborted;
  }

  #take(): string | null {
    if (!this.#isCutShort && performance.now() > this.#endsAt) {
      this.#isCutShort = true;
      this.#problem(this.#site.url, 'It answers too slowly: an hour was not enough to read all of it.');
    }
    return !this.#isCutShort && !this.#isUnwanted() && this.#pages < this.#site.maxPages
      ? this.#frontier.take()
      : null;
  }

  async #rulesOf(address: string): Promise<Robots | { readonly problem: string }> {
    const { origin } = new URL(address);
    const rules = this.#rules.get(origin) ?? (await readRobots(address, (url) => this.#loadRobots(url)));
    this.#rules.set(origin, rules);
    return rules;
  }

  /** By the rules of its origin, which are known. */
  #mayRead(address: string): boolean {
    const rules = this.#rules.get(new URL(address).origin);
    if (rules === undefined) return false;
    const isLeftAlone = 'problem' in rules || rules.isDisallowed(address, userAgent) === true;
    if (isLeftAlone)
      this.#problem(
        address,
        'problem' in rules ? rules.problem : 'Its robots.txt asks not to read this page.',
      );
    return !isLeftAlone;
  }

  async #read(address: string | null): Promise<void> {
    if (address === null || !this.#mayRead(address)) return;
    // Counted before it is read, so that no more are begun than may be read; given back when nothing comes of it.
    this.#pages += 1;
    this.#begun += 1;
    if (!(await this.#readPage(address))) this.#pages -= 1;
    await this.#tell();
  }

  /** Whether the page is part of what is known now. */
  async #readPage(address: string): Promise<boolean> {
    const { store } = this.#deps;
    const { id, agentId, language } = this.#site;
    const known = this.#versions.get(address) ?? null;
    const page = await this.#load(address, this.#deps.unchanged === 'keep' ? known : null);
    // Whoever has taken the reading over has read it meanwhile, or will.
    if (this.#isUnwanted()) return false;
    if (page.outcome === 'unchanged') return store.keepPage(id, address, this.#reading);
    if (page.outcome === 'problem') {
      this.#problem(address, page.message);
      // What is out of reach for a while stays known.
      return !page.gone && (await store.keepPage(id, address, this.#reading));
    }
    const { mediaType, text, address: place } = page;
    if (place !== address) {
      await this.#rulesOf(place);
      if (!this.#mayRead(place)) {
        this.#leaveUnread(address);
        return false;
      }
      if (!this.#frontier.reached(place)) return false;
    }
    if (this.#begun === 1) this.#frontier.moveTo(new URL(place));
    if (!/^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)$/.test(mediaType)) {
      this.#problem(address, `It is no page: its type is ${mediaType}.`);
      return false;
    }
    const digest = `sha256 ${createHash('sha256').update(text).digest('base64url')}`;
    const { extractor, tenantId } = this.#deps;
    const extraction = await extractor.extract(tenantId, { mediaType, content: text, address: place });
    if ('problem' in extraction) {
      this.#problem(address, extraction.problem);
      return false;
    }
    const { extracted } = extraction;
    for (const link of extracted.links) this.#frontier.add(link);
    if (this.#deps.unchanged !== 'index' && this.#versions.get(place) === (page.version ?? digest))
      return store.keepPage(id, place, this.#reading);
    if (extracted.text.trim() === '') {
      this.#problem(address, 'It has no text without running its scripts.');
      return false;
    }
    if (isGarbled(extracted.text)) {
      this.#problem(address, 'Its text is neither in the encoding that it names nor in UTF-8.');
      return false;
    }
    const { passages, gone } = await indexDocument(
      store,
      { sourceId: id, agentId, reading: this.#reading },
      {
        place,
        title: extracted.title || new URL(place).pathname,
        address: place,
        language: extracted.language ?? language ?? null,
        version: page.version ?? digest,
        text: extracted.text,
      },
    );
    if (gone) this.#wanted = false;
    this.#passages += passages;
    return passages > 0;
  }

  #load(url: string, version: string | null): Promise<FetchedPage> {
    const accept = 'text/html, application/xhtml+xml, text/plain, text/markdown, application/xml;q=0.8';
    const follows = (target: URL) => this.#frontier.isOfSite(target);
    return this.#page({ url, version, accept, follows });
  }

  #loadRobots(url: string): Promise<FetchedPage> {
    return this.#page({
      url,
      version: null,
      accept: 'text/plain, */*;q=0.1',
      isText: true,
      follows: () => true,
    });
  }

  /** A website may be slow with whatever it is asked for, and the reading is another process's when it is silent for long. */
  async #page(request: Omit<Parameters<typeof fetchPage>[1], 'tenantId' | 'signal'>): Promise<FetchedPage> {
    const { egress, tenantId, signal } = this.#deps;
    const page = await fetchPage(egress, { ...request, tenantId, signal });
    await this.#tell();
    return page;
  }

  async #addSiteMaps(named: readonly string[]): Promise<void> {
    const maps = [...named, new URL('/sitemap.xml', this.#start).href];
    const seen = new Set<string>();
    const guessed = maps.at(-1);
    for (const address of maps) {
      const url = URL.parse(address, this.#start.href);
      if (url === null || seen.has(url.href) || !this.#frontier.isOfSite(url)) continue;
      if (seen.size >= maxSiteMaps) {
        this.#remark(url.href, `Only the first ${maxSiteMaps} sitemaps are read.`);
        return;
      }
      seen.add(url.href);
      const page = await this.#addSiteMap(url.href, maps);
      if (this.#isUnwanted() || this.#frontier.isBeyond()) return;
      // A website need not have one where nobody says so.
      if (page.outcome === 'problem' && (address !== guessed || page.status === null))
        this.#remark(url.href, `This sitemap was not read to its end. ${page.message}`);
    }
  }

  /** Adds the pages that a sitemap lists, as they come, and to `maps` the sitemaps that it names. */
  #addSiteMap(url: string, maps: string[]): Promise<FetchedPage> {
    let count = 0;
    const read = (body: AsyncIterable<Buffer>, contentType: string) =>
      readSiteMap(body, contentType, async ({ address, isMap }) => {
        count += 1;
        if (count % listedAtOnce === 0) {
          await setImmediate();
          await this.#tell();
        }
        if (!isMap) this.#frontier.add(address, true);
        else if (maps.length < maxNamedSiteMaps) maps.push(address);
        return !this.#isUnwanted() && !this.#frontier.isBeyond();
      });
    return this.#page({
      url,
      version: null,
      accept: 'application/xml, text/xml, application/gzip, */*;q=0.1',
      timeoutMs: siteMapTimeoutMs,
      stream: { maxBytes: maxSiteMapBytes, read },
      follows: (target) => this.#frontier.isOfSite(target),
    });
  }

  async #loadPlaces(): Promise<void> {
    const { store } = this.#deps;
    for (let after = ''; ;) {
      const places = await store.listPlaces(this.#site.id, { after, limit: placesPage });
      for (const { place, version } of places) if (!isFurtherPart(place)) this.#versions.set(place, version);
      const last = places.at(-1);
      if (!last || places.length < placesPage) return;
      after = last.place;
    }
  }

  #problem(address: string, message: string): void {
    this.#leaveUnread(address);
    this.#remark(address, message);
  }

  /** One more than are kept says that there were too many. */
  #leaveUnread(address: string): void {
    if (this.#unread.size <= maxUnread) this.#unread.add(address);
  }

  #remark(address: string, message: string): void {
    this.#problemCount += 1;
    if (this.#problems.length >= maxProblems - 1) return;
    this.#problems.push(`${address}: ${message}`.slice(0, maxProblemLength).toWellFormed());
  }

  async #tell(): Promise<void> {
    if (performance.now() - this.#toldAt < progressMs) return;
    this.#toldAt = performance.now();
    const counted = { pages: this.#pages, passages: this.#passages };
    this.#wanted &&= await this.#deps.progress(this.#state('reading', counted));
  }

  #state(
    status: SourceReading['status'],
    { pages, passages }: { readonly pages: number; readonly passages: number },
  ): SourceReading {
    const more = this.#problemCount - this.#problems.length;
    const problems = [...this.#problems, ...(more > 0 ? [moreProblems(more)] : [])];
    const readAt = status === 'reading' ? null : this.#readAt;
    return { status, pages, passages, readAt, problems };
  }
}
