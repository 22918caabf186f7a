import { jsonFault } from '@parley/protocol/text';
import { exactJson } from '../../egress/exact-events.ts';

/** Entries of one list that are looked at: more tools than a connection has, or parts of what a call gives. */
const maxEntries = 500;
/** JSON-RPC code of an answer that asks for something instead. */
export const asksCode = -39_004;

/** What a client asks first; where it is not known, a server is begun with as before 2026. */
export const discovery = 'server/discover';
export const notKnown = { code: -32_601, message: 'Method not found' };

/** The JSON-RPC message that the client sends, or is sent: a request has a method and an id, an answer no method. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly method?: unknown;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * What the client is given of a message that comes while it waits for the answer to `sent`, as JSON; null: it cannot be
 * read. The client judges every entry of every list and every field, several times, and a megabyte of wrong ones takes it a
 * minute and two gigabytes.
 */
export function readMessage(
  text: string,
  sent: Message,
): { readonly json: string; readonly isAnswer: boolean } | null {
  try {
    const isCall = sent.method === 'tools/call';
    // What a call gives has ids, which lose no digit; of a list the bounds of its schemas are numbers.
    const said: unknown = JSON.parse(isCall ? exactJson(text) : text);
    // The client would take an array for any number of messages, though the protocol has one.
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return null;
    const message: Message = said;
    const { id } = message;
    const isIdOfAnswer = message.method === undefined && ['string', 'number'].includes(typeof id);
    const isAnswer = isIdOfAnswer && String(id) === String(sent.id);
    const given =
      message.method !== undefined
        ? { jsonrpc: message.jsonrpc, id, method: message.method }
        : isCall
          ? answerOfCall(message)
          : sent.method === discovery && message.error !== undefined
            ? { jsonrpc: message.jsonrpc, id, error: notKnown }
            : only(message, answerFields);
    return { json: given === message ? text : JSON.stringify(given), isAnswer };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** What is read of an object: these fields, and of each all of it or what is read of it. */
type Fields = ReadonlyMap<string, Fields | 'all'>;

const resultFields: Fields = new Map<string, Fields | 'all'>([
  ['resultType', 'all'],
  ['protocolVersion', 'all'],
  ['supportedVersions', 'all'],
  ['capabilities', 'all'],
  ['serverInfo', 'all'],
  ['tools', 'all'],
  ['nextCursor', 'all'],
  ['_meta', new Map([['io.modelcontextprotocol/serverInfo', 'all']])],
]);
const answerFields: Fields = new Map<string, Fields | 'all'>([
  ['jsonrpc', 'all'],
  ['id', 'all'],
  ['error', 'all'],
  ['result', resultFields],
]);

/** The same with these fields alone, and the first entries of a long list; itself where that is all of it. */
function only(value: unknown, fields: Fields | 'all'): unknown {
  if (Array.isArray(value)) return value.length > maxEntries ? value.slice(0, maxEntries) : value;
  if (fields === 'all' || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const kept = entries.flatMap(([name, each]) => {
    const inner = fields.get(name);
    return inner === undefined ? [] : [[name, only(each, inner), each] as const];
  });
  const isWhole = kept.length === entries.length && kept.every(([, now, before]) => now === before);
  return isWhole ? value : Object.fromEntries(kept);
}

interface CallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly resultType?: unknown;
  readonly inputRequests?: unknown;
  readonly requestState?: unknown;
}

/** The same with one text as its content, whatever its parts are. */
function answerOfCall(message: Message): unknown {
  const { jsonrpc, id, result } = message;
  if (typeof result !== 'object' || result === null) return only(message, answerFields);
  const { content, structuredContent, isError, resultType, inputRequests, requestState }: CallResult = result;
  if (resultType === 'input_required') {
    const error = { code: asksCode, message: 'It asks for something in the middle of a call.' };
    return Object.keys(Object(inputRequests)).length > 0
      ? { jsonrpc, id, error }
      : { jsonrpc, id, result: { resultType, requestState } };
  }
  const parts = content ?? (structuredContent === undefined ? undefined : []);
  if (!Array.isArray(parts)) return { jsonrpc, id, result: { resultType, content: null } };
  const text = parts.length > 0 ? partsText(parts) : structuredText(structuredContent);
  return {
    jsonrpc,
    id,
    result: { resultType, content: [{ type: 'text', text }], isError: isError === true },
  };
}

function partsText(parts: readonly unknown[]): string {
  const texts = parts.slice(0, maxEntries).map(partText);
  const left = parts.length - texts.length;
  return [...texts, ...(left > 0 ? [`[${left} more, not shown]`] : [])].join('\n');
}

function structuredText(structured: unknown): string {
  if (structured === undefined || structured === null) return '';
  return jsonFault(structured) === null
    ? JSON.stringify(structured)
    : '[nested too deep, or with a NUL: not shown]';
}

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly uri?: unknown;
  readonly mimeType?: unknown;
  readonly resource?: unknown;
}

function partText(part: unknown): string {
  const { type, text, uri, mimeType, resource } = Object(part) as Part;
  if (type === 'text' && typeof text === 'string') return text;
  const inner = Object(resource) as Part;
  if (typeof inner.text === 'string') return inner.text;
  const what = [type, mimeType ?? inner.mimeType, uri ?? inner.uri].filter(
    (word) => typeof word === 'string',
  );
  return `[${what.join(' ').slice(0, 300) || 'something'}, not shown]`;
}
