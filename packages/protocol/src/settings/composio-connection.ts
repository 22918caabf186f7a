import { z } from 'zod';
import { connectionFields, connectionPatchFields } from './connection-fields.ts';
import { httpUrl, identifier, withId } from './field.ts';
import {
  approvedToolSchema,
  connectionToolSchema,
  maxConnectionTools,
  mcpPatchSchema,
  mcpStateSchema,
} from './mcp-connection.ts';
import { credentialViewSchema } from './view.ts';
import { writeOnly } from './write-only.ts';

const apiKey = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, 'Expected printable ASCII characters without spaces.')
  .describe('Of a project at Composio; encrypted at rest and never shown again.');

const fields = {
  ...connectionFields,
  url: httpUrl
    .default('https://backend.composio.dev')
    .describe('Where the REST interface of Composio answers, without `/api`.'),
  toolkit: z
    .string()
    .max(64)
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'Expected the slug of a toolkit, such as gmail.')
    .describe('The slug of the toolkit whose tools it brings.'),
  authConfigId: z
    .string()
    .max(100)
    .regex(/^[\w-]*$/, 'Expected the id of an auth config, such as ac_….')
    .default('')
    .describe('The auth config that accounts are connected by; empty only where nobody signs in.'),
  signIn: z
    .enum(['none', 'agent', 'visitor'])
    .default('agent')
    .describe(
      'Whose account its tools use: nobody’s, for toolkits that need none; one that a member connects for the agent; or that of each visitor.',
    ),
  apiKey: writeOnly(apiKey).optional(),
};

export const composioCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('composio'),
  ...fields,
});

/** What is stored and used at run time. */
export const composioSettingsSchema = z.strictObject({
  ...withId,
  ...composioCreateSchema.shape,
  tools: z.array(approvedToolSchema).max(maxConnectionTools),
});

export const composioViewSchema = z.strictObject({
  ...withId,
  ...composioCreateSchema.shape,
  apiKey: credentialViewSchema.optional(),
  ...mcpStateSchema.omit({ listed: true }).shape,
  tools: z.array(connectionToolSchema),
});

/** Fields left out stay; null restores the default. A key is not kept for another host. */
export const composioPatchSchema = z.strictObject({
  ...connectionPatchFields,
  url: fields.url.unwrap().optional(),
  toolkit: fields.toolkit.optional(),
  authConfigId: fields.authConfigId
    .unwrap()
    .nullish()
    .describe('Another one ends what was connected by the one before.'),
  signIn: fields.signIn.unwrap().nullish(),
  apiKey: writeOnly(apiKey).optional(),
  tools: mcpPatchSchema.shape.tools,
});

export type ComposioSettings = z.infer<typeof composioSettingsSchema>;
export type ComposioView = z.infer<typeof composioViewSchema>;
