import type { AdminToken } from './auth/admin-token.ts';

export interface RunningService {
  /** Where it can be reached on this machine. */
  readonly url: string;
  readonly adminToken: AdminToken;
  /** Takes no more work, lets running turns finish (25 s at most), then lets go of everything. */
  stop(): Promise<void>;
}
