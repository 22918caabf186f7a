import { chatPatterns, idempotencyKeyHeader, servicePatterns, uiMessageStreamHeader } from './paths.ts';
import { json, type Route } from './route.ts';
import { sessionRoutes, visitorTokenParameter } from './session-routes.ts';
import { settingsRoutes } from './settings-routes.ts';

const eventStream = { 'text/event-stream': 'UiMessageChunk' } as const;
const eventStreamHeaders = { [uiMessageStreamHeader]: '`v1`, with the event stream.' };

const chatRoutes = (platform: string): readonly Route[] => [
  {
    name: 'chat',
    tag: 'Chat',
    method: 'post',
    path: chatPatterns.chat,
    guard: 'key',
    summary: 'Run one turn of a conversation',
    parameters: [
      {
        in: 'header',
        name: idempotencyKeyHeader,
        description:
          '16-200 visible ASCII characters. A repeat within 24 h with the same body joins or gets the same reply; another body is a 409. With a publishable key and no visitor token it counts for one network (IPv4 address, IPv6 /64).',
      },
      visitorTokenParameter(platform),
    ],
    request: { body: 'ChatRequest', required: true },
    answers: [
      {
        status: 200,
        description: 'The reply, in the mode that `Accept` asks for.',
        content: { 'application/json': 'ChatReply', ...eventStream, 'text/plain': 'text' },
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
    guard: 'key',
    summary: 'Follow the running turn of a conversation from its start',
    parameters: [visitorTokenParameter(platform)],
    answers: [
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
];

const serviceRoutes: readonly Route[] = [
  {
    name: 'live',
    tag: 'Service',
    method: 'get',
    path: servicePatterns.live,
    guard: 'none',
    summary: 'Whether the process answers',
    answers: [json(200, 'It does.', 'Health')],
    problems: [],
  },
  {
    name: 'ready',
    tag: 'Service',
    method: 'get',
    path: servicePatterns.ready,
    guard: 'none',
    summary: 'Whether it takes work and can store it',
    answers: [json(200, 'It does.', 'Health')],
    problems: ['UNAVAILABLE'],
  },
  {
    name: 'widgetConfig',
    tag: 'Service',
    method: 'get',
    path: servicePatterns.widgetConfig,
    guard: 'none',
    summary: 'How the widget of a publishable key looks, or why it does not work on this page',
    parameters: [{ in: 'query', name: 'key', description: 'The publishable key.', required: true }],
    answers: [json(200, 'Either.', 'WidgetConfig')],
    problems: [],
  },
];

/** Every route of the service that speaks JSON, NDJSON or the event stream, in the order to match in. */
export const routes = (platform: string): readonly Route[] => [
  ...chatRoutes(platform),
  ...sessionRoutes(platform),
  ...settingsRoutes,
  ...serviceRoutes,
];
