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
/** Values of one answer: of more the log keeps the beginning of their text alone. */
const MAX_VALUES = 100_000;

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const base64Url = base64.replaceAll('+', '-').replaceAll('/', '_');
  const encoded = encodeURIComponent(secret.toWellFormed());
  const forms = [
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
  // As some write JSON.
  return [...forms, ...forms.map((form) => form.replaceAll('/', '\\/'))];
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
  /** Throws a RangeError when the value is nested too deeply to be walked, or too large. */
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
  const redacted = redactedText(new Set(secrets.flatMap(formsOf)));
  const numbers = new Set(secrets);

  const text = (value: string): string => redacted(clean(value));

  const json = (whole: unknown): unknown => {
    let values = 0;
    const walked = (value: unknown, depth: number): unknown => {
      if (++values > MAX_VALUES) throw new RangeError('too many values');
      if (typeof value === 'string') return text(value);
      if (typeof value === 'number') return numbers.has(String(value)) ? REDACTED : value;
      if (typeof value !== 'object' || value === null) return value;
      if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
      if (Array.isArray(value)) return value.map((item) => walked(item, depth + 1));
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [text(key), walked(item, depth + 1)]),
      );
    };
    return walked(whole, 0);
  };

  return { text, json };
}

/** Looks through a text once, however many forms there are: for how they begin, and only there for the whole of one. */
function redactedText(forms: ReadonlySet<string>): (text: string) => string {
  const begins = new Map<string, string[]>();
  for (const form of [...forms].toSorted((a, b) => b.length - a.length)) {
    const begin = form.slice(0, MIN_LENGTH);
    begins.set(begin, [...(begins.get(begin) ?? []), form]);
  }
  if (begins.size === 0) return (text) => text;
  const anyBegin = new RegExp([...begins.keys()].map(asPattern).join('|'), 'g');
  return (text) => {
    if (text.length < MIN_LENGTH) return text;
    let shown = '';
    let from = 0;
    anyBegin.lastIndex = 0;
    for (let found = anyBegin.exec(text); found !== null; found = anyBegin.exec(text)) {
      const { index } = found;
      const form = begins.get(found[0])?.find((each) => text.startsWith(each, index));
      anyBegin.lastIndex = index + (form?.length ?? 1);
      if (form === undefined) continue;
      shown += text.slice(from, index) + REDACTED;
      from = anyBegin.lastIndex;
    }
    return shown + text.slice(from);
  };
}

/** No store keeps U+0000 or half a surrogate pair in every engine. */
function clean(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

const asPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
