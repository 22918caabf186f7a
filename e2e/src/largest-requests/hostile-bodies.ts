import {
  maxCallsPerStep,
  maxContextEntries,
  maxIdLength,
  maxInlineFileBytes,
  maxInputResponses,
  maxMessageParts,
} from '@parley/protocol/bounds';

const token = 't'.repeat(8_000);

type Known = Readonly<Record<string, unknown>>;
type MakeBody = (known: Known) => unknown;

/** Bodies that are the most costly of their size where a schema alone does not say so, or knows no rule for several fields. */
export function hostileBodies(name: string): readonly MakeBody[] {
  switch (name) {
    case 'SessionCreate':
      return [
        () => ({ message: files(1) }),
        () => ({ message: files(maxMessageParts) }),
        () => ({ message: words, clientContext, clientTools: costlyTools }),
        () => ({ message: costlyValue, outputSchema: costlySchema }),
      ];
    case 'SessionFollowUp':
      return [
        ({ continuationToken }) => ({ continuationToken, message: files(1) }),
        ({ continuationToken }) => ({ continuationToken, message: files(maxMessageParts) }),
        ({ continuationToken }) => ({ continuationToken, message: costlyValue, outputSchema: costlySchema }),
        ({ continuationToken }) => ({ continuationToken, message: words, clientContext, inputResponses }),
        ({ continuationToken }) => ({ continuationToken, message: 'word', clientContext, actionResults }),
      ];
    case 'ChatRequest':
      return [
        ({ id }) => ({ id, messages: longTranscript }),
        ({ id }) => ({ id, message: { role: 'assistant', parts: costlyOutputs } }),
        ({ id }) => ({ id, message: { role: 'assistant', parts: costlyKeys } }),
        ({ id }) => ({
          id,
          message: { role: 'user', parts: [{ type: 'text', text: 'word' }, ...uiFiles(1)] },
        }),
        ({ id }) => ({
          id,
          message: { role: 'user', parts: [{ type: 'text', text: 'word' }, ...uiFiles(maxMessageParts - 1)] },
        }),
      ];
    case 'ContactPatch':
      return [
        () => ({
          stage: 'customer',
          fields: Object.fromEntries(
            ['name', 'email', 'phone', 'company'].map((id) => [id, '\u{1F600}'.repeat(250)]),
          ),
        }),
      ];
    case 'ToolTest':
      return [() => ({ input: { words: 'x'.repeat(60_000) } })];
    case 'NewToolTest':
      return [
        ({ agentId, name }) => ({
          tool: {
            agentId,
            kind: 'http',
            name,
            description: 'd'.repeat(4_000),
            parameters: { type: 'object' },
            request: { method: 'POST', url: 'http://127.0.0.1:9/', body: 'x'.repeat(60_000) },
          },
          input: { words: 'x'.repeat(60_000) },
        }),
      ];
    case 'ConnectionCreate':
      return [
        ({ agentId, name }) => ({ agentId, kind: 'mcp', name, url: 'https://mcp.invalid/', token }),
        ({ agentId, name }) => ({
          agentId,
          kind: 'mcp',
          name,
          url: 'https://mcp.invalid/',
          signIn: 'agent',
          clientId: 'c'.repeat(1_000),
          clientIssuer: `https://issuer.invalid/${'i'.repeat(1_970)}`,
          clientSecret: 's'.repeat(1_000),
        }),
        ({ agentId, name }) => ({
          agentId,
          kind: 'composio',
          name,
          url: 'https://composio.invalid/',
          toolkit: 't'.repeat(64),
          authConfigId: 'a'.repeat(100),
          apiKey: 'k'.repeat(1_000),
        }),
      ];
    case 'ConnectionPatch':
      return [() => ({ callsPerMinute: 5, token })];
    default:
      return [];
  }
}

/** File parts whose content is together as large as content may be, and within the 10 MiB an agent takes. */
function files(count: number): unknown[] {
  return Array.from({ length: count }, () => ({
    type: 'file',
    mediaType: 'application/pdf',
    filename: 'f'.repeat(200),
    data: content(count),
  }));
}

function uiFiles(count: number): unknown[] {
  return Array.from({ length: count }, () => ({
    type: 'file',
    mediaType: 'application/pdf',
    filename: 'f'.repeat(200),
    url: `data:application/pdf;base64,${content(count)}`,
  }));
}

const decodedBytes = 10 * 1_024 * 1_024;

function content(count: number): string {
  const share = Math.floor(Math.min((decodedBytes * 4) / 3, maxInlineFileBytes) / count);
  return 'A'.repeat(share - (share % 4) - 4);
}

/** A list that takes the check of `costlySchema` the longest, as the agent repeats it. */
const costlyValue = JSON.stringify(Array.from({ length: 6_000 }, () => []));
const costlySchema = { items: { anyOf: [...Array.from({ length: 2_000 }, () => ({ minItems: 1 })), true] } };

/** Everything at once, within what the parts of a message, context and answers may have together. */
const words = Array.from({ length: maxMessageParts }, () => ({
  type: 'text',
  text: '\u{1F600}'.repeat(Math.floor(18_000 / maxMessageParts)),
}));
const clientContext = Array.from({ length: maxContextEntries }, () => '\u0001'.repeat(50));
const inputResponses = Array.from({ length: maxInputResponses }, (_, index) => ({
  requestId: `${index}`.padEnd(maxIdLength, 'r'),
  text: '\u0001'.repeat(200),
}));
const actionResults = Array.from({ length: maxCallsPerStep }, (_, index) => ({
  callId: `${index}`.padEnd(maxIdLength, 'c'),
  output: Array.from({ length: 300 }, () => [1]),
}));

/** What a stock client sends after a long conversation: all of it, each time. */
const longTranscript = Array.from({ length: 2_000 }, (_, index) => ({
  id: `message-${index}`,
  role: index % 2 === 0 ? 'assistant' : 'user',
  parts: [{ type: 'text', text: '\\'.repeat(400) }],
}));

const costlyOutputs = Array.from({ length: 40 }, (_, index) => ({
  type: 'tool-search',
  toolCallId: `call-${index}`,
  state: 'output-available',
  output: Array.from({ length: 950 }, () => 'é'.repeat(10)),
}));

const costlyKeys = [
  {
    type: 'tool-search',
    toolCallId: 'call',
    state: 'output-available',
    output: Object.fromEntries(Array.from({ length: 39_000 }, (_, index) => [`key${index}`, index])),
  },
];

const costlyTools = Array.from({ length: 20 }, (_, index) => ({
  name: `tool${index}`,
  description: 'd'.repeat(1_000),
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (__, property) => [`p${property}`, { type: 'string', pattern: '^(a|b)*$' }]),
    ),
  },
}));
