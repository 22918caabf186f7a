import type { AdminToken } from './auth/admin-token.ts';

export interface RunningService {
  /** Where it can be reached on this machine. */
  readonly url: string;
  readonly adminToken: AdminToken;
  /** Where the first member comes in; null when there is one. Each call makes another link. */
  createSetupLink(): Promise<string | null>;
  /** Takes no more work, lets running turns finish (25 s at most), then lets go of everything. */
  stop(): Promise<void>;
}
