import { randomUUID } from 'node:crypto';
import type { Logger } from '../logger.ts';
import { allRecords } from '../settings/all-records.ts';
import type { KnowledgeStore } from '../store/knowledge-store.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { embedSource, findUnembedded } from './embed-source.ts';
import type { Embedder } from './embedder.ts';

/** Tenants whose passages one process makes vectors for at once, of each tenant one source after the other. */
const maxTenants = 8;
/** After it the tenants that wait have their turn. */
const turnMs = 30_000;
/** A process that died lets go of a source by then; one that works on it says so again with every request. */
const claimMs = 120_000;

interface PassageVectorsDeps {
  readonly store: KnowledgeStore;
  readonly sources: SettingsStore['sources'];
  readonly logger: Pick<Logger, 'warn'>;
  /** What makes vectors for an agent; null: nothing does. */
  readonly embedderOf: (agentId: string) => Promise<Embedder | null>;
  /** What is being read has its turn afterwards. */
  readonly isBeingRead: (sourceId: string) => boolean;
}

/** Gives passages the vectors that they lack. A provider that is slow holds up its own tenant and nobody else. */
export class PassageVectors {
  readonly #deps: PassageVectorsDeps;
  readonly #owner = `${randomUUID()} embeds`;
  readonly #stopping = new AbortController();
  /** Agents whose passages may lack vectors, by their tenants: who has waited longest comes first. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(deps: PassageVectorsDeps) {
    this.#deps = deps;
  }

  /** For an agent, or for all that have sources; until nothing waits any more. */
  async make(agent?: { readonly id: string; readonly tenantId: string }): Promise<void> {
    if (agent) this.#ask(agent.tenantId, agent.id);
    else
      for await (const { tenantId, agentId } of allRecords(this.#deps.sources)) this.#ask(tenantId, agentId);
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  #ask(tenantId: string, agentId: string): void {
    const agents = this.#waiting.get(tenantId) ?? new Set();
    this.#waiting.set(tenantId, agents.add(agentId));
    this.#begin();
  }

  #begin(): void {
    for (const [tenantId, agents] of this.#waiting) {
      if (this.#stopping.signal.aborted || this.#running.size >= maxTenants) return;
      if (this.#running.has(tenantId)) continue;
      this.#waiting.delete(tenantId);
      const work = this.#take(tenantId, agents).finally(() => {
        this.#running.delete(tenantId);
        this.#begin();
      });
      this.#running.set(tenantId, work);
    }
  }

  /** One turn of a tenant. */
  async #take(tenantId: string, agents: ReadonlySet<string>): Promise<void> {
    const endsAt = Date.now() + turnMs;
    const isOver = () => this.#stopping.signal.aborted || Date.now() >= endsAt;
    for (const agentId of agents) {
      try {
        await this.#embed(agentId, isOver);
      } catch (err) {
        // Its provider is asked again when all are looked at the next time.
        if (!this.#stopping.signal.aborted)
          this.#deps.logger.warn({ err, agentId }, 'vectors of passages could not be made');
        continue;
      }
      if (isOver()) this.#ask(tenantId, agentId);
    }
  }

  async #embed(agentId: string, isOver: () => boolean): Promise<void> {
    if (isOver()) return;
    const { store, sources, embedderOf, isBeingRead } = this.#deps;
    const embedder = await embedderOf(agentId);
    if (!embedder) return;
    const owner = this.#owner;
    for await (const { id } of allRecords(sources, { agentId })) {
      if (isOver()) return;
      if (isBeingRead(id)) continue;
      const after = await findUnembedded(store, id, embedder.model);
      if (after === null) continue;
      const goOn = async () => !isOver() && (await store.claimSource(id, { owner, ttlMs: claimMs }));
      try {
        await embedSource(store, id, { embedder, after, signal: this.#stopping.signal, goOn });
      } finally {
        await store.releaseSource(id, owner);
      }
    }
  }
}
