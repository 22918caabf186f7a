import type { SettingsPrincipal } from '../../auth/principal.ts';
import { trialQuotas } from '../../limit/trial-quotas.ts';
import { changeRecord } from '../../settings/audit.ts';
import type { AuditStore } from '../../store/audit-store.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import { countQuotas } from './count-quotas.ts';

interface Trial {
  readonly tenantId: string;
  readonly kind: 'tool' | 'agent' | 'connection' | 'webhook';
  readonly subject: { readonly id: string; readonly name: string };
  /** Words and numbers of ours alone: what was sent and answered is in no log. */
  readonly found: Readonly<Record<string, string | number>>;
}

/** What is tried out in the settings reaches out of the service: it is counted before, and written down after. */
export class Trials {
  readonly #limits: Pick<LimitStore, 'countQuotas'>;
  readonly #audit: Pick<AuditStore, 'record'>;

  constructor(limits: Pick<LimitStore, 'countQuotas'>, audit: Pick<AuditStore, 'record'>) {
    this.#limits = limits;
    this.#audit = audit;
  }

  /** Throws 429. */
  async count(principal: SettingsPrincipal): Promise<void> {
    await countQuotas(this.#limits, trialQuotas(principal));
  }

  async record(principal: SettingsPrincipal, { found, ...trial }: Trial): Promise<void> {
    const change = { ...trial, action: 'tested', before: null, after: found } as const;
    await this.#audit.record(changeRecord(principal, change));
  }
}
