import type { Bus } from '../../bus/bus.ts';
import { Recheck } from '../../bus/recheck.ts';
import type { Logger } from '../../logger.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { KeyRecord, KeyRight } from '../../store/settings-store.ts';
import type { Store } from '../../store/store.ts';

/**
 * A right that ended in another process, which could not say so, is over here within a second: a key is looked at twice
 * in it. Of sessions there are as many as streams.
 */
const keysMs = 400;
const sessionsMs = 800;

/** Why a right to read is over; `unverifiable`: nobody can look it up at the moment, and then it is no right. */
export type ReadingEnd = 'key-revoked' | 'session-assigned' | 'token-expired' | 'unverifiable';

/** The right that a response stays open under. */
interface ReadingRight {
  readonly key: KeyRecord;
  /** The session that may become a visitor’s meanwhile; null for a Chat conversation, which nobody can. */
  readonly sessionId: string | null;
  readonly visitor: string | null;
  /** Unix milliseconds at which the visitor's token expires; null without one. */
  readonly until: number | null;
}

interface Reading {
  /** Resolves once key and session were read again after the reader was added; if the right was over, `end` was called. */
  readonly checked: Promise<void>;
  /**
   * Reads the session again, and calls `end` if it is another visitor's by now. Whoever takes events from the store
   * instead of the bus asks before each page is sent: the word of the new visitor may be lost like the events.
   */
  readonly verify: () => Promise<void>;
  /** Forgets the reader. */
  readonly leave: () => void;
}

interface OpenReader extends ReadingRight {
  readonly end: (why: ReadingEnd) => void;
}

interface OpenReadersDeps {
  readonly store: Pick<Store, 'getSession' | 'listOwned' | 'settings'>;
  readonly settings: SettingsCache;
  readonly bus: Bus;
  readonly logger: Logger;
}

/** The readers of this process, in either interface, each for as long as its right to read lasts. */
export class OpenReaders {
  readonly #store: OpenReadersDeps['store'];
  readonly #settings: SettingsCache;
  readonly #byKey = new Map<string, Set<OpenReader>>();
  readonly #bySession = new Map<string, Set<OpenReader>>();
  /** Whose key was found without its agent once: the sessions of a deleted agent are completed, which they are to see. */
  readonly #unbound = new WeakSet<OpenReader>();
  readonly #rechecks: readonly Recheck[];

  constructor({ store, settings, bus, logger }: OpenReadersDeps) {
    this.#store = store;
    this.#settings = settings;
    bus.subscribe('sessionAssigned', ({ sessionId, visitor }) => this.#endOthers(sessionId, visitor));
    bus.subscribe('settingsChanged', ({ kind, id }) => {
      if (kind === 'key') this.#checkKey(id).catch(() => this.#endUnverifiable(id));
    });
    const onError = (err: unknown) => logger.warn({ err }, 'rights to read could not be looked up');
    this.#rechecks = [
      new Recheck({
        bus,
        roundMs: keysMs,
        ids: () => this.#byKey.keys(),
        check: (ids) => this.#checkKeys(ids),
        onError,
      }),
      new Recheck({
        bus,
        roundMs: sessionsMs,
        ids: () => this.#bySession.keys(),
        check: (ids) => this.#checkSessions(ids),
        onError,
      }),
    ];
  }

  /** Calls `end` once the right is over. */
  add(right: ReadingRight, end: (why: ReadingEnd) => void): Reading {
    const { key, sessionId, until } = right;
    const reader = { ...right, end };
    const leaveKey = remember(this.#byKey, key.id, reader);
    const claimable = sessionId !== null && key.kind === 'publishable';
    const leaveSession = claimable ? remember(this.#bySession, sessionId, reader) : () => undefined;
    // A visitor token lasts 24 h at most, well below what a timer holds.
    const timer =
      key.kind === 'secret' || until === null
        ? null
        : setTimeout(() => end('token-expired'), Math.max(until - Date.now(), 0)).unref();
    // A key that was revoked, or a session that was assigned, between the request's own check and here ended nobody yet.
    const checked = this.#endedBefore(right, leaveSession).then(
      (why) => {
        if (why !== null) end(why);
      },
      () => end('unverifiable'),
    );
    return {
      checked,
      verify: async () => {
        if (sessionId !== null && this.#bySession.get(sessionId)?.has(reader))
          await this.#checkSessions([sessionId]);
      },
      leave: () => {
        leaveKey();
        leaveSession();
        if (timer) clearTimeout(timer);
      },
    };
  }

  close(): void {
    for (const recheck of this.#rechecks) recheck.stop();
  }

  /** Ends the session's readers with a publishable key who are not the visitor: the session became theirs. */
  #endOthers(sessionId: string, visitor: string): void {
    for (const reader of this.#bySession.get(sessionId) ?? [])
      if (isOther(reader, visitor)) reader.end('session-assigned');
  }

  #endUnverifiable(keyId: string): void {
    for (const { end } of this.#byKey.get(keyId) ?? []) end('unverifiable');
  }

  /** Without the cache, which may not have heard either. */
  async #checkKeys(ids: readonly string[]): Promise<void> {
    // Whoever comes meanwhile may have a newer right than the one that is being read.
    const readers = ids.flatMap((id) => [...(this.#byKey.get(id) ?? [])]);
    const rights = new Map<string, KeyRight>();
    const listed = await Promise.all([
      this.#store.settings.keys.listRights(ids),
      this.#settings.previews.listRights(ids),
    ]);
    for (const right of listed.flat()) rights.set(right.id, right);
    for (const reader of readers) {
      const known = rights.get(reader.key.id) ?? null;
      if (isSameKey(known, reader.key)) continue;
      const isUnbound = known?.digest === reader.key.digest && known.agentId === null;
      if (isUnbound && !this.#unbound.has(reader)) this.#unbound.add(reader);
      else reader.end('key-revoked');
    }
  }

  /** Ends whoever reads with what the key was before it was deleted, regenerated or bound to another agent. */
  async #checkKey(keyId: string): Promise<void> {
    if (!this.#byKey.has(keyId)) return;
    const known = await this.#settings.key(keyId);
    for (const { key, end } of this.#byKey.get(keyId) ?? []) if (!isSameKey(known, key)) end('key-revoked');
  }

  async #checkSessions(ids: readonly string[]): Promise<void> {
    for (const { id, visitor } of await this.#store.listOwned(ids)) this.#endOthers(id, visitor);
  }

  /** `keepsSession` is told that nobody else can become its visitor any more: it is the reader's own. */
  async #endedBefore(right: ReadingRight, keepsSession: () => void): Promise<ReadingEnd | null> {
    const { key, sessionId } = right;
    if (!isSameKey(await this.#settings.key(key.id), key)) return 'key-revoked';
    if (sessionId === null || key.kind === 'secret') return null;
    const session = await this.#store.getSession(sessionId);
    const owner = session?.visitor ?? null;
    if (owner === null) return null;
    if (isOther(right, owner)) return 'session-assigned';
    keepsSession();
    return null;
  }
}

function isSameKey(known: KeyRight | null, key: KeyRight): boolean {
  return known?.digest === key.digest && known.agentId === key.agentId;
}

function isOther({ key, visitor }: ReadingRight, owner: string): boolean {
  return key.kind === 'publishable' && visitor !== owner;
}

function remember(map: Map<string, Set<OpenReader>>, id: string, reader: OpenReader): () => void {
  const readers = map.get(id) ?? new Set();
  map.set(id, readers.add(reader));
  return () => {
    readers.delete(reader);
    if (readers.size === 0 && map.get(id) === readers) map.delete(id);
  };
}
