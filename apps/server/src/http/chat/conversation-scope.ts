import type { KeyPrincipal } from '../../auth/principal.ts';

/**
 * Who shares a Chat conversation's id (`chat-protocol`, "Whose conversation"): the agent's secret keys with each other,
 * whatever visitor they speak for; with a publishable key a visitor with nobody, and all who are unknown with each other.
 */
export function conversationScope({ key, visitor }: Pick<KeyPrincipal, 'key' | 'visitor'>): string {
  if (key.kind === 'secret') return 'secret';
  return visitor === null ? 'publishable' : `visitor ${visitor}`;
}
