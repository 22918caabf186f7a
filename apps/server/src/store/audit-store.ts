import type { AuditEntryView } from '@parley/protocol/settings/audit';
import type { Page } from './page.ts';

/** One change of the settings. `at` is in Unix milliseconds. */
export type AuditRecord = Omit<AuditEntryView, 'at'> & { readonly at: number };

export interface AuditQuery {
  /** Undefined: of every tenant, and of the service. */
  readonly tenantId: string | undefined;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

/** What was changed: each entry is written with its change, by `Collection`. */
export interface AuditStore {
  /** What no transaction holds together with its entry: what is removed page by page, and what changed nothing, such as a trial. */
  record(entry: AuditRecord): Promise<void>;

  /** Latest first. */
  list(query: AuditQuery): Promise<Page<AuditRecord>>;
}
