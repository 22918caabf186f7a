import { randomBytes } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@parley/protocol/settings/passkey';
import type { PasskeyRecord } from '../store/passkey-store.ts';
import type { MemberRecord } from '../store/settings-store.ts';

/** What browsers know this service by. */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
}

const isIp = (host: string): boolean => /^\d+(?:\.\d+){3}$|^\[/.test(host);

/** Null: an IP address has no passkeys (WebAuthn §5.1.2). */
export function relyingPartyOf(origin: string): RelyingParty | null {
  const { hostname } = new URL(origin);
  return isIp(hostname) ? null : { id: hostname, name: 'Parley', origin };
}

export const newChallenge = (): string => randomBytes(32).toString('base64url');

/** The challenge that the browser says was signed; null when it says none. Whether it was is for those who verify. */
export function challengeOf(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge: unknown = Object(data).challenge;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

// Loaded when somebody has a passkey: with its certificates it takes longer than all else of a start.
const webauthn = () => import('@simplewebauthn/server');

/** Ed25519, ES256 and RS256 (COSE): what authenticators have. Node says of the next one that it is an experiment. */
const supportedAlgorithmIDs = [-8, -7, -257];

type Transports = NonNullable<
  Parameters<
    Awaited<ReturnType<typeof webauthn>>['verifyAuthenticationResponse']
  >[0]['credential']['transports']
>;

export async function registrationOptions(
  { id: rpID, name: rpName }: RelyingParty,
  { id, name }: MemberRecord,
  { challenge, timeout, passkeys }: Ceremony & { readonly passkeys: readonly PasskeyRecord[] },
): Promise<object> {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpID,
    rpName,
    userID: Uint8Array.from(Buffer.from(id)),
    userName: name,
    userDisplayName: name,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
}

interface Ceremony {
  readonly challenge: string;
  readonly timeout: number;
}

export async function signInOptions(
  { id: rpID }: RelyingParty,
  { challenge, timeout }: Ceremony,
): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout,
    userVerification: 'required',
  });
}

type NewPasskey = Pick<PasskeyRecord, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** What is stored of a new passkey; null when it is not what this challenge of this service asked for. */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  expectedChallenge: string,
  response: PasskeyRegistration,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await webauthn();
  const { transports = [], ...attestation } = response.response;
  const verified = await orNull(
    verifyRegistrationResponse({
      response: { ...response, response: attestation, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      supportedAlgorithmIDs,
    }),
  );
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  return { credentialId: credential.id, publicKey, counter: credential.counter, transports };
}

/** How often the passkey was used with this one; null when it has not signed this challenge of this service, or counts backwards as a copy does. */
export async function verifySignIn(
  { id, origin }: RelyingParty,
  expectedChallenge: string,
  { response, passkey }: { readonly response: PasskeyAssertion; readonly passkey: PasskeyRecord },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webauthn();
  const { userHandle, ...assertion } = response.response;
  const verified = await orNull(
    verifyAuthenticationResponse({
      response: {
        ...response,
        response: { ...assertion, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: [...passkey.transports] as Transports,
      },
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** The library throws whatever is wrong with what a browser has sent; what is wrong is nobody's business. */
const orNull = <Verified>(verifying: Promise<Verified>): Promise<Verified | null> =>
  verifying.catch(() => null);
