import { z } from 'zod';
import { name, withId } from './field.ts';
import { pipelineSchema } from './pipeline.ts';
import { pricesSchema } from './prices.ts';
import { teamSettingsSchema } from './team.ts';

export const tenantCreateSchema = z.strictObject({ name });
export const tenantPatchSchema = z.strictObject({
  name: name.optional(),
  prices: pricesSchema.nullish().describe('What usage is reckoned with, past usage included.'),
  team: teamSettingsSchema.nullish().describe('What its team has in common.'),
  pipeline: pipelineSchema.nullish().describe('How it keeps its contacts.'),
});
export const tenantViewSchema = z.strictObject({
  ...withId,
  name,
  prices: pricesSchema.optional(),
  team: teamSettingsSchema.optional().describe('What its team has in common.'),
  pipeline: pipelineSchema.describe('How it keeps its contacts.'),
});

export type TenantCreate = z.infer<typeof tenantCreateSchema>;
export type TenantPatch = z.infer<typeof tenantPatchSchema>;
export type TenantView = z.infer<typeof tenantViewSchema>;
