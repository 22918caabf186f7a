import { expect, test } from 'vitest';
import { z } from 'zod';
import { maxContextLength } from './bounds.ts';
import type { JsonBody, Route } from './route.ts';
import { routes } from './routes.ts';
import { limitsSchema } from './settings/limits.ts';
import { weekdays } from './settings/team.ts';
import { firstIssue } from './first-issue.ts';

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  maxProperties?: number;
  maximum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  'x-maxBytes'?: number;
}

const all: readonly Route[] = routes('parley');
const bodies = new Map(
  all.flatMap(({ body }): [string, JsonBody][] =>
    body === undefined || body === 'bytes' ? [] : [[body.name, body]],
  ),
);
const names = [...bodies.keys()];

function zodOf(name: string): z.ZodType {
  const body = bodies.get(name);
  if (!body) throw new Error(`No route takes ${name}.`);
  return body.schema;
}

const schemaOf = (name: string) => z.toJSONSchema(zodOf(name), { io: 'input', reused: 'inline' }) as Schema;

interface Place {
  path: string;
  isBounded: boolean;
}

const typesOf = ({ type = [] }: Schema) => [type].flat().filter((each) => each !== 'null');

/** Everything in a request that could be as large as somebody likes, and whether it has a maximum. */
function places(schema: Schema, path: string): Place[] {
  const { properties = {}, items, additionalProperties: others } = schema;
  if (schema['x-maxBytes'] !== undefined) return [{ path, isBounded: true }];
  if (schema.const !== undefined || schema.enum) return [];
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.flatMap((option) => places(option, path));
  const [type] = typesOf(schema);
  if (type === undefined) return schema.type === 'null' ? [] : [{ path, isBounded: false }];
  if (type === 'boolean' || type === 'number' || schema.format === 'date') return [];
  if (type === 'string') return [{ path, isBounded: schema.maxLength !== undefined }];
  if (type === 'integer')
    return [{ path, isBounded: (schema.maximum ?? Infinity) < Number.MAX_SAFE_INTEGER }];
  if (type === 'array')
    return [{ path, isBounded: schema.maxItems !== undefined }, ...places(items ?? {}, `${path}[]`)];
  const named = Object.entries(properties).flatMap(([key, value]) => places(value, `${path}.${key}`));
  if (others === undefined || others === false) return named;
  const record = { path, isBounded: schema.maxProperties !== undefined };
  return [...named, record, ...places(others === true ? {} : others, `${path}{}`)];
}

test.each(names)('every string, array, count and record of %s has a maximum', (name) => {
  const unbounded = places(schemaOf(name), name).filter(({ isBounded }) => !isBounded);
  expect(unbounded).toEqual([]);
});

test('a bound that is missing is found', () => {
  const fields = {
    text: z.string(),
    list: z.array(z.string().max(1)),
    record: z.record(z.string().max(1), z.boolean()),
    count: z.int().nullable(),
    json: z.json(),
    more: z.array(z.looseObject({ a: z.unknown() }).nullish()).max(3),
  };
  const all = places(z.toJSONSchema(z.object(fields), { io: 'input' }) as Schema, 'x');
  expect(all.flatMap(({ path, isBounded }) => (isBounded ? [] : [path]))).toEqual([
    'x.text',
    'x.list',
    'x.record',
    'x.count',
    'x.json',
    'x.more[].a',
    'x.more[]',
    'x.more[]{}',
  ]);
});

