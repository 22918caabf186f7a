import { settingsPatterns } from '@parley/protocol/paths';
import type { ServiceStatus } from '@parley/protocol/settings/status';
import { Router } from 'express';
import type { AdminGuard } from '../admin.ts';

interface StatusDeps {
  readonly admin: AdminGuard;
  readonly status: () => ServiceStatus;
}

/** Counts of what this process holds open, and of what it has dropped since it began. */
export function statusRoutes({ admin, status }: StatusDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(settingsPatterns.status, admin, (_request, response) => {
    response.json(status());
  });
  return router;
}
