import { z } from 'zod';
import { maxTokenLength } from '../bounds.ts';
import { timestamp } from './field.ts';
import { writeOnly } from './write-only.ts';

/** What is typed at the door, of which nothing is said but whether it opens. */
const password = writeOnly(z.string().min(1).max(200));

/** Of an authenticator app, or one of the recovery codes, however it is spaced. */
export const secondFactorCode = writeOnly(z.string().min(1).max(50));

/** Asks once more for the password, for what would let somebody else in at a screen that was left open. */
export const passwordConfirmationSchema = z.strictObject({ password });

export const secondFactorViewSchema = z.strictObject({
  since: timestamp.nullable().describe('Null: the password alone opens.'),
  recoveryCodes: z.int().describe('How many are left.'),
});

export const secondFactorSetupSchema = z.strictObject({
  secret: z.string().describe('For an authenticator app, in base 32.'),
  address: z.string().describe('The same as the address that such an app reads from a QR code.'),
  setup: z.string().describe('To be sent back with the first code, within ten minutes.'),
});

export const secondFactorConfirmSchema = z.strictObject({
  setup: z.string().min(1).max(maxTokenLength),
  code: secondFactorCode,
});

export const recoveryCodesSchema = z.strictObject({
  recoveryCodes: z
    .array(z.string())
    .describe('Each opens once in place of a code. Shown here only; earlier ones do not open any more.'),
});

export type SecondFactorView = z.infer<typeof secondFactorViewSchema>;
export type SecondFactorSetup = z.infer<typeof secondFactorSetupSchema>;
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;
