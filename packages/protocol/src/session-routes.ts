import type { z } from 'zod';
import { feedbackBounds, sessionBounds, smallBounds } from './body-bounds.ts';
import { maxFilenameLength, ratingsPerHour } from './bounds.ts';
import { controlPatterns } from './control-paths.ts';
import { sessionEventSchema } from './event.ts';
import { fileUploadedSchema } from './file-part.ts';
import { filenameHeader, filePatterns } from './file-paths.ts';
import { idempotencyKeyHeader, sessionHealthPath, sessionPatterns } from './paths.ts';
import { type HeaderParameter, jsonResponse, named, type Route } from './route.ts';
import { sessionHeaders } from './session-headers.ts';
import {
  sessionListQuerySchema,
  streamQuerySchema,
  transcriptQuerySchema,
  turnStreamQuerySchema,
} from './session-queries.ts';
import {
  cancelRequestSchema,
  createRequestSchema,
  feedbackRequestSchema,
  followUpRequestSchema,
  readyMailRequestSchema,
  tokenRequestSchema,
  transferClaimSchema,
} from './session-requests.ts';
import * as responses from './session-responses.ts';
import { visitorPatterns } from './visitor-paths.ts';

const idempotencyKey: HeaderParameter = {
  name: idempotencyKeyHeader,
  description:
    '16-200 visible ASCII characters. A repeat within 24 h with the same body gets the first answer again; another body is a 409. A session that is started with a publishable key and no visitor token: from the same network (IPv4 address, IPv6 /64).',
};

export const visitorTokenHeader = (platform: string): HeaderParameter => ({
  name: sessionHeaders(platform).visitorToken,
  description:
    'Who the visitor is: a JWT (HS256 or ES256) with `sub`, `aud` = the id of the agent and an `exp` at most 24 h ahead, signed by the tenant. A session belongs to the `sub` that began or claimed it; to anybody else it does not exist. What is open with a publishable key ends at `exp`.',
});

const body = <Name extends string, Schema extends z.ZodType>(
  name: Name,
  schema: Schema,
  bounds = smallBounds,
) => ({ ...named(name, schema), required: true, bounds, contentType: 'any' }) as const;

