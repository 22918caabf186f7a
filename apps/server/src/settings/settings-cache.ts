import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import type { ToolSettings } from '@parley/protocol/settings/tool';
import { PreviewKeys } from '../auth/preview-keys.ts';
import type { Bus } from '../bus/bus.ts';
import type { KeyRecord, SettingsStore } from '../store/settings-store.ts';
import { type Agent, loadAgent } from './agent.ts';
import { loadConnections } from './connection.ts';
import { configurationRevision } from './configuration-revision.ts';
import { isDraftId, isTrialId, publishedId } from './draft-id.ts';
import { previewedAgent } from './revision/draft.ts';
import { type ToolRecordDeps, loadTools } from './tool.ts';

/** The message that something was changed may be lost: nothing is older than this, so that a key is refused within a second. */
const maxAgeMs = 800;
const maxEntries = 1_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly at: number;
}

/** Keys, agents and tools as requests and turns need them: what many ask for at once is read once. */
export class SettingsCache {
  readonly previews: PreviewKeys;
  readonly #settings: SettingsStore;
  readonly #deps: ToolRecordDeps;
  readonly #revisions = new WeakMap<
    readonly ToolSettings[],
    { readonly agent: Agent; readonly connections: readonly ConnectionSettings[]; readonly revision: string }
  >();
  #entries = new Map<string, Entry>();

  /** Whatever any process has written, `bus` says. */
  constructor(settings: SettingsStore, deps: ToolRecordDeps, bus: Pick<Bus, 'subscribe' | 'onGap'>) {
    this.previews = new PreviewKeys(settings, deps.secrets);
    this.#settings = settings;
    this.#deps = deps;
    bus.subscribe('settingsChanged', () => this.#clear());
    bus.onGap(() => this.#clear());
  }

  keyByDigest(digest: string): Promise<KeyRecord | null> {
    return this.#read(`digest ${digest}`, () => this.#settings.keys.byDigest(digest));
  }

  async key(id: string): Promise<KeyRecord | null> {
    return this.#read(`key ${id}`, async () => (await this.#settings.keys.get(id)) ?? this.previews.get(id));
  }

  previewKey(presented: string): Promise<KeyRecord | null> {
    return this.#read(presented, () => this.previews.find(presented));
  }

  /** A draft by its own id, and so what is tried. Rejects with `UnreadableRecordError`. */
  agent(id: string): Promise<Agent | null> {
    const { secrets } = this.#deps;
    return this.#read(`agent ${id}`, async () => {
      const agent = isDraftId(id)
        ? await previewedAgent(this.#settings, secrets, publishedId(id))
        : await loadAgent(this.#settings, secrets, publishedId(id));
      return agent && isTrialId(id) ? { ...agent, id } : agent;
    });
  }

  /** Every tool of an agent as it runs, its secrets opened; oldest first. Rejects with `UnreadableRecordError`. */
  tools(agentId: string): Promise<readonly ToolSettings[]> {
    const id = publishedId(agentId);
    return this.#read(`tools ${id}`, () => loadTools(this.#settings, this.#deps, id));
  }

  /** What an agent is connected to, secrets opened; oldest first. Rejects with `UnreadableRecordError`. */
  connections(agentId: string): Promise<readonly ConnectionSettings[]> {
    const id = publishedId(agentId);
    return this.#read(`connections ${id}`, () => loadConnections(this.#settings, this.#deps.secrets, id));
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

  /** What is being read at this moment is not kept either. */
  #clear(): void {
    this.#entries = new Map();
  }

  #read<T>(name: string, load: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.#entries.get(name);
    if (known !== undefined && now - known.at < maxAgeMs) return known.value as Promise<T>;
    const entries = this.#entries;
    const value = load();
    entries.delete(name);
    entries.set(name, { value, at: now });
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
    value.catch(() => {
      if (entries.get(name)?.value === value) entries.delete(name);
    });
    return value;
  }
}
