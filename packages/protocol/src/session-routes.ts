import { maxFilenameLength } from './bounds.ts';
import { controlPatterns } from './control-paths.ts';
import { filenameHeader, filePatterns } from './file-paths.ts';
import { idempotencyKeyHeader, sessionHealthPath, sessionPatterns } from './paths.ts';
import { visitorPatterns } from './visitor-paths.ts';
import { sessionHeaders } from './session-headers.ts';
import { json, type Parameter, type Route } from './route.ts';

const idempotencyKey: Parameter = {
  in: 'header',
  name: idempotencyKeyHeader,
  description:
    '16-200 visible ASCII characters. A repeat within 24 h with the same body gets the first answer again; another body is a 409. A session that is started with a publishable key and no visitor token: from the same network (IPv4 address, IPv6 /64).',
};

export const visitorTokenParameter = (platform: string): Parameter => ({
  in: 'header',
  name: sessionHeaders(platform).visitorToken,
  description:
    'Who the visitor is: a JWT (HS256 or ES256) with `sub`, `aud` = the id of the agent and an `exp` at most 24 h ahead, signed by the tenant. A session belongs to the `sub` that began or claimed it; to anybody else it does not exist. What is open with a publishable key ends at `exp`.',
});

/** The order is the order to match in: `clear`, `compact`, `reset` and `file` look like an id. */
export function sessionRoutes(platform: string): readonly Route[] {
  const paths = { ...sessionPatterns(platform), ...controlPatterns(platform), ...visitorPatterns(platform) };
  const headers = sessionHeaders(platform);
  const common = { tag: 'Sessions', guard: 'key', method: 'post' } as const;
  const idHeader = { [headers.sessionId]: 'The id of the session.' };
  const body = [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'VISITOR_TOKEN_REQUIRED',
    'VISITOR_TOKEN_INVALID',
    'ORIGIN_NOT_ALLOWED',
    'NO_AGENT',
    'TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'QUOTA_EXCEEDED',
  ] as const;
  const turn = ['IDEMPOTENCY_CONFLICT', 'RATE_LIMITED', 'UNAVAILABLE'] as const;
  const token = { body: 'SessionToken', required: true } as const;
  const visitorToken = visitorTokenParameter(platform);
  const identity = ['VISITOR_TOKEN_REQUIRED', 'VISITOR_TOKEN_INVALID'] as const;
  return [
    {
      ...common,
      name: 'sessionsHealth',
      method: 'get',
      path: sessionHealthPath(platform),
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
      parameters: [idempotencyKey, visitorToken],
      request: { body: 'SessionCreate', required: true },
      answers: [
        { ...json(202, 'Durably accepted; the turn is on its way.', 'SessionCreated'), headers: idHeader },
      ],
      problems: [...body, 'AGENT_INACTIVE', ...turn],
    },
    {
      ...common,
      name: 'listSessions',
      method: 'get',
      path: paths.sessions,
      summary: 'List the identified visitor’s own sessions, newest first',
      parameters: [
        { ...visitorToken, required: true },
        { in: 'query', name: 'cursor', description: 'The `next` of the page before.' },
        { in: 'query', name: 'limit', description: 'How many items at most, 1-100; 20 by default.' },
      ],
      answers: [json(200, 'One page.', 'SessionList')],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        ...identity,
        'ORIGIN_NOT_ALLOWED',
        'NO_AGENT',
        'QUOTA_EXCEEDED',
      ],
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
      name: 'uploadFile',
      path: filePatterns(platform).upload,
      summary:
        'Upload a file for a message to name, once and within an hour: `{"type": "file", "fileId": "…"}` among its parts',
      parameters: [
        {
          in: 'header',
          name: filenameHeader(platform),
          description: `Its name, at most ${maxFilenameLength} characters without control characters: UTF-8, percent-encoded as \`encodeURIComponent\` does.`,
        },
        visitorToken,
      ],
      request: { body: 'bytes', required: true },
      answers: [json(201, 'Stored. Whoever uploaded it may name it.', 'FileUploaded')],
      problems: [...body, 'AGENT_INACTIVE', 'QUOTA_EXCEEDED', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'continueSession',
      path: paths.session,
      summary:
        'Send a message, answer what the agent asked, or give the results of calls delegated to the page; with a visitor token this also claims a session that nobody is bound to',
      parameters: [idempotencyKey, visitorToken],
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
        visitorToken,
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
        ...identity,
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
    {
      ...common,
      name: 'identifySession',
      path: paths.identify,
      summary:
        'Bind a session that nobody is bound to, to the visitor that the token names: from then on it exists for that visitor alone',
      parameters: [{ ...visitorToken, required: true }],
      request: token,
      answers: [json(200, 'It is bound to this visitor.', 'SessionIdentified')],
      problems: [...body, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'rateTurn',
      path: paths.feedback,
      summary: 'Say whether a turn was of help; null takes it back',
      parameters: [visitorToken],
      request: { body: 'SessionFeedback', required: true },
      answers: [json(200, 'Kept, in place of what was said of this turn before.', 'SessionRated')],
      problems: [...body, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'readTranscript',
      method: 'get',
      path: paths.transcript,
      summary: 'Download the conversation as it is now',
      parameters: [
        visitorToken,
        { in: 'query', name: 'format', description: '`text` (the default), `json` or `ndjson`.' },
      ],
      answers: [
        {
          status: 200,
          description: 'A file: what was said, or the events without anything that opens the session.',
          content: {
            'text/plain': 'text',
            'application/json': 'SessionTranscript',
            'application/x-ndjson': 'SessionEvent',
          },
        },
      ],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        ...identity,
        'ORIGIN_NOT_ALLOWED',
        'NO_AGENT',
        'SESSION_NOT_FOUND',
        'QUOTA_EXCEEDED',
      ],
    },
    {
      ...common,
      name: 'deleteSession',
      method: 'delete',
      path: paths.session,
      summary: 'Delete the session and everything that was stored of it; what runs is cancelled first',
      parameters: [visitorToken],
      request: token,
      answers: [json(200, 'Nothing of it is left.', 'SessionDeleted')],
      problems: [...body, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
  ];
}
