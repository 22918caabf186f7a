import { chatBounds } from './body-bounds.ts';
import { chatReplySchema, chatRequestSchema } from './chat.ts';
import { chatPatterns, idempotencyKeyHeader, uiMessageStreamHeader } from './paths.ts';
import { named, type Route } from './route.ts';
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
      summary: 'Run one turn of a conversation',
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
  ] as const satisfies readonly Route[];
