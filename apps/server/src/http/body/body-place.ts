/** Where in a body a value stands, as far as it matters: on the way to the content of a file part. */
export type BodyPlace =
  | 'root'
  | 'message'
  | 'messages'
  | 'entry'
  | 'parts'
  | 'part'
  | 'uiPart'
  | 'file'
  | 'other';

/** The place of a member of an object. */
export function memberPlace(object: BodyPlace, key: string): BodyPlace {
  if (object === 'root' && (key === 'message' || key === 'messages')) return key;
  if ((object === 'message' || object === 'entry') && key === 'parts') return 'parts';
  // `{type: 'file', data}` of the Sessions interface, `{type: 'file', url}` of a UI message.
  if (object === 'part' && key === 'data') return 'file';
  if (object === 'uiPart' && key === 'url') return 'file';
  return 'other';
}

/** The place of an item of an array. */
export function itemPlace(array: BodyPlace): BodyPlace {
  if (array === 'message') return 'part';
  if (array === 'messages') return 'entry';
  return array === 'parts' ? 'uiPart' : 'other';
}

/** Puts `replace(text)` wherever a text stands at the place of a file's content. */
export function replaceFiles(body: unknown, replace: (text: string) => unknown): void {
  if (!isObject(body)) return;
  const { message, messages } = body;
  if (Array.isArray(message)) replaceIn(message, 'data', replace);
  else replaceInParts(message, replace);
  if (Array.isArray(messages)) for (const entry of messages) replaceInParts(entry, replace);
}

function replaceInParts(message: unknown, replace: (text: string) => unknown): void {
  if (isObject(message) && Array.isArray(message['parts'])) replaceIn(message['parts'], 'url', replace);
}

function replaceIn(parts: unknown[], key: 'data' | 'url', replace: (text: string) => unknown): void {
  for (const part of parts) {
    if (!isObject(part)) continue;
    const { [key]: text } = part;
    if (typeof text === 'string') part[key] = replace(text);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
