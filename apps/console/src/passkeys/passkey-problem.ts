import { ApiError } from '../api/api-error.ts';

/** What browsers call the reasons for which there is no passkey, in words. */
const sentences: Readonly<Record<string, string>> = {
  ERROR_INVALID_DOMAIN:
    'Passkeys do not work at this address. Open the console under the name of the service.',
  ERROR_INVALID_RP_ID:
    'Passkeys do not work at this address. Open the console under the name of the service.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device has a passkey for you already.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This key asks for no PIN and no finger, so it cannot stand in for a password. Use another one.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This key cannot keep a passkey. Use another one.',
  NotAllowedError: 'Nothing was done: it was cancelled, or took too long.',
};

/** The error as one whose sentence can be shown; others are what they were. */
export function readablePasskeyError(error: unknown): unknown {
  const { code, name }: { readonly code?: unknown; readonly name?: unknown } = Object(error);
  const sentence = sentences[String(code)] ?? sentences[String(name)];
  return sentence === undefined ? error : new ApiError(0, { error: sentence });
}
