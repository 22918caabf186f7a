import type { SourceReading } from '@parley/protocol/settings/source';
import type { Bus } from '../bus/bus.ts';
import { sourceOf } from '../settings/source.ts';
import type { KnowledgeStore, Passage } from '../store/knowledge-store.ts';
import type { SettingsStore, SourceRecord } from '../store/settings-store.ts';
import { readSource, removePages } from './read-source.ts';
import { searchKnowledge } from './search-knowledge.ts';

interface KnowledgeDeps {
  readonly store: KnowledgeStore;
  readonly sources: SettingsStore['sources'];
  readonly bus: Pick<Bus, 'publish'>;
}

/** What agents know: read from their sources, and looked up by their turns. */
export class Knowledge {
  readonly #deps: KnowledgeDeps;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
  }

  async isKnown(agentId: string): Promise<boolean> {
    return (await this.#deps.store.countKnowledge(agentId)).passages > 0;
  }

  search(query: {
    readonly agentId: string;
    readonly query: string;
    readonly limit: number;
  }): Promise<readonly Passage[]> {
    return searchKnowledge(this.#deps.store, query);
  }

  /** Reads a source as it is set now; resolves when its passages are found. */
  async read(record: SourceRecord): Promise<void> {
    await this.#save(record, await readSource(this.#deps.store, sourceOf(record)));
  }

  /** Removes all that was read of a source. */
  async forget({ id, tenantId, agentId }: SourceRecord): Promise<void> {
    await removePages(this.#deps.store, id, Number.MAX_SAFE_INTEGER);
    this.#deps.bus.publish({ topic: 'settingsChanged', kind: 'agent', id: agentId, tenantId });
  }

  /** Whether an agent can look something up is known to its loaded tools: every process loads them anew. */
  async #save({ id, tenantId, agentId }: SourceRecord, reading: SourceReading): Promise<void> {
    await this.#deps.sources.update(id, { reading });
    this.#deps.bus.publish({ topic: 'settingsChanged', kind: 'agent', id: agentId, tenantId });
  }
}
