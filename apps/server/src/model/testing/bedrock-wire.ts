import { crc32 } from 'node:zlib';
import type { Wire } from './wire.ts';

const signature = 'signed-thinking';

/** One message of Amazon's binary event stream. */
const frame = (type: string, payload: string, kind: 'event' | 'exception' = 'event'): Buffer => {
  const headers = Buffer.concat(
    Object.entries({
      [`:${kind}-type`]: type,
      ':content-type': 'application/json',
      ':message-type': kind,
    }).map(([name, value]) => {
      const head = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7, 0, 0])]);
      head.writeUInt16BE(value.length, head.length - 2);
      return Buffer.concat([head, Buffer.from(value)]);
    }),
  );
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, sum]);
};

const event = (type: string, payload: unknown) => frame(type, JSON.stringify(payload));

/** How a started stream fails. */
export const bedrockException = (type: string, message: string): Buffer =>
  frame(type, JSON.stringify({ message }), 'exception');

const block = (
  index: number,
  start: Record<string, unknown> | undefined,
  deltas: Record<string, unknown>[],
) => [
  ...(start ? [event('contentBlockStart', { contentBlockIndex: index, start })] : []),
  ...deltas.map((delta) => event('contentBlockDelta', { contentBlockIndex: index, delta })),
  event('contentBlockStop', { contentBlockIndex: index }),
];

export const bedrockWire: Wire = {
  contentType: 'application/vnd.amazon.eventstream',
  settings: (origin) => ({
    provider: 'amazon-bedrock',
    model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    baseUrl: origin,
  }),
  frames: ({ reasoning, text, call }) => [
    event('messageStart', { role: 'assistant' }),
    ...(reasoning === undefined
      ? []
      : block(0, undefined, [
          { reasoningContent: { text: reasoning } },
          { reasoningContent: { signature } },
        ])),
    ...(text
      ? block(
          1,
          undefined,
          text.map((delta) => ({ text: delta })),
        )
      : []),
    ...(call
      ? block(2, { toolUse: { toolUseId: call.id, name: call.name } }, [{ toolUse: { input: call.input } }])
      : []),
    event('messageStop', { stopReason: call ? 'tool_use' : 'end_turn' }),
    event('metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 } }),
  ],
  closing: 2,
  malformed: frame('contentBlockDelta', '{"contentBlockIndex":1,"del'),
  tooLong: {
    body: {
      message: 'Input is too long for requested model.',
    },
  },
  unknownEvent: event('newKind', { value: 1 }),
  highEffort: { additionalModelRequestFields: { thinking: { type: 'enabled' } } },
  signature,
};
