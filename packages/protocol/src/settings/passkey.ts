import { z } from 'zod';
import { timestamp, withId } from './field.ts';

const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]*$/, 'Expected base64url.');
/** WebAuthn §4: an id has 1,023 bytes at most. */
const credentialId = base64url(1_364).min(1).describe('The passkey, as its authenticator calls it.');
const clientData = base64url(8_000).describe('What was signed: the challenge, and the origin of the page.');

const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('What its owner tells it apart by: where it is.');

export const passkeyViewSchema = z.strictObject({
  ...withId,
  name: passkeyName,
  lastUsedAt: timestamp.nullable(),
});

/** `PublicKeyCredentialCreationOptionsJSON` and its like, which browsers read. */
export const passkeyOptionsSchema = z.record(z.string(), z.unknown());

/** `RegistrationResponseJSON`: of what a browser adds to it, nothing is read. */
export const passkeyCreateSchema = z.strictObject({
  name: passkeyName,
  response: z.object({
    id: credentialId,
    rawId: credentialId.describe('The same as `id`.'),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: clientData,
      attestationObject: base64url(16_000).describe('The public key, and whether the member was verified.'),
      transports: z
        .array(z.string().max(50))
        .max(10)
        .optional()
        .describe('How the authenticator is reached: `internal`, `usb`, ...'),
    }),
  }),
});
export const passkeyPatchSchema = z.strictObject({ name: passkeyName });

/** `AuthenticationResponseJSON`. */
export const passkeySignInSchema = z.strictObject({
  response: z.object({
    id: credentialId,
    rawId: credentialId.describe('The same as `id`.'),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: clientData,
      authenticatorData: base64url(8_000).describe('Where and how often the passkey was used.'),
      signature: base64url(8_000).describe('Of both, by the passkey.'),
      userHandle: base64url(200).optional().describe('Whose passkey it says that it is; not read.'),
    }),
  }),
});

export type PasskeyView = z.infer<typeof passkeyViewSchema>;
export type PasskeyRegistration = z.infer<typeof passkeyCreateSchema>['response'];
export type PasskeyAssertion = z.infer<typeof passkeySignInSchema>['response'];
