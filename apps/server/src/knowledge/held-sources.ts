import { isDeepStrictEqual } from 'node:util';
import type { SourceReading } from '@parley/protocol/settings/source';
import { sourceOf } from '../settings/source.ts';
import type { KnowledgeStore } from '../store/knowledge-store.ts';
import type { SettingsStore, SourceRecord } from '../store/settings-store.ts';
import { type HeldSource, isHeld, readSource } from './read-source.ts';

interface HeldSourcesDeps {
  readonly store: KnowledgeStore;
  readonly sources: Pick<SettingsStore['sources'], 'get'>;
  /** Stores how far a source is read. */
  readonly save: (record: SourceRecord, reading: SourceReading) => Promise<void>;
}

/** Reads sources that hold what they say, each by one reading after the other: two at once would leave passages of both. */
export class HeldSources {
  readonly #deps: HeldSourcesDeps;
  /** By source, the last reading that was asked for. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(deps: HeldSourcesDeps) {
    this.#deps = deps;
  }

  /** Reads what is stored of a source by the time of its turn. */
  async read(id: string): Promise<void> {
    const before = this.#last.get(id)?.catch(() => undefined);
    const reading = Promise.resolve(before).then(() => this.#read(id));
    this.#last.set(id, reading);
    try {
      await reading;
    } finally {
      if (this.#last.get(id) === reading) this.#last.delete(id);
    }
  }

  /** What another process has changed and read meanwhile was written over: it is read again. */
  async #read(id: string): Promise<void> {
    const { store, sources, save } = this.#deps;
    let read: HeldSource | null = null;
    for (let record = await sources.get(id); record !== null; record = await sources.get(id)) {
      const source = sourceOf(record);
      if (!isHeld(source) || isDeepStrictEqual(source, read)) return;
      await save(record, await readSource(store, source));
      read = source;
    }
  }
}
