import type { SessionEvent, SessionEventType } from '@parley/protocol/event';
import type { StoredEvent } from '../store/event-store.ts';

/**
 * Who reads: the `team` sees all of it, `full` what tools are given and answer, `status` only what is not concealed. A
 * secret key is a program of the tenant and no member: it reads in `full`.
 */
export type Audience = 'team' | 'full' | 'status';

type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

/** What an event leaves out for readers who may not see all of it. */
interface Redaction<Type extends SessionEventType> {
  /** Without what a concealed tool was given and has answered. */
  readonly conceal: (event: EventOf<Type>) => EventOf<Type>;
  /** Without what would let somebody into the session to whom a transcript is passed on: its id and token, and where its visitor signs in. */
  readonly withoutAccess: (event: EventOf<Type>) => EventOf<Type>;
  /** Without what members of the team say to each other and to the agent. */
  readonly withoutTeam: (event: EventOf<Type>) => EventOf<Type>;
}

const same = <Event>(event: Event): Event => event;
/** Nothing in it is a secret of a tool, or opens the session. */
const open = { conceal: same, withoutAccess: same, withoutTeam: same };
const withoutSessionId = <Event extends { readonly data: { readonly sessionId: string } }>(
  event: Event,
): Event => ({
  ...event,
  data: { ...event.data, sessionId: '' },
});
const ofSession = { ...open, withoutAccess: withoutSessionId };

type FailureData = { readonly details?: unknown };

/** Whoever has the address signs in for the visitor, for as long as it is good. */
function withoutLink(event: EventOf<'authorization.required'>): EventOf<'authorization.required'> {
  const { url, ...authorization } = { ...event.data.authorization };
  return url === undefined ? event : { ...event, data: { ...event.data, authorization } };
}

/** Why a turn failed is for whoever sets the agent up. */
const withoutCause = <Event extends { readonly data: FailureData }>(event: Event): Event => {
  const { cause, ...details } = { ...(event.data.details as { readonly cause?: unknown }) };
  return cause === undefined ? event : { ...event, data: { ...event.data, details } };
};
const ofFailure = { ...open, conceal: withoutCause };

const withoutSummary = <Event extends { readonly data: { readonly summary: string | null } }>(
  event: Event,
): Event => ({ ...event, data: { ...event.data, summary: null } });

function withoutMember<Event extends { readonly data: { member?: object | undefined } }>(
  event: Event,
): Event {
  const { member, ...data } = event.data;
  return member === undefined ? event : { ...event, data };
}

type Private<Type extends 'team.asked' | 'team.answered'> = (event: EventOf<Type>) => EventOf<Type>;
const withoutQuestion: Private<'team.asked'> = (event) => ({
  ...event,
  data: { ...event.data, question: null },
});
const withoutAnswer: Private<'team.answered'> = (event) => ({
  ...event,
  data: { ...event.data, answer: null, author: null },
});

const withoutDelegate = (event: EventOf<'approval.delegated'>): EventOf<'approval.delegated'> => ({
  ...event,
  data: { ...event.data, from: null, to: null, line: null },
});

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
    ...open,
    conceal: (event) => ({ ...event, data: { ...event.data, inputDelta: '' } }),
  },
  'actions.requested': {
    ...open,
    conceal: (event) => ({
      ...event,
      data: { ...event.data, actions: event.data.actions.map((action) => ({ ...action, input: {} })) },
    }),
  },
  'action.partial': {
    ...open,
    conceal: (event) => ({
      ...event,
      data: { ...event.data, result: { ...event.data.result, output: null } },
    }),
  },
  'action.result': {
    ...open,
    conceal(event) {
      const { error, ...data } = event.data;
      const visible = { ...data, result: { ...data.result, output: null } };
      return {
        ...event,
        data: error ? { ...visible, error: { code: error.code, message: concealedFailure } } : visible,
      };
    },
  },
  'action.amended': {
    ...open,
    conceal: (event) => ({ ...event, data: { ...event.data, before: {}, after: {} } }),
    withoutTeam: withoutMember,
  },
  'action.retried': open,
  // The page that runs the call is given its arguments.
  'action.delegated': open,
  // Whoever approves a call sees its arguments.
  'input.requested': open,
  // Whose word it was is the team's to know.
  'input.answered': { ...open, withoutTeam: withoutMember },
  'input.approved': { ...open, withoutTeam: withoutMember },
  'input.expired': open,
  'approval.delegated': { conceal: withoutDelegate, withoutAccess: same, withoutTeam: withoutDelegate },
  'authorization.required': { ...open, withoutAccess: withoutLink },
  'authorization.completed': open,
  'result.completed': open,
  'step.completed': open,
  'step.failed': ofFailure,
  'turn.completed': open,
  'turn.cancelled': open,
  'turn.failed': ofFailure,
  'team.joined': open,
  // What the team tells the agent is not said to the visitor.
  'team.left': { conceal: withoutSummary, withoutAccess: same, withoutTeam: withoutSummary },
  // What they say to each other is theirs: the visitor reads that the agent asks, and that it goes on.
  'team.asked': { conceal: withoutQuestion, withoutAccess: same, withoutTeam: withoutQuestion },
  'team.answered': { conceal: withoutAnswer, withoutAccess: same, withoutTeam: withoutAnswer },
  'team.away': open,
  'context.cleared': ofSession,
  'compaction.requested': ofSession,
  'compaction.completed': ofSession,
  // The token is never in the log: a stream is given it, a transcript is not.
  'session.waiting': open,
  'session.failed': { ...open, conceal: withoutCause, withoutAccess: withoutSessionId },
  'session.completed': open,
};

/** An event as this audience may see it. */
export function redactEvent({ event, concealed }: StoredEvent, audience: Audience): SessionEvent {
  if (audience === 'team') return event;
  const shown = event.type in redactions ? redact(event, 'withoutTeam') : event;
  return concealed && audience === 'status' ? redact(shown, 'conceal') : shown;
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
