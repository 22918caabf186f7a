import { parse, type ParseEntry } from 'shell-quote';

/** What a curl line asks for. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly contentType: string;
  readonly remarks: readonly string[];
}

/** Characters of a line. */
const maxLength = 100_000;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The long name of each short option that takes a value. */
const short: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  F: 'form',
  T: 'upload-file',
  o: 'output',
  m: 'max-time',
  x: 'proxy',
  w: 'write-out',
  E: 'cert',
  c: 'cookie-jar',
  D: 'dump-header',
  K: 'config',
  r: 'range',
};
/** Long options with a value that says nothing about the request. */
const ignored = [
  'output',
  'max-time',
  'connect-timeout',
  'proxy',
  'write-out',
  'cert',
  'key',
  'cacert',
  'cookie-jar',
  'dump-header',
  'config',
  'range',
  'retry',
  'retry-delay',
  'resolve',
  'user-agent',
  'referer',
  'interface',
  'cookie',
];
const dataOptions = ['data', 'data-raw', 'data-ascii', 'data-binary', 'data-urlencode', 'json'];
const valued = new Set([
  ...Object.values(short),
  ...ignored,
  ...dataOptions,
  'url',
  'url-query',
  'oauth2-bearer',
  'form',
  'form-string',
]);

/** The request of a line as a shell and curl would read it; a text says why there is none. */
export function curlRequest(line: string): CurlRequest | string {
  if (line.length > maxLength) return 'The line is too long.';
  const words = wordsOf(line);
  if (words === null) return 'Paste one curl line alone, with its address in quotes.';
  if (!/(?:^|\/)curl(?:\.exe)?$/.test(words.shift() ?? '')) return 'A curl line begins with curl.';
  const found = new Found();
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word.startsWith('--')) {
      const [name = '', joined] = word.slice(2).split(/=(.*)/s, 2);
      found.option(name, valued.has(name) ? (joined ?? words.shift() ?? '') : '');
    } else if (/^-[A-Za-z#]/.test(word)) shortOptions(word.slice(1), words, found);
    else found.option('url', word);
  }
  return found.request();
}

/** `-sSXPOST` is three options, the last with its value. */
function shortOptions(letters: string, words: string[], found: Found): void {
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? '';
    const name = short[letter];
    if (name !== undefined) return found.option(name, letters.slice(at + 1) || (words.shift() ?? ''));
    found.option({ G: 'get', I: 'head' }[letter] ?? '', '');
  }
}

/** The words of a shell; a variable becomes a placeholder. Null: there is more than one command. */
function wordsOf(line: string): string[] | null {
  let entries: ParseEntry[];
  try {
    entries = parse(line.trim().replaceAll(/\\\r?\n/g, ' '), (name) => `{{${name}}}`);
  } catch {
    return null;
  }
  const words: string[] = [];
  for (const entry of entries) {
    if (typeof entry === 'string') words.push(entry);
    // A question mark that is not quoted.
    else if ('pattern' in entry) words.push(entry.pattern);
    else if ('op' in entry) return null;
  }
  return words.filter(
    (word, index) => word !== '' || index === 0 || (words[index - 1] ?? '').startsWith('-'),
  );
}

class Found {
  #method: string | null = null;
  #url = '';
  #asQuery = false;
  readonly #headers: (readonly [string, string])[] = [];
  readonly #query: (readonly [string, string])[] = [];
  readonly #data: string[] = [];
  readonly #remarks: string[] = [];

  option(name: string, value: string): void {
    if (name === 'request') this.#method = value.toUpperCase();
    else if (name === 'head') this.#method ??= 'HEAD';
    else if (name === 'get') this.#asQuery = true;
    else if (name === 'url') this.#url ||= value;
    else if (name === 'header') this.#header(value);
    else if (name === 'user') this.#headers.push(basicCredentials(...pair(value, ':')));
    else if (name === 'oauth2-bearer') this.#headers.push(['Authorization', `Bearer ${value}`]);
    else if (name === 'url-query') this.#query.push(pair(value));
    else if (name === 'cookie') this.#headers.push(['Cookie', value]);
    else if (name === 'json') {
      this.#headers.push(['Content-Type', 'application/json']);
      this.#data.push(value);
    } else if (name === 'data-urlencode') this.#data.push(encoded(value));
    else if (dataOptions.includes(name)) this.#addData(name, value);
    else if (['form', 'form-string', 'upload-file'].includes(name))
      this.#remarks.push('Files and multipart forms are not sent by tools, and were left out.');
  }

  #addData(name: string, value: string): void {
    if (name !== 'data-raw' && value.startsWith('@'))
      this.#remarks.push(`What is in the file ${value.slice(1)} is not in the line: enter the body by hand.`);
    else this.#data.push(value);
  }

  #header(text: string): void {
    const [name, value] = pair(text, ':');
    if (value.trim() !== '') this.#headers.push([name.trim(), value.trim()]);
  }

  request(): CurlRequest | string {
    const isSent = this.#data.length > 0 && !this.#asQuery;
    const method = this.#method ?? (isSent ? 'POST' : 'GET');
    if (!methods.includes(method)) return `Tools do not send ${method.slice(0, 20)} requests.`;
    const contentType = this.#headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const inQuery = this.#asQuery ? this.#data.flatMap((data) => [...new URLSearchParams(data)]) : [];
    return {
      method,
      url: this.#url,
      query: [...this.#query, ...inQuery],
      headers: this.#headers,
      body: isSent ? this.#data.join('&') : null,
      contentType,
      remarks: [...new Set(this.#remarks)],
    };
  }
}

function pair(text: string, separator = '='): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** `name=text` and `=text`; a name alone is the text. */
function encoded(value: string): string {
  if (!value.includes('=')) return encodeURIComponent(value);
  const [name, text] = pair(value);
  return name === '' ? encodeURIComponent(text) : `${name}=${encodeURIComponent(text)}`;
}

export function basicCredentials(name: string, password: string): readonly [string, string] {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return ['Authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`];
}
