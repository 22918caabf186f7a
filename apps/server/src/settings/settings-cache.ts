import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { Bus } from '../bus/bus.ts';
import type { KeyRecord, SettingsStore } from '../store/settings-store.ts';
import { type Agent, loadAgent } from './agent.ts';
import { configurationRevision } from './configuration-revision.ts';
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
  readonly #settings: SettingsStore;
  readonly #deps: ToolRecordDeps;
  readonly #revisions = new WeakMap<
    readonly ToolSettings[],
    { readonly agent: Agent; readonly revision: string }
  >();
  #entries = new Map<string, Entry>();

  /** Whatever any process has written, `bus` says. */
  constructor(settings: SettingsStore, deps: ToolRecordDeps, bus: Pick<Bus, 'subscribe' | 'onGap'>) {
    this.#settings = settings;
    this.#deps = deps;
    bus.subscribe('settingsChanged', () => this.#clear());
    bus.onGap(() => this.#clear());
  }

  keyByDigest(digest: string): Promise<KeyRecord | null> {
    return this.#read(`digest ${digest}`, () => this.#settings.keys.byDigest(digest));
  }

  key(id: string): Promise<KeyRecord | null> {
    return this.#read(`key ${id}`, () => this.#settings.keys.get(id));
  }

  /** Rejects with `UnreadableRecordError`. */
  agent(id: string): Promise<Agent | null> {
    return this.#read(`agent ${id}`, () => loadAgent(this.#settings, this.#deps.secrets, id));
  }

  /** Every tool of an agent as it runs, its secrets opened; oldest first. Rejects with `UnreadableRecordError`. */
  tools(agentId: string): Promise<readonly ToolSettings[]> {
    return this.#read(`tools ${agentId}`, () => loadTools(this.#settings, this.#deps, agentId));
  }

  /** Of an agent and its tools, as they were read here: made once for as long as both are the same. */
  configurationOf(agent: Agent, tools: readonly ToolSettings[]): string {
    const known = this.#revisions.get(tools);
    if (known?.agent === agent) return known.revision;
    const revision = configurationRevision(this.#deps.secrets, agent, tools);
    this.#revisions.set(tools, { agent, revision });
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
