import { z } from 'zod';

const text = z.string();

const clientSchema = z.strictObject({
  issuer: text,
  redirectUri: text,
  id: text,
  secret: text.nullable(),
  method: z.enum(['none', 'client_secret_basic', 'client_secret_post']),
  /** Unix milliseconds at which the secret does; null: it does not. */
  expiresAt: z.number().nullable(),
});

/** What of an authorization server is used after it was found. */
const serverSchema = z.object({
  issuer: text,
  authorization_endpoint: text.exactOptional(),
  token_endpoint: text.exactOptional(),
  revocation_endpoint: text.exactOptional(),
  jwks_uri: text.exactOptional(),
  authorization_response_iss_parameter_supported: z.boolean().exactOptional(),
});

/** Somebody was sent to sign in, and has not come back. */
const attemptSchema = z.strictObject({
  /** Digests of what comes back with them: the state, and the cookie of the browser that was sent. */
  state: text,
  browser: text,
  verifier: text,
  client: clientSchema,
  server: serverSchema,
  resource: text,
  scope: text.nullable(),
  expiresAt: z.number(),
  /** The account at Composio that it connects, instead of what else is said here. */
  account: text.exactOptional(),
  /** The session of the console that it was begun in; null: a visitor's, or of the admin token. */
  consoleSession: text.nullable(),
});

const grantSchema = z.strictObject({
  client: clientSchema,
  server: serverSchema,
  resource: text,
  account: text.exactOptional(),
  accessToken: text,
  refreshToken: text.nullable(),
  /** Unix milliseconds; null: nobody has said. */
  expiresAt: z.number().nullable(),
});

/** What is encrypted of a sign-in. */
export const signInSecretsSchema = z.strictObject({
  /** The address of the connection that it is for: at another one it is worth nothing. */
  url: text,
  client: clientSchema.nullable(),
  attempt: attemptSchema.nullable(),
  grant: grantSchema.nullable(),
});

export type SignInClient = z.infer<typeof clientSchema>;
export type SignInAttempt = z.infer<typeof attemptSchema>;
export type Grant = z.infer<typeof grantSchema>;
export type SignInSecrets = z.infer<typeof signInSecretsSchema>;
export { serverSchema as signInServerSchema };
