import { isCredentialName } from '@parley/protocol/settings/credential-name';
import { isObject, type Json } from './json.ts';
import { isTemplate } from './placeholders.ts';

// In the form a secret of the body is `{"$secret": "its name"}`, and its value stands in a field of its own.

/** A secret as an answer of the settings API shows it. */
export interface StoredSecret {
  readonly set: true;
  readonly last4: string;
}

/** The names of the secrets in a body. */
export function secretNames(body: Json): string[] {
  const names: string[] = [];
  mapSecrets(body, (secret) => {
    if (typeof secret === 'string') names.push(secret);
    return null;
  });
  return [...new Set(names)];
}

/** A JSON value with another in place of every `{"$secret": …}`. */
export function mapSecrets(value: Json, replace: (secret: Json, name: string) => Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => mapSecrets(item, replace, name));
  if (!isObject(value)) return value;
  const { $secret } = value;
  if ($secret !== undefined) return replace($secret, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapSecrets(item, replace, key)]),
  );
}

/** A body as it is stored, with names in place of what is shown of its secrets. */
export function namedSecrets(body: Json): { body: Json; stored: Record<string, StoredSecret> } {
  const stored: Record<string, StoredSecret> = {};
  const named = mapSecrets(body, (secret, at) => {
    const name = freeName(at || 'secret', stored);
    stored[name] = secret as unknown as StoredSecret;
    return { $secret: name };
  });
  return { body: named, stored };
}

/** A body with every text under a credential's name made a secret, and their values by name. */
export function liftSecrets(body: Json, taken: Readonly<Record<string, unknown>> = {}) {
  const values: Record<string, string> = {};
  const lift = (value: Json, name: string): Json => {
    if (Array.isArray(value)) return value.map((item) => lift(item, name));
    if (isObject(value)) {
      if ('$secret' in value) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lift(item, key)]));
    }
    if (typeof value !== 'string' || !isCredentialName(name) || isTemplate(value)) return value;
    const free = freeName(name, { ...taken, ...values });
    values[free] = value;
    return { $secret: free };
  };
  return { body: lift(body, ''), values };
}

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let count = 2; Object.hasOwn(taken, free); count += 1) free = `${name} ${count}`;
  return free;
}
