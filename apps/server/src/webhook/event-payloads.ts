import type { Author, SessionEvent } from '@parley/protocol/event';
import type { ContactView } from '@parley/protocol/settings/contact';
import type { WebhookEvent } from '@parley/protocol/settings/webhook';
import type { TurnFeedback } from '../store/feedback-store.ts';

/** Characters of a message that a webhook is told. */
const maxTextLength = 32_000;

/** What happened, without what every event says: when, and in which conversation. */
export interface Payload {
  readonly type: WebhookEvent;
  readonly data: Readonly<Record<string, unknown>>;
}

type EventOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;
type Tellers = { [Type in SessionEvent['type']]?: (event: EventOf<Type>) => readonly Payload[] };

const approvalPrefix = 'apr_';

/** What webhooks are told of an event of the log. Of all others they are told nothing. */
const tellers: Tellers = {
  'session.started': () => [{ type: 'conversation.begun', data: {} }],
  'session.completed': () => [{ type: 'conversation.ended', data: { outcome: 'completed' } }],
  'session.failed': () => [{ type: 'conversation.ended', data: { outcome: 'failed' } }],
  'message.received': ({ data: { turnId, author, message, parts } }) => {
    const files = parts.filter(({ type }) => type === 'file').length;
    return [{ type: 'message', data: { turnId, author: by(author, 'visitor'), ...text(message), files } }];
  },
  'message.completed': ({ data: { turnId, author, message } }) =>
    message === null || message === ''
      ? []
      : [{ type: 'message', data: { turnId, author: by(author, 'agent'), ...text(message), files: 0 } }],
  'input.requested': ({ data: { turnId, requests } }) =>
    requests
      .filter(({ kind }) => kind === 'tool-approval')
      .map(({ requestId, action }) => ({
        type: 'approval.asked' as const,
        data: { turnId, requestId, tool: action.toolName },
      })),
  'input.answered': ({ data: { turnId, requestId, optionId, by: answeredBy, member = null } }) =>
    requestId.startsWith(approvalPrefix)
      ? [
          {
            type: 'approval.answered',
            data: { turnId, requestId, approved: optionId === 'approve', by: answeredBy, member },
          },
        ]
      : [],
  'team.joined': ({ data: { author } }) => [
    { type: 'hand_over', data: { action: 'taken', member: { name: author.name ?? null } } },
  ],
  'team.left': ({ data: { author } }) => [
    { type: 'hand_over', data: { action: 'handed_back', member: { name: author.name ?? null } } },
  ],
};

export function payloadsOf(event: SessionEvent): readonly Payload[] {
  // The table pairs each type with what reads its data, which the compiler cannot follow through the lookup.
  const tell = tellers[event.type] as ((event: SessionEvent) => readonly Payload[]) | undefined;
  return tell?.(event) ?? [];
}

/** Whoever changed it. */
export type ContactChanger = 'visitor' | 'agent' | 'team';

/** Nothing of a contact that was erased but its id. */
export const contactPayload = (
  { id, tenantId: _tenant, ...contact }: Pick<ContactView, 'id'> & Partial<ContactView>,
  change: 'added' | 'changed' | 'erased',
  changedBy: ContactChanger,
): Payload => ({
  type: 'contact.changed',
  data: { contactId: id, change, by: changedBy, contact: change === 'erased' ? null : contact },
});

export const ratingPayload = ({ turnId, rating, comment }: TurnFeedback): Payload => ({
  type: 'rating',
  data: { turnId, rating, comment },
});

const by = (author: Author | undefined, otherwise: Author['kind']) => ({
  kind: author?.kind ?? otherwise,
  name: author?.name ?? null,
});

function text(message: string): { text: string; isCut: boolean } {
  const isCut = message.length > maxTextLength;
  return { text: isCut ? message.slice(0, maxTextLength).toWellFormed() : message, isCut };
}
