const REDACTED = '[redacted]';
const MIN_LENGTH = 6;
/** Headers that say something about the message; hiding their values would only garble answers. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
]);
const MAX_DEPTH = 200;

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const base64Url = base64.replaceAll('+', '-').replaceAll('/', '_');
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    base64Url,
    base64Url.replace(/=+$/, ''),
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    new URLSearchParams({ s: secret }).toString().slice(2),
  ];
}

/** A header's literal text and the credential behind its scheme; of Basic credentials the password too. */
function secretsIn(value: string): string[] {
  return value.split(/\{\{[^{}]*\}\}/).flatMap((literal) => {
    const whole = literal.trim();
    const [scheme = '', ...rest] = whole.split(/\s+/);
    const credential = rest.join(' ');
    if (credential === '') return rest.length === 0 && value !== literal && isScheme(scheme) ? [] : [whole];
    const decoded = scheme.toLowerCase() === 'basic' ? Buffer.from(credential, 'base64').toString() : '';
    return [whole, credential, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  });
}

function isScheme(word: string): boolean {
  return /^(?:bearer|basic|token|apikey|digest)$/i.test(word);
}

export interface Redactor {
  text(value: string): string;
  /** Throws a RangeError when the value is nested too deeply to be walked. */
  json(value: unknown): unknown;
}

/**
 * Takes what a far side echoed of the secret header values, and of the secrets in query and body, out of its answer: as
 * they are, base64 and URL-encoded.
 */
export function createRedactor(
  headers: Readonly<Record<string, string>>,
  values: readonly string[],
): Redactor {
  const secrets = Object.entries(headers)
    .filter(([name]) => !PUBLIC_HEADERS.has(name.toLowerCase()))
    .flatMap(([, value]) => secretsIn(value))
    .concat(values.flatMap(secretsIn))
    .filter((secret) => secret.length >= MIN_LENGTH);
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);

  const text = (value: string): string =>
    forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), clean(value));

  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return secrets.includes(String(value)) ? REDACTED : value;
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), json(item, depth + 1)]));
  };

  return { text, json: (value: unknown) => json(value) };
}

/** No store keeps U+0000 or half a surrogate pair in every engine. */
function clean(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
