import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export interface Secrets {
  /** Encrypts with the first base. `context` says what the value is for and must be given again to `open`. */
  encrypt(plain: string, context: string): string;
  /** Throws when no base encrypted it, it was altered, or the context differs. */
  decrypt(encrypted: string, context: string): string;
  /** Which base has encrypted this: the first, a former one, or none that is listed. Null for what was never encrypted. */
  encryptedUnder(encrypted: string): 'first' | 'former' | 'unlisted' | null;
  /** A keyed digest (base64url) under the first base; every purpose has a key of its own. */
  mac(purpose: string, value: string): string;
  /** Whether any base makes this digest. Takes the same time for every wrong one. */
  verify(purpose: string, value: string, mac: string): boolean;
}

interface DerivedKeys {
  readonly id: string;
  readonly encryption: Buffer;
  mac(purpose: string): KeyObject;
}

export function createSecrets(bases: readonly string[]): Secrets {
  const [current, ...former] = bases.map(deriveKeys);
  if (current === undefined) throw new Error('Secrets need at least one base.');
  const all = [current, ...former];
  const digest = (keys: DerivedKeys, purpose: string, value: string): Buffer =>
    createHmac('sha256', keys.mac(purpose)).update(value).digest();

  return {
    encrypt(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.encryption, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['1', current.id, nonce.toString('base64url'), body.toString('base64url')].join('.');
    },
    decrypt(encrypted, context) {
      const [version, id, nonce = '', body = ''] = encrypted.split('.');
      const keys = all.find((candidate) => candidate.id === id);
      if (version !== '1' || keys === undefined)
        throw new Error('A stored secret was encrypted under a SECRET_KEY_BASE that is not listed.');
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keys.encryption, Buffer.from(nonce, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
    },
    encryptedUnder(encrypted) {
      const id = /^1\.([0-9a-f]{12})\.[\w-]{16}\.[\w-]{22,}$/.exec(encrypted)?.[1];
      if (id === undefined) return null;
      if (id === current.id) return 'first';
      return former.some((keys) => keys.id === id) ? 'former' : 'unlisted';
    },
    mac: (purpose, value) => digest(current, purpose, value).toString('base64url'),
    verify(purpose, value, mac) {
      const given = Buffer.from(mac, 'base64url');
      // One digest has one spelling: the last character has bits to spare.
      if (given.toString('base64url') !== mac) return false;
      let matched = false;
      for (const keys of all) {
        const expected = digest(keys, purpose, value);
        if (given.length === expected.length && timingSafeEqual(given, expected)) matched = true;
      }
      return matched;
    },
  };
}

function deriveKeys(base: string): DerivedKeys {
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', base, 'parley', info, length));
  const macs = new Map<string, KeyObject>();
  return {
    id: derive('key id', 6).toString('hex'),
    encryption: derive('seal', 32),
    mac(purpose) {
      let key = macs.get(purpose);
      if (key === undefined) macs.set(purpose, (key = createSecretKey(derive(`mac ${purpose}`, 32))));
      return key;
    },
  };
}
