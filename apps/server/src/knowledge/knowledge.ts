import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SourceReading } from '@parley/protocol/settings/source';
import type { AgentProposal, SourcePageView } from '@parley/protocol/settings/website';
import type { Bus } from '../bus/bus.ts';
import type { Egress } from '../egress/egress.ts';
import type { Logger } from '../logger.ts';
import { allRecords } from '../settings/all-records.ts';
import { readingOf, sourceOf, type UnreadPages, unreadPagesOf } from '../settings/source.ts';
import { UnreadableRecordError } from '../settings/unreadable-record-error.ts';
import type { Passage } from '../store/passage.ts';
import type { KnowledgeStore } from '../store/knowledge-store.ts';
import type { Page } from '../store/page.ts';
import type { SettingsStore, SourceRecord } from '../store/settings-store.ts';
import type { Extracted, SourceFileContent } from './extract/extracted.ts';
import { Extractor } from './extract/extractor.ts';
import type { PageEmbeds } from './extract/page-embeds.ts';
import { HeldSources } from './held-sources.ts';
import { indexDocuments, removePages } from './read-source.ts';
import { KnowledgeSearch } from './search-knowledge.ts';
import type { Embedder } from './embedder.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { PassageVectors } from './passage-vectors.ts';
import { QueryVectors } from './query-vectors.ts';
import { similarPassages } from './similar-passages.ts';
import { outlinesOf } from './website/outlines-of.ts';
import { promptsOf } from './website/prompts-of.ts';
import { proposeAgent } from './website/propose-agent.ts';
import { type ReadingOfWebsite, readWebsite } from './website/read-website.ts';

/** A website is read again after a day. */
const rereadMs = 24 * 60 * 60 * 1_000;
/** After it all pages of a website are looked through for links, where some could not be read. */
const followMs = 7 * rereadMs;
/** A process that died lets go of what it read by then; one that reads says so again every second. */
const claimMs = 120_000;
/** Websites that one process reads at once, and those of one tenant: a slow one of somebody else keeps nobody waiting. */
const maxReading = 3;
const maxReadingOfTenant = 2;
/** Titles of one source that prompts are made of. */
const maxTitles = 600;

/** Passages of each order that are fused into one. */
const fused = 30;

interface KnowledgeDeps {
  readonly store: KnowledgeStore;
  readonly sources: SettingsStore['sources'];
  readonly bus: Pick<Bus, 'publish'>;
  readonly egress: Pick<Egress, 'request'>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** What makes vectors for an agent; null: nothing does. */
  readonly embedderOf?: (agentId: string) => Promise<Embedder | null>;
}

