import { z } from 'zod';
import { name, withId } from './field.ts';
import { pricesSchema } from './prices.ts';

export const tenantCreateSchema = z.strictObject({ name });
export const tenantPatchSchema = z.strictObject({
  name: name.optional(),
  prices: pricesSchema.nullish().describe('What usage is reckoned with, past usage included.'),
});
export const tenantViewSchema = z.strictObject({ ...withId, name, prices: pricesSchema.optional() });

export type TenantCreate = z.infer<typeof tenantCreateSchema>;
export type TenantPatch = z.infer<typeof tenantPatchSchema>;
export type TenantView = z.infer<typeof tenantViewSchema>;
