import { chatBounds } from './body-bounds.ts';
import { chatDeletedSchema, chatReplySchema, chatRequestSchema } from './chat.ts';
import { sessionEventSchema } from './event.ts';
import { chatPatterns, idempotencyKeyHeader, uiMessageStreamHeader } from './paths.ts';
import { jsonResponse, named, type Route } from './route.ts';
import { conversationQuerySchema } from './session-queries.ts';
import { transcriptSchema } from './session-responses.ts';
import { visitorTokenHeader } from './session-routes.ts';
import { uiMessageChunkSchema } from './ui-message-chunk.ts';

const eventStream = { 'text/event-stream': named('UiMessageChunk', uiMessageChunkSchema) };
const eventStreamHeaders = { [uiMessageStreamHeader]: '`v1`, with the event stream.' };

export const chatRoutes = (platform: string) =>
  [
    {
      name: 'chat',
      tag: 'Chat',
      method: 'post',
      path: chatPatterns.chat,
      principal: 'key',
      activeAgent: true,
      visitor: 'unexpired',
      summary:
        'Run one turn of a conversation. A key may begin 60 in any minute; the `turnsPerMinute` of a secret key changes that',
      headers: [
        {
          name: idempotencyKeyHeader,
          description:
            '16-200 visible ASCII characters. A repeat within 24 h with the same body joins or gets the same reply; another body is a 409. With a publishable key and no visitor token it counts for one network (IPv4 address, IPv6 /64).',
        },
        visitorTokenHeader(platform),
      ],
      body: {
        ...named('ChatRequest', chatRequestSchema),
        required: true,
        bounds: chatBounds,
        contentType: 'json',
      },
      responses: [
        {
          status: 200,
          description: 'The reply, in the mode that `Accept` asks for.',
          content: {
            'application/json': named('ChatReply', chatReplySchema),
            ...eventStream,
            'text/plain': 'text',
          },
          headers: eventStreamHeaders,
        },
      ],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        'VISITOR_TOKEN_REQUIRED',
        'VISITOR_TOKEN_INVALID',
        'ORIGIN_NOT_ALLOWED',
        'NO_AGENT',
        'AGENT_INACTIVE',
        'NOT_ACCEPTABLE',
        'IDEMPOTENCY_CONFLICT',
        'TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'RATE_LIMITED',
        'QUOTA_EXCEEDED',
        'QUEUE_FULL',
        'MODEL_FAILED',
        'UNAVAILABLE',
        'TURN_TIMEOUT',
      ],
    },
    {
      name: 'resumeChat',
      tag: 'Chat',
      method: 'get',
      path: chatPatterns.stream,
      principal: 'key',
      activeAgent: true,
      visitor: 'unexpired',
      summary: 'Follow the running turn of a conversation from its start',
      headers: [visitorTokenHeader(platform)],
      responses: [
        {
          status: 200,
          description: 'The event stream of the running turn.',
          content: eventStream,
          headers: eventStreamHeaders,
        },
        { status: 204, description: 'No turn runs.' },
      ],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        'VISITOR_TOKEN_REQUIRED',
        'VISITOR_TOKEN_INVALID',
        'ORIGIN_NOT_ALLOWED',
        'NO_AGENT',
        'AGENT_INACTIVE',
        'QUOTA_EXCEEDED',
      ],
    },
    {
      name: 'readChat',
      tag: 'Chat',
      method: 'get',
      path: chatPatterns.conversation,
      principal: 'key',
      secretKey: true,
      summary: 'Read a conversation of the agent’s secret keys as it is now',
      query: conversationQuerySchema,
      responses: [
        {
          status: 200,
          description: 'Its events, or what was said.',
          content: {
            'application/json': named('SessionTranscript', transcriptSchema),
            'application/x-ndjson': named('SessionEvent', sessionEventSchema),
            'text/plain': 'text',
          },
        },
      ],
      problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NO_AGENT', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
    },
    {
      name: 'deleteChat',
      tag: 'Chat',
      method: 'delete',
      path: chatPatterns.conversation,
      principal: 'key',
      secretKey: true,
      summary:
        'Delete a conversation of the agent’s secret keys and everything that was stored of it; what runs is cancelled first',
      responses: [jsonResponse(200, 'Nothing of it is left.', named('ChatDeleted', chatDeletedSchema))],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'NO_AGENT',
        'NOT_FOUND',
        'QUOTA_EXCEEDED',
        'UNAVAILABLE',
      ],
    },
  ] as const satisfies readonly Route[];
