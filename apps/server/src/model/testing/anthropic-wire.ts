import { malformedEvent, serverSentEvent, type Wire } from './wire.ts';

const signature = 'signed-thinking';

const block = (index: number, start: Record<string, unknown>, deltas: Record<string, unknown>[]) => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];

export const anthropicWire: Wire = {
  contentType: 'text/event-stream',
  settings: (origin) => ({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    apiKey: 'key',
    baseUrl: `${origin}/v1`,
  }),
  frames: ({ reasoning, text, call }) =>
    [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 11, output_tokens: 1 },
        },
      },
      ...(reasoning === undefined
        ? []
        : block(0, { type: 'thinking', thinking: '' }, [
            { type: 'thinking_delta', thinking: reasoning },
            { type: 'signature_delta', signature },
          ])),
      ...(text
        ? block(
            1,
            { type: 'text', text: '' },
            text.map((delta) => ({ type: 'text_delta', text: delta })),
          )
        : []),
      ...(call
        ? block(2, { type: 'tool_use', id: call.id, name: call.name, input: {} }, [
            { type: 'input_json_delta', partial_json: call.input },
          ])
        : []),
      {
        type: 'message_delta',
        delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 7 },
      },
      { type: 'message_stop' },
    ].map((event) => serverSentEvent(event, event.type)),
  closing: 2,
  malformed: malformedEvent,
  tooLong: {
    tokens: 200_000,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 208310 tokens > 200000 maximum',
      },
    },
  },
  unknownEvent: serverSentEvent({ type: 'ping' }, 'ping'),
  highEffort: { thinking: { type: 'enabled' } },
  signature,
};
