import { z } from 'zod';

const name = z.string().min(1).max(200);
const identifier = z.string().min(1).max(100);
const httpUrl = z.url({ protocol: /^https?$/, error: 'Expected an http or https URL.' }).max(2_000);
const timestamp = z.iso.datetime();
const withId = { id: identifier, createdAt: timestamp };

/** How a stored secret appears in an answer: it can be set and replaced, never read. */
export const credentialAnswerSchema = z.strictObject({ set: z.literal(true), last4: z.string().max(4) });

/** A page of a list. `next` is the cursor of the following page. */
export const listAnswer = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next: z.string().nullable() });

// The embedded model's script

const milliseconds = z
  .int()
  .min(0)
  .max(24 * 60 * 60 * 1_000);
const pattern = z.string().min(1).max(1_000);
const scriptText = z.string().max(20_000);

const scriptOptionSchema = z.strictObject({
  id: z.string().min(1).max(200),
  label: z.string().min(1).max(200),
  description: z.string().max(1_000).optional(),
  style: z.enum(['primary', 'danger', 'default']).optional(),
});

export const scriptStepSchema = z.union([
  z.strictObject({
    say: scriptText,
    repeat: z.int().min(1).max(100_000).optional(),
    delayMs: milliseconds.optional(),
  }),
  z.strictObject({ reason: scriptText, delayMs: milliseconds.optional() }),
  z.strictObject({
    call: z.string().min(1).max(64),
    input: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({
    ask: z.strictObject({
      prompt: z.string().min(1).max(2_000),
      options: z.array(scriptOptionSchema).max(50).optional(),
      allowFreeform: z.boolean().optional(),
    }),
  }),
  z.strictObject({ wait: milliseconds }),
  z.strictObject({ fail: z.string().max(2_000) }),
  z.strictObject({ finish: z.enum(['stop', 'length', 'content-filter']) }),
]);

/** Whether `when` compiles is decided by the linear-time engine that will run it, not here. */
export const scriptRuleSchema = z.strictObject({
  when: pattern.optional(),
  steps: z.array(scriptStepSchema).min(1).max(200),
});

export const scriptSchema = z.array(scriptRuleSchema).max(500);

export type ScriptStep = z.infer<typeof scriptStepSchema>;
export type ScriptRule = z.infer<typeof scriptRuleSchema>;
export type Script = z.infer<typeof scriptSchema>;

// The model

/** The fields of a model's settings that are encrypted at rest and never read back. */
export const modelCredentials = ['apiKey', 'secretAccessKey', 'sessionToken'] as const;

const modelUnion = <Credential extends z.ZodType>(credential: Credential) => {
  const hosted = { model: name, apiKey: credential.optional(), baseUrl: httpUrl.optional() };
  return z.discriminatedUnion('provider', [
    z.strictObject({
      provider: z.literal('scripted'),
      model: name.default('scripted'),
      script: scriptSchema,
    }),
    z.strictObject({ provider: z.literal('openai'), ...hosted, organization: identifier.optional() }),
    z.strictObject({ provider: z.literal('anthropic'), ...hosted }),
    z.strictObject({ provider: z.literal('google'), ...hosted }),
    z.strictObject({ provider: z.literal('mistral'), ...hosted }),
    z.strictObject({
      provider: z.literal('azure'),
      ...hosted,
      resourceName: identifier.optional(),
      apiVersion: identifier.optional(),
    }),
    z.strictObject({
      provider: z.literal('amazon-bedrock'),
      ...hosted,
      region: identifier,
      accessKeyId: identifier.optional(),
      secretAccessKey: credential.optional(),
      sessionToken: credential.optional(),
    }),
    z.strictObject({ provider: z.literal('openai-compatible'), ...hosted, baseUrl: httpUrl }),
  ]);
};

const secretValue = z.string().min(1).max(8_000);

export const modelSettingsSchema = modelUnion(secretValue);
/** A credential left out keeps the stored one while provider and address stay the same; null removes it. */
export const modelPatchSchema = modelUnion(secretValue.nullable());
export const modelAnswerSchema = modelUnion(credentialAnswerSchema);

export const reasoningSchema = z.strictObject({
  /** Absent: the provider's own default. */
  effort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  /** Whether the visitor sees the reasoning. */
  show: z.boolean().default(false),
});

export type ModelSettings = z.infer<typeof modelSettingsSchema>;
export type ModelProvider = ModelSettings['provider'];
export type ModelPatch = z.infer<typeof modelPatchSchema>;
export type ModelAnswer = z.infer<typeof modelAnswerSchema>;
export type ReasoningSettings = z.infer<typeof reasoningSchema>;

// Quotas and appearance

const quota = (value: number) => z.int().min(1).max(1_000_000_000_000).default(value);

/** Quotas beyond the 60 turns a minute of every key, counted in the store over all processes. */
export const limitsSchema = z.strictObject({
  /** Sessions started with one key in any 60 s. */
  sessionsPerMinute: quota(100_000),
  /** Sessions started from one network address (IPv6: one /64) in any 60 s. */
  sessionsPerAddressPerMinute: quota(100_000),
  turnsPerSession: quota(10_000),
  /** Streams of one session open at once. */
  streamsPerSession: quota(10_000),
  /** Input and output tokens of the agent in any 24 h. */
  tokensPerDay: quota(10_000_000_000),
});

const accent = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #2563eb.');

/** Validated tokens only: nothing a tenant writes here becomes CSS, HTML or a script address. */
export const widgetSettingsSchema = z.strictObject({
  /** Absent: the agent's name. */
  name: z.string().min(1).max(80).optional(),
  greeting: z.string().max(500).default('Hi! How can I help?'),
  prompts: z.array(z.string().min(1).max(200)).max(4).default([]),
  accent: accent.default('#2563eb'),
  theme: z.enum(['light', 'dark', 'auto']).default('auto'),
  position: z.enum(['start', 'end']).default('end'),
  privacyUrl: httpUrl.optional(),
});

/** HS256 wants a key as long as its digest. */
const identitySecret = z.string().min(32, 'Expected at least 32 characters.').max(1_000);
const publicKey = z
  .string()
  .max(2_000)
  .regex(
    /^-----BEGIN PUBLIC KEY-----\s[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/,
    'Expected a public key in PEM.',
  );

const identity = <Credential extends z.ZodType>(credential: Credential) =>
  z.strictObject({
    /** What the tenant's server signs its visitors' tokens with (HS256). Write-only. */
    secret: credential.optional(),
    /** Or the public half of the key it signs with (ES256, the curve P-256). */
    publicKey: publicKey.optional(),
    /** Whether a publishable key is of use to identified visitors only. */
    required: z.boolean().default(false),
  });

/** How visitors prove who they are. */
export const identitySchema = identity(identitySecret);

export type IdentitySettings = z.infer<typeof identitySchema>;
export type Limits = z.infer<typeof limitsSchema>;
export type WidgetSettings = z.infer<typeof widgetSettingsSchema>;

// Tenants

export const tenantCreateSchema = z.strictObject({ name });
export const tenantPatchSchema = z.strictObject({ name: name.optional() });
export const tenantAnswerSchema = z.strictObject({ ...withId, name });

export type TenantCreate = z.infer<typeof tenantCreateSchema>;
export type TenantPatch = z.infer<typeof tenantPatchSchema>;
export type TenantAnswer = z.infer<typeof tenantAnswerSchema>;

// Agents

const agentFields = {
  name,
  instructions: z.string().max(100_000).default(''),
  active: z.boolean().default(true),
  reasoning: reasoningSchema.prefault({}),
  maxSteps: z.int().min(1).max(100).default(20),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  /** History beyond this many tokens is summarised in the prompt. Absent: what the model is known to hold. */
  contextTokens: z.int().min(1).max(100_000_000).optional(),
  approvalsOnChat: z.boolean().default(false),
  limits: limitsSchema.prefault({}),
  widget: widgetSettingsSchema.prefault({}),
  identity: identitySchema.prefault({}),
  retentionDays: z.int().min(1).max(3_650).default(30),
};

export const agentCreateSchema = z.strictObject({
  tenantId: identifier,
  ...agentFields,
  model: modelSettingsSchema,
});

/** What is stored and used at run time: every default applied. */
export const agentSettingsSchema = z.strictObject({ ...withId, ...agentCreateSchema.shape });

export const agentAnswerSchema = z.strictObject({
  ...agentSettingsSchema.shape,
  model: modelAnswerSchema,
  identity: identity(credentialAnswerSchema),
});

/** Fields left out stay; null restores the default, inside `reasoning`, `limits`, `widget` and `identity` too. */
export const agentPatchSchema = z.strictObject({
  name: name.optional(),
  instructions: agentFields.instructions.unwrap().nullish(),
  active: z.boolean().nullish(),
  model: modelPatchSchema.optional(),
  reasoning: z
    .strictObject({ effort: reasoningSchema.shape.effort.nullable(), show: z.boolean().nullish() })
    .nullish(),
  maxSteps: agentFields.maxSteps.unwrap().nullish(),
  temperature: agentFields.temperature.nullable(),
  maxOutputTokens: agentFields.maxOutputTokens.nullable(),
  contextTokens: agentFields.contextTokens.nullable(),
  approvalsOnChat: z.boolean().nullish(),
  limits: z
    .strictObject({
      sessionsPerMinute: limitsSchema.shape.sessionsPerMinute.unwrap().nullish(),
      sessionsPerAddressPerMinute: limitsSchema.shape.sessionsPerAddressPerMinute.unwrap().nullish(),
      turnsPerSession: limitsSchema.shape.turnsPerSession.unwrap().nullish(),
      streamsPerSession: limitsSchema.shape.streamsPerSession.unwrap().nullish(),
      tokensPerDay: limitsSchema.shape.tokensPerDay.unwrap().nullish(),
    })
    .nullish(),
  widget: z
    .strictObject({
      name: widgetSettingsSchema.shape.name.nullable(),
      greeting: widgetSettingsSchema.shape.greeting.unwrap().nullish(),
      prompts: widgetSettingsSchema.shape.prompts.unwrap().nullish(),
      accent: accent.nullish(),
      theme: widgetSettingsSchema.shape.theme.unwrap().nullish(),
      position: widgetSettingsSchema.shape.position.unwrap().nullish(),
      privacyUrl: httpUrl.nullish(),
    })
    .nullish(),
  identity: z
    .strictObject({
      secret: identitySecret.nullish(),
      publicKey: publicKey.nullish(),
      required: z.boolean().nullish(),
    })
    .nullish(),
  retentionDays: agentFields.retentionDays.unwrap().nullish(),
});

export type AgentCreate = z.infer<typeof agentCreateSchema>;
export type AgentPatch = z.infer<typeof agentPatchSchema>;
export type AgentSettings = z.infer<typeof agentSettingsSchema>;
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

// Keys

const isOrigin = (value: string): boolean => {
  if (value === '*') return true;
  const literal = value.replace(/^https:\/\/\*\./, 'https://');
  if (literal.includes('*') || !URL.canParse(literal)) return false;
  const { origin, protocol } = new URL(literal);
  return /^https?:$/.test(protocol) && origin === literal;
};

const origins = z
  .array(
    z
      .string()
      .max(300)
      .refine(isOrigin, 'Expected an origin such as https://www.example.com, https://*.example.com or *.'),
  )
  .max(200);

const keyFields = {
  agentId: identifier.nullable().default(null),
  label: z.string().max(200).nullable().default(null),
  /** No listed origin: no browser may use the key. `*`: any may. */
  allowedOrigins: origins.default([]),
  allowMissingOrigin: z.boolean().default(true),
};

export const keyCreateSchema = z.strictObject({
  tenantId: identifier,
  kind: z.enum(['secret', 'publishable']),
  ...keyFields,
});

export const keyPatchSchema = z.strictObject({
  agentId: identifier.nullish(),
  label: keyFields.label.unwrap().optional(),
  allowedOrigins: origins.nullish(),
  allowMissingOrigin: z.boolean().nullish(),
});

export const keySettingsSchema = z.strictObject({
  ...withId,
  ...keyCreateSchema.shape,
  last4: z.string().length(4),
});

/** `key`: a secret key's in the answer to create and regenerate only, a publishable key's always. */
export const keyAnswerSchema = z.strictObject({ ...keySettingsSchema.shape, key: z.string().optional() });

export type KeyCreate = z.infer<typeof keyCreateSchema>;
export type KeyKind = KeyCreate['kind'];
export type KeyPatch = z.infer<typeof keyPatchSchema>;
export type KeySettings = z.infer<typeof keySettingsSchema>;
export type KeyAnswer = z.infer<typeof keyAnswerSchema>;

// Feedback

/** What a visitor thought of one turn. */
export const feedbackAnswerSchema = z.strictObject({
  sessionId: identifier,
  turnId: identifier,
  rating: z.enum(['up', 'down']),
  comment: z.string().nullable(),
  at: timestamp,
});

export type FeedbackAnswer = z.infer<typeof feedbackAnswerSchema>;

// HTTP tools

/** A JSON Schema whose instances are objects: what a model can fill in. */
export const parametersSchema = z.looseObject({ type: z.literal('object') });

export const toolNameSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Expected a letter, then up to 63 letters, digits, _ or -.')
  .refine((value) => value !== 'ask_question', 'ask_question is a tool of every agent.');

const toolUrl = z
  .string()
  .max(2_000)
  .refine(
    (value) => /^https?:\/\/[^/?#{}@\s]+(?:\/|$)/.test(value) && URL.canParse(value),
    'Expected an http or https URL whose scheme and host are literal and that carries no credentials.',
  )
  .refine(
    (value) => !/[?#]/.test(value.replaceAll(/\{\{[^{}]*\}\}/g, '')),
    'Expected no query or fragment: query parameters go into query.',
  );

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'Expected a header name.');
const headerValue = z
  .string()
  .max(8_000)
  .regex(/^[\t\x20-\x7e]*$/, 'Expected printable ASCII characters.');

/** Any JSON value. */
export const jsonValueSchema = z.json();

const requestFields = {
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: toolUrl,
  query: z.record(z.string().min(1).max(200), z.string().max(2_000)).optional(),
  body: jsonValueSchema.optional(),
};

/** `{{parameter}}` placeholders fill path segments, query values, header values and JSON values only. */
export const toolRequestSchema = z.strictObject({
  ...requestFields,
  headers: z.record(headerName, headerValue).optional(),
});

const toolFields = {
  name: toolNameSchema,
  description: z.string().min(1).max(4_000),
  parameters: parametersSchema,
  request: toolRequestSchema,
  approval: z.enum(['never', 'once', 'always']).default('never'),
  /** Absent: true for GET and HEAD only. */
  idempotent: z.boolean().optional(),
  interfaces: z
    .array(z.enum(['chat', 'sessions']))
    .max(2)
    .default(['chat', 'sessions']),
  visibility: z.enum(['full', 'status']).default('status'),
  timeoutMs: z.int().min(1).max(120_000).default(10_000),
};

export const toolCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('http'),
  ...toolFields,
});

/** What is stored and used at run time: every default applied but `idempotent`, which follows the method. */
export const toolSettingsSchema = z.strictObject({ ...withId, ...toolCreateSchema.shape });

/** Header values are write-only, like credentials. */
export const toolAnswerSchema = z.strictObject({
  ...toolSettingsSchema.shape,
  idempotent: z.boolean(),
  request: z.strictObject({
    ...requestFields,
    headers: z.record(headerName, credentialAnswerSchema).optional(),
  }),
});

/** Fields left out stay; null restores the default. A header set to null is removed. */
export const toolPatchSchema = z.strictObject({
  name: toolNameSchema.optional(),
  description: toolFields.description.optional(),
  parameters: parametersSchema.optional(),
  request: z
    .strictObject({
      method: requestFields.method.optional(),
      url: toolUrl.optional(),
      query: requestFields.query.nullable(),
      body: requestFields.body,
      headers: z.record(headerName, headerValue.nullable()).nullish(),
    })
    .optional(),
  approval: toolFields.approval.unwrap().nullish(),
  idempotent: z.boolean().nullish(),
  interfaces: toolFields.interfaces.unwrap().nullish(),
  visibility: toolFields.visibility.unwrap().nullish(),
  timeoutMs: toolFields.timeoutMs.unwrap().nullish(),
});

export const toolTestSchema = z.strictObject({ input: z.record(z.string(), z.unknown()).default({}) });
export const toolTestAnswerSchema = z.strictObject({
  status: z.enum(['completed', 'failed']),
  durationMs: z.number().nonnegative(),
  output: z.unknown(),
});

export type ToolRequest = z.infer<typeof toolRequestSchema>;
export type ToolCreate = z.infer<typeof toolCreateSchema>;
export type ToolPatch = z.infer<typeof toolPatchSchema>;
export type ToolSettings = z.infer<typeof toolSettingsSchema>;
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;
export type ToolTest = z.infer<typeof toolTestSchema>;
export type ToolTestAnswer = z.infer<typeof toolTestAnswerSchema>;
