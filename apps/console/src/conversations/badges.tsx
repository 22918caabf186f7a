import type { ConversationView } from '@parley/protocol/settings/conversation';

const words = { open: 'Open', waiting: 'Waiting', ended: 'Ended' } as const;

export const StatusBadge = ({ status }: Pick<ConversationView, 'status'>) => (
  <span class={`badge ${status}`}>{words[status]}</span>
);

export const RatingBadge = ({ rating }: Pick<ConversationView, 'rating'>) =>
  rating && <span class={`badge rated-${rating}`}>{rating === 'up' ? 'Helpful' : 'Not helpful'}</span>;

/** Who the visitor has proved to be. */
export const visitorName = ({ visitor, conversationId }: ConversationView): string =>
  visitor ?? (conversationId === null ? 'Anonymous' : `Chat ${conversationId}`);
