import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { Logger } from 'pino';
import { createAgentTools } from './agent-tools.ts';
import type { AgentTools, AnyToolSource, ConfiguredToolSource, LoadedTools, ToolAgent } from './source.ts';

const maxAgents = 1_000;
/** Tools of an agent that nobody talks to are let go: its settings may have changed, or it may be gone. */
const maxIdleMs = 5 * 60_000;
const closeTimeoutMs = 5_000;

/** An agent, with the settings of its tools. */
export interface ToolOwner {
  readonly agent: ToolAgent;
  readonly settings: readonly ToolSettings[];
}

/** Tools that stay loaded until they are released. */
export interface HeldTools {
  readonly tools: AgentTools;
  readonly release: () => void;
}

interface Entry {
  owner: ToolOwner;
  readonly kinds: Promise<readonly LoadedTools[]>;
  readonly tools: Promise<AgentTools>;
  holders: number;
  usedAt: number;
  /** `retired`: nobody gets it any more, and its last release closes it. */
  status: 'current' | 'retired' | 'closed';
}

/**
 * Every kind of tool in this process, and what is loaded of them: an agent's tools once for as long as its settings stay
 * the same. It owns their connections, and closes them once the settings are others, nobody has used them for a while, or
 * the process stops.
 */
export class ToolRegistry {
  readonly #sources: readonly AnyToolSource[];
  readonly #logger: Pick<Logger, 'warn'>;
  /** By agent, the one used last at the end. */
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  readonly #sweep: NodeJS.Timeout;

  constructor(sources: readonly AnyToolSource[], logger: Pick<Logger, 'warn'>) {
    this.#sources = sources;
    this.#logger = logger;
    this.#sweep = setInterval(() => this.#closeIdle(), maxIdleMs / 5).unref();
  }

  /** The source of tools whose settings are of this kind. Throws for a kind that there is not. */
  configured(kind: unknown): ConfiguredToolSource<ToolSettings> {
    const source = this.#sources.filter(isConfigured).find((each) => each.kind === kind);
    if (!source) throw new Error(`there is no tool of the kind ${String(kind)}`);
    return source;
  }

  /** Rejects when a kind could not be loaded; the next call tries again. */
  async hold(owner: ToolOwner): Promise<HeldTools> {
    const entry = this.#entryOf(owner);
    entry.holders += 1;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      entry.holders -= 1;
      entry.usedAt = performance.now();
      if (entry.status === 'retired' && entry.holders === 0) this.#closeEntry(entry);
    };
    try {
      return { tools: await entry.tools, release };
    } catch (error) {
      this.#retire(entry);
      release();
      throw error;
    }
  }

  /** A settings record was changed: what was loaded from it is given to no new turn. */
  forget(recordId: string): void {
    for (const entry of this.#entries.values()) {
      const { agent, settings } = entry.owner;
      const from = [agent.id, agent.tenantId, ...[...settings, ...agent.connections].map(({ id }) => id)];
      if (from.includes(recordId)) this.#retire(entry);
    }
  }

  /** Closes everything, also what is still held. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    for (const entry of this.#entries.values()) this.#closeEntry(entry);
    this.#entries.clear();
    await Promise.race([Promise.all(this.#closing), setTimeout(closeTimeoutMs, undefined, { ref: false })]);
  }

  #entryOf(owner: ToolOwner): Entry {
    const { id } = owner.agent;
    const known = this.#entries.get(id);
    if (known && isSame(known.owner, owner)) {
      known.owner = owner;
      known.usedAt = performance.now();
      this.#entries.delete(id);
      this.#entries.set(id, known);
      return known;
    }
    if (known) this.#retire(known);
    const kinds = this.#load(owner);
    const tools = kinds.then(createAgentTools);
    const usedAt = performance.now();
    const entry: Entry = { owner, kinds, tools, holders: 0, usedAt, status: 'current' };
    this.#entries.set(id, entry);
    const [oldest] = this.#entries.values();
    if (oldest && this.#entries.size > maxAgents) this.#retire(oldest);
    return entry;
  }

  /** All kinds, or none: what was loaded beside one that fails is closed again. */
  async #load({ agent, settings }: ToolOwner): Promise<readonly LoadedTools[]> {
    const loads = this.#sources.map(async (source) =>
      source.load(agent, isConfigured(source) ? settings.filter(({ kind }) => kind === source.kind) : []),
    );
    const results = await Promise.allSettled(loads);
    const loaded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return loaded;
    this.#close(Promise.resolve(loaded), agent.id);
    throw failed.reason;
  }

  #retire(entry: Entry): void {
    if (entry.status !== 'current') return;
    entry.status = 'retired';
    const { id } = entry.owner.agent;
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
    if (entry.holders === 0) this.#closeEntry(entry);
  }

  #closeEntry(entry: Entry): void {
    entry.status = 'closed';
    this.#close(entry.kinds, entry.owner.agent.id);
  }

  #close(kinds: Promise<readonly LoadedTools[]>, agentId: string): void {
    const closing = kinds
      .catch((): LoadedTools[] => [])
      .then((loaded) => Promise.all(loaded.map((kind) => kind.close())))
      .then(
        () => undefined,
        (err: unknown) => this.#logger.warn({ err, agentId }, 'tools of an agent could not be closed'),
      )
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #closeIdle(): void {
    for (const entry of this.#entries.values()) {
      if (entry.holders === 0 && performance.now() - entry.usedAt >= maxIdleMs) this.#retire(entry);
    }
  }
}

function isConfigured(source: AnyToolSource): source is ConfiguredToolSource<ToolSettings> {
  return 'kind' in source;
}

function isSame(a: ToolOwner, b: ToolOwner): boolean {
  return (
    (a.settings === b.settings || isDeepStrictEqual(a.settings, b.settings)) &&
    isDeepStrictEqual(a.agent, b.agent)
  );
}
