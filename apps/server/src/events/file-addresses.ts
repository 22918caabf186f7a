import type { MessagePart, SessionEvent } from '@parley/protocol/event';

/** A part as the log has it: of a file that the service stores, its id in place of an address. */
type LoggedPart =
  | Exclude<MessagePart, { type: 'file' }>
  | (Extract<MessagePart, { type: 'file' }> & { readonly fileId?: string });

/**
 * Begins the id of a member’s picture, which the log has as the `avatarUrl` of an author: once the member has another one,
 * or none, so does all that they have said.
 */
export const memberPicturePrefix = 'picture_';

/** Where earlier versions put a file; they wrote the whole address into the log. */
const pathOfFile = /\/v1\/file\/([\w-]+)$/;

/**
 * A message's parts for the log, which outlives every address of the service. `fileIds` are those of its files that are
 * stored here, in order: the parts that have a size.
 */
export function withoutAddresses(parts: readonly MessagePart[], fileIds: readonly string[]): LoggedPart[] {
  const ids = [...fileIds];
  return parts.map((part) => {
    const fileId = part.type === 'file' && part.size !== undefined ? ids.shift() : undefined;
    if (part.type !== 'file' || fileId === undefined) return part;
    const { url: _, ...described } = part;
    return { ...described, fileId };
  });
}

/** The parts of a message in the log as they were received, and the ids of their files that are stored here. */
export function storedParts(parts: readonly MessagePart[]): {
  readonly parts: readonly MessagePart[];
  readonly fileIds: readonly string[];
} {
  const logged: readonly LoggedPart[] = parts;
  const fileIds: string[] = [];
  const received = logged.map((part): MessagePart => {
    if (part.type !== 'file' || part.size === undefined) return part;
    const { fileId = idIn(part.url), ...described } = part;
    if (fileId !== null) fileIds.push(fileId);
    return described;
  });
  return { parts: received, fileIds };
}

/** The event as a reader is shown it: with the addresses under which its files are served. The very same event where it has none. */
export function withAddresses(event: SessionEvent, fileUrl: (id: string) => string): SessionEvent {
  return withPicture(withFiles(event, fileUrl), fileUrl);
}

function withPicture(event: SessionEvent, fileUrl: (id: string) => string): SessionEvent {
  if (!('data' in event) || !('author' in event.data)) return event;
  const id = event.data.author?.avatarUrl;
  if (!id?.startsWith(memberPicturePrefix)) return event;
  // Spread over a union of events, the type is that of none of them.
  const data = { ...event.data, author: { ...event.data.author, avatarUrl: fileUrl(id) } };
  return { ...event, data } as SessionEvent;
}

function withFiles(event: SessionEvent, fileUrl: (id: string) => string): SessionEvent {
  if (event.type !== 'message.received' || event.data.parts.every(({ type }) => type === 'text'))
    return event;
  const logged: readonly LoggedPart[] = event.data.parts;
  const parts = logged.map((part): MessagePart => {
    // An address that a visitor named has no size: what is behind it is not stored here.
    if (part.type !== 'file' || part.size === undefined) return part;
    const { fileId = idIn(part.url), ...described } = part;
    return fileId === null ? described : { ...described, url: fileUrl(fileId) };
  });
  return { ...event, data: { ...event.data, parts } };
}

function idIn(address = ''): string | null {
  return pathOfFile.exec(URL.parse(address)?.pathname ?? '')?.[1] ?? null;
}
