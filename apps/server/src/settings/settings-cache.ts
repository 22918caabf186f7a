import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { ToolSettings } from '@parley/protocol/settings/tool';
import { isPreviewKeyId, PreviewKeys } from '../auth/preview-keys.ts';
import type { Bus, SettingsChanged } from '../bus/bus.ts';
import type { Logger } from '../logger.ts';
import type { KeyRecord, SettingsStore } from '../store/settings-store.ts';
import { type Agent, loadAgent } from './agent.ts';
import { loadConnections } from './connection.ts';
import { configurationRevision } from './configuration-revision.ts';
import { isDraftId, isTrialId, publishedId } from './draft-id.ts';
import { previewedAgent } from './revision/draft.ts';
import { TenantChanges } from './tenant-changes.ts';
import { type ToolRecordDeps, loadTools } from './tool.ts';

/**
 * The message that something was changed may be lost: nothing is answered that was neither read nor known to be
 * unchanged within this time, so that a key is refused within a second.
 */
const maxAgeMs = 800;
const maxEntries = 1_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly at: number;
  /** The agent whose it is, published or not; null for keys. */
  readonly agentId: string | null;
  /** Null while it is being read, and of what only its age speaks for. */
  tenantId: string | null;
}

interface Read<T> {
  readonly name: string;
  readonly agentId?: string | null;
  readonly load: () => Promise<T>;
  /** Of what changes with the settings of one tenant alone. */
  readonly tenantOf?: (value: T) => string | null;
}

/**
 * Keys, agents and tools as requests and turns need them. They are kept until they change: the bus says so at once,
 * and whatever it has lost is found by `TenantChanges`. Drafts, and the keys to them, are read again after 800 ms.
 */
export class SettingsCache {
  readonly previews: PreviewKeys;
  readonly #settings: SettingsStore;
  readonly #deps: ToolRecordDeps;
  readonly #revisions = new WeakMap<
    readonly ToolSettings[],
    { readonly agent: Agent; readonly connections: readonly ConnectionSettings[]; readonly revision: string }
  >();
  readonly #changes: TenantChanges;
  #entries = new Map<string, Entry>();

  constructor(
    settings: SettingsStore,
    deps: ToolRecordDeps,
    bus: Pick<Bus, 'subscribe' | 'onGap'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.previews = new PreviewKeys(settings, deps.secrets);
    this.#settings = settings;
    this.#deps = deps;
    this.#changes = new TenantChanges({
      settings,
      onChange: (tenantId) => (tenantId === null ? this.#clear() : this.#dropTenant(tenantId)),
      onError: (err) => logger.warn({ err }, 'changes of the settings could not be looked up'),
    });
    bus.subscribe('settingsChanged', (message) => this.#drop(message));
    bus.onGap(() => this.#clear());
  }

  /** From now on what does not change is not read again. */
  start(): void {
    this.#changes.start();
  }

  stop(): void {
    this.#changes.stop();
  }

  keyByDigest(digest: string): Promise<KeyRecord | null> {
    return this.#read({
      name: `digest ${digest}`,
      load: () => this.#settings.keys.byDigest(digest),
      tenantOf: tenantOfKey,
    });
  }

  async key(id: string): Promise<KeyRecord | null> {
    return this.#read({
      name: `key ${id}`,
      load: async () => (await this.#settings.keys.get(id)) ?? this.previews.get(id),
      tenantOf: tenantOfKey,
    });
  }

  previewKey(presented: string): Promise<KeyRecord | null> {
    return this.#read({ name: presented, load: () => this.previews.find(presented) });
  }

  /** A draft by its own id, and so what is tried. Rejects with `UnreadableRecordError`. */
  agent(id: string): Promise<Agent | null> {
    const { secrets } = this.#deps;
    const agentId = publishedId(id);
    return this.#read({
      name: `agent ${id}`,
      agentId,
      load: async () => {
        const agent = isDraftId(id)
          ? await previewedAgent(this.#settings, secrets, agentId)
          : await loadAgent(this.#settings, secrets, agentId);
        return agent && isTrialId(id) ? { ...agent, id } : agent;
      },
      ...(!isDraftId(id) && { tenantOf: (agent: Agent | null) => agent?.tenantId ?? null }),
    });
  }

  /** Every tool of an agent as it runs, its secrets opened; oldest first. Rejects with `UnreadableRecordError`. */
  tools(id: string): Promise<readonly ToolSettings[]> {
    const agentId = publishedId(id);
    return this.#read({
      name: `tools ${agentId}`,
      agentId,
      load: () => loadTools(this.#settings, this.#deps, agentId),
      tenantOf: () => this.#tenantOf(agentId),
    });
  }

  /** What an agent is connected to, secrets opened; oldest first. Rejects with `UnreadableRecordError`. */
  connections(id: string): Promise<readonly ConnectionSettings[]> {
    const agentId = publishedId(id);
    return this.#read({
      name: `connections ${agentId}`,
      agentId,
      load: () => loadConnections(this.#settings, this.#deps.secrets, agentId),
      tenantOf: () => this.#tenantOf(agentId),
    });
  }

  /** Of an agent, its tools and its connections, as they were read here: made once for as long as all are the same. */
  configurationOf(
    agent: Agent,
    tools: readonly ToolSettings[],
    connections: readonly ConnectionSettings[],
  ): string {
    const known = this.#revisions.get(tools);
    if (known?.agent === agent && known.connections === connections) return known.revision;
    const revision = configurationRevision(this.#deps.secrets, agent, tools, connections);
    this.#revisions.set(tools, { agent, connections, revision });
    return revision;
  }

  /** Whoever asks for what an agent has knows the agent already, but for who lists it. */
  #tenantOf(agentId: string): string | null {
    return this.#entries.get(`agent ${agentId}`)?.tenantId ?? null;
  }

  #drop({ kind, id, tenantId }: SettingsChanged): void {
    if (tenantId !== null) return this.#dropTenant(tenantId);
    if (kind !== 'agent') return this.#clear();
    for (const [name, entry] of this.#entries)
      if (entry.agentId === id || isBeingRead(entry)) this.#entries.delete(name);
  }

  /** What is being read at this moment is not kept either. */
  #dropTenant(tenantId: string): void {
    for (const [name, entry] of this.#entries)
      if (entry.tenantId === tenantId || isBeingRead(entry)) this.#entries.delete(name);
  }

  #clear(): void {
    this.#entries = new Map();
  }

  #isKnown({ at, tenantId }: Entry, now: number): boolean {
    const unchanged = tenantId === null ? -Infinity : this.#changes.lookedAt;
    return now - Math.max(at, unchanged) < maxAgeMs;
  }

  #read<T>({ name, agentId = null, load, tenantOf }: Read<T>): Promise<T> {
    const now = performance.now();
    const entries = this.#entries;
    const known = entries.get(name);
    entries.delete(name);
    if (known !== undefined && this.#isKnown(known, now)) {
      // The oldest is what was not asked for the longest.
      entries.set(name, known);
      return known.value as Promise<T>;
    }
    const entry: Entry = { value: load(), at: now, agentId, tenantId: null };
    entries.set(name, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
    const value = entry.value as Promise<T>;
    value.then(
      (read) => (entry.tenantId = tenantOf?.(read) ?? null),
      () => {
        if (entries.get(name) === entry) entries.delete(name);
      },
    );
    return value;
  }
}

const isBeingRead = ({ tenantId }: Entry): boolean => tenantId === null;

/** A preview's depends on who is signed in. */
function tenantOfKey(key: KeyRecord | null): string | null {
  return key === null || isPreviewKeyId(key.id) ? null : key.tenantId;
}