const form = {
  title: 'You',
  action: 'Begin',
  fields: [
    {
      name: 'size',
      label: 'Size',
      type: 'select',
      description: 'Of you.',
      placeholder: 'm',
      options: [{ id: 'm', label: 'M' }],
      maxLength: 5,
    },
  ],
};
const agent = {
  name: 'Ada',
  pauseMessage: 'Back on Monday.',
  fallback: 'quoting',
  contacts: 'change',
  teamQuestionMinutes: 30,
  readyMail: true,
  approvalsBy: 'team',
  approvalMail: [{ address: 'a@example.com', memberId: 'member_1' }],
  embedding: { model: 'text-embedding-3-small' },
  savedQuestions: ['When?'],
  instructions: 'Be brief.',
  maxSteps: 5,
  maxOutputTokens: 100,
  contextTokens: 1_000,
  limits: Object.fromEntries(Object.keys(limitsSchema.shape).map((name) => [name, 5])),
  widget: {
    name: 'Ada',
    greeting: 'Hi',
    prompts: ['Who?'],
    accent: '#2563eb',
    privacyUrl: 'https://a.example',
    teaser: 'Hi',
    consent: { text: 'Yes', link: 'https://a.example' },
    form,
    avatar: 'data:image/png;base64,aGk=',
    languages: {
      de: {
        greeting: 'Hallo',
        prompts: ['Wer?'],
        teaser: 'Hallo',
        consent: { text: 'Ja', link: 'https://a.example' },
        form,
      },
    },
  },
  files: { types: ['image/*'], totalBytes: 5 },
  identity: {
    secret: 'x'.repeat(32),
    toolSecret: 'x'.repeat(32),
    publicKey: '-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----',
  },
  retentionDays: 5,
};
const scripted = {
  provider: 'scripted',
  model: 'scripted',
  script: [
    {
      when: 'x',
      steps: [
        { say: 'x', repeat: 1, delayMs: 1 },
        { reason: 'x', delayMs: 1 },
        { call: 'x', input: { a: 1 } },
        {
          ask: {
            prompt: 'x',
            options: [{ id: 'a', label: 'A', description: 'x' }],
            fields: form.fields,
            action: 'Send',
          },
        },
        { wait: 1 },
        { fail: 'x' },
      ],
    },
  ],
};
const credentials = { model: 'm', apiKey: 'k', baseUrl: 'https://a.example' };
const hosted = [
  { provider: 'openai', ...credentials, organization: 'o' },
  { provider: 'azure', ...credentials, resourceName: 'r', apiVersion: '1' },
  {
    provider: 'amazon-bedrock',
    ...credentials,
    region: 'eu-central-1',
    accessKeyId: 'a',
    secretAccessKey: 's',
    sessionToken: 't',
  },
];
const tool = {
  name: 'find',
  description: 'Finds.',
  parameters: { type: 'object' },
  display: { title: { en: 'x' }, summary: { en: 'x' } },
  request: {
    method: 'GET',
    url: 'https://a.example/',
    query: { q: 'x', key: { $secret: 'x' } },
    headers: { accept: 'x' },
    body: { a: 1 },
  },
  approval: 'once',
  approvalExpiresAfterMs: 5_000,
  interfaces: ['chat'],
  timeoutMs: 5,
};
/** As an answer shows its secret. */
const masked = {
  request: { ...tool.request, query: { key: { $secret: { set: true, last4: '1234' } } } },
};
const source = { name: 'x', language: 'en' };
const mail = {
  host: 'smtp.a.example',
  port: 25,
  user: 'x',
  password: 'x',
  from: 'x@a.example',
  fromName: 'x',
  recipients: ['@a.example'],
};
const composio = {
  url: 'https://x.example/',
  toolkit: 'gmail',
  authConfigId: 'ac_1',
  apiKey: 'x',
};
const calendar = {
  timeZone: 'Europe/Berlin',
  hours: [{ days: [1], from: '09:00', to: '17:00' }],
  minutes: 30,
  noticeMinutes: 5,
  bookingsPerConversation: 5,
  horizonDays: 5,
  title: 'x',
  location: 'x',
};
const url = 'https://a.example/';
const entries = [{ question: 'x', answer: 'x', url }];
const message = [
  { type: 'text', text: 'x' },
  { type: 'file', mediaType: 'a/b', data: 'aGk=', filename: 'a' },
  { type: 'file', fileId: 'f' },
];
const options = {
  clientContext: ['x'],
  outputSchema: { type: 'object' },
  clientTools: [{ name: 'go', description: 'Goes.', parameters: { type: 'object' } }],
};
const followUp = {
  continuationToken: 't',
  inputResponses: [{ requestId: 'r', optionId: 'a', text: 'x' }],
  actionResults: [
    { callId: 'c', output: 1 },
    { callId: 'd', error: 'x' },
  ],
};
const user = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'x' }] };

