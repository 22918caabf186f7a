import { z } from 'zod';
import { writeOnly } from './write-only.ts';

export const identitySecret = writeOnly(z.string().min(32, 'Expected at least 32 characters.').max(1_000));
export const publicKey = z
  .string()
  .max(2_000)
  .regex(
    /^-----BEGIN PUBLIC KEY-----\s[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/,
    'Expected a public key in PEM.',
  );

export const identity = <Credential extends z.ZodType>(credential: Credential) =>
  z.strictObject({
    /** What the tenant's server signs its visitors' tokens with (HS256). Write-only. */
    secret: credential.optional(),
    /**
     * What the header that tells tools who the visitor is, is signed with (HS256). Absent: `secret`. With a public key
     * only, there is no such header until it is set. Write-only.
     */
    toolSecret: credential.optional(),
    /** Or the public half of the key it signs with (ES256, the curve P-256). */
    publicKey: publicKey.optional(),
    /** Whether a publishable key is of use to identified visitors only. */
    required: z.boolean().default(false),
  });

/** How visitors prove who they are. */
export const identitySchema = identity(identitySecret);

export type IdentitySettings = z.infer<typeof identitySchema>;