/** The order is the order to match in: `clear`, `compact`, `reset` and `file` look like an id. */
export function sessionRoutes(platform: string) {
  const paths = { ...sessionPatterns(platform), ...controlPatterns(platform), ...visitorPatterns(platform) };
  const headers = sessionHeaders(platform);
  const common = { tag: 'Sessions', principal: 'key', method: 'post' } as const;
  const idHeader = { [headers.sessionId]: 'The id of the session.' };
  const streamHeaders = {
    ...idHeader,
    [headers.streamFormat]: '`ndjson`',
    [headers.streamVersion]: '`21`',
  };
  const stream = { 'application/x-ndjson': named('SessionEvent', sessionEventSchema) };
  /** Of a create and a follow-up, which answer with the stream where `Accept` asks for it. */
  const turnStream = {
    description:
      'With `Accept: application/x-ndjson` the body is the stream, as `streamSession` sends it. Where no further stream may be open that is a 429, and JSON if the header takes it, too: `application/x-ndjson, application/json;q=0.9`.',
    headers: {
      ...streamHeaders,
      [headers.streamTailIndex]: 'Of a stream: the index before that of the first event from now on.',
    },
  };
  const problems = [
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
  const token = body('SessionToken', tokenRequestSchema);
  const reset = named('SessionReset', responses.resetResponseSchema);
  const ended = named('SessionEnded', responses.endResponseSchema);
  const visitorToken = visitorTokenHeader(platform);
  const identity = ['VISITOR_TOKEN_REQUIRED', 'VISITOR_TOKEN_INVALID'] as const;
  return [
    {
      ...common,
      name: 'sessionsHealth',
      method: 'get',
      path: sessionHealthPath(platform),
      principal: 'anyone',
      summary: 'Whether the Sessions interface is up',
      responses: [jsonResponse(200, 'It is.', named('SessionHealth', responses.healthResponseSchema))],
      problems: ['UNAVAILABLE'],
    },
    {
      ...common,
      name: 'createSession',
      activeAgent: true,
      path: paths.sessions,
      summary: 'Start a session with its first message',
      headers: [idempotencyKey, visitorToken],
      query: turnStreamQuerySchema,
      body: body('SessionCreate', createRequestSchema, sessionBounds),
      responses: [
        {
          status: 202,
          description: `Durably accepted; the turn is on its way. ${turnStream.description}`,
          content: { 'application/json': named('SessionCreated', responses.createResponseSchema), ...stream },
          headers: {
            ...turnStream.headers,
            [headers.continuationToken]: 'Of a stream: what a follow-up takes, as `session.waiting` has it.',
          },
        },
      ],
      problems: [...problems, 'FORBIDDEN', 'AGENT_INACTIVE', ...turn],
    },
    {
      ...common,
      name: 'listSessions',
      visitor: 'required',
      method: 'get',
      path: paths.sessions,
      summary: 'List the identified visitor’s own sessions, newest first',
      headers: [{ ...visitorToken, required: true }],
      query: sessionListQuerySchema,
      responses: [jsonResponse(200, 'One page.', named('SessionList', responses.sessionListSchema))],
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
      body: token,
      responses: [
        jsonResponse(202, 'Accepted.', named('SessionControlled', responses.controlResponseSchema)),
        jsonResponse(
          200,
          'No live session has this token.',
          named('NoActiveSession', responses.noActiveSessionSchema),
        ),
      ],
      problems: [...problems, 'QUEUE_FULL', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'compactSession',
      path: paths.compact,
      summary: 'Replace the conversation so far by a summary in the prompt',
      body: token,
      responses: [
        jsonResponse(202, 'Accepted.', named('SessionControlled', responses.controlResponseSchema)),
        jsonResponse(
          200,
          'No live session has this token.',
          named('NoActiveSession', responses.noActiveSessionSchema),
        ),
      ],
      problems: [...problems, 'QUEUE_FULL', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'resetSession',
      path: paths.reset,
      summary: 'Give the session up: a running turn is cancelled and the token dies',
      body: token,
      responses: [
        jsonResponse(200, 'Done, or nothing was there.', reset),
        jsonResponse(202, 'Accepted: whoever runs the session has not given it up yet.', reset),
      ],
      problems: [...problems, 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'claimTransfer',
      path: paths.claim,
      summary: 'Go on with a session that another browser has handed over: once, and within its time',
      body: body('TransferClaim', transferClaimSchema),
      responses: [
        jsonResponse(
          200,
          'It is this browser’s, too.',
          named('TransferClaimed', responses.claimedTransferSchema),
        ),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      // Also while the agent is switched off: a person may answer.
      name: 'uploadFile',
      path: filePatterns(platform).upload,
      summary:
        'Upload a file for a message to name, once and within an hour: `{"type": "file", "fileId": "…"}` among its parts',
      headers: [
        {
          name: filenameHeader(platform),
          description: `Its name, at most ${maxFilenameLength} characters without control characters: UTF-8, percent-encoded as \`encodeURIComponent\` does.`,
        },
        visitorToken,
      ],
      body: 'bytes',
      responses: [
        jsonResponse(
          201,
          'Stored. Whoever uploaded it may name it.',
          named('FileUploaded', fileUploadedSchema),
        ),
      ],
      problems: [...problems, 'QUOTA_EXCEEDED', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'continueSession',
      activeAgent: 'or-held',
      path: paths.session,
      summary:
        'Send a message, answer what the agent asked, or give the results of calls delegated to the page; with a visitor token this also claims a session that nobody is bound to',
      headers: [idempotencyKey, visitorToken],
      query: turnStreamQuerySchema,
      body: body('SessionFollowUp', followUpRequestSchema, sessionBounds),
      responses: [
        {
          status: 200,
          description: `Durably queued; it gets its turn in order. ${turnStream.description}`,
          content: {
            'application/json': named('SessionAccepted', responses.followUpResponseSchema),
            ...stream,
          },
          headers: turnStream.headers,
        },
      ],
      problems: [...problems, 'FORBIDDEN', 'AGENT_INACTIVE', 'SESSION_NOT_RESUMABLE', 'QUEUE_FULL', ...turn],
    },
    {
      ...common,
      name: 'streamSession',
      visitor: 'unexpired',
      method: 'get',
      path: paths.stream,
      summary: 'Follow the events of a session',
      headers: [visitorToken],
      query: streamQuerySchema,
      responses: [
        {
          status: 200,
          description: 'One JSON event a line, for as long as the session lives. Blank lines are heartbeats.',
          content: stream,
          headers: {
            ...streamHeaders,
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
      body: { ...body('SessionCancel', cancelRequestSchema), required: false },
      responses: [
        {
          ...jsonResponse(
            202,
            'Taken, or nothing was running.',
            named('SessionCancelled', responses.cancelResponseSchema),
          ),
          headers: idHeader,
        },
      ],
      problems: [...problems, 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'endSession',
      path: paths.end,
      summary: 'Complete the session',
      body: token,
      responses: [
        jsonResponse(200, 'Its stream ends with `session.completed`.', ended),
        jsonResponse(202, 'Accepted: whoever runs the session has not ended it yet.', ended),
      ],
      problems: [...problems, 'SESSION_NOT_RESUMABLE', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'identifySession',
      visitor: 'required',
      path: paths.identify,
      summary:
        'Bind a session that nobody is bound to, to the visitor that the token names: from then on it exists for that visitor alone',
      headers: [{ ...visitorToken, required: true }],
      body: token,
      responses: [
        jsonResponse(
          200,
          'It is bound to this visitor.',
          named('SessionIdentified', responses.identifyResponseSchema),
        ),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'createTransfer',
      path: paths.transfer,
      summary:
        'Hand a session that nobody is bound to over to another browser, which has five minutes: in place of the one before',
      body: token,
      responses: [
        jsonResponse(
          201,
          'Whoever has the token has the session.',
          named('SessionTransfer', responses.transferResponseSchema),
        ),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'revokeTransfer',
      method: 'delete',
      path: paths.transfer,
      summary: 'Hand the session over to nobody any more',
      body: token,
      responses: [
        jsonResponse(
          200,
          'What was not claimed is none.',
          named('TransferRevoked', responses.revokedTransferSchema),
        ),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'askForReadyMail',
      path: paths.readyMail,
      summary:
        'Be written to, once, when what the agent is at is finished or asks something: in place of what was asked before',
      headers: [visitorToken],
      body: body('ReadyMailRequest', readyMailRequestSchema),
      responses: [
        jsonResponse(
          202,
          'The mail is sent within a day, or never.',
          named('ReadyMailResponse', responses.readyMailResponseSchema),
        ),
        jsonResponse(
          200,
          '`no_active_turn`: nothing is worked on. `off`: the agent’s `readyMail` is.',
          named('ReadyMailResponse', responses.readyMailResponseSchema),
        ),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'rateTurn',
      path: paths.feedback,
      summary: 'Say whether a turn was of help; null takes it back',
      headers: [visitorToken],
      body: body('SessionFeedback', feedbackRequestSchema, feedbackBounds),
      responses: [
        jsonResponse(
          200,
          `Kept, in place of what was said of this turn before. A session takes ${ratingsPerHour.session} an hour, and of publishable keys an address ${ratingsPerHour.address}.`,
          named('SessionRated', responses.feedbackResponseSchema),
        ),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'readTranscript',
      method: 'get',
      path: paths.transcript,
      summary: 'Download the conversation as it is now',
      headers: [visitorToken],
      query: transcriptQuerySchema,
      responses: [
        {
          status: 200,
          description: 'A file: what was said, or the events without anything that opens the session.',
          content: {
            'text/plain': 'text',
            'application/json': named('SessionTranscript', responses.transcriptSchema),
            'application/x-ndjson': named('SessionEvent', sessionEventSchema),
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
      headers: [visitorToken],
      body: token,
      responses: [
        jsonResponse(200, 'Nothing of it is left.', named('SessionDeleted', responses.deleteResponseSchema)),
      ],
      problems: [...problems, 'SESSION_NOT_FOUND', 'UNAVAILABLE'],
    },
    {
      ...common,
      name: 'readFile',
      method: 'get',
      path: filePatterns(platform).file,
      principal: 'anyone',
      summary: 'Read a file that a message has named; its id is the right to',
      responses: [{ status: 200, description: 'The file.', content: { '*/*': 'bytes' } }],
      problems: ['NOT_FOUND'],
    },
  ] as const satisfies readonly Route[];
}
