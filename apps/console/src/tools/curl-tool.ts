import { approvalOf } from './approval-of.ts';
import { isCredentialName, isQueryCredentialName } from '@parley/protocol/settings/credential-name';
import { liftSecrets } from './body-secrets.ts';
import { basicCredentials, type CurlRequest, curlRequest } from './curl-request.ts';
import { isObject, type Json, type JsonObject, parseJson, printJson } from './json.ts';
import { isTemplate, placeholdersIn } from './placeholders.ts';
import { freeName, type Proposal, toolName } from './proposal.ts';
import { type HeaderRow, ofBody, type QueryRow } from './tool-entries.ts';

/** Headers that the service sends itself, or that say nothing about the call. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'user-agent',
  'origin',
  'referer',
]);

/** A tool of a curl line; a text says why there is none. Whatever is a credential in it becomes a secret. */
export function toolOfCurl(line: string): Proposal | string {
  const request = curlRequest(line);
  if (typeof request === 'string') return request;
  const address = addressOf(request.url);
  if (address === null) return 'The line has no address that begins with https:// or http://.';
  const parameters = new Parameters();
  const secrets: Record<string, string> = {};
  const remarks = [...request.remarks];
  const path = pathOf(request.url, address);
  for (const name of placeholdersIn(path)) parameters.named(name);

  const query = [...new URLSearchParams(address.search), ...request.query].map(
    ([name, value], index): QueryRow => {
      const id = `query ${index}`;
      if (isQueryCredentialName(name)) {
        secrets[id] = isTemplate(value) ? '' : value;
        return { id, name, value: '', secret: true };
      }
      return { id, name, value: parameters.ofText(name, value), secret: false };
    },
  );
  const { username, password } = address;
  const basic =
    username === '' ? [] : [basicCredentials(decodeURIComponent(username), decodeURIComponent(password))];
  const headers = [...basic, ...request.headers].flatMap(([name, value], index): HeaderRow[] => {
    const lower = name.toLowerCase();
    if (lower === 'cookie') remarks.push('Cookies are not sent: a tool has no session of a browser.');
    const isPlainJson = lower === 'content-type' || (lower === 'accept' && /json|^\*/.test(value));
    if (ownHeaders.has(lower) || lower === 'cookie' || isPlainJson || lower.startsWith('sec-')) return [];
    const id = `header ${index}`;
    // A variable of somebody's shell is known to nobody here, and a model is to know no credential.
    const isUnknown = isCredentialName(name) && placeholdersIn(value).length > 0;
    secrets[id] = isUnknown ? '' : value;
    for (const parameter of isUnknown ? [] : placeholdersIn(value)) parameters.named(parameter);
    return [{ id, name }];
  });
  const body = bodyOf(request, remarks);
  const lifted = liftSecrets(body ?? null);
  for (const [name, value] of Object.entries(lifted.values)) secrets[ofBody(name)] = value;
  const template = body === undefined ? '' : printJson(parameters.inBody(lifted.body));
  return {
    remarks,
    entries: {
      name: toolName(`${request.method} ${address.pathname.split('/').filter(isWord).slice(-2).join(' ')}`),
      method: request.method,
      url: path,
      query: JSON.stringify(query),
      headers: JSON.stringify(headers),
      body: template,
      secrets: JSON.stringify(secrets),
      approval: approvalOf(request.method),
      parameters: printJson(parameters.schema()),
    },
  };
}

const isWord = (segment: string): boolean => /^[a-z][a-z_-]*$/i.test(segment);

function addressOf(url: string): URL | null {
  const whole = /^[a-z]+:\/\//i.test(url) ? url : `https://${url}`;
  const address = URL.parse(whole);
  return address && /^https?:$/.test(address.protocol) && url !== '' ? address : null;
}

/** The address without its query, its placeholders as they were written. */
function pathOf(url: string, { protocol, host }: URL): string {
  const path = /^(?:[a-z]+:\/\/)?[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
  return `${protocol}//${host}${path || '/'}`;
}

function bodyOf({ body, contentType, method }: CurlRequest, remarks: string[]): Json | undefined {
  if (body === null || method === 'GET' || method === 'HEAD') return undefined;
  const json = parseJson(body);
  if (json !== undefined && typeof json === 'object') return json;
  if (/json/i.test(contentType)) {
    remarks.push('The body is no JSON, and was left out.');
    return undefined;
  }
  remarks.push(
    'The line sends a form, and tools send JSON: check that the address takes the same fields so.',
  );
  return Object.fromEntries(new URLSearchParams(body));
}

/** What of a request a model fills in: each value that may be another the next time. */
class Parameters {
  readonly #properties: Record<string, JsonObject> = {};

  /** One that the line names itself. */
  named(name: string): void {
    this.#properties[name] ??= { type: 'string' };
  }

  /** A placeholder in place of a text, unless it is made of some. */
  ofText(name: string, text: string): string {
    if (!text.includes('{{')) return this.#declared(name, text, { type: 'string' });
    for (const placeholder of placeholdersIn(text)) this.named(placeholder);
    return text;
  }

  #of(name: string, value: Json): Json {
    if (typeof value === 'string') return this.ofText(name, value);
    const type = typeOf(value);
    return type === null ? value : this.#declared(name, value, type);
  }

  #declared(name: string, value: Json, type: JsonObject): string {
    const parameter = freeName(
      name.replaceAll(/[^\w.-]+/g, '_') || 'value',
      (each) => each in this.#properties,
    );
    const example = typeof value === 'string' ? value : JSON.stringify(value);
    this.#properties[parameter] = {
      ...type,
      description: `Such as ${example.slice(0, 100).replace(/\.+$/, '')}.`,
    };
    return `{{${parameter}}}`;
  }

  inBody(value: Json, name = ''): Json {
    if (isObject(value)) {
      if ('$secret' in value) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.inBody(item, key)]));
    }
    if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
      return value.map((item) => (isObject(item) ? this.inBody(item, name) : item));
    return this.#of(name, value);
  }

  schema(): JsonObject {
    const required = Object.keys(this.#properties);
    return { type: 'object', properties: this.#properties, ...(required.length > 0 && { required }) };
  }
}

function typeOf(value: Json): JsonObject | null {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return { type: 'array', items: { type: 'string' } };
  return null;
}
