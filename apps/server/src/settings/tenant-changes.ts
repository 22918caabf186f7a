import type { SettingsStore, TenantRevision } from '../store/settings-store.ts';

const lookMs = 400;
/** More tenants than change between two looks. */
const maxTenants = 200;

interface TenantChangesDeps {
  readonly settings: Pick<SettingsStore, 'listTenantRevisions'>;
  /** Null: more have changed than can be told apart. */
  readonly onChange: (tenantId: string | null) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Looks several times a second whose settings were written, by any process: the message of it may be lost, as when a
 * process dies behind its commit.
 */
export class TenantChanges {
  readonly #deps: TenantChangesDeps;
  #timer: NodeJS.Timeout | null = null;
  #known: readonly TenantRevision[] | null = null;
  #failing = false;
  /** `performance.now()` of a look at which all that was written before it was known. */
  lookedAt = -Infinity;

  constructor(deps: TenantChangesDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#look(), lookMs).unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    const at = performance.now();
    try {
      this.#compare(await this.#deps.settings.listTenantRevisions(maxTenants));
      this.lookedAt = at;
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && this.#timer) this.#deps.onError(error);
      this.#failing = true;
    }
    if (this.#timer) this.start();
  }

  #compare(latest: readonly TenantRevision[]): void {
    const { onChange } = this.#deps;
    const known = new Map(this.#known?.map(({ tenantId, revision }) => [tenantId, revision]));
    const changed = latest.filter(({ tenantId, revision }) => known.get(tenantId) !== revision);
    if (this.#known === null || changed.length === maxTenants) onChange(null);
    else for (const { tenantId } of changed) onChange(tenantId);
    this.#known = latest;
  }
}
