import { z } from 'zod';
import { name, withId } from './field.ts';

export const tenantCreateSchema = z.strictObject({ name });
export const tenantPatchSchema = z.strictObject({ name: name.optional() });
export const tenantViewSchema = z.strictObject({ ...withId, name });

export type TenantCreate = z.infer<typeof tenantCreateSchema>;
export type TenantPatch = z.infer<typeof tenantPatchSchema>;
export type TenantView = z.infer<typeof tenantViewSchema>;
