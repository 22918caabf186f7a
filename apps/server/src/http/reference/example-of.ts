import { alternativesOf, type JsonSchema, refName, type Schemas } from './json-schema.ts';

/** What stands for texts that have a form of their own, by the name of their field. */
const samples: Readonly<Record<string, unknown>> = {
  accent: '#2563eb',
  agentId: 'agent_…',
  tenantId: 'tenant_…',
  avatar:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  continuationToken: '{{platform}}:…',
  currency: 'EUR',
  day: '2026-08-01',
  from: '2026-08-01',
  to: '2026-08-31',
  filename: 'returns.md',
  key: 'pk_live_…',
  language: 'en',
  last4: 'x7Qa',
  mediaType: 'image/png',
  name: 'Ada',
  tenantName: 'Fernhill Cycles',
  text: 'Order 1042 was shipped this morning.',
  message: 'Where is order 1042?',
  prompt: 'Which cabin would you like?',
  toolName: 'find_order',
  url: 'https://www.example.com/',
  origin: 'https://www.example.com',
  requestId: 'kKZ0…',
  sessionId: 'session_…',
  turnId: 'turn_0',
};

/** Texts that patterns ask for. */
const formed = [
  'evt_01M7WTZ9150000000000000001',
  '#2563eb',
  'https://www.example.com/',
  'data:image/png;base64,iVBORw0KGgo=',
  '1',
  'en',
];

const moment = '2026-08-01T09:30:00.000Z';

/** An instance of a schema, with what it needs and no more. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, field = ''): unknown {
  const [part = {}] = alternativesOf(schema);
  if (part.$ref) return exampleOf(schemas[refName(part.$ref)] ?? {}, schemas, field);
  if (part.const !== undefined) return part.const;
  if (part.default !== undefined) return part.default;
  if (part.enum) return part.enum[0];
  const type = Array.isArray(part.type) ? String(part.type[0]) : part.type;
  if (part.properties) {
    const wanted = Object.entries(part.properties).filter(([name]) => part.required?.includes(name));
    return Object.fromEntries(wanted.map(([name, value]) => [name, exampleOf(value, schemas, name)]));
  }
  if (type === 'array') return part.items ? [exampleOf(part.items, schemas, field)] : [];
  if (type === 'object') return {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number')
    return Math.max(part.minimum ?? 1, Math.min(part.maximum ?? 1, 1));
  if (type === 'null') return null;
  return textOf(part, field);
}

function textOf(
  { format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema,
  field: string,
): unknown {
  if (format === 'date-time') return moment;
  const sample = samples[field];
  if (pattern !== undefined) {
    const matches = new RegExp(pattern, 'u');
    const found = [sample, ...formed].find((text) => typeof text === 'string' && matches.test(text));
    if (found !== undefined) return found;
  }
  const text = typeof sample === 'string' ? sample : `${field === '' ? 'text' : field}…`;
  return text.padEnd(minLength, '…').slice(0, maxLength);
}
