export interface AgentRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly active: boolean;
  /** Everything else the settings API accepts, as JSON, credentials left out. Null where what is stored is no JSON. */
  readonly config: unknown;
  /** Encrypted by `secret/`; null when none is set. */
  readonly credentials: string | null;
  /** Counts what was published of it. */
  readonly revision: number;
  readonly createdAt: string;
}