const credential = { id: 'e30', rawId: 'e30', type: 'public-key' };

/** Requests that are accepted, with everything in them that can be. */
const samples: Readonly<Record<string, unknown[]>> = {
  ChatRequest: [
    { id: 'c', text: 'x' },
    { id: 'c', messageId: 'm', message: user },
    { id: 'c', messages: [user] },
  ],
  SessionCreate: [
    { message, ...options },
    { message: 'x', clientContext: 'x' },
    { message: 'x', clientContext: { page: '/' } },
    { message: 'x', clientMessageId: 'm'.repeat(16) },
  ],
  SessionFollowUp: [
    { ...followUp, message, ...options },
    { ...followUp, message: 'x', clientContext: 'x' },
    { ...followUp, clientContext: { page: '/' } },
    { ...followUp, message: 'x', clientMessageId: 'm'.repeat(16) },
    { ...followUp, shownIndex: 1 },
  ],
  SessionCancel: [{ turnId: 't' }],
  SessionToken: [{ continuationToken: 't' }],
  TransferClaim: [{ token: 't' }],
  ReadyMailRequest: [{ continuationToken: 't', address: 'a@example.com', language: 'de' }],
  SessionFeedback: [{ turnId: 't', rating: 'up', comment: 'x' }],
  InvitationToken: [{ token: 't' }],
  InvitationAccept: [{ token: 't', name: 'x', password: 'x'.repeat(12) }],
  SignIn: [{ name: 'x', password: 'x', code: '1' }],
  PasswordConfirmation: [{ password: 'x' }],
  PasskeyCreate: [
    {
      name: 'x',
      response: {
        ...credential,
        response: { clientDataJSON: 'e30', attestationObject: 'e30', transports: ['usb'] },
      },
    },
  ],
  PasskeyPatch: [{ name: 'x' }],
  PasskeySignIn: [
    {
      response: {
        ...credential,
        response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30', userHandle: 'e30' },
      },
    },
  ],
  SecondFactorConfirm: [{ setup: 'x', code: '1' }],
  PasswordChange: [{ password: 'x', newPassword: 'x'.repeat(12) }],
  MemberPatch: [{ role: 'viewer' }],
  MemberPicture: [{ picture: 'data:image/png;base64,aGk=' }],
  InvitationCreate: [{ tenantId: 't', role: 'viewer' }],
  TenantCreate: [{ name: 'x' }],
  TenantPatch: [
    {
      name: 'x',
      prices: { currency: 'EUR', models: [{ modelId: 'm', inputPerMillion: 1, outputPerMillion: 1 }] },
      team: {
        replies: [{ name: 'x', text: 'x' }],
        hours: {
          timeZone: 'UTC',
          ...Object.fromEntries(weekdays.map((day) => [day, { from: '09:00', to: '17:00' }])),
        },
        awayMessage: 'x',
      },
      pipeline: { stages: [{ id: 'a', name: 'x' }], fields: [{ id: 'a', name: 'x' }], retentionDays: 5 },
    },
  ],
  ApprovalAmendment: [{ requestId: 'x', input: { a: 1 } }],
  ApprovalDelegation: [{ requestId: 'x', memberId: 'x', line: 'x' }],
  TeamAnswer: [{ requestId: 'call_1', text: 'Yes.' }],
  ApprovalAnswer: [{ requestId: 'x', answer: 'approve' }],
  ContactPatch: [{ stage: 'a', fields: { a: 'x' } }],
  AgentCreate: [scripted, { provider: 'quoting', model: 'quoting' }, ...hosted].map((model) => ({
    tenantId: 't',
    ...agent,
    model,
  })),
  AgentPatch: [scripted, ...hosted].map((model) => ({ ...agent, model })),
  AgentDraftPatch: [scripted, ...hosted].map((model) => {
    const { pauseMessage: _message, identity: _identity, savedQuestions: _questions, ...draft } = agent;
    return { ...draft, model, changedAt: '2026-01-01T00:00:00Z' };
  }),
  QuestionTrial: [{ question: 'When?', of: 'draft' }],
  AgentPublish: [{ note: 'x', live: 1, changedAt: '2026-01-01T00:00:00Z' }],
  RevisionRestore: [{ to: 'live', replaceDraft: true, changedAt: '2026-01-01T00:00:00Z' }],
  KeyCreate: [
    {
      tenantId: 't',
      agentId: 'a',
      kind: 'secret',
      label: 'x',
      allowedOrigins: ['https://a.example'],
      turnsPerMinute: 60,
    },
  ],
  KeyPatch: [{ agentId: 'a', label: 'x', allowedOrigins: ['https://a.example'], turnsPerMinute: 60 }],
  ToolCreate: [{ agentId: 'a', kind: 'http', ...tool }],
  ToolPatch: [tool, masked],
  ToolTest: [tool, masked].map((changes) => ({ input: { a: 1 }, changes })),
  NewToolTest: [{ input: { a: 1 }, tool: { agentId: 'a', kind: 'http', ...tool } }],
  ToolDocument: [{ agentId: 'a', url }],
  ModelTest: [scripted, ...hosted].map((model) => ({ model, reasoning: { effort: 'low', show: true } })),
  SourceCreate: [
    { agentId: 'a', kind: 'text', ...source, text: 'x', url },
    { agentId: 'a', kind: 'faq', ...source, entries },
    { agentId: 'a', kind: 'website', ...source, url, maxPages: 5 },
  ],
  SourcePatch: [
    { ...source, text: 'x', url },
    { ...source, entries },
    { ...source, url, maxPages: 5 },
  ],
  ConnectionCreate: [
    {
      agentId: 'a',
      kind: 'mcp',
      name: 'x',
      url,
      token: 'x',
      clientId: 'x',
      clientIssuer: url,
      clientSecret: 'x',
      callsPerMinute: 5,
    },
    { agentId: 'a', kind: 'calendar', name: 'x', callsPerMinute: 5, ...calendar },
    { agentId: 'a', kind: 'mail', name: 'x', callsPerMinute: 5, ...mail },
    { agentId: 'a', kind: 'composio', name: 'x', callsPerMinute: 5, signIn: 'visitor', ...composio },
  ],
  ConnectionPatch: [
    {
      name: 'x',
      url,
      token: 'x',
      clientId: 'x',
      clientIssuer: url,
      clientSecret: 'x',
      callsPerMinute: 5,
      tools: [{ name: 'x', fingerprint: 'x', approval: 'once' }],
    },
    { name: 'x', callsPerMinute: 5, newFeedUrl: true, ...calendar, ...mail, ...composio },
  ],
  WebhookCreate: [{ tenantId: 't', name: 'x', url, events: ['message'], agentIds: ['a'], active: true }],
  WebhookPatch: [{ name: 'x', url, events: ['message'], agentIds: ['a'], active: false }],
  DeliveryReplay: [{ since: '2026-01-01T00:00:00Z' }],
  WebsiteAddress: [{ url }],
  QuestionAnswer: [{ questionId: 'q', question: 'x', answer: 'x' }],
  QuestionDismissal: [{ questionId: 'q' }],
  TeamMessage: [{ text: 'x', id: 'm' }],
  Presence: [{ tenantId: 't', conversationId: 's' }],
  HandBack: [{ summary: 'x' }],
  Assignment: [{ memberId: 'm' }],
  NoteCreate: [{ text: 'x' }],
  Whisper: [{ text: 'x' }],
};

