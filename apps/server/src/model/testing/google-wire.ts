import { malformedEvent, serverSentEvent, type Wire } from './wire.ts';

const signature = 'signed-thought';

const chunk = (part: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...rest }],
});

export const googleWire: Wire = {
  contentType: 'text/event-stream',
  settings: (origin) => ({
    provider: 'google',
    model: 'gemini-2.5-flash',
    apiKey: 'key',
    baseUrl: `${origin}/v1beta`,
  }),
  frames: ({ reasoning, text = [], call }) =>
    [
      ...(reasoning === undefined
        ? []
        : [chunk({ text: reasoning, thought: true, thoughtSignature: signature })]),
      ...text.map((delta) => chunk({ text: delta })),
      ...(call
        ? [
            chunk({
              functionCall: { id: call.id, name: call.name, args: JSON.parse(call.input) },
              thoughtSignature: signature,
            }),
          ]
        : []),
      {
        ...chunk({ text: '' }, { finishReason: 'STOP' }),
        usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
      },
    ].map((event) => serverSentEvent(event)),
  closing: 1,
  malformed: malformedEvent,
  tooLong: {
    tokens: 1_048_575,
    body: {
      error: {
        code: 400,
        message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
  unknownEvent: serverSentEvent({ newKind: 1 }),
  highEffort: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
  signature,
  typedArguments: true,
};
