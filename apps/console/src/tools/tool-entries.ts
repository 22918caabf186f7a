import type { ToolCreate, ToolPatch, ToolView } from '@parley/protocol/settings/tool';
import { changedIn } from '../ui/changed-in.ts';
import { approvalOf } from './approval-of.ts';
import { mapSecrets, namedSecrets, secretNames, type StoredSecret } from './body-secrets.ts';
import { type Json, parseJson, printJson } from './json.ts';
import { emptySchema, rowsOf } from './parameter-rows.ts';
import { placeholdersIn } from './placeholders.ts';

/** A query parameter. The value of a secret one is among the secrets. */
export interface QueryRow {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

/** Every value of a header is among the secrets: none is shown again. */
export interface HeaderRow {
  readonly id: string;
  readonly name: string;
}

export interface DisplayRow {
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly summary: string;
}

/** A tool as the form shows it: every field is text, and lists and secrets are JSON. */
export const emptyTool = {
  agentId: '',
  name: '',
  description: '',
  method: 'GET',
  url: '',
  query: '[]',
  headers: '[]',
  body: '',
  /** By the id of a row, or by the name that the body gives them: what was entered, and is written nowhere else. */
  secrets: '{}',
  parameters: emptySchema,
  display: '[]',
  approval: 'never',
  /** The method, until somebody has. */
  approvalChosenBy: 'method',
  approvalMinutes: '',
  repeats: 'method',
  scope: 'both',
  visibility: 'status',
  seconds: '10',
};
export type ToolEntries = typeof emptyTool;

export const queryRows = ({ query }: ToolEntries): QueryRow[] => JSON.parse(query);
export const headerRows = ({ headers }: ToolEntries): HeaderRow[] => JSON.parse(headers);
export const displayRows = ({ display }: ToolEntries): DisplayRow[] => JSON.parse(display);
export const secretsOf = ({ secrets }: ToolEntries): Record<string, string> => JSON.parse(secrets);

/** The key of a secret of the body. */
export const ofBody = (name: string): string => `body ${name}`;

export const hasBody = ({ method }: ToolEntries): boolean => method !== 'GET' && method !== 'HEAD';

/** Somebody has chosen the method. */
export const withMethod = ({ approvalChosenBy }: ToolEntries, method: string): Partial<ToolEntries> => ({
  method,
  ...(approvalChosenBy === 'method' && { approval: approvalOf(method) }),
});

/** Somebody has chosen the approval, which no method changes from then on. */
export const withApproval = (approval: string): Partial<ToolEntries> => ({
  approval,
  approvalChosenBy: 'hand',
});

export interface StoredTool {
  readonly entries: ToolEntries;
  /** By the id of a row or the key of a name in the body: the secrets that are stored, and stay while nothing else is entered. */
  readonly stored: Readonly<Record<string, StoredSecret>>;
}

const both = ['chat', 'sessions'];
const msPerMinute = 60_000;

export function storedTool(tool: ToolView): StoredTool {
  const { query = {}, headers = {}, body } = tool.request;
  const stored: Record<string, StoredSecret> = {};
  const queries = Object.entries(query).map(([name, value], index): QueryRow => {
    const id = `query ${index}`;
    if (typeof value === 'string') return { id, name, value, secret: false };
    stored[id] = value.$secret;
    return { id, name, value: '', secret: true };
  });
  const headersShown = Object.entries(headers).map(([name, value], index): HeaderRow => {
    const id = `header ${index}`;
    stored[id] = value;
    return { id, name };
  });
  const named = body === undefined ? null : namedSecrets(body as Json);
  for (const [name, secret] of Object.entries(named?.stored ?? {})) stored[ofBody(name)] = secret;
  const { title = {}, summary = {} } = tool.display ?? {};
  const languages = [...new Set([...Object.keys(title), ...Object.keys(summary)])];
  const { agentId, name, description, approval, visibility, approvalExpiresAfterMs: expires } = tool;
  const byMethod = tool.request.method === 'GET' || tool.request.method === 'HEAD';
  return {
    stored,
    entries: {
      agentId,
      name,
      description,
      method: tool.request.method,
      url: tool.request.url,
      query: JSON.stringify(queries),
      headers: JSON.stringify(headersShown),
      body: named === null ? '' : printJson(named.body),
      secrets: '{}',
      parameters: printJson(tool.parameters),
      display: JSON.stringify(
        languages.map((language, index): DisplayRow => ({
          id: `display ${index}`,
          language,
          title: title[language] ?? '',
          summary: summary[language] ?? '',
        })),
      ),
      approval,
      // A tool that asks goes on asking, whatever becomes of its method.
      approvalChosenBy: approval === 'never' && byMethod ? 'method' : 'hand',
      approvalMinutes: expires === undefined ? '' : String(expires / msPerMinute),
      repeats: tool.idempotent === byMethod ? 'method' : tool.idempotent ? 'yes' : 'no',
      scope: tool.interfaces.length === 2 ? 'both' : (tool.interfaces[0] ?? 'none'),
      visibility,
      seconds: String(tool.timeoutMs / 1_000),
    },
  };
}

/** The names in a request's `{{name}}` that are no parameter. */
export function missingParameters(entries: ToolEntries): string[] {
  const rows = rowsOf(entries.parameters);
  if (rows === null) return [];
  const known = new Set(rows.map(({ name }) => name));
  const secrets = Object.values(secretsOf(entries));
  const named = placeholdersIn(
    entries.url,
    ...queryRows(entries).map(({ value }) => value),
    ...(hasBody(entries) ? [entries.body] : []),
    ...secrets,
    ...displayRows(entries).map(({ summary }) => summary),
  );
  return named.filter((name) => !known.has(name));
}

/** What is wrong with the entries, by field; that of a secret is `secret <key>`. */
export function toolProblems(entries: ToolEntries, before: StoredTool | null): Record<string, string> {
  const found: Record<string, string> = {};
  const { name, description, url, body, seconds, approvalMinutes } = entries;
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
    found['name'] = 'Begin with a letter, then letters, digits and _, such as order_status.';
  if (description.trim() === '') found['description'] = 'Say when the agent should use it.';
  if (!/^https?:\/\/[^/?#{}@\s]+(?:\/|$)/.test(url))
    found['url'] = 'Enter an address such as https://api.example.com/orders/{{order}}.';
  else if (/[?#]/.test(url.replaceAll(/\{\{[^{}]*\}\}/g, '')))
    found['url'] = 'What stands behind ? goes into the query below.';
  if (entries.agentId === '') found['agentId'] = 'Choose the agent that uses it.';
  const parsed = body.trim() === '' ? null : parseJson(body);
  if (hasBody(entries) && parsed === undefined)
    found['body'] = 'This is no JSON yet. Placeholders stand in quotes: "{{order}}".';
  if (rowsOf(entries.parameters) === null && parseJson(entries.parameters) === undefined)
    found['parameters'] = 'This is no JSON yet.';
  const undecided = rowsOf(entries.parameters)?.find(({ type, choices }) => type === 'choice' && !choices[0]);
  if (undecided) found['parameters'] = `Enter the choices of ${undecided.name}.`;
  const missing = missingParameters(entries);
  if (missing.length > 0)
    found['parameters'] =
      `The request names ${missing.map((each) => `{{${each}}}`).join(', ')}: add it as a parameter.`;
  if (!(Number(seconds) > 0 && Number(seconds) <= 120)) found['seconds'] = 'Enter 1 to 120 seconds.';
  if (entries.approval !== 'never' && approvalMinutes !== '' && !(Number(approvalMinutes) > 0))
    found['approvalMinutes'] = 'Enter a number of minutes, or nothing.';
  for (const key of secretKeys(entries))
    if (!secretsOf(entries)[key] && keptSecret(entries, before, key) === undefined)
      found[`secret ${key}`] = before?.stored[key]
        ? 'It was entered for another address: enter it again.'
        : 'Enter it.';
  const rows = displayRows(entries);
  if (rows.some(({ language, title }) => language.trim() === '' || title.trim() === ''))
    found['display'] = 'Each language has a title at least.';
  return found;
}

/** Of every secret that the request has, the key. */
function secretKeys(entries: ToolEntries): string[] {
  const parsed = hasBody(entries) ? parseJson(entries.body) : undefined;
  return [
    ...queryRows(entries).flatMap(({ id, secret }) => (secret ? [id] : [])),
    ...headerRows(entries).map(({ id }) => id),
    ...(parsed === undefined ? [] : secretNames(parsed).map(ofBody)),
  ];
}

const originOf = (url: string): string | undefined =>
  URL.parse(url.replaceAll('{{', '').replaceAll('}}', ''))?.origin;

/** The stored secret that stays: of the same address, and of a header of the same name. */
export function keptSecret(
  entries: ToolEntries,
  before: StoredTool | null,
  key: string,
): StoredSecret | undefined {
  if (before === null || originOf(entries.url) !== originOf(before.entries.url)) return undefined;
  const nameIn = (rows: readonly (QueryRow | HeaderRow)[]) => rows.find(({ id }) => id === key)?.name;
  const renamed =
    nameIn([...queryRows(entries), ...headerRows(entries)]) !==
    nameIn([...queryRows(before.entries), ...headerRows(before.entries)]);
  return renamed ? undefined : before.stored[key];
}

type Request = NonNullable<ToolPatch['request']>;

function commonFields(entries: ToolEntries) {
  const { name, description, parameters, visibility, approval, scope, seconds } = entries;
  return {
    name,
    description: description.trim(),
    parameters: parseJson(parameters) as ToolCreate['parameters'],
    approval: approval as 'never',
    visibility: visibility as 'status',
    interfaces: (scope === 'both' ? both : scope === 'none' ? [] : [scope]) as ['chat'],
    timeoutMs: Math.round(Number(seconds) * 1_000),
  };
}

/** The fields that may be absent; null: it is. */
function optionalFields(entries: ToolEntries) {
  const { approval, approvalMinutes, repeats } = entries;
  const rows = displayRows(entries);
  const texts = (field: 'title' | 'summary') =>
    Object.fromEntries(
      rows.flatMap((row) => (row[field].trim() ? [[row.language.trim(), row[field].trim()]] : [])),
    );
  const summary = texts('summary');
  const hasSummary = Object.keys(summary).length > 0;
  const expires = approval !== 'never' && approvalMinutes !== '';
  return {
    display: rows.length === 0 ? null : { title: texts('title'), ...(hasSummary && { summary }) },
    approvalExpiresAfterMs: expires ? Math.round(Number(approvalMinutes) * msPerMinute) : null,
    idempotent: repeats === 'method' ? null : repeats === 'yes',
  };
}

function requestOf(entries: ToolEntries, before: StoredTool | null): Request {
  const entered = secretsOf(entries);
  const secret = (key: string) => ({
    $secret: entered[key] || (keptSecret(entries, before, key) ?? ''),
  });
  // What is not named as the form names it is refused by the service.
  const named = (name: Json): Json =>
    typeof name === 'string' ? (secret(ofBody(name)) as unknown as Json) : { $secret: name };
  const query = queryRows(entries).map(({ id, name, value, secret: hidden }) => [
    name,
    hidden ? secret(id) : value,
  ]);
  const headers = headerRows(entries).flatMap(({ id, name }) => (entered[id] ? [[name, entered[id]]] : []));
  const names = new Set(headerRows(entries).map(({ name }) => name));
  const gone = before === null ? [] : headerRows(before.entries).filter(({ name }) => !names.has(name));
  const parsed = hasBody(entries) && entries.body.trim() !== '' ? parseJson(entries.body) : null;
  return {
    method: entries.method as 'GET',
    url: entries.url,
    query: Object.fromEntries(query) as NonNullable<Request['query']>,
    headers: Object.fromEntries([...headers, ...gone.map(({ name }) => [name, null])]) as NonNullable<
      Request['headers']
    >,
    body: parsed == null ? null : mapSecrets(parsed, named),
  };
}

export function createOf(entries: ToolEntries): ToolCreate {
  const present = Object.entries(optionalFields(entries)).filter(([, value]) => value !== null);
  const { body, ...request } = requestOf(entries, null);
  return {
    agentId: entries.agentId,
    kind: 'http',
    ...commonFields(entries),
    ...Object.fromEntries(present),
    request: { ...request, ...(body !== null && { body }) } as ToolCreate['request'],
  };
}

/** All that is entered. */
export function patchOf(entries: ToolEntries, before: StoredTool): ToolPatch {
  return { ...commonFields(entries), ...optionalFields(entries), request: requestOf(entries, before) };
}

/** Of that, what differs from the tool as it was shown. */
export const changesOf = (entries: ToolEntries, before: StoredTool): ToolPatch =>
  changedIn(patchOf(before.entries, before), patchOf(entries, before));

/** The field of the form that shows an issue of a field of the request. */
export function toolField(path: string): string {
  const own = path.replace(/^(?:tool|changes)\./, '');
  const [first = '', second = ''] = own.split('.');
  if (first === 'request')
    return ['method', 'url', 'query', 'headers', 'body'].includes(second) ? second : 'parameters';
  const renamed: Record<string, string> = {
    approvalExpiresAfterMs: 'approvalMinutes',
    timeoutMs: 'seconds',
    interfaces: 'scope',
    idempotent: 'repeats',
  };
  return renamed[first] ?? first;
}
