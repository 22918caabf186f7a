import type { KeyRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';

/** Why a right to read is over. */
type ReadingEnd = 'key-revoked' | 'session-claimed' | 'token-expired';

/** The right that a response stays open under. */
interface ReadingRight {
  readonly key: KeyRecord;
  /** The session that a visitor may claim meanwhile; null for a Chat conversation, which nobody can. */
  readonly sessionId: string | null;
  readonly visitor: string | null;
  /** Unix milliseconds at which the visitor's token expires; null without one. */
  readonly until: number | null;
}

interface Reading {
  /** Resolves once key and session were read again after the reader was added; if the right was over, `end` was called. */
  readonly checked: Promise<void>;
  /** Forgets the reader. */
  readonly leave: () => void;
}

interface OpenReader extends ReadingRight {
  readonly end: (why: ReadingEnd) => void;
}

/** The readers of this process, in either interface, each for as long as its right to read lasts. */
export class OpenReaders {
  readonly #store: Store;
  readonly #byKey = new Map<string, Set<OpenReader>>();
  readonly #bySession = new Map<string, Set<OpenReader>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls `end` once the right is over. */
  add(right: ReadingRight, end: (why: ReadingEnd) => void): Reading {
    const { key, sessionId, until } = right;
    const reader = { ...right, end };
    const leaveKey = remember(this.#byKey, key.id, reader);
    const leaveSession = sessionId === null ? null : remember(this.#bySession, sessionId, reader);
    // A visitor token lasts 24 h at most, well below what a timer holds.
    const timer =
      key.kind === 'secret' || until === null
        ? null
        : setTimeout(() => end('token-expired'), Math.max(until - Date.now(), 0)).unref();
    // A key that was revoked, or a session that was claimed, between the request's own check and here ended nobody yet.
    const checked = this.#endedBefore(right).then(
      (why) => {
        if (why !== null) end(why);
      },
      () => end('key-revoked'),
    );
    return {
      checked,
      leave: () => {
        leaveKey();
        leaveSession?.();
        if (timer) clearTimeout(timer);
      },
    };
  }

  /** Ends every reader with this key. */
  endKey(keyId: string): void {
    for (const { end } of this.#byKey.get(keyId) ?? []) end('key-revoked');
  }

  /** Ends the session's readers with a publishable key who are not the visitor: the session became theirs. */
  endOthers(sessionId: string, visitor: string): void {
    for (const reader of this.#bySession.get(sessionId) ?? [])
      if (isOther(reader, visitor)) reader.end('session-claimed');
  }

  async #endedBefore(right: ReadingRight): Promise<ReadingEnd | null> {
    const { settings } = this.#store;
    const { key, sessionId } = right;
    const known = await settings.keys.get(key.id);
    if (known?.digest !== key.digest || known.agentId !== key.agentId) return 'key-revoked';
    if (sessionId === null || key.kind === 'secret') return null;
    const session = await this.#store.session(sessionId);
    const owner = session?.visitor ?? null;
    return owner !== null && isOther(right, owner) ? 'session-claimed' : null;
  }
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
