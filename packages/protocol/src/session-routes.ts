import { idempotencyKeyHeader, sessionHeaders, sessionPatterns } from './paths.ts';
import { json, type Parameter, type Route } from './route.ts';

const idempotencyKey: Parameter = {
  in: 'header',
  name: idempotencyKeyHeader,
  description: 'A repeat within 24 h with the same body gets the first answer again; another body is a 409.',
};

/** The order is the order to match in: `clear`, `compact` and `reset` look like an id. */
export function sessionRoutes(platform: string): readonly Route[] {
  const paths = sessionPatterns(platform);
  const headers = sessionHeaders(platform);
  const common = { tag: 'Sessions', guard: 'key', method: 'post' } as const;
  const idHeader = { [headers.sessionId]: 'The id of the session.' };
  const body = [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'ORIGIN_NOT_ALLOWED',
    'NO_AGENT',
    'TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
  ] as const;
  const turn = ['IDEMPOTENCY_CONFLICT', 'RATE_LIMITED', 'QUOTA_EXCEEDED', 'UNAVAILABLE'] as const;
  const token = { body: 'SessionToken', required: true } as const;
  return [
    {
      ...common,
      name: 'sessionsHealth',
      method: 'get',
      path: paths.health,
      guard: 'none',
      summary: 'Whether the Sessions interface is up',
      answers: [json(200, 'It is.', 'SessionHealth')],
      problems: ['UNAVAILABLE'],
    },
    {
      ...common,
      name: 'createSession',
      path: paths.sessions,
      summary: 'Start a session with its first message',
      parameters: [idempotencyKey],
      request: { body: 'SessionCreate', required: true },
      answers: [
        { ...json(202, 'Durably accepted; the turn is on its way.', 'SessionCreated'), headers: idHeader },
      ],
      problems: [...body, 'AGENT_INACTIVE', ...turn],
    },
    {
      ...common,
      name: 'clearSession',
      path: paths.clear,
      summary: 'Make the agent forget the conversation so far',
      request: token,
      answers: [
        json(202, 'Accepted.', 'SessionControlled'),
        json(200, 'No live session has this token.', 'NoActiveSession'),
      ],
      problems: [...body, 'QUEUE_FULL', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'compactSession',
      path: paths.compact,
      summary: 'Replace the conversation so far by a summary in the prompt',
      request: token,
      answers: [
        json(202, 'Accepted.', 'SessionControlled'),
        json(200, 'No live session has this token.', 'NoActiveSession'),
      ],
      problems: [...body, 'QUEUE_FULL', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'resetSession',
      path: paths.reset,
      summary: 'Give the session up: a running turn is cancelled and the token dies',
      request: token,
      answers: [json(200, 'Done, or nothing was there.', 'SessionReset')],
      problems: [...body, 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'continueSession',
      path: paths.session,
      summary: 'Send a message, or answer what the agent asked',
      parameters: [idempotencyKey],
      request: { body: 'SessionFollowUp', required: true },
      answers: [
        { ...json(200, 'Durably queued; it gets its turn in order.', 'SessionAccepted'), headers: idHeader },
      ],
      problems: [...body, 'AGENT_INACTIVE', 'SESSION_NOT_RESUMABLE', 'QUEUE_FULL', ...turn],
    },
    {
      ...common,
      name: 'streamSession',
      method: 'get',
      path: paths.stream,
      summary: 'Follow the events of a session',
      parameters: [
        {
          in: 'query',
          name: 'startIndex',
          description: 'Events to skip; negative: begin with that many of the last ones. Default 0.',
        },
        {
          in: 'query',
          name: 'includeTailIndex',
          description: '`1` or `true`: name the last index in a header.',
        },
        { in: 'query', name: 'soFar', description: '`0`: leave the cumulative text out of the deltas.' },
      ],
      answers: [
        {
          status: 200,
          description: 'One JSON event a line, for as long as the session lives. Blank lines are heartbeats.',
          content: { 'application/x-ndjson': 'SessionEvent' },
          headers: {
            ...idHeader,
            [headers.streamFormat]: '`ndjson`',
            [headers.streamVersion]: '`21`',
            [headers.streamTailIndex]: 'The index of the last event, `-1` when there is none; on request.',
          },
        },
      ],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        'ORIGIN_NOT_ALLOWED',
        'NO_AGENT',
        'SESSION_NOT_FOUND',
        'QUOTA_EXCEEDED',
      ],
    },
    {
      ...common,
      name: 'cancelTurn',
      path: paths.cancel,
      summary: 'Cancel the running turn',
      request: { body: 'SessionCancel', required: false },
      answers: [{ ...json(202, 'Taken, or nothing was running.', 'SessionCancelled'), headers: idHeader }],
      problems: [...body, 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'endSession',
      path: paths.end,
      summary: 'Complete the session',
      request: token,
      answers: [json(200, 'Its stream ends with `session.completed`.', 'SessionEnded')],
      problems: [...body, 'SESSION_NOT_RESUMABLE', 'UNAVAILABLE'],
    },
  ];
}
