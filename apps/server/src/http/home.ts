import { consolePatterns } from '@parley/protocol/paths';
import type { Handlers } from './handlers.ts';

/** The address of the service, as somebody types it. */
export const homeHandlers = (): Handlers<'home'> => ({
  home({ response }) {
    response.redirect(consolePatterns.page);
  },
});