/** What agents know: read from their sources, and looked up by their turns. */
export class Knowledge {
  readonly #deps: KnowledgeDeps;
  readonly #owner = randomUUID();
  readonly #extractor = new Extractor();
  /** For what somebody waits for, whatever is being read meanwhile. */
  readonly #asked = new Extractor();
  /** For what takes long to take apart, when somebody means it to. */
  readonly #files = new Extractor();
  readonly #stopping = new AbortController();
  readonly #reading = new Map<string, { readonly tenantId: string; readonly work: Promise<void> }>();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  readonly #held: HeldSources;
  readonly #search: KnowledgeSearch;
  readonly #passageVectors: PassageVectors;
  readonly #queryVectors: QueryVectors;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
    const { store, sources, logger, embedderOf = async () => null } = deps;
    const isBeingRead = (id: string) => this.#reading.has(id);
    this.#held = new HeldSources({ store, sources, save: (...read) => this.#save(...read) });
    this.#search = new KnowledgeSearch(store);
    this.#passageVectors = new PassageVectors({ store, sources, logger, embedderOf, isBeingRead });
    this.#queryVectors = new QueryVectors({ embedderOf, logger });
  }

  async isKnown(agentId: string): Promise<boolean> {
    return (await this.#deps.store.countKnowledge(agentId)).passages > 0;
  }

  search(query: {
    readonly agentId: string;
    readonly query: string;
    readonly limit: number;
  }): Promise<readonly Passage[]> {
    return this.#found(query);
  }

  async #found({ agentId, query, limit }: Parameters<Knowledge['search']>[0]): Promise<readonly Passage[]> {
    const { store } = this.#deps;
    const [byWords, similar] = await Promise.all([
      this.#search.find({ agentId, query, limit: Math.max(limit, fused) }),
      this.#similar(agentId, query),
    ]);
    if (similar.length === 0) return byWords.slice(0, limit);
    const best = fuseRanks([byWords.map(({ key }) => key), similar]).slice(0, limit);
    const known = new Map(byWords.map((passage) => [passage.key, passage]));
    const missing = best.filter((key) => !known.has(key));
    for (const passage of await store.getPassages(missing)) known.set(passage.key, passage);
    return best.flatMap((key) => known.get(key) ?? []);
  }

  async #similar(agentId: string, query: string): Promise<readonly number[]> {
    const wanted = await this.#queryVectors.of(agentId, query);
    if (wanted === null) return [];
    const { model, vector } = wanted;
    return similarPassages(this.#deps.store, { agentId, model }, { vector, limit: fused });
  }

  /** Gives the passages of an agent, or of all, the vectors that they lack. */
  embedDue(agent?: Parameters<PassageVectors['make']>[0]): Promise<void> {
    return this.#passageVectors.make(agent);
  }

  /** What an agent could be like that answers for the website of an address. */
  proposeAgent(
    url: string,
    asked: { readonly caller: string; readonly signal: AbortSignal },
  ): Promise<AgentProposal> {
    return proposeAgent(url, { ...asked, egress: this.#deps.egress, extractor: this.#asked });
  }

  /** What the HTML of a page says of the widgets in it. */
  async embedsIn(
    caller: string,
    page: { readonly html: string; readonly address: string },
  ): Promise<PageEmbeds | string> {
    const outcome = await this.#asked.run(caller, 'embeds', page);
    return 'problem' in outcome ? outcome.problem : outcome.found;
  }

  /** What visitors may want to ask about what a source says. */
  async proposePrompts(sourceId: string): Promise<readonly string[]> {
    const { store } = this.#deps;
    const [first] = await store.listPages(sourceId, { after: '', limit: 1 });
    const titles = await store.listTitles(sourceId, maxTitles);
    return promptsOf(outlinesOf(titles), first?.language ?? null);
  }

  /** What was read of a source. The cursor is the place of a page. */
  async listPages(
    sourceId: string,
    { cursor = '', limit }: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<SourcePageView>> {
    const after = Buffer.from(cursor, 'base64url').toString().replaceAll('\0', '');
    const found = await this.#deps.store.listPages(sourceId, { after, limit: limit + 1 });
    const items = found.slice(0, limit).map(({ title, address, passages }) => ({ title, address, passages }));
    const last = found[limit - 1];
    const next = found.length > limit && last ? Buffer.from(last.place).toString('base64url') : null;
    return { items, next };
  }

  /** Reads a source as it is set now. A website is read in the background, by a process that does such work. */
  async read(record: SourceRecord): Promise<void> {
    const source = sourceOf(record);
    if (source.kind === 'website') {
      const reading = readingOf(record);
      // One that waits already was announced when it was stored.
      if (reading.status !== 'waiting') await this.#save(record, { ...reading, status: 'waiting' });
      return;
    }
    // What is kept of a file is all that there is of it.
    if (source.kind === 'file') return;
    await this.#held.read(source.id);
  }

  /** The text of a file that somebody sends, or in words why it has none. */
  async readFile(tenantId: string, file: SourceFileContent): Promise<Extracted | string> {
    const outcome = await this.#files.run(tenantId, 'file', file);
    return 'problem' in outcome ? outcome.problem : outcome.found;
  }

  /** Keeps what was read of a file. */
  async keepFile(record: SourceRecord, { title, language, text }: Extracted): Promise<void> {
    const known = { title: title || record.name, address: null, language, version: null };
    // Each is cut into passages in one go.
    const parts = text.match(/[^]{1,50000}(?:\n|$)|[^]{1,50000}/g) ?? [];
    const documents = parts.map((part, index) => ({ place: `file ${index}`, ...known, text: part }));
    const reading = await indexDocuments(this.#deps.store, record, documents);
    await this.#save(record, { ...reading, pages: 1 });
  }

  /** Removes all that was read of a source. */
  async forget(record: SourceRecord): Promise<void> {
    await removePages(this.#deps.store, record.id, Number.MAX_SAFE_INTEGER);
    this.#tellAgent(record);
  }

  /**
   * Begins to read the websites that wait for it, or were last read a day ago, as far as there is room for more: those
   * that somebody waits for first, then what was not read for longest.
   */
  readDue(): Promise<void> {
    this.#lookAgain = true;
    // One look at a time: whoever asks meanwhile has another one behind it.
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<void> {
    try {
      while (this.#lookAgain) {
        this.#lookAgain = false;
        await this.#beginDue();
      }
    } finally {
      this.#looking = null;
    }
  }

  async #beginDue(): Promise<void> {
    if (this.#reading.size >= maxReading) return;
    const due = new Map<string, DueSource[]>();
    for await (const record of allRecords(this.#deps.sources, { kind: 'website' })) {
      if (this.#stopping.signal.aborted) return;
      const { id, tenantId, agentId } = record;
      if (this.#reading.has(id) || !isDue(readingOf(record))) continue;
      const ofTenant = [...(due.get(tenantId) ?? []), { id, tenantId, agentId, since: dueSince(record) }];
      due.set(tenantId, ofTenant.toSorted(bySince).slice(0, maxReadingOfTenant));
    }
    for (const source of [...due.values()].flat().toSorted(bySince))
      if (this.#hasRoomFor(source.tenantId)) this.#begin(source);
  }

  /** The last place is for a tenant that has none: two with many slow websites do not keep all others waiting. */
  #hasRoomFor(tenantId: string): boolean {
    const ofTenant = [...this.#reading.values()].filter((each) => each.tenantId === tenantId).length;
    const places = ofTenant === 0 ? maxReading : maxReading - 1;
    return this.#reading.size < places && ofTenant < maxReadingOfTenant;
  }

  /** Ends what is being read; another process, or the next start, reads it again. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#queryVectors.close();
    await Promise.all([
      this.#passageVectors.close(),
      this.#extractor.close(),
      this.#asked.close(),
      this.#files.close(),
    ]);
    await Promise.all([...this.#reading.values()].map(({ work }) => work));
  }

  #begin({ id, tenantId, agentId }: DueSource): void {
    const { logger } = this.#deps;
    const work = this.#claimed(id)
      .catch((err: unknown) => {
        logger.error({ err }, 'a website could not be read');
        return false;
      })
      .then(async (read) => {
        this.#reading.delete(id);
        // A failure waits for the next look at all of them.
        if (!read || this.#stopping.signal.aborted) return;
        // Nobody made vectors for it while it was read, and what was asked for meanwhile has its turn.
        await Promise.all([this.embedDue({ id: agentId, tenantId }), this.readDue()]);
      })
      .catch((err: unknown) => logger.error({ err }, 'websites could not be read'));
    this.#reading.set(id, { tenantId, work });
  }

  /** Reads a website that no other process is reading; false: there was nothing to read. */
  async #claimed(id: string): Promise<boolean> {
    const { store, sources } = this.#deps;
    if (!(await store.claimSource(id, { owner: this.#owner, ttlMs: claimMs }))) return false;
    try {
      // Another process may have read it between the list and the claim.
      const record = await sources.get(id);
      if (record === null || !isDue(readingOf(record))) return false;
      try {
        await this.#readWebsite(record);
      } catch (error) {
        await this.#breakOff(record, error);
        throw error;
      }
      return true;
    } finally {
      await store.releaseSource(id, this.#owner);
    }
  }

  /** Says that a reading has failed, unless somebody has asked for another one meanwhile. */
  async #breakOff(record: SourceRecord, error: unknown): Promise<void> {
    const { sources } = this.#deps;
    const readAt = new Date().toISOString();
    const problems = ['The reading broke off. It is tried again in a day.'];
    for (let now = await sources.get(record.id); now !== null; now = await sources.get(record.id)) {
      const { config, reading } = now;
      // Of one that cannot be read as it is stored no reading ever begins.
      const isBegun = readingOf(now).status === 'reading' || error instanceof UnreadableRecordError;
      if (!isBegun || !isDeepStrictEqual(config, record.config)) return;
      const failed = { ...readingOf(now), status: 'failed', readAt, problems };
      if (await sources.update(record.id, { reading: failed }, undefined, { config, reading })) return;
    }
  }

  async #readWebsite(record: SourceRecord): Promise<void> {
    const { store, sources, egress } = this.#deps;
    const source = sourceOf(record);
    if (source.kind !== 'website') return;
    const { id, tenantId } = record;
    const before = readingOf(record);
    const unread = unreadPagesOf(record);
    const unchanged = forUnchanged(before, unread);
    const begun = {
      reading: { ...before, status: 'reading' },
      ...(unchanged === 'index' && { unreadPages: 'all' }),
    };
    if (!(await sources.update(id, begun, undefined, asIs(record)))) return;
    const wanted = async () => {
      const now = await sources.get(id);
      const isWanted =
        now !== null && readingOf(now).status === 'reading' && isDeepStrictEqual(now.config, record.config);
      return isWanted ? now : null;
    };
    // Whoever asks for another reading between the look and the update has it: the update finds nothing, nor does the next look.
    const keep = async (fields: Partial<Pick<SourceRecord, 'reading' | 'unreadPages'>>) => {
      for (let now = await wanted(); now !== null; now = await wanted()) {
        const { config, reading } = now;
        if (await sources.update(id, fields, undefined, { config, reading })) return true;
      }
      return false;
    };
    const read = await readWebsite(source, {
      store,
      egress,
      extractor: this.#extractor,
      tenantId,
      unchanged,
      // Whoever follows every link comes by them, where they still lead there.
      unread: unchanged === 'keep' && unread !== 'all' ? (unread?.addresses ?? []) : [],
      signal: this.#stopping.signal,
      progress: async (progress) => {
        const claimed = await store.claimSource(id, { owner: this.#owner, ttlMs: claimMs });
        if (!claimed || !(await keep({ reading: { ...progress, readAt: before.readAt } }))) return false;
        // Whoever tries the agent meanwhile finds what is there.
        if (before.passages === 0) this.#tellAgent(record);
        return true;
      },
    });
    if (read === null) return;
    if (await keep({ reading: read.reading, unreadPages: leftBy(read, unchanged, unread) }))
      this.#tellRead(record);
  }

  /** Whether an agent can look something up is known to its loaded tools: every process loads them anew. */
  #tellRead(record: SourceRecord): void {
    const { id, tenantId } = record;
    this.#deps.bus.publish({ topic: 'settingsChanged', kind: 'source', id, tenantId });
    this.#tellAgent(record);
  }

  async #save(record: SourceRecord, reading: SourceReading): Promise<void> {
    const fields = { reading, unreadPages: null };
    if (await this.#deps.sources.update(record.id, fields, undefined, asIs(record))) this.#tellRead(record);
  }

  #tellAgent({ agentId, tenantId }: Pick<SourceRecord, 'agentId' | 'tenantId'>): void {
    this.#deps.bus.publish({ topic: 'settingsChanged', kind: 'agent', id: agentId, tenantId });
  }
}

interface DueSource extends Pick<SourceRecord, 'id' | 'tenantId' | 'agentId'> {
  /** When it was last read, in Unix milliseconds; 0 where somebody waits for it. */
  readonly since: number;
}

const bySince = (a: DueSource, b: DueSource) => a.since - b.since;

function dueSince(record: SourceRecord): number {
  const { status, readAt } = readingOf(record);
  return status === 'waiting' ? 0 : Date.parse(readAt ?? unreadSince);
}

function isDue({ status, readAt }: SourceReading): boolean {
  if (status === 'waiting' || status === 'reading') return true;
  return Date.now() - Date.parse(readAt ?? unreadSince) >= rereadMs;
}

/** What the next reading of a website does with pages that have not changed. */
function forUnchanged(
  { status, problems }: SourceReading,
  unread: ReturnType<typeof unreadPagesOf>,
): 'keep' | 'follow' | 'index' {
  // What somebody waits for, also where the service was stopped meanwhile.
  if (status === 'waiting' || unread === 'all') return 'index';
  // It broke off.
  if (status !== 'read') return 'follow';
  if (problems.length === 0) return 'keep';
  // What could not be read is asked for by its address; whether anything still leads there is looked at now and then.
  return unread !== null && Date.now() - Date.parse(unread.followedAt) < followMs ? 'keep' : 'follow';
}

/** What a reading leaves for the next one. */
function leftBy(
  { reading: { status, readAt }, unread: addresses }: ReadingOfWebsite,
  unchanged: ReturnType<typeof forUnchanged>,
  before: ReturnType<typeof unreadPagesOf>,
): UnreadPages | 'all' | null {
  if (unchanged === 'index' && status !== 'read') return 'all';
  const followedAt = unchanged === 'keep' && before !== null && before !== 'all' ? before.followedAt : readAt;
  return addresses && followedAt ? { readAt, followedAt, addresses } : null;
}

/** Somebody who has changed a source meanwhile has it read as it is now. */
const asIs = ({ config }: SourceRecord): Pick<SourceRecord, 'config'> => ({ config });

const unreadSince = '1970-01-01T00:00:00.000Z';
