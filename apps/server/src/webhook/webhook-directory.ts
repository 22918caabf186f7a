import type { WebhookEvent } from '@parley/protocol/settings/webhook';
import type { Bus } from '../bus/bus.ts';
import type { Logger } from '../logger.ts';
import { allRecords } from '../settings/all-records.ts';
import { UnreadableRecordError } from '../settings/unreadable-record-error.ts';
import { webhookOf } from '../settings/webhook.ts';
import type { SettingsStore, WebhookRecord } from '../store/settings-store.ts';

/** The message that a webhook was changed may be lost, although no gap was announced. */
const reloadMs = 30_000;

/** What could not be read is tried again after this. */
export const retryMs = 1_000;

interface Listener {
  readonly id: string;
  readonly events: ReadonlySet<WebhookEvent>;
  /** Null: of all. */
  readonly agentIds: ReadonlySet<string> | null;
}

type Listeners = Map<string, Map<string, Listener>>;

interface DirectoryDeps {
  readonly webhooks: SettingsStore['webhooks'];
  readonly bus: Pick<Bus, 'subscribe' | 'onGap'>;
  readonly logger: Logger;
}

/**
 * Every webhook that is switched on, in memory: what happens is told by asking nobody, and costs a tenant without
 * webhooks nothing.
 */
export class WebhookDirectory {
  readonly #deps: DirectoryDeps;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;
  /** By tenant, and by their ids. */
  #ofTenant: Listeners = new Map();
  /** What the next read is for. */
  #wanted: ReadonlySet<string> | 'all' = new Set();
  #reading: Promise<void> = Promise.resolve();
  /** The read that has not begun. */
  #next: Promise<void> | null = null;

  /** Call `load` before anything is to be told. */
  constructor(deps: DirectoryDeps) {
    this.#deps = deps;
    const reload = () => this.#reload('all');
    const unsubscribe = deps.bus.subscribe('settingsChanged', ({ kind, id }) => {
      if (kind === 'webhook') this.#reload(new Set([id]));
    });
    const unsubscribeGap = deps.bus.onGap(reload);
    this.#stopListening = () => {
      unsubscribe();
      unsubscribeGap();
    };
    this.#timer = setInterval(reload, reloadMs);
  }

  get isEmpty(): boolean {
    return this.#ofTenant.size === 0;
  }

  /** The webhooks that are told of this, by their ids; `agentId` null: it is of no agent. */
  listening(tenantId: string, agentId: string | null, type: WebhookEvent): readonly string[] {
    const listeners = [...(this.#ofTenant.get(tenantId)?.values() ?? [])];
    return listeners
      .filter(
        ({ events, agentIds }) =>
          events.has(type) && (agentIds === null || (agentId !== null && agentIds.has(agentId))),
      )
      .map(({ id }) => id);
  }

  /** Knows what is stored now of this webhook, or of all, once it resolves. Whoever asks before a read begins shares it. */
  load(id?: string): Promise<void> {
    return this.#read(id === undefined ? 'all' : new Set([id]));
  }

  #read(ids: ReadonlySet<string> | 'all'): Promise<void> {
    this.#want(ids);
    const begin = async () => {
      const wanted = this.#wanted;
      this.#wanted = new Set();
      this.#next = null;
      try {
        await (wanted === 'all' ? this.#readAll() : this.#readEach(wanted));
      } catch (error) {
        this.#want(wanted);
        this.#retryLater();
        throw error;
      }
    };
    this.#reading = this.#next ??= this.#reading.then(begin, begin);
    return this.#next;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retry) clearTimeout(this.#retry);
    clearInterval(this.#timer);
    this.#stopListening();
  }

  #want(ids: ReadonlySet<string> | 'all'): void {
    if (ids === 'all' || this.#wanted === 'all') this.#wanted = 'all';
    else this.#wanted = new Set([...this.#wanted, ...ids]);
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      this.#reload(new Set());
    }, retryMs);
  }

  #reload(ids: ReadonlySet<string> | 'all'): void {
    this.#read(ids).catch((err: unknown) =>
      this.#deps.logger.warn({ err }, 'the webhooks could not be read yet'),
    );
  }

  async #readAll(): Promise<void> {
    const found: Listeners = new Map();
    for await (const record of allRecords(this.#deps.webhooks)) this.#add(found, record);
    this.#ofTenant = found;
  }

  async #readEach(ids: ReadonlySet<string>): Promise<void> {
    for (const id of ids) {
      const record = await this.#deps.webhooks.get(id);
      for (const [tenantId, listeners] of this.#ofTenant)
        if (listeners.delete(id) && listeners.size === 0) this.#ofTenant.delete(tenantId);
      if (record !== null) this.#add(this.#ofTenant, record);
    }
  }

  #add(found: Listeners, record: WebhookRecord): void {
    if (!record.active) return;
    try {
      const { id, tenantId, events, agentIds } = webhookOf(record);
      const listeners = found.get(tenantId) ?? new Map<string, Listener>();
      listeners.set(id, { id, events: new Set(events), agentIds: agentIds && new Set(agentIds) });
      found.set(tenantId, listeners);
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      this.#deps.logger.error({ err: error }, 'this webhook is told nothing');
    }
  }
}
