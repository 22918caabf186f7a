import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import { type ConsoleBrowser, consolePassword } from './console-browser.ts';

interface Asked {
  readonly challenge: string;
  /** Where the page is that asks. */
  readonly origin: string;
}

/** What somebody holds in their hand: one key pair, for one service. */
export interface Authenticator {
  register(asked: Asked): object;
  /** `used`: how often it says that it was. */
  assert(asked: Asked & { readonly used?: number }): object;
}

/** A passkey as an authenticator makes it with ES256 and no attestation (WebAuthn §6). */
export function authenticator(rpId: string, userVerified = true): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' };
  const clientData = (type: string, { challenge, origin }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const head = (isNew: boolean, used: number) => {
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (isNew ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(used);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  };
  return {
    register(asked) {
      // A map of five: EC2, ES256, P-256, x and y.
      const coordinate = (label: number, value: string) =>
        Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]);
      const key = Buffer.concat([
        Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]),
        coordinate(0x21, x),
        coordinate(0x22, y),
      ]);
      const attested = [Buffer.alloc(16), Buffer.from([0, id.length]), id, key];
      const data = Buffer.concat([head(true, 0), ...attested]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', asked)),
          attestationObject: base64url(attestationObject),
          transports: ['internal'],
        },
      };
    },
    assert({ used = 0, ...asked }) {
      const json = clientData('webauthn.get', asked);
      const data = head(false, used);
      const signature = sign('sha256', Buffer.concat([data, sha256(json)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(json),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      };
    },
  };
}

/** Adds a passkey in this browser; its id. */
export async function addPasskey(
  browser: ConsoleBrowser,
  held: Authenticator,
  { name, origin }: { readonly name: string; readonly origin: string },
): Promise<string> {
  const { challenge } = (await browser('POST', '/passkeys/options', { password: consolePassword })).body;
  const added = await browser('POST', '/passkeys', { name, response: held.register({ challenge, origin }) });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return added.body.id;
}

const sha256 = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');
/** A text of up to 23 characters, in CBOR. */
const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
