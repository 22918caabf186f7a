import type { SessionEvent, SessionEventType } from '@parley/protocol/event';
import type { StoredEvent } from '../store/event-store.ts';

/** Who reads: `full` sees what tools are given and answer, `status` only what is not concealed. */
export type Audience = 'full' | 'status';

type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

/** What an event leaves out for readers who may not see all of it. */
interface Redaction<Type extends SessionEventType> {
  /** Without what a concealed tool was given and has answered. */
  readonly conceal: (event: EventOf<Type>) => EventOf<Type>;
  /** Without what would let somebody into the session to whom a transcript is passed on: its id and token. */
  readonly withoutAccess: (event: EventOf<Type>) => EventOf<Type>;
}

const same = <Event>(event: Event): Event => event;
/** Nothing in it is a secret of a tool, or opens the session. */
const open = { conceal: same, withoutAccess: same };
const withoutSessionId = <Event extends { readonly data: { readonly sessionId: string } }>(
  event: Event,
): Event => ({
  ...event,
  data: { ...event.data, sessionId: '' },
});
const ofSession = { conceal: same, withoutAccess: withoutSessionId };

type FailureData = { readonly details?: unknown };

/** Why a turn failed is for whoever sets the agent up. */
const withoutCause = <Event extends { readonly data: FailureData }>(event: Event): Event => {
  const { cause, ...details } = { ...(event.data.details as { readonly cause?: unknown }) };
  return cause === undefined ? event : { ...event, data: { ...event.data, details } };
};
const ofFailure = { conceal: withoutCause, withoutAccess: same };

const concealedFailure = 'This step did not succeed.';

const redactions: { readonly [Type in SessionEventType]: Redaction<Type> } = {
  'session.started': open,
  'turn.started': open,
  'message.received': open,
  'step.started': open,
  'reasoning.appended': open,
  'reasoning.completed': open,
  'message.appended': open,
  'message.completed': open,
  'action.appended': {
    conceal: (event) => ({ ...event, data: { ...event.data, inputDelta: '' } }),
    withoutAccess: same,
  },
  'actions.requested': {
    conceal: (event) => ({
      ...event,
      data: { ...event.data, actions: event.data.actions.map((action) => ({ ...action, input: {} })) },
    }),
    withoutAccess: same,
  },
  'action.partial': {
    conceal: (event) => ({
      ...event,
      data: { ...event.data, result: { ...event.data.result, output: null } },
    }),
    withoutAccess: same,
  },
  'action.result': {
    conceal(event) {
      const { error, ...data } = event.data;
      const visible = { ...data, result: { ...data.result, output: null } };
      return {
        ...event,
        data: error ? { ...visible, error: { code: error.code, message: concealedFailure } } : visible,
      };
    },
    withoutAccess: same,
  },
  'action.retried': open,
  // The page that runs the call is given its arguments.
  'action.delegated': open,
  // Whoever approves a call sees its arguments.
  'input.requested': open,
  'input.answered': open,
  'input.expired': open,
  'authorization.required': open,
  'authorization.completed': open,
  'result.completed': open,
  'step.completed': open,
  'step.failed': ofFailure,
  'turn.completed': open,
  'turn.cancelled': open,
  'turn.failed': ofFailure,
  'context.cleared': ofSession,
  'compaction.requested': ofSession,
  'compaction.completed': ofSession,
  // The token is never in the log: a stream is given it, a transcript is not.
  'session.waiting': open,
  'session.failed': { conceal: withoutCause, withoutAccess: withoutSessionId },
  'session.completed': open,
};

/** An event as this audience may see it. */
export function redactEvent({ event, concealed }: StoredEvent, audience: Audience): SessionEvent {
  return concealed && audience === 'status' ? redact(event, 'conceal') : event;
}

/** An event without what would let its reader into the session. */
export function withoutAccess(event: SessionEvent): SessionEvent {
  return redact(event, 'withoutAccess');
}

function redact<Type extends SessionEventType>(
  event: EventOf<Type>,
  how: keyof Redaction<Type>,
): SessionEvent {
  // A newer process may have appended a type that is not known here: nothing of it is shown.
  const redaction: Redaction<Type> | undefined = redactions[event.type as Type];
  return redaction ? redaction[how](event) : ({ ...event, data: {} } as SessionEvent);
}
