import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { MemberView } from '@parley/protocol/settings/member';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { call } from '../api/call.ts';
import { readablePasskeyError } from './passkey-problem.ts';

/** Makes a passkey on whatever the browser offers. Throws what has a sentence for whoever is asked. */
export async function addPasskey({
  name,
  password,
}: {
  readonly name: string;
  readonly password: string;
}): Promise<void> {
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options', {
    password,
  });
  const response = await readable(startRegistration({ optionsJSON }));
  await call('POST', '/passkeys', { name, response });
}

export async function signInWithPasskey(): Promise<MemberView> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>('POST', '/session/passkey/options');
  const response = await readable(startAuthentication({ optionsJSON }));
  return call<MemberView>('POST', '/session/passkey', { response });
}

async function readable<Response>(asked: Promise<Response>): Promise<Response> {
  try {
    return await asked;
  } catch (error) {
    throw readablePasskeyError(error);
  }
}
