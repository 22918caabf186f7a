import { malformedEvent, serverSentEvent, type Wire, type WireReply } from './wire.ts';

const chunk = (choice: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  serverSentEvent({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_780_000_000,
    model: 'served-model',
    choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
    ...rest,
  });

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

const frames =
  (reasoningDelta: (text: string) => Record<string, unknown>) =>
  ({ reasoning, text = [], call }: WireReply): Buffer[] => [
    chunk({ delta: { role: 'assistant', content: '' } }),
    ...(reasoning === undefined ? [] : [chunk({ delta: reasoningDelta(reasoning) })]),
    ...text.map((content) => chunk({ delta: { content } })),
    ...(call
      ? [
          chunk({
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: call.input },
                },
              ],
            },
          }),
        ]
      : []),
    chunk({ finish_reason: call ? 'tool_calls' : 'stop' }, { usage }),
    Buffer.from('data: [DONE]\n\n'),
  ];

const shape = {
  contentType: 'text/event-stream',
  malformed: malformedEvent,
  closing: 2,
  unknownEvent: chunk({}, { new_field: { value: 1 } }),
};

export const openaiCompatibleWire: Wire = {
  ...shape,
  settings: (origin) => ({ provider: 'openai-compatible', model: 'local-model', baseUrl: `${origin}/v1` }),
  frames: frames((text) => ({ reasoning_content: text })),
  tooLong: {
    tokens: 4_096,
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  },
  highEffort: { reasoning_effort: 'high' },
};

export const mistralWire: Wire = {
  ...shape,
  settings: (origin) => ({
    provider: 'mistral',
    model: 'mistral-small-latest',
    apiKey: 'key',
    baseUrl: `${origin}/v1`,
  }),
  tooLong: {
    tokens: 32_768,
    body: {
      object: 'error',
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      param: null,
      code: '3051',
    },
  },
  frames: frames((text) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })),
  highEffort: { reasoning_effort: 'high' },
};
