import type { Config } from '../config.ts';
import { loadOrCreateSecret } from '../crypto/load-or-create-secret.ts';

export interface AdminToken {
  readonly value: string;
  /** Whether it was made just now, so that nobody has seen it yet. */
  readonly made: boolean;
}

/** The configured admin token, or the one in the file beside the database. */
export function loadAdminToken({ adminToken, databaseFile }: Config): AdminToken {
  if (adminToken !== undefined) return { value: adminToken, made: false };
  return loadOrCreateSecret(`${databaseFile}.admin-token`);
}