/** What is wrong with a body, as its route finds it; null when nothing is. */
function refusal(name: string, body: unknown): string | null {
  const result = zodOf(name).safeParse(body);
  if (result.success) return null;
  return JSON.stringify(name.startsWith('Session') ? firstIssue(result.error) : result.error.issues);
}

interface Twin {
  path: string;
  limit: number;
  value: unknown;
}

/** The value again and again, each time with one thing in it that is one over its maximum. */
function twins(schema: Schema, value: unknown, path: string): Twin[] {
  const maxBytes = schema['x-maxBytes'];
  if (maxBytes !== undefined) {
    const text = 'x'.repeat(maxBytes);
    const isObject = typeof value === 'object' && value !== null;
    return [{ path, limit: maxBytes, value: isObject ? { ...value, text } : text }];
  }
  const found = (schema.anyOf ?? schema.oneOf ?? []).filter((option) => fits(option, value));
  if (found.length > 0) return found.flatMap((option) => twins(option, value, path));
  if (typeof value === 'string' && schema.maxLength !== undefined)
    return [{ path, limit: schema.maxLength, value: value.padEnd(schema.maxLength + 1, 'x') }];
  if (typeof value === 'number' && typesOf(schema).includes('integer'))
    return [{ path, limit: schema.maximum ?? 0, value: (schema.maximum ?? 0) + 1 }];
  if (Array.isArray(value)) {
    const limit = schema.maxItems ?? 0;
    const longer = Array.from({ length: limit + 1 }, () => value[0] as unknown);
    const inner = value.flatMap((item: unknown, index) =>
      twins(schema.items ?? {}, item, `${path}[]`).map((twin) => ({
        ...twin,
        value: value.with(index, twin.value),
      })),
    );
    return [{ path, limit, value: longer }, ...inner];
  }
  if (typeof value !== 'object' || value === null) return [];
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const limit = schema.maxProperties;
  const [first] = Object.values(value);
  const wider = () =>
    Object.fromEntries(Array.from({ length: (limit ?? 0) + 1 }, (_, index) => [`k${index}`, first]));
  const inner = Object.entries(value).flatMap(([key, member]) =>
    twins(
      schema.properties?.[key] ?? others,
      member,
      schema.properties?.[key] ? `${path}.${key}` : `${path}{}`,
    ).map((twin) => ({
      ...twin,
      value: { ...value, [key]: twin.value },
    })),
  );
  return limit === undefined ? inner : [{ path, limit, value: wider() }, ...inner];
}

