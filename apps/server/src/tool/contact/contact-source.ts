import type { ToolSource } from '../source.ts';
import { type KnownContacts, contactTools } from './contact-tools.ts';

/** What agents know of the visitors they talk to, as far as their settings let them, and on the Sessions interface alone. */
export function contactSource(contacts: KnownContacts): ToolSource {
  return {
    load({ tenantId, contacts: access }) {
      const tools = access === 'none' ? [] : contactTools(tenantId, access, contacts);
      return Promise.resolve({
        forSession: ({ interface: used }) => (used === 'sessions' ? tools : []),
        close: () => Promise.resolve(),
      });
    },
  };
}
