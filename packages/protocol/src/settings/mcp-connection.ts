import { z } from 'zod';
import { objectSchema } from '../bounded-json.ts';
import { approval, connectionFields, connectionPatchFields } from './connection-fields.ts';
import { httpUrl, identifier, timestamp, withId } from './field.ts';
import { credentialViewSchema } from './view.ts';
import { writeOnly } from './write-only.ts';

/** Tools that one connection brings at most. */
export const maxConnectionTools = 128;
/** Characters of a tool's name as its server has it. */
export const maxRemoteNameLength = 128;
/** Characters of what a server says of one tool. */
export const maxRemoteDescriptionLength = 8_000;

const token = z
  .string()
  .min(1)
  .max(8_000)
  .regex(/^[\x21-\x7e]+$/, 'Expected printable ASCII characters without spaces.')
  .describe('Sent as the bearer token; encrypted at rest and never shown again.');
const printable = /^[\x21-\x7e]+$/;
const clientId = z
  .string()
  .min(1)
  .max(1_000)
  .regex(printable, 'Expected printable ASCII characters without spaces.')
  .describe(
    'Whom its authorization server knows this service as, where somebody has registered it there by hand. Absent: by the document that the service serves, or as it registers itself.',
  );
const clientIssuer = httpUrl.describe(
  'The issuer of the authorization server that has given the client its id, letter by letter. It is shown to no other, whatever the server of tools names.',
);
const clientSecret = z
  .string()
  .min(1)
  .max(1_000)
  .regex(printable, 'Expected printable ASCII characters without spaces.')
  .describe('Of that client, if it was given one; encrypted at rest and never shown again.');
const fields = {
  ...connectionFields,
  url: httpUrl.describe('Where its MCP server answers over streamable HTTP.'),
  token: writeOnly(token).optional(),
  clientId: clientId.optional(),
  clientIssuer: clientIssuer.optional(),
  clientSecret: writeOnly(clientSecret).optional(),
  signIn: z
    .enum(['none', 'agent', 'visitor'])
    .default('none')
    .describe(
      'Who signs in there by OAuth 2.1: nobody, so that the token is sent if there is one; a member, once for the agent; or each visitor for themselves, then a member does for what it lists only.',
    ),
};

export const mcpCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('mcp'),
  ...fields,
});

/** What a tool says of itself, as far as a model and whoever approves it is told. */
export const toolDefinitionSchema = z.strictObject({
  title: z.string().nullable(),
  description: z.string(),
  parameters: objectSchema,
  /** What its server says of its effects; nobody else vouches for it. */
  hints: z.strictObject({ readOnly: z.boolean(), destructive: z.boolean(), idempotent: z.boolean() }),
});

const fingerprint = z.string().max(100).describe('The same for as long as the definition is.');

/** A tool as an administrator has approved it: what a model is shown, and nothing else. */
export const approvedToolSchema = z.strictObject({
  name: z.string().max(maxRemoteNameLength),
  fingerprint,
  approval,
  definition: toolDefinitionSchema,
});

/** A tool as its server lists it. */
export const listedToolSchema = z.strictObject({
  name: z.string().max(maxRemoteNameLength),
  fingerprint,
  definition: toolDefinitionSchema,
  /** Why it cannot be used, or null. */
  problem: z.string().max(500).nullable(),
});

/** What came of the last time that its server was asked for its tools. */
export const mcpStateSchema = z.strictObject({
  status: z.enum(['connected', 'failed']),
  since: timestamp.describe('Since when it is so.'),
  /** A sentence for administrators: why it failed, or what of the list was left out; null: nothing is amiss. */
  problem: z.string().max(500).nullable(),
  signedIn: z.boolean().default(false).describe('Whether a member has signed in there, and is let in.'),
  /** Who answers there, as it calls itself. */
  server: z.strictObject({ name: z.string().max(200), version: z.string().max(200) }).nullable(),
  /** Of the last time that it could be asked. */
  listed: z.array(listedToolSchema).max(maxConnectionTools),
});

/** What is stored and used at run time. */
export const mcpSettingsSchema = z.strictObject({
  ...withId,
  ...mcpCreateSchema.shape,
  tools: z.array(approvedToolSchema).max(maxConnectionTools),
});

export const connectionToolSchema = z.strictObject({
  name: z.string(),
  toolName: z.string().describe('What the model calls it.'),
  fingerprint,
  ...toolDefinitionSchema.shape,
  status: z
    .enum(['available', 'approved', 'changed', 'missing', 'unusable'])
    .describe('Only what is approved is used. What has changed since, or is not listed any more, is not.'),
  problem: z.string().nullable(),
  approval: approval.describe('As it is set; of one that is not approved what its server’s hints speak for.'),
  before: toolDefinitionSchema.describe('What was approved, where it has changed since.').nullable(),
});

export const mcpViewSchema = z.strictObject({
  ...withId,
  ...mcpCreateSchema.shape,
  token: credentialViewSchema.optional(),
  clientSecret: credentialViewSchema.optional(),
  ...mcpStateSchema.omit({ listed: true }).shape,
  tools: z.array(connectionToolSchema),
});

/** Fields left out stay; null restores the default. A token or a client is not kept for another host. */
export const mcpPatchSchema = z.strictObject({
  ...connectionPatchFields,
  url: fields.url.optional(),
  token: writeOnly(token).nullish(),
  clientId: clientId.nullish().describe('Another one ends what was signed in.'),
  clientIssuer: clientIssuer.nullish().describe('Another one ends what was signed in.'),
  clientSecret: writeOnly(clientSecret)
    .nullish()
    .describe('Of that client. Not kept where the id or the issuer changes without it.'),
  signIn: fields.signIn.unwrap().nullish().describe('Another way ends what was signed in.'),
  tools: z
    .array(
      z.strictObject({
        name: z.string().max(maxRemoteNameLength),
        fingerprint: fingerprint.describe('Of the definition that was seen: what is approved is this one.'),
        approval: approval.optional(),
      }),
    )
    .max(maxConnectionTools)
    .describe('The tools to use, and no others.')
    .optional(),
});

export type McpSettings = z.infer<typeof mcpSettingsSchema>;
export type McpState = z.infer<typeof mcpStateSchema>;
export type McpPatch = z.infer<typeof mcpPatchSchema>;
export type McpView = z.infer<typeof mcpViewSchema>;
export type ConnectionTool = z.infer<typeof connectionToolSchema>;
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;
export type ListedTool = z.infer<typeof listedToolSchema>;
export type ApprovedTool = z.infer<typeof approvedToolSchema>;