function fits(schema: Schema, value: unknown): boolean {
  const type = Array.isArray(value) ? 'array' : typeof value;
  if (schema.anyOf ?? schema.oneOf)
    return (schema.anyOf ?? schema.oneOf ?? []).some((option) => fits(option, value));
  if (schema.const !== undefined) return schema.const === value;
  const types = typesOf(schema);
  if (!types.includes(type === 'number' && types.includes('integer') ? 'integer' : type))
    return schema['x-maxBytes'] !== undefined && types.length === 0;
  if (type !== 'object') return true;
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const members = Object(value) as Record<string, unknown>;
  if (required.some((key) => members[key] === undefined)) return false;
  return Object.entries(members).every(([key, member]) => {
    const known = properties[key];
    return known ? fits(known, member) : others !== false;
  });
}

/** Bounds of the body as a whole, which is counted before it is parsed. */
const countedInBody = [
  'SessionCreate.message[].data',
  'SessionFollowUp.message[].data',
  'ChatRequest.message.parts[]',
  'ChatRequest.messages[].parts[]',
];

test.each(names)('one over each maximum of %s is refused with a sentence that names it', (name) => {
  const schema = schemaOf(name);
  const seen = new Set<string>();
  for (const sample of samples[name] ?? []) {
    expect(refusal(name, sample)).toBeNull();
    for (const { path, limit, value } of twins(schema, sample, name)) {
      seen.add(path);
      if (countedInBody.includes(path)) continue;
      // An object as context counts as its text.
      const named = path.endsWith('.clientContext') && limit > maxContextLength ? maxContextLength : limit;
      expect(refusal(name, value), `${path} over ${limit}`).toContain(String(named));
    }
  }
  // A new field is missing in the samples.
  expect([...seen].sort()).toEqual([...new Set(places(schema, name).map(({ path }) => path))].sort());
});
