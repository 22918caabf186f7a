import type { WebhookView } from '@parley/protocol/settings/webhook';

const words = { working: 'Working', failing: 'Failing', off: 'Switched off' };

export const WebhookBadge = ({ status }: Pick<WebhookView, 'status'>) => (
  <span class={`badge ${status === 'working' ? 'live' : status === 'failing' ? 'warn' : ''}`}>
    {words[status]}
  </span>
);
