import type { ServiceStatus } from '@parley/protocol/settings/status';
import type { Handlers } from '../handlers.ts';

/** Counts of what this process holds open, and of what it has dropped since it began. */
export const statusHandlers = (status: () => ServiceStatus): Handlers<'readStatus'> => ({
  readStatus({ response }) {
    response.json(status());
  },
});
